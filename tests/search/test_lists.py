"""Lists of words and sequences, words in company, and measures of it, each counted another way."""

import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from scipy.stats import hypergeom

from corpulyzer.errors import UserError
from corpulyzer.jobs.search.concordance import matches_in
from corpulyzer.language import Language
from corpulyzer.search import lists, measures
from corpulyzer.search.finding.only import Only
from corpulyzer.search.index import Index
from corpulyzer.search.lists import Wanted, listed
from corpulyzer.search.measures import MEASURES, fisher
from corpulyzer.search.pattern import Near
from corpulyzer.search.rows import Entry

XHOSA = Language.find("xho")
TEXTS = [
    "Abantu base Afrika bathi abantu base.\nAbantu bathi.",
    "Umntu wathi abantu base Kapa. Abantu base kude.",
    "Kapa kude.",
]
FACTS = ("a.example", "", "", 0, None)


@pytest.fixture
def index(tmp_path):
    made = Index(tmp_path / "c.sqlite", XHOSA)
    entries = [Entry(n, f"https://a.example/{n}", *FACTS, text) for n, text in enumerate(TEXTS)]
    made.put("p", "1", entries)
    return made


def words_of(text):
    return [line.replace(".", "").casefold().split() for line in text.split("\n")]


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_sequences_are_counted_within_their_paragraphs(index, n):
    counts, documents = Counter(), Counter()
    for text in TEXTS:
        here = Counter(
            " ".join(line[start : start + n]) for line in words_of(text) for start in range(len(line) - n + 1)
        )
        counts += here
        documents.update(here.keys())
    found = listed(index, Wanted(n=n), limit=1000)
    assert found.exact and {row.value: (row.count, row.documents) for row in found.rows} == {
        value: (count, documents[value]) for value, count in counts.items()
    }
    assert (found.types, found.tokens) == (len(counts), counts.total())
    assert [row.count for row in found.rows] == sorted(counts.values(), reverse=True)
    assert found.rows[0].per_million == pytest.approx(1e6 * found.rows[0].count / counts.total())


def test_a_list_is_narrowed_and_paged(index):
    assert [row.value for row in listed(index, Wanted(like="AB.*")).rows] == ["abantu"]
    assert [row.value for row in listed(index, Wanted(least=4)).rows] == ["abantu", "base"]
    assert [row.value for row in listed(index, Wanted(least=2), limit=2, offset=2).rows] == ["bathi", "kapa"]
    assert listed(index, Wanted("lemmas")).rows == () and listed(index, Wanted("tags", 2)).tokens == 0


@pytest.mark.parametrize("stream", ["lemmas", "tags"])
def test_sequences_of_lemmas_and_tags_are_those_of_tokens_and_skip_what_nothing_is_told_of(tmp_path, stream):
    """Marks are tokens; a paragraph of another language has no lemmas and no tags."""
    made = Index(tmp_path / "c.sqlite", XHOSA)
    spans = [(0, 6), (7, 12), (12, 13), (14, 17), (18, 21), (21, 22)]
    told = {"lemmas": ["ntu", "thi", ".", "", "", ""], "tags": ["NOUN", "VERB", "PUNCT", "", "", ""]}
    facts = {"tokens": spans, "sentences": [2, 5], **told}
    made.put(
        "p",
        "1",
        [
            Entry(1, "https://a.example/1", *FACTS, "Abantu bathi.\nOne two.", **facts),
            Entry(
                2, "https://a.example/2", *FACTS, "abantu bathi", lemmas=["ntu", "thi"], tags=["NOUN", "VERB"]
            ),
            Entry(3, "https://a.example/3", *FACTS, "abantu bathi"),
        ],
    )
    first, second, mark = told[stream][:3]
    assert {row.value: row.count for row in listed(made, Wanted(stream, 2)).rows} == {
        f"{first} {second}": 2,
        f"{second} {mark}": 1,
    }
    assert {row.value for row in listed(made, Wanted(stream)).rows} == {first, second, mark}
    assert "_" not in {row.value for row in listed(made, Wanted(stream, like=".*")).rows}


def test_a_sample_of_documents_is_scaled_up_and_says_so(index, monkeypatch):
    monkeypatch.setattr(lists, "MOST_DOCUMENTS", 2)
    found = listed(index, Wanted(n=2))
    assert (found.exact, found.examined) == (False, 2)


@pytest.mark.parametrize("wrong", [{"stream": "x"}, {"n": 0}, {"n": 6}, {"like": "("}])
def test_a_list_that_cannot_be_is_refused(wrong):
    with pytest.raises(UserError):
        Wanted(**wrong)


def test_only_matches_in_the_company_of_a_word_are_found(index):
    def lines(query, word, window):
        met = matches_in(index, query, Only(), near=Near(word, window))
        return [(line.id, line.match) for line in met.lines()]

    assert lines("abantu", "Kapa", 2) == [(1, "abantu"), (1, "Abantu")]
    assert lines("abantu", "kapa", 1) == [(1, "Abantu")]
    assert lines("abantu", "afrika", 5) == [(0, "Abantu"), (0, "abantu")], "not beyond the paragraph"
    assert lines('[word="Abantu"] [word="base"]', "kude", 1) == [(1, "Abantu base")]


def test_a_distribution_adds_up_by_month_license_and_place(tmp_path):
    index = Index(tmp_path / "c.sqlite", XHOSA)
    months = [0, 40 * 86_400, 40 * 86_400]
    entries = [
        Entry(n, f"https://a.example/{n}", "a.example", "", "cc0" if n else "", months[n], None, text)
        for n, text in enumerate(TEXTS)
    ]
    index.put("p", "1", entries)
    met = matches_in(index, "abantu", Only())
    words = [sum(map(len, words_of(text))) for text in TEXTS]
    assert [(row.name, row.hits, row.documents) for row in met.distribution()] == [
        ("1970-01", 3, 1),
        ("1970-02", 2, 1),
    ]
    assert met.distribution()[1].per_million == pytest.approx(1e6 * 2 / (words[1] + words[2]))
    assert {row.name: row.hits for row in met.distribution("license")} == {"none": 3, "cc0": 2}
    assert {row.name: row.hits for row in met.distribution("place")} == {
        "00 to 10 %": 3,
        "30 to 40 %": 2,
        "60 to 70 %": 0,
    }
    with pytest.raises(UserError, match="spread over"):
        met.distribution("x")


@pytest.mark.parametrize("both, first, second, total", [(3, 4, 4, 8), (1, 5, 7, 1000), (60, 90, 400, 10_000)])
def test_fisher_is_the_tail_of_the_hypergeometric(both, first, second, total):
    wanted = -hypergeom.logsf(both - 1, total, first, second) / math.log(10)
    assert fisher(both, first, second, total) == pytest.approx(wanted, rel=1e-6)


def test_fisher_equals_the_sum_of_all_chances():
    chance = random.Random(3)
    for _ in range(300):
        total = chance.randint(1, 50)
        first, second = chance.randint(0, total), chance.randint(0, total)
        both = chance.randint(0, min(first, second))
        ways = [
            math.comb(first, n) * math.comb(total - first, second - n)
            for n in range(both, min(first, second) + 1)
        ]
        wanted = -math.log10(Fraction(sum(ways), math.comb(total, second)))
        assert fisher(both, first, second, total) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def test_fisher_adds_few_chances_for_pairs_that_are_rarer_than_by_chance(monkeypatch):
    """One stands beside the other once, and would 25,000 times: all chances but one are of more."""
    asked = []
    factors = measures._factors
    monkeypatch.setattr(
        measures, "_factors", lambda *own, **rest: asked.append(len(rest["turns"])) or factors(*own, **rest)
    )
    assert fisher([1, 24_000], 10**7, 10**6, 4 * 10**8) == pytest.approx([0, 0], abs=1e-9)
    assert sum(asked) < 1_000


def test_collocations_are_sorted_by_the_measure_that_is_asked_for(index):
    met = matches_in(index, "abantu", Only())
    rows = {row.word: row for row in met.collocations(1)}
    base = rows["base"]
    node, count, total, both = 5, 4, 18, 4
    assert (base.together, base.count) == (both, count)
    assert base.mutual_information_3 == pytest.approx(math.log2(both**3 * total / (node * count)))
    assert base.t_score == pytest.approx((both - node * count / total) / math.sqrt(both))
    for measure in MEASURES:
        values = [getattr(row, measure) for row in met.collocations(3, measure)]
        assert values == sorted(values, reverse=True) and len(values) > 2
    with pytest.raises(UserError, match="no measure"):
        met.collocations(3, "x")
