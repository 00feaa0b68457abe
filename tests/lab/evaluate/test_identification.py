"""Identification measured: the numbers are right, and they stay above their floors."""

import json

import pytest
from command_line import run

from corpulyzer.errors import UserError
from corpulyzer.lab.evaluate.identification import Evaluation, evaluate_identification, read_items
from corpulyzer.lab.evaluate.peers import Peer, peer
from corpulyzer.page.identify.cld2 import Cld2
from corpulyzer.page.identify.ensemble import Ensemble


@pytest.fixture
def gold(tmp_path):
    lines = {"hrv": ["Dobar dan."] * 4, "urd_Arab": ["یہ اردو ہے۔"] * 4, "xho": ["Molweni nonke."] * 2}
    for name, each in lines.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(each), "utf-8")
    return tmp_path


def answering(table):
    return Peer(lambda text: next((code for start, code in table.items() if text.startswith(start)), ""))


def test_accuracy_f1_and_false_positives_are_counted_from_the_answers(gold):
    items = read_items(gold, "sentence")
    found = evaluate_identification(items, answering({"Dobar": "hr", "Molw": "hr"}), "some")
    assert found.texts == 10 and found.codes == ["hrv", "urd", "xho"]
    assert found.accuracy == 0.4
    of = found.of("hrv")
    assert (of.precision, of.recall) == (4 / 6, 1.0) and of.f1 == pytest.approx(0.8)
    assert of.false_positives == {"xho": 1.0}
    assert found.macro_f1 == pytest.approx(0.8 / 3)
    assert found.confusions() == [("urd", "und", 4, 1.0), ("xho", "hrv", 2, 1.0)]
    assert found.bytes == sum(len(text.encode()) for _, (text,) in items) and found.seconds > 0


def test_spoken_arabic_counts_as_arabic_unless_the_identifier_has_a_code_for_it(tmp_path):
    for name in ("ary", "arz_Arab", "mlt"):
        (tmp_path / f"{name}.txt").write_text("كيف حالك\n", "utf-8")
    items = read_items(tmp_path, "sentence")
    plain = evaluate_identification(items, Peer(lambda text: "ar"), "plain")
    assert plain.answers == {("ara", "ara"): 2, ("mlt", "ara"): 1}
    finer = evaluate_identification(items, Peer(lambda text: "ar", frozenset({"ary", "ara"})), "finer")
    assert finer.answers == {("ara", "ara"): 1, ("ary", "ara"): 1, ("mlt", "ara"): 1}


def test_nothing_to_measure_is_no_error():
    empty = Evaluation("none", {}, 0, 0.0)
    assert (empty.accuracy, empty.macro_f1, empty.of("urd").f1, empty.confusions()) == (0.0, 0.0, 0.0, [])


def test_levels_are_lines_paragraphs_of_300_characters_and_documents(tmp_path):
    (tmp_path / "hrv.txt").write_text("\n".join(["x" * 100] * 100), "utf-8")
    assert len(read_items(tmp_path, "sentence")) == 100
    assert len(read_items(tmp_path, "sentence", limit=7)) == 7
    paragraphs = read_items(tmp_path, "paragraph")
    assert len(paragraphs) == 33 and all(len(text) >= 200 for _, (text,) in paragraphs)
    assert [len(each) for _, each in read_items(tmp_path, "document")] == [10, 10, 10, 3]
    (tmp_path / "hrv.docs.jsonl").write_text(json.dumps({"text": "prvi\n\ndrugi"}) + "\n", "utf-8")
    assert read_items(tmp_path, "document") == [("hrv", ["prvi", "drugi"])]
    with pytest.raises(UserError, match="no level 'syllable'"):
        read_items(tmp_path, "syllable")


def test_a_peer_that_is_not_there_is_named():
    with pytest.raises(UserError, match="no identifier 'nonsense'"):
        peer("nonsense")
    assert isinstance(peer("cld2"), Cld2) and isinstance(peer("ensemble", "urd"), Ensemble)


def test_the_command_prints_a_table_and_json(gold):
    def evaluated(*more):
        return run("evaluate", "identification", gold, *more).stdout

    shown = evaluated("--target", "hr", "--against", "cld2", "--level", "sentence")
    for word in ("accuracy", "macro F1", "hrv precision", "texts/s", "MB/s", "ensemble", "cld2", "answer"):
        assert word in shown
    ours, theirs = json.loads(evaluated("--json", "--against", "cld2"))
    assert (ours["identifier"], theirs["identifier"]) == ("ensemble", "cld2")
    assert set(ours["languages"]) == {"hrv", "urd", "xho"}


def test_paragraphs_of_our_own_prose_stay_above_their_floors(prose_folder):
    items = read_items(prose_folder, "paragraph")
    ours = evaluate_identification(items, Ensemble(), "ensemble")
    assert ours.accuracy >= 0.95 and ours.macro_f1 >= 0.9
    for code, floor in {"hrv": 0.85, "xho": 0.98, "slv": 0.98, "urd": 0.99}.items():
        assert ours.of(code).f1 >= floor, code
    assert ours.of("urd").recall >= 0.99


def test_paragraphs_err_no_more_than_documents_hr_18(prose_folder):
    paragraphs = evaluate_identification(read_items(prose_folder, "paragraph"), Ensemble(), "ensemble")
    documents = evaluate_identification(read_items(prose_folder, "document"), Ensemble(), "ensemble")
    assert paragraphs.accuracy >= documents.accuracy - 0.05


@pytest.fixture(scope="module")
def prose_folder(tmp_path_factory):
    from random import Random

    from corpulyzer.lab.demo.prose import LANGUAGES, Prose

    folder = tmp_path_factory.mktemp("prose")
    for code in LANGUAGES:
        rng = Random(11)
        lines = [Prose(code).sentence(rng) for _ in range(150)]
        (folder / f"{code}.txt").write_text("\n".join(lines), "utf-8")
    return folder
