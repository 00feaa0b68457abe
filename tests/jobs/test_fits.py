"""After news a fit is kept while few documents have changed, and says so; all else is as measured afresh."""

import json
import shutil

import pytest

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.jobs.analyze.run import analyze, stale_panels

FITS = ("growth", "topics")
OTHERS = ("funnel", "sites", "basics", "frequency", "quality", "readability")
WORDS = "river field market bread letter winter garden window harbour teacher doctor morning".split()


def row(number):
    # More words than the hundred that are too frequent for topics, each in several documents.
    own = [WORDS[(number + step) % 12] + WORDS[number % 4 * 3 + step % 3] for step in range(12)]
    said = [own[step * step % 12] + WORDS[step % 5] for step in range(40)]
    text = f"The {' and the '.join(said)} of day {number} are here for all of the people who live in it."
    return json.dumps({"url": f"https://{number % 3}.example/{number}", "text": text})


def grow(corpus, folder, numbers):
    file = folder / f"{numbers.start}.jsonl"
    file.write_text("\n".join(map(row, numbers)))
    corpus.import_(str(file))


def measured(corpus, *names, again=False):
    with corpus.engine() as engine:
        found = analyze(corpus, engine, names, again=again)
    return {
        result.name: (result.rows.to_pylist(), result.summary, result.warnings)
        for each in found
        for result in each.results
    }


@pytest.fixture
def folder(made, tmp_path):
    """A copy of what was made: tests measure it further."""
    return shutil.copytree(made, tmp_path / "fits")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The results of 40 documents, then 2 more of them."""
    place = tmp_path_factory.mktemp("fits")
    corpus = create("eng", place / "c")
    grow(corpus, place, range(40))
    measured(corpus, *FITS, *OTHERS)
    grow(corpus, place, range(40, 42))
    return place


def opened(folder, refit):
    return open_corpus(folder / "c", {"engine.workers": 1, "analyze.refit": refit})


def test_what_follows_the_news_is_as_if_it_were_measured_afresh(folder):
    corpus = opened(folder, 0.05)
    assert set(FITS) <= set(stale_panels(corpus))
    followed = measured(corpus, *OTHERS)
    assert followed and followed == measured(corpus, *OTHERS, again=True)


def test_a_fit_is_kept_while_few_documents_are_others_and_tells_of_them(folder):
    corpus = opened(folder, 0.05)
    before = {name: corpus.storage.read(f"analysis/{name}.csv") for name in ("topics", "heaps")}
    kept = measured(corpus, *FITS)
    assert not set(FITS) & set(stale_panels(corpus))
    said = (
        "Fitted when 40 documents had text in the language; 4.8% of them are others now. "
        "It is fitted again when more than 5% are (analyze.refit)."
    )
    assert all(warnings[-1] == said for _, _, warnings in kept.values())
    assert {name: corpus.storage.read(f"analysis/{name}.csv") for name in before} == before
    assert measured(corpus, *FITS) == kept, "as stored, it says so once"


def test_beyond_the_share_it_is_fitted_afresh(folder):
    measured(opened(folder, 0.05), *FITS)
    grow(opened(folder, 0.05), folder, range(42, 43))
    corpus = opened(folder, 0.05)
    fitted = measured(corpus, *FITS)
    assert not any("Fitted when" in said for _, _, warnings in fitted.values() for said in warnings)
    assert fitted == measured(corpus, *FITS, again=True)
    assert len(corpus.storage.list("analysis/fits", ".parquet")) == len(FITS), (
        "lists of earlier fits are gone"
    )


def test_a_fit_under_other_settings_is_made_anew(folder):
    measured(opened(folder, 0.05), "topics")
    corpus = open_corpus(folder / "c", {"engine.workers": 1, "analyze.topics": 3, "analyze.refit": 1.0})
    rows, _, _ = measured(corpus, "topics")["topics"]
    assert 0 < len(rows) <= 3
