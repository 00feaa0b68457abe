"""What corpora share of sites, also where they do not mean the same by a site."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.compare.overlap import Overlap, overlap
from corpulyzer.measure.pages.rows import described
from corpulyzer.measure.result import Result

NAMES = {"host": "hosts", "registered": "registered domains"}
OF_EACH = ("side_by_side", "compared_pages_per_site", "compared_site_richness")
"""Results whose numbers are by the sites of each corpus."""


def site_overlap(benches: Mapping[str, Bench]) -> Overlap:
    """How the kept pages of corpora overlap in sites: by registered domain where the corpora differ in it."""
    engine = next(iter(benches.values())).engine
    if _levels(benches):
        pages = {name: (described(bench)["pages"], "kept = 1") for name, bench in benches.items()}
        return overlap(engine, pages, "domain")
    return overlap(
        engine, {name: (bench.documents, "verdict.kept") for name, bench in benches.items()}, "site"
    )


def say_what_sites_are(
    results: Iterable[Result], benches: Mapping[str, Bench], shared: Iterable[str]
) -> list[Result]:
    """The results; where corpora differ in what a site is, their definitions say how sites were counted.

    `shared` are the names of those that go by `site_overlap`.
    """
    levels = _levels(benches)
    if not levels:
        return list(results)
    said = ", ".join(f"in {name} {level}" for name, level in levels.items())
    notes = dict.fromkeys(OF_EACH, f" Corpora differ in what a site is: {said}.")
    notes |= dict.fromkeys(
        shared, f" Sites are registered domains here, since corpora differ in what a site is: {said}."
    )
    return [replace(each, definition=each.definition + notes.get(each.name, "")) for each in results]


def _levels(benches: Mapping[str, Bench]) -> dict[str, str]:
    """What a site is in each corpus; nothing where it is the same in all."""
    found = {name: NAMES[bench.site_level] for name, bench in benches.items()}
    return found if len(set(found.values())) > 1 else {}
