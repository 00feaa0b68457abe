"""Main content as in C4Corpus (2016): jusText (Pomikálek 2011; C4-5).

Each paragraph is first judged alone, by its length, links and share of stop words; then those too short
or too doubtful to tell follow their neighbours. The constants are those of C4Corpus.

Stop words belong to a language. Without a list both thresholds are 0, as in the cluster job of C4Corpus,
which knows no target language: length and links decide. The frequent words of the page itself are no
substitute: in languages with long, rarely repeated words half of clean text would be lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import regex

from corpulyzer.errors import UserError
from corpulyzer.page.extract.blocks import Block, Blocks
from corpulyzer.page.extract.published.as_written import source_of
from corpulyzer.page.extract.published.justext_paragraphs import Paragraph, paragraphs_of
from corpulyzer.text import clean

Class = Literal["good", "near-good", "short", "bad"]

FREQUENT_SHARE = 0.5

_WORD = regex.compile(r"\w+")
_LETTERS_ALONE = regex.compile(r"(?=.*\p{L})[^\p{N}]+")


def frequent_words(texts: Iterable[str], share: float = FREQUENT_SHARE) -> frozenset[str]:
    """The fewest words that make up `share` of all running words: a list for a language without one.

    What has digits is among the running words, as in a paragraph's density of stop words, but is none itself.

    >>> sorted(frequent_words(["na kuća na brdu na putu", "na kuća"]))
    ['na']
    """
    counts = Counter(word for text in texts for word in _WORD.findall(text.lower()))
    enough, found = share * counts.total(), []
    for word, count in counts.most_common():
        if enough <= 0:
            break
        if _LETTERS_ALONE.fullmatch(word):
            found.append(word)
            enough -= count
    return frozenset(found)


def read_stop_words(path: str) -> frozenset[str]:
    """The words of a file, one a line, in lower case."""
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise UserError(
            f"The stop words {path} cannot be read.",
            "Give a UTF-8 file with a word a line; `corpulyzer stop-words` makes one from a corpus.",
        ) from None
    return frozenset(word for line in text.splitlines() if (word := line.strip().lower()))


@dataclass(frozen=True, slots=True)
class JusText:
    """The good paragraphs of a page, by jusText's rules; without `stop_words`, by length and links alone."""

    stop_words: frozenset[str] = field(default=frozenset(), repr=False)
    max_link_density: float = 0.20
    length_low: int = 70
    length_high: int = 200
    stop_words_low: float = 0.30
    stop_words_high: float = 0.32
    max_heading_distance: int = 200

    def __call__(self, page: Blocks) -> list[Block]:
        paragraphs = paragraphs_of(source_of(page))
        classes = self.judge_in_context(paragraphs, [self.judge_alone(p) for p in paragraphs])
        good = [p for p, c in zip(paragraphs, classes, strict=True) if c == "good"]
        blocks = (Block(clean(p.text), p.tag, -1, 0, p.links, 0, 0, 0) for p in good)
        return [block for block in blocks if block.text]

    def judge_alone(self, paragraph: Paragraph) -> Class:
        """The class of a paragraph without its neighbours."""
        text = paragraph.text
        if paragraph.link_density > self.max_link_density or "©" in text:
            return "bad"
        if len(text) < self.length_low:
            return "bad" if paragraph.links else "short"
        density = self._stop_word_density(text)
        if density >= self.stop_words_high:
            return "good" if len(text) > self.length_high else "near-good"
        return "near-good" if density >= self.stop_words_low else "bad"

    def _stop_word_density(self, text: str) -> float:
        """The share of stop words among the words; without a list any text has enough."""
        if not self.stop_words:
            return 1.0
        words = text.lower().split()
        return sum(word in self.stop_words for word in words) / len(words)

    def judge_in_context(self, paragraphs: Sequence[Paragraph], alone: Sequence[Class]) -> list[Class]:
        """The final classes. Headings come first and last: text that follows soon makes them good."""
        classes = list(alone)
        for i in self._headings_before_good(paragraphs, classes, "short"):
            classes[i] = "near-good"
        classes = _short_by_neighbours(classes)
        classes = _near_good_by_neighbours(classes)
        for i in self._headings_before_good(paragraphs, classes, "bad"):
            if alone[i] != "bad":
                classes[i] = "good"
        return classes

    def _headings_before_good(
        self, paragraphs: Sequence[Paragraph], classes: Sequence[Class], wanted: Class
    ) -> list[int]:
        """Headings of one class with a good paragraph after at most `max_heading_distance` characters."""
        found = []
        for i, paragraph in enumerate(paragraphs):
            if classes[i] == wanted and paragraph.is_heading:
                after, distance = i + 1, 0
                while (
                    after < len(classes)
                    and classes[after] != "good"
                    and distance <= self.max_heading_distance
                ):
                    distance += len(paragraphs[after].text)
                    after += 1
                if after < len(classes) and distance <= self.max_heading_distance:
                    found.append(i)
        return found


def _short_by_neighbours(classes: Sequence[Class]) -> list[Class]:
    """Short paragraphs between two of a kind become of that kind; at the border a near-good one decides."""
    before, after = _nearest(classes, "good", "bad"), _nearest(classes[::-1], "good", "bad")[::-1]
    before_near = _nearest(classes, "good", "bad", "near-good")
    after_near = _nearest(classes[::-1], "good", "bad", "near-good")[::-1]
    judged: list[Class] = []
    for i, own in enumerate(classes):
        is_good = before[i] == after[i] == "good" or (
            before[i] != after[i]
            and (
                (before[i] == "bad" and before_near[i] == "near-good")
                or (after[i] == "bad" and after_near[i] == "near-good")
            )
        )
        judged.append(own if own != "short" else "good" if is_good else "bad")
    return judged


def _near_good_by_neighbours(classes: Sequence[Class]) -> list[Class]:
    """Near-good paragraphs are good unless bad ones stand on both sides."""
    before, after = _nearest(classes, "good", "bad"), _nearest(classes[::-1], "good", "bad")[::-1]
    return [
        own if own != "near-good" else "good" if "good" in (before[i], after[i]) else "bad"
        for i, own in enumerate(classes)
    ]


def _nearest(classes: Sequence[Class], *wanted: Class) -> list[Class]:
    """For each paragraph the class of the last one before it that is `wanted`; bad before the first."""
    nearest: list[Class] = []
    last: Class = "bad"
    for own in classes:
        nearest.append(last)
        if own in wanted:
            last = own
    return nearest


justext = JusText()
