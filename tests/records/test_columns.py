"""What is laid out in C is what Arrow makes of Python's objects; what is odd is left to Arrow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.records import Link, Paragraph, columns

PARAGRAPHS = tuple[Paragraph, ...]
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
whole = st.integers(-(2**63), 2**63 - 1)
paragraphs = st.builds(
    Paragraph,
    whole,
    whole,
    texts,
    texts,
    st.floats(allow_nan=False),
    st.dictionaries(texts, whole, max_size=3),
)
needs_compiled = pytest.mark.skipif(columns.compiled is None, reason="columns were not built in C here")


def in_python(values, annotation):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "compiled", None)
        return columns._array(values, annotation)


@needs_compiled
@given(st.lists(st.lists(paragraphs, max_size=4).map(tuple), max_size=5))
def test_both_ways_make_the_same_columns(groups):
    assert columns._in_c(groups, Paragraph) is not None
    found, expected = columns._array(groups, PARAGRAPHS), in_python(groups, PARAGRAPHS)
    found.validate(full=True)
    assert found.type == expected.type and found.to_pylist() == expected.to_pylist()


@needs_compiled
@given(st.lists(st.lists(st.builds(Link, *[texts] * 5), max_size=4).map(tuple), max_size=5))
def test_texts_alone_come_out_the_same(groups):
    assert columns._array(groups, tuple[Link, ...]) == in_python(groups, tuple[Link, ...])


@needs_compiled
@pytest.mark.parametrize(
    "odd", [{"start": None}, {"confidence": 1}, {"kind": None}, {"languages": None}, {"start": True}]
)
def test_what_is_odd_comes_out_as_arrow_has_it(odd):
    groups = [(Paragraph(0, 1), Paragraph(1, 2)._replace(**odd))]
    try:
        expected = in_python(groups, PARAGRAPHS)
    except (TypeError, ValueError, AttributeError) as error:
        with pytest.raises(type(error)):
            columns._array(groups, PARAGRAPHS)
    else:
        assert columns._array(groups, PARAGRAPHS) == expected


@pytest.mark.parametrize("value", [{"start": 2**63}, {"kind": "\ud800"}])
def test_what_no_column_can_hold_is_an_error(value):
    with pytest.raises((OverflowError, ValueError)):
        columns._array([(Paragraph(0, 1)._replace(**value),)], PARAGRAPHS)
