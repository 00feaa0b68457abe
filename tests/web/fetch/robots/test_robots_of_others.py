"""What other parsers of robots.txt are tested with: Protego, reppy, crawler-commons. Where ours differs, it says why.

The cases are told in our own words. `benchmarks/robots.py` runs Protego's own tests, and reads the thousands of
real files that its source distribution has.
"""

from __future__ import annotations

import pytest

from corpulyzer.url import canonical, spelled
from corpulyzer.web.fetch.robots.rules import parse
from corpulyzer.web.fetch.settings import AGENT

HOME = "http://a.test"
RFC_1996 = """
User-agent: unhip
Disallow: /

User-agent: webcrawler
User-agent: excite
Disallow:

User-agent: *
Disallow: /org/plans.html
Allow: /org/
Allow: /serv
Allow: /~mak
Disallow: /
"""


def allowed(body, agent, paths):
    """Those of some paths that a crawl may ask for: as they are linked, and in canonical form."""
    rules = parse(body.encode() if isinstance(body, str) else body).rules(agent)
    urls = {path: spelled(path, HOME) for path in paths}
    return [path for path, url in urls.items() if rules.allows(url) and rules.allows(canonical(url))]


@pytest.mark.parametrize(
    ("rules", "may", "may_not"),
    [
        # Protego
        ("Disallow: /d", ["/abc/d"], ["/disallowed"]),
        ("Dissallow: /2\nDissalow: /3\nDisalow: /4\nDiasllow: /5\nDisallaw: /6", ["/7"], ["/2", "/4", "/6"]),
        ("Disallow: /\nAllow: /page", ["/page"], ["/elsewhere"]),
        ("disallow: /x/page.html\nallow: /x/", ["/x/"], ["/x/page.html"]),
        ("disallow: /x\nallow: /x", ["/x"], []),
        ("allow: /page\ndisallow: /*.html", ["/page"], ["/page.html"]),
        ("allow: /x/page.\ndisallow: /*.html", ["/x/page.html"], ["/x/y.html"]),
        ("allow: /page\ndisallow: /*.htm", [], ["/page.htm"]),
        ("allow: /$\ndisallow: /", ["/"], ["/page.html"]),
        ("Disallow: /\nAllow: /a%3cd.html", ["/a<d.html", "/a%3cd.html", "/a%3Cd.html"], ["/ad.html"]),
        ("Disallow: /\nAllow: /a<*", ["/a<d.html", "/a%3cd.html"], ["/ad.html"]),
        ("Disallow: /path;params?query", ["/path"], ["//u@a.test/path;params?query#fragment"]),
        ("Disallow: /?", ["/"], ["/?query", "/?"]),
        ("Disallow: /;", ["/"], ["/;params", "/%3Bparams"]),
        ("Disallow: /admin/\nDisallow: /*.pdf\nDisallow: /tmp$", ["/m.txt", "/tmp/f"], ["/m.pdf", "/tmp"]),
        ("Disallow: /d/*/end$", ["/d", "/d/xyz/endinglater"], ["/d/xyz/end", "/d/a/b/end"]),
        ("Disallow: /p*work", ["/rotego_work"], ["/pworks", "/p/works", "/p_does_work"]),
        ("Disallow: /en-uk/*q=*relevance*", ["/en-uk/c?q=:price"], ["/en-uk/c?q=%3Arelevance%3Atype"]),
        ("Disallow: /\nAllow: /foo?bar=ツ", ["/foo?bar=ツ", "/foo?bar=%e3%83%84"], ["/foo?bar="]),
        ("Disallow: /foo;a=b?c=d$", ["/foo;a=b?c=de"], ["/foo;a=b?c=d", "/foo;a=b?c=d#e"]),
        ("disallow: /X/", ["/x/y"], ["/X/y"]),
        ("disallow: /x$/abc\ndisallow: /x*x$/abc", ["/x/abc"], ["/x$/abcdef", "/x%24/abc", "/xabcx%24/abc"]),
        ("disallow: /x/abc%24\ndisallow: /x%2Ax/abc", ["/x/abc", "/xax/abc"], ["/x/abc$", "/x*x/abcdef"]),
        ("Disallow: //folder/*", ["/folder/page", "/.//folder"], ["/.//folder/page"]),
        ("Disallow: /*s=", ["/s/"], ["/?s=asd"]),
        ("allow: */p\ndisallow: /", ["/page"], ["/x"]),
        ("allow: /page\ndisallow: */*.htm", ["/page"], ["/page.htm"]),
        ("Disallow: /a/" + "*a" * 32 + "b", ["/a/" + "a" * 32 + "c"], ["/a/" + "a" * 40 + "b"]),
        ("Allow: /x/index.html\nDisallow: /x/", ["/x/index.html", "/x/"], ["/x/y"]),
        ("Disallow: /members\u00a0\nDisallow: /library\u2002", ["/m"], ["/members", "/library"]),
        ("\u00a0Disallow: /a\n\ufeffDisallow: /b\n\u200bDisallow: /c", ["/d"], ["/a", "/b", "/c"]),
        # reppy
        ("Disallow: /path\nAllow: /path/", ["/path/"], ["/path"]),
        ("Disallow:", ["/anything"], []),
        ("Disallow: /a%3cd.html", [], ["/a<d.html", "/a%3cd.html"]),
        ("Disallow: /a<d.html", [], ["/a<d.html", "/a%3cd.html"]),
        ("Disallow: /a%3c*", ["/a"], ["/a<d.html", "/a%3cd.html"]),
        ("Disallow: /a<*", ["/a"], ["/a<d.html", "/a%3cd.html"]),
        # crawler-commons
        ("Disallow: /index.cfm?fuseaction=search.results*", ["/"], ["/index.cfm?fuseaction=search.results&pg=2"]),
        ("Disallow: /fish", ["/Fish.asp", "/catfish", "/?id=fish", "/fis"], ["/fish", "/fishheads", "/fish.php?id=1"]),
        ("Disallow: /fish/", ["/fish", "/fish.html"], ["/fish/", "/fish/?id=1"]),
        ("Disallow: /*.php", ["/", "/w.PHP"], ["/f.php", "/d/f.php?a", "/f.php/", "/d/any.php.file.html"]),
        ("Disallow: /*.php$", ["/f.php?a", "/f.php/", "/f.php5"], ["/f.php", "/d/f.php"]),
        ("Disallow: /*fish*.php", ["/fishheads/catfish.htm"], ["/fish.php", "/superfishheads/catfish.php?a"]),
        ("Allow: /AnyPage.html\nDisallow: /", ["/AnyPage.html"], ["/anypage.html"]),
        ("Allow:", ["/x"], []),
        ("Disallow : /x\nDisallow /y", ["/z"], ["/x", "/y"]),
        ("acap-disallow-crawl: /x", ["/x"], []),
    ],
)  # fmt: skip
def test_rules_of_others(rules, may, may_not):
    assert allowed(f"User-agent: *\n{rules}\n", AGENT, [*may, *may_not]) == may


@pytest.mark.parametrize(
    ("body", "agent", "may", "may_not"),
    [
        (RFC_1996, "unhip", [], ["/", "/index.html", "/org/about.html", "/%7Emak/mak.html"]),
        (RFC_1996, "excite", ["/", "/index.html", "/org/plans.html", "/%7Ejim/jim.html"], []),
        (RFC_1996, "webcrawler", ["/", "/server.html"], []),
        (RFC_1996, AGENT, ["/server.html", "/org/about.html", "/%7Emak/mak.html"], ["/", "/org/plans.html", "/%7Ejim/"]),
        (RFC_1996.replace("\n", "\r"), AGENT, ["/server.html"], ["/orgo.gif"]),
        ("User-agent: *\nDisallow: /x/\nUser-agent: a\nDisallow: /y/", "a", ["/x/page"], ["/y/page"]),
        ("User-agent: A\nDisallow: /x", "a", ["/"], ["/x"]),
        ("User-agent: a # b\nDisallow: /x # y", "a", ["/"], ["/x"]),
        ("User-agent: a\nDisallow: /1\nSitemap: /s.xml\nDisallow: /2", "a", ["/"], ["/1", "/2"]),
        ("User-agent: a\nDisallow: /1\n\nUser-agent: b\nDisallow: /\n\nUser-agent: a\nDisallow: /2", "a", ["/"], ["/2"]),
        ("User-agent: a\nDisallow: /1\nnewfield: 2\nUser-agent: b\nDisallow: /", "a", ["/2"], ["/1"]),
        ("User-agent: a\nDisallow: /", "b", ["/"], []),
        ("#user-agent: *\n#disallow: /", AGENT, ["/"], []),
        ("", AGENT, ["/"], []),
        ("<html><head><title>Site under maintenance</title></html>", AGENT, ["/"], []),
        ("\ufeffUser-agent: *\nDisallow: /profile", AGENT, ["/"], ["/profile"]),
        ("\ufeffUser-agent: *\nDisallow: /profile".encode("utf-16-le"), AGENT, ["/"], ["/profile"]),
        ("User-agent *\nDisallow: /x", AGENT, ["/"], ["/x"]),
        ("user agent: *\nuseragent: b\nDisallow: /x", "b", ["/"], ["/x"]),
    ],
)  # fmt: skip
def test_groups_of_others(body, agent, may, may_not):
    assert allowed(body, agent, [*may, *may_not]) == may


@pytest.mark.parametrize(
    ("body", "may", "may_not", "reason"),
    [
        ("Disallow: /path", ["/path"], [], "reppy takes rules before any user agent for everyone's; Google for none's"),
        ("User-agent: *\nDisallow: /<BR>", ["/x"], [], "crawler-commons takes tags out of an HTML page; Google does not"),
        ("User-agent: *\nDesallow: /x", ["/x"], [], "crawler-commons knows this misspelling; Google does not"),
        ("User-agent: *\nNoindex: /x\nUser-agent: b\nDisallow: /", [], ["/"], "reppy and Protego end a group at an unknown line"),
        ("User-agent: *\nDisallow: /i\n\nUser-agent: *\nDisallow: /j", ["/"], ["/i", "/j"], "crawler-commons read the first group alone"),
        ("User-agent: *\nDisallow: /x/abc$", ["/x/abc$"], ["/x/abc"], "Protego takes `$` for itself, too; RFC 9309 for the end"),
        ("User-agent: *\nDisallow: http://b.test/", ["/http://b.test/"], [], "Protego makes a path of it; a rule begins with `/`"),
        ("User-agent: *\nDisallow: /*?", ["/who%3F"], ["/who?"], "Protego takes the escapes of dividers for dividers"),
        ("User-agent: *\nDisallow: /\nAllow: /b%61r", [], ["/bar", "/b%61r"], "Google lets no rule allow what it spells otherwise"),
        ("User-agent: a\nCrawl-delay: 1\n\nUser-agent: *\nDisallow: /x", ["/"], ["/x"], "a delay ends no group, as RFC 9309 has no such line"),
        ("User-agent: *\nCrawl-delay: 3600\nDisallow:", ["/"], [], "crawler-commons leaves a site that asks for an hour; the crawl waits"),
    ],
)  # fmt: skip
def test_where_others_read_a_file_in_another_way(body, may, may_not, reason):
    assert allowed(body, AGENT, [*may, *may_not]) == may, reason


def test_delays_and_sitemaps_of_others():
    body = b"Sitemap: http://a.test/1\nUser-agent: a\nCrawl-delay: 0.5\nDisallow:\n\nUser-agent: *\nCrawl-delay: 20\n"
    robots = parse(body + b"Disallow:\nSite-map: /2\n")
    assert (robots.rules("a").delay, robots.rules("b").delay) == (0.5, 20.0)
    assert robots.sitemaps == ("http://a.test/1", "/2")
