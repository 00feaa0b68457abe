"""Which scripts and which kinds of characters a corpus is written in, and what typing and decoding left."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import Any

from corpulyzer.language import scripts
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import TextCounts, text_counts, text_warnings
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.measure.words.word_class import mixed
from corpulyzer.text import script_of

CHARACTERS_SQL = """
select code, sum(characters) as characters from characters group by code having sum(characters) > 0
order by code nulls last
"""
BROKEN_SQL = """
select sum(broken) as characters, sum(case when broken > 0 then 1 else 0 end) as documents from facts
"""
WORDS_SQL = """
select word, tokens from words order by tokens desc nulls last, word nulls last limit {most}
"""
MOST_WORDS = 100_000
EXAMPLES = 20
_FORMS = (range(0xFB50, 0xFE00), range(0xFE70, 0xFF00))
_SINGLE = {
    0x200C: "zero-width non-joiner (ZWNJ)",
    0x200D: "zero-width joiner (ZWJ)",
    0x00AD: "soft hyphen",
    0x200B: "zero-width space",
    0xFEFF: "byte order mark",
    0xFFFD: "replacement character",
    0x0640: "tatweel",
}


def measure(bench: Bench) -> list[Result]:
    """Scripts, kinds of characters, and words of mixed scripts."""
    counts = text_counts(bench)
    found = bench.engine.query(CHARACTERS_SQL, {"characters": counts["characters"]}).to_pylist()
    codes = {row["code"]: row["characters"] for row in found}
    return [_scripts(bench, counts, codes), _normalisation(bench, counts, codes), _mixed(bench, counts)]


def script_counts(codes: Mapping[int, int]) -> dict[str, int]:
    """Characters by script; what belongs to none (digits, punctuation, marks that all use) by none.

    >>> script_counts({ord("a"): 2, ord("ж"): 1, ord("1"): 5})
    {'Latn': 2, 'Cyrl': 1}
    """
    found: Counter[str] = Counter()
    for code, count in codes.items():
        script = script_of(chr(code))
        if script:
            found[script] += count
    return dict(found.most_common())


def _scripts(bench: Bench, counts: TextCounts, codes: Mapping[int, int]) -> Result:
    names = {script.code: script.name for script in scripts()}
    found = script_counts(codes)
    total = sum(found.values())
    rows = [
        {"script": code, "name": names.get(code, code), "characters": count, "share": count / total}
        for code, count in sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    own = found.get(bench.language.script, 0) + sum(
        found.get(each, 0) for each in _parts(bench.language.script)
    )
    share = f"{own / total:.1%} of letters are in the script of the language." if total else ""
    return Result(
        name="scripts",
        title="Scripts",
        definition="Letters of kept documents, in all their text, by script; digits and punctuation that all "
        "scripts use are left out.",
        citation="Unicode Standard Annex 24",
        rows=table_of(rows, {"script": "string", "name": "string", "characters": "int64", "share": "double"}),
        summary=share or "There are no letters.",
        parameters={"script": bench.language.script},
        spec=bars("name", "share", percent=True),
        warnings=(
            "A script is no language: Latin letters in this text may be any language's.",
            *text_warnings(bench, counts),
        ),
    )


def _parts(script: str) -> tuple[str, ...]:
    composites = {"Jpan": ("Hani",), "Kore": ("Hang", "Hani"), "Hans": ("Hani",), "Hant": ("Hani",)}
    return composites.get(script, ())


def kinds_of_characters(codes: Mapping[int, int]) -> dict[str, int]:
    """Characters that typing, formatting and decoding leave, by kind."""
    found: Counter[str] = Counter(dict.fromkeys(_SINGLE.values(), 0))
    for code, count in codes.items():
        for kind in _kinds(code):
            found[kind] += count
    return dict(found)


def _kinds(code: int) -> list[str]:
    category = unicodedata.category(chr(code))
    found = [_SINGLE[code]] if code in _SINGLE else []
    if category in ("Mn", "Me"):
        found.append("combining mark")
    if category == "Co":
        found.append("private use")
    if category == "Zs" and code != ord(" "):
        found.append("space other than the plain one")
    if any(code in forms for forms in _FORMS):
        found.append("Arabic presentation form")
    if category == "Nd":
        name = unicodedata.name(chr(code), "")
        found.append(
            f"digit, {name.rpartition(' DIGIT ')[0].lower()}" if " DIGIT " in name else "digit, ASCII"
        )
    return found


def _normalisation(bench: Bench, counts: TextCounts, codes: Mapping[int, int]) -> Result:
    total = sum(count for code, count in codes.items() if not chr(code).isspace())
    broken = bench.engine.query(BROKEN_SQL, {"facts": counts["facts"]}).to_pylist()[0]
    kinds = {**kinds_of_characters(codes), "wrongly decoded (mojibake)": broken["characters"] or 0}
    rows = [
        {"kind": kind, "characters": count, "per_million": count * 1e6 / total if total else None}
        for kind, count in sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    return Result(
        name="normalisation",
        title="Characters to know of",
        definition="Joiners, combining marks, presentation forms, odd spaces, digits by script, and "
        "characters "
        "that a wrong decoding left, among the visible characters of kept documents.",
        citation="Unicode Standard Annex 15",
        rows=table_of(rows, {"kind": "string", "characters": "int64", "per_million": "double"}),
        summary=f"{broken['documents'] or 0:,} documents have wrongly decoded characters; "
        f"{kinds[_SINGLE[0x200C]]:,} zero-width non-joiners.",
        spec=bars("kind", "per_million", titles={"per_million": "per million characters"}),
        warnings=(
            "Text is brought to NFC when a page is read: which form the page had is not known any more, "
            "and marks "
            "counted here are those that have no composed form.",
            "Characters that are used by mistake for others that look alike are not told.",
            *text_warnings(bench, counts),
        ),
    )


def _mixed(bench: Bench, counts: TextCounts) -> Result:
    """Words of mixed scripts among the most frequent words, where they matter."""
    most = bench.engine.query(WORDS_SQL.format(most=MOST_WORDS), {"words": counts["words"]})
    words: list[Any] = most.column("word").to_pylist()
    uses: list[Any] = most.column("tokens").to_pylist()
    found = [
        {"word": word, "tokens": tokens}
        for word, tokens in zip(words, uses, strict=True)
        if not word.isascii() and mixed(word)
    ]
    tokens, of_all = sum(row["tokens"] for row in found), sum(uses)
    rows: list[dict[str, Any]] = [
        {**row, "scripts": sorted({s for s in map(script_of, row["word"]) if s})} for row in found[:EXAMPLES]
    ]
    return Result(
        name="mixed_script_words",
        title="Words of mixed scripts",
        definition="Words whose letters are of two scripts that no language writes together: letters that "
        "look "
        "alike typed for one another, or two words without a space.",
        citation="Unicode Technical Standard 39",
        rows=table_of(rows, {"word": "string", "tokens": "int64", "scripts": "[string]"}),
        summary=_share_mixed(len(found), len(words), tokens / of_all if of_all else 0.0),
        parameters={"among_words": MOST_WORDS},
        spec=bars("word", "tokens", titles={"tokens": "uses"}),
        warnings=(f"Of the {MOST_WORDS:,} most frequent words.", *text_warnings(bench, counts)),
    )


def _share_mixed(found: int, words: int, share: float) -> str:
    if not words:
        return "There are no words."
    if not found:
        return f"None of {words:,} words is of mixed scripts."
    return f"{found:,} of {words:,} words are of mixed scripts, {share:.3%} of their uses."
