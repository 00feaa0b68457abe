"""How many words a corpus has, and how many of them are the language's own (CZ-23, CZ-47).

Corpulyzer (2021), Table 10: a token is of the language if every character lies in the ranges of its script.
By that rule one joiner or digit excludes a word, so a second rule looks at letters only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench
from corpulyzer.language import Language
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import columns
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import TextCounts, tag_of, text_counts, text_warnings
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.measure.words.word_class import ClassifyWords
from corpulyzer.storage import Storage

COUNTED_SQL = """
select a.word, a.tokens, coalesce(w.tokens, 0) as target
from all_words as a left join words as w on a.word = w.word
"""
CLASSES_SQL = """
select strict, aware, mixed, kind, sum(types) as types, sum(tokens) as tokens,
       sum(target_types) as target_types, sum(target_tokens) as target_tokens
from classes group by strict, aware, mixed, kind
order by strict nulls last, aware nulls last, mixed nulls last, kind nulls last
"""
WHOLE, TARGET = "whole pages", "target paragraphs"
KINDS = {
    "text": "string",
    "rule": "string",
    "tokens_are": "string",
    "types": "int64",
    "types_share": "double",
    "tokens": "int64",
    "tokens_share": "double",
}


def word_classes(bench: Bench, counts: TextCounts) -> dict[str, list[dict[str, Any]]]:
    """Types and tokens by class, in all text of kept pages and in paragraphs of the target language."""
    work = Workbench(bench.engine, Storage(bench.folder), "vocabulary")
    counted = work.spread("counted", COUNTED_SQL, all_words=counts["all_words"], words=counts["words"])
    classes: Dataset = work.map("classes", ClassifyWords(tag_of(bench)), counted)
    rows = work.rows(CLASSES_SQL, classes=classes)
    work.clear()
    own = [row | {"types": row["target_types"], "tokens": row["target_tokens"]} for row in rows]
    return {WHOLE: rows, TARGET: [row for row in own if row["types"]]}


def table(classes: Iterable[Mapping[str, Any]], text: str, rule: str) -> list[dict[str, Any]]:
    """Three rows of Table 10: language, non-language and total, by a rule (`strict`, `letters`)."""
    column = "strict" if rule == "strict" else "aware"
    sums = {"language": [0, 0], "other": [0, 0], "total": [0, 0]}
    for row in classes:
        for name in ("language" if row[column] else "other", "total"):
            sums[name][0] += row["types"]
            sums[name][1] += row["tokens"]
    types, tokens = sums["total"]
    return [
        {
            "text": text,
            "rule": rule,
            "tokens_are": name,
            "types": each[0],
            "types_share": each[0] / types if types else None,
            "tokens": each[1],
            "tokens_share": each[1] / tokens if tokens else None,
        }
        for name, each in sums.items()
    ]


def measure(bench: Bench) -> list[Result]:
    """The vocabulary of the corpus, by both rules."""
    counts = text_counts(bench)
    classes = word_classes(bench, counts)
    rows = [
        row
        for text, found in classes.items()
        for rule in ("strict", "letters")
        for row in table(found, text, rule)
    ]
    language, _, total = table(classes[TARGET], TARGET, "letters")
    share = f", {language['tokens_share']:.1%} of them in its own letters" if total["tokens"] else ""
    return [
        Result(
            name="vocabulary",
            title="Vocabulary",
            definition="Distinct words (types) and running words (tokens), and how many of each are "
            "written in "
            "characters of the language alone.",
            citation="Tahir & Mehmood 2021, Table 10 (CZ-23, CZ-47)",
            rows=table_of(rows, KINDS),
            summary=f"{total['tokens']:,} words in {bench.language.name}, {total['types']:,} "
            f"distinct{share}.",
            parameters={"language": tag_of(bench), "case": "small letters"},
            facts={
                "words": total["tokens"],
                "types": total["types"],
                "language_share": language["tokens_share"],
            },
            spec=_figure(),
            warnings=(*_warnings(bench.language), *text_warnings(bench, counts)),
        )
    ]


def _figure() -> dict[str, Any]:
    titles = {"tokens_are": "words are", "tokens": "words", "rule": "rule"}
    spec = columns("tokens_are", "tokens", series="rule", titles=titles)
    spec["encoding"]["column"] = {"field": "text", "type": "nominal", "title": None, "sort": [WHOLE, TARGET]}
    spec["width"] = 220
    return spec


def _warnings(language: Language) -> list[str]:
    found = [
        "`strict` is the paper's rule: one joiner, apostrophe or digit from outside the ranges excludes a "
        "word. `letters` ignores characters that belong to no script.",
        "Neither rule knows words: one of another language in the same letters counts as the language's own.",
    ]
    if not language.ranges:
        found.append(f"No characters are known for {language.name}, so the strict rule accepts no word.")
    if not language.script:
        found.append(f"No script is known for {language.name}, so no word counts as its own.")
    return found
