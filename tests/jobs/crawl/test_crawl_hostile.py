"""Sites that plot: a crawl keeps to the rules of others, ends, and starts again, whatever they set up."""

from pathlib import Path

import pytest

FORBIDDEN = (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /\n")


def test_no_site_can_make_us_overlook_the_robots_txt_of_another(web, crawl):
    """Five redirects of its own, and the sixth is the other's, who moved its rules."""
    robots = "http://evil.test/robots.txt"
    for number in range(1, 5):
        web.answers[robots] = (302, {"Location": f"http://evil.test/{number}"}, b"")
        robots = f"http://evil.test/{number}"
    web.answers[robots] = (302, {"Location": "http://good.test/robots.txt"}, b"")
    web.answers["http://good.test/robots.txt"] = (301, {"Location": "http://good.test/rules"}, b"")
    web.answers["http://good.test/rules"] = FORBIDDEN
    web.page("http://evil.test/", "http://good.test/")
    web.page("http://good.test/")
    crawl("http://evil.test/")
    assert web.hits["http://evil.test/"] == 1 and not web.hits["http://good.test/"]


def test_rules_that_lie_with_a_site_in_backoff_do_not_keep_a_crawl_busy(web, crawl):
    busy = "http://busy.test/robots.txt"
    web.answers[busy] = (503, {"Retry-After": "80000"}, b"busy")
    web.answers["http://a.test/robots.txt"] = (302, {"Location": busy}, b"")
    web.page("http://a.test/")
    crawl("http://busy.test/")
    _, ended, fetches = crawl("http://a.test/", crawl__rounds=6)
    assert ended.reason == "nothing is left to fetch"
    assert [fetch.outcome for fetch in fetches if fetch.url == "http://a.test/"] == ["robots_unreachable"]
    assert (web.hits["http://a.test/robots.txt"], web.hits[busy]) == (1, 1)


def test_redirects_from_site_to_site_come_to_an_end(web, crawl):
    for number in range(40):
        target = f"http://{'ab'[(number + 1) % 2]}.test/{number + 1}"
        web.answers[f"http://{'ab'[number % 2]}.test/{number}"] = (302, {"Location": target}, b"")
    _, ended, _ = crawl("http://a.test/0", frontier__traps__max_hops=5, crawl__rounds=12)
    assert (ended.reason, ended.pages) == ("nothing is left to fetch", 6)


class DiesError(Exception):
    """The end of a crawl that nobody expected."""


@pytest.mark.parametrize("content", [bytes(500), b"\x1f\x8b\x08\x00\x00"], ids=["zeros", "half a head"])
def test_an_archive_without_a_single_record_is_begun_again(web, crawl, content):
    web.page("http://a.test/")

    def die(name, _numbers):
        if name == "round":
            raise DiesError

    with pytest.raises(DiesError):
        crawl("http://a.test/", on_event=die)
    begun = Path(crawl.corpus.storage.path("warc/round=00001/crawl-00001-00000.warc.gz.open"))
    begun.parent.mkdir(parents=True)
    begun.write_bytes(content)
    told = []
    _, ended, _ = crawl(on_event=lambda name, numbers: told.append((name, numbers)))
    assert (ended.reason, ended.pages) == ("nothing is left to fetch", 1)
    assert [numbers["record"] for name, numbers in told if name == "skipped"] == [str(begun)]


def test_an_archive_that_is_gone_costs_no_more_than_what_it_taught(web, crawl):
    web.page("http://a.test/", "http://a.test/1")
    web.page("http://a.test/1", "http://a.test/2")
    web.page("http://a.test/2")
    web.page("http://b.test/")
    corpus, _, _ = crawl("http://a.test/", "http://b.test/", crawl__rounds=2)
    Path(corpus.storage.path(corpus.storage.list("warc", ".warc.gz")[0])).unlink()
    told = []
    _, ended, _ = crawl(on_event=lambda name, numbers: told.append((name, numbers)))
    assert (ended.reason, ended.pages) == ("nothing is left to fetch", 4)
    assert web.hits["http://a.test/robots.txt"] == 2, "its rules are asked for again"
    ((_, skipped),) = [event for event in told if event[0] == "skipped"]
    assert skipped["record"] == "crawl-00001-00000" and "is gone" in skipped["why"]


def test_a_long_pause_is_waited_for_rather_than_spent_in_empty_rounds(web, crawl, monkeypatch):
    monkeypatch.setattr("corpulyzer.jobs.crawl.fetching.PATIENCE_SECONDS", 0.2)
    web.page("http://a.test/")
    _, ended, _ = crawl(
        "http://a.test/", fetch__delay_seconds=1.0, fetch__max_delay_seconds=0.0, crawl__rounds=3
    )
    assert (ended.pages, ended.rounds) == (1, 1)
