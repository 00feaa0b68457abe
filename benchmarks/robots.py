"""Read robots.txt beside Protego: `python benchmarks/robots.py FOLDER`.

FOLDER is Protego's unpacked source distribution (`pip download --no-binary :all: --no-deps protego`). Its own
tests are run with our parser in its place. Then URLs are made from the rules of the real files in it: no URL
that our parser allows may be one that Protego forbids. Known differences are listed with their reasons; any
other ends the run with exit code 1. It takes about two minutes.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import regex

from corpulyzer.url import canonical, spelled
from corpulyzer.web.fetch.robots.rules import parse
from corpulyzer.web.fetch.settings import AGENT

HOME = "http://a.test"
RULES_OF_A_FILE = 12
RULE = regex.compile(r"(?im)^\s*(?:dis)?allow\s*:\s*([^#\r\n]*)")
ESCAPE = regex.compile(r"%[0-9A-Fa-f]{2}")

NOT_HELD = {
    "request_rate": "not read: the crawl asks for one page at a time",
    "visit_time": "not read",
    "preferred_host": "not read",
    "global_directives_do_not_split_groups": "reads the host",
    "line_endings": "looks at how many lines Protego has counted",
    "bytestrings": "files are bytes here",
    "allowed_wildcards": "an agent with digits in its name, which no product token has (RFC 9309, 2.2.1)",
    "1996rfc_examples": "an agent with digits in its name",
    "unicode_url_and_useragent": "an agent outside ASCII",
    "generosity": "agents of two words, lines of three words without a colon",
    "user_agent_precedence": "an agent gets the group of its own name, not of a prefix of it",
    "user_agent_boundary_matching": "an agent gets the group of its own name, not of a part of it",
    "empty_user_agent_line": "as Google has it, a group goes on after an agent line without a name",
    "grouping_unknown_keys": "as Google has it, a group goes on after an unknown line",
    "robotstxt_is_always_allowed": "robots.txt is asked for before there are rules",
    "percentage_encoding": "a rule allows a path only as it spells it, as Google has it",
    "special_symbols_dual_behaviour": "`$` at the end is the end, and nothing else",
    "with_absolute_urls": "a rule begins with `/`",
    "equal_sign_in_path": "an escaped delimiter is not the delimiter",
}
"""Protego's tests that our parser need not pass, by a part of their names, and why."""

ADAPTER = """
from corpulyzer.web.fetch.robots.rules import parse
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


def main() -> None:
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "tests" / "test_data").is_dir():
        sys.exit(__doc__)
    folder = Path(sys.argv[1]).resolve()
    unexplained = own_tests(folder)
    evaded = real_files(folder)
    for file, pattern, url in evaded[:20]:
        print(f"{file}: {pattern} forbids {url}")
    sys.exit(bool(unexplained or evaded))


def own_tests(folder: Path) -> list[str]:
    """The tests of Protego that our parser fails, without those that are explained."""
    with TemporaryDirectory() as made:
        package = Path(made) / "protego"
        package.mkdir()
        (package / "__init__.py").write_text(ADAPTER)
        (package / "_utils.py").write_text((folder / "src" / "protego" / "_utils.py").read_text())
        tests = [str(folder / "tests" / name) for name in ("test_protego.py", "test_on_google_spec.py")]
        told = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={made}", *tests],
            env={**os.environ, "PYTHONPATH": os.pathsep.join((made, *filter(None, sys.path)))},
            cwd=made,
            capture_output=True,
            text=True,
            check=False,
        ).stdout
    failed = regex.findall(r"(?m)^FAILED \S*?test_(\w+)", told)
    unexplained = [name for name in failed if not any(part in name for part in NOT_HELD)]
    print(f"Protego's tests: {told.strip().splitlines()[-1]}; not explained: {unexplained or 'none'}")
    return unexplained


def real_files(folder: Path) -> list[tuple[str, str, str]]:
    """URLs that we would ask for and Protego forbids, with the file and the rule that they were made of."""
    sys.path.insert(0, str(folder / "src"))
    from protego import Protego

    files, asked, ours, evaded = sorted((folder / "tests" / "test_data").iterdir()), 0, 0, []
    for file in files:
        body, chance = file.read_bytes(), random.Random(file.name)
        text = body.decode("utf-16" if body[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
        rules, theirs = parse(body).rules(AGENT), Protego.parse(text)
        for pattern in ["/", *patterns_of(text, chance)]:
            found = {spelled(HOME + path) for path in paths_of(pattern, chance)}
            for url in sorted(url for url in found if isinstance(url, str)):
                asked += 1
                if rules.allows(url) and rules.allows(str(canonical(url))):
                    ours += 1
                    if not theirs.can_fetch(url, AGENT):
                        evaded.append((file.name, pattern, url))
    print(
        f"{len(files):,} files, {asked:,} URLs: {ours:,} allowed here, of them {len(evaded)} not by Protego"
    )
    return evaded


def patterns_of(text: str, chance: random.Random) -> list[str]:
    """Some rules of a file. Rules that are whole addresses are left out: Protego reads them as odd paths."""
    found = sorted({rule.strip() for rule in RULE.findall(text)})
    patterns = [rule for rule in found if not rule.startswith("http") and "\ufffd" not in rule]
    return chance.sample(patterns, min(RULES_OF_A_FILE, len(patterns)))


def paths_of(pattern: str, chance: random.Random) -> Iterator[str]:
    """Paths that a rule may mean: parameters in another order, letters escaped, more behind it."""
    for filler in ("", "/y/z", "x"):
        path = "/" + pattern.removesuffix("$").replace("*", filler).removeprefix("/")
        place, mark, query = path.partition("?")
        parameters = query.split("&")
        chance.shuffle(parameters)
        yield from (path, path + "x", place + mark + "&".join(parameters))
        if query:
            yield path + "&a=1&zz=2"
    letters = [match.start() for match in regex.finditer(r"(?<!%.?)[A-Za-z]", path)]
    for at in chance.sample(letters, min(2, len(letters))):
        yield f"{path[:at]}%{ord(path[at]):02x}{path[at + 1 :]}"
    yield path.replace("~", "%7E").replace(":", "%3A").replace(",", "%2c")
    yield ESCAPE.sub(lambda escape: escape[0].lower(), path)


if __name__ == "__main__":
    main()
