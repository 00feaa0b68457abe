"""The summary: what a reader who reads nothing else should know, from the facts of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpulyzer.measure.result import Result
from corpulyzer.report.about import About
from corpulyzer.report.cells import byte_size, percentage

FEW_SITES, LOW_RICHNESS, MANY_COPIES, NEARLY_ALL = 5, 0.8, 0.3, 0.9995
REPEATED = "repeated_sentences"


@dataclass(frozen=True, slots=True)
class KeyNumber:
    """A number at the head of the report, what it counts, and the measure that it is from."""

    value: str
    label: str
    measure: str


@dataclass(frozen=True, slots=True)
class Summary:
    """Key numbers, and a verdict in plain words."""

    numbers: tuple[KeyNumber, ...]
    verdict: tuple[str, ...]


def summary(about: About, results: Sequence[Result]) -> Summary:
    """What the facts of results come to."""
    facts = facts_of(results)
    if "funnel" not in facts:
        return Summary((), tuple(result.summary for result in results[:1]))
    return Summary(tuple(_numbers(facts)), tuple(_verdict(about, facts)))


def facts_of(results: Sequence[Result]) -> dict[str, Mapping[str, Any]]:
    """The facts of each result, and how many sentences of the corpus repeat another one of it.

    Those of the measure of copies are of all that was read, of which the corpus leaves copies out.
    """
    found: dict[str, Mapping[str, Any]] = {result.name: result.facts for result in results}
    basics = found.get("basics", {})
    if sentences := basics.get("total_sentences"):
        found["basics"] = {**basics, REPEATED: 1 - basics["unique_sentences"] / sentences}
    return found


def _numbers(facts: Mapping[str, Mapping[str, Any]]) -> list[KeyNumber]:
    wanted = (
        ("languages", "languages", "languages", _count),
        ("documents", "funnel", "documents", _count),
        ("words", "funnel", "tokens", _count),
        ("different words", "vocabulary", "types", _count),
        (f"of the language{'s' if 'languages' in facts else ''}", "funnel", "target_bytes", byte_size),
        ("sites", "funnel", "sites", _count),
        ("effective number of sites", "concentration", "effective_sites", lambda value: f"{value:,.1f}"),
        ("of a typical site is in the language", "site_richness", "median", percentage),
        ("of sentences are repeated", "basics", REPEATED, percentage),
        ("of the records became documents", "funnel", "kept_share", percentage),
        ("openly licensed", "licenses", "pooled_share", percentage),
    )
    found = []
    for label, measure, fact, write in wanted:
        value = facts.get(measure, {}).get(fact)
        if value is not None:
            found.append(KeyNumber(write(value), label, measure))
    return found


def _count(value: int) -> str:
    """A count in at most four digits, exact where it has no more.

    >>> _count(8_421), _count(75_807_261)
    ('8,421', '75.8 M')
    """
    for size, unit in ((1e9, "bn"), (1e6, "M")):
        if value >= size:
            return f"{value / size:.1f} {unit}"
    return f"{value:,}"


def _verdict(about: About, facts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    funnel = facts.get("funnel", {})
    records, documents = funnel.get("records", 0), funnel.get("documents", 0)
    if not records:
        return ["The corpus is empty: nothing was fetched or imported yet, so there is nothing to measure."]
    if not documents:
        return [
            f"None of {records:,} records became a document of the corpus.",
            "The funnel below tells which step dropped them. If a filter is too strict, change its setting "
            "and run `corpulyzer process`; if the pages are in another language, the seeds are at fault.",
        ]
    plain = [
        f"{about.name} holds {documents:,} documents with {_count(funnel.get('tokens', 0))} words "
        f"of {about.language}, {percentage(documents / records)} of the {records:,} records looked at."
    ]
    return [*plain, *_origin(facts), *_richness(facts), *_copies(facts), *_crawl(facts)]


def _origin(facts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    found, sites = facts.get("concentration", {}), facts.get("funnel", {}).get("sites", 0)
    number, five = found.get("effective_sites"), found.get("top_5_share")
    if number is None or five is None:
        return []
    if sites == 1:
        return ["All of it is from a single site: it is a corpus of that site, not of a language."]
    if number < FEW_SITES:
        return [
            f"Few sites dominate: {sites:,} in all, as concentrated as {number:.1f} of equal size. What they "
            "write about, and how, decides what the corpus says."
        ]
    return [
        f"Its {sites:,} sites are as diverse as {number:,.0f} of equal size; the five largest hold "
        f"{percentage(five)} of the pages."
    ]


def _richness(facts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    median = facts.get("site_richness", {}).get("median")
    if median is None:
        return []
    if median >= NEARLY_ALL:
        return ["Rich in the language: on half of the sites nearly all of the text."]
    if median >= LOW_RICHNESS:
        return [f"Rich in the language: on half of the sites at least {percentage(median)} of the text."]
    return [
        f"Other languages are mixed in: on half of the sites no more than {percentage(median)} of the text "
        "is in the language."
    ]


def _copies(facts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    share = facts.get("basics", {}).get(REPEATED)
    if share is None:
        return []
    if share >= MANY_COPIES:
        return [f"Much of it is said twice: {percentage(share)} of the sentences repeat another."]
    return [f"Little of it is said twice: {percentage(share)} of the sentences repeat another."]


def _crawl(facts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    advice = facts.get("stop_now", {}).get("advice")
    return [str(advice)] if advice else []
