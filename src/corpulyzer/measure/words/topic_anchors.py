"""Words to start topics from: those whose company differs most from each other's.

A chain of Gibbs sampling that starts at random often ends with one topic in two halves and two topics in one,
and does not leave that state. Arora et al. (2013) find for each topic an anchor, a word that no other topic
has: in the space of co-occurrences anchors are corners, and the others lie between them. So the corners are
found one by one, each the farthest from all before it, and topics start from the words around them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

# Co-occurrences of this many words are looked at: the square of it is the memory, in eight bytes.
MOST_WORDS = 2_000
# A word in fewer documents says little of the company that it keeps.
MIN_DOCUMENTS, MIN_SHARE = 3, 0.005
SEED_WORDS = 10


def seed_words(documents: Sequence[Sequence[str]], topics: int) -> list[list[str]]:
    """For each topic some words that keep the company of its anchor; none if there are too few words."""
    import numpy as np

    counted = Counter(word for words in documents for word in set(words))
    least = max(MIN_DOCUMENTS, MIN_SHARE * len(documents))
    frequent = [word for word in counted if counted[word] >= least]
    words = sorted(frequent, key=lambda word: (-counted[word], word))[:MOST_WORDS]
    if len(words) < topics:
        return []
    company = _company(documents, words)
    corners = _corners(company, topics)
    sizes = np.maximum(np.linalg.norm(company, axis=1), 1e-12)
    alike = (company / sizes[:, None]) @ (company[corners] / sizes[corners, None]).T
    nearest = alike.argmax(axis=1)
    nearest[corners] = range(topics)
    seeds = []
    for topic in range(topics):
        order = np.argsort(-alike[:, topic], kind="stable")
        seeds.append([words[number] for number in order if nearest[number] == topic][:SEED_WORDS])
    return seeds


def _company(documents: Sequence[Sequence[str]], words: Sequence[str]) -> Any:
    """For each word the chances that another word of the same document, taken at random, is this or that one.

    Each document counts once, whatever its length.
    """
    import numpy as np
    from scipy import sparse

    places = {word: place for place, word in enumerate(words)}
    rows, columns, values, same = [], [], [], np.zeros(len(words))
    for number, document in enumerate(documents):
        counts = Counter(places[word] for word in document if word in places)
        pairs = counts.total() * (counts.total() - 1)
        if pairs:
            for place, count in sorted(counts.items()):
                rows.append(number)
                columns.append(place)
                values.append(count / pairs**0.5)
                same[place] += count / pairs  # a word is no company of itself
    shape = len(documents), len(words)
    matrix = sparse.csr_matrix((values, (rows, columns)), shape=shape)
    together = (matrix.T @ matrix).toarray()
    together[np.diag_indices_from(together)] -= same
    together = np.maximum(together, 0.0)
    return together / np.maximum(together.sum(axis=1, keepdims=True), 1e-12)


def _corners(points: Any, count: int) -> list[int]:
    """The numbers of points, each the farthest from what those before it span; the first from the middle."""
    import numpy as np

    corners = [int(((points - points.mean(axis=0)) ** 2).sum(axis=1).argmax())]
    rest = points - points[corners[0]]
    while len(corners) < count:
        distances = (rest**2).sum(axis=1)
        distances[corners] = -1.0
        corners.append(int(distances.argmax()))
        length = np.linalg.norm(rest[corners[-1]])
        if length > 1e-9:
            direction = rest[corners[-1]] / length
            rest = rest - np.outer(rest @ direction, direction)
    return corners
