"""Records and their Arrow schemas are one to one."""

import sys
from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest

from corpulyzer.records import KEEP, Document, Edge, Fetch, Page, Paragraph, Verdict, drop, int64_hash
from corpulyzer.records.changed import changed
from corpulyzer.records.columns import batch_of, record_of, schema_of

NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
FETCH = Fetch(
    id=-1,
    url_id=2**63 - 1,
    url="https://a.pk/",
    site="a.pk",
    round=0,
    archive="a",
    offset=1,
    length=2,
    date=NOW,
)


def document(**changes):
    plain = {int: 0, str: "", bool: False, datetime: NOW}
    values = {}
    for item in fields(Document):
        kind = {"int": int, "str": str, "bool": bool, "datetime": datetime}.get(str(item.type))
        values[item.name] = (
            plain[kind]
            if kind
            else {"verdict": KEEP}.get(item.name, {} if "Mapping" in str(item.type) else ())
        )
    return Document(**{**values, **changes})


@pytest.mark.parametrize("record", [Fetch, Document, Edge, Paragraph, Verdict])
def test_the_schema_has_the_fields_of_the_record_in_their_order(record):
    names = record._fields if hasattr(record, "_fields") else tuple(item.name for item in fields(record))
    assert tuple(schema_of(record).names) == names


def test_a_record_comes_back_from_arrow_as_it_went():
    paragraphs = (Paragraph(0, 4, "h", "urd", 0.5, {"urd": 4, "und": 1}), Paragraph(5, 9))
    documents = [
        document(
            text="اردو", paragraphs=paragraphs, languages={"urd": 4}, verdict=drop("mime", "x", found=1.5)
        ),
        document(labels={"a": "b"}, scores={"q": 0.25}),
    ]
    rows = batch_of(documents, Document).to_pylist()
    assert [record_of(Document, row) for row in rows] == documents
    assert [record_of(Fetch, row) for row in batch_of([FETCH], Fetch).to_pylist()] == [FETCH]


def test_no_records_are_an_empty_batch_of_the_schema():
    assert batch_of([], Document).schema == schema_of(Document)
    assert batch_of([], Document).num_rows == 0


def test_a_verdict_keeps_the_numbers_that_decided():
    verdict = drop("content_size", found=255, wanted=256)
    assert not verdict.kept and verdict.facts == {"found": 255, "wanted": 256}


def test_keys_are_signed_and_the_same_everywhere():
    assert int64_hash("a", "b") != int64_hash("ab")
    assert int64_hash("https://a.pk/") == -6086878338798665740
    assert all(-(2**63) <= int64_hash(str(n)) < 2**63 for n in range(1000))
    assert any(int64_hash(str(n)) < 0 for n in range(10))


@pytest.mark.parametrize("copied", [changed, replace])
def test_a_changed_copy_leaves_the_page_as_it_was(copied):
    page = Page("https://a.pk/", text="اردو", labels={"a": "b"})
    copy = copied(page, text="نیا", verdict=drop("mime"))
    assert (copy.url, copy.text, copy.labels, copy.verdict.reason) == (page.url, "نیا", page.labels, "mime")
    assert page == Page("https://a.pk/", text="اردو", labels={"a": "b"}) and copied(page) == page
    for wrong in ({"nothing": 1}, {"utf8": b""}):
        with pytest.raises((TypeError, AttributeError)):
            copied(page, **wrong)
    with pytest.raises(TypeError):
        copied(17, text="")


def test_changed_copies_of_many_pages_are_all_given_back():
    before = sys.getrefcount(KEEP)
    for _ in range(1_000):
        changed(changed(Page("https://a.pk/"), text="x"), verdict=drop("mime"))
    assert abs(sys.getrefcount(KEEP) - before) < 10
