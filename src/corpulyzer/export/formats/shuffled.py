"""Sentences or paragraphs in an order that no document can be put together from again, for a seed.

Each keeps its language, license and site, which attribution needs, and loses its document and its address.
In a corpus of several languages it is filed under its own language, whatever document it is from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise

from corpulyzer.export.files import Files, Written
from corpulyzer.export.formats import Format, Options, Work, batches_of, by_split
from corpulyzer.export.render import Material
from corpulyzer.export.shares import Write
from corpulyzer.records import UNDETERMINED, int64_hash
from corpulyzer.storage import Storage
from corpulyzer.text import sentences as cut

COUNT_SQL = """
select count(*) as pieces from made
"""
SHUFFLE_SQL = """
select split, text, language, license, site from made {where}
order by place nulls last, key nulls last, number nulls last
"""
# Passages sorted at once: to sort those of a large corpus together takes more memory than a query may.
PIECES_AT_ONCE = 1_000_000
# Places spread evenly over all signed 64-bit numbers.
LOWEST, PLACES = -(1 << 63), 1 << 64


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage, and its place in the order; `key` and `number` only decide between equal places."""

    place: int
    key: int
    number: int
    split: str
    text: str
    language: str
    license: str
    site: str


def sentences(options: Options) -> Format:
    """Shuffled sentences, one an object of JSON lines."""
    return Format("sentences", Pieces("sentence", options.seed), Collect(options.compress or "zstd"))


def paragraphs(options: Options) -> Format:
    """Shuffled paragraphs, one an object of JSON lines."""
    return Format("paragraphs", Pieces("paragraph", options.seed), Collect(options.compress or "zstd"))


@dataclass(frozen=True, slots=True)
class Pieces:
    """Cuts documents into passages and gives each a place by a hash of the seed."""

    unit: str
    seed: int

    @property
    def record(self) -> type:
        return Piece

    def __call__(self, materials: Iterable[Material]) -> Iterator[Piece]:
        for material in materials:
            it = material.published
            key = int64_hash(it.id)
            for number, (text, language) in enumerate(self._passages(material)):
                place = int64_hash(str(self.seed), it.id, str(number))
                filed = replace(material, part=language or UNDETERMINED) if material.part else material
                yield Piece(place, key, number, by_split(filed), text, language, it.license, it.site)

    def _passages(self, material: Material) -> Iterator[tuple[str, str]]:
        it, target = material.published, material.target
        for span in it.paragraphs:
            text = it.text[span.start : span.end]
            for passage in cut(text, target, material.learned) if self.unit == "sentence" else [text]:
                yield passage, span.language


@dataclass(frozen=True, slots=True)
class Collect:
    """Puts passages in the order of their places, and writes a line for each."""

    compress: str

    def __call__(self, work: Work) -> list[Written]:
        if len(work.writers.shares(work.rows)) == 1:
            return self._write(work.place, _in_order(work), "")
        # A cluster sorts any number of them: each task has the passages of a range of places.
        shuffled = work.query("shuffled", SHUFFLE_SQL.format(where=""))

        def write(share: slice, mark: str) -> Write:
            return partial(self._write, work.place, shuffled.files[share], mark)

        return work.in_shares(shuffled, write)

    def _write(self, place: Storage, shuffled: Iterable[str], mark: str) -> list[Written]:
        files = Files(place, ".jsonl", mark=mark, compress=self.compress)
        try:
            for file in shuffled:
                for row in chain.from_iterable(batch.to_pylist() for batch in batches_of(file)):
                    split = row.pop("split")
                    line = json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
                    files.write(split, line.encode("utf-8", "replace"))
            files.close()
        finally:
            files.discard()
        return files.written


def _in_order(work: Work) -> Iterator[str]:
    """Files with all passages in the order of their places, each gone when the next one is asked for."""
    pieces = work.engine.query(COUNT_SQL, {"made": work.rows}).to_pylist()[0]["pieces"]
    for where in ranges(-(-pieces // PIECES_AT_ONCE)):
        yield from work.query("shuffled", SHUFFLE_SQL.format(where=where)).files


def ranges(parts: int) -> list[str]:
    """SQL conditions that divide the range of places into `parts` parts, in order.

    >>> ranges(2), ranges(1)
    (['where place < 0', 'where place >= 0'], [''])
    """
    if parts <= 1:
        return [""]
    bounds = [LOWEST + PLACES * part // parts for part in range(1, parts)]
    inner = (f"where place >= {low} and place < {high}" for low, high in pairwise(bounds))
    return [f"where place < {bounds[0]}", *inner, f"where place >= {bounds[-1]}"]
