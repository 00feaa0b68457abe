"""`evaluate sentences`: ends of sentences that are found, against those of a treebank."""

import json

import pytest
from typer.testing import CliRunner

from corpulyzer.cli import app
from corpulyzer.errors import UserError
from corpulyzer.lab.evaluate.sentences import evaluate_sentences, read_gold
from corpulyzer.language import Language

GOLD = "# newdoc\n# text = Er kam.\n1\tEr\n\n# text = Sie ging um 5.\n\n# newdoc\n# text = Titel ohne Punkt\n# text = Ja.\n"


def test_ends_are_counted_document_by_document_without_the_last():
    gold = read_gold(GOLD.encode(), "gold.conllu")
    assert gold == [["Er kam.", "Sie ging um 5."], ["Titel ohne Punkt", "Ja."]]
    found = evaluate_sentences(gold, Language.find("deu"))
    assert (found.right, found.wrong, found.missed) == (1, 0, 1)
    assert (found.precision, found.recall, round(found.f1, 3)) == (1.0, 0.5, 0.667)
    assert found.mistakes == (("missed", "TitelohnePunkt | Ja."),)


def test_plain_lines_are_gold_too_and_json_lists_mistakes(tmp_path):
    file = tmp_path / "gold.txt"
    file.write_text("One. Two.\nThree.\n\nFour.\nFive.\n", "utf-8")
    asked = ["evaluate", "sentences", str(file), "--language", "eng", "--learn", str(file)]
    answer = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    assert (answer["documents"], answer["right"], answer["wrong"], answer["missed"]) == (2, 2, 1, 0)
    assert answer["mistakes"] == [{"kind": "wrong", "at": "One. | Two.Three."}]
    assert "F1 80.00%" in CliRunner().invoke(app, asked).stdout


def test_a_file_without_documents_is_refused(tmp_path):
    file = tmp_path / "empty.txt"
    file.write_text("one line\n", "utf-8")
    with pytest.raises(UserError, match="no document of two sentences"):
        read_gold(file.read_bytes(), str(file))
