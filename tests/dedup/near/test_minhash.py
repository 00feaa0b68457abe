"""MinHash finds near-duplicates in every script; the floors are pinned."""

import random

import pytest
from made_corpora import corpus_of, document, edited, label_rows, prose

from corpulyzer.dedup.near.minhash import MinHash
from corpulyzer.jobs.dedup.run import deduplicate
from corpulyzer.lab.evaluate.near_duplicates import SCRIPTS, generated_pairs, jaccard, measured

RECALL, PRECISION = 0.98, 0.95


@pytest.fixture(scope="module")
def pairs():
    chosen = [*generated_pairs(25, 0.8, 1.0, seed=11), *generated_pairs(25, 0.3, 0.7, seed=11)]
    return dict(enumerate(chosen))


def test_the_generated_pairs_have_the_index_that_they_claim_and_fill_the_range(pairs):
    assert {pair.script for pair in pairs.values()} == set(SCRIPTS) and len(SCRIPTS) >= 6
    for pair in random.Random(1).sample(list(pairs.values()), 20):
        a = {pair.left[i : i + 5] for i in range(len(pair.left) - 4)}
        b = {pair.right[i : i + 5] for i in range(len(pair.right) - 4)}
        assert pair.jaccard == len(a & b) / len(a | b)
    for low in (0.3, 0.4, 0.5, 0.6, 0.8, 0.9):
        assert sum(low <= pair.jaccard < low + 0.1 for pair in pairs.values()) >= 30


def test_the_default_reaches_the_pinned_recall_and_precision_in_every_script(engine, tmp_path, pairs):
    documents, names = [], {}
    for number, pair in pairs.items():
        for side, text in enumerate((pair.left, pair.right)):
            documents.append(document(f"https://s{number % 40}.pk/{number}/{side}", text))
            names[documents[-1].id] = (number, side)
    corpus = corpus_of(tmp_path / "c", documents, parts=2)
    found = deduplicate(corpus, engine, ["near"])["near"]
    equal = sum(pair.left == pair.right for pair in pairs.values())
    assert found.units == len(documents) - equal
    clusters = {}
    for level in ("near", "document"):
        for row in label_rows(corpus, level):
            clusters.setdefault(row["cluster"], set()).add(names[row["id"]])
    result = measured(pairs, clusters.values())
    assert result.recall >= RECALL
    assert result.precision >= PRECISION
    for script in SCRIPTS:
        own = {number: pair for number, pair in pairs.items() if pair.script == script}
        theirs = [{unit for unit in cluster if unit[0] in own} for cluster in clusters.values()]
        assert measured(own, theirs).recall >= 0.9, script


def test_the_estimate_is_unbiased_and_as_exact_as_it_says(pairs):
    method = MinHash()
    signed = [(method.sign(pair.left), method.sign(pair.right)) for pair in pairs.values()]
    estimates = method.estimates([a.value for a, _ in signed], [b.value for _, b in signed])
    errors = [estimate - pair.jaccard for estimate, pair in zip(estimates, pairs.values(), strict=True)]
    assert abs(sum(errors) / len(errors)) < 0.005
    assert max(map(abs, errors)) < 0.13
    assert (sum(error**2 for error in errors) / len(errors)) ** 0.5 < 0.033


@pytest.mark.parametrize("text", ["", " \n "])
def test_an_empty_text_has_no_signature(text):
    assert MinHash().sign(text) is None


def test_one_word_is_its_own_gram_and_like_no_other():
    method = MinHash()
    one, other, again = (method.sign(word) for word in ("ہاں", "نہیں", " ہاں\n"))
    assert one == again and one.key != other.key
    assert not set(one.buckets) & set(other.buckets)
    assert method.similar([one.value, one.value], [again.value, other.value]) == [True, False]


def test_layout_makes_no_difference():
    text = prose(1)
    assert MinHash().sign(text) == MinHash().sign(text.replace(" ", "\n  ", 40))


def test_a_text_in_pieces_has_the_signature_of_the_whole():
    from corpulyzer.dedup.near import shingles

    text = prose(1, words=3000)
    whole = MinHash().sign(text)
    pieces, shingles.PIECE = shingles.PIECE, 1000
    try:
        assert MinHash().sign(text) == whole
    finally:
        shingles.PIECE = pieces


@pytest.mark.slow
def test_twenty_megabytes_are_signed_within_the_limits_of_a_page(engine, tmp_path):
    large = prose(1, words=1000, script="Latn")
    text = "\n".join(f"{number} {large}" for number in range(20_000_000 // len(large)))
    assert len(text.encode()) > 20_000_000
    almost = text + "\nand one line more"
    documents = [
        document("https://a.pk/1", text),
        document("https://b.pk/2", almost),
        document("https://c.pk/3", "x"),
    ]
    corpus = corpus_of(tmp_path / "c", documents, dedup__policy=())
    found = deduplicate(corpus, engine, ["document", "near", "sentence"])
    assert (found["document"].duplicates, found["near"].duplicates, found["near"].units) == (0, 1, 3)
    lines = text.count("\n") + 1
    assert (found["sentence"].units, found["sentence"].duplicates) == (2 * lines + 2, lines)


@pytest.mark.smoke
def test_a_chain_of_similar_texts_is_one_cluster(engine, tmp_path):
    texts = [prose(1)]
    for step in range(8):
        texts.append(edited(texts[-1], step, 6))
    assert jaccard(texts[0], texts[-1]) < 0.6 and min(map(jaccard, texts, texts[1:])) > 0.75
    documents = [document(f"https://a.pk/{n}", text) for n, text in enumerate(texts)]
    found = deduplicate(corpus_of(tmp_path / "c", documents), engine, ["near"])["near"]
    assert (found.clusters, found.largest, found.duplicates) == (1, 9, 8)
