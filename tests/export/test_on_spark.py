"""Spark writes the exports and annotations that the local engine writes."""

import json
import shutil
from pathlib import Path

import pytest

from corpulyzer.annotate import table_of
from corpulyzer.api.corpus import open_corpus
from corpulyzer.export import FORMATS
from corpulyzer.export.select import splits_of
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


def test_both_engines_annotate_alike(corpus, engine, spark, tmp_path):
    found = []
    for name, each in (("local", engine), ("spark", spark)):
        shutil.copytree(corpus.storage.root, tmp_path / name)
        own = open_corpus(tmp_path / name, {"engine.workers": 1})
        own.annotate(engine=each)
        rows = each.query("select * from t", {"t": table_of(own.storage)}).to_pylist()
        found.append(sorted(json.dumps(row, ensure_ascii=False) for row in rows))
    assert found[0] == found[1] and found[0]
