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

SCORES = ("low", "mid", "high")
LENGTHS = ("short", "medium", "long")
LONGEST_TEXT = 4_000
MOST_FRAMED = 200_000
"""Documents that a sample is drawn from at once, of all strata together."""
LEAST_FRAMED = 10
"""Of a stratum at least so many for each that the whole sample has, so that no share is too small for it."""
BANDS_SQL = """
select case when target_bytes * 10 >= text_bytes * 9 then 2 when target_bytes * 2 >= text_bytes then 1
            else 0 end as score,
       case when text_bytes >= 5000 then 2 when text_bytes >= 1000 then 1 else 0 end as length_band,
       case when verdict.kept then '' else verdict.reason end as reason,
       id, site
from documents where text_bytes > 0 and verdict.kept = {kept}
"""
STRATA_SQL = """
select reason, score, length_band, count(*) as documents from (<bands>) as b
group by reason, score, length_band
order by reason nulls last, score nulls last, length_band nulls last
"""
# An id is a hash: those with one remainder are a random share, and a negative one has a negative remainder.
FRAME_SQL = """
select id, site, reason, score, length_band from (<bands>) as b where {thinned} order by id nulls last
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
    """A stratified sample of the kept documents, or of those that the filters dropped.

    Of a stratum with very many documents a random share is looked at, so that a sample of any corpus fits.
    """
    bands = BANDS_SQL.format(kept="false" if rejects else "true")
    found = engine.query(STRATA_SQL.replace("<bands>", bands), {"documents": documents}).to_pylist()
    if not found:
        raise UserError(
            "There is no dropped document with text to draw from."
            if rejects
            else "There is no kept document to draw from.",
            "See `corpulyzer status` for what there is.",
        )
    populations = {stratum_of(row): row["documents"] for row in found}
    frame = FRAME_SQL.format(thinned=_thinned(found, size, seed)).replace("<bands>", bands)
    strata: dict[str, list[dict[str, Any]]] = {}
    for row in engine.query(frame, {"documents": documents}).to_pylist():
        strata.setdefault(stratum_of(row), []).append(row)
    chosen: dict[int, tuple[str, float]] = {}
    for name, count in allocate(populations, size).items():
        picked = systematic(strata[name], count, Random(int64_hash(str(seed), name)))
        chosen |= {row["id"]: (name, populations[name] / count) for row in picked}
    keys = ", ".join(map(str, sorted(chosen)))
    texts = engine.query(TEXTS_SQL.format(keys=keys), {"documents": documents}).to_pylist()
    # In an order that says nothing of the strata, the same on every machine.
    texts.sort(key=lambda row: int64_hash(str(seed), str(row["id"])))
    items = tuple(_item(row, *chosen[row["id"]]) for row in texts)
    return Sample(items, sum(populations.values()), seed, rejects)


def _thinned(strata: Sequence[dict[str, Any]], size: int, seed: int) -> str:
    """A condition that is true of all documents of a small stratum, and of a random share of a large one."""
    most = max(MOST_FRAMED // len(strata), LEAST_FRAMED * size)
    large = []
    for row in strata:
        one_in = -(-row["documents"] // most)
        if one_in > 1:
            which = seed % one_in
            here = f"b.score = {row['score']} and b.length_band = {row['length_band']}"
            share = f"b.id % {one_in} in ({which}, {which - one_in})"
            reason = row["reason"].replace("'", "''")
            large.append(f"when b.reason = '{reason}' and {here} then {share}")
    return f"case {' '.join(large)} else true end" if large else "true"


def stratum_of(row: dict[str, Any]) -> str:
    """The stratum of a document: verdict, share of target text, length."""
    score, length = SCORES[row["score"]], LENGTHS[row["length_band"]]
    return f"{row['reason'] or 'kept'} · {score} share · {length}"


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
