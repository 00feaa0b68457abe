"""Quick looks at texts and addresses say nothing that a closer look would not say."""

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.native.scan import (
    _has_before,
    _is_utf8,
    _may_be_deep,
    broken,
    counted,
    has_any,
    has_before,
    is_canonical,
    is_stable,
    is_utf8,
    may_be_deep,
    tag_count,
)
from corpulyzer.page.filter.quality import broken_by_pattern, broken_characters
from corpulyzer.text.census import Census, computed, kinds_of_characters
from corpulyzer.text.normal import clean
from corpulyzer.url import SUSPECT_NAMES

needs_c = pytest.mark.skipif(counted is None, reason="the scans were not built in C here")
EVERY = [chr(code) for code in range(0x110000)]


def composing():
    """The characters that may change what stands before them."""
    decomposed = (unicodedata.decomposition(character).split() for character in EVERY)
    seconds = {chr(int(parts[1], 16)) for parts in decomposed if len(parts) == 2 and "<" not in parts[0]}
    jamo = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    return seconds | jamo | {character for character in EVERY if unicodedata.combining(character)}


@needs_c
def test_a_stable_character_stays_as_it_is_beside_any_other():
    stable = {character for character in EVERY if is_stable(character)}
    assert {"a", "é", "ж", "ا", "漢", "한", "。", "\n"} <= stable
    assert [character for character in stable if clean(character) != character] == []
    assert not stable & composing()
    assert not stable & {"\x00", "\x85", "\r", "\ud800", "\uffff"}


@given(st.text())
def test_a_stable_text_is_clean(text):
    slow = unicodedata.normalize("NFC", text)
    assert not is_stable(text) or text == slow == clean(text)


@needs_c
@given(st.text(st.characters() | st.sampled_from("a_\u0301\u200c \xad.,Ã\ud800"), max_size=40))
def test_both_ways_count_the_same(text):
    assert Census(*counted(text, kinds_of_characters())) == computed(text)


@needs_c
@pytest.mark.parametrize("last", ["é", "ž", "\U0001f600"])
@pytest.mark.parametrize("unit", ["word", "a.", "Ã  \xad-", "\xad_1 "])
def test_both_ways_count_the_same_in_long_texts_of_every_width(unit, last):
    text = unit * (2_200_000 // len(unit)) + last
    assert Census(*counted(text, kinds_of_characters())) == computed(text)


@needs_c
@given(st.text(st.sampled_from("aÃÂ×ÝáâäÐ�\x80\x9f\xa0\xbf\xc0€™œŽ–ž\u2017漢\U0001f600"), max_size=12))
def test_both_ways_find_the_same_characters_broken(text):
    assert broken(text) == broken_by_pattern(text) == broken_characters(text)


@needs_c
def test_every_character_before_and_behind_another_is_broken_or_not():
    for character in (*EVERY[:0x2300], *EVERY[0xFF00:0x10100]):
        for text in (f"{character}©©", f"Ã{character}", f"ã€{character}", f"ã{character}€"):
            assert broken(text) == broken_by_pattern(text), text
    with pytest.raises(TypeError):
        broken(b"")


@needs_c
@pytest.mark.parametrize(
    ("address", "canonical"),
    [
        ("https://a.example/b/c.html", True),
        ("http://a.example/" + "x" * 4096, False),
        ("https://a.example/b?c", True),
        ("https://a.example/b?id=1&page=2&page=1", True),
        ("https://a.example/b?page=2&id=1", False),
        ("https://a.example/b?ab=2&a=1", False),
        ("https://a.example/b?", False),
        ("https://a.example/b?a=1&", False),
        ("https://a.example/b?a&&b", False),
        ("https://a.example/b?Utm_source=x", False),
        ("https://a.example/b?s=1", False),
        ("https://a.example/b?a=%41", False),
        ("https://a.example/b#c", False),
        ("https://a.example/%41", False),
        ("https://u@a.example/", False),
        ("https://a.example./", False),
        ("https://a.example/b;jsessionid=1", False),
        ("ftp://a.example/", False),
        ("https://a.example/\x00?", False),
        ("https://a.example/é", False),
    ],
)
def test_only_what_canonical_form_leaves_alone_is_canonical(address, canonical):
    assert is_canonical(address, SUSPECT_NAMES) is canonical


@given(st.binary(max_size=20), st.lists(st.binary(min_size=1, max_size=2), max_size=3))
def test_bytes_have_a_part_or_none(text, parts):
    assert has_any(text, tuple(parts)) == any(part in text for part in parts)


@given(st.text("ab", max_size=90), st.text("ab", min_size=1, max_size=20))
def test_a_part_is_found_wherever_it_begins(text, part):
    assert has_any(text.encode(), (part.encode(),)) == (part in text)


@pytest.mark.parametrize("look", [may_be_deep, _may_be_deep])
def test_a_page_that_opens_far_more_tags_than_it_closes_may_be_deep(look):
    assert look(b"<div>" * 5_000, 4_096)
    assert look(b"</b>" * 9_000 + b"<i>" * 14_000, 4_096)
    assert not look(b"<div>" * 4_096, 4_096)
    assert not look(b"<p>text</p>" * 50_000, 4_096)
    assert not look(b"", 0)


@given(st.lists(st.sampled_from([b"<", b"<ti", b"<TiMe", b"me ", b"<time>", b"\x14", b"x"])).map(b"".join))
def test_tags_are_counted_in_letters_of_either_case(html):
    assert tag_count(html, b"time") == html.lower().count(b"<time")


def test_no_character_of_any_kind_is_left_out_of_the_table():
    kinds = kinds_of_characters()
    of_some_kind = regex.compile(r"[\w\s\p{P}\p{S}\x80-\x9f\ufffd]")
    assert [
        code for code in range(0x110000) if bool(of_some_kind.match(chr(code))) != bool(kinds[code])
    ] == []


@given(st.binary(max_size=80) | st.text(max_size=60).map(str.encode), st.integers(0, 40))
def test_what_is_utf8_is_what_python_decodes(text, spaces):
    for bytes_ in (text, b" " * spaces + text, text + b" " * spaces):
        assert is_utf8(bytes_) == _is_utf8(bytes_)


@pytest.mark.parametrize(
    "odd", ["c0af", "c1bf", "e080af", "e09fbf", "eda080", "edbfbf", "f08080af", "f48fbfbf", "f4908080"]
)
def test_odd_characters_are_utf8_as_python_has_it(odd):
    for before in range(20):
        text = b"x" * before + bytes.fromhex(odd)
        assert is_utf8(text) == _is_utf8(text) and is_utf8(text[:-1]) == _is_utf8(text[:-1])


@given(st.text("aCB0- ", max_size=60), st.sampled_from(["CC", "C", "CaC"]), st.text("B0-", max_size=3))
def test_a_part_stands_before_a_byte_as_python_finds_it(text, part, following):
    wanted = any(part + byte in text for byte in following)
    for look in (has_before, _has_before):
        assert look(text.encode(), part.encode(), following.encode()) == wanted


@given(st.lists(st.sampled_from(["<", "</", "<p>", "text ", "/"]), max_size=3_000), st.integers(0, 60))
def test_the_depth_of_a_page_is_the_same_in_both_ways(pieces, depth):
    html = "".join(pieces).encode()
    assert may_be_deep(html, depth) == _may_be_deep(html, depth)
