"""A corpus of the small web, and exports of it, made once."""

import sys
from pathlib import Path

import pytest

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.export import follow
from corpulyzer.jobs.export import export
from corpulyzer.lab.demo.archive import write_archive
from corpulyzer.warc import index

sys.path.append(str(Path(__file__).parent))
ONE_WORKER = {"engine.workers": 1}


@pytest.fixture(scope="session")
def web(tmp_path_factory):
    """A third of the small web: enough of every kind, and quicker."""
    whole = tmp_path_factory.mktemp("web") / "whole.warc.gz"
    write_archive(whole)
    content = whole.read_bytes()
    entries = [entry for entry in index(str(whole)) if entry.kind == "response"]
    third = whole.with_name("web.warc.gz")
    third.write_bytes(b"".join(content[e.offset : e.offset + e.length] for e in entries[::3]))
    return third


@pytest.fixture(scope="session")
def corpus(web, engine, tmp_path_factory):
    """The kept documents of the small web in Urdu, with what they look like before any export."""
    return imported(tmp_path_factory.mktemp("corpus") / "urduweb", web, engine)


@pytest.fixture(scope="session")
def exported(corpus, engine):
    """A function from a format to the folder of its export."""
    made = {}

    def get(format):
        if format not in made:
            made[format] = export(corpus, engine, format)
        return made[format]

    return get


@pytest.fixture(scope="session")
def import_again(engine, tmp_path_factory):
    """A function from files to a new corpus of them, with no filter that the first corpus has not passed."""

    def get(*paths):
        return imported(tmp_path_factory.mktemp("again") / "urduweb", *paths, engine)

    return get


@pytest.fixture(scope="session")
def corpus_in_parts(web, engine, tmp_path_factory):
    """The same in several parts, without copies."""
    folder = tmp_path_factory.mktemp("parts") / "urduweb"
    made = imported(folder, web, engine, part_pages=20)
    made.dedup(engine=engine)
    return made


@pytest.fixture
def several_shards(monkeypatch):
    """Shards so small that a corpus in parts has several."""
    monkeypatch.setattr(follow, "PAGES", 30)


def imported(folder, *arguments, part_pages=2_000):
    *paths, engine = arguments
    create("urd", folder)
    corpus = open_corpus(folder, {**ONE_WORKER, "engine.part_pages": part_pages})
    corpus.import_(*paths, engine=engine)
    return corpus
