"""Wider expressions fit all that the narrower ones fit, and those that are exact no more than that."""

import random

import pyarrow as pa
import pytest
import regex

from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.search import conditions, lexicon, lists
from corpulyzer.search.finding import vocabulary
from corpulyzer.search.finding.wider import widened
from corpulyzer.search.index import Index
from corpulyzer.search.kwic import kwic
from corpulyzer.search.lists import Wanted, listed
from corpulyzer.search.rows import Entry
from corpulyzer.search.units import fold

XHOSA, TURKISH = Language.find("xho"), Language.find("tur")
LETTERS = "aAbBiIıİßsſkKéÉǰŉﬃςΣ"
FORMS = [
    *("Straße", "strasse", "İstanbul", "ısı", "ISI", "a", "aa", "aab", "ǰﬃ", "ςΣ", "KSK", "ŉé", "", "b\n"),
]


def any_expression(chance, depth=0):
    kind = chance.randrange(10 if depth < 3 else 5)
    if kind < 3:
        return chance.choice(LETTERS)
    if kind < 5:
        return chance.choice((".", "[ab]", "[^A]", r"\w", r"\p{Lu}", "[ß-é]", r"[\]a]", r"\.", ".*", ".+"))
    one, other = any_expression(chance, depth + 1), any_expression(chance, depth + 1)
    if kind < 7:
        return one + other
    if kind == 7:
        return f"({one}|{other})"
    return f"(?:{one})" + chance.choice(("?", "*", "+", "{2}", "{,2}", "{1,}", "+?", "*+", "??"))


def fits(expression, values):
    found = widened(expression)
    return None if found is None else found.among(pa.array(values, pa.string()))


@pytest.mark.parametrize("language", [XHOSA, TURKISH])
def test_a_wider_expression_misses_no_spelling(language):
    chance = random.Random(4)
    forms = FORMS + ["".join(chance.choices(LETTERS, k=chance.randint(1, 6))) for _ in range(120)]
    folded = [fold(form, language) for form in forms]
    met = exact = 0
    for _ in range(500):
        expression = any_expression(chance)
        found = fits(expression, folded)
        compiled = regex.compile(expression)
        any_case = regex.compile(expression, regex.IGNORECASE | regex.FULLCASE)
        for form, value, may_be in zip(forms, folded, found, strict=True):
            own = any_case.fullmatch(value)
            assert may_be or not (own or compiled.fullmatch(form)), (expression, form)
            if widened(expression).exact and "ı" not in value:
                assert bool(may_be) == bool(own), (expression, value)
                exact += 1
            met += bool(own)
    assert met > 1_000 and exact > 1_000


@pytest.mark.parametrize(
    "expression", ["(?=a)b", "a{e<=1}", r"(a)\1", "(?i)a", "(?>a*)b", "^a", "a{61}", r"\bab"]
)
def test_other_signs_have_no_wider_expression(expression):
    assert widened(expression) is None


def put(index, words):
    index.put("p", "1", [Entry(1, "https://a.example/", "a.example", "", "", 0, None, " ".join(words))])


@pytest.fixture
def index(tmp_path):
    return Index(tmp_path / "c.sqlite", XHOSA)


def matches(index, query):
    return [line.match for line in kwic(index, query, limit=10**6)]


def test_an_expression_is_tried_on_few_of_many_words(index, monkeypatch):
    tried = []
    suits = conditions.Like._asked
    monkeypatch.setattr(
        conditions.Like, "_asked", lambda self, value: tried.append(value) or suits(self, value)
    )
    put(index, [*(f"abantu{n}" for n in range(900)), "Kraljestvo", "kraljestvo", "čudo", "mnoštvo"])
    assert matches(index, '[word=".*stvo"]') == ["Kraljestvo", "kraljestvo"]
    assert matches(index, '[lc=".*štvo|ču.o"]') == ["čudo", "mnoštvo"]
    assert [row.value for row in listed(index, Wanted(like=".*Stvo")).rows] == ["kraljestvo"]
    assert len(tried) < 10


def test_an_expression_that_takes_long_for_all_words_is_given_up(index, monkeypatch):
    monkeypatch.setattr(conditions, "SECONDS_FOR_ALL", 0.0)
    put(index, [f"abantu{n}" for n in range(5)])
    with pytest.raises(UserError, match="takes too long"):
        matches(index, '[lc="(?=a).*u.*"]')


def test_a_query_of_many_expressions_is_given_up(index, monkeypatch):
    monkeypatch.setattr(vocabulary, "SECONDS_FOR_A_QUERY", -60.0)
    put(index, ["abantu"])
    with pytest.raises(UserError, match="given up"):
        matches(index, '[lc=".*u"] | [lc=".*a"]')
    monkeypatch.setattr(lists, "SECONDS_FOR_A_QUERY", -60.0)
    with pytest.raises(UserError, match="given up"):
        listed(index, Wanted(like=".*u"))


def test_what_expressions_fit_is_remembered_of_few_values(index, monkeypatch):
    monkeypatch.setattr(conditions, "MOST_KNOWN", 3)
    asked = conditions.Like("words", regex.compile("a.*"))
    assert [asked.suits(f"{letter}b") for letter in "abcabcaaa"] == [letter == "a" for letter in "abcabcaaa"]
    assert len(asked._known) <= 3


def test_more_values_than_are_tried_at_once_are_found(index, monkeypatch):
    monkeypatch.setattr(vocabulary, "AT_ONCE", 4)
    monkeypatch.setattr(lexicon, "LETTERS_AT_ONCE", 10)
    words = [f"{a}{b}a" for a in "bcdf" for b in "aeiou"]
    put(index, words)
    assert matches(index, '[word=".eb?a|.u.a?|.oa"]') == [
        word for word in words if word[1] in "ou" or word[1] == "e"
    ]
    rows = listed(index, Wanted(like=".[ou]a"))
    assert sorted(row.value for row in rows.rows) == sorted(word for word in words if word[1] in "ou")
    assert rows.types == 8


def test_lists_of_values_with_capitals_and_dotless_letters(tmp_path):
    index = Index(tmp_path / "c.sqlite", TURKISH)
    entry = Entry(1, "https://a.example/", "a.example", "", "", 0, None, "ISI isi", lemmas=["Isı", "isi"])
    index.put("p", "1", [entry])
    with index.reading() as connection:
        assert not lexicon.ranks_of(index, connection, "lemmas").folded.all()
    assert [row.value for row in listed(index, Wanted(like="is.*")).rows] == ["isi"]
    assert {row.value for row in listed(index, Wanted("lemmas", like="is.*")).rows} == {"Isı", "isi"}


def test_where_nobody_may_write_ranks_are_made_once(index, monkeypatch):
    put(index, ["abantu", "Bantu"])
    made, ranked = [], lexicon._ranked
    monkeypatch.setattr(lexicon, "_ranked", lambda *given: made.append(given) or ranked(*given))
    monkeypatch.setattr(lexicon.os, "access", lambda *_: False)
    for _ in range(2):
        assert matches(index, '[lc=".*[ao]ntu"]') == ["abantu", "Bantu"]
    assert len(made) == 1
    monkeypatch.undo()
    index.put("q", "1", [Entry(2, "https://a.example/2", "a.example", "", "", 0, None, "xontu")])
    monkeypatch.setattr(lexicon.os, "access", lambda *_: False)
    assert matches(index, '[lc=".*[ao]ntu"]') == ["abantu", "Bantu", "xontu"]
