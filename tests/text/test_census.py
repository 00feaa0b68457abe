"""The census counts what the tokeniser and the patterns would list."""

import regex
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.text import tokens
from corpulyzer.text.census import census

MIXED = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("_ \n\u200c\u200d\u0301\xadहिन्दीاُردُوမြန်မာቃል。،\U0001e900\ufffdÃ©"),
    )
)


@given(MIXED)
def test_words_are_as_many_as_tokens(text):
    assert census(text).words == len(tokens(text))


@given(MIXED)
def test_characters_are_counted_by_their_kind(text):
    text = text.replace("\xad", "")
    found = census(text)
    assert found.visible == len(regex.findall(r"\S", text))
    assert found.punctuation == len(regex.findall(r"[\p{P}\p{S}]", text))


def test_an_empty_text_has_nothing():
    found = census("")
    assert (found.visible, found.punctuation, found.words, found.suspects) == (0, 0, 0, 0)


def test_lone_surrogates_are_counted_and_raise_nothing():
    assert census("a\ud800b").visible == 3
