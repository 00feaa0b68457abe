"""Addresses: the WHATWG cases, one spelling for each page, sites and depth."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.records import int64_hash
from corpulyzer.url import canonical, depth, host_of, join, raw_depth, site_of, spelled, spelling_of, url_id


def cases_of(path):
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [case for case in json.loads(raw) if isinstance(case, dict)]


def test_every_whatwg_case_joins_as_the_standard_says(shared_data):
    cases = cases_of(shared_data("conformance/url-whatwg.json.gz"))
    wrong = []
    for case in cases:
        found = join(case["base"] or "", case["input"])
        if (found or None) != case.get("href"):
            wrong.append((case["input"], case["base"], found))
    assert not wrong
    assert len(cases) > 800


def test_every_whatwg_domain_turns_to_ascii_as_the_standard_says(shared_data):
    cases = cases_of(shared_data("conformance/toascii.json"))
    for case in cases:
        url = join("", f"https://{case['input']}/x")
        assert (host_of(url) if url else None) == case["output"], case


@pytest.mark.parametrize(
    ("base", "href", "expected"),
    [
        ("http://a.pk/x/y.html", "z.html", "http://a.pk/x/z.html"),
        ("http://a.pk/x/y.html", "../../z", "http://a.pk/z"),
        ("http://a.pk/x/", "//b.pk/q", "http://b.pk/q"),
        ("https://a.pk/x?y=1", "?z=2", "https://a.pk/x?z=2"),
        ("https://a.pk/x", "  /tab\tbed\n ", "https://a.pk/tabbed"),
        ("https://a.pk/", "\\back\\slash", "https://a.pk/back/slash"),
        ("https://a.pk/", "خبر", "https://a.pk/%D8%AE%D8%A8%D8%B1"),
        ("https://a.pk/", "lone\ud800surrogate", "https://a.pk/lone%EF%BF%BDsurrogate"),
        ("", "http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
        ("", "http://0x7f.1/", "http://127.0.0.1/"),
    ],
)
def test_links_join_as_in_a_browser(base, href, expected):
    assert join(base, href) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("https://a.pk:443/x", "https://a.pk/x"),
        ("http://a.pk:8080/x", "http://a.pk:8080/x"),
        ("http://a.pk/x#part", "http://a.pk/x"),
        ("http://a.pk/x?#part", "http://a.pk/x"),
        ("http://a.pk./x", "http://a.pk/x"),
        ("http://a.pk.:81/x", "http://a.pk:81/x"),
        ("http://me:secret@a.pk/x", "http://a.pk/x"),
        ("http://a.pk/x?b=2&a=1", "http://a.pk/x?a=1&b=2"),
        ("http://a.pk/x?a=2&b=0&a=1", "http://a.pk/x?a=2&a=1&b=0"),
        ("http://a.pk/x?&&a=1&", "http://a.pk/x?a=1"),
        ("http://a.pk/x?utm_source=rss&UTM_Medium=feed&id=7", "http://a.pk/x?id=7"),
        ("http://a.pk/x?fbclid=IwAR0x", "http://a.pk/x"),
        ("http://a.pk/x?PHPSESSID=0123456789abcdef&p=1", "http://a.pk/x?p=1"),
        ("http://a.pk/x?sid=0123456789abcdef0123456789abcdef", "http://a.pk/x"),
        ("http://a.pk/x?sid=42", "http://a.pk/x?sid=42"),
        ("http://a.pk/x?s=urdu+news", "http://a.pk/x?s=urdu+news"),
        ("http://a.pk/x;jsessionid=1A2B3C?p=1", "http://a.pk/x?p=1"),
        ("http://a.pk/(S(lit3py55t21z5v55vlm25s55))/x.aspx", "http://a.pk/x.aspx"),
        ("http://a.pk/(S(x))", "http://a.pk/"),
        ("http://a.pk/(S(x))@", "http://a.pk/(S(x))@"),
        ("http://a.pk/Mars_(planet)", "http://a.pk/Mars_(planet)"),
        ("http://a.pk/%d8%ae%d8%a8%d8%b1", "http://a.pk/%D8%AE%D8%A8%D8%B1"),
        ("http://a.pk/%7Eali/%61%2Fb", "http://a.pk/~ali/a%2Fb"),
        ("http://a.pk/100%", "http://a.pk/100%"),
        ("http://a.pk/%%34%31/%4%41/%41", "http://a.pk/%%341/%4%41/A"),
        ("http://مثال.پاکستان/x", "http://xn--mgbh0fb.xn--mgbai9azgqp6j/x"),
        ("http://a.pk/A/", "http://a.pk/A/"),
    ],
)
def test_each_page_has_one_spelling(url, expected):
    assert canonical(url) == expected


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("mailto:a@b.pk", "scheme"),
        ("javascript:void(0)", "scheme"),
        ("ftp://a.pk/x", "scheme"),
        ("relative.html", "invalid"),
        ("http://", "invalid"),
        ("http://a b/", "invalid"),
        ("http://a.pk/" + "x" * 5000, "too_long"),
    ],
)
def test_what_is_no_page_is_refused_and_says_why(url, reason):
    refused = canonical(url)
    assert not refused
    assert refused.reason == reason


def test_links_that_mean_one_page_share_a_key():
    links = ["/n?b=1&a=2", "http://WWW.a.pk/n?a=2&b=1#c", "//www.a.pk:80/n?utm_id=3&a=2&b=1"]
    assert len({url_id(canonical(link, "http://www.a.pk/")) for link in links}) == 1
    assert url_id("http://a.pk/") == int64_hash("http://a.pk/") != url_id("http://a.pk/x")


PIECES = [
    *(
        "http://",
        "https://",
        "a.pk",
        "A.PK.",
        ":80",
        ":",
        "@",
        "/",
        "//",
        "/.",
        "/..",
        "./",
        "127.1",
        "[::1]",
    ),
    *(
        ";",
        ";sid=1",
        ";jsessionid=2",
        "/(S(x))",
        "(",
        ")",
        "?",
        "&",
        "=",
        "#",
        "%41",
        "%2e",
        "%2E",
        "%",
        "%4",
    ),
    *("%e2", "utm_a=1", "a=1", "b=", "sid=0123456789abcdef0123456789abcdef", "\\", "é", "خ", "\ud800", "\t"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_a_canonical_url_is_its_own_canonical_form(tail):
    for text in (tail, "http://a.pk" + tail, "https://a.pk/" + tail):
        once = canonical(text, "http://b.pk/")
        if once:
            assert canonical(once) == join("", once) == once
            assert "#" not in once and "@" not in once.split("/")[2]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_a_spelling_is_its_own_and_means_the_same_page(tail):
    for text in (tail, "http://a.pk" + tail, "https://a.pk/?" + tail):
        once, form = spelled(text, "http://b.pk/"), canonical(text, "http://b.pk/")
        assert bool(once) == bool(form)
        if once and form:
            assert spelled(once) == join("", once) == once and canonical(once) == form
            assert "#" not in once and once.split("/")[:3] == form.split("/")[:3]
            assert spelling_of(once, form) == (once if once != form else "")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/x?b=2&a=1#top", "/x?b=2&a=1"),
        ("/%7ejoe/%e4%b8", "/%7ejoe/%e4%b8"),
        ("/x?b=2&utm_source=y&a=1", "/x?b=2&a=1"),
        ("/x?%75tm_source=y&b&a", "/x?b&a"),
        ("/x?utm_source=y&", "/x"),
        ("/x?a&&b&", "/x?a&&b&"),
        ("/x?", "/x?"),
        ("/%7e;jsessionid=1/y?b&a", "/%7e/y?b&a"),
        ("/%7e;%6asessionid=1/y?b&a", "/~/y?b&a"),
        ("//u:p@a.pk./%7e", "/%7e"),
        ("/a/../b/./%7e", "/b/%7e"),
        ("/" + "%41" * 1400, "/" + "A" * 1400),
    ],
)
def test_a_spelling_keeps_order_and_escapes_and_nothing_private(url, expected):
    assert spelled(url, "http://a.pk/") == f"http://a.pk{expected}"


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_is_joined_or_refused(base, href):
    found = canonical(href, base)
    assert found.startswith("http") if found else found.reason in {"invalid", "scheme", "too_long"}
    assert isinstance(site_of(href), str)
    assert depth(href) >= 0


@pytest.mark.parametrize(
    ("url", "host", "registered"),
    [
        ("https://www.bbc.com/urdu", "bbc.com", "bbc.com"),
        ("https://ur.wikipedia.org/wiki/x", "ur.wikipedia.org", "wikipedia.org"),
        ("https://urdu.news18.com/", "urdu.news18.com", "news18.com"),
        ("https://www.bbc.co.uk/", "bbc.co.uk", "bbc.co.uk"),
        ("https://one.two.gov.pk/", "one.two.gov.pk", "two.gov.pk"),
        ("https://isixhosa.github.io/", "isixhosa.github.io", "isixhosa.github.io"),
        ("https://a.b.blogspot.com/", "a.b.blogspot.com", "b.blogspot.com"),
        ("http://WWW.Example.COM:8080/x", "example.com", "example.com"),
        ("http://user:1234@www.a.pk/", "a.pk", "a.pk"),
        ("http://www.com/", "www.com", "www.com"),
        ("http://192.168.0.1:80/x", "192.168.0.1", "192.168.0.1"),
        ("http://[2001:DB8::1]/x", "[2001:db8::1]", "[2001:db8::1]"),
        ("http://localhost:8000/", "localhost", "localhost"),
        ("http://a.pk?x=1", "a.pk", "a.pk"),
        ("http://www.bücher.de/", "xn--bcher-kva.de", "xn--bcher-kva.de"),
        ("http://a.pk./x", "a.pk", "a.pk"),
        ("file:///tmp/x.html", "", ""),
        ("no address", "", ""),
    ],
)
def test_the_site_is_the_host_or_what_was_registered(url, host, registered):
    assert site_of(url) == host
    assert site_of(url, level="registered") == registered


@pytest.mark.parametrize(
    ("url", "segments", "raw"),
    [
        ("https://a.pk/", 0, 1),
        ("https://a.pk", 0, 0),
        ("https://a.pk/x/y.html", 2, 2),
        ("https://a.pk/x/", 1, 2),
        ("https://a.pk//x", 1, 2),
        ("https://a.pk/x?next=/y/z#/w", 1, 4),
    ],
)
def test_depth_counts_segments_and_the_raw_depth_counts_slashes(url, segments, raw):
    assert depth(url) == segments
    assert raw_depth(url) == raw == len(url.split("/")) - 3
