"""The size of a corpus in six numbers, as one table (XH-12)."""

from __future__ import annotations

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.result import Result
from corpulyzer.measure.text.counts import text_counts, text_warnings
from corpulyzer.measure.typed_rows import table_of

KEPT_SQL = """
select count(*) as sites, sum(pages) as pages
from (select site, count(*) as pages from documents where verdict.kept group by site) as s
"""
TYPES_SQL = "select count(*) as types from words"
SENTENCES_SQL = """
select count(*) as different, sum(copies) as sentences
from (select key, sum(copies) as copies from sentences group by key having sum(copies) > 0) as s
"""


def _counted(bench: Bench) -> str:
    if bench.sentences is None:
        return "words and sentences of their paragraphs in the language"
    return "their sentences in the language, as the filter counts them, and the words of these"


def measure(bench: Bench) -> list[Result]:
    """Table 1 of Marquard & Suleman (2023)."""
    counts = text_counts(bench)
    kept = bench.engine.query(KEPT_SQL, {"documents": bench.documents}).to_pylist()[0]
    types = bench.engine.query(TYPES_SQL, {"words": counts["words"]}).to_pylist()[0]["types"]
    said = bench.engine.query(SENTENCES_SQL, {"sentences": counts.parts["sentences"]}).to_pylist()[0]
    pages, sentences = kept["pages"] or 0, said["sentences"] or 0
    numbers = {
        "pages": pages,
        "total words": counts.words,
        "unique words": types,
        "total sentences": sentences,
        "unique sentences": said["different"],
        "websites": kept["sites"],
    }
    unique = f", {percent(said['different'] / sentences)} of them unique" if sentences else ""
    return [
        Result(
            name="basics",
            title="Basic statistics",
            definition=f"Pages of the corpus and the sites that they are on; {_counted(bench)}, and how many "
            "differ by more than the case of letters.",
            citation="Marquard & Suleman 2023, Table 1",
            rows=table_of(
                [{"what": what, "number": number} for what, number in numbers.items()],
                {"what": "string", "number": "int64"},
            ),
            summary=f"{pages:,} pages of {kept['sites']:,} sites: {counts.words:,} words, {types:,} of them "
            f"different, in {sentences:,} sentences{unique}.",
            facts={name.replace(" ", "_"): number for name, number in numbers.items()},
            warnings=text_warnings(bench, counts),
        )
    ]
