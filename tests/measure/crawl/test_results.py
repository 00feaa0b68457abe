"""The crawl as results: yield, discovery, assortativity, cost, and whether to go on (CZ-29; XH-22, 23, 26)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from benches import EDGE, bench, by_name, fetch_of, page, stored

from corpulyzer.dedup.passages import Passage
from corpulyzer.measure.crawl.counts import Discovery
from corpulyzer.measure.crawl.results import discovery_result, measure
from corpulyzer.measure.crawl.stop_now import advice, block_size
from corpulyzer.records import EPOCH, Document, drop

NOISE = drop("content_size")


def crawled(url, round_, second, **more):
    return page(url, round=round_, date=EPOCH + timedelta(seconds=second), **more)


DOCUMENTS = [
    crawled("http://a.example/1", 1, 1),
    crawled("http://a.example/2", 1, 2, target_bytes=0, verdict=NOISE),
    crawled("http://x.a.example/", 2, 3),
    crawled("http://b.example/", 2, 4, target_bytes=5, verdict=NOISE),
]
A1, A2, X, B = DOCUMENTS


def link(source, target):
    return replace(EDGE, source_id=source.id, source_url_id=source.url_id, target_id=target.url_id)


LINKS = [link(A1, A2), link(A1, X), link(A1, B), link(A2, A1), link(A2, A2)]


def test_yield_counts_pages_with_any_target_text_and_kept_ones_by_round_cz_29(engine, tmp_path):
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS)))["yield_rate"]
    rates = {(each["round"], each["of"]): each["rate"] for each in found.rows.to_pylist()}
    assert rates[1, "any of the language"] == 0.5 and rates[2, "any of the language"] == 1.0
    assert rates[2, "kept by the filters"] == 0.5 and found.facts["harvest"] == 0.5


def test_copies_that_left_later_were_kept_by_the_filters_of_their_round_cz_29(engine, tmp_path):
    """Of the first round's two pages the filters kept one, whatever copies and repeated menus cost it then."""
    later = [replace(A1, target_bytes=0, verdict=drop("near_duplicate")), *DOCUMENTS[1:]]
    judged = stored(tmp_path, "judged", DOCUMENTS, Document)
    found = by_name(measure(bench(engine, tmp_path, later, as_judged=judged)))["yield_rate"]
    rates = {(each["round"], each["of"]): each["rate"] for each in found.rows.to_pylist()}
    assert rates[1, "any of the language"] == rates[1, "kept by the filters"] == 0.5


def test_the_report_names_the_published_yield_and_the_stricter_one(engine, tmp_path):
    """Seven of ten requests of the first round gave new good pages, three of ten of the second: 10 of 20."""
    notes = ({"round": 1, "requests": 10, "good": 7}, {"round": 2, "requests": 10, "good": 3})
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS, rounds=notes)))["yield_rate"]
    strict = [each["rate"] for each in found.rows.to_pylist() if each["of"] == "new and good, of requests"]
    assert strict == [0.7, 0.3] and found.facts["good_per_request"] == 0.5
    assert found.facts["target_rate"] == 0.75 and "50.0% of 20 requests" in found.summary


def test_the_printed_discovery_of_the_isixhosa_crawl_xh_22():
    """4 of 88 sites are 4.54 % (cut, not rounded)."""
    found = discovery_result(Discovery(88, ("a", "b", "c", "d"), 202_646, 199), 84)
    assert int(10_000 * found.facts["site_share"]) / 100 == 4.54
    assert round(100 * found.rows.to_pylist()[3]["share"], 3) == 0.098


def test_links_are_told_by_where_they_are_and_where_they_lead_xh_26(engine, tmp_path):
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS, links=LINKS)))["assortativity"]
    rows = {
        each["links"]: (each["number"], each["lead_to_the_language_share"]) for each in found.rows.to_pylist()
    }
    assert rows["all links"] == (5, pytest.approx(3 / 5))
    assert rows["from pages in the language"] == (3, pytest.approx(2 / 3))
    assert rows["from other pages"] == (2, pytest.approx(1 / 2))
    assert rows["within a site"][0] == 3 and rows["to other sites"][0] == 1
    assert rows["to another host of its domain"][0] == 1


def test_cost_counts_requests_bytes_and_seconds_by_round_c4_19(engine, tmp_path):
    failed = fetch_of(crawled("http://dead.example/", 1, 0, raw_bytes=0), outcome="dns")
    fetches = [*map(fetch_of, DOCUMENTS), failed]
    rounds = ({"round": 1, "seconds": 60.0}, {"round": 2, "seconds": 30})
    found = by_name(measure(bench(engine, tmp_path, DOCUMENTS, fetches, rounds=rounds)))["cost"]
    first = found.rows.to_pylist()[0]
    assert (first["requests"], first["documents"], first["received_bytes"], first["seconds"]) == (
        3,
        1,
        2000,
        60.0,
    )
    assert found.facts == {"requests": 5, "received_bytes": 4000, "seconds": 90.0}


def test_curves_count_what_is_new_in_each_block_of_fetches(engine, tmp_path):
    documents = [crawled(f"http://s{n // 20}.example/{n}", 1, n) for n in range(40)]
    sentences = [Passage(each.id, 0, 0, 1, 1, n if n < 20 else 0, 0, 0) for n, each in enumerate(documents)]
    labels = {"sentences": stored(tmp_path, "sentences", sentences, Passage)}
    found = by_name(measure(bench(engine, tmp_path, documents, labels=labels)))["stop_now"]
    rates = {(each["what"], each["fetches"]): each["per_1000"] for each in found.rows.to_pylist()}
    assert [rates["documents", n] for n in (10, 20, 30, 40)] == [1000] * 4
    assert [rates["new sites", n] for n in (10, 20, 30, 40)] == [100, 0, 100, 0]
    assert [rates["new sentences", n] for n in (10, 20, 30, 40)] == [1000, 1000, 0, 0]
    assert found.summary.startswith("Stop")


def test_advice_follows_the_last_quarter_against_the_best():
    steady = [(n, 100.0) for n in range(8)]
    falling = [*steady[:6], (6, 30.0), (7, 30.0)]
    assert advice({"documents": steady}).startswith("Go on")
    assert advice({"documents": falling}).startswith("Returns are falling")
    assert advice({"documents": steady[:3]}).startswith("Too little")
    assert [block_size(n) for n in (0, 400, 401, 40_000)] == [10, 10, 20, 1_000]


def test_an_imported_corpus_has_no_crawl(engine, tmp_path):
    assert measure(bench(engine, tmp_path, [page("http://a.example/")])) == []
    assert measure(bench(engine, tmp_path / "empty", [])) == []
