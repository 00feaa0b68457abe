"""What a robots.txt allows (RFC 9309), with the tolerance for spelling that Google's parser has.

The longest matching pattern decides, and of two equally long ones `allow`. Matching is linear in the URL
for each pattern, however many wildcards it has. Patterns and URLs are brought to the same escapes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import regex

MAX_BYTES = 500 * 1024
ANYONE = "*"

# A line is cut where Google cuts it, so that the same rules count.
_MAX_LINE = 2083 * 8 - 1
_KEYS = (
    (("user-agent", "useragent", "user agent"), "agent"),
    (("allow",), "allow"),
    (("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    (("sitemap", "site-map"), "sitemap"),
    (("crawl-delay", "crawldelay"), "delay"),
)
_LINE = regex.compile(rb"[^\r\n]+")
_TOKEN = regex.compile(r"[A-Za-z_-]+")
_ESCAPE = regex.compile(rb"%[0-9a-fA-F]{2}")
_HIGH = regex.compile(rb"[\x80-\xff]")
# An escaped delimiter is not the same as a delimiter, so these stay escaped. `*` and `$` are escaped where
# they are literal, because in a pattern they are wildcards.
_DIVIDERS = b"/?#&=+%"
_TO_SPELL = regex.compile(rb"%[0-9A-F]{2}|[*$]")
_SPELLED = {b"%%%02X" % code: bytes((code,)) for code in range(0x20, 0x7F) if code not in _DIVIDERS + b"*$"}
_SPELLED |= {b"*": b"%2A", b"$": b"%24"}
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_INDEX = regex.compile(rb".*/(?=index\.htm[^/]*$)", regex.DOTALL)
_PATH = regex.compile(r"(?:[^/?;#]*?:)?(?://)?[^/?;#]*([^#]*)", regex.DOTALL)


@dataclass(slots=True, eq=False)
class Group:
    """The rules that stand behind one block of `user-agent` lines; all agents of the block share them."""

    rules: list[tuple[bytes, bool]] = field(default_factory=list)
    delay: float | None = None
    closed: bool = False

    def add_rule(self, value: bytes, *, allow: bool) -> None:
        """Add a rule, escaped as URLs are; a `user-agent` line after it begins a new group."""
        self.closed = True
        if not value:
            return
        pattern = _HIGH.sub(lambda match: b"%%%02X" % match[0][0], in_capitals(value))
        self.rules.append((pattern, allow))
        index = _INDEX.match(pattern) if allow else None
        if index:
            # A rule that allows a folder's index page also allows the folder itself.
            self.rules.append((index[0] + b"$", True))

    def set_delay(self, value: bytes) -> None:
        """Take the larger of two delays; what is no number is no delay."""
        try:
            seconds = float(value)
        except ValueError:
            return
        if 0 <= seconds < float("inf"):
            self.delay = max(seconds, self.delay or 0.0)


@dataclass(frozen=True)
class Rules:
    """What one user agent may fetch, and how many seconds it is asked to wait between two requests."""

    patterns: tuple[tuple[bytes, bool], ...] = ()
    delay: float | None = None

    def allows(self, url: str) -> bool:
        """Whether the URL may be fetched; without a rule that matches it may.

        RFC 9309 compares octets, however patterns and URL are escaped. Google's parser takes patterns as they
        are written, so that `Allow: /%61` does not allow `/a`. Both must allow it.
        """
        path = in_capitals(path_of(url))
        alike = spelled_alike(path)
        if not self._alike.allow(alike):
            return False
        return self._alike is self._written or self._written.allow(path) or self._written.allow(alike)

    @cached_property
    def _written(self) -> Patterns:
        return Patterns(self.patterns)

    @cached_property
    def _alike(self) -> Patterns:
        alike = tuple((_pattern_alike(pattern), allow) for pattern, allow in self.patterns)
        return Patterns(alike) if alike != self.patterns else self._written


@dataclass(frozen=True)
class Patterns:
    """Patterns that allow or forbid paths; the longest that matches decides."""

    patterns: tuple[tuple[bytes, bool], ...]

    def allow(self, path: bytes) -> bool:
        """Whether a path is allowed."""
        length, allowed = self._plain_match(path)
        for size, allow, pieces, anchored in self._wild:
            if size < length or (size == length and allowed):
                break
            if _matches(path, pieces, anchored):
                return allow
        return allowed

    def _plain_match(self, path: bytes) -> tuple[int, bool]:
        plain, lengths = self._plain
        for length in lengths:
            allowed = plain.get(path[:length])
            if allowed is not None and length <= len(path):
                return length, allowed
        return 0, True

    @cached_property
    def _plain(self) -> tuple[dict[bytes, bool], list[int]]:
        """Patterns without wildcard, found by one look-up for each length there is."""
        plain: dict[bytes, bool] = {}
        for pattern, allow in self.patterns:
            if not _is_wild(pattern):
                plain[pattern] = allow or plain.get(pattern, False)
        return plain, sorted({len(pattern) for pattern in plain}, reverse=True)

    @cached_property
    def _wild(self) -> list[tuple[int, bool, list[bytes], bool]]:
        """Patterns with wildcards, the one that decides first."""
        wild = []
        for pattern, allow in dict.fromkeys(self.patterns):
            if _is_wild(pattern):
                anchored = pattern.endswith(b"$")
                pieces = (pattern[:-1] if anchored else pattern).split(b"*")
                wild.append((len(pattern), allow, pieces, anchored))
        return sorted(wild, key=lambda rule: (-rule[0], not rule[1]))


ALLOW_ALL = Rules()
DISALLOW_ALL = Rules(((b"/", False),))


@dataclass(frozen=True, slots=True)
class Robots:
    """A parsed robots.txt: the groups by user agent in lower case, and the sitemaps it names."""

    groups: dict[str, list[Group]] = field(default_factory=dict)
    sitemaps: tuple[str, ...] = ()

    def rules(self, agent: str) -> Rules:
        """The rules for a user agent's product token: its own groups together, else those for anyone."""
        groups = self.groups.get(agent.lower()) or self.groups.get(ANYONE, [])
        delays = [group.delay for group in groups if group.delay is not None]
        return Rules(tuple(rule for group in groups for rule in group.rules), max(delays, default=None))

    def disallowed(self, agents: tuple[str, ...]) -> tuple[str, ...]:
        """Those of `agents` that the file names and shuts out of the whole site."""
        named = (agent for agent in agents if agent.lower() in self.groups)
        return tuple(agent for agent in named if not self.rules(agent).allows("/"))


def parse(body: bytes) -> Robots:
    """The rules in a robots.txt, at most the first 500 KiB of it; anything may be in it."""
    groups: dict[str, list[Group]] = {}
    sitemaps: list[str] = []
    current = Group()
    for key, value in _lines(_in_utf8(body[:MAX_BYTES])):
        if key == "agent":
            if current.closed:
                current = Group()
            named = groups.setdefault(_agent(value), [])
            if current not in named[-1:]:
                named.append(current)
        elif key == "sitemap":
            sitemaps.append(value.decode("utf-8", "replace"))
        elif key == "delay":
            current.set_delay(value)
        else:
            current.add_rule(value, allow=key == "allow")
    return Robots(groups, tuple(dict.fromkeys(sitemaps)))


def sitemaps_of(body: bytes) -> tuple[str, ...]:
    """The sitemaps that a robots.txt names, each once."""
    return parse(body).sitemaps


def path_of(url: str) -> bytes:
    """The part of a URL that patterns are matched with: path and query.

    >>> path_of("https://a.pk/x?y=1#z"), path_of("https://a.pk")
    (b'/x?y=1', b'/')
    """
    found = _PATH.match(url)
    path = found[1] if found else ""
    return (path if path.startswith("/") else "/" + path).encode("utf-8", "surrogatepass")


def in_capitals(path: bytes) -> bytes:
    """A path with its escapes in capitals."""
    return bytes(_ESCAPE.sub(lambda match: match[0].upper(), path))


def spelled_alike(path: bytes) -> bytes:
    """A path, its escapes in capitals, in which equal octets are spelled alike (RFC 9309, 2.2.2).

    A delimiter of paths or queries and its escape stay different.

    >>> spelled_alike(b"/%7Ejoe/a%20b/%2F%3A*")
    b'/~joe/a b/%2F:%2A'
    """
    return bytes(_TO_SPELL.sub(lambda match: _SPELLED.get(match[0], match[0]), path))


def _pattern_alike(pattern: bytes) -> bytes:
    """The same of a pattern, whose wildcards stay what they are."""
    end = b"$" if pattern.endswith(b"$") else b""
    return b"*".join(map(spelled_alike, pattern.removesuffix(b"$").split(b"*"))) + end


def _in_utf8(body: bytes) -> bytes:
    """A file without its byte order mark, which may say that it is UTF-16."""
    if encoding := _UTF16.get(body[:2]):
        return body[2:].decode(encoding, "replace").encode()
    return body.lstrip(b"\xef\xbb\xbf")


def _lines(body: bytes) -> Iterator[tuple[str, bytes]]:
    for match in _LINE.finditer(body):
        line = _trimmed(match[0][:_MAX_LINE].partition(b"#")[0])
        key, colon, value = line.partition(b":")
        if not colon:
            # Colons are forgotten often enough; two words are taken for key and value.
            words = line.split()
            key, value = (words[0], words[1]) if len(words) == 2 else (b"", b"")
        name = key.strip().lower().decode("latin-1")
        for spellings, meaning in _KEYS:
            if name.startswith(spellings):
                yield meaning, _trimmed(value)
                break


def _trimmed(value: bytes) -> bytes:
    """A line or a value without white space around it, that of Unicode included."""
    value = value.strip()
    if value.isascii():
        return value
    text = value.decode("utf-8", "surrogateescape").strip().strip("\u200b\u2060\ufeff")
    return text.strip().encode("utf-8", "surrogateescape")


def _agent(value: bytes) -> str:
    text = value.decode("latin-1")
    if text == ANYONE or (text[:1] == ANYONE and text[1:2].isspace()):
        return ANYONE
    token = _TOKEN.match(text)
    return token[0].lower() if token else ""


def _is_wild(pattern: bytes) -> bool:
    return b"*" in pattern or pattern.endswith(b"$")


def _matches(path: bytes, pieces: list[bytes], anchored: bool) -> bool:
    """Whether the pieces occur in order. The earliest place for each is enough: `*` is the only wildcard."""
    if not path.startswith(pieces[0]):
        return False
    at = len(pieces[0])
    middle = pieces[1:-1] if anchored else pieces[1:]
    for piece in middle:
        found = path.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    if not anchored:
        return True
    if len(pieces) == 1:
        return at == len(path)
    return path.endswith(pieces[-1]) and len(path) - len(pieces[-1]) >= at
