"""Licenses by language: documents of each kind, and shares over languages and over all (C4-13, C4-14).

Tables 4 and 5 of C4Corpus count what was found, Table 7 what is left after filters and copies: in a corpus of
several languages there is a table of each.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.engine.workbench import Workbench
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars
from corpulyzer.measure.licenses.vote import licenses
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.pages.language_richness import language_name
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.page.label.license import stands
from corpulyzer.page.label.license_kinds import KINDS, UNSPECIFIED
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.records.targets import SEVERAL
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    import pyarrow as pa

LANGUAGES = 10
SITES = 50

# A page whose language is not sure enough to count, which the filter calls `unk`, is in no known one (C4-21).
CROSS_SQL = """
select site, language, license, license_basis, count(*) as documents, sum(kept) as kept
from (select site, license, license_basis,
             case when verdict.reason = 'main_language' and verdict.detail = 'unk' then 'und'
                  else language end as language,
             case when verdict.kept then 1 else 0 end as kept
      from documents where text_bytes > 0 and license <> '') as d
group by site, language, license, license_basis
order by site nulls last, language nulls last, license nulls last, license_basis nulls last
"""
# Words are counted in kept documents only, and most licensed ones may be in other languages.
TEXTS_SQL = """
select site, license, license_basis, text, verdict.kept as kept,
       case when verdict.reason = 'main_language' and verdict.detail = 'unk' then 'und'
            else language end as language
from documents
where text_bytes > 0 and license <> ''
"""
TOKENS_SQL = """
select site, language, license, license_basis, kept, sum(tokens) as tokens from counted
group by site, language, license, license_basis, kept
"""
TOTALS_SQL = """
select language, count(*) as documents, sum(kept) as kept
from (select case when verdict.reason = 'main_language' and verdict.detail = 'unk' then 'und'
                  else language end as language,
             case when verdict.kept then 1 else 0 end as kept
      from documents where text_bytes > 0) as d
group by language order by language nulls last
"""


@dataclass(frozen=True, slots=True)
class Licensed:
    """The tokens of some documents of a site, a language and a license, kept (1) or not (0)."""

    site: str
    language: str
    license: str
    license_basis: str
    kept: int
    tokens: int


@dataclass(frozen=True, slots=True)
class CountTokens:
    """Map: licensed texts in, sums of their tokens out."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"counted": schema_of(Licensed)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        counts: Counter[tuple[tuple[str, ...], int]] = Counter()
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            counts[_key(row), int(row["kept"])] += len(row["text"].split())
        found = (
            Licensed(site, language, license, basis, kept, tokens)
            for ((site, language, license, basis), kept), tokens in counts.items()
        )
        return {"counted": batch_of(found, Licensed)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """A text whose tokens cannot be counted has none."""
        return {"counted": batch_of([], Licensed)}


def measure(bench: Bench) -> list[Result]:
    """Languages by licenses, found and, where there are several, kept; and the sites that have them."""
    documents = {"documents": bench.documents}
    votes = licenses(bench.engine, bench.documents)
    voters = {(row.site, row.license): (row.pages, row.voters) for row in votes.sites}
    tokens = _tokens(bench)
    found = [
        {**row, "tokens": tokens[key, True] + tokens[key, False], "tokens_kept": tokens[key, True]}
        for row in bench.engine.query(CROSS_SQL, documents).to_pylist()
        if (key := _key(row)) and stands(row["license_basis"], *voters[row["site"], row["license"]])
    ]
    totals = bench.engine.query(TOTALS_SQL, documents).to_pylist()
    kept = [kept_crosstab(found, totals)] if bench.language.code == SEVERAL else []
    return [crosstab(found, totals, bench.language.code), *kept, site_licenses(votes.rows())]


def _key(row: Mapping[str, Any]) -> tuple[str, ...]:
    return row["site"], row["language"], row["license"], row["license_basis"]


def _tokens(bench: Bench) -> Counter[tuple[tuple[str, ...], bool]]:
    """The tokens of licensed documents by site, language, license and its basis, and whether they are kept.

    As the paper counts them, for all languages in one way: what stands between white space.
    """
    work = Workbench(bench.engine, Storage(bench.folder), "licensed")
    texts = work.spread("texts", TEXTS_SQL, documents=bench.documents)
    counted = work.map("counted", CountTokens(), texts)
    rows = work.rows(TOKENS_SQL, counted=counted)
    work.clear()
    return Counter({(_key(row), bool(row["kept"])): row["tokens"] for row in rows})


def crosstab(found: Sequence[dict[str, Any]], totals: Sequence[dict[str, Any]], target: str) -> Result:
    """Documents by language and license for the languages with most licensed documents (C4-13)."""
    counts: dict[str, dict[str, int]] = {}
    tokens: dict[str, int] = {}
    kept: dict[str, int] = {}
    for row in found:
        kinds = counts.setdefault(row["language"], {})
        kinds[row["license"]] = kinds.get(row["license"], 0) + row["documents"]
        tokens[row["language"]] = tokens.get(row["language"], 0) + row["tokens"]
        kept[row["language"]] = kept.get(row["language"], 0) + row["kept"]
    documents = {row["language"]: row["documents"] for row in totals}
    order = sorted(documents, key=lambda code: (-sum(counts.get(code, {}).values()), code != target, code))
    kinds_found = [*(k for k in KINDS if any(k in c for c in counts.values())), UNSPECIFIED]
    rows = [
        _row(code, counts.get(code, {}), documents[code], tokens.get(code, 0), kinds_found)
        | {"licensed_kept": kept.get(code, 0)}
        for code in order[:LANGUAGES]
    ]
    shares = cc_shares({c: (sum(counts.get(c, {}).values()), documents[c]) for c in documents})
    columns = _columns(kinds_found) | {"licensed_kept": "int64"}
    own = sum(row["kept"] for row in found), sum(row["kept"] for row in totals)
    summary = (
        "No document has text."
        if not documents
        else (
            f"{percent(shares['pooled'])} of all documents with text have an open license; the mean over "
            f"languages is {percent(shares['macro'])} "
            f"(± {100 * (shares['deviation'] or 0):.1f} points)."
        )
    )
    return Result(
        name="licenses",
        title="Licenses by language",
        definition="Documents with text by their leading language and Creative Commons license, after the "
        "vote of their site; tokens, between white space, are those of the licensed documents. Undetermined "
        "are also pages whose language is not sure enough for the filter. The last column counts licensed "
        "documents that the corpus keeps, so without copies once these were looked for; of other languages "
        "it keeps none. The pooled share is over all documents, the macro share the mean of languages.",
        citation="Habernal et al. 2016, Tables 4 and 5; Table 7 in the last column",
        rows=table_of(rows, columns),
        summary=summary if found or not documents else "No document has an open license.",
        parameters={"languages": LANGUAGES},
        spec=bars("language", "licensed", titles={"licensed": "documents with an open license"})
        if found
        else None,
        warnings=(
            "A license on a page may be that of a picture or of a quotation; those that a page merely links "
            "to stand only where most pages of the site have them.",
        ),
        facts={**shares, "pooled_share": own[0] / own[1] if own[1] else None},
    )


def kept_crosstab(found: Sequence[dict[str, Any]], totals: Sequence[dict[str, Any]]) -> Result:
    """The same of the documents that the corpus keeps, for the languages with most of them."""
    counts: dict[str, Counter[str]] = {row["language"]: Counter() for row in totals if row["kept"]}
    tokens: Counter[str] = Counter()
    for row in (row for row in found if row["kept"]):
        counts[row["language"]][row["license"]] += row["kept"]
        tokens[row["language"]] += row["tokens_kept"]
    kept = {row["language"]: row["kept"] for row in totals}
    order = sorted(counts, key=lambda code: (-counts[code].total(), code))
    kinds = [*(kind for kind in KINDS if any(kind in own for own in counts.values())), UNSPECIFIED]
    rows = [_row(code, counts[code], kept[code], tokens[code], kinds) for code in order[:LANGUAGES]]
    licensed = sum(own.total() for own in counts.values())
    return Result(
        name="licenses_kept",
        title="Licenses by language, of what is kept",
        definition="The documents that the corpus keeps, by their own language and Creative Commons license, "
        "after the vote of their site: without what filters dropped, and without copies once these were "
        "looked for. Tokens, between white space, are those of the licensed documents.",
        citation="Habernal et al. 2016, Table 7",
        rows=table_of(rows, _columns(kinds)),
        summary=f"{licensed:,} of the documents that are kept have an open license."
        if licensed
        else "No document that is kept has an open license.",
        parameters={"languages": LANGUAGES},
    )


def _columns(kinds: Sequence[str]) -> dict[str, str]:
    counted = {_column(kind): "int64" for kind in kinds}
    more = {"licensed": "int64", "none": "int64", "licensed_share": "double", "tokens_licensed": "int64"}
    return {"language": "string", **counted, **more}


def _row(
    code: str, counts: Mapping[str, int], total: int, tokens: int, kinds: Sequence[str]
) -> dict[str, Any]:
    licensed = sum(counts.values())
    return {
        "language": language_name(code),
        **{_column(kind): counts.get(kind, 0) for kind in kinds},
        "licensed": licensed,
        "none": total - licensed,
        "licensed_share": licensed / total if total else None,
        "tokens_licensed": tokens,
    }


def _column(kind: str) -> str:
    return kind.replace("-", "_")


def cc_shares(by_language: dict[str, tuple[int, int]]) -> dict[str, float | None]:
    """The share of licensed documents: pooled, and mean and standard deviation over languages (C4-14).

    What is in no known language (`und`) is in the pooled share alone.

    >>> cc_shares({"a": (1, 10), "b": (3, 10)})["macro"]
    0.2
    """
    total = sum(documents for _, documents in by_language.values())
    pooled = sum(licensed for licensed, _ in by_language.values()) / total if total else None
    shares = [licensed / own for code, (licensed, own) in by_language.items() if own and code != "und"]
    if not shares:
        return {"pooled": pooled, "macro": None, "deviation": None}
    macro = math.fsum(shares) / len(shares)
    spread = math.fsum((share - macro) ** 2 for share in shares)
    deviation = math.sqrt(spread / (len(shares) - 1)) if len(shares) > 1 else None
    return {"pooled": pooled, "macro": macro, "deviation": deviation}


def site_licenses(rows: Sequence[dict[str, Any]]) -> Result:
    """The sites with open licenses, those with most pages first."""
    ranked = sorted(rows, key=lambda row: (-row["standing"], row["site"], row["license"]))
    standing = sum(row["standing"] > 0 for row in rows)
    kinds = {"site": "string", "license": "string", "pages": "int64", "linked": "int64", "voters": "int64"}
    return Result(
        name="site_licenses",
        title="Licenses by site",
        definition="Pages of a site with a license, how many of them by a link alone, the pages that vote, "
        "and the pages that have it after the vote.",
        citation="Habernal et al. 2016, Section 3.1",
        rows=table_of(ranked[:SITES], {**kinds, "share": "double", "standing": "int64"}),
        summary=f"{standing:,} licenses hold after the votes of their sites."
        if rows
        else "No page names a license.",
    )
