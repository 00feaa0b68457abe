"""The concordance finds what is there, in every script, and counts as its definitions say."""

import math
import random
from collections import Counter

import pytest

from corpulyzer.errors import UserError
from corpulyzer.lab.demo.prose import LANGUAGES, Prose
from corpulyzer.language import Language
from corpulyzer.search.finding.only import Only
from corpulyzer.search.index import Index
from corpulyzer.search.keywords import keywords, read_reference
from corpulyzer.search.kwic import kwic
from corpulyzer.search.matches import find, unknown
from corpulyzer.search.measures import clusters, collocations, log_likelihood
from corpulyzer.search.query import parse
from corpulyzer.search.rows import Entry
from corpulyzer.search.spread.groups import by_site, dispersion
from corpulyzer.search.units import units_of
from corpulyzer.text import tokens

XHOSA = Language.find("xho")


def entry(number, text, site="a.example", **fields):
    known = {"title": "", "license": "", "date": 0, "quality": None, **fields}
    return Entry(id=number, url=f"https://{site}/{number}", site=site, text=text, **known)


@pytest.fixture
def index(tmp_path):
    return Index(tmp_path / "index" / "c.sqlite", XHOSA)


def fill(index, *texts, part="p", **fields):
    index.put(part, "1", [entry(n, text, **fields) for n, text in enumerate(texts, 1)])
    return index


def matches(index, query, **options):
    return [line.match for line in kwic(index, query, **options)]


@pytest.mark.parametrize("code", LANGUAGES)
def test_its_words_are_those_of_the_tokeniser_in_every_language(code, tmp_path):
    language = Language.find(code)
    text = "\n".join(Prose(code).paragraph(random.Random(n)) for n in range(30))
    index = fill(Index(tmp_path / "c.sqlite", language), text)
    words = tokens(text, language)
    with index.reading() as connection:
        counted = dict(connection.execute("select value, count from lexicon where stream = 'words'"))
    assert counted == Counter(word.casefold() for word in words)
    for word in sorted(set(words))[::25]:
        assert len(matches(index, word, limit=10**6)) == counted[word.casefold()]


@pytest.mark.parametrize(
    "text, query, other",
    [
        ("हिन्दी वाक्य यहाँ है", "वाक्य", "वाक"),
        ("اُردُو زبان ہے", "اُردُو", "ارد"),
        ("من می‌خواهم بروم", "می‌خواهم", "خواهم"),
        ("ọ̀rọ̀ Yorùbá ni", "yorùbá", "yoruba"),
        ("Inkomo ng’ombe apha", "ng’ombe", "ombe"),
        ("ከተማ ውስጥ ነው።", "ውስጥ", "ውስ"),
        ("𞤀𞤣𞤤𞤢𞤥 𞤨𞤵𞤤𞤢𞤪", "𞤀𞤣𞤤𞤢𞤥", "𞤀𞤣"),
        ("བོད་ཡིག་གི་སྐད", "ཡིག", "ཡི"),
    ],
)
def test_a_word_is_found_whole_and_never_in_part(index, text, query, other):
    fill(index, text)
    assert len(matches(index, query)) == 1
    assert matches(index, other) == []


@pytest.mark.parametrize(
    "text, query, times",
    [
        ("ภาษาไทยเป็นภาษาที่มีระดับเสียง", "ภาษา", 2),
        ("ภาษาไทยเป็นภาษาที่มีระดับเสียง", "ไทย", 1),
        ("မြန်မာစာသည် မြန်မာ", "မြန်မာ", 2),
        ("日本語の文章。日本の本", "日本", 2),
        ("日本語の文章とPython言語", "python", 1),
        ("ភាសាខ្មែរ", "ខ្មែរ", 1),
    ],
)
def test_a_word_is_found_where_a_script_writes_no_spaces(index, text, query, times):
    fill(index, text)
    assert matches(index, query) == [text[text.lower().index(query) :][: len(query)]] * times


def test_capitals_do_not_matter_and_turkish_has_its_own(tmp_path, index):
    fill(index, "ABANTU Abantu abantu")
    assert len(matches(index, "abantu")) == 3
    turkish = fill(Index(tmp_path / "t.sqlite", Language.find("tur")), "İstanbul ISPARTA")
    assert matches(turkish, "istanbul") == ["İstanbul"]
    assert matches(turkish, "ısparta") == ["ISPARTA"]


def test_phrases_prefixes_gaps_and_alternatives(index):
    fill(index, "Abantu base Afrika bathi abantwana bakhe base kude.\nAbantu\nbase")
    assert matches(index, "abantu base") == ["Abantu base"], "a phrase stays in its paragraph"
    assert matches(index, "abant* ba*") == ["Abantu base", "abantwana bakhe"]
    assert matches(index, "abantu * afrika") == ["Abantu base Afrika"]
    assert matches(index, "kude|bathi") == ["bathi", "kude"]
    assert matches(index, "nothing") == []


def test_lemmas_and_tags_are_found_where_there_is_an_annotation(index):
    index.put(
        "p",
        "1",
        [
            entry(
                1,
                "Abantu bathi umntu",
                lemmas=["umntu", "thi", "umntu"],
                tags=["NOUN", "VERB", "NOUN"],
                xtags=["Ncmp", "Vm", "Ncms"],
            ),
            entry(2, "Umntu bathi"),
        ],
    )
    assert matches(index, "lemma:umntu") == ["Abantu", "umntu"]
    assert matches(index, "lemma:umntu tag:VERB") == ["Abantu bathi"]
    assert matches(index, "tag:V* umntu") == ["bathi umntu"]
    assert matches(index, "xpos:Nc* upos:VERB") == ["Abantu bathi"]
    index.forget("p")
    assert matches(index, "lemma:umntu") == []


def test_a_query_without_a_word_says_what_a_query_is():
    with pytest.raises(UserError, match="no word to look for"):
        parse("!?", XHOSA)
    with pytest.raises(UserError, match="no word"):
        parse("* *", XHOSA)


def test_a_line_has_its_context_in_the_order_of_reading(index):
    fill(index, "Kudala abantu bahlala apha emlanjeni.\nNamhlanje abantu abekho.")
    first, _ = kwic(index, "abantu", width=16)
    assert (first.before, first.match, first.after) == ("Kudala ", "abantu", " bahlala apha")
    _, second = kwic(index, "abantu", width=24)
    assert second.before == "emlanjeni. ¶ Namhlanje " and second.after == " abekho."


def test_lines_are_sorted_by_what_stands_before_or_after(index):
    fill(index, "c x b", "a x c", "b x a")
    assert [line.id for line in kwic(index, "x", order="before")] == [2, 3, 1]
    assert [line.id for line in kwic(index, "x", order="after")] == [3, 1, 2]
    assert [line.id for line in kwic(index, "x", order="after", limit=1, offset=1)] == [1]
    with pytest.raises(UserError, match="Orders: document, before"):
        kwic(index, "x", order="left")


def test_filters_limit_the_documents(index):
    day = 86_400
    index.put(
        "p",
        "1",
        [
            entry(1, "x", "a.example", license="cc-by", date=0, quality=0.9),
            entry(2, "x", "b.example", license="cc0", date=day, quality=0.2),
            entry(3, "x", "b.example", date=2 * day),
        ],
    )

    def found(**only):
        return [line.id for line in kwic(index, "x", only=Only(**only))]

    assert found(site="b.example") == [2, 3]
    assert found(license="cc-by") == [1]
    assert found(since="1970-01-02") == [2, 3]
    assert found(until="1970-01-02") == [1, 2]
    assert found(min_quality=0.5) == [1]
    assert found(site="nowhere.example") == []


def test_a_part_that_changed_takes_the_place_of_the_old_one(index):
    fill(index, "abantu apha", "abantu phaya", part="one")
    fill(index, "abantu kude", part="two")
    assert index.stale({"one": "1", "two": "2", "three": "1"}) == (["two", "three"], [])
    index.put("one", "2", [entry(7, "abafazi apha")])
    assert matches(index, "abantu") == ["abantu"]
    assert matches(index, "phaya") == []
    with index.reading() as connection:
        words = dict(connection.execute("select value, count from lexicon where stream = 'words'"))
    assert words == {"abafazi": 1, "abantu": 1, "apha": 1, "kude": 1}
    index.forget("two")
    assert matches(index, "kude") == []


def test_an_index_that_followed_random_changes_answers_as_one_made_anew(index, tmp_path):
    rng = random.Random(3)
    words = ["abantu", "apha", "phaya", "kude", "umntu", "ilizwe"]

    def document(number):
        text = " ".join(rng.choices(words, k=rng.randint(1, 8)))
        return entry(number, text, f"{rng.randrange(3)}.example", title=rng.choice("xy"))

    parts = {
        part: {number: document(number) for number in range(10 * part, 10 * part + 8)} for part in range(2)
    }
    for turn in range(5):
        fresh = Index(tmp_path / str(turn) / "c.sqlite", XHOSA)
        for part, documents in parts.items():
            moved = index.put(str(part), str(turn), documents.values())
            assert moved <= (6 if turn else 8), "what is as it was is left alone"
            fresh.put(str(part), str(turn), documents.values())
            for number in rng.sample(sorted(documents), 2):
                documents[number] = document(number)
            del documents[rng.choice(sorted(documents))]
            documents[100 * turn + 50 + part] = document(100 * turn + 50 + part)
        assert state(index) == state(fresh)
        for query in (*words, "abantu apha", "ph*"):
            assert lines(index, query) == lines(fresh, query)


def lines(index, query):
    return sorted((line.url, line.title, line.before, line.match, line.after) for line in kwic(index, query))


def state(index):
    """The numbers of words, sites and documents, in an order that does not depend on when they came."""
    with index.reading() as connection:
        return [
            sorted(connection.execute(sql))
            for sql in (
                "select stream, value, count, documents from lexicon",
                "select site, documents, words from sites",
                "select id, url, title, words from documents",
            )
        ]


def test_a_removed_document_leaves_nothing_in_the_file(index):
    secret = "Imfihlelo" * 3
    fill(index, f"abantu {secret}", "abantu apha")
    assert index.remove([1]) == 1
    assert matches(index, secret) == [] and len(matches(index, "abantu")) == 1
    files = [file for file in index.path.parent.rglob("*") if file.is_file()]
    assert not any(secret.lower().encode() in file.read_bytes() for file in files)


def test_a_sample_of_many_documents_estimates_and_says_so(index):
    fill(index, *["abantu abantu apha"] * 300)
    whole, part = (find(index, parse("abantu apha", XHOSA), most=most) for most in (1000, 50))
    assert (whole.hits, whole.exact, whole.examined) == (300, True, 300)
    assert (part.hits, part.exact, part.examined, part.documents) == (300, False, 50, 300)
    assert find(index, parse("abantu", XHOSA), most=50).hits == 600, "one word is counted exactly"


def test_collocations_by_hand(index):
    """Node x: 4 of 20 words; y stands beside it 3 times and occurs 5 times."""
    fill(index, "x y\nx y\nx y\nx z\ny a\ny b\nc d\ne f\ng h\ni j")
    rows = {row.word: row for row in collocations(index, find(index, parse("x", XHOSA)), window=2, least=1)}
    y = rows["y"]
    assert (y.together, y.count) == (3, 5)
    assert y.log_dice == pytest.approx(14 + math.log2(6 / 9))
    assert y.mutual_information == pytest.approx(math.log2(3 * 20 / (4 * 5)))
    expected = 2 * (3 * math.log(3 / 1) + 1 * math.log(1 / 3) + 2 * math.log(2 / 4) + 14 * math.log(14 / 12))
    assert y.log_likelihood == pytest.approx(expected)
    assert set(rows) == {"y", "z"}, "the window ends with the paragraph"


def test_log_likelihood_of_independence_is_nothing():
    assert log_likelihood(6, 20, 30, 100) == pytest.approx(0)


def test_sites_and_dispersion_by_hand(index):
    """Both sites have half of the words; one has 3 of 4 matches: half of |3/4-1/2| + |1/4-1/2|."""
    index.put("p", "1", [entry(1, "x x x y", "a.example"), entry(2, "x y y y", "b.example")])
    found = find(index, parse("x", XHOSA))
    assert [(row.site, row.hits, row.per_million) for row in by_site(index, found)] == [
        ("a.example", 3, 750_000),
        ("b.example", 1, 250_000),
    ]
    assert dispersion(index, found).deviation == pytest.approx(0.25)


def test_clusters_hold_the_match(index):
    fill(index, "a x b a x b x c")
    assert clusters(find(index, parse("x", XHOSA)), 2) == [("a x", 2), ("x b", 2), ("b x", 1), ("x c", 1)]


def test_keywords_against_a_list(index, tmp_path):
    fill(index, "abantu abantu abantu abantu kunye kunye kunye kunye")
    path = tmp_path / "reference.tsv"
    path.write_text("word\tcount\nKunye\t50\nkunye\t50\nizinto\t100\n", "utf-8")
    reference = read_reference(path, XHOSA)
    assert reference == {"kunye": 100, "izinto": 100}
    (row,) = keywords(index, reference)
    assert (row.word, row.count, row.reference_count) == ("abantu", 4, 0)
    assert row.log_ratio == pytest.approx(math.log2(0.5 / (0.5 / 200)))
    path.write_text("ngaphandle kwenani apha\nngaphandle kwenani apha\n", "utf-8")
    with pytest.raises(UserError, match="line 2"):
        read_reference(path)


def test_marks_stay_with_their_characters():
    units = units_of("น้ำใจ")
    assert "".join(units.words) == "น้ำใจ" and units.words[0] == "น้"


def test_only_documents_with_a_match_are_counted(index):
    fill(index, "abantu base kude", "abantu kude base", "abantu\nbase")
    found = kwic(index, "abantu * kude")
    assert (found.hits, found.documents, found.exact) == (1, 1, True)
    assert kwic(index, "base * abantu").total == "0 in 0 documents"


def test_the_first_lines_do_not_decide_how_many_there_are(index):
    fill(index, " ".join(["abantu"] * 30), *["abantu kude"] * 79)
    found = kwic(index, "aba*", limit=3)
    assert len(found) == 3
    assert (found.hits, found.documents, found.exact) == (30 + 79, 80, True)


def test_many_documents_are_counted_by_a_sample_of_all(index):
    fill(index, *[" ".join(["abantu"] * 30)] * 2, *["abantu kude"] * 298, *["kude abantu"] * 300)
    found = kwic(index, "abantu kude", limit=1)
    assert not found.exact and 250 <= found.hits <= 350 and 250 <= found.documents <= 350


def test_an_estimate_knows_how_long_all_documents_are(index):
    """By hand: n pairs in the n-th document, 1 + 2 + … + 300; a mean of a sample of 100 would be off by percents."""
    fill(index, *[" ".join(["abantu kude"] * n) for n in random.Random(4).sample(range(1, 301), 300)])
    found = kwic(index, "abantu kude", limit=1)
    assert not found.exact and found.hits == 300 * 301 // 2 and found.documents == 300


def test_a_star_stands_at_the_end_of_every_alternative_or_of_none(index):
    fill(index, "abantu umntu kude")
    assert matches(index, "aba*|umn*") == ["abantu", "umntu"]
    assert [place.condition.values for place in parse("lemma:aba*|umn*", XHOSA).pattern.places()] == [
        ("aba", "umn")
    ]
    for query in ("aba*|umntu", "umntu|aba*", "lemma:aba*|umntu"):
        with pytest.raises(UserError, match="at some words only"):
            parse(query, XHOSA)
    with pytest.raises(UserError, match="star inside"):
        parse("ab*tu", XHOSA)


def test_filters_speak_as_those_of_exports(index):
    kinds = ("cc-by", "cc0", "public-domain", "", "all-rights-reserved")
    index.put("p", "1", [entry(n, "x", "b.example", license=kind) for n, kind in enumerate(kinds, 1)])

    def found(**only):
        return [line.id for line in kwic(index, "x", only=Only(**only))]

    assert found(license="cc") == [1, 2, 3]
    assert found(license="none") == [4]
    assert found(site="WWW.B.example") == [1, 2, 3, 4, 5]
    assert found(until="9999-12-31") == [1, 2, 3, 4, 5]


def test_a_query_for_what_was_never_annotated_is_told_so(index):
    index.put("p", "1", [entry(1, "Abantu bathi", lemmas=["umntu", "thi"])])
    assert unknown(index, parse("lemma:nothing", XHOSA)) == ""
    assert unknown(index, parse("lemma:umntu tag:NOUN", XHOSA)) == "tags"
    index.put("p", "2", [entry(1, "Abantu bathi")])
    assert unknown(index, parse("abantu", XHOSA)) == ""
    assert unknown(index, parse("lemma:umntu", XHOSA)) == "lemmas"


def test_a_list_that_was_exported_is_read_and_an_empty_one_refused(tmp_path):
    path = tmp_path / "list.tsv"
    path.write_text("rank\tword\tfrequency\tdocuments\n1\tKunye\t50\t7\n2\t12\t9\t3\n", "utf-8")
    assert read_reference(path, XHOSA) == {"kunye": 50, "12": 9}
    for text, why in (("", "no word"), ("ngaphandle kwenani\n", "no word"), ("{", "no list of words")):
        path.write_text(text, "utf-8")
        with pytest.raises(UserError, match=why):
            read_reference(path)
