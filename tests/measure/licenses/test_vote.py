"""The vote of a site on licenses that its pages only link to."""

from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq

from corpulyzer.engine import Dataset
from corpulyzer.measure.licenses.vote import licenses
from corpulyzer.records import EPOCH, KEEP, Document, drop
from corpulyzer.records.columns import batch_of, schema_of

PAGE = Document(
    id=0, url_id=0, url="", site="a", round=0, archive="", offset=0, record_id="", date=EPOCH, status=200, mime="",
    charset="", raw_bytes=0, raw_digest="", truncated=False, title="", declared_language="", canonical="", author="",
    published="", text="x", text_digest="", text_bytes=1, tokens=0, paragraphs=(), languages={}, language="und",
    target_bytes=0, target_characters=0, license="", licenses=(), machine_translation="", labels={}, scores={},
    verdict=KEEP,
)  # fmt: skip
LINKED = replace(PAGE, license="cc-by", license_basis="text")
DECLARED = replace(PAGE, license="cc-by", license_basis="declared")


def voted(engine, folder, documents):
    if not documents:
        return licenses(engine, Dataset((), schema_of(Document)))
    path = folder / "documents.parquet"
    pq.write_table(pa.Table.from_batches([batch_of(documents, Document)]), path)
    return licenses(engine, Dataset((str(path),), schema_of(Document)))


def test_a_link_that_most_pages_of_the_site_have_is_their_license(engine, tmp_path):
    found = voted(engine, tmp_path, [LINKED, LINKED, PAGE])
    assert found.of(LINKED) == "cc-by"
    assert found.rows() == [
        {"site": "a", "license": "cc-by", "pages": 2, "linked": 2, "voters": 3, "share": 2 / 3, "standing": 2}
    ]


def test_a_link_on_one_page_of_a_site_is_not_the_pages_license(engine, tmp_path):
    found = voted(engine, tmp_path, [LINKED, PAGE, PAGE])
    assert found.of(LINKED) == "" and found.sites[0].standing == 0


def test_half_of_the_site_is_not_most_of_it(engine, tmp_path):
    assert voted(engine, tmp_path, [LINKED, LINKED, PAGE, PAGE]).of(LINKED) == ""


def test_a_declared_license_needs_no_vote_and_votes_for_the_linked_ones(engine, tmp_path):
    assert voted(engine, tmp_path, [DECLARED, PAGE, PAGE, PAGE]).of(DECLARED) == "cc-by"
    found = voted(engine, tmp_path, [DECLARED, DECLARED, LINKED, PAGE])
    assert found.of(LINKED) == "cc-by"
    found = voted(engine, tmp_path, [DECLARED, LINKED, PAGE, PAGE])
    assert (found.of(LINKED), found.sites[0].standing) == ("", 1)


def test_sites_and_kinds_vote_apart(engine, tmp_path):
    other_kind = replace(LINKED, license="cc-by-sa")
    other_site = replace(LINKED, site="b")
    found = voted(engine, tmp_path, [LINKED, LINKED, other_kind, other_site])
    assert (found.of(LINKED), found.of(other_kind), found.of(other_site)) == ("cc-by", "", "")


def test_pages_without_text_have_no_vote_and_dropped_ones_have(engine, tmp_path):
    empty = replace(PAGE, text="", text_bytes=0)
    assert voted(engine, tmp_path, [LINKED, LINKED, empty, empty, empty]).of(LINKED) == "cc-by"
    short = replace(PAGE, verdict=drop("length"))
    assert voted(engine, tmp_path, [LINKED, LINKED, short, short]).of(LINKED) == ""


def test_a_corpus_without_licenses_has_an_empty_table(engine, tmp_path):
    assert voted(engine, tmp_path, [PAGE]).rows() == voted(engine, tmp_path, []).rows() == []
    assert "<table>" in voted(engine, tmp_path, [LINKED])._repr_html_()
