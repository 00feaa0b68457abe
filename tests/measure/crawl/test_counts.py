"""Yield, discovery and the frontier, counted by hand (CZ-29, XH-22)."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from benches import page, stored

from corpulyzer.engine import Dataset
from corpulyzer.measure.crawl.counts import RoundYield, count_frontier, discovery, yield_rate
from corpulyzer.records import Document, drop
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import Storage
from corpulyzer.web.frontier.store.versions import Frontier, Manifest
from corpulyzer.web.frontier.tables import Known

NOISE = drop("content_size")
DOCUMENTS = [
    page("http://a.example/1", round=1),
    page("http://a.example/2", round=1, target_bytes=5, verdict=NOISE),
    page("http://b.example/1", round=1, target_bytes=0, verdict=NOISE),
    page("http://b.example/2", round=1, target_bytes=0, verdict=NOISE),
    page("http://c.example/1", round=3),
    page("http://c.example/2", round=3),
    page("http://imported.example/", round=0),
]


@pytest.mark.parametrize("parts", [1, 3])
def test_the_yield_of_a_round_is_its_pages_with_any_target_text_of_all_that_were_read(
    engine, tmp_path, parts
):
    found = yield_rate(engine, stored(tmp_path, "documents", DOCUMENTS, Document, parts))
    assert found == [RoundYield(1, 4, 2, 1), RoundYield(3, 2, 2, 2)]
    assert [(each.rate, each.kept_rate) for each in found] == [(0.5, 0.25), (1.0, 1.0)]


def test_the_yield_does_not_depend_on_the_order_of_documents(engine, tmp_path):
    there = yield_rate(engine, stored(tmp_path / "a", "documents", DOCUMENTS, Document))
    assert yield_rate(engine, stored(tmp_path / "b", "documents", DOCUMENTS[::-1], Document)) == there


def test_sites_without_a_seed_are_discoveries_if_the_corpus_keeps_a_page_of_them(engine, tmp_path):
    documents = stored(tmp_path, "documents", DOCUMENTS, Document)
    found = discovery(engine, documents, ["a.example", "b.example", "never-reached.example"])
    assert (found.sites, found.new_sites) == (3, ("c.example", "imported.example"))
    assert (found.documents, found.new_documents) == (4, 3)
    assert (found.site_share, found.document_share) == (pytest.approx(2 / 3), 0.75)


def test_a_corpus_without_documents_has_no_yield_and_discovers_nothing(engine, tmp_path):
    nothing = Dataset((), schema_of(Document))
    assert yield_rate(engine, nothing) == []
    found = discovery(engine, nothing, ["a.example"])
    assert (found.sites, found.site_share, found.document_share) == (0, 0.0, 0.0)
    assert RoundYield(1, 0, 0, 0).rate == 0.0


def test_the_frontier_is_counted_by_what_may_be_fetched_now(engine, tmp_path):
    rows = [
        dict.fromkeys(schema_of(Known).names, 0) | {"url": "", "spelling": "", "refused": ""}
        for _ in range(6)
    ]
    rows[0] |= {"fetches": 1, "due": 1000}
    rows[1] |= {"fetches": 2, "due": 50}
    rows[2] |= {"refused": "trap: depth"}
    rows[3] |= {"due": 101}
    pq.write_table(pa.Table.from_pylist(rows, schema=schema_of(Known)), tmp_path / "f.parquet")
    frontier = Frontier(Storage(str(tmp_path)), "1", Manifest(front="f.parquet"))
    found = count_frontier(engine, frontier, now=100)
    assert (found.known, found.fetched, found.waiting, found.refused) == (6, 2, 3, {"trap: depth": 1})
