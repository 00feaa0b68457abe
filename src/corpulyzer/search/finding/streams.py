"""The streams of a document: its text, its units, and what stands at each of them.

A text is unpacked and cut when someone asks for it: most answers need only words, which shards have.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from operator import methodcaller
from threading import local
from typing import TYPE_CHECKING, Any

from corpulyzer.search.units import fold, units_of

if TYPE_CHECKING:
    from corpulyzer.language import Language
    from corpulyzer.search.conditions import Stream

LEVEL = 6
BLOBS = "text, tokens, lemmas, tags, xtags"
Spans = Sequence[tuple[int, int]]
_PARTED = methodcaller("partition", "-")


class Streams:
    """A text out of the index, with what stands at each of its units.

    `sentences` are the characters at which the sentences of its annotation end, `breaks` the units with which
    its paragraphs begin.
    """

    __slots__ = ("_breaks", "_load", "_loaded", "lemmas", "sentences", "tags", "words", "xtags")

    def __init__(
        self,
        words: Sequence[str],
        load: Callable[[], tuple[str, Spans]],
        annotated: Sequence[Sequence[str]] = ((), (), ()),
        sentences: Sequence[int] = (),
        breaks: Sequence[int] | None = None,
    ) -> None:
        self.words, self.sentences = words, sentences
        self.lemmas, self.tags, self.xtags = annotated
        self._load = load
        self._loaded: tuple[str, Spans] | None = None
        self._breaks = breaks

    @property
    def text(self) -> str:
        return self._text_and_spans()[0]

    @property
    def spans(self) -> Spans:
        return self._text_and_spans()[1]

    def _text_and_spans(self) -> tuple[str, Spans]:
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded

    @property
    def breaks(self) -> Sequence[int]:
        if self._breaks is None:
            self._breaks = breaks_of(self.text, self.spans)
        return self._breaks

    def paragraph(self, unit: int) -> tuple[int, int]:
        """The first unit of the paragraph in which a unit stands, and the one after its last."""
        place = bisect_right(self.breaks, unit)
        end = self.breaks[place] if place < len(self.breaks) else len(self.words)
        return self.breaks[place - 1] if place else 0, end

    def column(self, stream: Stream) -> Sequence[str]:
        """What a stream has at each unit."""
        if stream == "forms":
            return [self.text[start:end] for start, end in self.spans]
        column: Sequence[str] = getattr(self, stream)
        return column


def breaks_of(text: str, spans: Spans) -> list[int]:
    """The units with which paragraphs begin.

    >>> breaks_of("a b\\nc", [(0, 1), (2, 3), (4, 5)])
    [0, 2]
    """
    found, at = [0] if spans else [], text.find("\n")
    while at >= 0:
        unit = bisect_left(spans, (at,))
        if unit == len(spans):
            break
        if unit > found[-1]:
            found.append(unit)
        at = text.find("\n", max(at + 1, spans[unit][0]))
    return found


def streams_of(row: Sequence[Any], language: Language) -> Streams:
    """The words of a row of `texts`, and what its annotation says, which may be cut otherwise."""
    text, _, *annotated = map(unpack, row)
    units = units_of(text, language)
    return Streams(units.words, lambda: (text, units.spans), [stream.split() for stream in annotated])


def annotated_streams_of(row: Sequence[Any], language: Language) -> Streams:
    """The streams of a row of `texts`, cut as its annotation is, so that they agree with exports of it."""
    text, places, *annotated = map(unpack, row)
    lines = [
        [(int(start), int(end)) for start, _, end in map(_PARTED, line.split())]
        for line in places.split("\n")
    ]
    spans = [span for line in lines for span in line]
    if not spans:
        return streams_of(row, language)
    words = [fold(text[start:end], language) for start, end in spans]
    ends = [line[-1][1] for line in lines if line]
    return Streams(words, lambda: (text, spans), [stream.split() for stream in annotated], ends)


def pack(text: str) -> bytes | None:
    """A text as a blob; None if there is none."""
    if not text:
        return None
    packed: bytes = _codec("ZstdCompressor", level=LEVEL).compress(text.encode("utf-8", "surrogatepass"))
    return packed


def unpack(blob: bytes | None) -> str:
    """The text of a blob."""
    return _codec("ZstdDecompressor").decompress(blob).decode("utf-8", "surrogatepass") if blob else ""


_of_this_thread = local()


def _codec(name: str, **options: int) -> Any:
    """What packs or unpacks in this thread: two threads must not use the same one at once."""
    if not hasattr(_of_this_thread, name):
        import zstandard

        setattr(_of_this_thread, name, getattr(zstandard, name)(**options))
    return getattr(_of_this_thread, name)
