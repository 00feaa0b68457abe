"""A few texts of each language as bags of n-gram numbers: what a new language is tried against.

They cannot be read, but they can be scored: how often would the new language take them for its own?
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from corpulyzer.page.identify.ngrams import hashed, letters_of
from corpulyzer.page.identify.training.learn import Counts

Bag = npt.NDArray[np.uint16]


def bag_of(text: str, orders: Sequence[int], bits: int) -> Bag:
    """The n-grams of a text by number, sorted: the order of the words is lost."""
    parts = [buckets for buckets, _ in hashed(letters_of(text.split()), orders, bits)]
    return np.sort(np.concatenate(parts)).astype(np.uint16)


def save_probes(texts: Mapping[str, Sequence[str]], file: Path, orders: Sequence[int], bits: int) -> None:
    """Write the bags of some texts by label."""
    import zstandard

    bags = {label: [bag_of(text, orders, bits) for text in each] for label, each in texts.items()}
    header = json.dumps({label: [len(bag) for bag in each] for label, each in bags.items()}).encode()
    # Steps between sorted numbers are small, and small numbers pack well.
    steps = [np.diff(bag, prepend=np.uint16(0)) for each in bags.values() for bag in each]
    body = np.concatenate(steps).astype("<u2") if steps else np.zeros(0, "<u2")
    planes = body.view(np.uint8).reshape(-1, 2).T.tobytes()
    file.write_bytes(zstandard.ZstdCompressor(level=19).compress(header + b"\n" + planes))


def load_probes(file: Path) -> dict[str, list[Bag]]:
    """The bags in a file that `save_probes` wrote."""
    import zstandard

    header, _, planes = zstandard.ZstdDecompressor().decompress(file.read_bytes()).partition(b"\n")
    body = np.ascontiguousarray(np.frombuffer(planes, np.uint8).reshape(2, -1).T).view("<u2").ravel()
    found: dict[str, list[Bag]] = {}
    position = 0
    for label, sizes in json.loads(header).items():
        found[label] = []
        for size in sizes:
            found[label].append(np.cumsum(body[position : position + size], dtype=np.uint16))
            position += size
    return found


def scores_of(bags: Sequence[Bag], weights: npt.NDArray[np.int8]) -> Counts:
    """For each bag its score in every column of a table."""
    return np.array([weights[bag].sum(axis=0, dtype=np.int64) for bag in bags], float)
