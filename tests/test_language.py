"""Languages: every code is found, what is known is right, what is not is said."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpulyzer.errors import UserError
from corpulyzer.language import Language, scripts


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("ur", "urd"),
        ("urd", "urd"),
        ("URD", "urd"),
        ("Urdu", "urd"),
        ("uRDU", "urd"),
        ("اردو", "urd"),
        ("ur-PK", "urd"),
        ("urd_Arab", "urd"),
        ("srp-Cyrl", "srp"),
        ("xh", "xho"),
        ("isiXhosa", "xho"),
        ("hrvatski", "hrv"),
        ("Slovenian", "slv"),
        ("Modern Greek (1453-)", "ell"),
        ("ger", "deu"),
        ("iw", "heb"),
        ("roh-sursilv", "roh"),
        ("Ghotuo", "aaa"),
        ("  western   frisian ", "fry"),
    ],
)
def test_a_code_a_tag_or_a_name_finds_the_language(query, code):
    assert Language.find(query).code == code


@pytest.mark.parametrize(
    ("queries", "code"),
    [
        (("fa", "fas", "per", "pes", "Persian", "Farsi"), "fas"),
        (("ar", "ara", "arb"), "ara"),
        (("zh", "zho", "cmn", "chi"), "zho"),
        (("no", "nor", "nb", "nob"), "nob"),
        (("ms", "msa", "zsm", "zlm"), "msa"),
        (("tl", "tgl", "fil"), "tgl"),
        (("ps", "pus", "pbt", "pbu"), "pus"),
        (("sw", "swa", "swh"), "swa"),
    ],
)
def test_one_practical_language_has_one_code(queries, code):
    assert {Language.find(query).code for query in queries} == {code}


@pytest.mark.parametrize(
    "code", ["prs", "nno", "hrv", "srp", "bos", "hbs", "ckb", "pnb", "yue", "arz", "azb", "twi"]
)
def test_members_that_differ_keep_their_own_code(code):
    assert Language.find(code).code == code


def test_urdu_is_known_in_full():
    urdu = Language.find("urd")
    assert (urdu.name, urdu.own_name, urdu.iso639_1) == ("Urdu", "اردو", "ur")
    assert (urdu.scripts, urdu.script, urdu.direction) == (("Arab",), "Arab", "rtl")
    assert urdu.ranges == ((0x600, 0x6FF), (0x750, 0x77F), (0xFB50, 0xFDFF), (0xFE70, 0xFEFF))
    assert set("۔؟!") <= set(urdu.sentence_terminators)
    assert {"pnb", "skr", "kas", "snd", "fas", "prs", "pus", "ara", "ckb"} <= set(urdu.relatives)
    assert urdu.name_substrings == ("urdu", "اردو")
    assert urdu.unknown == ()


def test_isixhosa_words_hold_hyphens_and_apostrophes():
    xhosa = Language.find("xho")
    assert {"-", "'", "’"} <= set(xhosa.word_internal)
    assert xhosa.name_substrings == ("xhosa",)
    assert {"zul", "ssw", "nbl", "nya"} <= set(xhosa.relatives)


def test_a_latin_alphabet_has_its_own_letters_and_no_others():
    croatian = Language.find("hrv")

    def covers(text):
        return all(any(low <= ord(c) <= high for low, high in croatian.ranges) for c in text)

    assert covers("ŽivotĐakčćš")
    assert not covers("queue") and not covers("größe") and not covers("живот")


@pytest.mark.parametrize(("code", "word"), [("som", "magaalada"), ("lmo", "cità"), ("grn", "ñandéve")])
def test_vowels_are_letters_where_cldr_lists_them_incompletely(code, word):
    ranges = Language.find(code).ranges
    assert all(any(low <= ord(c) <= high for low, high in ranges) for c in word)


def test_the_tag_chooses_the_script_and_what_follows_from_it():
    latin, cyrillic = Language.find("srp-Latn"), Language.find("srp-Cyrl")
    assert (latin.script, cyrillic.script) == ("Latn", "Cyrl")
    assert latin.scripts == cyrillic.scripts == ("Cyrl", "Latn")
    assert latin.ranges != cyrillic.ranges
    assert Language.find("zho-TW").script == "Hant"
    assert Language.find("ur-Latn").direction == "ltr"


def test_what_is_not_known_is_empty_and_said():
    ghotuo = Language.find("aaa")
    assert ghotuo.name == "Ghotuo"
    assert ghotuo.own_name == "" and ghotuo.relatives == () and ghotuo.word_internal == ""
    assert {"own_name", "relatives", "word_internal", "name_substrings"} <= set(ghotuo.unknown)
    assert "name" not in ghotuo.unknown


@pytest.mark.parametrize(
    ("query", "suggestion"),
    [("urdoo", "urd (Urdu)"), ("xosa", "xho (Xhosa)"), ("Croatien", "hrv (Croatian)")],
)
def test_a_wrong_name_gets_suggestions(query, suggestion):
    with pytest.raises(UserError) as wrong:
        Language.find(query)
    assert query in wrong.value.message
    assert suggestion in wrong.value.hint


def test_a_wrong_script_names_the_right_ones():
    with pytest.raises(UserError, match="Xyzz") as wrong:
        Language.find("srp-Xyzz")
    assert "srp-Cyrl" in wrong.value.hint and "srp-Latn" in wrong.value.hint


@pytest.mark.parametrize("query", ["", "und", "qzq", "x", "en glish", "12", "urd-"])
def test_what_is_no_language_is_refused(query):
    with pytest.raises(UserError):
        Language.find(query)


@settings(max_examples=40)
@given(st.text(max_size=20))
def test_any_text_is_found_or_refused(query):
    try:
        assert len(Language.find(query).code) == 3
    except UserError as wrong:
        assert wrong.hint  # noqa: PT017


def test_every_language_is_found_again_by_its_code_and_its_name():
    everything = Language.search("")
    assert len(everything) > 7800
    for language in everything:
        assert Language.find(language.code) is language
        # A name of two or three letters may be the code of another language: the code wins.
        assert len(language.name) <= 3 or Language.find(language.name) is language
        assert not language.iso639_1 or Language.find(language.iso639_1) is language
        assert language.direction in {"ltr", "rtl", ""}
        assert bool(language.scripts) == bool(language.script)


def test_relatives_are_languages_and_mutual():
    for language in Language.search(""):
        for code in language.relatives:
            assert Language.find(code).code == code
            assert language.code in Language.find(code).relatives


def test_search_puts_the_language_itself_first():
    assert Language.search("xhosa")[0].code == "xho"
    assert Language.search("ur")[0].code == "urd"
    assert [language.code for language in Language.search("ndebele")] == ["nde", "nbl"]
    assert Language.search("no such language") == []


def test_every_script_of_a_language_is_known():
    known = {script.code for script in scripts()}
    used = {script for language in Language.search("") for script in language.scripts}
    assert len(used - known) < 20, "only scripts that Unicode does not have"
    assert {"Latn", "Arab", "Deva", "Hans", "Jpan", "Ethi", "Mymr"} <= known


def test_the_first_look_up_is_quick():
    code = (
        "import time, corpulyzer.language as l; t = time.process_time(); l.Language.find('اردو');"
        "print(time.process_time() - t)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(run.stdout) < 0.5, "measured .02 s; slow enough here to show that something is read twice"
