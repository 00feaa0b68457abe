"""How a corpus grows: Zipf's law, Heaps' law, and tokens per type (CZ-24, CZ-48, XH-15 to XH-21, XH-25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.growth.heaps import Running, fit_heaps, growth_curve, running, shuffled, sizes_up_to
from corpulyzer.measure.growth.morph_cutter import MOST_TYPES, morph_cutter
from corpulyzer.measure.growth.zipf import ALL, UNIQUE, zipf
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import TextCounts, sampled_texts, text_counts, text_warnings
from corpulyzer.measure.text.grams import character_keys
from corpulyzer.measure.text.passage import Passage, passage
from corpulyzer.measure.typed_rows import table_of

UNITS = ("words", "character triples", "morphs")
SHUFFLES = 5
# Characters and morphs are many more than words: they are counted in an eighth of the sample.
SMALLER = 8
# Sizes at which the isiXhosa paper gives tokens per type.
PAPER_SIZES = (129_462, 800_014)
SENTENCES_SQL = """
select count(*) as sentences, sum(copies) as copies, sum(words) as words, sum(words * copies) as all_words
from (select key, sum(copies) as copies, max(words) as words from sentences group by key
      having sum(copies) > 0) as s
"""
TYPES_SQL = """
select count(*) as types from words
"""
CURVE = {
    "unit": "string",
    "text": "string",
    "size": "int64",
    "types": "double",
    "lowest": "int64",
    "highest": "int64",
    "tokens_per_type": "double",
}


def tokens_per_type(tokens: int, types: int) -> float | None:
    """Running words per distinct word, the paper's "token-to-type ratio": more is less variety (XH-18).

    >>> round(tokens_per_type(136_904, 29_130), 1)
    4.7
    """
    return tokens / types if types else None


def measure(bench: Bench) -> list[Result]:
    """Zipf, Heaps and tokens per type."""
    counts = text_counts(bench)
    passages = _passages(bench, counts)
    points = [
        point for unit, text in _units(bench, passages).items() for point in curves(unit, text, bench.seed)
    ]
    return [
        *zipf(bench, counts, passages),
        _heaps(bench, counts, points, len(passages)),
        _heaps_fits(bench, counts, points, len(passages)),
        _tokens_per_type(bench, counts, points, len(passages)),
    ]


def _passages(bench: Bench, counts: TextCounts) -> list[Passage]:
    """The sample, cut; equal words are one object, without which it would take three times the memory."""
    known: dict[str, str] = {}
    found = []
    for text in sampled_texts(bench, counts):
        cut = passage(text, bench.language, bench.learned)
        words = tuple([known.setdefault(word, word) for word in each] for each in cut.words)
        found.append(Passage("", cut.sentences, words))
    return found


def _units(bench: Bench, passages: Sequence[Passage]) -> dict[str, Running]:
    """The sample as words, and a part of it as character triples and as morphs."""
    few = passages[: max(1, bench.sample // SMALLER)]
    words = Counter(word for cut in few for word in cut.all_words)
    cut_word = morph_cutter(words, bench.seed)
    return {
        "words": running(zip(cut.sentences, cut.words, strict=True) for cut in passages),
        "character triples": running(
            ((sentence, character_keys(sentence).tolist()) for sentence in cut.sentences) for cut in few
        ),
        "morphs": running(
            (
                (sentence, [morph for word in words for morph in cut_word(word)])
                for sentence, words in zip(cut.sentences, cut.words, strict=True)
            )
            for cut in few
        ),
    }


def curves(unit: str, text: Running, seed: int, shuffles: int = SHUFFLES) -> Iterator[dict[str, Any]]:
    """Growth with and without repeated sentences: the mean of several shuffles, and their band."""
    import numpy as np

    for name, unique in ((ALL, False), (UNIQUE, True)):
        rng = np.random.default_rng(seed)
        orders = [shuffled(text, rng, unique=unique) for _ in range(shuffles)]
        sizes = sizes_up_to(len(orders[0]))
        sizes = sorted({*sizes, *(size for size in PAPER_SIZES if size < len(orders[0]))})
        found = np.array([growth_curve(order, sizes) for order in orders])
        for place, size in enumerate(sizes):
            types = float(found[:, place].mean())
            yield {
                "unit": unit,
                "text": name,
                "size": size,
                "types": types,
                "lowest": int(found[:, place].min()),
                "highest": int(found[:, place].max()),
                "tokens_per_type": size / types,
            }


def _heaps(bench: Bench, counts: TextCounts, points: list[dict[str, Any]], sampled: int) -> Result:
    return Result(
        name="heaps",
        title="Growth of the vocabulary",
        definition="Distinct words, character triples and morphs among the first N of shuffled documents, "
        "with all "
        "sentences and with each sentence once; the band spans several shuffles.",
        citation="Marquard & Suleman 2023, Figs. 3 and 4 (XH-16, XH-19, XH-20, XH-21)",
        rows=table_of(points, CURVE),
        summary=_grown(points),
        parameters=_parameters(bench, sampled),
        spec=_figure("types", "distinct"),
        warnings=(*_sample_warnings(bench, counts, sampled), *text_warnings(bench, counts)),
    )


def _grown(points: list[dict[str, Any]]) -> str:
    words = [point for point in points if point["unit"] == "words" and point["text"] == ALL]
    half = [point for point in words if 2 * point["size"] <= words[-1]["size"]] if words else []
    if not half:
        return "There is too little text for a curve."
    new = words[-1]["types"] - half[-1]["types"]
    return f"The second half of the text brought {new:,.0f} of the {words[-1]['types']:,.0f} distinct words."


def _heaps_fits(bench: Bench, counts: TextCounts, points: list[dict[str, Any]], sampled: int) -> Result:
    rows = []
    for unit, text in dict.fromkeys((point["unit"], point["text"]) for point in points):
        own = [point for point in points if (point["unit"], point["text"]) == (unit, text)]
        found = fit_heaps([point["size"] for point in own], [point["types"] for point in own])
        rows.append(
            {"unit": unit, "text": text, "tokens": own[-1]["size"], **(asdict(found) if found else {})}
        )
    numbers = ("k", "beta", "beta_error", "r_squared", "log_k", "log_beta", "log_beta_error", "log_r_squared")
    kinds = dict.fromkeys((*numbers, "end_residual", "log_end_residual"), "double")
    first = next((row for row in rows if row.get("beta")), None)
    return Result(
        name="heaps_fits",
        title="Heaps' law",
        definition="V = k·N^β fitted to the curves, on plain axes (non-linear least squares) and on "
        "logarithmic "
        "ones (`log_…`); the residual is the relative error of the fit at the end of the curve.",
        citation="Marquard & Suleman 2023 (XH-19, XH-20)",
        rows=table_of(rows, {"unit": "string", "text": "string", "tokens": "int64", **kinds}),
        summary=f"For words the exponent β is {first['beta']:.2f} (on logarithmic axes "
        f"{first['log_beta']:.2f}) and k is {first['k']:.0f}."
        if first
        else "There is too little text for a fit.",
        parameters=_parameters(bench, sampled),
        facts={"beta": first["beta"], "k": first["k"]} if first else {},
        warnings=(
            "Character triples are a closed set: their curve bends, and no power law fits it.",
            "Points of one curve depend on one another, so that the errors printed are too small.",
            *_sample_warnings(bench, counts, sampled),
            *text_warnings(bench, counts),
        ),
    )


def _tokens_per_type(bench: Bench, counts: TextCounts, points: list[dict[str, Any]], sampled: int) -> Result:
    rows = [
        {"text": point["text"], "size": point["size"], "types": round(point["types"]), "counted": "sample"}
        for point in points
        if point["unit"] == "words"
    ]
    rows += [{**row, "counted": "all documents"} for row in whole_corpus(bench, counts)]
    for row in rows:
        row["tokens_per_type"] = tokens_per_type(row["size"], row["types"])
        row["type_token_ratio"] = row["types"] / row["size"] if row["size"] else None
    kinds = {"text": "string", "size": "int64", "types": "int64", "counted": "string"}
    last = {row["text"]: row for row in rows}
    return Result(
        name="tokens_per_type",
        title="Tokens per type",
        definition="Running words per distinct word (N / V) as text grows; the more, the less variety.",
        citation="Marquard & Suleman 2023, Fig. 2 (XH-18), there called token-to-type ratio",
        rows=table_of(rows, {**kinds, "tokens_per_type": "double", "type_token_ratio": "double"}),
        summary=f"{last[ALL]['tokens_per_type']:.1f} words per distinct word, "
        f"{last[UNIQUE]['tokens_per_type']:.1f} with each sentence once."
        if counts.words
        else "There are no words.",
        parameters=_parameters(bench, sampled),
        facts={"tokens_per_type": last[ALL]["tokens_per_type"], "unique": last[UNIQUE]["tokens_per_type"]},
        spec=_figure("tokens_per_type", "tokens per type", band=False),
        warnings=(
            "It rises with the size of a text: compare corpora at one size only.",
            *text_warnings(bench, counts),
        ),
    )


def whole_corpus(bench: Bench, counts: TextCounts) -> list[dict[str, Any]]:
    """Words and types of all documents, with all sentences and with each once: copies have no new types."""
    sums = bench.engine.query(SENTENCES_SQL, {"sentences": counts.parts["sentences"]}).to_pylist()[0]
    types = bench.engine.query(TYPES_SQL, {"words": counts["words"]}).to_pylist()[0]["types"]
    return [
        {"text": ALL, "size": sums["all_words"] or 0, "types": types},
        {"text": UNIQUE, "size": sums["words"] or 0, "types": types},
    ]


def _parameters(bench: Bench, sampled: int) -> dict[str, Any]:
    return {"seed": bench.seed, "shuffles": SHUFFLES, "sampled_documents": sampled, "morph_types": MOST_TYPES}


def _sample_warnings(bench: Bench, counts: TextCounts, sampled: int) -> list[str]:
    few = min(sampled, max(1, bench.sample // SMALLER))
    found = (
        [f"Character triples and morphs are those of {few:,} documents."] if few < counts.documents else []
    )
    if sampled < counts.documents:
        found.insert(0, f"Curves are of a sample of {sampled:,} of {counts.documents:,} documents.")
    return [
        *found,
        "Morphs are Morfessor's, learned without a dictionary from frequent words: they are pieces, not "
        "grammar.",
    ]


def _figure(value: str, title: str, band: bool = True) -> dict[str, Any]:
    x = {"field": "size", "type": "quantitative", "title": "size", "axis": {"format": "~s", "tickCount": 4}}
    legend = {"symbolType": "stroke", "symbolOpacity": 1, "symbolStrokeWidth": 2}
    color = {"field": "text", "type": "nominal", "title": None, "sort": [ALL, UNIQUE], "legend": legend}
    y = {"field": value, "type": "quantitative", "title": title, "axis": {"format": "~s"}}
    line = {
        "mark": {"type": "line", "tooltip": {"content": "data"}},
        "encoding": {"x": x, "y": y, "color": color},
    }
    if not band:
        return {**line, "height": 260}
    area = {
        "mark": {"type": "area", "opacity": 0.25},
        "encoding": {
            "x": x,
            "y": {"field": "lowest", "type": "quantitative", "title": title},
            "y2": {"field": "highest"},
            "color": color,
        },
    }
    return {
        "facet": {"column": {"field": "unit", "type": "nominal", "title": None, "sort": list(UNITS)}},
        "resolve": {"scale": {"x": "independent", "y": "independent"}},
        "spec": {"width": 200, "height": 200, "layer": [area, line]},
    }
