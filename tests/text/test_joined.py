"""Paragraphs become a text and their spans in it, the same in C and in Python."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.records import Paragraph
from corpulyzer.text import joined as module
from corpulyzer.text.joined import joined, joined_in_python

paragraphs = st.tuples(
    st.text(st.characters(exclude_characters="\n"), max_size=6), st.sampled_from(["p", "h", "td"])
)


@given(st.lists(paragraphs, max_size=8))
def test_each_paragraph_is_a_line_and_its_span(given):
    text, spans = joined(given)
    assert (text, spans) == joined_in_python(given)
    assert [(text[span.start : span.end], span.kind) for span in spans] == [each for each in given if each[0]]
    assert text.split("\n") == [words for words, _ in given if words] or not text
    assert all(type(span) is Paragraph for span in spans)


@pytest.mark.skipif(module.compiled is None, reason="it was not built in C here")
@pytest.mark.parametrize("odd", [("text",), (1, "p"), ["text", "p"], None])
def test_what_is_no_paragraph_is_refused(odd):
    with pytest.raises(TypeError):
        module.compiled.joined([("one", "p"), odd], Paragraph, "und")


def test_all_that_was_made_is_given_back():
    kind = "".join(["a", "side"])
    before = sys.getrefcount(kind)
    made = [joined([("text", kind)] * 3) for _ in range(10)]
    assert sys.getrefcount(kind) >= before + 30
    del made
    assert sys.getrefcount(kind) == before
