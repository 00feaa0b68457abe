"""The index follows the documents of a corpus."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard
from lasting import engine_of
from typer.testing import CliRunner

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.cli import app
from corpulyzer.errors import UserError
from corpulyzer.export.select import Selection
from corpulyzer.jobs.export import export
from corpulyzer.jobs.search.refresh import index_of, is_scored, refresh, stale
from corpulyzer.records.annotation import Annotation, Sentence, Token, annotation_schema, segmented
from corpulyzer.records.columns import batch_of
from corpulyzer.storage import ParquetSink

TEXT = "Abantu baseMzantsi Afrika bathetha isiXhosa kwaye bayasifunda esikolweni. "


def rows(*names):
    return "".join(
        json.dumps({"url": f"https://{name}.example/1", "text": f"{TEXT * 12} igama{name}"}) + "\n"
        for name in names
    )


@pytest.fixture
def corpus(tmp_path):
    create("xho", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {"engine.workers": 1, "filter.document": []})
    (tmp_path / "one.jsonl").write_text(rows("a", "b"), "utf-8")
    engine = engine_of(corpus)
    corpus.import_(str(tmp_path / "one.jsonl"), engine=engine)
    return corpus


def test_kwic_makes_the_index_and_keeps_it_up_to_date(corpus, tmp_path):
    assert [line.site for line in corpus.search("igamaa", width=20)] == ["a.example"]
    assert corpus.search("abantu").hits == 24
    assert stale(corpus).parts == 0
    (tmp_path / "two.jsonl").write_text(rows("c"), "utf-8")
    engine = engine_of(corpus)
    corpus.import_(str(tmp_path / "two.jsonl"), engine=engine)
    assert stale(corpus).parts == 1
    assert corpus.search("abantu").hits == 36
    assert "igamac" in corpus.search("igamac")._repr_html_()


def test_a_corpus_that_is_too_large_has_no_concordance_and_says_so(corpus, tmp_path):
    few = open_corpus(tmp_path / "c", {"filter.document": [], "search.most_documents": 1})
    with pytest.raises(UserError, match="2 documents are too many for a concordance, which takes 1"):
        few.search("abantu")
    assert not index_of(corpus).path.exists()
    assert corpus.search("abantu").hits == 24
    assert few.search("abantu").hits == 24, "an index that is as the documents are is there to be searched"
    few.save_subcorpus("both", since="1990-01-01")
    with pytest.raises(UserError, match="2 documents"):
        few.in_subcorpus("both").search("abantu")
    (tmp_path / "two.jsonl").write_text(rows("c"), "utf-8")
    corpus.import_(str(tmp_path / "two.jsonl"), engine=engine_of(corpus))
    assert [each.what for each in corpus.status(engine=engine_of(corpus)).stale] == ["index"]
    assert few.status(engine=engine_of(corpus)).stale == []


def test_only_changed_parts_are_read_again(corpus, tmp_path):
    refresh(corpus)
    (tmp_path / "two.jsonl").write_text(rows("c"), "utf-8")
    engine = engine_of(corpus)
    corpus.import_(str(tmp_path / "two.jsonl"), engine=engine)
    seen = []
    refresh(corpus, lambda what, done, total: seen.append((done, total)))
    assert seen[-1] == (1, 1)


def test_quality_is_that_of_exports_and_follows_the_documents(corpus, tmp_path):
    noise = "0123 4567 $$$ !!! www.x.example " * 30
    lines = [{"url": "https://noise.example/1", "text": f"{TEXT * 3}{noise} abantu", "title": "n"}]
    lines += [{"url": f"https://d{n}.example/1", "text": TEXT * n} for n in range(2, 9)]
    (tmp_path / "more.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    refresh(corpus)
    assert not is_scored(corpus)
    engine = engine_of(corpus)
    corpus.import_(str(tmp_path / "more.jsonl"), engine=engine)
    everything = export(corpus, engine, "jsonl", selection=Selection(min_quality=0.0))
    scores = sorted(row["scores"]["quality"] for row in exported(everything))
    middle = scores[len(scores) // 2]
    better = export(corpus, engine, "jsonl", selection=Selection(min_quality=middle))
    urls = {row["url"] for row in exported(better)}
    assert 0 < len(urls) < len(scores) and len(scores) == 10
    found = corpus.search("abantu", limit=1_000, min_quality=middle)
    assert {line.url for line in found} == urls and is_scored(corpus)
    assert len({line.url for line in corpus.search("abantu", limit=1_000)}) == 10
    (tmp_path / "two.jsonl").write_text(rows("c"), "utf-8")
    engine = engine_of(corpus)
    corpus.import_(str(tmp_path / "two.jsonl"), engine=engine)
    assert not is_scored(corpus), "the score of a document depends on all"


def exported(done):
    (file,) = Path(done.path).glob("*.jsonl.zst")
    text = zstandard.ZstdDecompressor().stream_reader(file.read_bytes()).read().decode()
    return [json.loads(line) for line in text.splitlines()]


def test_an_index_of_other_rules_is_made_again(corpus):
    refresh(corpus)
    with index_of(corpus).writing() as connection:
        connection.execute("update meta set value = 'older'")
    assert corpus.search("abantu").hits == 24


def test_the_command_prints_lines_numbers_and_json(corpus, tmp_path):
    def run(*words):
        done = CliRunner().invoke(app, ["search", *words, "--project", corpus.storage.root])
        assert done.exit_code == 0, done.output
        return done.stdout

    plain = open_corpus(corpus.storage.root)
    assert plain.name == "c"
    assert "[abantu]" in run("ABANTU", "--limit", "2").lower()
    assert "logDice" in run("abantu", "--show", "collocations")
    assert "deviation of proportions" in run("abantu", "--show", "sites")
    found = json.loads(run("abantu basemzantsi", "--json", "--show", "clusters", "--n", "3"))
    assert found["clusters"][0] == {"text": "Abantu baseMzantsi Afrika", "count": 24}
    (tmp_path / "reference.tsv").write_text("abantu\t1000\nkwaye\t1000\n", "utf-8")
    words = json.loads(run("--keywords", str(tmp_path / "reference.tsv"), "--json"))["keywords"]
    assert "isixhosa" in {row["word"] for row in words}


def test_lemmas_and_tags_are_found_when_the_corpus_is_annotated(corpus):
    """An annotation that calls every capitalised word a name, written as `annotate` writes it."""
    storage = corpus.storage
    assert corpus.search("tag:PROPN").hits == 0
    for file in storage.list("documents", ".parquet"):
        rows = list(corpus.documents.kept())
        target = storage.path(f"annotations/{file.removeprefix('documents/')}")
        with ParquetSink(target, annotation_schema()) as sink:
            sink.write(batch_of([named(document) for document in rows], Annotation))
    assert corpus.search("tag:PROPN").hits == 24 * 2
    assert [line.match for line in corpus.search("lemma:ntu * tag:PROPN", limit=1)] == [
        "Abantu baseMzantsi Afrika"
    ]


def test_where_there_is_an_annotation_its_tokens_are_the_units_as_in_the_vertical(tmp_path):
    """Tokens that are several words, parts of one, and marks: each tag as often as a line of the vertical has it."""
    tokens = [
        *[
            ("Mzantsi Afrika", "NOUN"),
            ("a\xadbantu", "NOUN"),
            (",", "PUNCT"),
            ("angaka", "VERB"),
            ("thethi", "VERB"),
        ],
        *[("20%", "NOUN"), ("…", "PUNCT"), ("abantu", "NOUN")],
    ]
    text = "Mzantsi Afrika a\xadbantu, angakathethi 20%… abantu"
    create("xho", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {"engine.workers": 1, "filter.document": []})
    (tmp_path / "one.jsonl").write_text(json.dumps({"url": "https://a.example/1", "text": text}), "utf-8")
    engine = engine_of(corpus)
    corpus.import_(str(tmp_path / "one.jsonl"), engine=engine)
    (document,) = corpus.documents.kept()
    made, end = [], 0
    for form, tag in tokens:
        start = document.text.index(form, end)
        end = start + len(form)
        made.append(Token(start, end, form.replace("\xad", ""), form.replace("\xad", "").lower(), tag))
    annotation = Annotation(document.id, document.text_digest, "by hand", (Sentence(0, end, 0, tuple(made)),))
    (file,) = corpus.storage.list("documents", ".parquet")
    with ParquetSink(
        corpus.storage.path(f"annotations/{file.removeprefix('documents/')}"), annotation_schema()
    ) as sink:
        sink.write(batch_of([annotation], Annotation))
    engine = engine_of(corpus)
    export(corpus, engine, "vertical", to=str(tmp_path / "vertical"))
    lines = [
        line.split("\t")
        for file in sorted((tmp_path / "vertical").rglob("*.vrt"))
        for line in file.read_text("utf-8").splitlines()
        if not line.startswith("<")
    ]
    assert len(lines) == len(tokens)
    for tag in ("NOUN", "VERB", "PUNCT"):
        assert corpus.search(f"tag:{tag}").hits == sum(line[2] == tag for line in lines), tag
    assert (
        corpus.search("lemma:mzantsi_afrika").hits == corpus.search("tag:NOUN tag:PUNCT tag:VERB").hits == 1
    )
    assert [line.match for line in corpus.search("lemma:abantu tag:PUNCT")] == ["abantu,"]
    assert corpus.search("angakathethi").hits == corpus.search("afrika").hits == 1, (
        "words are found as they are written"
    )
    assert corpus.search("abantu").hits == 2


def named(document):
    sentences = segmented(document.text, document.paragraphs, None)
    tokens = [
        tuple(
            replace(
                t, lemma="ntu" if t.form == "Abantu" else t.form, upos="PROPN" if t.form[0].isupper() else "X"
            )
            for t in sentence.tokens
        )
        for sentence in sentences
    ]
    done = tuple(replace(s, tokens=t) for s, t in zip(sentences, tokens, strict=True))
    return Annotation(document.id, document.text_digest, "by hand", done)


def test_a_corpus_without_documents_can_be_searched(tmp_path):
    create("xho", tmp_path / "c")
    assert open_corpus(tmp_path / "c").search("abantu").total == "0 in 0 documents"
    done = CliRunner().invoke(app, ["search", "lemma:umntu", "--project", str(tmp_path / "c")])
    assert done.exit_code == 0 and "have no lemmas" in done.stderr
