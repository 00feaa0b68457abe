"""Keywords: the words that a corpus has more often than another, and the frequency lists to compare with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from corpulyzer.errors import UserError
from corpulyzer.search.lexicon import ranks_of
from corpulyzer.search.measures import log_likelihoods
from corpulyzer.search.shards.column import encoded
from corpulyzer.search.units import fold
from corpulyzer.text import nfc

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corpulyzer.language import Language
    from corpulyzer.search.index import Index
    from corpulyzer.search.lexicon import Ranks

EXPORTED = "rank\tword\tfrequency\t"
"""How a list begins that `corpulyzer export frequency` has made."""


By = Literal["log_likelihood", "log_ratio"]
BY: tuple[By, ...] = get_args(By)


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word that one corpus has more often than a reference: log-ratio (Hardie 2014) and log-likelihood."""

    word: str
    count: int
    reference_count: int
    log_ratio: float
    log_likelihood: float


def keywords(
    index: Index,
    reference: Mapping[str, int],
    least: int = 3,
    by: By = "log_likelihood",
    most: int | None = None,
) -> list[Keyword]:
    """The words that the corpus has more often than a reference, the strongest first, all or so many.

    A word that the reference lacks is taken to be there half a time, or its ratio would be infinite.
    """
    import numpy as np

    if by not in BY:
        raise UserError(f"Keywords cannot be sorted by {by!r}.", f"Choose one of: {', '.join(BY)}.")
    others = sum(reference.values())
    with index.reading() as connection:
        own = connection.execute("select coalesce(sum(words), 0) from sites").fetchone()[0]
        ranks = ranks_of(index, connection, "words")
    size = ranks.at_least(least)
    counts, beside = ranks.counts[:size], _beside(ranks, size, reference)
    ratios = np.log2((counts / max(1, own)) / (np.where(beside > 0, beside, 0.5) / max(1, others)))
    more = np.flatnonzero(ratios > 0)
    counts, beside, ratios = counts[more], beside[more], ratios[more]
    strengths = log_likelihoods(counts, own, counts + beside, own + others)
    # Words of one measure are those of one count, and they stand in the order of their letters.
    order = np.argsort(-(strengths if by == "log_likelihood" else ratios), kind="stable")[:most]
    columns = (each[order].tolist() for each in (counts, beside, ratios, strengths))
    return list(map(Keyword, ranks.names(more[order]), *columns))


def _beside(ranks: Ranks, size: int, reference: Mapping[str, int]) -> NDArray[np.int64]:
    """How often the reference has each word."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if not reference:
        return np.zeros(size, dtype=np.int64)
    keys = pa.array(map(encoded, reference), pa.binary())
    places = pc.fill_null(pc.index_in(ranks.values(size), value_set=keys), -1).to_numpy(zero_copy_only=False)
    known = np.fromiter(reference.values(), np.int64, len(reference))
    return np.where(places >= 0, known[places], 0)


def counts_of(index: Index) -> dict[str, int]:
    """How often each word comes in another corpus."""
    with index.reading() as connection:
        return dict(connection.execute("select value, count from lexicon where stream = 'words'"))


def read_reference(path: Path, language: Language | None = None) -> dict[str, int]:
    """The counts of a list: a JSON object, a word and its count on each line, in either order, or an export.

    Spellings in capitals and small letters are counted together, as the index does it.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"{path} cannot be read: {error}.", "Name a UTF-8 file with words and counts."
        ) from None
    pairs = _members(text, path) if text.lstrip().startswith("{") else _lines(text, path)
    if not pairs:
        raise UserError(f"{path} has no word with its count.", "Write `word<TAB>count` on each line.")
    counts: dict[str, int] = {}
    for word, count in pairs:
        key = fold(nfc(word), language)
        counts[key] = counts.get(key, 0) + count
    return counts


def _members(text: str, path: Path) -> list[tuple[str, int]]:
    try:
        return [(word, int(count)) for word, count in json.loads(text).items()]
    except (ValueError, TypeError) as error:
        raise UserError(f"{path} is no list of words: {error}.", 'Write `{"word": 12}`.') from None


def _lines(text: str, path: Path) -> list[tuple[str, int]]:
    if text.startswith(EXPORTED):
        rows = (line.split("\t") for line in text.splitlines()[1:])
        return [(row[1], int(row[2])) for row in rows if len(row) > 2]
    pairs = []
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.replace(",", "\t").split()
        if not fields or line.startswith("#"):
            continue
        if len(fields) == 2 and fields[1].isdecimal():
            pairs.append((fields[0], int(fields[1])))
        elif len(fields) == 2 and fields[0].isdecimal():
            pairs.append((fields[1], int(fields[0])))
        elif number > 1:  # the first line may be a header
            raise UserError(f"{path}, line {number}: no word with its count.", "Write `word<TAB>count`.")
    return pairs
