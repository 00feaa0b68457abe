"""Zipf's law for words, word pairs and triples, and character triples (CZ-24, CZ-48, XH-17, XH-25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.growth.power_law import rank_points, regression, spectrum_of, tail
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import TextCounts, text_warnings
from corpulyzer.measure.text.grams import Grams
from corpulyzer.measure.text.passage import Passage
from corpulyzer.measure.typed_rows import table_of

SPECTRUM_SQL = """
select tokens as frequency, count(*) as types from words group by tokens order by frequency nulls last
"""
RUNS_SQL = """
select kind, frequency, types from runs order by kind nulls last, frequency nulls last
"""
UNITS = {"word1": "words", "word2": "word pairs", "word3": "word triples", "char3": "character triples"}
ALL, UNIQUE = "all sentences", "each sentence once"
FIT = {
    "unit": "string",
    "text": "string",
    "types": "int64",
    "tokens": "int64",
    "exponent_by_rank": "double",
    "r_squared": "double",
    "exponent_by_likelihood": "double",
    "alpha": "double",
    "alpha_error": "double",
    "start": "int64",
    "tail_types": "int64",
    "distance": "double",
    "lognormal_ratio": "double",
    "lognormal_p": "double",
    "exponential_ratio": "double",
    "exponential_p": "double",
}
Spectra = dict[str, dict[int, int]]


def spectra_of_all(bench: Bench, counts: TextCounts) -> Spectra:
    """How many types of each unit have each frequency, in all documents."""
    words = bench.engine.query(SPECTRUM_SQL, {"words": counts["words"]}).to_pylist()
    found: Spectra = {"word1": {row["frequency"]: row["types"] for row in words}}
    for row in bench.engine.query(RUNS_SQL, {"runs": counts["runs"]}).to_pylist():
        found.setdefault(row["kind"], {})[row["frequency"]] = row["types"]
    return {unit: found.get(unit, {}) for unit in UNITS}


def spectra_of_unique(passages: Sequence[Passage]) -> Spectra:
    """The same for passages in which every sentence counts once."""
    seen: set[str] = set()
    grams, words = Grams(), Counter[str]()
    for cut in passages:
        pairs = dict(zip(cut.sentences, cut.words, strict=True))
        new = [sentence for sentence in pairs if sentence not in seen]
        seen.update(new)
        kept = Passage("", tuple(new), tuple(pairs[sentence] for sentence in new))
        words.update(kept.all_words)
        grams.add(kept)
    runs = {kind: Counter(numbers.tolist()) for kind, (_, numbers) in grams.runs()}
    return {"word1": Counter(words.values()), **{unit: runs[unit] for unit in UNITS if unit in runs}}


def fits(unit: str, text: str, spectrum: Mapping[int, int], one_in: int = 1) -> dict[str, Any]:
    """A row of fits. A sample of types, each counted exactly, leaves exponents as they are."""
    frequencies, types = spectrum_of(spectrum)
    by_rank, by_likelihood = regression(frequencies, types), tail(frequencies, types)
    row: dict[str, Any] = {
        "unit": UNITS[unit],
        "text": text,
        "types": int(types.sum()) * one_in,
        "tokens": int((types * frequencies).sum()) * one_in,
    }
    if by_rank:
        row |= {"exponent_by_rank": by_rank.exponent, "r_squared": by_rank.r_squared}
    if by_likelihood:
        found = asdict(by_likelihood)
        found["tail_types"] = found.pop("types")
        row |= {"exponent_by_likelihood": by_likelihood.exponent, **found}
    return row


def zipf(bench: Bench, counts: TextCounts, passages: Sequence[Passage]) -> list[Result]:
    """The rank-frequency curves and the fits of their exponents."""
    everything, unique = spectra_of_all(bench, counts), spectra_of_unique(passages)
    points, rows = [], []
    for unit in UNITS:
        one_in = counts.one_in if unit in ("word2", "word3") else 1
        frequencies, types = spectrum_of(everything[unit])
        points += [{"unit": UNITS[unit], **point} for point in rank_points(frequencies, types, one_in)]
        if everything[unit]:
            rows.append(fits(unit, ALL, everything[unit], one_in))
            rows.append(fits(unit, UNIQUE, unique.get(unit, {})))
    common = {"parameters": {"seed": bench.seed, "one_in": counts.one_in, "sampled_documents": len(passages)}}
    return [_curves(bench, counts, points, common), _fits(bench, counts, rows, len(passages), common)]


def _curves(bench: Bench, counts: TextCounts, points: list[dict[str, Any]], common: dict[str, Any]) -> Result:
    words = [point for point in points if point["unit"] == UNITS["word1"]]
    return Result(
        name="zipf",
        title="Frequency by rank",
        definition="How often the word, word pair, word triple or character triple of each rank occurs; "
        "Zipf's "
        "law makes it a straight line on logarithmic axes, for words with a slope of about −1.",
        citation="Tahir & Mehmood 2021, Fig. 9 (CZ-24, CZ-48); Marquard & Suleman 2023, Fig. 1 (XH-17, "
        "XH-25)",
        rows=table_of(points, {"unit": "string", "rank": "int64", "frequency": "int64"}),
        summary=f"{words[-1]['rank']:,} words, the first of them used {words[0]['frequency']:,} times."
        if words
        else "There are no words.",
        spec=_figure(),
        warnings=(*_sampling(counts), *text_warnings(bench, counts)),
        **common,
    )


def _fits(
    bench: Bench, counts: TextCounts, rows: list[dict[str, Any]], sampled: int, common: dict[str, Any]
) -> Result:
    first = rows[0] if rows else {}
    likelihood = first.get("exponent_by_likelihood")
    summary = ""
    if likelihood:
        better = first["lognormal_ratio"] < 0 and first["lognormal_p"] < 0.1
        other = "; a lognormal law fits that tail better" if better else ""
        summary = (
            f"Zipf's exponent for words is {likelihood:.2f} by likelihood, from frequency {first['start']:,} "
            f"on{other}, and {first['exponent_by_rank']:.2f} by a line through all ranks."
        )
    return Result(
        name="zipf_fits",
        title="Zipf's exponent",
        definition="The slope of frequency by rank: by least squares over all ranks, as papers have it, "
        "and by "
        "maximum likelihood for the tail, compared with a lognormal and an exponential law.",
        citation="Clauset, Shalizi & Newman 2009; Vuong 1989; CZ-24, XH-17, XH-25",
        rows=table_of(rows, FIT),
        summary=summary,
        facts={"exponent": likelihood, "exponent_by_rank": first.get("exponent_by_rank")},
        warnings=(
            "The line through all ranks is weighed down by the many words that occur once: trust the "
            "likelihood.",
            "Where a ratio is negative and its p small, the other law fits better and the exponent means "
            "little.",
            *([_of_sample(sampled)] if sampled < counts.documents else []),
            *_sampling(counts),
            *text_warnings(bench, counts),
        ),
        **common,
    )


def _of_sample(sampled: int) -> str:
    return (
        f"Rows with each sentence once are of a sample of {sampled:,} documents: a smaller text has a "
        f"smaller "
        "exponent, and sentences repeated outside the sample are not seen as repeated."
    )


def _sampling(counts: TextCounts) -> list[str]:
    if counts.one_in == 1:
        return []
    return [
        f"Of the distinct word pairs and triples, 1 in {counts.one_in} (chosen by hash) was counted exactly: "
        f"numbers "
        f"of types are estimates, and ranks below {counts.one_in * 10} are rough."
    ]


def _figure() -> dict[str, Any]:
    axes = {
        name: {
            "field": name,
            "type": "quantitative",
            "scale": {"type": "log"},
            "axis": {"format": "~s", "tickCount": 6, "labelOverlap": True},
        }
        for name in ("rank", "frequency")
    }
    color = {"color": {"field": "unit", "type": "nominal", "title": None, "sort": list(UNITS.values())}}
    return {
        "mark": {"type": "line", "tooltip": {"content": "data"}},
        "height": 260,
        "encoding": {"x": axes["rank"], "y": axes["frequency"], **color},
    }
