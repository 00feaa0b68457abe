"""What is stored of a text beside its words, from which it is put together again, letter by letter.

Words are in the shards, folded and in order. So a text needs no more than what stands between them, and how
they are written where that is not as they are folded: a mark for each word, which says that it stands as it
is, or with a capital, or encloses the word itself. A space between two words is not written at all. A text
that has such marks itself is stored as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from operator import add
from threading import local
from typing import TYPE_CHECKING, Any

import regex

from corpulyzer.search.units import Units, units_of

if TYPE_CHECKING:
    from corpulyzer.language import Language

LEVEL = 6
Spans = Sequence[tuple[int, int]]
_AS_IS, _CAPITAL, _OTHER, _CLOSE, _WHOLE = "\0\1\2\3\4"
_MARKS = regex.compile("[\0-\4]")
_WORD = regex.compile("([\0\1]|\2[^\3]*\3)")
_WRITTEN = {"": " ", _CLOSE: ""}
"""Two words usually have a space between them; where there is nothing, that is said."""


def packed_rest(text: str, units: Units) -> bytes:
    """What the words of a text do not tell of it."""
    if _MARKS.search(text):
        return pack((_WHOLE + text).encode("utf-8", "surrogatepass"))
    pieces, at = list[str](), 0
    for (start, end), word in zip(units.spans, units.words, strict=True):
        between, form = text[at:start], text[start:end]
        pieces.append("" if between == " " else between or _CLOSE)
        pieces.append(_AS_IS if form == word else _mark(form, word))
        at = end
    pieces.append(text[at:])
    return pack("".join(pieces).encode("utf-8", "surrogatepass"))


def text_of(packed: bytes, words: Sequence[str], language: Language | None = None) -> tuple[str, Spans]:
    """The text with these words, and where they stand in it."""
    rest = unpack(packed).decode("utf-8", "surrogatepass")
    if rest.startswith(_WHOLE):
        return rest[1:], units_of(rest[1:], language).spans
    pieces = _WORD.split(rest)
    between = [_WRITTEN.get(each, each) for each in pieces[:-1:2]]
    forms = [_form(mark, word) for mark, word in zip(pieces[1::2], words, strict=True)]
    text = "".join(chain.from_iterable(zip(between, forms, strict=True))) + pieces[-1]
    sizes = [len(form) for form in forms]
    ends = list(accumulate(map(add, map(len, between), sizes)))
    return text, [(end - size, end) for end, size in zip(ends, sizes, strict=True)]


def _mark(form: str, word: str) -> str:
    """The mark of a word that is not written as it is folded."""
    return _CAPITAL if form == _capital(word) else f"{_OTHER}{form}{_CLOSE}"


def _form(mark: str, word: str) -> str:
    if mark == _AS_IS:
        return word
    return _capital(word) if mark == _CAPITAL else mark[1:-1]


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def packed_spans(spans: Spans) -> bytes | None:
    """Where tokens stand, as the steps from start to start, and their lengths; None if there are none."""
    import numpy as np

    if not spans:
        return None
    both = np.array(spans, dtype=np.int32)
    steps = np.diff(both[:, 0], prepend=np.int32(0))
    return pack(np.concatenate([steps, both[:, 1] - both[:, 0]]).astype("<i4").tobytes())


def spans_of(packed: bytes) -> Spans:
    """Where tokens stand."""
    import numpy as np

    steps, lengths = np.frombuffer(unpack(packed), dtype="<i4").reshape(2, -1)
    starts = np.cumsum(steps)
    return list(zip(starts.tolist(), (starts + lengths).tolist(), strict=True))


def pack(data: bytes) -> bytes:
    """Bytes, smaller."""
    packed: bytes = _codec("ZstdCompressor", level=LEVEL).compress(data)
    return packed


def unpack(packed: bytes) -> bytes:
    """The bytes that were packed."""
    data: bytes = _codec("ZstdDecompressor").decompress(packed)
    return data


_of_this_thread = local()


def _codec(name: str, **options: int) -> Any:
    """What packs or unpacks in this thread: two threads must not use the same one at once."""
    if not hasattr(_of_this_thread, name):
        import zstandard

        setattr(_of_this_thread, name, getattr(zstandard, name)(**options))
    return getattr(_of_this_thread, name)
