"""Stop words learned from a corpus: the words of its language in kept documents, and no others."""

import json
from collections import Counter

import regex
from lasting import engine_of
from typer.testing import CliRunner

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.cli import app
from corpulyzer.lab.demo.archive import write_archive


def test_the_list_makes_up_half_of_the_running_words_in_the_language_of_kept_documents(tmp_path):
    write_archive(tmp_path / "web.warc.gz", target="xho")
    create("xho", tmp_path / "corpus")
    corpus = open_corpus(tmp_path / "corpus", {"engine.workers": 1})
    engine = engine_of(corpus)
    corpus.import_(str(tmp_path / "web.warc.gz"), engine=engine)
    done = CliRunner().invoke(app, ["stop-words", "--project", str(tmp_path / "corpus"), "--json", "-q"])
    words = set(json.loads(done.stdout))
    kept = [document for document in corpus.documents if document.verdict.kept]
    spans = [(document.text, each) for document in kept for each in document.paragraphs]
    own = [text[each.start : each.end] for text, each in spans if each.language == "xho"]
    counts = Counter(regex.findall(r"\w+", "\n".join(own).lower()))
    covered = sum(counts[word] for word in words)
    assert len(own) < len(spans), "kept pages have paragraphs in other languages too"
    assert own and covered >= counts.total() / 2 > covered - min(counts[word] for word in words)
