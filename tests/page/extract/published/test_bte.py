"""HR-16: the span that maximises text inside and tags outside."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.extract.blocks import Block, Blocks
from corpulyzer.page.extract.published.bte import bte
from corpulyzer.page.extract.walk import blocks_of


def chosen(html):
    return [block.text for block in bte(blocks_of(LexborHTMLParser(html)))]


def test_text_wins_over_tags_inside_the_span_and_tags_outside_are_left_hr_16():
    menu = "<ul>" + "<li><a href=/><b>x</b></a></li>" * 5 + "</ul>"
    html = f"{menu}<div><p>{'w ' * 30}</p><hr><p>short</p><hr><p>{'v ' * 30}</p></div>{menu}"
    assert chosen(html) == [("w " * 30).strip(), "short", ("v " * 30).strip()]


def test_the_span_does_not_bridge_more_tags_than_it_gains_words_hr_16():
    gap = "<br>" * 21
    assert chosen(f"<div>{'w ' * 30}{gap}{'v ' * 20}</div>") == [("w " * 30).strip()]
    assert len(chosen(f"<div>{'w ' * 30}{gap}{'v ' * 22}</div>")) == 2


@given(
    st.lists(st.tuples(*[st.integers(1, 9), st.integers(0, 9), st.integers(0, 4)]), min_size=1, max_size=9)
)
def test_no_other_span_is_better_hr_16(numbers):
    blocks = [Block("w " * (w - 1) + "w", "p", 0, 0, 0, 0, before, inside) for w, before, inside in numbers]

    def gain(start, end):
        tags = sum(b.tags_before + b.tags_inside for b in blocks[start:end]) - blocks[start].tags_before
        return sum(b.text.count("w") for b in blocks[start:end]) - tags

    found = bte(Blocks(LexborHTMLParser(""), blocks, [], [], [], []))
    best = max(gain(a, b) for a, b in combinations(range(len(blocks) + 1), 2))
    if best <= 0:
        assert found == []
    else:
        assert any(
            found == blocks[a:b] and gain(a, b) == best for a, b in combinations(range(len(blocks) + 1), 2)
        )


@pytest.mark.parametrize("html", ["", "<p></p>"])
def test_nothing_gives_nothing(html):
    assert chosen(html) == []
