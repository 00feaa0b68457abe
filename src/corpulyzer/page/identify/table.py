"""A table of weights: n-gram bucket by language; the score of a text is a sum of its rows.

Weights are whole numbers of one byte.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from corpulyzer.errors import UserError
from corpulyzer.page.identify.ngrams import hashed, letters_of
from corpulyzer.page.identify.stems import Stems

Scores = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Packed = npt.NDArray[np.uint64]

_BIAS = 128
_MAGIC = "corpulyzer-table"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Weights of n-grams for some labels, and the usual scores of texts that are in the language.

    A label is a code, with a script where a language has several (`srp-Latn`). `weights` has a column for
    each label that decides; `fit` columns after them, if any, tell whether a text is like the label at all.
    `usual` and `spread` describe the fit score of a true text for each n-gram; `steepness` and `shift`
    turn a margin into a confidence. `stems` are words, or beginnings of words with a star, with weights of
    their own. `packed` are the weights, four columns to a number. `calls` are the answers of the first
    identifier at which this table is asked. `base`, if any, is how rare the n-grams of a bucket are in any
    text, in eighths of a nat: what a new label is compared with.
    """

    name: str
    labels: tuple[str, ...]
    orders: tuple[int, ...]
    bits: int
    weights: npt.NDArray[np.int8]
    usual: Floats
    spread: Floats
    steepness: float = 1.0
    shift: float = 0.0
    stems: Mapping[str, Sequence[int]] = field(default_factory=dict)
    calls: frozenset[str] = frozenset()
    base: npt.NDArray[np.uint8] | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)
    packed: Packed = field(init=False, repr=False)
    _stems: Stems = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "packed", _pack(self.weights))
        object.__setattr__(self, "_stems", Stems(self.stems))

    @property
    def codes(self) -> tuple[str, ...]:
        """The language code of each label."""
        return tuple(label.partition("-")[0] for label in self.labels)

    @property
    def fit_column(self) -> int:
        """The first column that tells how well a text fits."""
        return int(self.weights.shape[1]) - len(self.labels)

    def only(self, kept: Sequence[int]) -> Table:
        """A table without fit columns that has some of its labels only, by number."""
        return replace(
            self,
            labels=tuple(self.labels[number] for number in kept),
            weights=np.ascontiguousarray(self.weights[:, kept]),
            usual=self.usual[kept],
            spread=self.spread[kept],
        )

    def with_columns(self, others: Sequence[Table]) -> Table:
        """This table with the labels of others beside its own; where both have one, theirs replaces it."""
        new = {label for other in others for label in other.labels}
        rest = self.only([i for i, label in enumerate(self.labels) if label not in new])
        parts = [(each.labels, each.weights, each.usual, each.spread) for each in (rest, *others)]
        labels, weights, usual, spread = zip(*parts, strict=True)
        return replace(
            self,
            labels=tuple(chain.from_iterable(labels)),
            weights=np.ascontiguousarray(np.concatenate(weights, axis=1)),
            usual=np.concatenate(usual),
            spread=np.concatenate(spread),
            calls=self.calls.union(*(other.calls for other in others)),
        )

    def score_tokens(self, tokens: Sequence[str]) -> Scores:
        """For each token its score in every column, and in the last column the number of its n-grams."""
        packed = np.zeros((len(tokens), self.packed.shape[1]), np.uint64)
        counts = np.zeros(len(tokens), np.int32)
        letters = letters_of(tokens)
        for buckets, owners in hashed(letters, self.orders, self.bits) if tokens else ():
            here = np.bincount(owners, minlength=len(tokens)).astype(np.int32)
            some = np.flatnonzero(here)
            if len(some):
                starts = (np.cumsum(here) - here)[some]
                packed[some] += np.add.reduceat(self.packed.take(buckets, axis=0), starts, axis=0)
                counts += here
        columns = self.weights.shape[1]
        scores = np.empty((len(tokens), columns + 1), np.int32)
        scores[:, :columns] = packed.view(np.uint16)[:, :columns]
        scores[:, :columns] -= (counts * _BIAS)[:, None]
        scores[:, columns] = counts
        if self.stems:
            self._stems.add_to(scores, letters.first_words(), len(self.labels))
        return scores


def _pack(weights: npt.NDArray[np.int8]) -> Packed:
    """Four columns in one number, made positive by an offset, so that one sum adds all four."""
    lanes = -(-weights.shape[1] // 4)
    raised = np.zeros((weights.shape[0], lanes * 4), np.uint16)
    raised[:, : weights.shape[1]] = (weights.astype(np.int16) + _BIAS).astype(np.uint16)
    return raised.view(np.uint64)


def save(table: Table, file: Path, level: int = 19) -> None:
    """Write a table to a file, whole or not at all, packed at a level from 1 to 22."""
    import zstandard

    header = {
        "format": _MAGIC,
        "name": table.name,
        "labels": table.labels,
        "orders": table.orders,
        "bits": table.bits,
        "columns": table.weights.shape[1],
        "usual": [round(float(x), 3) for x in table.usual],
        "spread": [round(float(x), 3) for x in table.spread],
        "steepness": round(table.steepness, 5),
        "shift": round(table.shift, 5),
        "stems": {stem: list(weights) for stem, weights in table.stems.items()},
        "calls": sorted(table.calls),
        "base": table.base is not None,
        "notes": dict(table.notes),
    }
    # Column by column: neighbours in a column are alike, so the file is smaller.
    body = np.ascontiguousarray(table.weights.T).tobytes() + (
        b"" if table.base is None else table.base.tobytes()
    )
    content = json.dumps(header, ensure_ascii=False).encode() + b"\n" + body
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(file.suffix + ".part")
    temporary.write_bytes(zstandard.ZstdCompressor(level=level).compress(content))
    temporary.replace(file)


def load(file: Path) -> Table:
    """The table in a file that `save` wrote."""
    header, body = _read(file)
    columns, buckets = header["columns"], 1 << header["bits"]
    weights = np.frombuffer(body, np.int8, columns * buckets).reshape(columns, buckets).T
    base = np.frombuffer(body, np.uint8, buckets, columns * buckets) if header["base"] else None
    return Table(
        name=header["name"],
        labels=tuple(header["labels"]),
        orders=tuple(header["orders"]),
        bits=header["bits"],
        weights=np.ascontiguousarray(weights),
        usual=np.asarray(header["usual"], float),
        spread=np.asarray(header["spread"], float),
        steepness=header["steepness"],
        shift=header["shift"],
        stems=header["stems"],
        calls=frozenset(header["calls"]),
        base=base,
        notes=header["notes"],
    )


def head(file: Path) -> dict[str, Any]:
    """What a file says of its table, without the weights: labels, calls, notes."""
    return _read(file)[0]


def _read(file: Path) -> tuple[dict[str, Any], bytes]:
    import zstandard

    try:
        content = zstandard.ZstdDecompressor().decompress(file.read_bytes())
        first, _, body = content.partition(b"\n")
        header: dict[str, Any] = json.loads(first)
        expected = (header["columns"] + header["base"]) << header["bits"]
        if header["format"] != _MAGIC or len(body) != expected:
            raise ValueError("its parts do not fit together")
    except (OSError, ValueError, KeyError, zstandard.ZstdError) as error:
        raise UserError(
            f"{file} is no model of ours: {error}.", "Make it again with `corpulyzer identify train`."
        ) from None
    return header, body
