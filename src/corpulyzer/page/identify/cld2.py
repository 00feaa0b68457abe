"""Compact Language Detector 2: quick, about 160 languages, unable to tell many similar languages apart.

It is called once a page, on plain text, and tells the language of stretches of bytes, which are then
counted for the paragraphs they lie in (CZ-5). A stretch that it is not sure of is `und`. Its summary of
the page is not used: it speaks for the whole page, and gives doubtful stretches to the main language.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import regex

from corpulyzer.errors import UserError
from corpulyzer.native import compiled
from corpulyzer.page.identify import Asked, Identified, leading
from corpulyzer.records import UNDETERMINED

# What CLD2 refuses: controls, halves of surrogate pairs, and code points that are no characters.
_REFUSED = regex.compile(
    rb"[\x00-\x08\x0b\x0e-\x1f\x7f]+|\xc2[\x80-\x9f]|\xed[\xa0-\xbf][\x80-\xbf]"
    rb"|\xef\xb7[\x90-\xaf]|\xef\xbf[\xbe\xbf]|[\xf0-\xf4][\x8f\x9f\xaf\xbf]\xbf[\xbe\xbf]"
)
# First byte, number of bytes, name and code of a stretch in one language.
Vectors = tuple[tuple[int, int, str, str], ...]
_NONE: frozenset[str] = frozenset()
# Its Kurdish is Sorani: it knows no other. Its Pig Latin is no language.
_CODES = {"ku": "ckb", "sr-ME": "cnr", "zh-Hant": "zho", "zzp": UNDETERMINED, "un": UNDETERMINED}
# Scripts that it names instead of a language, and in which one living language is written.
_SCRIPTS = {
    *(("Bali", "ban"), ("Bamu", "bax"), ("Bugi", "bug"), ("Cakm", "ccp"), ("Java", "jav"), ("Kali", "eky")),
    *(("Lepc", "lep"), ("Lisu", "lis"), ("Mtei", "mni"), ("Nkoo", "nqo"), ("Olck", "sat"), ("Rjng", "rej")),
    *(("Saur", "saz"), ("Sora", "srb"), ("Sund", "sun"), ("Sylo", "syl"), ("Tale", "tdd"), ("Talu", "khb")),
    *(("Tavt", "blt"), ("Vaii", "vai"), ("Yiii", "iii")),
}


@dataclass(frozen=True, slots=True)
class Cld2:
    """Bytes by language for each paragraph; the confidence is the share of the leading language.

    `hint` is the code of a language to expect: short and doubtful text leans towards it.
    """

    hint: str = ""

    @property
    def languages(self) -> frozenset[str]:
        """The codes that it can give."""
        import pycld2

        known = set(pycld2.DETECTED_LANGUAGES)
        codes = [code for name, code in pycld2.LANGUAGES if name in known]
        codes += [f"xx-{script}" for script, _ in _SCRIPTS]
        return frozenset(map(iso639_3, codes)) - {UNDETERMINED}

    def __call__(self, paragraphs: Sequence[str]) -> list[Identified]:
        """One answer for each paragraph, in order."""
        return self.look(paragraphs)[0]

    def look(self, paragraphs: Sequence[str]) -> tuple[list[Identified], frozenset[str]]:
        """The answers, and those languages among them that do not score on this page as they usually do."""
        # Once each: CLD2 skips what it has seen before on a page of several languages, and calls it unknown.
        distinct = list(dict.fromkeys(paragraphs))
        raw = "\n".join(distinct).encode("utf-8", "surrogatepass")
        summary, vectors = _detected(raw, _hint(self.hint))
        found = _told(distinct, raw, vectors)
        strange = [code for _, code, _, score in summary if code != "un" and not _usual(code, score)]
        unusual = frozenset(map(iso639_3, strange)) if strange else _NONE
        if len(distinct) == len(paragraphs):
            return found, unusual
        answers = dict(zip(distinct, found, strict=True))
        return [answers[paragraph] for paragraph in paragraphs], unusual


def cld2(asked: Asked) -> Cld2:
    """The identifier as the settings ask for it."""
    return Cld2(asked.target if asked.hint else "")


def best_guess(text: str) -> str:
    """The language that CLD2 finds likeliest, sure or not; `und` where it has no guess at all."""
    import pycld2

    raw = text.encode("utf-8", "surrogatepass")
    options = {"isPlainText": True, "bestEffort": True}
    try:
        *_, summary = pycld2.detect(raw, **options)
    except pycld2.error:
        *_, summary = pycld2.detect(_refused_as_spaces(raw), **options)
    return iso639_3(summary[0][1])


def _told(paragraphs: Sequence[str], raw: bytes, vectors: Vectors) -> list[Identified]:
    """What the vectors of `raw` say of each paragraph."""
    if compiled is not None:
        found: list[Identified] | None = compiled.by_stretches(
            raw, len(paragraphs), vectors, iso639_3, UNDETERMINED, Identified, _of_several
        )
        if found is not None:
            return found
    sizes = _sizes(paragraphs, raw)
    if len(vectors) == 1 and vectors[0][0] == 0 and vectors[0][1] >= len(raw):
        language = iso639_3(vectors[0][3])
        return [_of_one_language(language, size) for size in sizes]
    return list(_identified(sizes, _stretches(vectors)))


def _sizes(paragraphs: Sequence[str], raw: bytes) -> Iterable[int]:
    """The size in bytes of each paragraph; `raw` holds them all, one a line."""
    if len(paragraphs) == 1:
        return (len(raw),)
    lines = raw.split(b"\n")
    if len(lines) == len(paragraphs):
        return map(len, lines)
    return (len(paragraph.encode("utf-8", "surrogatepass")) for paragraph in paragraphs)


def _identified(sizes: Iterable[int], stretches: Iterator[tuple[int, str]]) -> Iterator[Identified]:
    start, stretch_end, language = 0, 0, UNDETERMINED
    for size in sizes:
        end = start + size
        while stretch_end <= start:
            stretch_end, language = next(stretches)
        if end <= stretch_end:
            yield _of_one_language(language, size)
        else:
            parts = {language: stretch_end - start}
            while stretch_end < end:
                position = stretch_end
                stretch_end, language = next(stretches)
                parts[language] = parts.get(language, 0) + min(stretch_end, end) - position
            yield _of_several(parts)
        start = end + 1


# Most paragraphs lie within one stretch, and many have the same size: the cache saves a third of the time.
@lru_cache(maxsize=1 << 14)
def _of_one_language(language: str, size: int) -> Identified:
    sizes = {language: size} if size else {}
    return Identified(*leading(sizes), sizes)


def _of_several(sizes: dict[str, int]) -> Identified:
    return Identified(*leading(sizes), sizes)


@cache
def _hint(code: str) -> str | None:
    """CLD2's own code of a language to expect, where it knows the language."""
    if not code:
        return None
    import pycld2

    known = set(pycld2.DETECTED_LANGUAGES)
    codes = {iso639_3(own): own for name, own in pycld2.LANGUAGES if name in known}
    return codes.get(code)


def _detected(text: bytes, hint: str | None) -> tuple[Any, Vectors]:
    """CLD2's summary of a text, up to three languages, and its stretches."""
    import pycld2

    options = {"isPlainText": True, "hintLanguage": hint, "returnVectors": True}
    try:
        return _asked(pycld2.detect, text, options)
    except pycld2.error:
        return _asked(pycld2.detect, _refused_as_spaces(text), options)


def _refused_as_spaces(text: bytes) -> bytes:
    """A text without what CLD2 refuses; offsets stay the same."""
    return _REFUSED.sub(lambda match: b" " * len(match[0]), text)


def _asked(detect: Callable[..., Any], text: bytes, options: dict[str, Any]) -> tuple[Any, Vectors]:
    if compiled is not None:
        found: tuple[Any, Vectors] = compiled.detected(detect, text, options)
        return found
    *_, summary, vectors = detect(text, **options)
    return summary, vectors


def _usual(code: str, score: float) -> bool:
    """Whether a score is usual for text of a language; true for languages that were not measured."""
    low, high = _bands().get(code, (0.0, 1e9))
    return low <= score <= high


@cache
def _bands() -> dict[str, tuple[float, float]]:
    """The scores between which nearly all paragraphs of a language lie, by CLD2's code."""
    file = Path(__file__).with_name("models") / "bands.json"
    return {code: (low, high) for code, (low, high) in json.loads(file.read_text("utf-8")).items()}


def _stretches(vectors: Vectors) -> Iterator[tuple[int, str]]:
    """End and language of the stretches that CLD2 sees, in order, from the first byte on and without gaps."""
    position = 0
    for start, size, _, code in vectors:
        if start > position:
            yield start, UNDETERMINED
        position = max(position, start + size)
        yield position, iso639_3(code)
    yield sys.maxsize, UNDETERMINED


@cache
def iso639_3(code: str) -> str:
    """The ISO 639-3 code of a code of CLD2; `und` for what it has no language for.

    >>> iso639_3("zh-Hant"), iso639_3("iw"), iso639_3("no"), iso639_3("xx-Qaai"), iso639_3("un")
    ('zho', 'heb', 'nob', 'und', 'und')
    """
    from corpulyzer.language import Language

    if code.startswith("xx-"):
        return dict(_SCRIPTS).get(code[3:], UNDETERMINED)
    try:
        return _CODES.get(code) or Language.find(code).code
    except UserError:
        return UNDETERMINED
