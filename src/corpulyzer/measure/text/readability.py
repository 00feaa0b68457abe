"""How a text reads, as far as numbers without a model can tell: length, variety, information, cohesion.

Corpulyzer (2021) names readability, cohesion and coherence as work to come (CZ-51). Formulas with constants
fitted to one language (Flesch and its like) are left out: they mean nothing in another.
"""

from __future__ import annotations

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.result import Result, shown
from corpulyzer.measure.statistics.distribution import SPREAD, spread, spread_figure, value_counts
from corpulyzer.measure.text.counts import text_counts, text_warnings
from corpulyzer.measure.text.facts import MILLE
from corpulyzer.measure.typed_rows import table_of

# Column, name, what it counts in.
MEASURES = (
    ("words", "words", 1),
    ("sentences", "sentences", 1),
    ("words_per_sentence_mille", "words per sentence", MILLE),
    ("characters_per_word_mille", "characters per word", MILLE),
    ("mtld_mille", "lexical diversity (MTLD)", MILLE),
    ("entropy_mille", "entropy of words (bits)", MILLE),
    ("overlap_mille", "overlap of neighbouring sentences", MILLE),
)


def measure(bench: Bench) -> list[Result]:
    """The spread over documents of each measure."""
    counts = text_counts(bench)
    found = value_counts(bench.engine, counts["facts"], [column for column, _, _ in MEASURES])
    rows = [{"measure": name, **spread(found[column], unit)} for column, name, unit in MEASURES]
    by_name = {row["measure"]: row for row in rows}
    sentence, diversity = by_name["words per sentence"], by_name["lexical diversity (MTLD)"]
    summary = (
        f"Half of the documents have at most {shown(sentence['median'])} words a sentence; the median "
        f"lexical "
        f"diversity (MTLD) is {shown(diversity['median'])}."
    )
    return [
        Result(
            name="readability",
            title="Readability and cohesion",
            definition="Of each document: words and sentences, their length, lexical diversity (MTLD: mean "
            "length "
            "of runs whose types per token stay above .72), entropy of its words in bits, and the mean "
            "Jaccard "
            "overlap of the words of neighbouring sentences.",
            citation="McCarthy & Jarvis 2010 (MTLD); Shannon 1948; after CZ-51",
            rows=table_of(rows, {"measure": "string", **SPREAD}),
            summary=summary if counts.documents else "There are no documents.",
            parameters={"mtld_floor": 0.72},
            facts={"words_per_sentence": sentence["median"], "mtld": diversity["median"]},
            spec=spread_figure("measure", [name for _, name, _ in MEASURES]),
            warnings=(
                "None of these knows meaning: they compare documents of one language, not languages.",
                "Entropy and overlap rise and fall with the length of a document; MTLD hardly does, and "
                "needs "
                "about a hundred words.",
                "Words and sentences are cut without a model: lists and headings count as sentences.",
                *text_warnings(bench, counts),
            ),
        )
    ]
