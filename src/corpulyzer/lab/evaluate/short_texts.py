"""Short texts of known language to measure on: words, pairs of words, cuts, headlines, and mixed lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import regex

from corpulyzer.page.identify.training.samples import Sample
from corpulyzer.text import spaceless

CUT_CHARACTERS = 15
SHORTEST, LONGEST = 20, 500
_WORD = regex.compile(r"[\p{L}\p{M}'’]+")
_SEED = 7
# Characters instead of words where words are not parted.
_CHARACTERS = {"word": (2, 4), "pair": (4, 8), "headline": (12, 24)}
_WORDS = {"word": (1, 1), "pair": (2, 2), "headline": (4, 8)}


def short_texts(sample: Sample, level: str) -> Iterator[str]:
    """A text out of each line of a sample, always the same; lines that are too short give none."""
    rng = Random(f"{_SEED} {level} {sample.label} {sample.source}")
    make: Callable[[Sample, str, str, Random], str] = {"cut": _cut, "mixed": _mixed}.get(level, _words)
    return (text for line in sample.lines if (text := make(sample, line, level, rng)))


def _words(sample: Sample, line: str, level: str, rng: Random) -> str:
    """Some words that stand together, without punctuation."""
    words = _WORD.findall(line)
    if spaceless(sample.script):
        low, high = _CHARACTERS[level]
        return _stretch("".join(words), rng.randint(low, high), low, rng)
    low, high = _WORDS[level]
    count = rng.randint(low, high)
    if level == "word":
        words = [word for word in words if len(word) > 3]
    if len(words) < low:
        return ""
    start = rng.randrange(max(1, len(words) - count + 1))
    return " ".join(words[start : start + count])


def _cut(sample: Sample, line: str, _level: str, rng: Random) -> str:
    """Fifteen characters from the beginning of a word on."""
    if spaceless(sample.script):
        return _stretch(line, CUT_CHARACTERS, CUT_CHARACTERS, rng)
    starts = [0, *(match.end() for match in regex.finditer(r"\s+", line))]
    fitting = [start for start in starts if start + CUT_CHARACTERS <= len(line)]
    start = rng.choice(fitting) if fitting else 0
    return line[start : start + CUT_CHARACTERS].strip() if fitting else ""


def _mixed(sample: Sample, line: str, _level: str, rng: Random) -> str:
    """From 20 to 500 characters, short ones as often as long ones by the log of their length; whole words."""
    size = round(SHORTEST * (LONGEST / SHORTEST) ** rng.random())
    if len(line) <= size or spaceless(sample.script):
        text = line[:size]
    else:
        text = line[: size + 1].rpartition(" ")[0]
    return text if len(text) >= SHORTEST else ""


def _stretch(line: str, size: int, least: int, rng: Random) -> str:
    start = rng.randrange(max(1, len(line) - size + 1))
    text = line[start : start + size]
    return text if len(text) >= least else ""
