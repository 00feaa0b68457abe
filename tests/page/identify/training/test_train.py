"""A new language from a few hundred sentences, known to every command from then on."""

import json

import pytest
from command_line import attempt

import corpulyzer
from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.page.identify.ensemble import Ensemble
from corpulyzer.page.identify.installed import install, installed, user_folder
from corpulyzer.page.identify.training.train import train


@pytest.fixture(autouse=True)
def data_home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def command(*arguments, text=""):
    return attempt(*arguments, stdin=text)


def test_a_few_hundred_sentences_are_enough_for_a_language_unlike_any_other(invented, tmp_path):
    trained = train("qaa", invented(250))
    assert trained.measured.f1 > 0.97
    assert trained.measured.sentences == 250
    assert len(trained.rivals) == 5
    model = str(install(trained.table, tmp_path))
    text = " ".join(invented(40)[:8])
    (found,) = Ensemble(target="qaa", models=(model,))([text])
    assert found.language == "qaa" and found.confidence > 0.5
    assert Ensemble()([text])[0].language == "und", "without the model it is nobody's"


def test_two_hundred_and_fifty_sentences_hold_against_a_rival_with_a_thousand(invented, tmp_path):
    near = [line.replace("a", "ar").replace("w", "v") for line in invented(2000, seed=3)]
    trained = train("qaa", invented(250), ["qab"], {"qab": near[:1000]})
    assert trained.rivals == ("qab-Latn",)
    assert trained.measured.recall > 0.9 and trained.measured.precision > 0.9
    assert set(trained.measured.taken) == {"qab"}


def test_more_text_is_said_to_help_less_and_less(invented):
    curve = train("qaa", invented(400)).measured
    assert list(curve.f1_by_sentences) == [100, 200, 400]
    assert 0 <= curve.gain_of_doubling < 0.1


def test_other_languages_keep_their_texts(prose, invented, tmp_path):
    model = str(install(train("qaa", invented(250)).table, tmp_path))
    for code in ("hrv", "xho", "eng", "slv"):
        texts = prose(code, 5)
        assert [e.language for e in Ensemble(models=(model,))(texts)] == [
            e.language for e in Ensemble()(texts)
        ]


@pytest.mark.parametrize(
    "count, words, reason",
    [
        (40, 9, "40 usable sentences are too few"),
        (0, 9, "0 usable sentences are too few"),
        (300, 1, "too few"),
    ],
)
def test_too_little_text_is_refused_with_what_is_needed(invented, count, words, reason):
    lines = [" ".join(line.split()[:words])[:8] if words == 1 else line for line in invented(count)]
    with pytest.raises(UserError, match=reason) as error:
        train("qaa", lines)
    assert "letters or more" in error.value.hint


def test_the_same_sentence_over_and_over_is_too_little(invented):
    with pytest.raises(UserError, match="2 usable sentences"):
        train("qaa", invented(2) * 500)


def test_text_of_a_known_language_under_a_new_code_is_refused(prose):
    lines = [line for paragraph in prose("slv", 200, 3) for line in paragraph.split(". ")]
    with pytest.raises(UserError, match=r"look like good Slovenian \(slv\)"):
        train("qaa", lines)
    assert train("slv", lines).table.labels == ("slv-Latn",), "under its own code it is welcome"
    named = train("qaa", lines, ["slv"])
    assert named.rivals == ("slv-Latn",), "whoever names it as a rival knows that it is near"


def sentences(prose, code, count):
    return [line for paragraph in prose(code, count, 3) for line in paragraph.split(". ")]


def test_text_of_look_alikes_is_refused_though_none_has_most_of_it(prose):
    croatian = sentences(prose, "hrv", 120)
    serbian = [line.replace("ije", "e").replace("je", "e").replace("što", "šta") for line in croatian]
    with pytest.raises(UserError, match=r"look like good \w+ \(...\), \w+ \(...\)") as error:
        train("qaa", [*croatian[:200], *serbian[:200]])
    assert error.value.hint.count("--against") > 1


def test_text_mixed_with_that_of_a_known_language_is_refused(invented, prose):
    with pytest.raises(UserError, match=r"look like good English \(eng\), the others do not") as error:
        train("qaa", [*invented(200), *sentences(prose, "eng", 80)[:200]])
    assert "Take those out" in error.value.hint and "--against eng" in error.value.hint


def test_what_cannot_be_told_from_its_rivals_is_not_kept(invented):
    same = {"qab": invented(600), "qac": invented(700)}
    with pytest.raises(UserError, match=r"qaa cannot be told from qa., qa.*Nothing was kept") as error:
        train("qaa", invented(200), texts=same)
    assert "--against qab" in error.value.hint
    assert train("qaa", invented(200), ["qab", "qac"], same).measured.f1 < 0.6, "who names them knows"


def test_text_in_two_scripts_is_refused(invented, prose):
    urdu = [line for paragraph in prose("urd", 60) for line in paragraph.split("۔") if len(line) > 20]
    with pytest.raises(UserError, match="several scripts"):
        train("qaa", [*invented(150), *urdu[:150]])


def test_a_rival_that_no_model_knows_must_bring_text(invented):
    with pytest.raises(UserError, match="No model knows qtz") as error:
        train("qaa", invented(200), ["qtz"])
    assert "--against qtz=FILE" in error.value.hint


def test_a_model_of_the_user_and_one_of_a_corpus_are_found(invented, tmp_path):
    table = train("qaa", invented(150)).table
    mine = install(table, user_folder())
    assert installed() == (str(mine),)
    corpus = create("qaa", tmp_path / "web")
    assert open_corpus(tmp_path / "web").config.identify.models == (str(mine),)
    own = install(train("qaa", invented(200)).table, tmp_path / "web" / "models")
    assert open_corpus(tmp_path / "web").config.identify.models == (str(own),), "the corpus' own comes first"
    again = install(train("qaa", invented(300)).table, tmp_path / "web" / "models")
    assert again != own and not own.exists(), "a new model takes the place of the old"
    assert corpus.language.code == "qaa"


@pytest.mark.slow
def test_from_then_on_the_commands_know_the_language(invented, tmp_path):
    sentences = tmp_path / "new.txt"
    sentences.write_text("\n".join(invented(250)), "utf-8")
    done = command("identify", "train", "qaa", str(sentences), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["f1"] > 0.9 and found["language"] == "qaa" and len(found["rivals"]) == 5
    text = " ".join(invented(30)[:6])
    assert json.loads(command("identify", "-", "--json", text=text).stdout)["language"] == "qaa"
    assert corpulyzer.identify(text).language == "qaa"
    assert "own model" in command("languages", "qaa").stdout
    web = tmp_path / "web"
    assert command("init", "qaa", str(web)).returncode == 0
    page = tmp_path / "page.jsonl"
    paragraphs = ["".join(f"{line} " for line in invented(30)[i : i + 5]) for i in range(0, 30, 5)]
    page.write_text(json.dumps({"url": "https://a.example/", "text": "\n".join(paragraphs)}) + "\n", "utf-8")
    done = command("import", str(page), "--project", str(web), "--quiet")
    assert done.returncode == 0, done.stderr
    (document,) = corpulyzer.open(web).documents
    assert document.language == "qaa" and document.target_bytes > 1000


def test_the_report_names_rivals_confusions_and_gain(invented, tmp_path):
    sentences = tmp_path / "new.txt"
    sentences.write_text("\n".join(invented(250)), "utf-8")
    done = command("identify", "train", "qaa", str(sentences), "--against", "hrv,slv")
    assert "250 sentences, against hrv, slv." in done.stdout
    assert "F1" in done.stdout and "twice the text would bring" in done.stdout
    assert "Next: corpulyzer init qaa" in done.stderr
    assert "1" in command("identify", "train", "qaa", "-", text="nothing").stderr


def test_private_use_codes_are_languages():
    assert Language.find("qaa").code == "qaa"
    assert "scripts" in Language.find("qtz").unknown
