"""How rich pages and sites are in the language, and what else is on them (CZ-27, 28, 31, 41 to 44)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars, columns, lines
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.pages.rows import described
from corpulyzer.measure.pages.thresholds import threshold_table
from corpulyzer.measure.result import Result
from corpulyzer.measure.sites.rows import SiteRow, by_richness, site_rows
from corpulyzer.measure.typed_rows import table_of

# Table 7 of the paper bins whole per cents; our shares are fractions, so each bin ends where the next begins.
# The bins of the query are in millionths.
BINS = ("0–49%", "50–79%", "80–89%", "90–94%", "95–100%")
LANGUAGES_SHOWN = 15
OTHER = "Other"
TOP_N = (100, 500, *range(1_000, 100_000, 1_000))
CURVE_POINTS = 200

SHARES_SQL = """
select unit, bin, count(*) as pages, sum(kept) as kept from (
  select unit, kept, case when share < 500000 then 0 when share < 800000 then 1 when share < 900000 then 2
                          when share < 950000 then 3 else 4 end as bin
  from (select 'bytes' as unit, kept, share from pages where text_bytes > 0 or content_bytes > 0
        union all
        select 'tokens' as unit, kept, token_share as share from pages
        where text_bytes > 0 or content_bytes > 0) as s) as binned
group by unit, bin order by unit nulls last, bin nulls last
"""
# `und` is text of no known language, and no language itself.
PRESENCE_SQL = """
select language, count(*) as pages, sum(bytes) as bytes from languages where kept = 1 and language <> 'und'
group by language order by pages desc nulls last, language nulls last
"""
KEPT_SQL = "select count(*) as n from pages where kept = 1"


def measure(bench: Bench) -> list[Result]:
    """Language share of pages, richness of sites, thresholds, other languages, coverage of the top sites."""
    sites = site_rows(bench)
    return [
        language_share(bench),
        site_richness(sites),
        thresholds(bench),
        language_presence(bench),
        coverage(sites),
    ]


def language_share(bench: Bench) -> Result:
    """Pages by the share of their text that is in the language (CZ-27, CZ-42)."""
    found = bench.engine.query(SHARES_SQL, {"pages": described(bench)["pages"]}).to_pylist()
    counts = {(row["unit"], row["bin"], key): row[key] for row in found for key in ("pages", "kept")}
    totals = {
        key: sum(n for (unit, _, of), n in counts.items() if (unit, of) == ("bytes", key))
        for key in ("pages", "kept")
    }
    rows = [
        {
            "language_share": name,
            "of": of,
            "pages": counts.get(("bytes", number, key), 0),
            "share": counts.get(("bytes", number, key), 0) / totals[key] if totals[key] else None,
            "pages_by_tokens": counts.get(("tokens", number, key), 0),
            "share_by_tokens": counts.get(("tokens", number, key), 0) / totals[key] if totals[key] else None,
        }
        for of, key in (("read", "pages"), ("corpus", "kept"))
        for number, name in enumerate(BINS)
    ]
    titles = {"language_share": "share of the text that is in the language", "share": "of pages"}
    spec = columns("language_share", "share", series="of", percent=True, titles=titles)
    best = rows[-1]["share"]
    kinds = {"language_share": "string", "of": "string", "pages": "int64", "share": "double"}
    kinds |= {"pages_by_tokens": "int64", "share_by_tokens": "double"}
    return Result(
        name="language_share",
        title="Language share of pages",
        definition="Bytes of the target language of all bytes of a page's text, and the same in tokens, in "
        "the bins of Table 7; each bin ends where the next begins. Paragraphs in other languages that were "
        "taken out count too. Read are pages that have text: those without have no share, and count neither "
        "here nor in the richness of sites.",
        citation="Tahir & Mehmood 2021, Eq. 4 and Table 7",
        rows=table_of(rows, kinds),
        summary=f"On {percent(best)} of the corpus' pages at least 95% of the text is in the language."
        if totals["kept"]
        else "No page is kept.",
        spec=spec if totals["pages"] else None,
        warnings=("Shares are as good as the identification of languages, paragraph by paragraph.",),
        facts={"pure_share": best, "pure_share_by_tokens": rows[-1]["share_by_tokens"]},
    )


def site_richness(sites: Sequence[SiteRow]) -> Result:
    """The distribution of site richness, of all that was read and of the corpus (CZ-28, CZ-41)."""
    values = {
        "read": sorted(site.raw_richness for site in sites if site.text_pages),
        "corpus": sorted(site.richness for site in sites if site.kept),
        "corpus, weighted by bytes": sorted(site.weighted_richness for site in sites if site.kept),
        "corpus, shares by tokens": sorted(site.token_richness for site in sites if site.kept),
    }
    rows = [
        {"richness": value, "of": name, "share": place / len(found)}
        for name, found in values.items()
        for place, value in _cumulated(found)
    ]
    medians = {name: median(found) for name, found in values.items()}
    means = {name: sum(found) / len(found) if found else None for name, found in values.items()}
    kept = medians["corpus"]
    titles = {"richness": "richness of a site", "share": "of sites are no richer"}
    spec = lines("richness", "share", series="of", percent=True, step=True, titles=titles)
    spec["encoding"]["x"]["axis"]["labelExpr"] = "format(datum.value, '.0%')"
    return Result(
        name="site_richness",
        title="Richness of sites",
        definition="The mean over a site's pages of the share of their text that is in the language, and the "
        "share of sites that are no richer. Every page weighs the same; the third curve weighs by bytes, the "
        "fourth takes shares of tokens. Read are pages that have text: others have no share, and sites "
        "without any such page are left out, as in the table of language shares.",
        citation="Tahir & Mehmood 2021, Eq. 5 and Fig. 7b",
        rows=table_of(rows, {"richness": "double", "of": "string", "share": "double"}),
        summary=f"The median site of the corpus has a richness of {percent(kept)} "
        f"(mean {percent(means['corpus'])}), of all that was read {percent(medians['read'])} "
        f"(mean {percent(means['read'])})."
        if kept is not None
        else "No site has a page in the corpus.",
        spec=spec,
        facts={
            "median": kept,
            "mean": means["corpus"],
            "read_median": medians["read"],
            "median_by_tokens": medians["corpus, shares by tokens"],
        },
    )


def _cumulated(values: Sequence[float]) -> list[tuple[int, float]]:
    """Places and values of a sorted list where the value changes, thinned to a curve's points."""
    last = [i for i in range(len(values)) if i + 1 == len(values) or values[i] != values[i + 1]]
    step = max(1, len(last) // CURVE_POINTS)
    return [(i + 1, values[i]) for number, i in enumerate(last) if number % step == 0 or i == last[-1]]


def median(values: Sequence[float]) -> float | None:
    """The median of sorted values; None if there are none.

    >>> median([1, 2, 4]), median([1, 2]), median([])
    (2, 1.5, None)
    """
    if not values:
        return None
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def thresholds(bench: Bench) -> Result:
    """What each content-size threshold would keep (CZ-31)."""
    table = threshold_table(bench.engine, bench.documents)
    rows = [
        {
            "at_least_bytes": row.threshold,
            "pages": row.pages,
            "pages_share": row.pages_share,
            "target_bytes": row.size,
            "bytes_share": row.size_share,
            "chosen": row.threshold == table.chosen,
        }
        for row in table.rows
    ]
    kinds = {"at_least_bytes": "int64", "pages": "int64", "pages_share": "double", "target_bytes": "int64"}
    return Result(
        name="thresholds",
        title="Content-size thresholds",
        definition="Pages with at least so many bytes of the language, and the share of all its bytes that "
        "they carry; the rule chooses the largest threshold that keeps 95%.",
        citation="Tahir & Mehmood 2021, Eq. 2 and Table 3",
        rows=table_of(rows, {**kinds, "bytes_share": "double", "chosen": "bool"}),
        summary=f"The 95% rule chooses {table.chosen} bytes."
        if table.chosen
        else "Only a threshold of 0 keeps 95% of the bytes of the language."
        if table.rows[0].pages
        else "No page has any text of the language.",
        parameters={"keep": table.keep},
        warnings=(
            "The rule counts bytes: a letter has one in Latin script, two in Arabic, three in Devanagari.",
        ),
    )


def presence(bench: Bench) -> tuple[list[dict[str, Any]], int]:
    """Pages and bytes of the corpus by the languages on them, the most frequent first, and all its pages.

    Text of no known language (`und`) is left out.
    """
    tables = described(bench)
    rows = bench.engine.query(PRESENCE_SQL, tables).to_pylist()
    return rows, bench.engine.query(KEPT_SQL, {"pages": tables["pages"]}).to_pylist()[0]["n"]


def language_presence(bench: Bench) -> Result:
    """On how many pages of the corpus each language occurs (CZ-43)."""
    rows, pages = presence(bench)
    others = [row for row in rows if row["language"] != bench.language.code]
    size = sum(row["bytes"] for row in rows)
    groups = [(language_name(row["language"]), row) for row in rows[:LANGUAGES_SHOWN]]
    if rest := rows[LANGUAGES_SHOWN:]:
        sums = {key: sum(row[key] for row in rest) for key in ("pages", "bytes")}
        groups.append((OTHER, {"language": "", **sums}))
    shown = [
        {**row, "name": name, "share": row["pages"] / pages, "bytes_share": row["bytes"] / size}
        for name, row in groups
    ]
    kinds = {"language": "string", "name": "string", "pages": "int64", "share": "double", "bytes": "int64"}
    most = others[0] if others else None
    return Result(
        name="language_presence",
        title="Languages in the corpus",
        definition="Pages on which a language occurs, to any extent; a page counts for each language that is "
        "on it, so shares add up to more than all. Other: the same added up over all further languages. Text "
        "of no known language is in no row; shares of bytes are of the languages' bytes.",
        citation="Tahir & Mehmood 2021, Table 8",
        rows=table_of(shown, {**kinds, "bytes_share": "double"}),
        summary=f"The language that occurs most beside it is {language_name(most['language'])}, on "
        f"{percent(most['pages'] / pages)} of the pages."
        if most
        else "No other language occurs."
        if pages
        else "No page is kept.",
        spec=bars("name", "share", percent=True, titles={"share": "of the corpus' pages"}),
        facts={"languages": len(rows)},
    )


def language_name(code: str) -> str:
    """The English name of a language where its code is known."""
    from corpulyzer.errors import UserError
    from corpulyzer.language import Language

    if code == "und":
        return "undetermined"
    try:
        return Language.find(code).name
    except UserError:
        return code


def coverage(sites: Sequence[SiteRow]) -> Result:
    """How much of the corpus its richest sites hold (CZ-44)."""
    ranked = by_richness(sites)
    pages = list(accumulate(site.kept for site in ranked))
    size = list(accumulate(site.kept_target_bytes for site in ranked))
    at = sorted({n for n in (*TOP_N, *_early(len(ranked)), len(ranked)) if 0 < n <= len(ranked)})
    rows: list[dict[str, Any]] = [
        {"sites": n, "of": of, "coverage": sums[n - 1] / sums[-1] if sums[-1] else None}
        for of, sums in (("pages", pages), ("bytes of the language", size))
        for n in at
    ]
    half = next((n for n, value in enumerate(size, 1) if 2 * value >= size[-1]), None)
    titles = {"sites": "richest sites", "coverage": "of the corpus"}
    return Result(
        name="coverage",
        title="Coverage of the richest sites",
        definition="The share of the corpus' pages and bytes on its N richest sites; ties in richness go to "
        "more bytes, then to the name.",
        citation="Tahir & Mehmood 2021, Fig. 8a",
        rows=table_of(rows, {"sites": "int64", "of": "string", "coverage": "double"}),
        summary=f"Half of the text is on the {half:,} richest of {len(ranked):,} sites."
        if half
        else "No site has a page in the corpus.",
        spec=lines("sites", "coverage", series="of", percent=True, titles=titles),
    )


def _early(count: int) -> list[int]:
    """Points for corpora of few sites: ten steps of equal width."""
    return [max(1, count * step // 10) for step in range(1, 11)] if count < TOP_N[1] * 2 else [10, 50]
