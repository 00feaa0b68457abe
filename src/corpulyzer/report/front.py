"""The first page, for whoever pays or checks: what, how much, from where, how good, under which license."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

from corpulyzer.measure.result import Result
from corpulyzer.report.about import About
from corpulyzer.report.cells import percentage
from corpulyzer.report.summary import REPEATED, facts_of
from corpulyzer.report.world import timeline, world

ENDINGS = 8


@dataclass(frozen=True, slots=True)
class Ending:
    """Documents whose addresses end alike."""

    ending: str
    country: str
    documents: str
    share: str


@dataclass(frozen=True, slots=True)
class Front:
    """The parts of the first page, each in plain sentences; figures are drawn already."""

    where: tuple[str, ...]
    map: Markup
    endings: tuple[Ending, ...]
    when: str
    years: Markup
    good: tuple[str, ...]
    rights: tuple[str, ...]
    cite: str
    bibtex: str


def front(about: About, results: Sequence[Result]) -> Front | None:
    """The first page of a report on a corpus with documents; None of any other."""
    known = {result.name: result for result in results}
    if "funnel" not in known or not known["funnel"].facts.get("documents"):
        return None
    facts = facts_of(results)
    places, years = _rows(known, "countries"), _rows(known, "timeline")
    by_country: Counter[str] = Counter()
    for row in places:
        if row["code"]:
            by_country[row["code"]] += row["documents"]
    return Front(
        where=tuple(known[name].summary for name in ("concentration", "countries") if name in known),
        map=world(by_country) if by_country else Markup(""),
        endings=tuple(_ending(row) for row in places[:ENDINGS]),
        when=known["timeline"].summary if "timeline" in known else "",
        years=timeline([(row["year"], row["documents"]) for row in years]),
        good=tuple(_good(known, facts)),
        rights=tuple(_rights(facts)),
        cite=_cite(about, facts),
        bibtex=_bibtex(about),
    )


def _rows(known: Mapping[str, Result], name: str) -> list[dict[str, Any]]:
    return known[name].rows.to_pylist() if name in known else []


def _ending(row: Mapping[str, Any]) -> Ending:
    return Ending(row["ending"], row["country"], f"{row['documents']:,}", percentage(row["share"]))


def _good(known: Mapping[str, Result], facts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What is known of the quality, and what nobody has looked at yet."""
    audited = known["audit"].summary if "audit" in known and known["audit"].rows.num_rows else ""
    said = [audited or "Nobody has read a sample of it yet; `corpulyzer audit` draws one."]
    said += _alike(known.get("look_alikes"))
    translated = facts.get("machine_translation", {})
    if translated.get("pages_share") is not None:
        said.append(
            f"Machine translation: {percentage(translated['pages_share'])} of the pages looked at say that a "
            f"machine translated them; {translated['kept']:,} of these are in the corpus."
            if translated["pages_share"]
            else "Machine translation: no page that was looked at says that a machine translated it."
        )
    copies = facts.get("basics", {}).get(REPEATED)
    if copies is not None:
        said.append(f"Copies: {percentage(copies)} of its sentences repeat one that stands before.")
    return said


def _alike(found: Result | None) -> list[str]:
    """How much could be of a close relative; nothing where none is known, or no site has enough text."""
    if found is None or not found.facts.get("sites") or not found.parameters.get("relatives"):
        return []
    near, of = found.facts["sites_near"], found.facts["sites"]
    sites = "one larger site" if of == 1 else f"{of:,} larger sites"
    if not near:
        return [f"Look-alike languages: no close relative has much of the text of the {sites}."]
    much = f"on {near:,} of {of:,} larger sites much of the text could be of a close relative"
    return [f"Look-alike languages: {much}."]


def _rights(facts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    share = facts.get("licenses", {}).get("pooled_share")
    openly = (
        f"{percentage(share)} of the documents name an open license."
        if share
        else "No document was found to name an open license."
    )
    return [openly, "Texts belong to their authors: what names no license is not free to be copied as it is."]


def _cite(about: About, facts: Mapping[str, Mapping[str, Any]]) -> str:
    funnel = facts["funnel"]
    return (
        f"{about.name}: a corpus of {about.language} from the web, {funnel['documents']:,} documents, "
        f"{funnel['tokens']:,} words. Made with Corpulyzer {about.version}, {about.made}."
    )


def _bibtex(about: About) -> str:
    letters = [each for each in about.name.lower() if each.isascii() and each.isalpha()]
    year = datetime.now(UTC).year
    lines = (
        f"@misc{{{''.join(letters) or 'corpus'}{year},",
        f"  title = {{{about.name}: a corpus of {about.language} from the web}},",
        f"  year = {{{year}}},",
        f"  note = {{Made with Corpulyzer {about.version}, {about.made}}}",
        "}",
    )
    return "\n".join(lines)
