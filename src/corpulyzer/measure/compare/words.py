"""The words of corpora side by side: ranks both ways, keywords of a pair, what depends on size at one size.

C4-15, C4-20 and XH-24.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import TextCounts, sampled_texts, text_counts
from corpulyzer.measure.text.passage import words_of
from corpulyzer.measure.text.target_text import fold
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.measure.words.keywords import (
    MOST,
    MOST_WORDS,
    NO_MEANING,
    TOP_SQL,
    agreements,
    keywords_result,
    ranks_result,
    top_words_of,
)
from corpulyzer.measure.words.list_pairs import TOP_N, keywords
from corpulyzer.storage import Storage

RANKS_SQL = """
select g.word, o.place, o.tokens
from gold as g
join (select word, tokens, row_number() over (order by tokens desc nulls last, word nulls last) as place
      from words) as o on g.word = o.word
order by g.word nulls last
"""


def compare_words(benches: Mapping[str, Bench]) -> list[Result]:
    """Corpora side by side: ranks of frequent words both ways, sizes at equal size, keywords of a pair."""
    counts = {name: text_counts(bench) for name, bench in benches.items()}
    rows = []
    for name, other in permutations(benches, 2):
        gold = top_words_of(benches[name], counts[name], max(TOP_N))
        ranks = _ranks_in(benches[name], counts[name], counts[other])
        rows += agreements(name, list(gold), other, ranks, benches[name])
    results = [ranks_result(rows, (NO_MEANING,), "word_ranks"), *at_equal_size(benches, counts)]
    if len(benches) == 2:
        (name, bench), (other, second) = benches.items()
        own, theirs = (
            top_words_of(bench, counts[name], MOST_WORDS),
            top_words_of(second, counts[other], MOST_WORDS),
        )
        more = keywords(own, counts[name].words, theirs, counts[other].words, MOST)
        less = keywords(theirs, counts[other].words, own, counts[name].words, MOST)
        results.append(keywords_result(bench, name, more, other, less, (NO_MEANING,)))
    return results


def _ranks_in(bench: Bench, gold: TextCounts, other: TextCounts) -> dict[str, int]:
    """The ranks, in the whole other list, of the words that are frequent here."""
    work = Workbench(bench.engine, Storage(bench.folder), "keywords")
    top: Dataset = work.make("gold", TOP_SQL.format(most=max(TOP_N)), words=gold["words"])
    rows = work.rows(RANKS_SQL, gold=top, words=other["words"])
    work.clear()
    return {row["word"]: row["place"] for row in rows}


def at_equal_size(benches: Mapping[str, Bench], counts: Mapping[str, TextCounts]) -> list[Result]:
    """What depends on size, at one size (XH-24): samples of as many words from each corpus."""
    samples = {name: _words(bench, counts[name]) for name, bench in benches.items()}
    size = min(map(len, samples.values()), default=0)
    words = {name: found[:size] for name, found in samples.items()}
    rows = [{"corpus": name, **_sizes(found)} for name, found in words.items()]
    lists = {name: [word for word, _ in _ordered(Counter(found))] for name, found in words.items()}
    matched = [
        row
        for name, other in permutations(benches, 2)
        for row in agreements(
            name, lists[name], other, {word: place for place, word in enumerate(lists[other])}, benches[name]
        )
    ]
    kinds = {"corpus": "string", "words": "int64", "types": "int64", "tokens_per_type": "double"}
    sample = f"Samples of {size:,} words from each corpus, drawn by the seed."
    return [
        Result(
            name="at_equal_size",
            title="Corpora at equal size",
            definition="Words, types, tokens per type and words used once, in samples of the size of the "
            "smallest.",
            citation="After Marquard & Suleman 2023 (XH-24)",
            rows=table_of(rows, {**kinds, "hapaxes": "int64", "hapax_share": "double"}),
            summary="; ".join(
                f"{row['corpus']} {row['tokens_per_type']:.1f} tokens per type"
                for row in rows
                if row["types"]
            ),
            parameters={"words": size},
            spec=bars("corpus", "tokens_per_type", titles={"tokens_per_type": "tokens per type"}),
            warnings=(sample,),
        ),
        ranks_result(matched, (sample,), "word_ranks_at_equal_size"),
    ]


def _words(bench: Bench, counts: TextCounts) -> list[str]:
    """The words of the sample; equal ones are one object, which takes a third of the memory."""
    known: dict[str, str] = {}
    return [
        known.setdefault(word, word)
        for text in sampled_texts(bench, counts)
        for word in words_of(fold(text, bench.language), bench.language)
    ]


def _ordered(counted: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))


def _sizes(words: Sequence[str]) -> dict[str, Any]:
    counted = Counter(words)
    once = sum(1 for count in counted.values() if count == 1)
    return {
        "words": len(words),
        "types": len(counted),
        "tokens_per_type": len(words) / len(counted) if counted else None,
        "hapaxes": once,
        "hapax_share": once / len(counted) if counted else None,
    }
