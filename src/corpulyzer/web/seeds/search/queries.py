"""What to ask a search engine: random tuples of words that are neither common nor rare.

Common words bring pages of every kind, rare ones bring none. HR-1 takes pairs of the words of ranks 1,000 to
10,000 of a frequency list, XH-1 single words of a dictionary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import comb
from pathlib import Path
from random import Random

import regex

from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.text import clean, tokens

RANKS = (1_000, 10_000)
# A list that holds fewer words between the ranks is used as a whole.
FEWEST_WORDS = 100

_NUMBER = regex.compile(r"[\d.,]+")
_LETTERS = regex.compile(r"\p{L}")


def words_in_list(path: Path) -> list[str]:
    """The words of a list, most frequent first: a word a line, with its count beside it or in order."""
    rows = [_row(line) for line in _text(path).splitlines() if line.strip() and not line.startswith("#")]
    found = [(word, count) for word, count in rows if word]
    if not found:
        raise UserError(f"{path} has no words in it.", "Name a file with a word a line.")
    if all(count is not None for _, count in found):
        found.sort(key=lambda row: -(row[1] or 0))
    return list(dict.fromkeys(word for word, _ in found))


def words_in_text(path: Path, language: Language) -> list[str]:
    """The words of any text, most frequent first."""
    found = ranked(_text(path).splitlines(), language)
    if not found:
        raise UserError(f"{path} has no words in it.", f"Name a file with text in {language.name}.")
    return found


def ranked(texts: Iterable[str], language: Language) -> list[str]:
    """The words of texts by frequency, then by the alphabet; those with foreign letters are out."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word.lower() for word in tokens(clean(text), language))
    return by_rank(counts, language)


def by_rank(counts: Counter[str], language: Language) -> list[str]:
    """The words of the language among those counted, most frequent first."""
    kept = [word for word in counts if _is_word(word, language)]
    return sorted(kept, key=lambda word: (-counts[word], word))


def between(words: Sequence[str], ranks: tuple[int, int] | None) -> Sequence[str]:
    """The words of these ranks, counted from 1; without ranks those of `RANKS`, or all of a short list."""
    first, last = ranks or RANKS
    middle = words[first - 1 : last]
    if ranks is None and len(middle) < FEWEST_WORDS:
        return words
    if not middle:
        raise UserError(
            f"The list has {len(words):,} words, none of ranks {first:,} to {last:,}.",
            f"Choose ranks within it, such as --ranks 1-{len(words)}, or leave --ranks out.",
        )
    return middle


def random_tuples(words: Sequence[str], size: int, seed: int) -> Iterator[str]:
    """Queries of `size` different words, none twice, the same for the same seed, until there are no more."""
    rng = Random(seed)
    seen: set[frozenset[int]] = set()
    every = comb(len(words), size)
    while len(seen) < every:
        drawn: dict[int, None] = {}
        while len(drawn) < size:
            drawn[int(rng.random() * len(words))] = None
        key = frozenset(drawn)
        if key not in seen:
            seen.add(key)
            yield " ".join(words[number] for number in drawn)


def _row(line: str) -> tuple[str, int | None]:
    """The word and the count of a line, in whatever order they stand."""
    cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
    word = next((cell for cell in cells if cell and not _NUMBER.fullmatch(cell)), "")
    numbers = [cell for cell in cells if cell.isascii() and cell.isdigit()]
    return clean(word), int(numbers[-1]) if numbers else None


def _is_word(word: str, language: Language) -> bool:
    if not _LETTERS.search(word) or len(word) < 2:
        return False
    ranges = language.ranges
    return not ranges or all(any(low <= ord(c) <= high for low, high in ranges) for c in word)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.", "Name a file with words.") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is no UTF-8 text.", "Save it as UTF-8 and run this again.") from None
