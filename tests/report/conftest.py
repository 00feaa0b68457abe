"""Corpora with reports, made once."""

import json

import pytest
from lasting import engine_of

from corpulyzer.api.corpus import create
from corpulyzer.report import write_report


@pytest.fixture(scope="session")
def corpora(tmp_path_factory):
    """A corpus of each kind: a small web, one site, nothing kept, nothing at all, a script without fonts."""
    folder = tmp_path_factory.mktemp("corpora")
    urdu = "یہ اردو زبان میں لکھا ہوا ایک جملہ ہے جو اس صفحے پر کھڑا ہے۔ "
    pages = {
        "one_site": ("urd", [("https://akhbar.example/1", urdu * 40)]),
        "nothing_kept": ("urd", [("https://akhbar.example/1", "ایک")]),
        "empty": ("urd", []),
        "no_fonts": ("ful-Adlm", [("https://pulaar.example/1", "𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪 𞤨𞤵𞤤𞤢𞥄𞤪 " * 80)]),
    }
    made = {}
    for name, (language, texts) in pages.items():
        corpus = create(language, folder / name)
        source = folder / f"{name}.jsonl"
        source.write_text("".join(json.dumps({"url": u, "text": t}) + "\n" for u, t in texts), "utf-8")
        engine = engine_of(corpus)
        if texts:
            corpus.import_(str(source), engine=engine)
        write_report(corpus, engine)
        made[name] = corpus
    return made
