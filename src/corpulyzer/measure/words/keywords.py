"""What is special about the words of a corpus, against a reference list (C4-15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars, heat_map
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import TextCounts, text_counts, text_warnings
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.measure.words.list_pairs import (
    MIN_LIKELIHOOD,
    MIN_USES,
    TOP_N,
    Keyness,
    keywords,
    read_word_list,
    top_n_spearman,
)
from corpulyzer.measure.words.word_class import classify

MOST = 100
MOST_WORDS = 200_000
TOP_SQL = """
select word, tokens from words order by tokens desc nulls last, word nulls last limit {most}
"""
KEYWORD = {
    "side": "string",
    "word": "string",
    "uses": "int64",
    "per_million": "double",
    "other_uses": "int64",
    "other_per_million": "double",
    "log_ratio": "double",
    "log_likelihood": "double",
    "no_word": "string",
}
NO_MEANING = "A word may be frequent because few sites use it much: see its dispersion in the word list."


def measure(bench: Bench) -> list[Result]:
    """Keywords and rank agreement with the reference list; nothing where none is given."""
    if not bench.reference:
        return []
    counts = text_counts(bench)
    reference = read_word_list(bench.reference)
    own = top_words_of(bench, counts, MOST_WORDS)
    total = sum(reference.values())
    more = keywords(own, counts.words, reference, total, MOST)
    less = keywords(reference, total, own, counts.words, MOST)
    order = sorted(reference, key=lambda word: (-reference[word], word))
    ranks = {word: place for place, word in enumerate(order)}
    rows = [
        *agreements("corpus", list(own), "reference", ranks, bench),
        *agreements("reference", order, "corpus", {word: place for place, word in enumerate(own)}, bench),
    ]
    warnings = _list_warnings(counts, text_warnings(bench, counts))
    return [
        keywords_result(bench, "corpus", more, "reference", less, warnings),
        ranks_result(rows, warnings, "keyword_ranks"),
    ]


def top_words_of(bench: Bench, counts: TextCounts, most: int) -> dict[str, int]:
    """The most frequent words and their uses, in the order of their ranks."""
    rows = bench.engine.query(TOP_SQL.format(most=most), {"words": counts["words"]}).to_pylist()
    return {row["word"]: row["tokens"] for row in rows}


def _list_warnings(counts: TextCounts, warnings: tuple[str, ...]) -> tuple[str, ...]:
    return (
        NO_MEANING,
        f"Of the corpus the {MOST_WORDS:,} most frequent words are compared; rarer ones count as unused.",
        "A reference list of another tokeniser, in other letters or of other years makes keywords of its "
        "own.",
        *warnings,
    )


def agreements(
    name: str, gold: Sequence[str], other_name: str, ranks: Mapping[str, int], bench: Bench
) -> list[dict[str, Any]]:
    """A row for each N, up to the first that covers the whole list."""
    rows: list[dict[str, Any]] = []
    for n in TOP_N:
        found = top_n_spearman(gold, ranks, n)
        none = [word for word in gold[:n] if classify(word, bench.language).kind]
        if found.words and not (rows and rows[-1]["words"] == found.words):
            rows.append(
                {
                    "gold": name,
                    "other": other_name,
                    "n": n,
                    **asdict(found),
                    "no_words": len(none),
                    "no_word_examples": none[:10],
                }
            )
    return rows


def keywords_result(
    bench: Bench, name: str, more: list[Keyness], other: str, less: list[Keyness], warnings: tuple[str, ...]
) -> Result:
    """The keywords of two sides as a result."""
    rows = [
        {"side": side, **asdict(each), "no_word": classify(each.word, bench.language).kind}
        for side, found in ((name, more), (other, less))
        for each in found
    ]
    first = ", ".join(each.word for each in more[:8])
    return Result(
        name="keywords",
        title="Keywords",
        definition="Words used more on one side than on the other, by log-ratio (the number of doublings). "
        "Only differences that are "
        f"hardly chance are listed (log-likelihood ≥ {MIN_LIKELIHOOD}, at least {MIN_USES} uses).",
        citation="Hardie 2014 (log-ratio); Dunning 1993 (log-likelihood)",
        rows=table_of(rows, KEYWORD),
        summary=f"Typical of {name}: {first}." if more else f"No word is typical of {name}.",
        parameters={"most": MOST, "min_uses": MIN_USES, "min_log_likelihood": MIN_LIKELIHOOD},
        spec=_figure(),
        warnings=warnings,
    )


def ranks_result(rows: list[dict[str, Any]], warnings: tuple[str, ...], name: str) -> Result:
    """The agreements of word lists as a result."""
    kinds = {
        "gold": "string",
        "other": "string",
        "n": "int64",
        "words": "int64",
        "rho": "double",
        "p": "double",
    }
    more = {"missing": "int64", "no_words": "int64", "no_word_examples": "[string]"}
    spoiled = max((row["no_words"] / row["words"] for row in rows), default=0.0)
    shown = [f"{row['gold']} → {row['other']} {row['rho']:.2f}" for row in rows if row["rho"] is not None]
    spec = heat_map("other", "gold", "rho", percent=False)
    spec["transform"] = [{"filter": f"datum.n == {min((row['n'] for row in rows), default=TOP_N[0])}"}]
    return Result(
        name=name,
        title="Agreement of word ranks",
        definition="Spearman's correlation of the ranks of the N most frequent words of one list (gold) "
        "with their "
        "ranks in another; words that the other lacks come last. Not symmetric.",
        citation="Habernal et al. 2016, Table 6 (C4-15, C4-20)",
        rows=table_of(rows, {**kinds, **more}),
        summary=f"{'; '.join(shown[:4])}." if shown else "There are too few words to compare.",
        parameters={"n": list(TOP_N)},
        spec=spec,
        warnings=(
            *(
                [f"Up to {spoiled:.0%} of the words are not of the language: they lower the correlation."]
                if spoiled
                else []
            ),
            *warnings,
        ),
    )


def _figure() -> dict[str, Any]:
    """The first words of both sides, whose rows do not stand together."""
    spec = bars("word", "log_ratio", titles={"log_ratio": "log-ratio"})
    spec["encoding"]["color"] = {"field": "side", "type": "nominal", "title": None, "sort": None}
    window = {"window": [{"op": "row_number", "as": "place"}], "groupby": ["side"]}
    return {
        **spec,
        "usermeta": {"value": "log_ratio"},
        "transform": [window, {"filter": "datum.place <= 10"}],
    }
