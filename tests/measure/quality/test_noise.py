"""What else is in a corpus: scripts, look-alikes, machine translation, people, rejects, your classifier's view."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent))

from made_corpus import Made, bench_of

from corpulyzer.errors import UserError
from corpulyzer.measure.pages import rejects
from corpulyzer.measure.quality import confusables, machine_translation, pii
from corpulyzer.measure.sites import classifier
from corpulyzer.measure.words import scripts
from corpulyzer.text.traces import Traces, luhn, traces


@pytest.mark.parametrize(
    "text, found",
    [
        ("pišite na ime.prezime@primjer.hr", Traces(emails=1)),
        ("tel. +385 1 234-5678 ili 091/234-5678", Traces(phones=2)),
        ("۰۹۱ ۲۳۴ ۵۶۷۸", Traces(phones=1)),
        ("4111 1111 1111 1111", Traces(cards=1)),
        ("4111111111111112", Traces()),
        ("sa 192.168.1.1 i 2001:0db8:85a3:0000:0000:8a2e:0370:7334", Traces(addresses=2)),
        ("verzija 1.2.3.400 od 12.05.2021. za 1.234.567,00 kuna, 1990-2021", Traces()),
        ("@korisnik i nešto @ nigdje", Traces()),
    ],
)
def test_traces_of_people(text, found):
    assert traces(text) == found


def test_the_check_digit_of_a_card():
    assert luhn("79927398713") and not luhn("79927398710") and not luhn("0000000000000000")


def test_a_long_line_of_digits_and_dots_is_read_in_no_time():
    import time

    start = time.process_time()
    traces("1." * 200_000 + "a@" * 100_000 + "0" * 300_000)
    assert time.process_time() - start < 5


def test_people_are_counted_by_document_and_site_and_not_shown(engine, tmp_path):
    pages = [Made(["piši a@b.hr i c@d.hr"], site="a.hr"), Made(["piši e@f.hr"], site="a.hr"), Made(["ništa"])]
    (found,) = pii.measure(bench_of(tmp_path, engine, pages))
    emails = found.rows.to_pylist()[0]
    assert (emails["found"], emails["documents"], emails["sites"]) == (3, 2, 1)
    assert emails["documents_share"] == 2 / 3
    assert "a@b.hr" not in str(found.to_json()) and found.svg()


def test_scripts_are_shares_of_letters(engine, tmp_path):
    found, normal, mixed = scripts.measure(bench_of(tmp_path, engine, [Made(["کتاب 2021 pdf"])], "urd"))
    shares = {row["script"]: row["characters"] for row in found.rows.to_pylist()}
    assert shares == {"Arab": 4, "Latn": 3}
    kinds = {row["kind"]: row["characters"] for row in normal.rows.to_pylist()}
    assert kinds["digit, ASCII"] == 4 and found.svg() and normal.svg() and mixed.rows.num_rows == 0


def test_joiners_forms_and_mixed_words_are_counted(engine, tmp_path):
    bench = bench_of(tmp_path, engine, [Made(["می\u200cخواهم ﻼ ۱۲ сhоrus cafÃ©"])], "fas")
    _, normal, mixed = scripts.measure(bench)
    kinds = {row["kind"]: row["characters"] for row in normal.rows.to_pylist()}
    assert kinds["zero-width non-joiner (ZWNJ)"] == 1
    assert kinds["Arabic presentation form"] == 1
    assert kinds["digit, extended arabic-indic"] == 2
    assert kinds["wrongly decoded (mojibake)"] == 2
    assert mixed.rows.column("word").to_pylist() == ["сhоrus"]


def test_the_nearest_look_alike_and_its_margin(engine, tmp_path):
    pages = [
        Made([("x" * 900, "xho"), ("y" * 300, "zul"), ("z" * 50, "eng")], site="near.za", confidence=0.35),
        Made([("x" * 2000, "xho")], site="sure.za"),
    ]
    found, sure = confusables.measure(bench_of(tmp_path, engine, pages, "xho"))
    near, alone = found.rows.to_pylist()
    assert (near["site"], near["look_alike"], near["margin"]) == ("near.za", "zul", 0.5)
    assert (alone["look_alike"], alone["margin"]) == ("", 1.0)
    assert near["confidence"] == pytest.approx(0.35)
    shares = {row["confidence"]: row["characters"] for row in sure.rows.to_pylist()}
    assert (shares["0.3–0.4"], shares["0.9–1.0"]) == (900, 2000)
    assert found.svg() and sure.svg()


def test_machine_translation_by_fingerprint_and_by_hand(engine, tmp_path):
    pages = [
        Made(
            ["prijevod"],
            site="stroj.hr",
            machine_translation="gtranslate_comment",
            reason="machine_translation",
        ),
        Made(["prijevod"], site="stroj.hr"),
        Made(["ručno"], site="rucno.hr"),
        Made(["čisto"], site="cisto.hr"),
    ]
    labels = {"rucno.hr": {"machine_translated": "yes"}, "cisto.hr": {"machine_translated": "no"}}
    found, sites = machine_translation.measure(bench_of(tmp_path, engine, pages, site_labels=labels))
    counts = {row["fingerprint"]: (row["pages"], row["kept"]) for row in found.rows.to_pylist()}
    assert counts == {"none": (3, 3), "gtranslate_comment": (1, 0)}
    rows = {row["site"]: row for row in sites.rows.to_pylist()}
    assert set(rows) == {"stroj.hr", "rucno.hr"} and rows["stroj.hr"]["share"] == 0.5
    assert found.svg() and sites.svg()


def test_rejects_are_drawn_for_each_reason_by_the_seed(engine, tmp_path):
    pages = [Made([f"kratko {n} " + "riječ " * 90], reason="length", site=f"{n}.hr") for n in range(50)]
    pages += [Made(["jedina"], reason="encoding"), Made(["ostaje"])]
    (one,) = rejects.measure(bench_of(tmp_path / "1", engine, pages))
    rows = one.rows.to_pylist()
    assert [row["reason"] for row in rows].count("length") == 20
    assert [(row["reason"], row["text"], row["of"]) for row in rows if row["reason"] == "encoding"] == [
        ("encoding", "jedina", 1)
    ]
    assert all(len(row["text"]) <= rejects.CHARACTERS + 2 for row in rows)
    named = [replace(page, name=f"p{n}") for n, page in enumerate(pages)]
    (first,) = rejects.measure(bench_of(tmp_path / "2", engine, named, seed=1))
    (again,) = rejects.measure(bench_of(tmp_path / "3", engine, named[::-1], files=2, seed=1))
    (other,) = rejects.measure(bench_of(tmp_path / "4", engine, named, seed=2))
    assert first.rows.equals(again.rows)
    assert first.rows.column("url") != other.rows.column("url")


def test_a_classifier_of_ones_own_is_averaged_over_sites(engine, tmp_path, monkeypatch):
    here = str(Path(__file__).parent.parent)
    monkeypatch.setenv("PYTHONPATH", here + os.pathsep + os.environ.get("PYTHONPATH", ""))
    pages = [
        Made(["kratko"], site="a.hr"),
        Made(["ovo je mnogo duži tekst od onoga"], site="a.hr"),
        Made(["i ovo je mnogo duži tekst od onoga"], site="b.hr"),
        Made(["this must crash"], site="b.hr"),
        Made(["ovo je mnogo duži tekst od onoga"], site="c.hr", reason="length"),
    ]
    (found,) = classifier.measure(bench_of(tmp_path, engine, pages, classifier="own_classifier:long_text"))
    assert [(row["site"], row["documents"], row["mean"]) for row in found.rows.to_pylist()] == [
        ("b.hr", 1, 1.0),
        ("a.hr", 2, 0.5),
    ]
    assert any("1 documents could not be scored" in warning for warning in found.warnings)
    (labels,) = classifier.measure(bench_of(tmp_path, engine, pages, classifier="own_classifier:by_label"))
    assert {row["label"]: row["mean"] for row in labels.rows.to_pylist()} == {"faith": 0.75, "news": 0.25}


def test_a_classifier_that_is_not_there_is_the_users_error(engine, tmp_path):
    with pytest.raises(UserError, match="no_such_module"):
        classifier.measure(bench_of(tmp_path, engine, [], classifier="no_such_module:f"))
    assert classifier.measure(bench_of(tmp_path, engine, [])) == []


@pytest.mark.parametrize("pages", [[], ["Jedna stranica."], [Made(["x"], reason="length")]])
@pytest.mark.parametrize("panel", [scripts, confusables, machine_translation, pii, rejects])
def test_no_page_one_page_and_nothing_kept_are_no_error(engine, tmp_path, panel, pages):
    for result in panel.measure(bench_of(tmp_path, engine, pages)):
        assert result.summary and result.definition and result.citation
        drawn = result.svg()
        assert drawn is None or drawn.startswith("<svg")
