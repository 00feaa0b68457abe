"""How well bytes fit an encoding: the cost, in nats, of what they decode to, in the language that fits best.

A cost is the negative logarithm of a probability: of a letter behind the one before it, where one of the two
is no ASCII, or of a character of Chinese, Japanese or Korean. The bytes are the same for all encodings, so
the lowest sum is the likeliest reading of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from corpulyzer.page.extract.charset.decoders import ERROR, decoded, single_byte_table
from corpulyzer.page.extract.charset.letters import SCRIPTS, number_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes: TypeAlias = NDArray[np.uint8]

FILE: Final = Path(__file__).parent / "models" / "languages.npz"
STEPS_PER_NAT = 16

MULTI_BYTE: Final = {
    "gb18030": ("zho-Hans",),
    "big5": ("zho-Hant",),
    "shift_jis": ("jpn",),
    "euc-jp": ("jpn",),
    "euc-kr": ("kor",),
    "johab": ("kor",),
}
"""The encodings of several bytes a character, and the languages that they are for."""

CASE_COST = 3.0  # a capital behind a small letter
EXPECTED_GAIN = 6.0  # for a language that the page, its address or its corpus names
UNSEEN_COST = 13.0
ERROR_COST = 16.0
AFTER_COST = 0.3  # an ASCII character behind one of several bytes: most are marks


@dataclass(frozen=True, slots=True)
class Fit:
    """An encoding, the language that its text fits best, and what the text costs."""

    encoding: str
    language: str
    cost: float


def single_byte_fits(sample: bytes, expected: Collection[str] = ()) -> list[Fit]:
    """The fit of every single-byte encoding."""
    import numpy as np

    numbers = np.frombuffer(sample, np.uint8)
    before, after = numbers[:-1], numbers[1:]
    telling = (before | after) >= 0x80
    places, counts = np.unique(before[telling].astype(np.int64) << 8 | after[telling], return_counts=True)
    fits = []
    for script, encodings in SCRIPTS.items():
        languages, pairs = _pairs(script)
        gains = np.array([EXPECTED_GAIN if language in expected else 0 for language in languages])
        for encoding in encodings.split():
            letter, rising = _byte_tables(encoding, script)
            steps = pairs[:, letter[places >> 8], letter[places & 255]]
            costs = steps @ counts / STEPS_PER_NAT - gains
            best = int(costs.argmin())
            capitals = float(counts @ rising[places >> 8, places & 255])
            fits.append(Fit(encoding, languages[best], float(costs[best]) + CASE_COST * capitals))
    return fits


def multi_byte_fits(sample: bytes, expected: Collection[str] = ()) -> list[Fit]:
    """The fit of every encoding with several bytes a character."""
    fits = []
    for encoding, languages in MULTI_BYTE.items():
        counts = Counter(decoded(sample, encoding))
        errors = counts.pop(ERROR, 0)
        own = {char: count for char, count in counts.items() if char >= "\x80"}
        behind = min(sum(own.values()), counts.total() - sum(own.values()))
        for language in languages:
            known = _characters(language)
            cost = sum(known.get(char, UNSEEN_COST) * count for char, count in own.items())
            gain = EXPECTED_GAIN if language[:3] in expected else 0
            fits.append(Fit(encoding, language, cost + errors * ERROR_COST + behind * AFTER_COST - gain))
    return fits


@cache
def _data() -> dict[str, NDArray[np.generic]]:
    import numpy as np

    with np.load(FILE) as data:
        return {name: data[name] for name in data.files}


@cache
def _pairs(script: str) -> tuple[list[str], NDArray[np.int64]]:
    import numpy as np

    languages: list[str] = _data()[f"{script}.languages"].tolist()
    return languages, _data()[f"{script}.pairs"].astype(np.int64)


@cache
def _characters(language: str) -> dict[str, float]:
    data = _data()
    costs: list[int] = data[f"{language}.costs"].tolist()
    return {
        char: cost / STEPS_PER_NAT
        for char, cost in zip(str(data[f"{language}.characters"]), costs, strict=True)
    }


@cache
def _byte_tables(encoding: str, script: str) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The number of each byte in the script; of each pair of bytes, whether a capital follows a small one."""
    import numpy as np

    table = single_byte_table(encoding)
    letter = np.array([number_of(char, script) for char in table])
    small, capital = (
        np.array([getattr(char, f"is{case}")() for char in table]) for case in ("lower", "upper")
    )
    return letter, small[:, None] & capital[None, :]
