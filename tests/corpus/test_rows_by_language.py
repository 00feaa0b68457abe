"""Files of `corpus/` have their rows by language, where there are several, so that readers of one skip the others."""

import random
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_corpora import add_part, document

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus.kept_documents import KeepRows, files_behind, write_kept
from corpulyzer.engine import Source, Unit, in_order
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.records import Document
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import sink

CODES = ("hrv", "slv", "urd", "xho")


def made(count=400):
    """Documents of four languages in no order, one in ten of which is dropped."""
    chance = random.Random(2)
    return [
        replace(
            document(f"http://a.example/{n}", f"text {n} " * 20, kept=n % 10 > 0),
            language=chance.choice(CODES),
        )
        for n in range(count)
    ]


def corpus_of(folder, **languages):
    create(folder=folder, **languages)
    add_part(folder, "a-1", made())
    return open_corpus(folder)


def kept_file(corpus):
    (file,) = corpus.storage.list("corpus", ".parquet")
    return corpus.storage.path(file)


@pytest.fixture
def small_row_groups(monkeypatch):
    monkeypatch.setattr(sink, "ROW_GROUP_BYTES", 8_000)


def test_a_reader_of_one_language_can_skip_the_row_groups_of_others(
    engine, tmp_path, small_row_groups, monkeypatch
):
    monkeypatch.setattr(KeepRows, "batch_rows", property(lambda _: 10))
    corpus = corpus_of(tmp_path / "c", languages=list(CODES))
    assert write_kept(corpus.storage, engine) == 1 and files_behind(corpus.storage) == 0
    with pq.ParquetFile(kept_file(corpus)) as parquet:
        column = parquet.schema_arrow.get_field_index("language")
        groups = [
            parquet.metadata.row_group(n).column(column).statistics for n in range(parquet.num_row_groups)
        ]
        ids = parquet.read(["id"]).column("id").to_pylist()
    kept = [each for each in made() if each.verdict.kept]
    assert ids == [each.id for each in sorted(kept, key=lambda each: each.language)]
    assert len(groups) > 12
    for code in CODES:
        assert sum(each.min <= code <= each.max for each in groups) <= len(groups) // len(CODES) + 3
    read = pq.read_table(kept_file(corpus), filters=[("language", "=", "slv")])
    assert read.num_rows == sum(each.language == "slv" for each in kept)


def test_rows_of_a_corpus_of_one_language_stay_in_the_order_of_its_archives(engine, tmp_path):
    corpus = corpus_of(tmp_path / "c", language="urd")
    write_kept(corpus.storage, engine)
    ids = pq.read_table(kept_file(corpus), columns=["id"], partitioning=None).column("id").to_pylist()
    assert ids == [each.id for each in made() if each.verdict.kept]


def test_a_corpus_that_was_written_in_another_order_is_written_again(engine, tmp_path):
    corpus = corpus_of(tmp_path / "c", language="urd")
    write_kept(corpus.storage, engine)
    settings = corpus.storage.read("corpulyzer.toml").decode()
    corpus.storage.write(
        "corpulyzer.toml", settings.replace('language = "urd"', 'languages = ["urd", "xho"]').encode()
    )
    assert files_behind(corpus.storage) == 1
    assert write_kept(corpus.storage, engine) == 1 and files_behind(corpus.storage) == 0


def sorted_by(engine, folder, name):
    """The file that a map makes of documents that are asked for in the order of their languages."""
    source, target = str(folder / "source.parquet"), str(folder / f"{name}.parquet")
    schema = schema_of(Document)
    pq.write_table(
        pa.Table.from_batches([batch_of(made(), Document)]).cast(schema), source, row_group_size=70
    )
    engine.map(KeepRows(), [Unit(Source(path=source, by="language"), {"documents": target})])
    return pq.read_table(target)


def test_the_order_is_the_same_in_several_passes_over_the_file(engine, tmp_path, monkeypatch):
    whole = sorted_by(engine, tmp_path, "whole")
    assert whole.column("language").to_pylist() == sorted(whole.column("language").to_pylist())
    for size in (1, 70_000):
        monkeypatch.setattr(in_order, "HELD_BYTES", size)
        assert sorted_by(engine, tmp_path, f"passes{size}") == whole


@pytest.mark.slow
def test_the_order_is_the_same_on_spark(engine, spark, tmp_path):
    with SparkEngine(spark.master) as there:
        assert sorted_by(there, tmp_path, "there") == sorted_by(engine, tmp_path, "here")
