"""The identity of rows: equal rows have the same, and others have another."""

import pyarrow as pa
import pytest

from corpulyzer.storage import ParquetSink
from corpulyzer.storage.content import ContentDigest, footer_of

SCHEMA = pa.schema(
    [
        ("id", pa.int64()),
        ("text", pa.string()),
        ("raw", pa.binary()),
        ("kept", pa.bool_()),
        ("share", pa.float64()),
        ("at", pa.timestamp("us", tz="UTC")),
        ("spans", pa.list_(pa.struct([("start", pa.int64()), ("kinds", pa.list_(pa.string()))]))),
        ("verdict", pa.struct([("kept", pa.bool_()), ("reason", pa.string())])),
    ]
)


def row(number):
    """A row in which each column differs from row to row, with a null here and there."""
    return {
        "id": number if number % 5 else None,
        "text": "ab" * (number % 4) if number % 7 else None,
        "raw": bytes([number % 256]) * (number % 3),
        "kept": [True, False, None][number % 3],
        "share": number / 8,
        "at": number * 1_000_000,
        "spans": [{"start": n, "kinds": ["p"] * n} for n in range(number % 3)] if number % 11 else None,
        "verdict": {"kept": number % 2 == 0, "reason": "x" * (number % 2)} if number % 13 else None,
    }


def identity(rows, batch_rows=1_000):
    digest = ContentDigest(SCHEMA)
    for start in range(0, len(rows), batch_rows):
        digest.update(pa.RecordBatch.from_pylist(rows[start : start + batch_rows], SCHEMA))
    return digest.hexdigest()


ROWS = [row(number) for number in range(150)]


@pytest.mark.parametrize("batch_rows", [1, 7, 100])
def test_rows_have_one_identity_in_whatever_batches_they_come(batch_rows):
    assert identity(ROWS, batch_rows) == identity(ROWS)


def test_what_memory_holds_beside_the_rows_makes_no_difference():
    whole = pa.RecordBatch.from_pylist([row(1), *ROWS, row(2)], SCHEMA)
    digest = ContentDigest(SCHEMA)
    digest.update(whole.slice(1, len(ROWS)))
    assert digest.hexdigest() == identity(ROWS)


@pytest.mark.parametrize(
    "change",
    [
        {"id": 4},
        {"id": None},
        {"text": "abb"},
        {"text": ""},
        {"text": None},
        {"raw": b"\x01\x01"},
        {"kept": True},
        {"kept": None},
        {"share": 0.125000001},
        {"at": 1},
        {"spans": []},
        {"spans": None},
        {"spans": [{"start": 0, "kinds": ["p"]}]},
        {"spans": [{"start": 0, "kinds": []}, {"start": 1, "kinds": ["h"]}]},
        {"verdict": {"kept": False, "reason": ""}},
        {"verdict": None},
    ],
    ids=str,
)
def test_another_value_is_another_identity(change):
    changed = [*ROWS]
    changed[46] = {**ROWS[46], **change}
    assert changed != ROWS and identity(changed) != identity(ROWS)


def test_order_and_the_ends_of_texts_count():
    assert identity(ROWS[::-1]) != identity(ROWS)
    left, right = ({**row(1), "text": text} for text in ("ab", "c"))
    assert identity([left, right]) != identity([{**left, "text": "a"}, {**right, "text": "bc"}])
    assert identity([]) != identity([row(0)])


def test_a_file_says_its_identity_in_its_footer_if_it_says_what_it_is_made_of(tmp_path):
    for name, made_of in (("a", "x.y"), ("b", "")):
        with ParquetSink(str(tmp_path / name), SCHEMA, made_of) as sink:
            for start in range(0, 150, 40):
                sink.write(pa.RecordBatch.from_pylist(ROWS[start : start + 40], SCHEMA))
    size = (tmp_path / "a").stat().st_size
    assert footer_of(str(tmp_path / "a")) == ("x.y", identity(ROWS), 150, size, "")
    assert footer_of(str(tmp_path / "b"))[:3] == ("", "", 150)


@pytest.mark.parametrize("values", [[1, 2], [b"a", b"b"], [None, None], ["x" * 5_000, "y"]])
def test_only_of_short_texts_is_said_between_which_they_are(tmp_path, values):
    with ParquetSink(str(tmp_path / "a"), (table := pa.table({"site": values})).schema) as sink:
        sink.write(table.to_batches()[0])
    assert footer_of(str(tmp_path / "a")).ranges == ""
