"""The distributions of several corpora over each other, as Corpulyzer (2021) compares its own with others'.

Figs 6b, 7a and 7b, and Tables 7 and 8 (CZ-39 to CZ-43), from the measures of each corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corpulyzer.measure.figures import columns, lines
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.pages.language_richness import OTHER, language_name
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of

if TYPE_CHECKING:
    import pyarrow as pa

Measures = Mapping[str, Mapping[str, Result]]
"""The results of each corpus by their names."""
CORPUS, READ = "corpus", "read"
LANGUAGES_SHOWN = 10


def distributions(found: Measures, presence: Mapping[str, Presence]) -> list[Result]:
    """All of them; `presence` has for each corpus the pages on which each language occurs, and all pages."""
    return [
        pages_per_site(found),
        html_size(found),
        site_richness(found),
        language_share(found),
        language_presence(presence),
    ]


def pages_per_site(found: Measures) -> Result:
    """Sites by the number of their pages, a bar for each corpus (CZ-39)."""
    rows = list(_rows(found, "pages_per_site", (CORPUS,)))
    spec = columns("pages", "share", percent=True, titles={"pages": "pages of a site", "share": "of sites"})
    spec["encoding"] |= {"xOffset": {"field": "corpus", "sort": None}, "color": _colored(found)}
    single = {row["corpus"]: row["share"] for row in rows if row["pages"] == "1"}
    return _compared(
        "pages_per_site",
        "Pages per site",
        definition="The share of each corpus' sites by the number of their pages in it.",
        place="Fig. 6b",
        rows=table_of(rows, {"corpus": "string", "pages": "string", "sites": "int64", "share": "double"}),
        summary=_each("Sites with a single page", single),
        spec=spec,
    )


def html_size(found: Measures) -> Result:
    """The complementary distribution of payload sizes, a curve for each corpus (CZ-40)."""
    rows = list(_rows(found, "html_size", (CORPUS,)))
    titles = {"bytes": "bytes of a page as received", "share": "of pages are at least that large"}
    spec = lines("bytes", "share", series="corpus", scale="log", percent=True, step=True, titles=titles)
    spec["encoding"]["color"] = _colored(found)
    largest = {name: max((r["bytes"] for r in rows if r["corpus"] == name), default=0) for name in found}
    said = ", ".join(f"{name} {size:,} bytes" for name, size in largest.items())
    return _compared(
        "html_size",
        "Sizes of pages as received",
        definition="The share of each corpus' pages whose payload has at least x bytes, P(X ≥ x).",
        place="Fig. 7a",
        rows=table_of(rows, {"corpus": "string", "bytes": "int64", "share": "double"}),
        summary=f"The largest pages are about as large as: {said}.",
        spec=spec,
    )


def site_richness(found: Measures) -> Result:
    """The distribution of site richness, before and after the filters, for each corpus (CZ-41)."""
    rows = list(_rows(found, "site_richness", (CORPUS, READ)))
    titles = {"richness": "richness of a site", "share": "of sites are no richer"}
    spec = lines("richness", "share", series="corpus", percent=True, step=True, titles=titles)
    spec["encoding"]["x"]["axis"]["labelExpr"] = "format(datum.value, '.0%')"
    dashes = {"domain": [CORPUS, READ], "range": [[1, 0], [4, 3]]}
    spec["encoding"] |= {
        "color": _colored(found),
        "strokeDash": {"field": "of", "type": "nominal", "title": None, "scale": dashes},
    }
    medians = {name: each["site_richness"].facts.get("median") for name, each in found.items()}
    return _compared(
        "site_richness",
        "Richness of sites",
        definition="The share of sites that are no richer in the language, of all that was read and of the "
        "corpus; richness is the mean of a site's language shares.",
        place="Eq. 5 and Fig. 7b",
        rows=table_of(rows, {"corpus": "string", "of": "string", "richness": "double", "share": "double"}),
        summary=_each("Median richness", medians),
        spec=spec,
    )


def language_share(found: Measures) -> Result:
    """Pages by the share of their text in the language, columns for each corpus (CZ-42)."""
    cells: dict[str, dict[str, Any]] = {}
    for row in _rows(found, "language_share", (READ, CORPUS)):
        column = row["corpus"] if row["of"] == CORPUS else f"{row['corpus']}, {READ}"
        for key in (row["language_share"], "total"):
            counts = cells.setdefault(key, {})
            counts[f"{column}: pages"] = counts.get(f"{column}: pages", 0) + row["pages"]
            counts[f"{column}: share"] = counts.get(f"{column}: share", 0.0) + (row["share"] or 0.0)
    total = cells.pop("total", {})
    rows = [{"language_share": name, **counts} for name, counts in [*cells.items(), ("total", total)]]
    kinds = {name: "int64" if name.endswith("pages") else "double" for name in total}
    pure = {name: each["language_share"].facts.get("pure_share") for name, each in found.items()}
    return _compared(
        "language_share",
        "Language share of pages",
        definition="Pages by the share of their text's bytes that is in the language, before and after the "
        "filters of each corpus; of pages that have text.",
        place="Eq. 4 and Table 7",
        rows=table_of(rows, {"language_share": "string", **kinds}),
        summary=_each("Pages with at least 95% of their text in the language", pure),
    )


Presence = tuple[Mapping[str, int], int]
"""Pages of a corpus by the languages on them, and all its pages."""


def language_presence(presence: Mapping[str, Presence]) -> Result:
    """On how many pages of each corpus each language occurs, the most frequent by name (CZ-43)."""
    best = {
        code: max(pages.get(code, 0) / total for pages, total in presence.values() if total)
        for pages, total in presence.values()
        for code in pages
        if total
    }
    order = sorted(best, key=lambda code: (-best[code], code))
    shown, rest = order[:LANGUAGES_SHOWN], order[LANGUAGES_SHOWN:]
    groups = [(language_name(code), (code,)) for code in shown] + ([(OTHER, tuple(rest))] if rest else [])
    rows: list[dict[str, Any]] = []
    for language, codes in groups:
        row: dict[str, Any] = {"language": language}
        for name, (pages, total) in presence.items():
            count = sum(pages.get(code, 0) for code in codes)
            row |= {f"{name}: pages": count, f"{name}: share": count / total if total else None}
        rows.append(row)
    kinds = {key: "int64" if kind == "pages" else "double" for key, kind in _columns(presence)}
    return _compared(
        "language_presence",
        "Languages",
        definition="Pages of each corpus on which a language occurs, to any extent; a page counts for each "
        "language that is on it. Other: the same added up over all further languages. Text of no known "
        "language is in no row.",
        place="Table 8",
        rows=table_of(rows, {"language": "string", **kinds}),
        summary=f"{len(order):,} languages occur." if order else "No page is kept.",
    )


def _compared(
    name: str,
    title: str,
    *,
    definition: str,
    place: str,
    rows: pa.Table,
    summary: str,
    spec: Mapping[str, Any] | None = None,
) -> Result:
    """A measure of several corpora; `place` is where the paper has its own."""
    return Result(
        f"compared_{name}",
        f"{title}, side by side",
        definition,
        f"Tahir & Mehmood 2021, {place}",
        rows,
        summary,
        spec=spec,
    )


def _columns(names: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    return ((f"{name}: {kind}", kind) for name in names for kind in ("pages", "share"))


def _rows(found: Measures, measure: str, of: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of a measure of every corpus, those of the wanted kinds, each with the name of its corpus."""
    for name, results in found.items():
        for row in results[measure].rows.to_pylist():
            if row["of"] in of:
                yield {"corpus": name, **row}


def _colored(found: Measures) -> dict[str, Any]:
    return {"field": "corpus", "type": "nominal", "title": None, "sort": list(found)}


def _each(what: str, values: Mapping[str, float | None]) -> str:
    return f"{what}: {', '.join(f'{name} {percent(value)}' for name, value in values.items())}."
