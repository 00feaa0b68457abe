"""Count what detection of encodings knows of languages: `python tools/train_charsets.py FOLDER`.

FOLDER holds the folders `commonvoice` (CC0) and `udhr` (public domain), with a text file for each language, a
sentence a line. What is kept is how often letters follow each other, and how often Chinese, Japanese and
Korean use a character.
"""

from __future__ import annotations

import sys
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np

from corpulyzer.page.extract.charset.letters import (
    ALIEN,
    BOUNDARY,
    FIRST_LETTER,
    MARK,
    ODD,
    WRONG,
    letters,
    number_of,
)
from corpulyzer.page.extract.charset.model import FILE, STEPS_PER_NAT

LANGUAGES = {
    "Latn": "afr ast bre cat ces cos cym dan deu eng epo est eus fao fin fra fry fur gla gle glg grn hat hrv "
    "hsb hun ind isl ita lav lij lit ltz mlt nld nno nob oci pol por roh ron scn slk slv sme spa sqi srd "
    "srp@srp_latn swe tur vec vie wln",
    "Cyrl": "bel bul mkd rus srp ukr",
    "Grek": "ell",
    "Arab": "ara fas urd",
    "Hebr": "heb yid",
    "Thai": "tha",
}
"""The languages that were written in one of the encodings; ISO 639-3, as the files are named."""

WESTERN = (
    "afr ast bre cat cos dan deu eng eus fao fin fra fry fur glg grn hat ind isl ita lij ltz nld nno nob oci "
    "por roh scn spa sqi srd swe vec wln"
)
"""Those that need no more than Latin-1. All of them together stand for the many that are not here."""

CHARACTERS = {
    "zho-Hans": "zho-CN cmn",
    "zho-Hant": "zho-TW zho-HK yue cmn@cmn_hant",
    "jpn": "jpn",
    "kor": "kor",
}

# What people wrote where an encoding lacked a letter.
_INSTEAD = str.maketrans("یکۀەșțȘȚ", "يكههşţŞŢ")
_LEAST = {MARK: 1e-3, ODD: 3e-4, ALIEN: 2e-5, WRONG: 1e-7}
_SMOOTHING = 2.0
_UNSEEN = 1e-2
_MIXED = 1e-3
_ASCII = slice(FIRST_LETTER, FIRST_LETTER + 26)
MAX_CHARACTERS = 3_000


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    arrays: dict[str, np.ndarray] = {}
    for script, names in LANGUAGES.items():
        counts = {name.partition("@")[0]: counted(texts(folder, name), script) for name in names.split()}
        if script == "Latn":
            counts["und"] = sum(counts[name] / counts[name].sum() for name in WESTERN.split()) * 10_000
        arrays[f"{script}.languages"] = np.array(list(counts))
        arrays[f"{script}.pairs"] = np.stack([pair_costs(matrix, script) for matrix in counts.values()])
    for language, names in CHARACTERS.items():
        counts = Counter("".join(text for name in names.split() for text in texts(folder, name)))
        usual = [(char, count) for char, count in counts.most_common() if char >= "\x80"][:MAX_CHARACTERS]
        total = sum(count for _, count in usual)
        arrays[f"{language}.characters"] = np.array("".join(char for char, _ in usual))
        arrays[f"{language}.costs"] = costs(np.array([count / total for _, count in usual]))
    np.savez_compressed(FILE, **arrays)
    sys.stderr.write(f"{FILE}: {FILE.stat().st_size:,} bytes\n")


def texts(folder: Path, name: str) -> list[str]:
    """All that there is of a language; Common Voice adds a country to some of its names."""
    files = [*folder.glob(f"commonvoice/{name}.txt"), *folder.glob(f"commonvoice/{name}-*.txt")]
    files += folder.glob(f"udhr/{name}.txt")
    return [unicodedata.normalize("NFC", file.read_text("utf-8")) for file in sorted(files)]


def counted(samples: list[str], script: str) -> np.ndarray:
    """How often each letter follows each other one."""
    size = FIRST_LETTER + len(letters(script))
    counts = np.zeros((size, size))
    for text in sorted({*samples, *(sample.translate(_INSTEAD) for sample in samples)}):
        numbers = np.array([number_of(char, script) for char in "".join(map(_as_written, text))])
        np.add.at(counts, (numbers[:-1], numbers[1:]), 1)
    return counts


def pair_costs(counts: np.ndarray, script: str) -> np.ndarray:
    """What each letter costs behind each other one."""
    alone = counts.sum(0) + _UNSEEN
    alone[FIRST_LETTER:] += 5 * _UNSEEN
    alone /= alone.sum()
    shares = (counts + _SMOOTHING * alone) / (counts.sum(1, keepdims=True) + _SMOOTHING)
    shares[[ODD, ALIEN, WRONG]] = alone
    if script != "Latn":  # words have letters of one script
        shares[_ASCII, FIRST_LETTER + 26 :] *= _MIXED
        shares[FIRST_LETTER + 26 :, _ASCII] *= _MIXED
    for number, least in _LEAST.items():
        shares[:, number] = np.maximum(shares[:, number], least) if number == MARK else least
    shares[BOUNDARY, BOUNDARY] = 1
    return costs(shares)


def _as_written(character: str) -> str:
    """A Vietnamese letter with two marks as windows-1258 writes it: the tone as a character of its own."""
    apart = unicodedata.normalize("NFD", character)
    if len(apart) < 3:
        return character
    tones = "".join(mark for mark in apart if mark in "\u0300\u0301\u0303\u0309\u0323")
    rest = "".join(mark for mark in apart if mark not in tones)
    return unicodedata.normalize("NFC", rest) + tones


def costs(shares: np.ndarray) -> np.ndarray:
    """Negative logarithms in steps that fit into a byte."""
    return np.minimum(np.round(-np.log(shares) * STEPS_PER_NAT), 255).astype(np.uint8)


if __name__ == "__main__":
    main()
