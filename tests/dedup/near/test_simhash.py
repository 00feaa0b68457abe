"""SimHash: 64 bits that all count, buckets that miss nothing, and a greedy choice without similar pairs."""

import random
from itertools import combinations

from made_corpora import corpus_of, document, edited, label_rows, prose

from corpulyzer.dedup.near.shingles import shingles
from corpulyzer.dedup.near.simhash import SimHash, buckets
from corpulyzer.jobs.dedup.run import deduplicate


def test_fingerprints_up_to_three_bits_apart_always_share_a_bucket():
    chance = random.Random(1)
    for _ in range(2000):
        value = chance.getrandbits(64)
        other = value
        for bit in chance.sample(range(64), chance.randint(0, 3)):
            other ^= 1 << bit
        assert set(buckets(value)) & set(buckets(other))


def test_buckets_are_sixteen_of_28_bits_each_of_its_own_kind():
    found = buckets(0xFFFF_FFFF_FFFF_FFFF)
    assert len(set(found)) == 16 and {key >> 28 for key in found} == set(range(16))
    assert {key & (1 << 28) - 1 for key in found} == {(1 << 28) - 1}


def test_both_halves_of_a_fingerprint_tell_texts_apart():
    prints = [SimHash().fingerprint(prose(seed)) for seed in range(50)]
    assert len({value >> 32 for value in prints}) == len({value & 0xFFFFFFFF for value in prints}) == 50
    for value in prints:
        assert value >> 32 != value & 0xFFFFFFFF


def test_the_set_of_grams_decides_and_not_how_often_they_occur():
    text = prose(3)
    assert shingles(text, 7) == shingles(text, 7) | shingles(text[:50], 7)
    assert SimHash().fingerprint("abcdefgabcdefgabcdefg") == SimHash().fingerprint(
        "abcdefgabcdefgabcdefgabcdefg"
    )


def test_one_small_change_keeps_the_fingerprint_near_and_another_text_is_far():
    text = prose(1, words=800)
    near, far = (SimHash().fingerprint(other) for other in (edited(text, 1, 1), prose(2, words=800)))
    assert (
        (SimHash().fingerprint(text) ^ near).bit_count()
        <= 3
        < (SimHash().fingerprint(text) ^ far).bit_count()
    )


def test_no_two_kept_are_within_the_distance_and_who_goes_is_near_one_that_stays(engine, tmp_path):
    documents = []
    for family in range(12):
        text = prose(family, words=400)
        documents += [
            document(
                f"https://s{family % 3}.pk/{family}/{n}", edited(text, 100 * family + n, n % 4 + 1), day=n
            )
            for n in range(12)
        ]
    corpus = corpus_of(tmp_path / "c", documents, parts=3, dedup__method="simhash")
    found = deduplicate(corpus, engine, ["document", "near"])["near"]
    assert found.method == "simhash" and found.duplicates > 20 and found.unresolved == 0
    prints = {d.id: SimHash().fingerprint(d.text) for d in documents}
    labels = {row["id"]: row for row in label_rows(corpus, "near")}
    kept = [d.id for d in documents if labels.get(d.id, {"place": 1})["place"] == 1]
    assert all((prints[a] ^ prints[b]).bit_count() > 3 for a, b in combinations(kept, 2))
    sizes = {d.id: d.text_bytes for d in documents}
    for row in labels.values():
        assert (prints[row["id"]] ^ prints[row["representative"]]).bit_count() <= 3
        assert sizes[row["representative"]] >= sizes[row["id"]]
