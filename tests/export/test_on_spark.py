"""Spark writes the exports and annotations that the local engine writes."""

import hashlib
import io
import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard
from fastwarc.warc import ArchiveIterator

import corpulyzer.engine.spark as engine_of_spark
from corpulyzer.annotate import table_of
from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.export import FORMATS, follow
from corpulyzer.export.select import Selection, splits_of
from corpulyzer.jobs.export import export

pytestmark = pytest.mark.slow


def content(exported):
    """The bytes of every file but those that carry the time, and the counts."""
    files = {
        str(path.relative_to(exported.path)): path.read_bytes()
        for path in Path(exported.path).rglob("*")
        if path.is_file() and path.name not in ("manifest.json", "README.md", "croissant.json")
    }
    counts = {
        name: exported.manifest[name] for name in ("documents", "tokens", "licenses", "splits", "left_out")
    }
    return files, counts


@pytest.mark.parametrize("format", [name for name in FORMATS.ours if name != "delta"])  # which has no splits
def test_both_engines_write_the_same_export(corpus, engine, spark, tmp_path, format):
    splits = splits_of("train,test=0.3")
    made = []
    for name, each in (("local", engine), ("spark", spark)):
        shutil.copytree(corpus.storage.root, tmp_path / name / "urduweb")
        own = open_corpus(tmp_path / name / "urduweb", {"engine.workers": 1})
        made.append(export(own, each, format, splits=splits))
    (here, counts), (there, their_counts) = map(content, made)
    assert counts == their_counts and here.keys() == there.keys()
    if format in ("warc", "wet"):  # the first record of a file has the time in it
        here, there = ({name: len(data) for name, data in files.items()} for files in (here, there))
        assert all(abs(here[name] - there[name]) < 50 for name in here)
    else:
        assert here == there


def test_many_tasks_write_what_one_process_writes(several_shards, engine, spark, tmp_path):
    """Each task of a cluster writes the files of its share of the shards; rows and their order are the same."""
    corpora = []
    for name in ("local", "spark"):
        shutil.copytree(several_shards.storage.root, tmp_path / name)
        corpora.append(open_corpus(tmp_path / name, {"engine.workers": 1}))
    for format in ("jsonl", "hf", "sentences", "delta"):
        splits = None if format == "delta" else splits_of("train,test=0.3")
        here, there = (
            export(own, each, format, splits=splits)
            for own, each in zip(corpora, (engine, spark), strict=True)
        )
        assert rows_in(there) == rows_in(here)
        files = there.manifest["files"]
        assert len(files) > len(here.manifest["files"]) or format in ("sentences", "delta"), (
            "a task has its own"
        )
        for file in files:
            assert hashlib.sha256(Path(there.path, file["path"]).read_bytes()).hexdigest() == file["sha256"]
    fewer = Selection(min_quality=0.7)
    here, there = (
        export(own, each, "jsonl", selection=fewer)
        for own, each in zip(corpora, (engine, spark), strict=True)
    )
    assert there.manifest["changes"] == here.manifest["changes"] and here.manifest["changes"]["removed"] > 1
    changes = [sorted(Path(each.path).glob("changes-*.jsonl")) for each in (here, there)]
    read = [[line for file in files for line in file.read_text().splitlines()] for files in changes]
    assert read[0] == read[1]


@pytest.fixture
def several_shards(web, engine, tmp_path, monkeypatch):
    """A corpus in shards of which each is large enough for a task."""
    monkeypatch.setattr(follow, "PAGES", 30)
    monkeypatch.setattr(engine_of_spark, "SHARE_BYTES", 1)
    create("urd", tmp_path / "made")
    made = open_corpus(tmp_path / "made", {"engine.part_pages": 20, "engine.workers": 1})
    made.import_(web, engine=engine)
    made.dedup(engine=engine)
    return made


def rows_in(exported):
    """What stands in the files of each split, one file behind the other, without what has the time in it."""
    found = {}
    for file in sorted(file["path"] for file in exported.manifest["files"]):
        content = Path(exported.path, file).read_bytes()
        if file.startswith(("data/", "corpus/")):
            lines = pq.ParquetFile(io.BytesIO(content)).read().to_pylist()
        elif file.endswith(".zst"):
            lines = zstandard.ZstdDecompressor().decompressobj().decompress(content).splitlines()
        elif file.endswith(".gz"):
            records = ArchiveIterator(io.BytesIO(content))
            lines = [record.reader.read() for record in records if "warcinfo" not in str(record.record_type)]
        elif "." in file and file.rpartition(".")[2] in ("txt", "tsv"):
            lines = content.splitlines()
        else:
            continue
        found.setdefault(file.partition("-")[0], []).extend(lines)
    assert found
    return found


def test_both_engines_annotate_alike(corpus, engine, spark, tmp_path):
    found = []
    for name, each in (("local", engine), ("spark", spark)):
        shutil.copytree(corpus.storage.root, tmp_path / name)
        own = open_corpus(tmp_path / name, {"engine.workers": 1})
        own.annotate(engine=each)
        rows = each.query("select * from t", {"t": table_of(own.storage)}).to_pylist()
        found.append(sorted(json.dumps(row, ensure_ascii=False) for row in rows))
    assert found[0] == found[1] and found[0]
