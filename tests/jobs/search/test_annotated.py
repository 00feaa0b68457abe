"""The index follows annotations in what it has of them."""

import json
from dataclasses import replace

import pytest
from lasting import engine_of

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.jobs.search import refresh as refreshing
from corpulyzer.jobs.search.refresh import refresh
from corpulyzer.records.annotation import Annotation, annotation_schema, segmented
from corpulyzer.records.columns import batch_of
from corpulyzer.storage import ParquetSink

TEXT = "Abantu baseMzantsi Afrika bathetha isiXhosa kwaye bayasifunda esikolweni. "


@pytest.fixture
def corpus(tmp_path):
    create("xho", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {"engine.workers": 1, "filter.document": []})
    lines = [{"url": f"https://{name}.example/1", "text": f"{TEXT * 12} igama{name}"} for name in "abc"]
    (tmp_path / "one.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    corpus.import_(str(tmp_path / "one.jsonl"), engine=engine_of(corpus))
    return corpus


def annotate(corpus, method="by hand", **fields):
    """Annotations as `annotate` writes them; `fields` are those of each token of a site's documents."""
    (file,) = corpus.storage.list("documents", ".parquet")
    made = []
    for document in corpus.documents.kept():
        sentences = [
            replace(
                each,
                tokens=tuple(replace(token, **fields.get(document.site[0], {})) for token in each.tokens),
            )
            for each in segmented(document.text, document.paragraphs, None)
        ]
        made.append(Annotation(document.id, document.text_digest, method, tuple(sentences)))
    target = corpus.storage.path(f"annotations/{file.removeprefix('documents/')}")
    with ParquetSink(target, annotation_schema()) as sink:
        sink.write(batch_of(made, Annotation))


@pytest.fixture
def taken(monkeypatch):
    """The sites of the documents that went into the index."""
    sites, entry = [], refreshing._entry

    def noted(batch, annotations):
        made = entry(batch, annotations)
        sites.append(made.site[0])
        return made

    monkeypatch.setattr(refreshing, "_entry", noted)
    return sites


def test_only_documents_go_in_again_whose_lemmas_or_tags_are_others(corpus, taken):
    annotate(corpus)
    refresh(corpus)
    assert sorted(taken) == ["a", "b", "c"]
    taken.clear()
    annotate(corpus, a={"morphs": "aba ntu", "feats": "Case=Nom"})
    refresh(corpus)
    assert taken == [], "the index has neither morphs nor features"
    annotate(corpus, b={"upos": "X"})
    assert corpus.search("tag:X").hits > 0
    assert "b" in taken
    taken.clear()
    annotate(corpus, b={"upos": "X"}, c={"upos": "Y"})
    refresh(corpus)
    assert taken == ["c"]


def test_a_lemma_that_becomes_a_tag_is_another(corpus):
    annotate(corpus, **{site: {"lemma": "x"} for site in "abc"})
    assert corpus.search("lemma:x").hits > 0 and corpus.search("tag:x").hits == 0
    annotate(corpus, **{site: {"upos": "x"} for site in "abc"})
    assert corpus.search("lemma:x").hits == 0 and corpus.search("tag:x").hits > 0


def test_an_annotation_that_failed_is_not_taken(corpus):
    annotate(corpus, method="failed: memory", a={"upos": "X"})
    assert corpus.search("tag:X").hits == 0 and corpus.search("abantu").hits == 36
