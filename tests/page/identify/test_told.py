"""What is told of paragraphs: compiled and not, the same."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.page.identify import Identified, Identify, cld2, told
from corpulyzer.records import Page, Paragraph
from corpulyzer.records.targets import targets

compiled = pytest.importorskip("corpulyzer.native._compiled", reason="it was not compiled here")

codes = st.sampled_from(["urd", "eng", "und", "hrv", "e" + "ng"]).map(lambda code: "".join(list(code)))
spans = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted)
sizes = st.dictionaries(codes, st.integers(0, 40), max_size=4)


@st.composite
def answers(draw):
    """Paragraphs, and what somebody says of each."""
    found = draw(st.lists(st.builds(Identified, codes, st.floats(0, 1), sizes), max_size=8))
    paragraphs = [Paragraph(*draw(spans), draw(st.sampled_from(["p", "li"]))) for _ in found]
    return tuple(paragraphs), found


def outcome(work, *arguments):
    """What comes of it, errors too; the order of keys counts."""
    try:
        result = work(*arguments)
    except (ZeroDivisionError, ValueError) as error:
        return type(error)
    return repr(result)


@given(answers(), codes)
def test_paragraphs_get_the_same_languages_bytes_and_characters(some, target):
    assert outcome(told.with_languages, *some, target) == outcome(told._with_languages, *some, target)


def test_most_answers_are_given_in_compiled_code():
    paragraphs = (Paragraph(0, 5, "li"), Paragraph(6, 8), Paragraph(9, 9))
    found = [Identified("urd", 0.5, {"eng": 1, "urd": 2}), Identified("eng", 1.0, {"eng": 2}), Identified()]
    made, languages, characters = compiled.with_languages(paragraphs, found, "urd", Paragraph)
    assert (languages, characters) == ({"eng": 3, "urd": 2}, 5 * (2 / 3))
    assert [type(paragraph) for paragraph in made] == [Paragraph] * 3
    assert made[0] == Paragraph(0, 5, "li", "urd", 0.5, {"eng": 1, "urd": 2})


@pytest.mark.parametrize(
    ("paragraphs", "found"),
    [
        ((), [Identified()]),
        ((Paragraph(0, 1),), []),
        ((Paragraph(-2, 1),), [Identified()]),
        ((Paragraph(0, 1 << 70),), [Identified()]),
        (((0, 1),), [Identified()]),
        ((Paragraph(0, 1),), ["urd"]),
        ((Paragraph(0, 1),), [Identified("urd", 1.0, [])]),
        ((Paragraph(0, 1),), [Identified("urd", 1.0, {"urd": 1.5})]),
        ((Paragraph(0, 1),), [Identified("urd", 1.0, {5: 1})]),
        ((Paragraph(0, 1),), [Identified("urd", 1.0, {"urd": 0, "eng": 0})]),
    ],
)
def test_what_is_strange_is_left_to_python(paragraphs, found):
    assert compiled.with_languages(paragraphs, found, "urd", Paragraph) is None
    assert compiled.with_languages((), [], "urd", dict) is None


def test_an_answer_too_many_is_an_error_as_it_was():
    with pytest.raises(ValueError, match="zip"):
        Identify(targets("urd"), lambda texts: [Identified()])(Page("https://a.example/"))


@given(st.text(st.characters(codec=None), max_size=30), st.lists(spans, max_size=5))
def test_texts_are_slices(text, some):
    paragraphs = tuple(Paragraph(start, end) for start, end in some)
    assert told.texts_of(text, paragraphs) == [text[start:end] for start, end in some]
    inside = all(end <= len(text) for _, end in some)
    assert (compiled.texts_of(text, paragraphs) is not None) == inside
    assert told.texts_of(text, (Paragraph(-3, -1),)) == [text[-3:-1]]


lines = st.lists(st.text(st.sampled_from("aé漢\U0001f600 "), max_size=6), min_size=1, max_size=7)
cuts = st.lists(
    st.tuples(st.integers(0, 25), st.integers(0, 25), st.sampled_from(["en", "ur", "un", "hr", "xx-Qaai"])),
    max_size=6,
)


@given(lines, cuts, st.booleans(), st.booleans())
def test_stretches_of_bytes_are_shared_out_the_same(paragraphs, some, in_order, broken):
    """Stretches in order or not, with gaps, over one another, or empty; and a paragraph with lines of its own."""
    paragraphs = [*paragraphs, "b\nc"] if broken else paragraphs
    raw = "\n".join(paragraphs).encode()
    vectors = tuple((start, size, "", code) for start, size, code in (sorted(some) if in_order else some))
    expected = list(cld2._identified(cld2._sizes(paragraphs, raw), cld2._stretches(vectors)))
    found = compiled.by_stretches(
        raw, len(paragraphs), vectors, cld2.iso639_3, "und", Identified, cld2._of_several
    )
    assert (found is None) == broken
    assert repr(expected) == repr(cld2._told(paragraphs, raw, vectors))
    assert all(type(each) is Identified for each in found or ())


def test_one_stretch_over_all_is_no_special_case():
    paragraphs = ["This is a line", "", "and another one", ""]
    raw = "\n".join(paragraphs).encode()
    vectors = ((0, len(raw), "ENGLISH", "en"),)
    assert [each.languages for each in cld2._told(paragraphs, raw, vectors)] == [
        {"eng": 14},
        {},
        {"eng": 15},
        {},
    ]


def test_strange_vectors_are_left_to_python():
    for vector in ((0, 5), (-1, 5, "", "en"), (0, "5", "", "en"), "what"):
        own = cld2.iso639_3, "und", Identified, cld2._of_several
        assert compiled.by_stretches(b"hello", 1, (vector,), *own) is None
    assert compiled.by_stretches(b"hello", 1, ((0, 5, "", "en"),), ord, "und", dict, repr) is None
    with pytest.raises(TypeError):
        compiled.by_stretches(b"hello", 1, ((0, 5, "", "en"),), ord, "und", Identified, repr)


def test_vectors_are_what_the_binding_gives_and_an_error_stays_one():
    import pycld2

    text = (
        "یہ اردو زبان کا ایک جملہ ہے اور یہ دوسرا ہے۔ This is a sentence in English, as is the next.".encode()
    )
    options = {"isPlainText": True, "returnVectors": True}
    expected = pycld2.detect(text, **options)
    assert compiled.detected(pycld2.detect, text, options) == expected[2:]
    assert len(expected[3]) > 1
    with pytest.raises(pycld2.error):
        compiled.detected(pycld2.detect, b"\xff", options)
    with pytest.raises(TypeError, match="with vectors"):
        compiled.detected(pycld2.detect, text, {})
    kept = ((0, 1, "", "en"),)
    before = sys.getrefcount(kept)
    assert compiled.detected(lambda text: (True, 1, (), kept), text, {}) == ((), kept)
    assert sys.getrefcount(kept) == before


def test_nothing_stays_of_a_page(grown):
    """Not even what the binding of CLD2 itself forgets to give back."""
    lines = ["یہ اردو زبان کا ایک جملہ ہے۔", "Hello, this is English.", "", "Hello, this is English."]
    text, own = "\n".join(lines), Identify(targets("urd"), cld2.Cld2())
    spans = tuple(Paragraph(text.index(line), text.index(line) + len(line)) for line in lines)
    page = Page("https://a.example/", text=text, paragraphs=spans)
    odd = [Identified("urd", 1.0, {"urd": 5})] * 3 + [("", 0.0, [])]
    shared = b"\n".join([b"a"] * 9), 9, ((2, 9, "", "en"), (11, 3, "", "ur"), (0, 5)), cld2.iso639_3, "und"

    def work():
        for _ in range(1000):
            own(page)
            assert compiled.with_languages(spans, odd, "urd", Paragraph) is None
            assert compiled.texts_of("", spans) is None
            assert compiled.by_stretches(*shared, Identified, cld2._of_several) is None

    assert grown(work) < 20_000
