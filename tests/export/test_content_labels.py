"""Pages that lists label stay in the corpus, say so in exports and report, and can be left out by choice."""

import json
import shutil
from random import Random

import pyarrow.parquet as pq
import pytest

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.errors import UserError
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.records import content_labels

MARKS = "kupujplavo zelenopopust crvenoodmah"


def text(seed):
    return "\n".join(Prose("hrv").paragraph(Random(seed * 9 + part)) for part in range(4))


@pytest.fixture(scope="module")
def corpus(engine, tmp_path_factory):
    folder = tmp_path_factory.mktemp("labels")
    pages = {f"https://dobro.example/{n}": text(n) for n in range(14)}
    pages |= {f"https://oglas.example/{n}": text(20 + n) + f"\n{MARKS} {MARKS} sada." for n in range(12)}
    pages["https://lose.example/x"] = text(50)
    file = folder / "pages.jsonl"
    file.write_text("".join(json.dumps({"url": url, "text": it}) + "\n" for url, it in pages.items()))
    create("hrv", folder / "web")
    (folder / "web" / "lists").mkdir()
    (folder / "web" / "lists" / "adult.urls.txt").write_text("lose.example\n")
    with (folder / "web" / "corpulyzer.toml").open("a") as settings:
        settings.write('\n[label.content]\nlists = "lists"\nmin_score = 0.005\n')
    made = open_corpus(folder / "web", {"engine.workers": 1})
    made.import_(file, engine=engine)
    return made


def labelled(corpus):
    return {it.url: content_labels(it.labels) for it in corpus.documents.kept() if content_labels(it.labels)}


def rows(folder):
    return pq.read_table(folder / "data" / "train-00000.parquet").to_pylist()


def test_a_label_keeps_the_page_and_is_a_column_of_exports(corpus, engine, tmp_path):
    assert labelled(corpus) == {"https://lose.example/x": {"adult": "address"}}
    assert len(corpus.documents.kept()) == 27
    corpus.export("hf", tmp_path / "all", engine=engine)
    assert {it["url"]: it["content"] for it in rows(tmp_path / "all") if it["content"]} == {
        "https://lose.example/x": "adult"
    }
    made = corpus.export("hf", tmp_path / "less", without=["adult"], engine=engine)
    assert (len(rows(tmp_path / "less")), made.manifest["left_out"]) == (26, {"label adult": 1})
    assert "lists" not in json.dumps(made.manifest["settings"]["label"]["content"]["files"])
    with pytest.raises(UserError, match="no label 'adlt'"):
        corpus.export("hf", tmp_path / "none", without=["adlt"], engine=engine)


def test_a_list_is_learned_from_what_people_said_and_labels_documents_anew(corpus, engine, tmp_path):
    corpus = open_corpus(shutil.copytree(corpus.storage.root, tmp_path / "web"), {"engine.workers": 1})
    corpus.audit.sample(100, engine=engine)
    for item in corpus.audit.labelling().items:
        corpus.audit.label(item.id, "CC", ("SP",) if item.site == "oglas.example" else ())
    (written,) = corpus.audit.learn("spam", "SP", engine=engine)
    assert (written.language, written.flagged, written.others) == ("hrv", 12, 15)
    assert written.precision >= 0.8 and written.recall >= 0.8
    now = corpus.reopened()
    assert now.process(engine=engine)
    found = labelled(now)
    assert found.pop("https://lose.example/x") == {"adult": "address"}
    assert now.funnel(engine=engine).labelled == {"adult": 1, "spam": 12}
    assert now.funnel(engine=engine).to_json()["labelled"] == {"adult": 1, "spam": 12}, "as it was kept"
    assert found == {f"https://oglas.example/{n}": {"spam": "words"} for n in range(12)}
    (shown,) = now.analyze("content", engine=engine)
    assert [(row["label"], row["by"], row["pages"], row["kept"]) for row in shown.rows.to_pylist()] == [
        ("adult", "address", 1, 1),
        ("spam", "words", 12, 12),
    ]
