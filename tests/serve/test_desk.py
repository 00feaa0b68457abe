"""The desk answers those who may ask, makes what a form asks for, and nothing outside its folder."""

import threading
import tracemalloc
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.serve.answering import MOST_FIELDS, fields
from corpulyzer.serve.desk.app import Desk, application
from corpulyzer.serve.pages import placed
from corpulyzer.serve.security import Gate
from corpulyzer.serve.work import steps
from corpulyzer.serve.work.runner import run
from corpulyzer.storage.lock import WORK, editing, holder, working
from corpulyzer.web.seeds import read as read_seeds

from .conftest import Served, running, serving
from .test_explorer import ask


@pytest.fixture
def desk(tmp_path):
    """A desk with a corpus, a folder that is none, and one that cannot be opened."""
    folder = tmp_path / "desk"
    create("xho", folder / "xhosaweb")
    (folder / "notes").mkdir()
    (folder / "broken").mkdir()
    (folder / "broken" / "corpulyzer.toml").write_text("preset = ")
    made = Desk(folder, Gate(secret="s3cret"))
    with running(application(made)) as address:
        yield Served(address, str(folder), made)


def post(desk, path, **form):
    return ask(desk, path, "POST", {"secret": "s3cret", **form})


def test_the_desk_lists_its_corpora_and_says_what_each_lacks(desk):
    status, headers, text = ask(desk, "/")
    assert status == 200 and "default-src 'none'" in headers["content-security-policy"]
    assert "xhosaweb" in text and "no contact" in text and "no seeds" in text
    assert "notes" not in text
    assert "is not valid TOML" in text, "a corpus that cannot be opened says why"


def test_a_corpus_that_may_not_be_read_does_not_hide_the_others(desk):
    create("xho", Path(desk.folder, "odd"))
    Path(desk.folder, "odd", "logs", "lock").mkdir(parents=True)  # to open it fails, as where one may not
    status, _, text = ask(desk, "/")
    assert status == 200 and "xhosaweb" in text and "It cannot be read" in text


def test_a_corpus_of_the_desk_has_all_its_addresses_below_its_own(desk):
    for path in ("/", "/sites", "/documents", "/audit", "/work"):
        status, _, text = ask(desk, f"/corpora/xhosaweb{path}")
        assert status == 200, path
        assert 'href="/sites"' not in text and 'href="/corpora/xhosaweb/sites"' in text
        assert 'href="/static/style.css"' in text and 'href="/desk"' in text
    status, headers, _ = post(desk, "/corpora/xhosaweb/work/settings", contact="me@example.org")
    assert (status, headers["location"]) == (303, "/corpora/xhosaweb/work?done=settings")


def test_only_addresses_of_ours_are_placed():
    page = '<a href="/sites">&#34;href=&#34;/x</a><a href="/desk">d</a><a href="https://a.example/">o</a>'
    told = '<a href="/corpora/a/sites">&#34;href=&#34;/x</a><a href="/desk">d</a><a href="https://a.example/">o</a>'
    assert placed(page, "/corpora/a") == told
    assert placed(page, "") == page


@pytest.mark.parametrize(
    "path",
    [
        "/corpora/notes/",
        "/corpora/../xhosaweb/",
        "/corpora/%2e%2e/",
        "/corpora/..%2fdesk%2fxhosaweb/",
        "/corpora//",
        f"/corpora/{quote('𐌰' * 100)}/",
        "/corpora/xhosaweb/exports/..%2f..%2fcorpulyzer.toml",
        "/corpora/xhosaweb/exports/v001-jsonl/..%2f..%2fcorpulyzer.toml",
    ],
)
def test_no_address_leads_out_of_the_desk(desk, path):
    status, _, text = ask(desk, path)
    assert status == 404 and "[corpus]" not in text


def test_a_form_from_elsewhere_makes_nothing(desk, tmp_path):
    below = ("settings", "start", "stop", "resume", "seeds", "train")
    for path in ("/new", "/reachable", *(f"/corpora/xhosaweb/work/{each}" for each in below)):
        assert ask(desk, path, "POST", {"language": "urd", "contact": "a@example.org"})[0] == 403
        form = {"secret": "s3cret", "language": "urd"}
        assert ask(desk, path, "POST", form, sec_fetch_site="cross-site")[0] == 403
    assert ask(desk, "/", host="evil.example")[0] == 403
    assert not (tmp_path / "desk" / "urdweb").exists()


def test_beyond_this_machine_the_desk_needs_its_token(tmp_path):
    with running(application(Desk(tmp_path, Gate(token="t0ken")))) as address:
        served = Served(address, str(tmp_path), None)
        assert ask(served, "/")[0] == 403
        assert ask(served, "/new?language=urd&token=t0ken")[1]["location"] == "/new?language=urd"


@pytest.mark.parametrize("token, is_told", [("", True), ("t0ken", False)])
def test_beyond_this_machine_a_corpus_tells_nothing_of_those_beside_it(tmp_path, token, is_told):
    for name in ("mine", "secret"):
        create("xho", tmp_path / name)
    with serving(tmp_path / "mine", Gate(token=token)) as served:
        status, _, text = ask(served, "/keywords", cookie=f"corpulyzer={token}")
        assert status == 200 and ("corpus secret" in text) == is_told
        text = ask(served, "/keywords?against=corpus+secret", cookie=f"corpulyzer={token}")[2]
        assert ("There is nothing called" in text) != is_told


def test_languages_are_found_by_any_name_with_what_identifies_them(desk):
    for query in ("Xhosa", "isixhosa", "xh", "xho"):
        text = ask(desk, f"/new?q={query}")[2]
        assert "/new?language=xho" in text and "single sentences right" in text
    assert "No language is called that" in ask(desk, "/new?q=qqqqqq")[2]
    assert "500 sentences" in ask(desk, "/new?language=qaa")[2]


@pytest.mark.parametrize(
    "fault, said",
    [
        ({"name": "../out"}, "cannot be the name"),
        ({"name": "xhosaweb"}, "There is a folder"),
        ({"name": "𐌰" * 90}, "too long"),
        ({"contact": "nobody"}, "neither a mail address nor a web address"),
        ({"then": "crawl", "seeds": "https://a.example/"}, "needs a contact"),
        ({"then": "crawl", "contact": "me@example.org"}, "needs seeds"),
        (
            {"language": "qaa", "then": "crawl", "contact": "me@example.org", "seeds": "https://a.example/"},
            "every page would be dropped",
        ),
        ({"pages": "many"}, "no number of pages"),
        ({"minutes": "1,5"}, "no number of minutes"),
        ({"preset": "none"}, "no preset"),
        ({"sentences": "one\ntwo"}, "too few"),
        ({"provider": "searxng"}, "needs text in the language"),
    ],
)
def test_a_mistake_is_told_beside_the_form_and_makes_nothing(desk, tmp_path, fault, said):
    before = sorted(tmp_path.rglob("*"))
    status, _, text = post(desk, "/new", **{"language": "urd", "domains": "pk", **fault})
    assert status == 400 and said in text and 'value="pk"' in text
    assert sorted(tmp_path.rglob("*")) == before


def test_a_form_makes_a_corpus_with_its_settings_and_seeds(desk):
    form = {
        "name": "urduweb",
        "contact": "me@example.org",
        "pages": "1,000",
        "domains": ".pk in",
        "delay": "2",
    }
    status, headers, _ = post(desk, "/new", language="urd", seeds="https://a.example/\nb.example", **form)
    assert (status, headers["location"]) == (303, "/corpora/urduweb/work")
    corpus = open_corpus(f"{desk.folder}/urduweb")
    assert (corpus.config.crawl.contact, corpus.config.crawl.pages) == ("me@example.org", 1_000)
    assert corpus.config.scope.tlds == ("pk", "in") and corpus.config.fetch.delay_seconds == 2
    assert len(read_seeds(corpus.storage)) == 2
    assert steps.read(corpus.storage) == []


def test_a_form_of_several_languages_makes_one_corpus_of_them(desk):
    assert post(desk, "/new", language="hrv,slv", name="both")[0] == 303
    assert open_corpus(f"{desk.folder}/both").targets.codes == ("hrv", "slv")


def test_sources_that_cannot_be_reached_say_so_and_the_others_go_on(desk):
    form = {"wikipedia": "yes", "dumps": f"{desk.folder}/notes", "seeds": "https://a.example/"}
    assert post(desk, "/new", language="urd", name="away", **form)[0] == 303
    storage = open_corpus(f"{desk.folder}/away").storage
    over = threading.Event()
    while steps.is_running(storage):
        over.wait(0.1)
    (found,) = steps.read(storage)
    assert found.state == "failed" and "externallinks" in found.said
    text = ask(desk, "/corpora/away/work")[2]
    assert "externallinks" in text and "Go on" in text


def test_a_form_that_is_too_large_is_refused(desk, monkeypatch):
    monkeypatch.setattr("corpulyzer.serve.answering.MOST_FORM_BYTES", 1_000)
    assert post(desk, "/new", language="urd", seeds="x" * 2_000)[0] == 413


def test_a_large_form_is_read_in_a_few_times_its_size():
    text = "یہ ایک جملہ ہے۔ 100% & more = less + plus\r\n" * 20_000
    body = urlencode({"secret": "s", "blank": "", "sentences": text}).encode()
    tracemalloc.start()
    found = fields(body)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == {"secret": "s", "blank": "", "sentences": text}
    assert most < 12 * len(body)
    assert fields(b"a=" + b"%E4%B8%AD" * 300_000) == {"a": "中" * 300_000}


def test_a_form_of_too_many_fields_is_cut():
    assert len(fields(b"&".join(b"a%d=1" % n for n in range(3_000)))) == MOST_FIELDS
    assert fields(b"&&a=%zz&=1&b=%ff") == {"a": "%zz", "": "1", "b": "\ufffd"}


def test_the_runner_notes_how_each_step_ended(tmp_path):
    storage = create("xho", tmp_path / "xhosaweb").storage
    steps.write(storage, [steps.Step(("report", "--nonsense")), steps.Step(("seeds", "list"))])
    run(storage)
    first, second = steps.read(storage)
    assert (first.state, second.state) == ("failed", "done") and "nonsense" in first.said
    assert holder(storage, WORK) is None


def test_work_is_begun_once_at_a_time(tmp_path):
    storage = create("xho", tmp_path / "xhosaweb").storage
    with working(storage, "work"), pytest.raises(steps.HeldError):
        steps.begin(storage, [("status",)])


def test_of_two_who_begin_at_the_same_time_the_second_changes_nothing(tmp_path):
    storage = create("xho", tmp_path / "xhosaweb").storage
    refused = []

    def second():
        try:
            steps.begin(storage, [("status",)])
        except steps.HeldError as error:
            refused.append(error)

    other = threading.Thread(target=second)
    with ExitStack() as first:
        with editing(storage, "work"):  # the first is about to begin
            other.start()
            other.join(1)
            first.enter_context(working(storage, "work"))
            steps.write(storage, [steps.Step(("report",), "running")])
        other.join()
        assert refused and steps.read(storage) == [steps.Step(("report",), "running")]


def test_what_is_pasted_while_work_is_under_way_changes_nothing_that_it_reads(desk):
    storage = open_corpus(f"{desk.folder}/xhosaweb").storage
    for name in ("sentences", "search"):
        storage.write(f"given/{name}.txt", b"first")
    with working(storage, "work"):
        assert post(desk, "/corpora/xhosaweb/work/train", sentences="second")[0] == 409
        search = {"provider": "google", "search_text": "second", "seeds": "https://a.example/"}
        assert post(desk, "/corpora/xhosaweb/work/seeds", **search)[0] == 409
        assert post(desk, "/corpora/xhosaweb/work/seeds", seeds="https://b.example/")[0] == 303
    assert {storage.read(f"given/{name}.txt") for name in ("sentences", "search")} == {b"first"}
    assert [seed.url for seed in read_seeds(storage)] == ["https://b.example/"]


@pytest.mark.parametrize("where", ["http://a b/", "http://[::1", f"/{'a' * 300}", "a\0b"])
def test_a_place_that_cannot_be_is_one_that_cannot_be_reached(desk, where):
    status, _, text = post(desk, "/reachable", what="wikipedia", dumps=where)
    assert status == 200 and "cannot be reached" in text


@pytest.mark.parametrize(
    "code, direction, word", [("en", "ltr", "New corpus"), ("de", "ltr", "Neues Korpus")]
)
def test_the_interface_speaks_the_language_that_is_asked_for(desk, code, direction, word):
    text = ask(desk, "/", accept_language=f"{code}-XX,en;q=0.5")[2]
    assert f'<html lang="{code}" dir="{direction}">' in text and word in text


def test_a_chosen_language_of_the_interface_is_remembered_and_leads_nowhere_else(desk):
    _, headers, _ = ask(desk, "/corpora/xhosaweb/interface?language=ur&back=/corpora/xhosaweb/sites")
    assert headers["location"] == "/corpora/xhosaweb/sites"
    cookie = headers["set-cookie"].split(";")[0]
    text = ask(desk, "/corpora/xhosaweb/sites", cookie=cookie, accept_language="de")[2]
    assert '<html lang="ur" dir="rtl">' in text and "ویب سائٹیں" in text
    for back in ("//evil.example/", "https://evil.example/", "/\\evil.example"):
        assert ask(desk, f"/interface?language=ur&back={back}")[1]["location"] == "/"
