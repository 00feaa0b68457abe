"""A stratified sample of documents, drawn so that it can be weighted back to the corpus.

Strata are verdict × score band × length band. Within a stratum the documents are put in order of their sites
and every n-th is taken from a random start, so that sites are represented as they are in the corpus without a
stratum for each of ten thousand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from corpulyzer.audit.labels import FOLDER, must_be_name
from corpulyzer.errors import UserError
from corpulyzer.records import int64_hash
from corpulyzer.storage import Storage
from corpulyzer.storage.lock import editing

if TYPE_CHECKING:
    from corpulyzer.engine import Dataset, Engine

SCORE_BANDS = (0.5, 0.9)
LENGTH_BANDS = (1_000, 5_000)
LONGEST_TEXT = 4_000
FRAME_SQL = """
select id, site, text_bytes, target_bytes, verdict.kept as kept, verdict.reason as reason
from documents where text_bytes > 0 and verdict.kept = {kept} order by id nulls last
"""
TEXTS_SQL = "select id, url, site, title, text from documents where id in ({keys}) order by id nulls last"


@dataclass(frozen=True, slots=True)
class Item:
    """A document of the sample: its stratum, how many documents of the corpus it stands for, and its text.

    The text is kept with the sample, so that labels keep their meaning when the corpus is made again.
    """

    id: int
    url: str
    site: str
    title: str
    stratum: str
    weight: float
    text: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample and how it was drawn."""

    items: tuple[Item, ...]
    population: int
    seed: int
    rejects: bool = False

    def strata(self) -> dict[str, int]:
        """How many documents come from each stratum."""
        counts: dict[str, int] = {}
        for item in self.items:
            counts[item.stratum] = counts.get(item.stratum, 0) + 1
        return counts


def draw(engine: Engine, documents: Dataset, size: int, *, seed: int, rejects: bool = False) -> Sample:
    """A stratified sample of the kept documents, or of those that the filters dropped."""
    frame = engine.query(FRAME_SQL.format(kept="false" if rejects else "true"), {"documents": documents})
    rows = frame.to_pylist()
    if not rows:
        what = "no dropped document with text" if rejects else "no kept document"
        raise UserError(f"There is {what} to draw from.", "See `corpulyzer status` for what there is.")
    strata: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        strata.setdefault(stratum_of(row), []).append(row)
    chosen: dict[int, tuple[str, float]] = {}
    for name, count in allocate({name: len(group) for name, group in strata.items()}, size).items():
        picked = systematic(strata[name], count, Random(int64_hash(str(seed), name)))
        chosen |= {row["id"]: (name, len(strata[name]) / count) for row in picked}
    keys = ", ".join(map(str, sorted(chosen)))
    texts = engine.query(TEXTS_SQL.format(keys=keys), {"documents": documents}).to_pylist()
    # In an order that says nothing of the strata, the same on every machine.
    texts.sort(key=lambda row: int64_hash(str(seed), str(row["id"])))
    items = tuple(_item(row, *chosen[row["id"]]) for row in texts)
    return Sample(items, len(rows), seed, rejects)


def stratum_of(row: dict[str, Any]) -> str:
    """The stratum of a document: verdict, share of target text, length."""
    share = row["target_bytes"] / row["text_bytes"]
    score = "low mid high".split()[sum(share >= edge for edge in SCORE_BANDS)]
    length = "short medium long".split()[sum(row["text_bytes"] >= edge for edge in LENGTH_BANDS)]
    return f"{'kept' if row['kept'] else row['reason']} · {score} share · {length}"


def allocate(populations: dict[str, int], size: int) -> dict[str, int]:
    """How many to draw from each stratum: in proportion to its size, and at least one.

    With more strata than `size`, the largest get one each.

    >>> allocate({"a": 90, "b": 9, "c": 1}, 10)
    {'a': 8, 'b': 1, 'c': 1}
    """
    total, names = sum(populations.values()), sorted(populations, key=lambda name: (-populations[name], name))
    names = names[:size]
    counts = dict.fromkeys(names, 1)
    for _ in range(min(size, total) - len(names)):
        room = [name for name in names if counts[name] < populations[name]]
        if not room:
            break
        best = max(room, key=lambda name: (populations[name] / (counts[name] + 0.5), -names.index(name)))
        counts[best] += 1
    return counts


def systematic(rows: Sequence[dict[str, Any]], count: int, rng: Random) -> list[dict[str, Any]]:
    """Every n-th row in order of site, from a random start; within a site the order is random too."""
    order = sorted(rows, key=lambda row: (row["site"], rng.random(), row["id"]))
    step = len(order) / count
    start = rng.random() * step
    return [order[min(len(order) - 1, int(start + step * place))] for place in range(count)]


def write_sample(storage: Storage, name: str, sample: Sample) -> None:
    """Store a sample; one that is there is never overwritten, because labels belong to it."""
    must_be_name(name, "audit")
    file = f"{FOLDER}/{name}/sample.jsonl"
    about = {"population": sample.population, "seed": sample.seed, "rejects": sample.rejects}
    lines = [about, *map(asdict, sample.items)]
    with editing(storage, "audit sample"):
        if storage.exists(file):
            raise UserError(f"{file} is there already.", "Name another audit with --name.")
        storage.write(file, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode())


def read_sample(storage: Storage, name: str) -> Sample:
    """A stored sample."""
    must_be_name(name, "audit")
    file = f"{FOLDER}/{name}/sample.jsonl"
    if not storage.exists(file):
        there = ", ".join(audits(storage)) or "none"
        raise UserError(
            f"There is no audit {name!r}; there are: {there}.", "Draw one: `corpulyzer audit sample`."
        )
    about, *items = map(json.loads, storage.read_lines(file))
    return Sample(tuple(Item(**item) for item in items), about["population"], about["seed"], about["rejects"])


def audits(storage: Storage) -> list[str]:
    """The names of the samples that were drawn."""
    return [file.split("/")[1] for file in storage.list(FOLDER, "/sample.jsonl")]


def _item(row: dict[str, Any], stratum: str, weight: float) -> Item:
    text = row["text"]
    cut = len(text) > LONGEST_TEXT
    known = {name: row[name] for name in ("id", "url", "site", "title")}
    return Item(**known, stratum=stratum, weight=weight, text=text[:LONGEST_TEXT], cut=cut)
