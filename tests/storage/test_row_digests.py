import pyarrow as pa
import pytest

from corpulyzer.storage.row_digests import digests_of_rows

SCHEMA = pa.schema(
    [
        ("n", pa.int64()),
        ("at", pa.timestamp("us", tz="UTC")),
        ("kept", pa.bool_()),
        ("name", pa.string()),
        ("spans", pa.list_(pa.struct([("share", pa.float64()), ("words", pa.list_(pa.string()))]))),
    ]
)


def row(n: int) -> dict[str, object]:
    spans = [{"share": n / 7, "words": ["a", "b" * (each % 5), None]} for each in range(n % 4)]
    return {"n": n, "at": n, "kept": n % 2 == 0, "name": "é" * (n % 3), "spans": spans}


ROWS = [row(n) for n in range(40)] + [dict.fromkeys(SCHEMA.names), {**row(3), "name": None}]


def test_the_digest_of_a_row_depends_on_its_values_alone():
    batch = pa.RecordBatch.from_pylist(ROWS, SCHEMA)
    found = digests_of_rows(batch)
    assert len(set(found)) == len(ROWS)
    assert digests_of_rows(pa.RecordBatch.from_pylist(ROWS[::-1], SCHEMA)) == found[::-1]
    for start in (0, 1, 5, 37):
        assert digests_of_rows(batch.slice(start, 5)) == found[start : start + 5]
    assert digests_of_rows(batch.slice(0, 0)) == []


def test_nulls_and_bounds_of_values_count():
    words = [["ab", "c"], ["a", "bc"], ["abc"], [], None, [None], [""], ["", ""]]
    batch = pa.RecordBatch.from_pydict({"words": pa.array(words, pa.list_(pa.string()))})
    assert len(set(digests_of_rows(batch))) == len(words)


def test_a_column_without_plain_values_is_refused():
    with pytest.raises(TypeError, match="dictionary"):
        digests_of_rows(pa.RecordBatch.from_pydict({"a": pa.array(["x"]).dictionary_encode()}))
