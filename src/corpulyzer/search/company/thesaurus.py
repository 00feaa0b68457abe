"""Words of similar company: a word's neighbours are those that stand between the same words.

Each frequent word has a vector of the words up to two places before and after it, each side apart, weighted
by positive pointwise mutual information with smoothed contexts (Levy, Goldberg and Dagan 2015). Words are as
similar as the cosine of their vectors. Nothing is projected, so the common company of two words can be shown.
Vectors are learned of a sample of the documents and kept in a file beside the index.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.errors import UserError
from corpulyzer.records.fingerprint import digest
from corpulyzer.search.finding.candidates import documents_of
from corpulyzer.search.finding.numbered import numbered
from corpulyzer.search.finding.only import EVERYTHING
from corpulyzer.search.finding.sampling import sampled
from corpulyzer.search.lexicon import ranks_of
from corpulyzer.search.units import fold
from corpulyzer.storage import AtomicFile

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from corpulyzer.search.index import Index

VERSION = 1
MOST_DOCUMENTS = 10_000
MOST_WORDS = 20_000
LEAST = 10
"""A word that comes less often in the corpus has too little company to tell."""
LEAST_TOGETHER = 2
WINDOW = 2
SMOOTHING = 0.75
DOCUMENTS_AT_ONCE = 500
SHARED = 5


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A word of similar company: how similar, how often it comes, and what both stand beside most tellingly.

    A shared word is written with its place: `word …` stands before both, `… word` after them.
    """

    word: str
    similarity: float
    count: int
    shared: tuple[str, ...]


def neighbours(index: Index, word: str, most: int = 50) -> list[Neighbour]:
    """The words that are most similar to a word; UserError where it is too rare to tell."""
    model = _model(index)
    asked = fold(word.strip(), index.language)
    place = model.places.get(asked)
    if place is None:
        raise UserError(
            f"{word.strip()!r} is no single word that comes at least {LEAST} times.",
            f"Words of similar company are told for the {len(model.words):,} most frequent words.",
        )
    own = model.vectors[place]
    similar = (model.vectors @ own.T).toarray().ravel()
    similar[place] = 0.0
    best = sorted(similar.nonzero()[0].tolist(), key=lambda at: (-similar[at], model.words[at]))[:most]
    return [
        Neighbour(model.words[at], float(similar[at]), model.counts[at], _shared(model, own, at))
        for at in best
    ]


@dataclass(frozen=True, slots=True)
class _Model:
    """Words with their counts in the corpus, and their vectors of length 1."""

    words: list[str]
    counts: list[int]
    places: dict[str, int]
    vectors: csr_matrix


def _shared(model: _Model, own: csr_matrix, at: int) -> tuple[str, ...]:
    both = own.multiply(model.vectors[at]).tocoo()
    pairs = sorted(zip(both.data.tolist(), both.col.tolist(), strict=True), key=lambda p: (-p[0], p[1]))
    size = len(model.words)
    return tuple(
        f"… {model.words[column]}" if column < size else f"{model.words[column - size]} …"
        for _, column in pairs[:SHARED]
    )


def _model(index: Index) -> _Model:
    """The vectors of the index as it is, learned if they are not there."""
    import numpy as np
    from scipy.sparse import csr_matrix

    state = _state(index)
    stored = _read(index, state)
    if stored is None:
        words, counts = _frequent(index)
        vectors = _weighted(_counted(index, words), len(words))
        stored = {
            "about": json.dumps({"state": state, "words": words, "counts": counts}),
            "data": vectors.data,
            "indices": vectors.indices,
            "indptr": vectors.indptr,
        }
        _write(index, stored, state)
    about = json.loads(str(stored["about"]))
    words = about["words"]
    parts = (stored["data"], stored["indices"], stored["indptr"])
    vectors = csr_matrix(parts, shape=(len(words), 2 * len(words)), dtype=np.float32)
    return _Model(words, about["counts"], {word: at for at, word in enumerate(words)}, vectors)


def _state(index: Index) -> str:
    """What changes whenever the index does, be it by a single document that is removed."""
    with index.reading() as connection:
        (documents,) = connection.execute("select count(*) from documents").fetchone()
    return digest([VERSION, documents, sorted(index.made().items())])


def _read(index: Index, state: str) -> dict[str, Any] | None:
    import zipfile

    import numpy as np

    try:
        with np.load(index.company) as file:
            stored = {name: file[name] for name in file.files}
        return stored if json.loads(str(stored["about"]))["state"] == state else None
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return None


def _write(index: Index, stored: dict[str, Any], state: str) -> None:
    """Keep the vectors; where nobody may write, they are learned again each time.

    Those of an index that has changed meanwhile are not kept: something may have been removed from it.
    """
    import os

    import numpy as np

    if not os.access(index.company.parent, os.W_OK):
        return
    made = AtomicFile(str(index.company))
    try:
        with open(made.temporary, "wb") as file:
            np.savez(file, **stored)
        if _state(index) == state:
            made.commit()
    finally:
        made.discard()


def _frequent(index: Index) -> tuple[list[str], list[int]]:
    with index.reading() as connection:
        ranks = ranks_of(index, connection, "words")
    size = min(MOST_WORDS, ranks.at_least(LEAST))
    return [ranks.value(at) for at in range(size)], ranks.counts[:size].tolist()


def _counted(index: Index, words: Sequence[str]) -> csr_matrix:
    """How often each word stands up to two places before, and after, each other."""
    import numpy as np
    from scipy.sparse import coo_matrix, csr_matrix

    size = len(words)
    places = {word: at for at, word in enumerate(words)}
    total = csr_matrix((size, 2 * size), dtype=np.float32)
    with index.reading() as connection:
        every = documents_of(index.shards(connection), EVERYTHING)
        chosen = sorted(sampled(range(len(every)), MOST_DOCUMENTS))
        for start in range(0, len(chosen), DOCUMENTS_AT_ONCE):
            found = numbered(every.chosen(chosen[start : start + DOCUMENTS_AT_ONCE]))
            ids = np.array([places.get(word, -1) for word in [*found.values(), ""]])[found.numbers]
            for distance in range(1, WINDOW + 1):
                one, other = ids[:-distance], ids[distance:]
                together = found.paragraphs[:-distance] == found.paragraphs[distance:]
                known = (one >= 0) & (other >= 0) & together
                one, other = one[known], other[known]
                rows, columns = np.concatenate([one, other]), np.concatenate([other, one + size])
                ones = np.ones(len(rows), np.float32)
                total = total + coo_matrix((ones, (rows, columns)), (size, 2 * size)).tocsr()
    return total


def _weighted(counted: csr_matrix, size: int) -> csr_matrix:
    """Positive pointwise mutual information, each row of length 1."""
    import numpy as np
    from scipy.sparse import csr_matrix

    cells = counted.tocoo()
    rows = np.asarray(counted.sum(axis=1)).ravel()
    columns = np.asarray(counted.sum(axis=0)).ravel() ** SMOOTHING
    often = cells.data >= LEAST_TOGETHER
    at, beside, together = cells.row[often], cells.col[often], cells.data[often]
    weights = np.log(together * columns.sum() / (rows[at] * columns[beside]))
    positive = weights > 0
    shape = (size, 2 * size)
    found = csr_matrix((weights[positive], (at[positive], beside[positive])), shape, dtype=np.float32)
    lengths = np.sqrt(np.asarray(found.multiply(found).sum(axis=1)).ravel())
    found.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(found.indptr)).astype(np.float32)
    return found
