"""The measure of licenses (C4-4), and what our rules reach on our own gold set."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from lasting import engine_of
from typer.testing import CliRunner

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.cli import app
from corpulyzer.errors import UserError
from corpulyzer.jobs.analyze.run import analyze
from corpulyzer.lab.evaluate.license import evaluate_license, measured, read_gold

FOLDER = Path(__file__).parent.parent.parent / "data" / "license"
GOLD = FOLDER / "gold.jsonl"
EPSILON = 1e-4


def gold(*parts):
    lines = GOLD.read_bytes().splitlines(keepends=True)
    chosen = [line for line in lines if not parts or json.loads(line)["part"] in parts]
    return read_gold(b"".join(chosen), "gold.jsonl")


def test_precision_recall_and_f1_are_binary_c4_4():
    found = measured(
        "abcdef", ["cc-by", "cc-by", "cc-by", "", "", ""], ["cc-by", "cc-by-sa", "", "cc0", "", ""]
    )
    assert (found.binary.right, found.binary.wrong, found.binary.missed) == (2, 1, 1), (
        "another kind is CC too"
    )
    assert found.binary.precision == found.binary.recall == found.binary.f1 == pytest.approx(2 / 3)
    assert found.accuracy == 0.5, "the kind counts here"
    assert [(mistake.url, mistake.gold, mistake.found) for mistake in found.false_positives] == [
        ("d", "none", "cc0")
    ]
    by = next(kind for kind in found.kinds if kind.name == "cc-by")
    assert (by.gold, by.found, by.right, by.accuracy) == (3, 1, 1, pytest.approx(1 / 3))


def test_the_printed_f1_follows_from_the_printed_precision_and_recall_c4_4():
    """Of 100 pages P 97.97, R 100, F1 98.97: 97 right and 2 wrong give them, up to how P was rounded."""
    found = measured(range(100), ["cc-by"] * 97 + [""] * 3, ["cc-by"] * 99 + [""])
    assert found.binary.recall == 1
    assert found.binary.f1 == pytest.approx(0.9897, abs=5e-4)
    assert found.binary.precision == pytest.approx(0.9797, abs=5e-4)


def test_nothing_found_and_nothing_there_divide_by_nothing():
    assert measured([], [], []).binary.f1 == measured("a", [""], [""]).binary.precision == 0


def test_the_gold_set_has_every_kind_and_is_what_its_maker_makes():
    pages = gold()
    assert len(pages) >= 100
    assert {page.license for page in pages} == {
        "", "cc0", "cc-by", "cc-by-sa", "cc-by-nd", "cc-by-nc", "cc-by-nc-sa", "cc-by-nc-nd", "public-domain", "cc-unspecified"
    }  # fmt: skip
    sys.path.insert(0, str(FOLDER))
    try:
        spec = importlib.util.spec_from_file_location("license_gold", FOLDER / "make.py")
        maker = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(maker)
    finally:
        sys.path.remove(str(FOLDER))
    assert [json.loads(line) for line in GOLD.read_text("utf-8").splitlines()] == list(maker.rows())


@pytest.mark.parametrize(
    "parts, page, site",
    [
        ((), (0.9029, 0.949), (0.9765, 0.8469)),
        (("declared", "footers"), (1.0, 0.985), (1.0, 0.9552)),
        (("sites",), (1.0, 1.0), (1.0, 1.0)),
        (("unseen",), (0.6666, 0.75), (0.8333, 0.625)),
    ],
)
def test_precision_and_recall_do_not_fall_below_these_floors(parts, page, site):
    """`unseen` was written after the rules: it says more of pages to come than the rest."""
    for found, (precision, recall) in zip(evaluate_license(gold(*parts)), (page, site), strict=True):
        assert found.binary.precision >= precision - EPSILON, found.false_positives
        assert found.binary.recall >= recall - EPSILON, found.mistakes


def test_nine_pages_of_ten_get_their_kind():
    alone, _ = evaluate_license(gold())
    assert alone.accuracy >= 0.9091 - EPSILON


def test_our_rules_do_better_than_the_regex_of_c4corpus():
    ours, _ = evaluate_license(gold())
    theirs, _ = evaluate_license(gold(), "c4corpus")
    assert ours.binary.f1 > theirs.binary.f1 + 0.2
    assert theirs.accuracy < 0.65


def test_the_vote_takes_the_license_from_pages_that_only_speak_of_one():
    alone, voted = evaluate_license(gold("no_license", "sites"))
    gone = {m.url for m in alone.false_positives} - {m.url for m in voted.false_positives}
    assert "https://news.example/" in gone
    kept = {m.url for m in voted.mistakes}
    assert not any("site-sidebar" in url or "site-republish" in url for url in kept), (
        "most of the site says so"
    )


@pytest.mark.parametrize(
    "line", ["{", '{"url": "https://a.example/"}', '{"url": 1, "html": "x", "license": "by"}', "[]"]
)
def test_a_line_that_is_no_gold_page_is_named(line):
    with pytest.raises(UserError, match=r"mine\.jsonl, line 2"):
        read_gold(
            b'{"url": "https://a.example/", "html": "x", "license": "none"}\n' + line.encode(), "mine.jsonl"
        )


def test_the_command_prints_shares_bars_and_false_positives():
    done = CliRunner().invoke(app, ["evaluate", "license", str(GOLD)])
    assert done.exit_code == 0
    assert "precision" in done.stdout and "█" in done.stdout and "https://news.example/" in done.stdout


def test_the_command_answers_in_json():
    done = CliRunner().invoke(app, ["evaluate", "license", str(GOLD), "--json", "--method", "c4corpus"])
    answer = json.loads(done.stdout)
    assert answer["pages"] == len(gold()) and answer["method"] == "c4corpus"
    assert 0 < answer["page"]["f1"] < 1 and len(answer["page"]["kinds"]) == 10


def test_the_tables_of_both_evaluations_go_into_the_report_of_a_corpus_c4_4_c4_6(tmp_path):
    """Tables 2 and 3 and Figure 2: the same figures as the commands print, in the panel of the corpus."""
    create("hrv", tmp_path / "c")
    to = ["--project", str(tmp_path / "c"), "--json"]
    licenses = json.loads(CliRunner().invoke(app, ["evaluate", "license", str(GOLD), *to]).stdout)
    (tmp_path / "gold" / "html").mkdir(parents=True)
    text = (
        "The harbour was quiet in the morning, and nobody had seen the boats leave before the storm came. "
        * 4
    )
    for name, html in (
        ("one", f"<html><body><p>{text}</p></body></html>"),
        ("two", "<html><body></body></html>"),
    ):
        (tmp_path / "gold" / "html" / f"{name}.html").write_text(html, "utf-8")
    rows = [
        {"id": name, "url": f"https://a.example/{name}", "language": "eng", "text": text}
        for name in ("one", "two")
    ]
    (tmp_path / "gold" / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    asked = [
        "evaluate",
        "extraction",
        str(tmp_path / "gold"),
        "--extractor",
        "justext",
        "--metric",
        "cleaneval",
    ]
    assert CliRunner().invoke(app, [*asked, *to]).exit_code == 0
    corpus = open_corpus(tmp_path / "c")
    engine = engine_of(corpus)
    found = {
        result.name: result for each in analyze(corpus, engine, ["evaluations"]) for result in each.results
    }
    printed = licenses["page"]
    (page, _) = found["license_evaluation"].rows.to_pylist()
    assert {name: page[name] for name in ("precision", "recall", "f1")} == pytest.approx(
        {name: printed[name] for name in ("precision", "recall", "f1")}
    )
    assert sum(found["license_kinds"].rows.column("pages").to_pylist()) == licenses["pages"]
    (measured,) = found["extraction_evaluation"].rows.to_pylist()
    assert (measured["pages"], measured["empty"], measured["recall"]) == (2, 1, pytest.approx(0.5, abs=0.01))
