"""What was thrown away: some dropped documents for each reason, drawn by the seed, for people to look at."""

from __future__ import annotations

from corpulyzer.engine.workbench import Workbench
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.storage import Storage

A_REASON = 20
CHARACTERS = 300
# A prime: multiplying by a number below it shuffles the remainders of ids, which are hashes themselves.
PRIME = 2_147_483_647
DRAWN_SQL = """
select id, reason, place
from (select id, verdict.reason as reason, row_number() over (
          partition by verdict.reason
          order by (id % 2147483647) * {factor} % 2147483647 nulls last, id nulls last) as place
      from documents where not verdict.kept) as d
where place <= {most}
"""
TEXTS_SQL = """
select r.reason, r.place, d.url, d.site, d.language, d.verdict.detail as detail, d.text_bytes, d.target_bytes,
       d.text
from documents as d join drawn as r on d.id = r.id
where not d.verdict.kept order by r.reason nulls last, r.place nulls last, d.url nulls last
"""
REASONS_SQL = """
select verdict.reason as reason, count(*) as documents from documents where not verdict.kept
group by verdict.reason order by documents desc nulls last, reason nulls last
"""


def measure(bench: Bench) -> list[Result]:
    """Up to twenty dropped documents for each reason."""
    counts = bench.engine.query(REASONS_SQL, {"documents": bench.documents}).to_pylist()
    work = Workbench(bench.engine, Storage(bench.folder), "rejects")
    factor = 1 + bench.seed * 48_271 % (PRIME - 1)
    drawn = work.make("drawn", DRAWN_SQL.format(factor=factor, most=A_REASON), documents=bench.documents)
    rows = [
        {**row, "text": shortened(row["text"])}
        for row in work.rows(TEXTS_SQL, documents=bench.documents, drawn=drawn)
    ]
    work.clear()
    totals = {row["reason"]: row["documents"] for row in counts}
    for row in rows:
        row["of"] = totals[row["reason"]]
    listed = ", ".join(f"{row['documents']:,} by {row['reason'].replace('_', ' ')}" for row in counts[:5])
    return [
        Result(
            name="rejects",
            title="What was thrown away",
            definition=f"Up to {A_REASON} dropped documents for each reason, drawn by the seed, with the "
            f"beginning "
            "of their text.",
            citation="After FineWeb2's removed subsets (Penedo et al. 2025)",
            rows=table_of(rows, _kinds()),
            summary=f"Dropped: {listed}." if counts else "No document was dropped.",
            parameters={"a_reason": A_REASON, "seed": bench.seed, "characters": CHARACTERS},
            warnings=(
                "The first filter that refuses a page gives the reason: others might have refused it too.",
                "Pages that could not be fetched or read are no documents, and are in the funnel.",
            ),
        )
    ]


def shortened(text: str, characters: int = CHARACTERS) -> str:
    """The beginning of a text on one line, cut at a space.

    >>> shortened("one two three", 9)
    'one two …'
    """
    line = " ".join(text[: 4 * characters].split())
    if len(line) <= characters:
        return line
    return f"{line[:characters].rpartition(' ')[0] or line[:characters]} …"


def _kinds() -> dict[str, str]:
    before = {"reason": "string", "of": "int64", "place": "int64"}
    words = dict.fromkeys(("site", "url", "language", "detail"), "string")
    return {**before, **words, "text_bytes": "int64", "target_bytes": "int64", "text": "string"}
