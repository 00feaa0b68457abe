"""What each source of seeds was worth, before and after a crawl of the built-in web."""

import json

import pytest
from command_line import run

from corpulyzer.api.corpus import open_corpus
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.url import site_of


def told(project, *options):
    return json.loads(run("seeds", "report", "--project", str(project), "--json", *options).stdout)


def test_sources_are_counted_and_agreed_sites_named_before_any_crawl(tmp_path):
    project = tmp_path / "urd"
    run("init", "Urdu", str(project))
    run("seeds", "add", "https://a.pk/1", "https://b.pk/", "--project", str(project))
    (tmp_path / "seeds.txt").write_text("https://a.pk/1\nhttps://a.pk/2\nhttps://c.pk/\n")
    run("seeds", "file", str(tmp_path / "seeds.txt"), "--project", str(project))
    found = told(project)
    counts = {row["source"]: (row["seeds"], row["sites"], row["live"]) for row in found["sources"]}
    assert counts == {"command": (2, 2, 0), "file": (3, 2, 0)}
    assert found["agreed"] == [{"site": "a.pk", "sources": 2, "seeds": 2}]
    text = run("seeds", "report", "--project", str(project)).stdout
    assert "a.pk: 2 sources, 2 seeds" in text
    panel = open_corpus(project).analyze("seed_sources")["seed_sources"]
    assert [(row["source"], row["seeds"]) for row in panel.rows.to_pylist()] == [("command", 2), ("file", 3)]


@pytest.mark.slow
def test_after_a_crawl_live_seeds_languages_and_yield_are_those_of_the_tables(tmp_path):
    project, web = tmp_path / "urd", BuiltInWeb("urd", sites=24, pages=300)
    good, others = web.seeds(4, 1.0), ("http://nowhere.invalid/", "http://gone.invalid/x")
    run("init", "Urdu", str(project))
    run("seeds", "add", *good, "--project", str(project))
    (tmp_path / "seeds.txt").write_text("\n".join([*others, good[0]]))
    run("seeds", "file", str(tmp_path / "seeds.txt"), "--project", str(project))
    with web.serve() as server:
        crawl = ("--pages", "60", "--contact", "me@example.org", "--proxy", server.proxy_url, "--delay", "0")
        run("crawl", *crawl, "--project", str(project), "--quiet")
    rows = {row["source"]: row for row in told(project)["sources"]}
    assert rows["command"]["seeds"] == rows["command"]["live"] == 4
    assert (rows["file"]["seeds"], rows["file"]["live"]) == (3, 1)
    sites = set(map(site_of, good))
    kept = [document for document in open_corpus(project).documents.kept() if site_of(document.url) in sites]
    assert rows["command"]["pages_kept"] == len(kept) > 0
    assert rows["command"]["target_bytes"] == sum(document.target_bytes for document in kept)
    assert 0 < rows["command"]["yield"] <= 1
