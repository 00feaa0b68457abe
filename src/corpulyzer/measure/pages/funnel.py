"""The funnel: how many pages each step kept, and why it dropped the others.

hrWaC (2011), Table 1 (HR-11); the survival rates of Corpulyzer (2021), CZ-32 and CZ-50, are its shares.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from corpulyzer.dedup.settings import Dedup
from corpulyzer.engine import Dataset, Engine
from corpulyzer.measure.figures import bars
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.page.filter import Filters
from corpulyzer.url import Level, site_of_host

if TYPE_CHECKING:
    from corpulyzer.page.settings import IdentifyTable

# A robots.txt is no page, and becomes no document; a page that a browser made is one beside that as received.
OUTCOMES_SQL = """
select outcome, count(*) as pages from fetches where purpose in ('page', 'rendered')
group by outcome order by outcome nulls last
"""
REASONS_SQL = """
select verdict.reason as reason, count(*) as pages, sum(text_bytes) as text_bytes,
       sum(target_bytes) as target_bytes, sum(tokens) as tokens
from documents group by verdict.reason order by reason nulls last
"""
FETCHED_HOSTS_SQL = """
select site, max(case when outcome = 'ok' then 1 else 0 end) as reached from fetches
where purpose in ('page', 'rendered') group by site
"""

Stages = list[tuple[str, tuple[str, ...]]]
"""Steps after fetching, in order, each with the reasons for which it drops a page."""
NO_WORDS: Mapping[str, str] = MappingProxyType({})
# Reasons given after the filters: the page is gone; it is a copy, by level; all its text is repeated on its
# site.
COPIES = ("gone", "duplicate_raw", "duplicate", "near_duplicate", "site_paragraphs")


@dataclass(frozen=True, slots=True)
class Step:
    """What is left after a step, in words for people too, and what the step dropped, by reason."""

    name: str
    pages: int
    sites: int
    target_bytes: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    words: str = ""


@dataclass(frozen=True, slots=True)
class Funnel:
    """The steps from records to the corpus; shares are of the step before and of the first.

    `labelled` are kept documents by the label that a list gives them, where there are lists.
    """

    steps: tuple[Step, ...]
    tokens: int = 0
    labelled: Mapping[str, int] = field(default_factory=dict)

    @property
    def kept(self) -> int:
        return self.steps[-1].pages

    def rows(self) -> list[dict[str, Any]]:
        """A row per step, with both shares (0 to 1; None where there is nothing to divide by)."""
        rows = []
        for before, step in zip((self.steps[0], *self.steps), self.steps, strict=False):
            row = {
                "step": step.name,
                "pages": step.pages,
                "sites": step.sites,
                "target_bytes": step.target_bytes,
            }
            row["of_previous"] = _share(step.pages, before.pages)
            row["of_first"] = _share(step.pages, self.steps[0].pages)
            rows.append({**row, "dropped": step.dropped})
        return rows

    def balance(self) -> dict[str, int]:
        """What became of the records, each counted once: `records` is the sum of all other values."""
        dropped = [(reason, count) for step in self.steps[2:] for reason, count in step.dropped.items()]
        copies = sum(count for reason, count in dropped if reason in COPIES and reason != "gone")
        gone = sum(count for reason, count in dropped if reason == "gone")
        return {
            "records": self.steps[0].pages,
            "not_fetched": sum(self.steps[1].dropped.values()),
            "filtered": sum(count for _, count in dropped) - copies - gone,
            "copies": copies,
            "gone": gone,
            "kept": self.kept,
        }

    def to_json(self) -> dict[str, Any]:
        """The funnel as plain values."""
        return {
            "steps": self.rows(),
            "kept": self.kept,
            "tokens": self.tokens,
            "balance": self.balance(),
            **({"labelled": dict(self.labelled)} if self.labelled else {}),
        }

    def __repr__(self) -> str:
        steps = " → ".join(f"{step.pages:,} {step.name}" for step in self.steps)
        return f"<Funnel: {steps}; {self.tokens:,} tokens>"

    def _repr_html_(self) -> str:
        head = "".join(
            f"<th>{name}</th>" for name in ("step", "pages", "sites", "of previous", "of first", "dropped")
        )
        body = "".join(
            f"<tr><td>{html.escape(row['step'])}</td><td>{row['pages']:,}</td><td>{row['sites']:,}</td>"
            f"<td>{percent(row['of_previous'])}</td><td>{percent(row['of_first'])}</td>"
            f"<td>{html.escape(reasons(row['dropped']))}</td></tr>"
            for row in self.rows()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def percent(share: float | None) -> str:
    """A share as a percentage for people, `–` for none."""
    return "–" if share is None else f"{share:.1%}"


def reasons(dropped: Mapping[str, int]) -> str:
    """Drop reasons, most frequent first.

    >>> reasons({"mime": 2, "content_size": 10})
    'content_size 10, mime 2'
    """
    return ", ".join(
        f"{name} {count:,}" for name, count in sorted(dropped.items(), key=lambda x: (-x[1], x[0]))
    )


def steps_of(filters: Filters, early: tuple[str, ...] = ()) -> Stages:
    """The steps after fetching, in order, each with the reasons for which it drops a page.

    `early` are the reasons of copies that go before extraction.
    """
    accepted = ("accepted", filters.received)
    extracted = ("extracted", ("no_text", "needs_browser", "damaged", "extract_failed"))
    alone = ((name, (name,)) for name in filters.document)
    return [accepted, *((reason, (reason,)) for reason in early), extracted, *alone]


def early_copies(dedup: Dedup) -> tuple[str, ...]:
    """The reasons of copies that the policy drops before extraction."""
    return ("duplicate_raw",) if dedup.raw_first and "raw" in dedup.policy else ()


def step_words(identify: IdentifyTable) -> dict[str, str]:
    """What steps are called where other languages are taken out: what is left is all in the language."""
    return {"main_language": "with text in the language"} if identify.keep == "target" else {}


def funnel(
    engine: Engine,
    fetches: Dataset,
    documents: Dataset,
    filters: Filters,
    early: tuple[str, ...] = (),
    level: Level = "host",
    more_words: Mapping[str, str] = NO_WORDS,
) -> Funnel:
    """The funnel of the stored fetches and documents under the filters that judged them.

    `level` says what a site is in the documents; fetches, which have hosts, are counted by it too.
    `more_words` are names of steps for people that the filters alone cannot give.
    """
    outcomes = _column(engine.query(OUTCOMES_SQL, {"fetches": fetches}), "outcome", "pages")
    found = {row["reason"]: row for row in engine.query(REASONS_SQL, {"documents": documents}).to_pylist()}
    words = {**STEP_NAMES, **filters.words, **more_words}
    stages = stages_found(steps_of(filters, early), set(found))
    fetched_sites = _fetched_sites(engine, fetches, level)
    sites = reaching(engine.query(_sites_sql(stages), {"documents": documents}).to_pylist(), len(stages))
    target = sum(row["target_bytes"] or 0 for row in found.values())
    pages = sum(outcomes.values())
    lost = {name: count for name, count in outcomes.items() if name != "ok"}
    steps = [Step("records", pages, fetched_sites[0], target, words=words["records"])]
    fetched = pages - sum(lost.values())
    steps.append(Step("fetched", fetched, fetched_sites[1], target, lost, words["fetched"]))
    left = steps[-1].pages
    for number, (name, drops) in enumerate(stages, 1):
        dropped = {reason: found[reason]["pages"] for reason in drops if reason in found}
        left -= sum(dropped.values())
        target -= sum(found[reason]["target_bytes"] or 0 for reason in dropped)
        steps.append(Step(name, left, sites[number], target, dropped, words.get(name, name)))
    return Funnel(tuple(steps), tokens=(found[""]["tokens"] or 0) if "" in found else 0)


def stages_found(stages: Stages, found: set[str]) -> Stages:
    """The stages, with those of which there are reasons among what was found, whatever the settings are."""
    return _with_unknown(_with_early(stages, found), found - {""})


def _with_early(stages: Stages, found: set[str]) -> Stages:
    """The stages, and after extraction those for what owners reserve and for other languages, if any."""
    place = 1 + [name for name, _ in stages].index("extracted")
    more = (("opt_outs", ("opted_out",)), ("other_language", ("other_language",)))
    return [*stages[:place], *((name, why) for name, why in more if why[0] in found), *stages[place:]]


def _with_unknown(stages: Stages, found: set[str]) -> Stages:
    """The stages, those for copies if there are any, and a last one for reasons that no stage gives now."""
    early = {name for name, _ in stages}
    stages = [*stages, *((reason, (reason,)) for reason in COPIES if reason in found - early)]
    known = {reason for _, drops in stages for reason in drops}
    other = tuple(sorted(found - known))
    return [*stages, ("earlier settings", other)] if other else stages


def reached_sql(stages: Stages) -> str:
    """How far the furthest page of a group got, by the number of the stage that dropped it."""
    cases = " ".join(
        f"when verdict.reason = '{reason}' then {number}"
        for number, (_, drops) in enumerate(stages)
        for reason in drops
    )
    return f"max(case {cases} else {len(stages)} end)"


def _sites_sql(stages: Stages) -> str:
    """How many sites have a page that got as far as each stage, and no further."""
    return f"""
select reached, count(*) as sites
from (select site, {reached_sql(stages)} as reached from documents group by site) as s
group by reached order by reached nulls last
"""


def _fetched_sites(engine: Engine, fetches: Dataset, level: Level) -> tuple[int, int]:
    """The sites of all fetches, and of those that brought a page."""
    hosts = _column(engine.query(FETCHED_HOSTS_SQL, {"fetches": fetches}), "site", "reached")
    found: dict[str, int] = {}
    for host, reached in hosts.items():
        site = site_of_host(host, level)
        found[site] = max(reached, found.get(site, 0))
    return len(found), sum(found.values())


def reaching(rows: list[dict[str, Any]], last: int) -> list[int]:
    """Sites that reach stage 0, 1 … `last`, from the counts of sites by the stage they got to."""
    by_stage = {row["reached"]: row["sites"] for row in rows}
    return [sum(count for stage, count in by_stage.items() if stage >= number) for number in range(last + 1)]


def _column(table: Any, key: str, value: str) -> dict[str, int]:
    return dict(zip(table.column(key).to_pylist(), table.column(value).to_pylist(), strict=True))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


# Steps that are no filter's; filters have words of their own.
STEP_NAMES = {
    "records": "records in the archives",
    "fetched": "fetched with success",
    "accepted": "accepted as received",
    "extracted": "with text",
    "opt_outs": "not reserved by their owners",
    "other_language": "in a language of the corpus",
    "gone": "still on the web",
    "duplicate_raw": "no copies of a payload",
    "duplicate": "no copies of a text",
    "near_duplicate": "no near-copies",
    "site_paragraphs": "more than what their site repeats",
    "earlier settings": "kept by earlier settings too",
}


COLUMNS = {
    "step": "string",
    "pages": "int64",
    "of_previous": "double",
    "of_first": "double",
    "sites": "int64",
    "target_bytes": "int64",
    "dropped": "string",
}


def _figure() -> dict[str, Any]:
    """Bars with how many pages are left, and which share of the first step."""
    spec = bars("step", "pages", room=92)
    written = (
        "format(datum.pages, ',') + (datum.of_first == null ? '' : '  ·  ' + format(datum.of_first, '.1%'))"
    )
    spec["transform"] = [{"calculate": written, "as": "left"}]
    spec["layer"][1]["encoding"] = {"text": {"field": "left", "type": "nominal"}}
    return spec


def funnel_result(found: Funnel, of: str = "records") -> Result:
    """A funnel that shows itself; `of` says what it begins with."""
    rows = [
        {**row, "step": step.words or step.name, "dropped": reasons(row["dropped"])}
        for row, step in zip(found.rows(), found.steps, strict=True)
    ]
    first, last = found.steps[0], found.steps[-1]
    share = _share(last.pages, first.pages)
    return Result(
        name="funnel",
        title="From the web to the corpus",
        definition="Pages left after each step, as a share of the step before and of the first, and why the "
        "others were dropped.",
        citation="Ljubešić & Erjavec 2011, Table 1; Tahir & Mehmood 2021, Table 4",
        rows=table_of(rows, COLUMNS),
        summary=f"Of {first.pages:,} {of} {last.pages:,} documents are in the corpus ({percent(share)}), "
        f"from {last.sites:,} of {first.sites:,} sites."
        if first.pages
        else "Nothing was fetched or imported yet.",
        spec=_figure(),
        facts={
            "records": first.pages,
            "documents": last.pages,
            "kept_share": share,
            "sites": last.sites,
            "tokens": found.tokens,
            "target_bytes": last.target_bytes,
        },
    )
