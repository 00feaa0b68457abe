"""A page as Boilerpipe sees it: runs of text between tags, with their words and the words in links.

Every tag parts the text but for a dozen inline ones. Tags are counted, not matched, as in Boilerpipe: what is
not between `<body>` and `</body>` as they are written is not read.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import regex

from corpulyzer.page.extract.elements import KINDS
from corpulyzer.page.extract.published.as_written import pieces
from corpulyzer.page.extract.words import collapsed

# The text in these is not read.
IGNORED = {"applet", "embed", "noscript", "object", "option", "script", "style"}
INLINE = {
    *("abbr", "acronym", "b", "code", "em", "font", "i", "span"),
    *("strike", "strong", "sub", "sup", "tt", "u", "var"),
}
SPACED = {"a", "abbr", "acronym"}  # inline, but no part of the word before them
LINE_CHARACTERS = 80
MIN_DENSITY = 9

# Words with their marks and joiners, and the signs that stand in words or right beside them.
_SIGNS = r"""_"'.,!@\-:;$?()/"""
_TOKEN = regex.compile(rf"[\p{{L}}\p{{N}}{_SIGNS}][\p{{L}}\p{{N}}\p{{M}}\p{{Join_Control}}{_SIGNS}]*")
_IN_WORD = regex.compile(r"[\p{L}\p{N}]")
# Elements whose end tag may be left out, with the tags that end them.
_ENDED_BY = {
    "li": {"p", "li"},
    "dt": {"p", "dt", "dd"},
    "dd": {"p", "dt", "dd"},
    "td": {"p", "td", "th"},
    "th": {"p", "td", "th"},
    "tr": {"p", "td", "th", "tr"},
}


class TextBlock(NamedTuple):
    """A run of text, with its words, those of them in links, and its full-text words.

    Full-text words are those of blocks that would fill their lines: nine words and more to a line of 80
    characters. `element` is the block-level element around the text, an index into `TextBlocks.parents`, and
    `tag` says what the text is: h1, p, li …
    """

    text: str
    words: int
    linked: int
    full_text: int
    element: int
    tag: str

    @property
    def link_density(self) -> float:
        """The share of its words that are in links."""
        return self.linked / self.words if self.words else 0.0


@dataclass(frozen=True, slots=True)
class TextBlocks:
    """The blocks of a page, its title, and of each block-level element the one around it (-1 for none)."""

    blocks: list[TextBlock]
    title: str
    parents: list[int]


def text_blocks(html: str) -> TextBlocks:
    """The blocks of a page from its source."""
    walk = _Walk()
    steps = {"start": walk.start, "end": walk.end, "text": walk.text}
    for kind, value in pieces(html):
        if kind != "empty":
            steps[kind](value)
    walk.finish_block()
    return TextBlocks(walk.blocks, walk.title, walk.open.parents)


class OpenElements:
    """The block-level elements that are open, as far as tags in any order tell."""

    def __init__(self) -> None:
        self.parents: list[int] = []
        self._stack: list[tuple[str, int, str]] = [("", -1, "p")]  # tag, number, tag that gives text its kind
        self._counts: Counter[str] = Counter()

    def start(self, tag: str) -> None:
        if tag not in KINDS or tag == "hr":
            return
        while self._stack[-1][0] in _ENDED_BY.get(tag, ("p",)):
            self._close()
        _, parent, own = self._stack[-1]
        self._stack.append((tag, len(self.parents), tag if KINDS[tag] else own))
        self._counts[tag] += 1
        self.parents.append(parent)

    def end(self, tag: str) -> None:
        if self._counts[tag]:
            while self._close() != tag:
                pass

    def innermost(self) -> tuple[int, str]:
        """The innermost element, and the tag that says what the text in it is."""
        return self._stack[-1][1:]

    def _close(self) -> str:
        tag = self._stack.pop()[0]
        self._counts[tag] -= 1
        return tag


class _Walk:
    """What the walk has found so far; `_runs` are the texts of the next block, in and out of links."""

    def __init__(self) -> None:
        self.blocks: list[TextBlock] = []
        self.title = ""
        self.open = OpenElements()
        self._runs: list[tuple[bool, list[str]]] = []
        self._owner = self.open.innermost()
        self._is_parted = False
        self._is_linked = False
        self._bodies = self._ignored = self._anchors = 0
        self._last_started = ""

    def start(self, tag: str) -> None:
        if tag == "a":
            self._anchors = min(self._anchors + 1, 1)
            self._is_linked = self._is_linked or not self._ignored
        elif tag == "body":
            self.finish_block()
            self._bodies += 1
        elif tag not in INLINE:
            self._ignored += tag in IGNORED
            self._is_parted = True
        self._part_words(tag)
        self.open.start(tag)
        self._last_started = tag

    def end(self, tag: str) -> None:
        if tag == "a":
            self._anchors -= 1
            self._is_linked = self._is_linked and bool(self._anchors or self._ignored)
        elif tag == "body":
            self.finish_block()
            self._bodies -= 1
        elif tag not in INLINE:
            self._ignored -= tag in IGNORED
            self._is_parted = True
        self._part_words(tag)
        if self._is_parted:
            self.finish_block()
        self.open.end(tag)

    def text(self, text: str) -> None:
        if self._is_parted:
            self.finish_block()
            self._is_parted = False
        if self._ignored:
            return
        if not self._runs:
            self._owner = self.open.innermost()
        if not self._runs or self._runs[-1][0] != self._is_linked:
            self._runs.append((self._is_linked, []))
        self._runs[-1][1].append(text)

    def finish_block(self) -> None:
        runs = [("".join(parts), is_linked) for is_linked, parts in self._runs]
        self._runs.clear()
        text = collapsed("".join(text for text, _ in runs))
        if not text:
            return
        if self._bodies:
            self.blocks += _measured(text, runs, *self._owner)
        elif self._last_started == "title":
            self.title = text

    def _part_words(self, tag: str) -> None:
        if self._runs and tag in SPACED:
            self._runs[-1][1].append(" ")


def _measured(text: str, runs: list[tuple[str, bool]], element: int, tag: str) -> list[TextBlock]:
    """The block of a text; none if it has no word."""
    tokens = [(token, is_linked) for run, is_linked in runs for token in _TOKEN.findall(run)]
    if not tokens:
        return []
    words = [(token, is_linked) for token, is_linked in tokens if _IN_WORD.search(token)]
    full_text = _full_text([word for word, _ in words])
    return [TextBlock(text, len(words), sum(is_linked for _, is_linked in words), full_text, element, tag)]


def _full_text(words: list[str]) -> int:
    """All words, if there are enough to a line, else none. A last line that is not full does not count."""
    lines, on_line, length = 0, 0, -1
    for word in words:
        on_line += 1
        length += len(word) + 1
        if length > LINE_CHARACTERS:
            lines, on_line, length = lines + 1, 1, len(word)
    on_full_lines = len(words) - on_line
    density = on_full_lines / lines if on_full_lines else len(words)
    return len(words) if density >= MIN_DENSITY else 0
