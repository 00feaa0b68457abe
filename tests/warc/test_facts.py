"""What an attempt was for, where it led and how long it took: fields of the record, or old prose, bounded."""

import pytest

from corpulyzer.records import Fetch
from corpulyzer.warc import fetch_of, index
from corpulyzer.warc.compose import failure, response
from corpulyzer.warc.facts import MAX_RETRY_AFTER, MAX_TOOK_MS, Facts, facts_of
from corpulyzer.warc.write import ArchiveWriter

PAGE, ROBOTS = "http://a.pk/x", "http://a.pk/robots.txt"


def read(facts: Facts, uri: str = PAGE, detail: str = "") -> Facts:
    return facts_of({name.lower(): value for name, value in facts.headers.items()}, uri, detail)


@pytest.mark.parametrize(
    "facts",
    [
        Facts(),
        Facts("robots", "http://a.pk/rules", 12, 0),
        Facts("page", "http://[took 999 ms", 7, 120),
        Facts("page", "", MAX_TOOK_MS, MAX_RETRY_AFTER),
    ],
)
def test_facts_come_back_as_they_were_written(facts):
    assert read(facts) == facts
    assert read(facts, ROBOTS, "for robots.txt; took 5 ms") == facts, "fields win over address and prose"


def test_a_fetch_without_facts_is_one_of_a_page():
    fetch, facts = Fetch(1, 1, PAGE, "a.pk", 1, "a", 0, 0), Facts()
    assert (fetch.purpose, fetch.location) == (facts.purpose, facts.location)
    assert (fetch.took_ms, fetch.retry_after) == (facts.took_ms, facts.retry_after)


@pytest.mark.parametrize("number", ["9" * 330, "-1", "1e9", "٣", "", "12 ms", "0x10"])
def test_a_field_that_is_no_number_of_ours_is_ignored(number):
    headers = {
        "warc-corpulyzer-purpose": "page",
        "warc-corpulyzer-took-ms": number,
        "warc-corpulyzer-retry-after": number,
    }
    assert facts_of(headers, PAGE, "") == Facts()


def test_numbers_in_fields_are_bounded():
    headers = {
        "warc-corpulyzer-purpose": "robots",
        "warc-corpulyzer-took-ms": "9" * 20,
        "warc-corpulyzer-retry-after": "9" * 20,
    }
    assert facts_of(headers, PAGE, "") == Facts("robots", "", MAX_TOOK_MS, MAX_RETRY_AFTER)


@pytest.mark.parametrize(
    "detail, facts",
    [
        ("took 3 ms", Facts(took_ms=3)),
        ("took 3 ms, retry after 5 s", Facts(took_ms=3, retry_after=5)),
        ("to http://a.pk/y;z=1; took 3 ms", Facts(location="http://a.pk/y;z=1", took_ms=3)),
        (
            "to http://a.pk/a; took b; took 3 ms, retry after 5 s",
            Facts(location="http://a.pk/a; took b", took_ms=3, retry_after=5),
        ),
        ("for robots.txt; to http://a.pk/r; took 3 ms", Facts("robots", "http://a.pk/r", 3)),
        ("Connection refused; took 3 ms", Facts(took_ms=3)),
        (
            f"to http://[took {'9' * 330} ms; took 3 ms",
            Facts(location=f"http://[took {'9' * 330} ms", took_ms=3),
        ),
        ("to http://[took 86399999 ms; took 3 ms", Facts(location="http://[took 86399999 ms", took_ms=3)),
        ("redirected from http://a.pk/ to http://[took 5 ms", Facts()),
        (f"took {'9' * 330} ms", Facts()),
        ("status 404", Facts()),
        ("", Facts()),
    ],
)
def test_the_prose_of_old_archives_is_believed_only_where_our_own_words_stand(detail, facts):
    assert facts_of({}, PAGE, detail) == facts


def test_in_an_archive_without_purposes_the_file_of_that_name_is_a_robots_txt():
    assert facts_of({}, ROBOTS, "took 1 ms").purpose == "robots"
    for uri in ("http://a.pk/docs/robots.txt", "http://a.pk/robots.txt?x=1", "http://a.pk/Robots.txt", "x"):
        assert facts_of({}, uri, "took 1 ms").purpose == "page"


def test_an_archive_of_an_earlier_version_tells_the_same_as_it_did(tmp_path):
    head = b"HTTP/1.1 301 X\r\nLocation: /r\r\n\r\n"
    said = {"WARC-Corpulyzer-Detail": "for robots.txt; to http://a.pk/r; took 12 ms, retry after 5 s"}
    with ArchiveWriter(tmp_path, "old") as archive:
        archive.write(response("http://a.pk/rules", head, b"", headers=said))
        archive.write(failure(ROBOTS, "connect", "Connection refused; took 3 ms"))
        archive.write(failure(PAGE, "robots_disallowed", ""))
    entries = index(str(tmp_path / "old-00000.warc.gz"))
    fetches = [fetch for fetch in (fetch_of(entry, "old", 1) for entry in entries) if fetch]
    assert [(f.purpose, f.location, f.took_ms, f.retry_after) for f in fetches] == [
        ("robots", "http://a.pk/r", 12, 5),
        ("robots", "", 3, -1),
        ("page", "", 0, -1),
    ]
