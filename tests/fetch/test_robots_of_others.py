"""What other parsers of robots.txt are tested with: Protego, reppy, crawler-commons. Where ours differs, it says why.

The cases here are told in our own words. With Protego's source distribution at hand (unpacked from
`pip download --no-binary :all: --no-deps protego`, its folder in the variable PROTEGO), its own tests and the
thousands of real files in it are read, too.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import regex

from corpulyzer.fetch.robots import parse
from corpulyzer.fetch.settings import AGENT
from corpulyzer.url import canonical, spelled

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


# Protego's own tests that do not hold here, by a part of their names.
NOT_HELD = {
    "request_rate": "not read: the crawl asks one page at a time",
    "visit_time": "not read",
    "preferred_host": "not read",
    "line_endings": "looks at how many lines Protego has counted",
    "bytestrings": "files are bytes here",
    "quoting": "looks at Protego's own escapes",
    "allowed_wildcards": "an agent with digits in its name, which no product token has (RFC 9309, 2.2.1)",
    "1996rfc_examples": "an agent with digits in its name",
    "unicode_url_and_useragent": "an agent outside ASCII",
    "generosity": "agents of two words, lines of three words without a colon",
    "user_agent_precedence": "an agent has the group of its own name, not of the beginning of it",
    "user_agent_boundary_matching": "an agent has the group of its own name, not of a part of it",
    "empty_user_agent_line": "Google lets a group go on behind an agent without name",
    "global_directives_do_not_split_groups": "reads the host",
    "robotstxt_is_always_allowed": "robots.txt is asked for before there are rules",
    "grouping_unknown_keys": "Google lets a group go on behind an unknown line",
    "percentage_encoding": "a rule must allow a path as it spells it, as Google has it",
    "special_symbols_dual_behaviour": "`$` at the end is the end, and nothing else",
    "with_absolute_urls": "a rule begins with `/`",
    "equal_sign_in_path": "the escape of a divider is none",
}
ADAPTER = """
from corpulyzer.fetch.robots import parse
from corpulyzer.url import spelled

class Protego:
    preferred_host = None

    @classmethod
    def parse(cls, content):
        made = cls()
        made.robots = parse(content.encode())
        return made

    def can_fetch(self, url, agent):
        return self.robots.rules(agent).allows(spelled(url, "http://a.test/") or url)

    def crawl_delay(self, agent):
        return self.robots.rules(agent).delay

    @property
    def sitemaps(self):
        return iter(self.robots.sitemaps)

RequestRate = VisitTime = None
"""


@pytest.fixture(scope="module")
def protego():
    folder = Path(os.environ.get("PROTEGO", ""))
    if not (folder / "tests" / "test_data").is_dir():
        pytest.skip("PROTEGO does not name an unpacked source distribution of Protego")
    return folder


def test_protegos_own_tests_hold_but_for_those_that_are_explained(protego, tmp_path):
    package = tmp_path / "protego"
    package.mkdir()
    (package / "__init__.py").write_text(ADAPTER)
    (package / "_utils.py").write_text((protego / "src" / "protego" / "_utils.py").read_text())
    tests = [str(protego / "tests" / name) for name in ("test_protego.py", "test_on_google_spec.py")]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--rootdir={tmp_path}",
        *tests,
    ]
    place = {"env": {**os.environ, "PYTHONPATH": str(tmp_path)}, "cwd": tmp_path}
    told = subprocess.run(command, **place, capture_output=True, text=True, check=False)
    failed = regex.findall(r"(?m)^FAILED \S*?(test_\w+)", told.stdout)
    passed = int(regex.search(r"(\d+) passed", told.stdout)[1])
    assert passed > 100 and [name for name in failed if not any(part in name for part in NOT_HELD)] == []


RULE = regex.compile(r"(?im)^\s*(?:dis)?allow\s*:\s*([^#\r\n]*)")
ESCAPE = regex.compile(r"%[0-9A-Fa-f]{2}")
RULES_OF_A_FILE = 12


def urls_of(pattern, chance):
    """URLs that a rule may mean: parameters in another order, letters escaped, more behind it."""
    for filler in ("", "x", "/y/z"):
        path = "/" + pattern.removesuffix("$").replace("*", filler).removeprefix("/")
        yield path
        yield path + "x"
        place, mark, query = path.partition("?")
        parameters = query.split("&")
        chance.shuffle(parameters)
        yield place + mark + "&".join(parameters)
        yield path + "&a=1&zz=2" if query else path
    letters = [at.start() for at in regex.finditer(r"(?<!%.?)[A-Za-z]", path)]
    for at in chance.sample(letters, min(2, len(letters))):
        yield f"{path[:at]}%{ord(path[at]):02x}{path[at + 1 :]}"
    yield path.replace("~", "%7E").replace(":", "%3A").replace(",", "%2c")
    yield ESCAPE.sub(lambda escape: escape[0].lower(), path)


@pytest.mark.slow
def test_what_is_allowed_here_protego_forbids_in_no_real_file(protego, monkeypatch):
    monkeypatch.syspath_prepend(str(protego / "src"))
    from protego import Protego

    files = sorted((protego / "tests" / "test_data").iterdir())
    looked_at, evaded = 0, []
    for file in files:
        body, chance = file.read_bytes(), random.Random(file.name)
        marked = body[:2] in (b"\xff\xfe", b"\xfe\xff")
        text = body.decode("utf-16" if marked else "utf-8", "replace")
        ours, theirs = parse(body).rules(AGENT), Protego.parse(text)
        # Rules that are whole addresses Protego takes for paths; others cannot be told from what was not decoded.
        patterns = [rule for rule in sorted(set(RULE.findall(text))) if not rule.startswith("http")]
        patterns = [rule.strip() for rule in patterns if "\ufffd" not in rule]
        for pattern in ["/", *chance.sample(patterns, min(RULES_OF_A_FILE, len(patterns)))]:
            for url in {spelled(HOME + path) for path in urls_of(pattern, chance)}:
                looked_at += 1
                if (
                    url
                    and ours.allows(url)
                    and ours.allows(canonical(url))
                    and not theirs.can_fetch(url, AGENT)
                ):
                    evaded.append((file.name, pattern, url))
    assert len(files) > 4000 and looked_at > 100_000 and evaded == []
