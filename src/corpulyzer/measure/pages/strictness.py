"""What the thresholds in use throw away in each language, with some of it for a speaker to look at."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from corpulyzer.engine import Dataset, Engine
from corpulyzer.measure.pages.by_language import REASONS_SQL
from corpulyzer.measure.pages.rejects import PRIME, shortened
from corpulyzer.records.targets import Targets

# The filters that judge a document by how much text there is and how it looks.
LOOKS = ("content_size", "length", "punctuation", "encoding", "repetition", "prose")
DRAWN_SQL = """
select id, place
from (select id, row_number() over (
          partition by language, verdict.reason
          order by (id % 2147483647 + 2147483647) % 2147483647 * {factor} % 2147483647 nulls last,
                   id nulls last) as place
      from documents
      where verdict.reason in ('content_size', 'length', 'punctuation', 'encoding', 'repetition', 'prose')
      ) as d
where place <= {most} order by place nulls last, id nulls last
"""
TEXTS_SQL = """
select id, url, language, verdict, text from documents where id in ({keys}) order by id nulls last
"""


@dataclass(frozen=True, slots=True)
class Reject:
    """A dropped document: what was found of what the filter wants, and the beginning of its text."""

    url: str
    found: float
    text: str


@dataclass(frozen=True, slots=True)
class Strictness:
    """A filter in a language: what it wants, how many of the documents found it drops, some of these."""

    language: str
    filter: str
    wanted: float
    dropped: int
    documents: int
    sample: tuple[Reject, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


def strictness(
    engine: Engine, documents: Dataset, targets: Targets, number: int, seed: int = 0
) -> list[Strictness]:
    """What each filter of texts drops in each language, with `number` documents drawn by the seed."""
    dropped: dict[tuple[str, str], int] = {}
    found: dict[str, int] = {}
    for row in engine.query(REASONS_SQL, {"documents": documents}).to_pylist():
        code = targets.judging_shown(row["language"])
        found[code] = found.get(code, 0) + row["pages"]
        if code and row["reason"] in LOOKS:
            key = code, row["reason"]
            dropped[key] = dropped.get(key, 0) + row["pages"]
    drawn: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in _drawn(engine, documents, max(1, number), seed):
        code, reason = targets.judging_shown(row["language"]), row["verdict"]["reason"]
        drawn.setdefault((code, reason), []).append(row)
    made = []
    for code, name in sorted(dropped, key=lambda key: (key[0], LOOKS.index(key[1]))):
        rows = drawn[code, name]
        some = tuple(Reject(it["url"], _fact(it, "found"), shortened(it["text"])) for it in rows[:number])
        wanted = _fact(rows[0], "wanted")
        made.append(Strictness(code, name, wanted, dropped[code, name], found[code], some))
    return made


def _drawn(engine: Engine, documents: Dataset, most: int, seed: int) -> list[dict[str, Any]]:
    """Some dropped documents of each language and filter, in the order of the draw."""
    factor = 1 + seed * 48_271 % (PRIME - 1)
    places = engine.query(DRAWN_SQL.format(factor=factor, most=most), {"documents": documents}).to_pylist()
    if not places:
        return []
    keys = ", ".join(str(row["id"]) for row in places)
    texts = engine.query(TEXTS_SQL.format(keys=keys), {"documents": documents}).to_pylist()
    by_id = {row["id"]: row for row in texts}
    return [by_id[row["id"]] for row in places]


def _fact(row: dict[str, Any], name: str) -> float:
    return next((float(fact["value"]) for fact in row["verdict"]["facts"] if fact["name"] == name), 0.0)
