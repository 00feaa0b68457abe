"""Spark writes the exports and annotations that the local engine writes."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from rows_of_files import rows_in

import corpulyzer.engine.spark as engine_of_spark
from corpulyzer.annotate import table_of
from corpulyzer.api.corpus import open_corpus
from corpulyzer.export import FORMATS
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


def test_many_tasks_write_what_one_process_writes(
    corpus_in_parts, several_shards, engine, spark, apart, tmp_path
):
    """Each task of a cluster writes the files of its share of the shards; rows and their order are the same."""
    corpora = []
    for name in ("local", "spark"):
        shutil.copytree(corpus_in_parts.storage.root, tmp_path / name)
        corpora.append(open_corpus(tmp_path / name, {"engine.workers": 1}))
    for format in ("jsonl", "hf", "sentences", "delta", "warc", "html"):
        splits = None if format == "delta" else splits_of("train,test=0.3")
        apart.clear()
        here, there = (
            export(own, each, format, splits=splits)
            for own, each in zip(corpora, (engine, spark), strict=True)
        )
        assert rows_in(there) == rows_in(here)
        assert len([task for task in apart if task.startswith("written/")]) > 1, "a task has its own"
        for file in there.manifest["files"]:
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
def apart(spark, monkeypatch):
    """Every file of a table is enough for a task, and every task of a query writes one; the names of tasks."""
    monkeypatch.setattr(engine_of_spark, "SHARE_BYTES", 1)
    called, call = [], spark.call

    def noted(tasks):
        called.extend(task.name for task in tasks)
        call(tasks)

    monkeypatch.setattr(spark, "call", noted)
    spark.spark.conf.set("spark.sql.adaptive.coalescePartitions.enabled", "false")
    yield called
    spark.spark.conf.unset("spark.sql.adaptive.coalescePartitions.enabled")


def test_both_engines_annotate_alike(corpus, engine, spark, tmp_path):
    found = []
    for name, each in (("local", engine), ("spark", spark)):
        shutil.copytree(corpus.storage.root, tmp_path / name)
        own = open_corpus(tmp_path / name, {"engine.workers": 1})
        own.annotate(engine=each)
        rows = each.query("select * from t", {"t": table_of(own.storage)}).to_pylist()
        found.append(sorted(json.dumps(row, ensure_ascii=False) for row in rows))
    assert found[0] == found[1] and found[0]
