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
from s3_server import environment, make_bucket
from small_crawl import Web, crawler

from corpulyzer.api.corpus import open_corpus
from corpulyzer.corpus.archives import archives
from corpulyzer.corpus.takedowns import Removed, name_of
from corpulyzer.errors import UserError
from corpulyzer.jobs.as_of.moment import moment_of
from corpulyzer.storage import Storage
from corpulyzer.warc.erase import matching

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
    shutil.copytree(corpus.storage.root, tmp_path / "c", ignore=shutil.ignore_patterns("as_of"))
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


@pytest.fixture(scope="module")
def in_store(grown, object_store):
    """A function from the name of a bucket to the same corpus in it."""
    corpus, last = grown

    def put(name):
        place = Storage(f"{make_bucket(object_store, name)}/c")
        for file in corpus.storage.list():
            if not file.startswith("as_of/"):
                place.write(file, corpus.storage.read(file))
        return opened(place.root), last

    with environment(object_store):
        yield put


@pytest.fixture(scope="module")
def stored(in_store):
    return in_store("as-it-was")


def second_of_the_last_fetch(corpus, last):
    """The moment at which a round had ended, as a time."""
    return moment_of(corpus.storage, str(last)).until.isoformat()


@pytest.mark.parametrize("place", ["grown", "stored"])
@pytest.mark.parametrize("by_time", [False, True], ids=["round", "time"])
def test_the_commands_take_a_moment_on_a_disk_and_in_an_object_store(request, tmp_path, place, by_time):
    corpus, last = request.getfixturevalue(place)
    moment = second_of_the_last_fetch(corpus, last) if by_time else str(last)
    options = ["--as-of", moment, "--project", corpus.storage.root]
    words = f"{moment.replace('T', ' ').partition('+')[0]} UTC" if by_time else f"round {last}"
    says = f"This is the corpus as of {words}, under the settings of today."
    assert says in run("status", *options).stdout.replace("\n", " ")
    made = run("export", "text", "--to", tmp_path / "out", *options)
    assert "2 documents" in made.stdout and says in made.stdout.replace("\n", " ")
    assert json.loads((tmp_path / "out" / "manifest.json").read_bytes())["as_of"]["words"] == words


@pytest.mark.parametrize("place", ["grown", pytest.param("stored", marks=pytest.mark.slow)])
def test_the_report_says_of_which_moment_it_is(request, place):
    corpus, last = request.getfixturevalue(place)
    said = run("report", "--as-of", last, "--project", corpus.storage.root, "--json")
    page = json.loads(said.stdout)["report"]
    there, _, file = page.partition("report/index.html")
    text = Storage(there + file).read("report/index.html").decode()
    assert f"This is the corpus as of round {last}, under the settings of today." in text
    assert not corpus.storage.exists("report/index.html"), "that of today is another"


@pytest.mark.slow
def test_of_a_corpus_in_an_object_store_a_page_is_removed_from_every_version(in_store):
    corpus, last = in_store("removed-from")
    then = second_of_the_last_fetch(corpus, last)
    assert SECOND in rows(corpus.as_of(str(last), engine=engine_of(corpus)))
    corpus.remove(SECOND, engine=engine_of(corpus))
    assert not corpus.storage.list("as_of")
    wanted = Removed((name_of(SECOND),))
    assert not any(matching(archive.path, wanted) for archive in archives(corpus.storage))
    corpus = opened(corpus.storage.root)
    for moment in (str(last), then):
        found = corpus.as_of(moment, engine=engine_of(corpus))
        assert rows(found).keys() == {FIRST}
        says = found.status(engine=engine_of(corpus)).as_of["says"]
        assert "Removed since then, from here too: a.test/2 (1 documents)." in says


def test_a_file_is_in_two_folders_without_being_copied(tmp_path):
    one, other = Storage(tmp_path / "one"), Storage(tmp_path / "other")
    one.write("x/a.txt", b"1")
    one.put_in(other, "x/a.txt")
    one.put_in(other, "x/a.txt")
    assert other.list() == ["x/a.txt"]
    assert os.path.samefile(one.path("x/a.txt"), other.path("x/a.txt"))
    one.write("x/a.txt", b"2")
    assert other.read("x/a.txt") == b"1"
