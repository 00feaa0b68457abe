"""The query language of corpora: what it finds equals what an enumeration of all stretches of tokens finds."""

import random

import pytest
import regex

from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.search.index import Index
from corpulyzer.search.kwic import kwic
from corpulyzer.search.matches import find
from corpulyzer.search.query import parse
from corpulyzer.search.rows import Entry
from corpulyzer.text.spans import sentence_spans

SLOVENE = Language.find("slv")
SENTENCES = [
    [("Lani", "lani", "ADV"), ("je", "biti", "AUX"), ("bilo", "biti", "VERB"), (".", ".", "PUNCT")],
    [("Leto", "leto", "NOUN"), ("ni", "biti", "AUX"), ("dan", "dan", "NOUN"), ("!", "!", "PUNCT")],
]


def entry(number, sentences, **fields):
    """A document of one paragraph, with the annotation of its tokens."""
    tokens = [token for sentence in sentences for token in sentence]
    text, spans = "", []
    for form, _, tag in tokens:
        text += " " if text and tag != "PUNCT" else ""
        spans.append((len(text), len(text) + len(form)))
        text += form
    ends = [sum(map(len, sentences[: n + 1])) - 1 for n in range(len(sentences))]
    known = {"site": "a.example", "title": "", "license": "", "date": 0, "quality": None, **fields}
    return Entry(
        id=number,
        url=f"https://a.example/{number}",
        text=text,
        tokens=spans,
        sentences=ends,
        lemmas=[lemma.lower() for _, lemma, _ in tokens],
        tags=[tag for *_, tag in tokens],
        **known,
    )


@pytest.fixture
def index(tmp_path):
    return Index(tmp_path / "index" / "c.sqlite", SLOVENE)


@pytest.fixture
def leto(index):
    index.put("p", "1", [entry(1, SENTENCES)])
    return index


def matches(index, query):
    return [line.match for line in kwic(index, query, limit=10**6)]


@pytest.mark.parametrize(
    "query, found",
    [
        ('[lemma="leto"]', ["Leto"]),
        ('[word="leto"]', []),
        ('[word="leto"%c]', ["Leto"]),
        ('[lc="leto"]', ["Leto"]),
        ('[lemma="biti" & tag="AUX"]', ["je", "ni"]),
        ('[lemma="biti" & tag!="AUX"]', ["bilo"]),
        ('[lemma="biti" & !(tag="AUX" | word="x")]', ["bilo"]),
        ('[tag="NOUN|VERB"]', ["bilo", "Leto", "dan"]),
        ('[tag="N.*"] [] [tag="N.*"]', ["Leto ni dan"]),
        ('[lemma="b.ti"]{2}', ["je bilo"]),
        ('[lemma="lani"] []{0,2} [tag="VERB"]', ["Lani je bilo"]),
        ('[lemma="lani"] [tag="VERB"]?', ["Lani"]),
        ('[tag="AUX"] ("bilo" | "dan" "!") ', ["je bilo", "ni dan!"]),
        ('[word="."%l]', ["."]),
        (r'[word="\."]', ["."]),
        ('[tag="PUNCT"] []', [". Leto"]),
        ('[tag="PUNCT"] [] within s', []),
        ('[word="."] [lemma="leto"] within doc', [". Leto"]),
        ('[word=".*o"%c]+', ["bilo", "Leto"]),
        ('[lemma="biti"] []{2,}', ["je bilo. Leto ni dan!"]),
        ('[tag="xyz"]', []),
        ('[lemma="léto"%d]', ["Leto"]),
        ('[word="danes|dan"]', ["dan"]),
        ('[!tag="PUNCT"]+ within s', ["Lani je bilo", "Leto ni dan"]),
    ],
)
def test_patterns_by_hand(leto, query, found):
    assert matches(leto, query) == found


def test_a_document_without_annotation_is_asked_by_its_words(index):
    index.put(
        "p", "1", [Entry(1, "https://a.example/", "a.example", "", "", 0, None, "Leto ni dan. Dan je.")]
    )
    assert matches(index, '[word="Leto"] [] "dan"') == ["Leto ni dan"]
    assert matches(index, '"ni" []{2} within s') == []
    assert matches(index, '"ni" []{2}') == ["ni dan. Dan"]
    assert matches(index, '[lemma="leto"]') == []


def test_tokens_that_are_parts_of_words_are_found(index):
    found = entry(1, [[("don't", "do", "VERB")]])
    split = {"tokens": [(0, 2), (2, 5)], "sentences": [1], "lemmas": ["do", "not"], "tags": ["AUX", "PART"]}
    index.put("p", "1", [Entry(**{name: getattr(found, name) for name in Entry.__slots__} | split)])
    assert matches(index, '[word="n\'t"]') == ["n't"]
    assert matches(index, '[word="n.t"]') == ["n't"]
    assert matches(index, "don't") == ["don't"]
    index.forget("p")
    assert matches(index, '[word="n\'t"]') == []
    with index.reading() as connection:
        assert connection.execute("select count(*) from lexicon").fetchone() == (0,)


@pytest.mark.parametrize(
    "query, place",
    [
        ('[lemma="leto"', "at its end"),
        ("[lema='leto']", r"at \"lema='leto'\]\" \(character 2\)"),
        ("[lemma=leto]", r"at 'leto\]' \(character 8\)"),
        ('[lemma="leto"] within x', r"character 16.*within doc"),
        ('[lemma="leto"] ]', r"character 16"),
        ('[word="(leto"]', r"character 7.*regular expression"),
        ('[word="a"]{3,1}', r"character 11.*smaller number first"),
        ('[word="a"]{}', "how often"),
        ('[word="a"]{500}', "at most 100"),
        ('[word="a"%x]', "%c"),
        ("[]*", "at least one unit"),
        ("(" * 60 + "[]" + ")" * 60, "50 parentheses"),
        ("[" + "!" * 60 + 'word="a"]', "fewer"),
        ('[word="' + "a" * 1000 + '"]', "1,000"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(query, place):
    with pytest.raises(UserError) as error:
        parse(query, SLOVENE)
    assert regex.search(place, f"{error.value.message} {error.value.hint}")


def test_an_expression_that_would_take_for_ever_is_given_up(index):
    index.put("p", "1", [entry(1, [[("a" * 60 + "b", "a", "X")]])])
    with pytest.raises(UserError, match="takes too long"):
        matches(index, '[word="(a|aa)+[cd]"]')


@pytest.mark.parametrize(
    "query, found",
    [
        ('[word="[^s]traße"]', ["Straße"]),
        ('[word="(?!s).*aße"]', ["Straße"]),
        ('[word="Straß.*"]', ["Straße"]),
        ('[word="Stra.e"]', ["Straße"]),
        ('[word=".*ße"%c]', ["Straße"]),
        ('[lc="stra.*"]', ["Straße"]),
        ('[lemma="gro(ß|s)"]', ["Straße"]),
        ('[tag="noun"%c]', ["Straße"]),
        ('[word="10 000"]', ["10 000"]),
        ('[word="\\""%l]', ['"']),
    ],
)
def test_no_document_is_missed_by_what_the_index_is_asked(index, query, found):
    tokens = [("Straße", "groß", "NOUN"), ("10 000", "10 000", "NUM"), ('"', '"', "X")]
    index.put("p", "1", [entry(1, [tokens])])
    assert matches(index, query) == found


def test_a_word_that_is_only_a_part_of_tokens_is_in_no_document(index):
    index.put("p", "1", [entry(1, [[("don't", "do", "VERB")]])])
    split = Entry(2, "https://a.example/2", "a.example", "", "", 0, None, "don't", tokens=[(0, 2), (2, 5)])
    index.put("q", "1", [split])
    found = find(index, parse("do", SLOVENE))
    assert (found.hits, found.documents, found.exact) == (0, 0, True)


@pytest.mark.parametrize(
    "value", ["(?:(?:a{1000}){1000}){1000}", "(?R)", "(a|(?1))*b", "(?V0)(?V1)a.*", "(?au)a", "(?P<x>a(?&x))"]
)
def test_an_expression_that_grows_without_bounds_is_refused(value):
    with pytest.raises(UserError, match="regular expression"):
        parse(f'[word="{value}"]', SLOVENE)


def test_a_pattern_of_words_is_found_where_no_annotation_is(index):
    chance = random.Random(8)
    texts = [" ".join(chance.choices("abcde", k=12)) for _ in range(40)]
    known = {"site": "a.example", "title": "", "license": "", "date": 0, "quality": None}
    index.put(
        "p", "1", [Entry(n, f"https://a.example/{n}", text=text, **known) for n, text in enumerate(texts)]
    )
    for query, pattern in (
        ('[lc="a"] []{0,2} [lc="b|c"]', r"a (?:\w ){0,2}[bc]"),
        ('[lc="a"] [lc="b.*"]{2}', r"a b b"),
        ('([lc="a"] | [lc="b"] [lc="c"]) [lc="d"]', r"(?:a|b c) d"),
    ):
        wanted = sum(bool(regex.search(pattern, text)) for text in texts)
        assert wanted and kwic(index, query, limit=10**6).documents == wanted, query


def test_sentences_of_texts_without_annotation_equal_an_enumeration(index):
    chance = random.Random(9)
    texts = [
        "\n".join(
            " ".join(
                " ".join(chance.choices(("leto", "dan", "noč", "hiša"), k=4)).capitalize() + "."
                for _ in range(3)
            )
            for _ in "12"
        )
        for _ in range(60)
    ]
    known = {"site": "a.example", "title": "", "license": "", "date": 0, "quality": None}
    index.put(
        "p", "1", [Entry(n, f"https://a.example/{n}", text=text, **known) for n, text in enumerate(texts)]
    )
    wanted = [
        found.group()
        for text in texts
        for line in text.split("\n")
        for begin, end in sentence_spans(line, SLOVENE)
        for found in regex.finditer(r"(?i)leto ((?:noč|hiša) )?dan", line[begin:end])
    ]
    assert len(wanted) > 50
    assert matches(index, '[lc="leto"] [lc="noč|hiša"]? [lc="dan"] within s') == wanted


def test_a_pattern_that_takes_for_ever_is_given_up(index, monkeypatch):
    monkeypatch.setattr("corpulyzer.search.finding.vocabulary.SECONDS_FOR_A_QUERY", 0.2)
    index.put("p", "1", [entry(1, [[("a", "a", "N")] * 1_500])])
    with pytest.raises(UserError, match="given up"):
        matches(index, "([]+)+")


FORMS, TAGS = ("a", "b", "c"), ("N", "V")


def any_condition(chance, depth=0):
    """A condition in the language, and a function from a token to whether it fits."""
    kind = chance.randrange(7 if depth < 2 else 4)
    form, tag = chance.choice(FORMS), chance.choice(TAGS)
    if kind == 0:
        return f'word="{form}"', lambda token: token[0] == form
    if kind == 1:
        return f'tag="{tag}"', lambda token: token[2] == tag
    if kind == 2:
        return 'word="[ab]"', lambda token: token[0] in "ab"
    if kind == 3:
        return f'lemma!="{form}"', lambda token: token[1] != form
    (one, fits), (other, suits) = any_condition(chance, depth + 1), any_condition(chance, depth + 1)
    if kind == 4:
        return f"!({one})", lambda token: not fits(token)
    if kind == 5:
        return f"({one}) & ({other})", lambda token: fits(token) and suits(token)
    return f"({one}) | ({other})", lambda token: fits(token) or suits(token)


def any_pattern(chance, tokens, depth=0):
    """A pattern in the language, and as a regular expression over one letter for each kind of token."""
    kind = chance.randrange(5 if depth < 3 else 1)
    if kind <= 1:
        text, fits = any_condition(chance)
        letters = "".join(letter for letter, token in tokens.items() if fits(token))
        return f"[{text}]", f"[{letters}]" if letters else r"(?!)"
    (one, first), (other, second) = (any_pattern(chance, tokens, depth + 1) for _ in range(2))
    if kind == 2:
        return f"{one} {other}", f"(?:{first}{second})"
    if kind == 3:
        return f"({one} | {other})", f"(?:{first}|{second})"
    times = chance.choice(("?", "*", "+", "{2}", "{1,3}", "{0,2}", "{2,}"))
    return f"({one}){times}", f"(?:{first}){times}"


def stretches(expression, text, breaks):
    """From every start the longest stretch that fits and crosses no break, none inside of another."""
    found, last = [], 0
    for start in range(len(text)):
        limit = min((place for place in breaks if place > start), default=len(text))
        ends = [end for end in range(start + 1, limit + 1) if expression.fullmatch(text, start, end)]
        if ends and ends[-1] > last:
            last = ends[-1]
            found.append((start, last))
    return found


def test_random_patterns_find_what_an_enumeration_of_all_stretches_finds(tmp_path):
    chance = random.Random(5)
    kinds = {chr(0x41 + n): (f, f, t) for n, (f, t) in enumerate((f, t) for f in FORMS for t in TAGS)}
    documents = ["".join(chance.choices(list(kinds), k=chance.randrange(1, 14))) for _ in range(12)]
    halves = [[text[: len(text) // 2], text[len(text) // 2 :]] for text in documents]
    index = Index(tmp_path / "c.sqlite", SLOVENE)
    index.put(
        "p",
        "1",
        [
            entry(n, [[kinds[letter] for letter in half] for half in both if half])
            for n, both in enumerate(halves)
        ],
    )
    tried = met = 0
    while tried < 150:
        text, expression = any_pattern(chance, kinds)
        if regex.fullmatch(expression, ""):
            with pytest.raises(UserError, match="at least one unit"):
                parse(text, SLOVENE)
            continue
        tried += 1
        compiled = regex.compile(expression)
        for within in ("p", "s"):
            found = find(index, parse(f"{text} within {within}", SLOVENE))
            told = {place.id: list(place.matches) for place in found.places}
            breaks = [[len(both[0])] if within == "s" else [] for both in halves]
            wanted = {n: stretches(compiled, text, breaks[n]) for n, text in enumerate(documents)}
            assert told == {n: spans for n, spans in wanted.items() if spans}, text
            met += len(told)
    assert met > 100


WORDS = ("Dan", "dan", "danes", "leto", "Leto", "je")
MARKS = (",", ".")


def any_sentence(chance):
    tokens = [(word, word.lower(), "N" if word[0] in "dDlL" else "V") for word in chance.choices(WORDS, k=4)]
    return [*tokens, (chance.choice(MARKS), "_", "Z")]


def any_document(chance, number):
    """A document of some paragraphs, with annotation or without, and its units as an enumeration has them."""
    paragraphs = [
        [any_sentence(chance) for _ in range(chance.randint(1, 2))] for _ in range(chance.randint(1, 3))
    ]
    told = chance.random() < 0.6
    text, spans, units, breaks, sentences = "", [], [], [0], [0]
    for paragraph in paragraphs:
        text += "\n" if text else ""
        for sentence in paragraph:
            for form, lemma, tag in sentence:
                text += " " if text and text[-1] != "\n" and tag != "Z" else ""
                if told or tag != "Z":
                    spans.append((len(text), len(text) + len(form)))
                    units.append((form, lemma, tag) if told else (form, None, None))
                text += form
            sentences.append(len(units))
        breaks.append(len(units))
    facts = {"site": "a.example", "title": "", "license": "", "date": 0, "quality": None}
    if told:
        facts |= {"tokens": spans, "sentences": [end - 1 for end in sentences[1:]]}
        facts |= {"lemmas": [lemma for _, lemma, _ in units], "tags": [tag for *_, tag in units]}
    made = Entry(id=number, url=f"https://a.example/{number}", text=text, **facts)
    return made, units, {"p": breaks[1:], "s": sentences[1:], "doc": [len(units)]}


def any_place(chance):
    """A condition on words, forms, lemmas or tags, and a function from a unit to whether it fits."""
    word = chance.choice(WORDS)
    return chance.choice(
        (
            (f'word="{word}"', lambda unit: unit[0] == word),
            (f'lc="{word.lower()}"', lambda unit: unit[0].lower() == word.lower()),
            ('word="D.*"', lambda unit: unit[0].startswith("D")),
            ('word=".*n"%c', lambda unit: unit[0].lower().endswith("n")),
            ('lc="da.*"', lambda unit: unit[0].lower().startswith("da")),
            (f'word!="{word}"', lambda unit: unit[0] != word),
            ('lemma="dan|leto"', lambda unit: unit[1] in ("dan", "leto")),
            ('tag="N" & lc!="dan"', lambda unit: unit[2] == "N" and unit[0].lower() != "dan"),
            ('tag="V" | word="Leto"', lambda unit: unit[2] == "V" or unit[0] == "Leto"),
            ("", lambda unit: True),
        )
    )


def any_sequence(chance):
    """A sequence in the language, and its parts: functions, and how often each may stand."""
    parts = [(*any_place(chance), *chance.choice(((1, 1), (1, 1), (1, 1), (0, 2), (1, 3)))) for _ in range(3)]
    if not any(least for *_, least, _ in parts):
        return any_sequence(chance)
    text = " ".join(f"[{place}]{{{least},{most}}}" for place, _, least, most in parts)
    return text, [(fits, least, most) for _, fits, least, most in parts]


def ends_from(units, start, limit, parts):
    """All units after a stretch that fits the parts, by trying everything."""
    at = {start}
    for fits, least, most in parts:
        turns = [at]
        for _ in range(most):
            turns.append({place + 1 for place in turns[-1] if place < limit and fits(units[place])})
        at = set().union(*turns[least:])
    return at


def by_enumeration(units, limits, parts):
    found, last = [], 0
    for start in range(len(units)):
        limit = min(end for end in limits if end > start)
        end = max(ends_from(units, start, limit, parts), default=0)
        if end > max(start, last):
            last = end
            found.append((start, end))
    return found


def test_patterns_in_merged_shards_with_and_without_annotation_equal_an_enumeration(tmp_path, monkeypatch):
    """Words, forms, lemmas and tags, in sentences, paragraphs and documents, after changes and removals."""
    monkeypatch.setattr("corpulyzer.search.shards.gather.ENOUGH_PLACES", 150)
    monkeypatch.setattr("corpulyzer.search.shards.store.AT_ONCE", 3)
    chance, index, there = random.Random(11), Index(tmp_path / "c.sqlite", SLOVENE), {}
    for turn in range(6):
        made = {100 * turn + n: any_document(chance, 100 * turn + n) for n in range(12)}
        index.put(str(turn), "1", [entry for entry, _, _ in made.values()])
        there |= made
    for key in chance.sample(sorted(there), 15):
        del there[key]
        index.remove([key])
    met = 0
    for _ in range(80):
        text, parts = any_sequence(chance)
        within = chance.choice(("p", "doc", "s"))
        found = find(index, parse(f"{text} within {within}", SLOVENE))
        told = {place.id: list(place.matches) for place in found.places}
        asks = any(name in text for name in ("lemma", "tag"))
        wanted = {
            key: by_enumeration(units, limits[within], parts)
            for key, (made, units, limits) in there.items()
            if units and (made.tags or not asks) and (made.tags or within != "s")
        }
        if within == "s":  # without annotation sentences are cut by rules, which are not tried here
            told = {key: own for key, own in told.items() if there[key][0].tags}
        assert told == {key: own for key, own in wanted.items() if own}, (text, within)
        met += len(told)
    assert met > 500
