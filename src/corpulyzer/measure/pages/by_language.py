"""What a corpus of several languages has of each: how many pages were found, which are kept, and why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from corpulyzer.engine import Dataset, Engine
from corpulyzer.measure.pages.funnel import (
    STEP_NAMES,
    Funnel,
    Stages,
    Step,
    reached_sql,
    reaching,
    stages_found,
    steps_of,
)
from corpulyzer.page.filter import Filters
from corpulyzer.records.targets import Targets

# Pages that were dropped before they were read are in no language.
REASONS_SQL = """
select language, verdict.reason as reason, count(*) as pages, sum(target_bytes) as target_bytes,
       sum(tokens) as tokens
from documents where language <> 'und' group by language, verdict.reason
order by language nulls last, reason nulls last
"""
SITES_SQL = """
select language, count(*) as sites from (
  select distinct language, site from documents where language <> 'und' and verdict.reason = '') as s
group by language
"""
FOUND = "found"
OTHERS = "other_language"


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """A language of a corpus: the pages that were found in it, what is kept of them, and why not the rest.

    `pages` of a language that the corpus is not for are those that were dropped for that.
    """

    language: str
    pages: int = 0
    kept: int = 0
    sites: int = 0
    target_bytes: int = 0
    tokens: int = 0
    dropped: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


def by_language(engine: Engine, documents: Dataset) -> list[LanguageCount]:
    """The languages of a corpus of several and those of the pages dropped as others, the largest first."""
    sites = {row["language"]: row["sites"] for row in _rows(engine, SITES_SQL, documents)}
    found: dict[str, dict[str, Any]] = {}
    for row in _rows(engine, REASONS_SQL, documents):
        it = found.setdefault(row["language"], {"pages": 0, "dropped": {}})
        it["pages"] += row["pages"]
        if row["reason"]:
            it["dropped"][row["reason"]] = row["pages"]
        else:
            it |= {"kept": row["pages"], "target_bytes": row["target_bytes"], "tokens": row["tokens"]}
    counts = [LanguageCount(code, sites=sites.get(code, 0), **it) for code, it in found.items()]
    return sorted(counts, key=lambda it: (OTHERS in it.dropped, -it.target_bytes, -it.pages, it.language))


def language_funnel(
    engine: Engine, documents: Dataset, filters: Filters, targets: Targets, code: str
) -> Funnel:
    """The funnel of one of the languages: from the pages that were found in it to its part of the corpus."""
    found = {row["reason"]: row for row in _rows(engine, REASONS_SQL, documents) if row["language"] == code}
    stages = stages_found(steps_of(filters)[1:], set(found))
    rows = [row for row in _rows(engine, _sites_sql(stages), documents) if row["language"] == code]
    sites = reaching(rows, len(stages))
    words = {**STEP_NAMES, **filters.words}
    left = sum(row["pages"] for row in found.values())
    size = sum(row["target_bytes"] or 0 for row in found.values())
    steps = [Step(FOUND, left, sites[0], size, words=f"found in {targets.of_document(code).name}")]
    for number, (step, drops) in enumerate(stages, 1):
        dropped = {reason: found[reason]["pages"] for reason in drops if reason in found}
        left -= sum(dropped.values())
        size -= sum(found[reason]["target_bytes"] or 0 for reason in dropped)
        steps.append(Step(step, left, sites[number], size, dropped, words.get(step, step)))
    return Funnel(tuple(steps), tokens=_tokens(found))


def _tokens(found: Mapping[str, Mapping[str, Any]]) -> int:
    return int(found[""]["tokens"] or 0) if "" in found else 0


def _sites_sql(stages: Stages) -> str:
    """How many sites of each language have a page that got as far as each stage, and no further."""
    return f"""
select language, reached, count(*) as sites
from (select language, site, {reached_sql(stages)} as reached from documents where language <> 'und'
      group by language, site) as s
group by language, reached order by language nulls last, reached nulls last
"""


def _rows(engine: Engine, sql: str, documents: Dataset) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = engine.query(sql, {"documents": documents}).to_pylist()
    return rows
