"""The word list: how often each word is used, in how many documents and sites, and how evenly.

Dispersion is Gries' DP over sites: half the sum, over all sites, of how far the word's share of its uses on
a site is from the site's share of all words. 0 is perfectly even; near 1, one small site has all uses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from corpulyzer.engine.workbench import Workbench
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars, columns
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import TextCounts, text_counts, text_warnings
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.measure.words.by_site import SPARE, words_by_site
from corpulyzer.measure.words.word_class import kinds_of
from corpulyzer.storage import Storage

TOP = 1_000
TOP_N = (100, 1_000, 10_000)
NOTHING = "all are words"
TOP_SQL = """
select word, tokens, documents from words order by tokens desc nulls last, word nulls last limit {most}
"""
SITE_WORDS_SQL = """
select site, sum(tokens) as tokens from words where target = 1 group by site having sum(tokens) > 0
"""
FREQUENT_SQL = """
select word, tokens, documents, row_number() over (order by tokens desc nulls last, word nulls last) as place
from (select word, tokens, documents from words order by tokens desc nulls last, word nulls last
      limit {most}) as t
"""
FIRST_SQL = """
select word, tokens, documents, place from frequent where place <= {most} order by place nulls last
"""
SPREAD_SQL = """
select t.word, d.sites, d.distance, d.share
from (select place, count(*) as sites, sum(distance) as distance, sum(share) as share
      from (select s.place, z.tokens as share,
                   case when s.tokens * {total} > z.tokens * s.uses
                        then s.tokens * {total} - z.tokens * s.uses
                        else z.tokens * s.uses - s.tokens * {total} end as distance
            from (select f.place, b.site, min(f.tokens) as uses, sum(b.tokens) as tokens
                  from (select word, site, tokens from summed
                        union all select word, site, tokens from added where target = 1) as b
                  join frequent as f on b.word = f.word where f.place <= {most} group by f.place, b.site
                  having sum(b.tokens) > 0) as s
            join sizes as z on s.site = z.site) as p
      group by place) as d
join frequent as t on d.place = t.place order by t.word nulls last
"""
LIST = {
    "rank": "int64",
    "word": "string",
    "tokens": "int64",
    "per_million": "double",
    "documents": "int64",
    "documents_share": "double",
    "sites": "int64",
    "dispersion": "double",
    "no_word": "string",
}


def top_words(bench: Bench, counts: TextCounts, most: int = TOP) -> list[dict[str, Any]]:
    """The most frequent words with documents, sites and dispersion, each rank one word."""
    work = Workbench(bench.engine, Storage(bench.folder), "frequency")
    frequent = work.make("frequent", FREQUENT_SQL.format(most=SPARE * most), words=counts["words"])
    rows = work.rows(FIRST_SQL.format(most=most), frequent=frequent)
    by_site = words_by_site(bench, frequent, [row["word"] for row in rows])
    sizes = work.spread("sizes", SITE_WORDS_SQL, words=counts.parts["words"])
    sql = SPREAD_SQL.format(total=counts.words, most=most)
    spread = work.rows(sql, summed=by_site.summed, added=by_site.added, frequent=frequent, sizes=sizes)
    by_word = {row["word"]: row for row in spread}
    work.clear()
    found, kinds = [], kinds_of([row["word"] for row in rows], bench.language)
    for row, kind in zip(rows, kinds, strict=True):
        seen = by_word[row["word"]]
        found.append(
            {
                "rank": row.pop("place"),
                **row,
                "per_million": row["tokens"] * 1e6 / counts.words,
                "documents_share": row["documents"] / counts.documents,
                "sites": seen["sites"],
                "dispersion": _dispersion(seen, row["tokens"], counts.words),
                "no_word": kind,
            }
        )
    return found


def first_words(bench: Bench, counts: TextCounts, most: int) -> list[dict[str, Any]]:
    """The most frequent words with their tokens, and which of them are no words."""
    rows: list[dict[str, Any]] = bench.engine.query(
        TOP_SQL.format(most=most), {"words": counts["words"]}
    ).to_pylist()
    kinds = kinds_of([row["word"] for row in rows], bench.language)
    return [{**row, "no_word": kind} for row, kind in zip(rows, kinds, strict=True)]


def _dispersion(seen: dict[str, Any], tokens: int, total: int) -> float:
    """DP: sites without the word add their whole share of the corpus."""
    return float((seen["distance"] / (tokens * total) + 1 - seen["share"] / total) / 2)


def no_words(rows: Sequence[dict[str, Any]], among: Sequence[int] = TOP_N) -> list[dict[str, Any]]:
    """Which of the N most frequent words are not words of the language, by kind, with examples (C4-20)."""
    found: list[dict[str, Any]] = []
    for most in among:
        top = rows[:most]
        if not top or (found and len(top) == found[-1]["words"]):
            continue
        kinds = Counter(row["no_word"] for row in top if row["no_word"])
        tokens = sum(row["tokens"] for row in top)
        for kind, count in sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0])) or [(NOTHING, 0)]:
            those = [row for row in top if row["no_word"] == kind]
            found.append(
                {
                    "top": most,
                    "words": len(top),
                    "kind": kind.replace("_", " "),
                    "types": count,
                    "types_share": count / len(top),
                    "tokens_share": sum(row["tokens"] for row in those) / tokens,
                    "examples": [row["word"] for row in those[:10]],
                }
            )
    return found


def measure(bench: Bench) -> list[Result]:
    """The word list, and which of its first entries are not words of the language."""
    counts = text_counts(bench)
    rows = top_words(bench, counts) if counts.words else []
    return [_word_list(bench, counts, rows), _no_words(bench, counts, first_words(bench, counts, max(TOP_N)))]


def _word_list(bench: Bench, counts: TextCounts, rows: list[dict[str, Any]]) -> Result:
    first = ", ".join(row["word"] for row in rows[:5])
    return Result(
        name="words",
        title="Most frequent words",
        definition="Words by number of uses, with the numbers of documents and sites that use them, and how "
        "unevenly the uses are spread over sites (dispersion, Gries' DP: 0 is even; near 1, one small site "
        "has all).",
        citation="Gries 2008 (DP); Tahir & Mehmood 2021",
        rows=table_of(rows, LIST),
        summary=f"Most used: {first}." if rows else "There are no words.",
        parameters={"most": TOP, "dispersion": "DP over sites"},
        spec={
            **bars("word", "tokens", titles={"tokens": "uses"}),
            "usermeta": {"rows": 25, "value": "tokens"},
        },
        warnings=(
            "A word that few sites use much (dispersion near 1) tells of those sites, not of the language.",
            *text_warnings(bench, counts),
        ),
    )


def _no_words(bench: Bench, counts: TextCounts, rows: list[dict[str, Any]]) -> Result:
    found = no_words(rows)
    kinds = {"top": "int64", "words": "int64", "kind": "string", "types": "int64", "types_share": "double"}
    share = sum(row["types_share"] for row in found if row["top"] == found[-1]["top"]) if found else 0.0
    return Result(
        name="no_words",
        title="Frequent words that are not of the language",
        definition="Among the N most frequent words: numbers, parts of addresses and markup, and words in "
        "letters "
        "of other languages.",
        citation="Habernal et al. 2016, on Table 6 (C4-20)",
        rows=table_of(found, {**kinds, "tokens_share": "double", "examples": "[string]"}),
        summary=f"{share:.1%} of the {found[-1]['words']:,} most frequent words are not of the language."
        if found
        else "",
        parameters={"among": list(TOP_N)},
        spec=_no_words_figure(),
        warnings=(
            "Judged by characters and a short list of markup: a foreign word in the language's own letters "
            "is not found.",
            *text_warnings(bench, counts),
        ),
    )


def _no_words_figure() -> dict[str, Any]:
    titles = {"top": "most frequent words", "types_share": "of them are no words"}
    spec = columns("top", "types_share", percent=True, titles=titles)
    spec["encoding"]["color"] = {"field": "kind", "type": "nominal", "title": None}
    return spec
