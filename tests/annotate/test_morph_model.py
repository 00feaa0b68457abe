"""How words are cut into morphs: what is learned, and what is refused."""

import pytest

from corpulyzer.annotate.morph_model import MAX_LETTERS, learned
from corpulyzer.native import compiled

STEMS = "fund theng hamb sebenz lungis phendul khumbul bulal thand cel xel nced qal hlal lal dlal".split()
BEFORE, AFTER = ("uku", "ndi", "ba", "si", "ni", "u"), ("a", "ile", "isa", "ela", "wa", "i")
WORDS = [f"{first}{stem}{last}" for first in BEFORE for stem in STEMS for last in AFTER]


def test_words_made_of_few_pieces_are_cut_into_fewer_pieces_than_there_are_words():
    cut = learned(WORDS, [1] * len(WORDS), seed=0)
    assert all("".join(cut(word)) == word for word in [*WORDS, "kumfundisi"])
    pieces = {morph for word in WORDS for morph in cut(word)}
    assert len(pieces) < len(WORDS) / 2 and sum(len(cut(word)) > 1 for word in WORDS) > len(WORDS) / 2


def test_what_is_too_long_for_a_word_is_not_learned_from():
    long = "z" * (MAX_LETTERS + 1)
    with_it, without = (learned(words, [1] * len(words), 0) for words in ([*WORDS, long], WORDS))
    assert [list(with_it(word)) for word in WORDS] == [list(without(word)) for word in WORDS]
    assert "".join(with_it(long)) == long


def test_where_there_is_nothing_to_learn_from_words_stay_whole():
    assert list(learned([], [], 0)("ukufunda")) == ["ukufunda"]


@pytest.mark.skipif(compiled is None, reason="it was not compiled here")
def test_the_compiled_learner_refuses_what_is_no_list_of_words():
    wrong = [
        (["a"], []),
        (["a"], [0]),
        ([""], [1]),
        (["a" * 1_000], [1]),
        ([7], [1]),
        (["a", "b"], [2**31, 1]),
    ]
    for words, counts in wrong:
        with pytest.raises(ValueError, match=r"word|count"):
            compiled.Morphs(words, counts)
    model = compiled.Morphs(["abab"], [3])
    with pytest.raises(IndexError):
        model.improve([1])
    with pytest.raises(TypeError):
        model.improve("0")
    with pytest.raises(ValueError, match="a word is needed"):
        model.segment(7)
    with pytest.raises(ValueError, match="made once"):
        model.__init__(["b"], [1])
    assert model.segment("") == [] and "".join(model.segment("xabab\U0001f600")) == "xabab\U0001f600"
