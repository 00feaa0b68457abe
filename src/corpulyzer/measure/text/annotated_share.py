"""What the annotation of a corpus has: who made it, how many tokens have lemmas, tags, morphs (HR-10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.lasting import kept_by_part
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of
from corpulyzer.records.annotation import TOKENS
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage.content import is_empty_text, open_parquet

if TYPE_CHECKING:
    import pyarrow as pa

FIELDS = ("lemma", "upos", "xpos", "feats", "morphs")
NAMES = ("lemmas", "parts of speech", "tags of the language", "features", "morphs")
SUMS_SQL = """
select method, what, sum(n) as n from counted group by method, what
order by method nulls last, what nulls last
"""


@dataclass(frozen=True, slots=True)
class Counted:
    """How many there are of something in the annotations of one method."""

    method: str
    what: str
    n: int


@dataclass(frozen=True, slots=True)
class CountAnnotations:
    """Map: annotations in, counts out, which add up however the rows are cut."""

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"counted": schema_of(Counted)}

    @property
    def batch_rows(self) -> int:
        return 1_000

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa
        import pyarrow.compute as pc

        at(0)
        found = []
        for method in batch.column("method").unique():
            rows = batch.filter(pc.equal(batch.column("method"), method))
            # Column by column: tokens as Python objects would take as long as all other measures together.
            sentences = pc.list_flatten(rows.column("sentences"))
            tokens = pc.list_flatten(pc.struct_field(sentences, "tokens"))
            counts = {"documents": rows.num_rows, "sentences": len(sentences), "tokens": len(tokens)}
            there = [tokens.type.field(place).name for place in range(tokens.type.num_fields)]
            for name in FIELDS:
                field: Any = pc.struct_field(tokens, name) if name in there else pa.array([], pa.string())
                given: Any = pc.not_equal(field, pa.scalar(""))
                counts[name] = int(pc.sum(given).as_py() or 0)
            found += [Counted(str(method), what, n) for what, n in counts.items()]
        return {"counted": batch_of(found, Counted)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        lost = [Counted(row["method"], "documents", 1) for row in batch.to_pylist()]
        return {"counted": batch_of(lost, Counted)}


def columns_of(file: str) -> tuple[str, ...]:
    """What is counted of the tokens of a file: fields that are empty everywhere need not be read.

    Forms and places are most of what there is to read. One field is read in any case, to count the tokens.
    """
    with open_parquet(file) as parquet:
        groups = [parquet.metadata.row_group(each) for each in range(parquet.metadata.num_row_groups)]
        columns = [group.column(place) for group in groups for place in range(group.num_columns)]
        given = {column.path_in_schema for column in columns if not is_empty_text(column.statistics)}
    fields = [f"{TOKENS}.{name}" for name in FIELDS]
    return ("method", *([field for field in fields if field in given] or fields[:1]))


def measure(bench: Bench) -> list[Result]:
    """One row a method; nothing where the corpus was never annotated."""
    if bench.annotations is None or not bench.annotations.files:
        return []
    rows = _rows(bench)
    whole = {name: sum(row[name] for row in rows) for name in ("documents", "tokens", *FIELDS)}
    lacking = [name for field, name in zip(FIELDS, NAMES, strict=True) if not whole[field]]
    said = f"No token has {', '.join(lacking)}: the annotators used do not give them for this language."
    columns = {"method": "string", **dict.fromkeys(("documents", "sentences", "tokens", *FIELDS), "int64")}
    return [
        Result(
            name="annotation",
            title="Annotation",
            definition="Kept documents that were annotated, by method: their sentences and tokens, how many "
            "tokens have a lemma, a universal part of speech, a tag of the language's own tag set, features, "
            "morphs. Tokens include punctuation.",
            citation="Ljubešić & Erjavec 2011 (HR-10)",
            rows=table_of(rows, columns),
            summary=f"{whole['documents']:,} documents with {whole['tokens']:,} tokens are annotated.",
            warnings=(said,) if lacking else (),
        )
    ]


def _rows(bench: Bench) -> list[dict[str, Any]]:
    assert bench.annotations is not None
    made = kept_by_part(bench, "annotation_counts", CountAnnotations(), bench.annotations.files, columns_of)
    sums = bench.engine.query(SUMS_SQL, {"counted": made["counted"]}).to_pylist()
    found: dict[str, dict[str, Any]] = {}
    for row in sums:
        empty = {"method": row["method"], **dict.fromkeys(("documents", "sentences", "tokens", *FIELDS), 0)}
        found.setdefault(row["method"], empty)[row["what"]] = row["n"]
    return list(found.values())
