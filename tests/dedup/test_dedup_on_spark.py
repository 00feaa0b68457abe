"""Spark labels and drops what the local engine labels and drops."""

import pytest
from made_corpora import corpus_of, document, edited, everything, prose

from corpulyzer.api.corpus import open_corpus
from corpulyzer.dedup.near import candidates
from corpulyzer.engine import workbench
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.jobs.dedup.run import deduplicate
from corpulyzer.jobs.search.look_up import look_up

pytestmark = pytest.mark.slow
FOOTER = "سب حقوق محفوظ ہیں اور یہ سطر ہر صفحے پر ہے"


def documents():
    """Families of near-duplicates, one so large that its buckets are hot, copies, footers, a short page."""
    found = [document(f"https://s{n % 5}.pk/{n}", f"{prose(n)}\n{FOOTER}", day=n % 4) for n in range(30)]
    hot = prose(100, words=200)
    found += [document(f"https://h{n % 3}.pk/{n}", f"{hot} صفحہ {n}", day=n % 5) for n in range(60)]
    found += [document(f"https://n{n % 3}.pk/{n}", edited(prose(n // 3), n, n % 5)) for n in range(30)]
    found += [document(f"https://x.pk/{n}", prose(n), raw="same") for n in range(3)]
    found += [
        document("https://s0.pk/short", f"{prose(200, words=45)}\n{FOOTER}"),
        document("https://e.pk/", ""),
    ]
    return found


@pytest.mark.parametrize(
    "method",
    ["minhash", *(pytest.param(name, marks=pytest.mark.endurance) for name in ("simhash", "text_profile"))],
)
def test_both_engines_give_equal_labels_and_equal_documents(engine, spark, tmp_path, monkeypatch, method):
    """With MinHash as if there were many signatures: then Spark's workers compare them, and not its driver."""
    assert candidates.SMALL < 60
    levels = ("raw", "document", "near", "paragraph", "sentence") if method == "minhash" else ("near",)
    results = []
    for name, runner, parts in (("local", engine, 1), ("spark", spark, 3)):
        flags = {"dedup__method": method, "dedup__site_memory": method == "minhash"}
        corpus = corpus_of(tmp_path / name, documents(), parts=parts, **flags)
        if name == "spark" and method == "minhash":
            monkeypatch.setattr(workbench, "FEW_ROWS", 0)
        found = deduplicate(corpus, runner, levels)
        results.append((found, everything(corpus), corpus.funnel(engine=runner).to_json()))
    assert results[0] == results[1]
    assert results[0][0]["near"].duplicates >= (60 if method == "minhash" else 1)
    site_memory = [facts.get("site_paragraphs", 0) for *_, facts in results[0][1][1]]
    assert any(site_memory) == (method == "minhash")


def test_a_text_is_looked_up_on_the_cluster_as_here(engine, spark, tmp_path):
    corpus = corpus_of(tmp_path / "c", documents()[:30])
    deduplicate(corpus, engine, ["near", "sentence"])
    text = edited(prose(3), 1, 3)
    found = look_up(open_corpus(tmp_path / "c"), engine, text)
    assert found and found == look_up(corpus, spark, text)


def test_a_small_corpus_needs_no_job_of_the_cluster(engine, tmp_path):
    results = []
    for name, runner in (("here", engine), ("there", SparkEngine("spark://127.0.0.1:1", few_bytes=64 << 20))):
        corpus = corpus_of(tmp_path / name, documents(), parts=3)
        results.append((deduplicate(corpus, runner), everything(corpus)))
    assert results[0] == results[1]
