"""Annotation beside the documents: who annotates what, what is made again, what is said to be missing."""

import json
import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from made_annotations import corpus_of, document
from processes import wait_for
from typer.testing import CliRunner

from corpulyzer.annotate import table_of
from corpulyzer.api.corpus import open_corpus
from corpulyzer.cli import app
from corpulyzer.corpus.folder import write_settings
from corpulyzer.engine import Limits
from corpulyzer.engine.derived.table import Table
from corpulyzer.engine.local import LocalEngine
from corpulyzer.errors import UserError
from corpulyzer.export import Options
from corpulyzer.jobs.export import export
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.language import Language
from corpulyzer.records.annotation import Annotation, Annotations
from corpulyzer.records.columns import record_of
from corpulyzer.text import tokens

SLOVENE = "Ana piše dolgo knjigo. Peter čaka nanj.\nMojca bere pesem."


def annotated(corpus, engine, **more):
    return corpus.annotate(engine=engine, **more)


def annotations(corpus, engine):
    rows = engine.query("select * from t", {"t": table_of(corpus.storage)}).to_pylist()
    return {row["id"]: record_of(Annotation, row) for row in rows}


def prose(language, count, seed=0):
    writer, rng = Prose(language), random.Random(seed)
    return [
        document(f"https://a.example/{n}", writer.article(rng, paragraphs=2, sentences=3).text, language)
        for n in range(count)
    ]


@pytest.mark.smoke
def test_simplemma_gives_lemmas_and_every_token_stands_where_it_says(engine, tmp_path):
    documents = prose("hrv", 5)
    made = annotated(corpus_of(tmp_path, "hrv", documents), engine)
    assert (made.method, made.documents, made.gives) == ("simplemma (hbs)", 5, ("lemma",))
    found = annotations(corpus_of(tmp_path, "hrv", documents), engine)
    lemmas = {}
    for each in documents:
        words = []
        for sentence in found[each.id].sentences:
            span = each.paragraphs[sentence.paragraph]
            assert span.start <= sentence.start < sentence.end <= span.end
            for token in sentence.tokens:
                assert each.text[token.start : token.end] == token.form
                lemmas[token.form] = token.lemma
                words += tokens(token.form, Language.find("hrv"))
        assert words == tokens(each.text, Language.find("hrv"))
    assert any(form.lower() != lemma.lower() for form, lemma in lemmas.items())
    assert lemmas["."] == "."


def test_a_language_that_nothing_knows_gets_tokens_sentences_and_morphs_and_it_is_said(engine, tmp_path):
    corpus = corpus_of(tmp_path, "xho", prose("xho", 12))
    made = annotated(corpus, engine)
    assert made.gives == ("morphs",) and made.morphs
    assert "Xhosa" in made.warnings[0] and "only sentences, tokens and morphs" in made.warnings[0]
    assert json.loads(corpus.storage.read("annotations/state.json"))["warnings"] == list(made.warnings)
    cut = {}
    for annotation in annotations(corpus, engine).values():
        for sentence in annotation.sentences:
            for token in sentence.tokens:
                assert token.morphs.replace(" ", "") == (token.form if token.morphs else "")
                cut[token.form] = token.morphs
    assert sum(" " in morphs for morphs in cut.values()) > 20, "an agglutinating language has morphs"


def test_a_corpus_too_small_to_learn_morphs_from_says_so_and_has_tokens(engine, tmp_path):
    corpus = corpus_of(tmp_path, "xho", [document("https://a.example/1", "Molo mhlaba.", "xho")])
    made = annotated(corpus, engine)
    assert not made.morphs and any("too few" in warning for warning in made.warnings)
    (annotation,) = annotations(corpus, engine).values()
    assert [token.form for token in annotation.sentences[0].tokens] == ["Molo", "mhlaba", "."]


@pytest.mark.smoke
def test_a_udpipe_model_gives_lemmas_tags_and_features(engine, tmp_path, model):
    corpus = corpus_of(
        tmp_path, "slv", [document("https://a.example/1", SLOVENE, "slv")], annotate__model=str(model)
    )
    made = annotated(corpus, engine)
    assert made.method == "udpipe (slovene)" and not made.warnings
    (annotation,) = annotations(corpus, engine).values()
    first = annotation.sentences[0]
    assert [(t.form, t.lemma, t.upos, t.xpos) for t in first.tokens] == [
        ("Ana", "Ana", "PROPN", "Npfsn"), ("piše", "pisati", "VERB", "Vmpr3s"), ("dolgo", "dolg", "ADJ", "Agpfsa"),
        ("knjigo", "knjiga", "NOUN", "Ncfsa"), (".", ".", "PUNCT", "Z"),
    ]  # fmt: skip
    assert first.tokens[0].feats == "Case=Nom|Gender=Fem|Number=Sing"
    assert [s.paragraph for s in annotation.sentences] == [0, 0, 1]
    assert SLOVENE[first.start : first.end] == "Ana piše dolgo knjigo."


def test_multext_east_tags_and_contractions_come_through_to_exports(engine, tmp_path, model):
    conllu = pytest.importorskip("conllu")
    corpus = corpus_of(
        tmp_path, "slv", [document("https://a.example/1", SLOVENE, "slv")], annotate__model=str(model)
    )
    annotated(corpus, engine)
    text = (Path(export(corpus, engine, "conllu").path) / "train-00000.conllu").read_text("utf-8")
    sentences = conllu.parse(text)
    assert [token["xpos"] for token in sentences[0]] == ["Npfsn", "Vmpr3s", "Agpfsa", "Ncfsa", "Z"]
    contraction = [token for token in sentences[1] if isinstance(token["id"], tuple)]
    assert [(token["id"], token["form"]) for token in contraction] == [((3, "-", 4), "nanj")]
    assert [t["form"] for t in sentences[1]] == ["Peter", "čaka", "nanj", "na", "nj", "."]
    folder = Path(export(corpus, engine, "vertical").path)
    vertical = (folder / "train-00000.vrt").read_text("utf-8")
    assert "knjigo\tknjiga\tNOUN\tNcfsa\tCase=Acc|Gender=Fem\t_" in vertical
    assert "ATTRIBUTE tag" in next((folder / "registry").iterdir()).read_text("utf-8")
    rows = (
        Path(export(corpus, engine, "frequency", options=Options(unit="lemma")).path) / "frequency-00000.tsv"
    ).read_text("utf-8")
    assert "\tknjiga\t1\t1\n" in rows and "knjigo" not in rows


def test_paragraphs_in_another_language_are_cut_and_not_tagged(engine, tmp_path, model):
    text = "Ana bere pesem.\nThe cat sat."
    corpus = corpus_of(
        tmp_path,
        "slv",
        [document("https://a.example/1", text, "slv", others={1: "eng"})],
        annotate__model=str(model),
    )
    annotated(corpus, engine)
    (annotation,) = annotations(corpus, engine).values()
    assert all(token.xpos for token in annotation.sentences[0].tokens)
    assert [token.form for token in annotation.sentences[1].tokens] == ["The", "cat", "sat", "."]
    assert not any(token.lemma or token.xpos for token in annotation.sentences[1].tokens)


def test_only_what_is_new_or_changed_is_annotated_again(engine, tmp_path):
    corpus = corpus_of(tmp_path, "hrv", prose("hrv", 3))
    corpus = corpus_of(tmp_path, "hrv", prose("hrv", 3, seed=1), archive="b-1")
    assert annotated(corpus, engine).parts_made == 2
    assert annotated(corpus, engine).parts_made == 0
    changed = corpus_of(tmp_path, "hrv", prose("hrv", 3, seed=2), archive="b-1")
    assert annotated(changed, engine).parts_made == 1
    other = corpus_of(tmp_path, "hrv", prose("hrv", 3, seed=2), archive="b-1", annotate__method="plain")
    assert annotated(other, engine).parts_made == 2
    (tmp_path / "documents" / "round=00000" / "b-1.00000.parquet").unlink()
    assert annotated(corpus, engine).documents == 3
    assert len(list((tmp_path / "annotations").rglob("*.parquet"))) == 1


def test_of_a_part_only_the_documents_that_changed_are_annotated_again(engine, tmp_path):
    before = prose("hrv", 9)
    corpus = corpus_of(tmp_path / "c", "hrv", before)
    annotated(corpus, engine)
    table = Table(corpus.storage, "annotations")
    (part,) = table.parts()

    def mark(batch):
        column = batch.schema.get_field_index("method")
        return batch.set_column(column, "method", pa.array(["as it was"] * batch.num_rows))

    table.rewrite(part.name, mark)
    said_otherwise = replace(before[1], paragraphs=prose_in_english(before[1]))
    after = [before[3], said_otherwise, *before[4:], *prose("hrv", 1, seed=77)]
    corpus_of(tmp_path / "c", "hrv", after)
    assert annotated(corpus, engine).parts_made == 1
    methods = {key: found.method for key, found in annotations(corpus, engine).items()}
    again = {key for key, method in methods.items() if method != "as it was"}
    assert again == {said_otherwise.id, after[-1].id} and methods.keys() == {each.id for each in after}
    fresh = corpus_of(tmp_path / "f", "hrv", after)
    annotated(fresh, engine)
    expected = annotations(fresh, engine)
    assert {key: found.sentences for key, found in annotations(corpus, engine).items()} == {
        key: found.sentences for key, found in expected.items()
    }
    corpus.storage.write("annotated/parts/texts.jsonl", b"damaged")
    corpus_of(tmp_path / "c", "hrv", [*after[:-1], *prose("hrv", 1, seed=78)])
    annotated(corpus, engine)
    assert len(annotations(corpus, engine)) == len(after)


def prose_in_english(document):
    return tuple(each._replace(language="eng") for each in document.paragraphs)


def test_an_annotation_of_another_text_is_not_used(engine, tmp_path):
    before = corpus_of(tmp_path, "hrv", [document("https://a.example/1", "Prva rečenica.", "hrv")])
    annotated(before, engine)
    look_up = Annotations(table_of(before.storage).files)
    (kept,) = before.documents
    assert look_up.of("a-1", kept.id, kept.text_digest) is not None
    assert look_up.of("a-1", kept.id, "another") is None
    assert look_up.of("b-1", kept.id, kept.text_digest) is None
    after = corpus_of(tmp_path, "hrv", [document("https://a.example/1", "Druga rečenica.", "hrv")])
    text = (Path(export(after, engine, "conllu").path) / "train-00000.conllu").read_text("utf-8")
    assert "Druga" in text and "Prva" not in text


def test_an_export_has_annotations_as_they_are_now(engine, tmp_path):
    documents = prose("hrv", 3)
    lemmas = []
    for method in ("simplemma", "plain"):
        corpus = corpus_of(tmp_path, "hrv", documents)
        write_settings(corpus.storage, {"annotate.method": method})
        corpus = open_corpus(tmp_path)
        annotated(corpus, engine)
        text = (Path(export(corpus, engine, "conllu").path) / "train-00000.conllu").read_text("utf-8")
        lemmas.append({line.split("\t")[2] for line in text.splitlines() if "\t" in line})
    assert len(lemmas[0]) > 10 and lemmas[1] == {"_"}


@pytest.mark.parametrize("documents", [[], [document("https://a.example/1", "Prva.", "hrv", kept=False)]])
def test_a_corpus_without_kept_documents_has_an_empty_annotation(engine, tmp_path, documents):
    corpus = corpus_of(tmp_path, "hrv", documents)
    assert annotated(corpus, engine).documents == 0


def test_a_text_from_right_to_left_keeps_its_places(engine, tmp_path):
    documents = prose("urd", 4)
    corpus = corpus_of(tmp_path, "urd", documents, annotate__morphs="never")
    annotated(corpus, engine)
    for each in documents:
        (found,) = [a for a in annotations(corpus, engine).values() if a.id == each.id]
        sentence = found.sentences[0]
        assert each.text[sentence.start : sentence.end].endswith("۔")
        assert each.text[sentence.tokens[0].start : sentence.tokens[0].end] == sentence.tokens[0].form


@pytest.mark.parametrize(
    "method, said", [("udpipe", "no UDPipe model"), ("stanza", "stanza"), ("classla", "classla"), ("spacy", "spacy"), ("simplemma", "Xhosa")]
)  # fmt: skip
def test_what_is_not_there_is_named_with_the_next_step(engine, tmp_path, method, said):
    corpus = corpus_of(tmp_path, "xho", [], annotate__method=method)
    with pytest.raises(UserError, match=said) as error:
        annotated(corpus, engine)
    assert error.value.hint


def test_a_file_that_is_no_model_is_refused(engine, tmp_path):
    pytest.importorskip("ufal.udpipe")
    (tmp_path / "x.udpipe").write_bytes(b"nothing")
    corpus = corpus_of(tmp_path / "c", "slv", [], annotate__model=str(tmp_path / "x.udpipe"))
    with pytest.raises(UserError, match="is no UDPipe model"):
        annotated(corpus, engine)


def test_a_folder_without_a_model_is_refused_with_the_words_of_the_package(engine, tmp_path, monkeypatch):
    """A stand-in for CLASSLA, which raises what CLASSLA does."""
    lines = "def Pipeline(**wanted):\n    raise FileNotFoundError('no resources.json in ' + wanted['dir'])\n"
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "classla.py").write_text(lines)
    monkeypatch.syspath_prepend(tmp_path / "site")
    (tmp_path / "models").mkdir()
    flags = {"annotate__method": "classla", "annotate__model": str(tmp_path / "models")}
    corpus = corpus_of(tmp_path / "c", "slv", [], **flags)
    with pytest.raises(UserError, match=r"classla finds no model for 'sl' .*no resources\.json") as error:
        annotated(corpus, engine)
    assert "download" in error.value.hint


def test_a_saved_spacy_pipeline_annotates(engine, tmp_path):
    spacy = pytest.importorskip("spacy")
    spacy.blank("sl").to_disk(tmp_path / "sl")
    flags = {"annotate__method": "spacy", "annotate__model": str(tmp_path / "sl")}
    corpus = corpus_of(tmp_path / "c", "slv", [document("https://a.example/1", SLOVENE, "slv")], **flags)
    annotated(corpus, engine)
    (annotation,) = annotations(corpus, engine).values()
    assert [token.form for token in annotation.sentences[1].tokens] == ["Peter", "čaka", "nanj", "."]
    assert SLOVENE[annotation.sentences[1].tokens[1].start :].startswith("čaka")


def test_a_document_that_takes_too_long_is_counted_and_cut_plainly_by_exports(tmp_path):
    text = "beseda " * 400_000
    documents = [
        document("https://a.example/1", "Kratka beseda.", "slv"),
        document("https://a.example/2", text, "slv"),
    ]
    corpus = corpus_of(tmp_path, "slv", documents, annotate__morphs="never")
    with LocalEngine(workers=1, limits=Limits(page_seconds=1.0, page_megabytes=200)) as strict:
        made = annotated(corpus, strict)
    assert (made.documents, made.failed) == (1, 1)


def test_the_command_line_trains_and_annotates(tmp_path, conllu):
    pytest.importorskip("ufal.udpipe")
    corpus_of(tmp_path / "c", "slv", [document("https://a.example/1", SLOVENE, "slv")])
    run = CliRunner()
    small = tmp_path / "small.conllu"
    small.write_text("\n\n".join(conllu.read_text("utf-8").split("\n\n")[:12]) + "\n\n", "utf-8")
    arguments = [
        "--to",
        str(tmp_path / "sl.udpipe"),
        "--held-out",
        str(small),
        "--options",
        "epochs=1;dimension=16",
    ]
    trained = run.invoke(app, ["annotate", "train", str(small), *arguments, "--json"])
    assert trained.exit_code == 0, trained.output
    assert json.loads(trained.stdout)["accuracy"]["xpos"] > 0.9
    done = run.invoke(
        app, ["annotate", "--model", str(tmp_path / "sl.udpipe"), "--project", str(tmp_path / "c"), "--json"]
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["method"] == "udpipe (sl)"
    (tmp_path / "bad.conllu").write_text("1\tno tree\n", "utf-8")
    bad = run.invoke(app, ["annotate", "train", str(tmp_path / "bad.conllu"), "--to", str(tmp_path / "x")])
    assert isinstance(bad.exception, UserError)


@pytest.mark.scaled
def test_a_killed_annotation_goes_on_and_ends_as_one_that_was_not(engine, tmp_path, scale):
    documents = scale(30, 150, 150)
    for number in range(6):
        corpus = corpus_of(tmp_path / "c", "hrv", prose("hrv", documents, seed=number), archive=f"a-{number}")
    command = [sys.executable, "-m", "corpulyzer", "annotate", "--project", str(tmp_path / "c"), "--quiet"]
    for done in range(1, scale(2, 4, 5)):
        run = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        wait_for(lambda done=done: len(corpus.storage.list("annotations")) >= done)
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    annotated(corpus, engine)
    for number in range(6):
        fresh = corpus_of(tmp_path / "f", "hrv", prose("hrv", documents, seed=number), archive=f"a-{number}")
    annotated(fresh, engine)
    assert annotations(corpus, engine) == annotations(fresh, engine)


def test_the_report_says_what_the_annotation_has_and_what_it_lacks(engine, tmp_path):
    corpus = corpus_of(tmp_path, "hrv", prose("hrv", 4))
    assert not corpus.analyze("annotation", engine=engine)
    annotated(corpus, engine)
    (result,) = corpus.analyze("annotation", engine=engine)
    (row,) = result.rows.to_pylist()
    assert (row["documents"], row["upos"]) == (4, 0) and 0 < row["lemma"] <= row["tokens"]
    assert "parts of speech" in result.warnings[0] and "lemmas" not in result.warnings[0]
