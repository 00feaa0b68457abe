"""The overview of a corpus of several languages: a row for each, and which of them are mixed up."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corpulyzer.measure.figures import bars
from corpulyzer.measure.licenses.vote import licenses
from corpulyzer.measure.pages import look_alike_pairs
from corpulyzer.measure.pages.by_language import LanguageCount, by_language
from corpulyzer.measure.pages.funnel import reasons
from corpulyzer.measure.pages.language_richness import language_name
from corpulyzer.measure.pages.strictness import Strictness, strictness
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.page.label.license import stands
from corpulyzer.records.targets import SEVERAL, Targets

if TYPE_CHECKING:
    from corpulyzer.measure.bench import Bench

PAGES_SQL = "select count(*) as pages from documents"
LICENSED_SQL = """
select site, language, license, license_basis, count(*) as documents from documents
where license <> '' and verdict.kept group by site, language, license, license_basis
order by site nulls last, language nulls last, license nulls last, license_basis nulls last
"""
COLUMNS = {
    "language": "string",
    "code": "string",
    "kept": "int64",
    "target_bytes": "int64",
    "tokens": "int64",
    "sites": "int64",
    "licensed_share": "double",
    "quality": "double",
    "alike_taken": "int64",
    "alike_given": "int64",
    "archive_share": "double",
    "pages": "int64",
    "kept_share": "double",
    "dropped": "string",
}

THRESHOLD_COLUMNS = {
    "language": "string",
    "filter": "string",
    "threshold": "double",
    "dropped": "int64",
    "documents": "int64",
    "share": "double",
    "codes": "string",
}


def measure(bench: Bench) -> list[Result]:
    """The languages of a corpus of several, thresholds and look-alikes; nothing of a corpus of one."""
    if bench.language.code != SEVERAL:
        return []
    pairs = look_alike_pairs.counted(bench)
    together = look_alike_pairs.mixed(bench, pairs)
    return [_overview(bench, together), _thresholds(bench), look_alike_pairs.matrix(bench, pairs, together)]


def _overview(bench: Bench, together: dict[tuple[str, str], dict[str, Any]]) -> Result:
    found = by_language(bench.engine, bench.documents)
    pages = bench.engine.query(PAGES_SQL, {"documents": bench.documents}).to_pylist()[0]["pages"]
    licensed, given = _licensed(bench), _given(together)
    rows = [
        {
            **_row(it, pages),
            "licensed_share": licensed.get(it.language, 0) / it.kept if it.kept else None,
            "quality": bench.qualities.get(it.language),
            "alike_taken": _documents(together, it.language),
            "alike_given": given.get(it.language, 0),
        }
        for it in found
    ]
    kept = [it for it in found if it.kept]
    largest = ", ".join(language_name(it.language) for it in kept[:3])
    return Result(
        name="languages",
        title="What there is of each language",
        definition="Pages that were found in each language, as a share of all that was read, and of those "
        "that are kept their number, sites, bytes of the language and tokens; the share with an open "
        "license, and the mean quality where there are a hundred documents. A page belongs to that language "
        "of the corpus which has most bytes on it: look-alikes taken are documents of the language with "
        "text of a look-alike too, look-alikes given are documents of a look-alike with text of the "
        "language. Languages that the corpus is not for come last.",
        citation="After FineWeb2 and HPLT",
        rows=table_of(rows, COLUMNS),
        summary=f"Documents in {len(kept):,} languages; the most text is in {largest}."
        if kept
        else "No language has a document yet.",
        spec=bars("language", "target_bytes"),
        facts={"languages": len(kept), "found": len(found)},
    )


def _thresholds(bench: Bench) -> Result:
    """Filters of texts by language, those that drop the largest share first."""
    # Pages of languages that the corpus is not for are dropped before any filter has looked at their texts.
    found = strictness(bench.engine, bench.documents, Targets(), 0)
    found.sort(key=lambda it: (-it.dropped / it.documents, it.language, it.filter))
    rows = [
        {
            "language": language_name(it.language),
            "filter": it.filter,
            "threshold": it.wanted,
            "dropped": it.dropped,
            "documents": it.documents,
            "share": it.dropped / it.documents,
            "codes": it.language,
        }
        for it in found
    ]
    return Result(
        name="language_thresholds",
        title="What thresholds drop in each language",
        definition="Each filter that judges how a text looks, with the threshold that holds for the "
        "language, set or learned, and how many of the documents found in the language it drops. Texts that "
        "it drops are shown by `corpulyzer calibrate --rejects N`, so that a speaker can say: too strict.",
        citation="After FineWeb2 (Penedo et al. 2025)",
        rows=table_of(rows, THRESHOLD_COLUMNS),
        summary=_strictest(found[0]) if found else "No document was dropped for how its text looks.",
    )


def _strictest(it: Strictness) -> str:
    name = it.filter.replace("_", " ")
    share = it.dropped / it.documents
    return (
        f"The strictest is {name} in {language_name(it.language)}, which drops {share:.1%} of the documents."
    )


def _row(it: LanguageCount, pages: int) -> dict[str, Any]:
    return {
        **asdict(it),
        "language": language_name(it.language),
        "code": it.language,
        "kept_share": it.kept / it.pages,
        "archive_share": it.pages / pages,
        "dropped": reasons(it.dropped),
    }


def _documents(together: dict[tuple[str, str], dict[str, Any]], code: str) -> int:
    found = together.get((code, look_alike_pairs.ANY))
    return found["documents"] if found else 0


def _given(together: dict[tuple[str, str], dict[str, Any]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for (_, code), row in together.items():
        found[code] = found.get(code, 0) + row["documents"]
    return found


def _licensed(bench: Bench) -> dict[str, int]:
    """The kept documents of each language whose license stands after the vote of their site."""
    documents = {"documents": bench.documents}
    rows = bench.engine.query(LICENSED_SQL, documents).to_pylist()
    votes = licenses(bench.engine, bench.documents).sites if rows else ()
    voters = {(row.site, row.license): (row.pages, row.voters) for row in votes}
    found: dict[str, int] = {}
    for row in rows:
        if stands(row["license_basis"], *voters.get((row["site"], row["license"]), (0, 0))):
            found[row["language"]] = found.get(row["language"], 0) + row["documents"]
    return found
