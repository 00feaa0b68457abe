"""The demo archive: every kind of record is in it, and what is said of each is true."""

import gzip
import io
import time
import zlib
from collections import Counter
from functools import cache
from pathlib import Path

import brotli
import pytest
import regex
import zstandard
from fastwarc.warc import ArchiveIterator
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.lab.demo.archive import samples as make_samples
from corpulyzer.lab.demo.archive import write_archive
from corpulyzer.lab.demo.pages.desk import Sample, Truth
from corpulyzer.lab.demo.prose import LANGUAGES, Prose
from corpulyzer.warc import index, read

CODINGS = {
    "gzip": gzip.decompress,
    "deflate": zlib.decompress,
    "br": brotli.decompress,
    "zstd": lambda body: zstandard.ZstdDecompressor().decompress(body),
}


@cache
def samples(target: str = "urd") -> tuple[Sample, ...]:
    return tuple(make_samples(target))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Truth]]:
    path = tmp_path_factory.mktemp("demo") / "demo.warc.gz"
    return path, write_archive(path)


def unpacked(sample: Sample) -> bytes:
    body = sample.body
    headers = dict(sample.headers)
    if "Transfer-Encoding" in headers:
        parts, stream = [], io.BytesIO(body)
        while size := int(stream.readline(), 16):
            parts.append(stream.read(size))
            stream.readline()
        body = b"".join(parts)
    return CODINGS[headers["Content-Encoding"]](body) if "Content-Encoding" in headers else body


def decoded(sample: Sample) -> str:
    codec = {"utf-8": "utf-8-sig", "utf-16le": "utf-16", "utf-16be": "utf-16"}
    return unpacked(sample).decode(codec.get(sample.truth.charset, sample.truth.charset))


def squeezed(text: str) -> str:
    return regex.sub(r"\s+", " ", text)


def test_the_archive_is_soon_made(tmp_path: Path) -> None:
    before = time.process_time()
    truths = write_archive(tmp_path / "demo.warc.gz")
    assert time.process_time() - before < 10
    assert 300 <= len(truths) <= 400
    assert len({truth.url.split("/")[2] for truth in truths}) >= 30


def test_the_same_seed_gives_the_same_bytes_and_another_seed_other_text(tmp_path: Path) -> None:
    first = write_archive(tmp_path / "a" / "demo.warc.gz")
    again = write_archive(tmp_path / "b" / "demo.warc.gz")
    other = write_archive(tmp_path / "c" / "demo.warc.gz", seed=1)
    assert (tmp_path / "a" / "demo.warc.gz").read_bytes() == (tmp_path / "b" / "demo.warc.gz").read_bytes()
    assert first == again
    assert {truth.text for truth in first if truth.keep}.isdisjoint(
        truth.text for truth in other if truth.keep
    )


def test_records_of_every_type_are_there_and_their_digests_hold(archive: tuple[Path, list[Truth]]) -> None:
    path, truths = archive
    found: Counter[str] = Counter()
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, parse_http=False):
            assert record.verify_block_digest()
            found[record.headers["WARC-Type"]] += 1
    assert found["warcinfo"] == 1
    assert found["request"] >= 20
    assert found["metadata"] == 4
    assert found["response"] + found["revisit"] == len(truths) + 1  # and a DNS answer


def test_our_own_reader_gives_back_each_response_in_the_order_of_the_truths(
    archive: tuple[Path, list[Truth]],
) -> None:
    path, truths = archive
    entries = [
        e for e in index(str(path)) if e.kind in ("response", "revisit") and not e.uri.startswith("dns:")
    ]
    assert [entry.uri for entry in entries] == [truth.url for truth in truths]
    assert not any(entry.problem for entry in entries)


@pytest.mark.parametrize("target", LANGUAGES)
def test_the_main_text_of_every_page_is_in_its_bytes(target: str) -> None:
    for sample in samples(target):
        if sample.truth.text and sample.truth.kind != "plain_text":
            body = LexborHTMLParser(decoded(sample)).body
            assert body is not None
            shown = squeezed(body.text())
            assert all(squeezed(p) in shown for p in sample.truth.text.split("\n")), sample.truth.url


@pytest.mark.parametrize("target", LANGUAGES)
def test_kept_pages_are_long_and_in_the_target_language(target: str) -> None:
    import pycld2

    kept = [sample.truth for sample in samples(target) if sample.truth.keep]
    assert len(kept) >= 140
    assert {truth.language for truth in kept} == {target}
    assert all(len(truth.text.encode()) >= 512 and len(truth.text.split()) >= 60 for truth in kept)
    right = [pycld2.detect(truth.text)[2][0][1] == Prose(target).code for truth in kept]
    assert sum(right) >= 0.97 * len(right)


@pytest.mark.parametrize("target", LANGUAGES)
def test_every_page_that_is_left_out_has_a_reason_and_each_reason_has_pages(target: str) -> None:
    truths = [sample.truth for sample in samples(target)]
    assert all(truth.keep != bool(truth.reason) for truth in truths)
    reasons = Counter(truth.reason for truth in truths)
    expected = {
        "", "language", "no_prose", "length", "machine_translation", "encoding", "punctuation", "duplicate",
        "near_duplicate", "http_error", "mime", "revisit", "empty",
    }  # fmt: skip
    assert set(reasons) == expected
    assert reasons["language"] >= 60


@pytest.mark.parametrize("target", LANGUAGES)
def test_short_pages_are_below_the_thresholds_in_every_language(target: str) -> None:
    short = [sample.truth.text for sample in samples(target) if sample.truth.reason == "length"]
    assert len(short) == 8
    assert all(len(text.encode()) < 256 and len(text.split()) < 60 for text in short)


def test_urls_are_unique_but_for_revisits() -> None:
    urls = Counter(sample.truth.url for sample in samples() if sample.record == "response")
    assert max(urls.values()) == 1


def test_copies_repeat_what_they_say_they_repeat() -> None:
    pages = {sample.truth.url: sample for sample in samples() if sample.record == "response"}
    copies = [s.truth for s in pages.values() if s.truth.reason in ("duplicate", "near_duplicate")]
    assert {truth.kind for truth in copies} == {"exact_copy", "other_layout", "one_word_changed", "other_url"}
    for truth in copies:
        original = pages[truth.duplicate_of]
        assert original.truth.keep
        assert (truth.text == original.truth.text) == (truth.reason == "duplicate")
        assert (pages[truth.url].body == original.body) == (truth.kind == "exact_copy")
        assert abs(len(truth.text.split()) - len(original.truth.text.split())) <= 2


def test_other_texts_are_all_different() -> None:
    texts = [s.truth.text for s in samples() if s.truth.text and not s.truth.duplicate_of]
    repeated = [text for text, count in Counter(texts).items() if count > 1]
    assert all(set(text) <= set("*-/=~|:><.,;!? \n") for text in repeated)


@pytest.mark.parametrize("target", ["urd", "hrv"])
def test_legacy_encodings_are_declared_here_there_nowhere_and_wrongly(target: str) -> None:
    pages = [s for s in samples(target) if s.truth.kind.startswith("charset_") and s.truth.keep]
    legacy = "windows-1256" if target == "urd" else "windows-1250"
    old = {s.truth.kind.removeprefix("charset_"): s for s in pages if s.truth.charset == legacy}
    assert legacy in old["header"].content_type
    assert "charset" not in old["meta"].content_type and legacy.encode() in old["meta"].body
    assert b"charset" not in old["nowhere"].body and "charset" not in old["nowhere"].content_type
    assert "iso-8859-1" in old["wrongly"].content_type
    for sample in old.values():
        with pytest.raises(UnicodeDecodeError):
            sample.body.decode()
    assert {s.truth.charset for s in pages} >= {legacy, "utf-8", "utf-16le", "utf-16be"}


def test_spoilt_text_is_spoilt_in_every_language() -> None:
    for target in LANGUAGES:
        for sample in samples(target):
            text = sample.truth.text
            if sample.truth.kind == "replacement_characters":
                assert text.count("\ufffd") > 0.05 * len(text)
            if sample.truth.kind == "mojibake":
                assert text.count("Â") > 0.05 * len(text.split())


def test_licenses_of_every_kind_are_said_where_they_are_said() -> None:
    pages = [sample for sample in samples() if sample.truth.kind.startswith("license_")]
    kinds = {sample.truth.license for sample in pages}
    assert kinds == {
        "cc-by", "cc-by-sa", "cc-by-nc", "cc-by-nd", "cc-by-nc-sa", "cc-by-nc-nd", "cc0", "public-domain",
        "cc-unspecified", "",
    }  # fmt: skip
    assert all(b"creativecommons.org" in sample.body and sample.truth.keep for sample in pages)
    others = [sample for sample in samples() if not sample.truth.kind.startswith("license_")]
    assert not any(b"creativecommons" in sample.body or sample.truth.license for sample in others)


def test_fingerprints_of_machine_translation_are_on_those_pages_alone() -> None:
    signs = (
        b"<!-- delivered by GTranslate", b'name="translation-stats"', b"machine-translated-from",
        b"gtranslate-style-css", b"widget_gtranslate", b"tdn.gtranslate.net", b'hreflang="zh-CN"',
    )  # fmt: skip
    for sample in samples():
        found = any(sign in sample.body for sign in signs)
        assert found == (sample.truth.reason == "machine_translation"), sample.truth.url


def test_the_large_page_is_large_the_deep_one_deep_and_the_cut_one_cut() -> None:
    pages = {sample.truth.kind: sample for sample in samples()}
    assert len(pages["large"].body) > 1 << 20
    assert pages["deep"].body.count(b"<div>") >= 10_000
    assert pages["truncated"].record_headers == {"WARC-Truncated": "length"}
    assert b"</article>" not in pages["truncated"].body
    assert b"display:none" in pages["hidden_text"].body
    assert pages["content_br"].body != unpacked(pages["content_br"])


def test_bodies_are_stored_as_received_and_read_back_unpacked(archive: tuple[Path, list[Truth]]) -> None:
    path, _ = archive
    wanted = {s.truth.url: unpacked(s) for s in samples() if s.truth.kind.startswith("content_")}
    entries = [entry for entry in index(str(path)) if entry.uri in wanted and entry.kind == "response"]
    assert len(entries) == 8
    with open(path, "rb") as file:
        for entry in entries:
            assert read(file, entry.offset, entry.length).body == wanted[entry.uri]
