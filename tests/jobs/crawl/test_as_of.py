"""A corpus as it was: equal to the folder as somebody had copied it then, without what was removed since."""

import json
import os
import shutil
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from command_line import run
from lasting import engine_of
from small_crawl import Web, crawler

from corpulyzer.api.corpus import open_corpus
from corpulyzer.errors import UserError
from corpulyzer.storage import Storage

FIRST, SECOND, COPY = "http://a.test/1", "http://a.test/2", "http://b.test/1"


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """A corpus after its first rounds, copied aside; then a copy of the first page came in, and an import."""
    folder = tmp_path_factory.mktemp("grown")
    with Web().serving() as web:
        crawl = crawler(web, folder / "c")
        web.page(FIRST, SECOND)
        web.page(SECOND)
        corpus, _, _ = crawl(FIRST)
        engine = engine_of(corpus)
        corpus.dedup("document", engine=engine)
        shutil.copytree(folder / "c", folder / "then")
        last = corpus.status(engine=engine).crawl["rounds"]
        next_second()
        web.answers[COPY] = web.answers[FIRST]
        crawl(COPY)
    next_second()
    (folder / "rows.jsonl").write_text(json.dumps({"url": "http://i.test/1", "text": "اردو خبریں " * 60}))
    corpus = opened(folder / "c")
    corpus.import_(str(folder / "rows.jsonl"), engine=engine)
    corpus.dedup("document", engine=engine)
    return corpus, last


def opened(folder):
    return open_corpus(folder, {"engine.workers": 1})


def next_second():
    """Moments are told apart by seconds."""
    time.sleep(1.01 - time.time() % 1)


def rows(corpus):
    found = {document.url: (document.id, document.verdict, document.text) for document in corpus.documents}
    assert len(found) == len(corpus.documents)
    return found


def told(corpus):
    """What status tells, without the name."""
    found = corpus.status(engine=engine_of(corpus)).to_json()
    return {name: value for name, value in found.items() if name not in ("name", "as_of")}


def test_a_round_ago_is_the_corpus_that_was_copied_then(grown):
    corpus, last = grown
    then = opened(Path(corpus.storage.root).parent / "then")
    found = corpus.as_of(str(last), engine=engine_of(corpus))
    assert rows(found) == rows(then)
    assert told(found) == told(then)
    assert {COPY, "http://i.test/1"} <= rows(corpus).keys()
    kept = {url: verdict.kept for url, (_, verdict, _) in rows(corpus).items()}
    assert [kept[FIRST], kept[COPY]].count(True) == 1, "one of them is a copy now, and was none then"
    assert found.status(engine=engine_of(corpus)).as_of["removed_since"] == []
    (archive,) = found.storage.list("warc/round=00001", ".gz")
    assert os.path.samefile(found.storage.path(archive), corpus.storage.path(archive))

    again = corpus.as_of(str(last), engine=engine_of(corpus))
    assert rows(again) == rows(then)
    exported = found.export("jsonl", engine=engine_of(corpus))
    assert exported.manifest["documents"] == 2
    assert exported.manifest["as_of"]["words"] == f"round {last}"


def test_a_time_has_the_rounds_and_imports_that_were_there(grown):
    corpus, _ = grown
    today = datetime.now(UTC).date().isoformat()
    assert rows(corpus.as_of(today, engine=engine_of(corpus))) == rows(corpus)
    imported = json.loads(
        next(file for file in map(corpus.storage.read, corpus.storage.list("imports", ".json")))
    )
    before = datetime.fromisoformat(imported["noted"]) - timedelta(seconds=1)
    found = corpus.as_of(before.isoformat(), engine=engine_of(corpus))
    assert rows(found).keys() == {FIRST, SECOND, COPY}


def test_what_was_removed_is_in_no_version_and_they_say_so(grown, tmp_path):
    corpus, last = grown
    shutil.copytree(corpus.storage.root, tmp_path / "c")
    corpus = opened(tmp_path / "c")
    earlier = corpus.as_of(str(last), engine=engine_of(corpus))
    earlier.export("jsonl", engine=engine_of(corpus))
    elsewhere = earlier.export("text", str(tmp_path / "handed on"), engine=engine_of(corpus))
    done = corpus.remove(SECOND, engine=engine_of(corpus))
    moment = Path(earlier.storage.root).name
    assert done.exports == (f"{elsewhere.version} of as_of/{moment}",), "what is deleted has nothing any more"
    assert not corpus.storage.list("as_of")
    found = opened(tmp_path / "c").as_of(str(last), engine=engine_of(corpus))
    assert rows(found).keys() == {FIRST}
    removed = found.status(engine=engine_of(corpus)).as_of
    assert [each["name"] for each in removed["removed_since"]] == ["a.test/2"]
    assert "Removed since then, from here too: a.test/2 (1 documents)." in removed["says"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("99", "Round 99 of the crawl has not ended"),
        ("yesterday", "is neither a round nor a time"),
        ("0001-01-01T00:00+09:00", "is neither a round nor a time"),
        ("1999-01-01", "Nothing was in the corpus as of 1999-01-01 23:59:59 UTC"),
    ],
)
def test_a_moment_that_the_corpus_never_had_is_refused(tmp_path, asked, said):
    from corpulyzer.api.corpus import create

    with pytest.raises(UserError, match=said):
        create("ur", tmp_path / "c").as_of(asked)


def test_the_commands_take_a_moment(grown):
    corpus, last = grown
    project = ["--project", corpus.storage.root]
    said = run("status", "--as-of", str(last), *project)
    assert f"This is the corpus as of round {last}, under the settings of today." in said.stdout
    made = run("export", "text", "--as-of", str(last), *project)
    assert "2 documents" in made.stdout
    assert "as of round" in made.stdout


def test_a_file_is_in_two_folders_without_being_copied(tmp_path):
    one, other = Storage(tmp_path / "one"), Storage(tmp_path / "other")
    one.write("x/a.txt", b"1")
    one.put_in(other, "x/a.txt")
    one.put_in(other, "x/a.txt")
    assert other.list() == ["x/a.txt"]
    assert os.path.samefile(one.path("x/a.txt"), other.path("x/a.txt"))
    one.write("x/a.txt", b"2")
    assert other.read("x/a.txt") == b"1"
