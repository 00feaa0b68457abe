"""Documents judged again without some of their paragraphs (HR-17), and what changed settings make stale."""

import hashlib

import pytest
from lasting import engine_of

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus.settings.config import build
from corpulyzer.lab.demo.archive import write_archive
from corpulyzer.page.document import document_of
from corpulyzer.page.pipeline import fingerprints, judged_without, pipeline
from corpulyzer.records import Fetch, Page

SENTENCE = "Stanovnici sela okupili su se u subotu kako bi zajedno obnovili stari mlin na potoku. "
NOTICE = "Prijavite se na naše obavijesti i čitajte najnovije vijesti svakoga dana bez ikakve naknade. " * 3
FETCH = Fetch(
    id=7, url_id=7, url="https://vijesti.a.hr/1", site="vijesti.a.hr", round=0, archive="", offset=0, length=0
)


def config(**values):
    return build(
        {"corpus.language": "hrv", **{key.replace("__", "."): value for key, value in values.items()}}
    )


def document(settings, *paragraphs):
    html = (
        "<html><body><article>"
        + "".join(f"<p>{text}</p>" for text in paragraphs)
        + "</article></body></html>"
    )
    body = html.encode()
    page = pipeline(settings)(Page(FETCH.url, body=body, fetch=FETCH, mime="text/html"))
    return document_of(page, settings.corpus.site)


def test_a_document_that_is_long_only_with_what_it_repeats_is_too_short_hr_17():
    settings = config(extract__method="full_text")
    whole = document(settings, SENTENCE * 3, NOTICE)
    assert whole.verdict.kept and whole.tokens >= 60
    left = judged_without(whole, {1}, settings)
    assert (left.verdict.kept, left.verdict.reason) == (False, "length")
    assert left.verdict.facts["found"] == len((SENTENCE * 3).split()) < 60
    assert left.verdict.facts["dropped_paragraphs"] == 1
    assert left.verdict.facts["dropped_bytes"] == len(NOTICE.strip().encode())
    assert "without 1 of 2 paragraphs" in left.verdict.detail


def test_the_other_order_would_have_kept_it_hr_17():
    """The short-document filter before paragraph de-duplication sees the notice, and keeps the page."""
    settings = config(extract__method="full_text")
    assert document(settings, SENTENCE * 3, NOTICE).verdict.kept
    assert not document(settings, SENTENCE * 3).verdict.kept


def test_a_document_that_is_long_enough_without_is_kept_and_says_so():
    settings = config(extract__method="full_text")
    whole = document(settings, SENTENCE * 6, NOTICE, SENTENCE * 6)
    left = judged_without(whole, [1], settings)
    assert left.verdict.kept and left.verdict.reason == ""
    assert left.verdict.detail == "without 1 of 3 paragraphs"
    assert left.text == "\n".join([(SENTENCE * 6).strip()] * 2)
    assert [left.text[p.start : p.end] for p in left.paragraphs] == left.text.split("\n")


def test_what_is_counted_is_what_is_left():
    settings = config(extract__method="full_text")
    whole = document(settings, SENTENCE * 6, NOTICE)
    left = judged_without(whole, {1}, settings)
    alone = document(settings, SENTENCE * 6)
    for name in (
        "text",
        "text_digest",
        "text_bytes",
        "tokens",
        "target_bytes",
        "target_characters",
        "language",
    ):
        assert getattr(left, name) == getattr(alone, name), name
    assert (left.id, left.url, left.raw_digest) == (whole.id, whole.url, whole.raw_digest)


def test_content_size_is_judged_again_too():
    settings = config(
        extract__method="full_text",
        identify__method="cld2",
        filter__content_size__min_bytes=300,
        filter__document=("content_size",),
    )
    whole = document(settings, SENTENCE * 2, NOTICE)
    assert whole.verdict.kept
    assert judged_without(whole, {1}, settings).verdict.reason == "content_size"


def test_a_document_of_which_nothing_is_left_has_no_text():
    settings = config(extract__method="full_text")
    left = judged_without(document(settings, SENTENCE * 9), {0}, settings)
    assert (left.verdict.reason, left.text, left.tokens) == ("no_text", "", 0)
    assert "no paragraph is left" in left.verdict.detail


def test_nothing_taken_out_changes_nothing():
    settings = config(extract__method="full_text")
    whole = document(settings, SENTENCE * 9)
    assert judged_without(whole, (), settings) is whole
    assert judged_without(whole, {5}, settings) is whole, "there is no sixth paragraph"


def test_a_document_carries_the_sha_224_of_its_raw_file_hr_4():
    """Equal files have equal digests, whatever their address; one more space is another file."""
    body = f"<p>{SENTENCE}</p>".encode()
    run = pipeline(config())
    first, copy, other = (
        document_of(run(Page(url, body=payload, fetch=FETCH, mime="text/html"))).raw_digest
        for url, payload in ((FETCH.url, body), ("https://b.hr/", body), (FETCH.url, body + b" "))
    )
    assert first == copy == hashlib.sha224(body).hexdigest() != other


def test_the_site_of_a_document_is_its_host_or_its_registered_domain():
    assert document(config(), SENTENCE).site == "vijesti.a.hr"
    assert document(config(corpus__site="registered"), SENTENCE).site == "a.hr"


def test_a_changed_site_level_is_a_matter_of_the_last_group():
    before, after = fingerprints(config()), fingerprints(config(corpus__site="registered"))
    assert [group for group in before if before[group] != after[group]] == ["filter"]


def test_where_paragraphs_are_taken_out_a_change_of_identification_needs_the_archive():
    kept, cut = fingerprints(config()), fingerprints(config(identify__keep="target"))
    assert kept["extract"] != cut["extract"]


@pytest.mark.slow
def test_documents_without_other_languages_are_the_same_from_every_stage(tmp_path):
    write_archive(tmp_path / "web.warc.gz", target="hrv")
    create("hrv", tmp_path / "c")
    flags = {"identify.keep": "target", "engine.workers": 2}
    corpus = open_corpus(tmp_path / "c", flags)
    engine = engine_of(corpus)
    corpus.import_(str(tmp_path / "web.warc.gz"), engine=engine)
    before = sorted(corpus.documents, key=lambda each: each.id)
    for start in ("identify", "filter"):
        corpus.process(start, engine=engine)
        assert sorted(corpus.documents, key=lambda each: each.id) == before
    whole = open_corpus(tmp_path / "c", {**flags, "identify.keep": "all"})
    whole.process(engine=engine)
    assert sum(d.text_bytes for d in whole.documents) > sum(d.text_bytes for d in before)
