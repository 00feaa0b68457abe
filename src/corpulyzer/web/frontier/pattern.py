"""What the spelling of a URL says: which others are of its kind, and which language it names.

Pages that a site makes by one template have addresses that differ in numbers and titles only. What is left
when those are taken out is the pattern; its coarser part is the section.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import regex

from corpulyzer.native import compiled

LANGUAGE_KEYS = frozenset("lang language lng hl locale lc l lg langue idioma sprache setlang uselang".split())
KEPT_SEGMENTS = 2
LONGEST_NAME = 16
LONGEST_LOCALE = len("zho-hant")

_DIGITS = regex.compile(r"\d+")
_RANDOM = regex.compile(r"(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{12,}|[0-9a-f]{8}-[0-9a-f]{4}-.*", regex.IGNORECASE)
_EXTENSION = regex.compile(r"\.[a-z][a-z0-9]{1,4}$", regex.IGNORECASE)
_PARTS = regex.compile(r"https?://([^/?]*)([^?]*)\??(.*)", regex.DOTALL)
_NUMBER = regex.compile(r"=(\d+)$")
_SESSION = regex.compile(r"(?i)(?:^|&)(?:s|sid|sess|session)=(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{6,}(?=&|$)")
# Wikis name the kind of a page before a colon: Talk:Ljubljana. Escaped letters are three characters each.
_SPACE = regex.compile(r"([^:/\d-]{1,60}?)(?::|%3A)", regex.IGNORECASE)
_LOCALE = regex.compile(r"([a-z]{2,3})(?:[-_](?:[a-z]{2}|[a-z]{4}))?", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The section and the pattern of a URL, without its host."""

    section: str
    pattern: str


@lru_cache(maxsize=1 << 15)
def pattern_of(url: str) -> Pattern:
    """The section and pattern that a URL shares with similar ones of the same site.

    >>> pattern_of("https://a.pk/urdu/2024/05/some-long-title.html?page=3")
    Pattern(section='/urdu', pattern='/urdu/#/*/*.html?page=#')
    >>> pattern_of("https://a.pk/story?id=12&lang=ur")
    Pattern(section='/?lang=ur', pattern='/*?id=#&lang=ur')
    >>> pattern_of("https://a.pk/wiki/Talk:Lahore").pattern, pattern_of("https://a.pk/wiki/Lahore").pattern
    ('/wiki/Talk:*', '/wiki/*')
    """
    _, path, query = parts_of(url)
    segments = [segment for segment in path.split("/") if segment]
    is_folder = path.endswith("/")
    leaf = "" if is_folder or not segments else segments.pop()
    kept = [_kept(segment) for segment in segments[:KEPT_SEGMENTS]]
    shape = "".join(f"/{name}" for name in kept) + "/*" * (len(segments) - len(kept))
    names = _query_names(query)
    languages = "&".join(name for name in names if name.partition("=")[0].lower() in LANGUAGE_KEYS)
    section = f"/{kept[0]}" if kept else "/"
    return Pattern(
        section + (f"?{languages}" if languages else ""),
        f"{shape}/{_leaf(leaf)}" + (f"?{'&'.join(names)}" if names else ""),
    )


@lru_cache(maxsize=1 << 15)
def stem_of(url: str) -> str:
    """What names the page itself, in whatever section or view: its number or title; empty for none.

    >>> {stem_of(f"https://a.pk/{view}") for view in ("story/512.html", "print/512", "story?sort=old&id=512")}
    {'512'}
    >>> stem_of("https://a.pk/news/?sid=1f0c55ab9e"), stem_of("https://a.pk/news/")
    ('/news/', '')
    """
    _, path, query = parts_of(url)
    folder, _, leaf = path.rstrip("/").rpartition("/")
    name = _EXTENSION.sub("", leaf)
    if name.count("-") > 1 or name.count("_") > 1 or len(name) > LONGEST_NAME:
        return name
    numbers = _DIGITS.findall(name) or [n for pair in query.split("&") for n in _NUMBER.findall(pair)]
    stem = "-".join(numbers) or (_DIGITS.findall(folder) or [""])[-1]
    # A session does not name a page; without one the address alone does.
    return stem or (path + _SESSION.sub("", query) if "=" in query and _SESSION.search(query) else "")


@lru_cache(maxsize=1 << 10)  # those who read a URL ask one after the other
def parts_of(url: str) -> tuple[str, str, str]:
    """Host with port, path and query of a canonical URL."""
    found = _PARTS.match(url)
    return (found[1], found[2] or "/", found[3]) if found else ("", "/", "")


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """Tells what a URL says of its language: 0 nothing, 1 that it is another, 2 that it is the target.

    `codes` are those of the target, `others` those of other languages; `names` are words that stand for the
    target wherever they occur, `other_names` whole words that name other languages.
    """

    codes: frozenset[str]
    names: tuple[str, ...]
    others: frozenset[str] = frozenset()
    other_names: frozenset[str] = frozenset()

    def __call__(self, url: str) -> int:
        host, path, query = parts_of(url)
        labels = host.partition(":")[0].split(".")
        said = [*labels[:-1][:-1], *(segment for segment in path.split("/") if segment)]
        for pair in query.split("&"):
            name, _, value = pair.partition("=")
            if value and (name.lower() in LANGUAGE_KEYS or len(value) == 2):
                said.append(value)
        found = max(map(self._of_word, said), default=0) if said else 0
        if found < 2 and self.named(f"{'.'.join(labels[:-1])}{path}?{query}"):
            return 2
        return found

    def named(self, text: str) -> bool:
        """Whether a text holds a name of the target (XH-6)."""
        text = text.lower()
        return any(name in text for name in self.names)

    def _of_word(self, word: str) -> int:
        word = word.lower()
        if len(word) <= LONGEST_LOCALE and (locale := _LOCALE.fullmatch(word)):
            code = locale[1]
            if word in self.codes or code in self.codes:
                return 2
            if code in self.others:
                return 1
        return 1 if word in self.other_names else 0


class Told(NamedTuple):
    """All that the spelling of a URL says: section, pattern, stem, and what it says of the language."""

    section: str
    pattern: str
    stem: str
    words: int


def told_by(url: str, words: LanguageWords) -> Told:
    """What `pattern_of`, `stem_of` and `words` say of a URL, by one reading in C where that was built.

    >>> told_by("https://a.pk/ur/story/512.html", LanguageWords(frozenset({"ur"}), ("urdu",)))
    Told(section='/ur', pattern='/ur/story/#.html', stem='512', words=2)
    """
    if compiled is not None:
        sets = (LANGUAGE_KEYS, words.codes, words.others, words.other_names, words.names)
        if (told := compiled.read_address(url, *sets)) is not None:
            section, pattern, stem, language = told
            return Told(section, pattern, stem_of(url) if stem is None else stem, language)
    found = pattern_of(url)
    return Told(found.section, found.pattern, stem_of(url), words(url))


@lru_cache(maxsize=1 << 14)
def _kept(segment: str) -> str:
    """A path segment as it tells sections apart: names stay, numbers and titles go."""
    if _RANDOM.fullmatch(segment):
        return "*"
    name = _DIGITS.sub("#", segment)
    return name if len(name) <= LONGEST_NAME and name.count("-") < 2 and "%" not in name else "*"


def _leaf(leaf: str) -> str:
    """The last segment: whether it is a number, a name with a number, or a title, and its extension."""
    if space := _SPACE.match(leaf):
        return f"{space[1]}:*"
    extension = _EXTENSION.search(leaf)
    name = leaf[: extension.start()] if extension else leaf
    ending = extension[0].lower() if extension else ""
    if not name:
        return ending
    if name.isdecimal():
        return f"#{ending}"
    numbered = _DIGITS.search(name)
    word = name[: numbered.start()] if numbered else ""
    if numbered and 0 < len(word) <= LONGEST_NAME and word.count("-") < 2 and "%" not in word:
        return f"{word}#{ending}"
    return f"*#{ending}" if numbered else f"*{ending}"


def _query_names(query: str) -> list[str]:
    """The parameters of a query; values stay where they are short words, which choose a version."""
    names = []
    for pair in query.split("&") if query else ():
        name, equals, value = pair.partition("=")
        if not equals:
            names.append(_kept(name))
        elif value.isdecimal():
            names.append(f"{_kept(name)}=#")
        elif space := _SPACE.match(value):
            names.append(f"{_kept(name)}={space[1]}:*")
        else:
            names.append(f"{_kept(name)}={value if value.isalpha() and len(value) <= 8 else '*'}")
    return names
