"""Search engines as sources of seeds, over HTTP, against local servers that speak their protocols."""

import json
from pathlib import Path

import pytest
from command_line import run
from local_services import Brave, Google, Reply, SearXng, as_json, serve

from corpulyzer.storage import Storage
from corpulyzer.web import seeds

URDU = "اردو زبان پاکستان کی قومی زبان ہے اور بہت سے لوگ یہ زبان گھر میں بولتے اور پڑھتے ہیں"
ENGLISH = "The language of this page is English, and there is nothing else to be read on it"
PAGES = (
    ("https://akhbar.example/news/1", "خبر", URDU),
    ("https://english.example/", "News", ENGLISH),
    ("https://kitab.example/book.pdf", "کتاب", URDU),
    ("https://ur.wikipedia.org/wiki/x", "ویکی", URDU),
    ("https://shop.example/a?utm_source=x", "دکان", URDU),
)


@pytest.fixture
def project(tmp_path):
    """A corpus of Urdu, with a list of words beside it."""
    run("init", "Urdu", str(tmp_path / "urd"))
    (tmp_path / "words.txt").write_text("\n".join(sorted(set(URDU.split()))), "utf-8")
    return tmp_path / "urd"


def search(project: Path, provider: str, *options: str, code: int = 0, **environment: str):
    words = str(project.parent / "words.txt")
    common = ("--provider", provider, "--words", words, "--project", str(project), "--json")
    return run("seeds", "search", *common, *options, code=code, **environment)


def listed(project: Path) -> list[dict]:
    return json.loads(run("seeds", "list", "--json", "--project", str(project)).stdout)


def test_searxng_gives_seeds_whose_snippets_are_in_the_language(project):
    with serve(SearXng(PAGES)) as server:
        done = search(project, "searxng", "--endpoint", server.url, "--queries", "2")
    told = json.loads(done.stdout)
    assert told["hits"] == 10 and told["other_languages"] == {"eng": 2}
    assert set(told["refused"].values()) == {"scope: blocked host"}
    found = listed(project)
    assert [seed["url"] for seed in found] == [
        *("https://akhbar.example/news/1", "https://kitab.example/book.pdf", "https://shop.example/a"),
    ]
    first = found[0]
    assert first["source"] == "search searxng" and first["rank"] == 1 and first["snippet"] == URDU
    assert first["language"] == "urd" and first["confidence"] > 0.5
    assert first["query"] in {asked.parameters["q"] for asked in server.asked}
    assert first["added"].startswith("20")


def test_nothing_is_asked_twice_and_more_queries_ask_only_for_more(project):
    with serve(SearXng(PAGES)) as server:
        options = ("--endpoint", f"{server.url}/search", "--tuple", "1")
        search(project, "searxng", *options, "--queries", "2")
        before = (project / seeds.FILE).read_bytes()
        search(project, "searxng", *options, "--queries", "2")
        assert len(server.asked) == 2 and (project / seeds.FILE).read_bytes() == before
        search(project, "searxng", *options, "--queries", "3")
        assert len(server.asked) == 3
    words = (project.parent / "words.txt").read_text("utf-8").split()
    queries = [asked.parameters["q"] for asked in server.asked]
    assert len(set(queries)) == 3 and set(queries) <= set(words)


def test_options_drop_documents_and_hosts_and_take_home_pages(project):
    (project.parent / "block.txt").write_text("# ours\nshop.example\n", "utf-8")
    with serve(SearXng(PAGES)) as server:
        options = ("--without", "pdf,docx", "--block", str(project.parent / "block.txt"), "--homepages")
        done = search(project, "searxng", "--endpoint", server.url, "--queries", "1", *options)
    assert [seed["url"] for seed in listed(project)] == ["https://akhbar.example/"]
    assert json.loads(done.stdout)["refused"]["https://kitab.example/book.pdf"] == "kind of file"


def test_a_dry_run_prints_the_queries_and_asks_nobody(project):
    with serve(SearXng(PAGES)) as server:
        options = ("--endpoint", server.url, "--queries", "5", "--tuple", "3", "--dry-run")
        first = json.loads(search(project, "searxng", *options).stdout)
        again = json.loads(search(project, "searxng", *options).stdout)
        other = json.loads(search(project, "searxng", *options, "--seed", "1").stdout)
    assert server.asked == [] and len(first) == 5 and first == again != other
    assert all(len(query.split()) == 3 for query in first)


def test_words_come_from_any_text_and_from_the_corpus_itself(project, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("\n".join([URDU] * 3), "utf-8")
    options = ("--provider", "searxng", "--project", str(project), "--dry-run", "--json", "--tuple", "1")
    asked = json.loads(run("seeds", "search", *options, "--text", str(text), "--queries", "500").stdout)
    assert set(asked) == set(URDU.split())
    none = run("seeds", "search", *options, "--from-corpus", code=1)
    assert "no text yet" in none.stderr
    (tmp_path / "page.jsonl").write_text(
        json.dumps({"url": "https://a.example/", "text": "\n".join([URDU] * 8)}), "utf-8"
    )
    run("import", str(tmp_path / "page.jsonl"), "--project", str(project), "--quiet")
    again = json.loads(run("seeds", "search", *options, "--from-corpus", "--queries", "500").stdout)
    assert set(again) == set(URDU.split())


def test_of_several_languages_a_snippet_may_be_in_any_and_each_gives_its_part_of_the_queries(tmp_path):
    run("init", "--languages", "urd,eng", str(tmp_path / "two"))
    (tmp_path / "words.txt").write_text("\n".join(sorted(set(URDU.split()))), "utf-8")
    with serve(SearXng(PAGES)) as server:
        asked = ("searxng", "--endpoint", server.url, "--queries", "2")
        both = json.loads(search(tmp_path / "two", *asked).stdout)
        one = json.loads(search(tmp_path / "two", *asked, "--language", "eng").stdout)
    assert both["other_languages"] == {} and one["other_languages"] == {"urd": 8}
    assert {seed["language"] for seed in listed(tmp_path / "two")} == {"urd", "eng"}
    english = "The people of the village came together on Saturday to repair the old mill by the brook. "
    pages = [
        {"url": f"https://a.example/{n}", "text": "\n".join([text] * 8)}
        for n, text in enumerate((URDU, english))
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, pages)), "utf-8")
    run("import", str(tmp_path / "pages.jsonl"), "--project", str(tmp_path / "two"), "--quiet")
    options = (
        "--provider",
        "searxng",
        "--project",
        str(tmp_path / "two"),
        "--dry-run",
        "--json",
        "--tuple",
        "1",
    )
    queries = json.loads(run("seeds", "search", *options, "--from-corpus", "--queries", "20").stdout)
    assert sum(query.isascii() for query in queries) == 10
    only = json.loads(run("seeds", "search", *options, "--from-corpus", "--language", "urd").stdout)
    assert set(only) == set(URDU.split())
    told = run("seeds", "search", *options, "--text", str(tmp_path / "words.txt"), code=1).stderr
    assert "--language" in told


def test_a_searxng_without_json_says_what_to_set(project):
    with serve(SearXng(PAGES, formats=("html",))) as server:
        done = search(project, "searxng", "--endpoint", server.url, code=1)
    assert "settings.yml" in done.stderr and "403" in done.stderr


def test_google_takes_its_key_from_the_environment_and_keeps_it_nowhere(project):
    with serve(Google(PAGES)) as server:
        keys = {"GOOGLE_API_KEY": "good-key", "GOOGLE_CSE_ID": "engine"}
        endpoint = ("--endpoint", f"{server.url}/customsearch/v1")
        search(project, "google", *endpoint, "--queries", "2", **keys)
    assert len(listed(project)) == 3
    assert server.asked[0].parameters["start"] == "1" and server.asked[0].parameters["cx"] == "engine"
    everything = b"".join(file.read_bytes() for file in project.rglob("*") if file.is_file())
    assert b"good-key" not in everything


def test_a_missing_and_a_wrong_key_are_told_without_showing_it(project):
    with serve(Google(PAGES)) as server:
        endpoint = ("--endpoint", f"{server.url}/customsearch/v1")
        missing = search(project, "google", *endpoint, code=1, GOOGLE_API_KEY="", GOOGLE_CSE_ID="engine")
        assert "GOOGLE_API_KEY" in missing.stderr and server.asked == []
        keys = {"GOOGLE_API_KEY": "wrong-key-7", "GOOGLE_CSE_ID": "engine"}
        wrong = search(project, "google", *endpoint, code=1, **keys)
        assert "API key not valid" in wrong.stderr and "GOOGLE_API_KEY" in wrong.stderr
        assert "wrong-key-7" not in wrong.stderr + wrong.stdout
        assert len(server.asked) == 1, "a wrong key is not tried again"


def test_a_key_that_a_server_repeats_is_hidden(project):
    with serve(lambda asked: as_json({"message": f"bad key {asked.parameters['key']}"}, 403)) as server:
        keys = {"GOOGLE_API_KEY": "wrong key/7", "GOOGLE_CSE_ID": "engine"}
        done = search(project, "google", "--endpoint", server.url, code=1, **keys)
    assert "wrong key/7" not in done.stderr and "bad key ***" in done.stderr


def test_an_exhausted_quota_keeps_what_was_found_and_is_not_asked_again_today(project):
    google = Google(PAGES, per_day=2)
    with serve(google) as server:
        endpoint = ("--endpoint", server.url, "--queries", "5")
        keys = {"GOOGLE_API_KEY": "good-key", "GOOGLE_CSE_ID": "engine"}
        done = search(project, "google", *endpoint, code=1, **keys)
        assert "exhausted until" in done.stderr and "run the same command again" in done.stderr
        assert len(listed(project)) == 3, "what came before the refusal is kept"
        assert len(server.asked) == 3
        search(project, "google", *endpoint, code=1, **keys)
        assert len(server.asked) == 3, "asked no more until tomorrow"
        google.per_day = 100
        search(project, "google", *endpoint, "--per-day", "200", **keys)
        assert len(server.asked) == 6, "a larger plan goes on where it was"


def test_our_own_count_of_the_day_holds_across_runs(project):
    with serve(SearXng(PAGES)) as server:
        options = ("--endpoint", server.url, "--per-day", "3")
        search(project, "searxng", *options, "--queries", "2")
        done = search(project, "searxng", *options, "--queries", "9", code=1)
    assert len(server.asked) == 3 and "3 of 3 requests are used" in done.stderr


def test_brave_is_asked_again_after_it_was_busy(project):
    with serve(Brave(PAGES, busy=2)) as server:
        search(project, "brave", "--endpoint", server.url, "--queries", "1", BRAVE_API_KEY="good-token")
    assert len(server.asked) == 3
    found = listed(project)
    assert len(found) == 3 and found[0]["snippet"] == URDU, "markup is taken out of a snippet"


def test_braves_quota_of_a_month_and_its_wrong_token_are_told(project):
    with serve(Brave(PAGES, left=0)) as server:
        done = search(project, "brave", "--endpoint", server.url, code=1, BRAVE_API_KEY="good-token")
        assert "exhausted until" in done.stderr and len(server.asked) == 1
    (project / "search" / "brave" / "quota.json").unlink()
    with serve(Brave(PAGES)) as server:
        done = search(project, "brave", "--endpoint", server.url, code=1, BRAVE_API_KEY="bad-token")
        assert "subscription token is invalid" in done.stderr and "BRAVE_API_KEY" in done.stderr


PROVIDER = """
name = "mine"
endpoint = "{url}/find"
results = "data.hits"
url = "address.full"
title = "name"
snippet = "text"
good = "data"
count = 5
first_page = 0
pause_seconds = 0.0
[parameters]
text = "{{query}}"
page = "{{page}}"
[headers]
Authorization = "Bearer {{env:MY_SEARCH_KEY}}"
"""


def test_any_other_engine_is_described_in_a_file(project, tmp_path):
    def service(asked):
        assert asked.headers["authorization"] == "Bearer k1" and asked.path == "/find"
        hits = [{"address": {"full": url}, "name": title, "text": snippet} for url, title, snippet in PAGES]
        return as_json({"data": {"hits": hits if asked.parameters["page"] == "0" else []}})

    with serve(service) as server:
        (tmp_path / "mine.toml").write_text(PROVIDER.format(url=server.url), "utf-8")
        done = search(
            project, str(tmp_path / "mine.toml"), "--queries", "1", "--pages", "3", MY_SEARCH_KEY="k1"
        )
    assert json.loads(done.stdout)["added"] == 3
    assert len(server.asked) == 2, "an empty page is the last one"


@pytest.mark.parametrize(
    "change, said",
    [
        ("results = 1", "results = 1 is not possible"),
        ("colour = 'red'", "no field 'colour'"),
        ("[[", "not valid TOML"),
        ("name = '../x'", "no name"),
    ],
)
def test_a_wrong_description_is_named(project, tmp_path, change, said):
    (tmp_path / "mine.toml").write_text(
        f'{change}\nendpoint = "http://x.example"\n[parameters]\nq = "{{query}}"\n'
    )
    done = search(project, str(tmp_path / "mine.toml"), code=1)
    assert said in done.stderr and "mine.toml" in done.stderr


def test_an_answer_of_another_form_says_what_it_has_and_is_not_kept(project):
    with serve(lambda _: as_json({"documents": [], "took": 3})) as server:
        done = search(project, "searxng", "--endpoint", server.url, code=1)
        assert "no list `results`" in done.stderr and "documents, took" in done.stderr
    with serve(lambda _: as_json({"results": [{"href": "x"}]})) as server:
        done = search(project, "searxng", "--endpoint", server.url, code=1)
        assert "`url`" in done.stderr
    with serve(lambda _: Reply(200, b"<html>")) as server:
        done = search(project, "searxng", "--endpoint", server.url, code=1)
        assert "not in JSON" in done.stderr
    assert listed(project) == []


def test_silent_engines_are_no_empty_answer_and_are_asked_again(project):
    silent = {"query": "q", "results": [], "unresponsive_engines": [["google", "too many requests"]]}
    with serve(lambda _: as_json(silent)) as server:
        done = search(project, "searxng", "--endpoint", server.url, "--queries", "1", code=1)
        assert "too many requests" in done.stderr
        search(project, "searxng", "--endpoint", server.url, "--queries", "1", code=1)
        assert len(server.asked) == 2


def test_a_redirect_is_not_followed_with_the_key(project):
    with serve(SearXng(PAGES)) as other:
        moved = Reply(302, b"", {"Location": f"{other.url}/search"})
        with serve(lambda _: moved) as server:
            done = search(project, "brave", "--endpoint", server.url, code=1, BRAVE_API_KEY="t")
        assert other.asked == [] and other.url.partition("//")[2] in done.stderr


def test_a_cut_connection_is_tried_again(project):
    state = {"cut": 1}

    def service(asked):
        good = SearXng(PAGES)(asked)
        if state["cut"]:
            state["cut"] -= 1
            return Reply(200, good.body, cut=20)
        return good

    with serve(service) as server:
        search(project, "searxng", "--endpoint", server.url, "--queries", "1")
    assert len(server.asked) == 2 and len(listed(project)) == 3


def test_an_unknown_engine_and_words_from_nowhere_are_told(project):
    done = run("seeds", "search", "--provider", "yahoo", "--project", str(project), code=1)
    assert "searxng, google, brave" in done.stderr
    done = run("seeds", "search", "--provider", "searxng", "--project", str(project), code=1)
    assert "--words" in done.stderr
    done = search(project, "searxng", "--ranks", "5000-6000", code=1)
    assert "none of ranks 5,000 to 6,000" in done.stderr
    done = search(project, "searxng", code=1)
    assert "--endpoint" in done.stderr


def test_the_sightings_of_two_sources_are_both_kept(tmp_path):
    storage = Storage(tmp_path)
    seeds.add(storage, [seeds.Candidate("https://a.pk/")], "file", round=1)
    seeds.add(storage, [seeds.Candidate("https://a.pk/", query="q", rank=3)], "search google", round=2)
    seeds.add(storage, [seeds.Candidate("https://a.pk/", query="r", rank=4)], "search google", round=2)
    assert [(seed.source, seed.round) for seed in seeds.read(storage)] == [("file", 1)]
    assert [(seed.source, seed.rank, seed.round) for seed in seeds.sightings(storage)] == [
        ("file", 0, 1),
        ("search google", 3, 1),
    ]
