"""Tasks of a cluster write an export where they can: not into a folder of one machine, nor with others' code."""

import pickle
from pathlib import Path
from types import SimpleNamespace

import pytest
from made_documents import document
from rows_of_files import rows_in

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.engine import Dataset
from corpulyzer.engine.local import LocalEngine
from corpulyzer.export import FORMATS, formats
from corpulyzer.export.formats import Blocks, CollectBlocks, Format, Work
from corpulyzer.export.formats.frequency import LIST_SQL
from corpulyzer.export.shares import Writers
from corpulyzer.jobs.export import export
from corpulyzer.plugins.running import Called
from corpulyzer.records import Document
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.storage.location import sizes_of


class Cluster(LocalEngine):
    """Hands tasks over in the form in which they are sent, and counts them; queries give two files."""

    handed_over = 0

    def spread(self, sql, tables, target):
        rows = super().query(sql, tables)
        files = [target.replace(".parquet", f".part-{number}.parquet") for number in (0, 1)]
        for file, half in zip(files, (rows[: len(rows) // 2], rows[len(rows) // 2 :]), strict=True):
            with ParquetSink(file, rows.schema) as sink:
                for batch in half.to_batches():
                    sink.write(batch)
        return Dataset(files, rows.schema)

    def shares(self, table):
        return [slice(0, 1), slice(1, None)]

    def call(self, tasks):
        self.handed_over += len(tasks)
        for task in pickle.loads(pickle.dumps(tasks)):
            task()


@pytest.fixture
def cluster():
    with Cluster(1) as engine:
        yield engine


def files(exported):
    return [file["path"] for file in exported.manifest["files"]]


def test_tasks_write_into_the_corpus_and_this_process_into_a_folder_of_its_own(cluster, tmp_path):
    """Tasks of other machines would write to disks of theirs, and the manifest would name files that are not there."""
    create("urd", tmp_path / "web")
    corpus = open_corpus(tmp_path / "web", {"engine.workers": 1})
    with ParquetSink(corpus.storage.path("documents/round=00000/a.parquet"), schema_of(Document)) as sink:
        sink.write(batch_of([document("https://a.pk/1"), document("https://a.pk/2")], Document))
    for format in ("jsonl", "hf", "sentences"):
        cluster.handed_over = 0
        here = export(corpus, cluster, format, to=str(tmp_path / format))
        assert not cluster.handed_over
        assert all("-00000-" not in file for file in files(here))
        there = export(corpus, cluster, format)
        assert cluster.handed_over >= 2
        assert any("-00000-00000" in file for file in files(there))


@pytest.mark.parametrize("format", FORMATS.ours)
def test_the_files_of_tasks_have_the_rows_of_those_of_one_process(
    corpus_in_parts, several_shards, engine, cluster, format
):
    here, there = export(corpus_in_parts, engine, format), export(corpus_in_parts, cluster, format)
    assert rows_in(there) == rows_in(here)
    assert cluster.handed_over >= (2 if format == "frequency" else 4), "lists of documents, and data"


def test_the_shares_of_a_delta_table_count_the_bytes_of_its_files_alone(tmp_path):
    create("urd", tmp_path / "web")
    corpus = open_corpus(tmp_path / "web", {"engine.workers": 1})
    for name, urls in (("a", []), ("b", ["https://a.pk/1"]), ("c", ["https://a.pk/2", "https://a.pk/3"])):
        file = corpus.storage.path(f"documents/round=00000/{name}.parquet")
        with ParquetSink(file, schema_of(Document)) as sink:
            sink.write(batch_of(list(map(document, urls)), Document))
    asked = []

    class Noted(Cluster):
        def shares(self, table):
            asked.append(table)
            return super().shares(table)

    with Noted(1) as engine:
        made = export(corpus, engine, "delta")
    (table,) = (each for each in asked if "/corpus/" in "".join(each.files))
    files = [file["path"] for file in made.manifest["files"] if file["path"].endswith(".parquet")]
    assert [Path(file).name for file in files] == ["00000-b.parquet", "00000-c.parquet"]
    assert table.sizes == sizes_of(table.files) == [Path(made.path, file).stat().st_size for file in files]


def test_what_the_format_of_a_plug_in_collects_is_written_by_this_process(cluster, tmp_path, monkeypatch):
    """Its functions may be known nowhere else."""

    def theirs(_options):
        collect = CollectBlocks(".txt", begin=lambda _path, about: f"# {about.name}\n".encode())
        return Format("theirs", Blocks(lambda it: it.published.text.encode(), formats.by_split), collect)

    monkeypatch.setattr("corpulyzer.plugins.running.made", lambda _plugin: theirs)
    called = Called("theirs", "a Format", formats._is_format)
    monkeypatch.setattr(formats, "FORMATS", SimpleNamespace(named=lambda _name, _plugins: called))
    found = formats.format_named("theirs", formats.Options())
    work = Work(
        Storage(tmp_path / "to"),
        Dataset((), schema_of(formats.Block)),
        cluster,
        Writers(cluster, Storage(tmp_path / "scratch")),
        None,
        None,
    )
    assert found.collect(work) == [] and not cluster.handed_over


def test_a_query_writes_below_a_store_whose_address_has_a_query(tmp_path):
    asked = []

    class Noted(LocalEngine):
        def spread(self, sql, tables, target):
            asked.append(target)

    scratch = Storage("s3://bucket/c/exports/work/v001-frequency?endpoint_override=127.0.0.1:1")
    with Noted(1) as engine:
        Work(Storage(tmp_path), None, engine, Writers(engine, scratch), None, None).query("list", LIST_SQL)
    assert asked == ["s3://bucket/c/exports/work/v001-frequency/list.parquet?endpoint_override=127.0.0.1:1"]
