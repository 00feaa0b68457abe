"""TextProfileSignature, as Nutch has it and as every script needs it (CZ-26)."""

import hashlib
import random

import pytest

from corpulyzer.dedup.near.text_profile import TextProfile

URDU = "یہ ایک خبر ہے اور یہ خبر سچ ہے کیونکہ خبر اچھی خبر تھی"


@pytest.mark.parametrize("strict", [True, False])
def test_the_signature_does_not_depend_on_the_order_of_words(strict):
    words = (URDU + " alpha beta gamma alpha beta alpha").split()
    profile = TextProfile(strict=strict)
    expected = profile.sign(" ".join(words))
    for seed in range(10):
        random.Random(seed).shuffle(words)
        assert profile.sign(" ".join(words)) == expected


def test_the_profile_is_the_md5_of_frequent_words_with_rounded_counts():
    text = "The cat, the dog; the bird! A cat-dog 12345 12345 it it it"
    # counts: the 3, cat 2, dog 2, 12345 2, bird 1; "it" and "a" are too short; quantum 2 because one repeats
    assert TextProfile(strict=True).profile(text) == "12345 2\ncat 2\ndog 2\nthe 2"
    digest = hashlib.md5(b"12345 2\ncat 2\ndog 2\nthe 2").digest()
    assert TextProfile(strict=True).sign(text).value == digest


def test_if_no_word_repeats_all_stay():
    assert TextProfile(strict=True).profile("one two three") == "one 1\nthree 1\ntwo 1"


def test_counts_are_rounded_to_a_hundredth_of_the_highest_half_up():
    text = "top " * 250 + "mid " * 7 + "low " * 2
    # 250 × .01 = 2.5, in Java 3: 250 → 249, 7 → 6, 2 vanishes
    assert TextProfile(strict=True).profile(text) == "top 249\nmid 6"


def test_nutch_shreds_marks_and_merges_all_that_has_no_profile_and_we_do_not():
    hindi, adlam = "कि सी दि नि मि", "𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪"
    strict, ours = TextProfile(strict=True), TextProfile()
    assert strict.profile(hindi) == strict.profile(adlam) == ""
    assert strict.sign(hindi) == strict.sign(adlam)
    assert "𞤢𞤣𞤤𞤢𞤥 1" in ours.profile(adlam)
    assert ours.sign("हिन्दी हिन्दी वाक्य").value != ours.sign("हिन्दी हिन्दी भाषा भाषा").value
    assert "हिन्दी 2" in ours.profile("हिन्दी हिन्दी वाक्य")


@pytest.mark.parametrize("text", ["", "a b", "…!", " "])
def test_a_text_without_a_profile_has_no_signature(text):
    assert TextProfile().sign(text) is None


def test_joiners_belong_to_a_word():
    assert TextProfile().profile("می‌خواهم می‌خواهم") == "می‌خواهم 2"
