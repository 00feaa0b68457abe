"""Text: a clean form, words, sentences and scripts, for every script and without a default language."""

import random
import time
import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from corpulyzer.language import Language
from corpulyzer.text import (
    c4_tokens,
    clean,
    nfc,
    script_of,
    sentences,
    spaceless,
    tokens,
    whitespace_token_count,
)

ANY_TEXT = st.text(st.characters(codec=None), max_size=60) | st.text(
    st.sampled_from("ab.!? \n\r\t\x00\x85\xad\u200b\u200c\u200d\u0301\ud800\ufffe\ufdd0é。।۔ཀགก'-_1A"),
    max_size=40,
)


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        ("plain", "plain"),
        ("tab\tand\nnewline", "tab\tand\nnewline"),
        ("nul\x00bell\x07del\x7f", "nulbelldel"),
        ("c1\x80\x9fend", "c1end"),
        ("windows\r\nold mac\rend", "windows\nold mac\nend"),
        ("form\x0cfeed\x85next", "form feed next"),
        ("lone\ud800 and\udfff", "lone and"),
        ("non\ufdd0char\uffff\U0001fffe\U0010ffff", "nonchar"),
        ("e\u0301", "é"),
        ("e\x00\u0301", "é"),
        ("\u0643\u0654 हिन्दी", "\u0643\u0654 हिन्दी"),
        ("NBSP\xa0«ok»", "NBSP\xa0«ok»"),
        ("\u3fff\ufffd\ufdfa", "\u3fff\ufffd\ufdfa"),
    ],
)
def test_clean_removes_what_is_no_text_and_nothing_else(dirty, expected):
    assert clean(dirty) == expected


@given(ANY_TEXT)
def test_clean_text_is_nfc_and_can_be_encoded(text):
    cleaned = clean(text)
    assert clean(cleaned) == cleaned == unicodedata.normalize("NFC", cleaned)
    cleaned.encode()
    assert not regex.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Noncharacter_Code_Point}", cleaned)


@given(ANY_TEXT)
def test_nfc_line_by_line_is_nfc_of_the_whole(text):
    assert nfc(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("हिन्दी वाक्य", ["हिन्दी", "वाक्य"]),
        ("اُردُو زبان", ["اُردُو", "زبان"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        (
            unicodedata.normalize("NFD", "ọ̀rọ̀ Yorùbá"),
            [unicodedata.normalize("NFD", w) for w in ("ọ̀rọ̀", "Yorùbá")],
        ),
        ("မြန်မာစာ", ["မြန်မာစာ"]),
        ("𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪", ["𞤀𞤣𞤤𞤢𞤥", "𞤆𞤵𞤤𞤢𞤪"]),
        ("ሰላም፣ ዓለም።", ["ሰላም", "ዓለም"]),
    ],
)
def test_words_of_every_script_stay_whole(text, words):
    assert tokens(text) == words == regex.findall(r"\w+", text)


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("swa", "Ng'ombe wa ng’ambo", ["Ng'ombe", "wa", "ng’ambo"]),
        ("xho", "i-Afrika - 'molo' i-NATO-", ["i-Afrika", "molo", "i-NATO"]),
        ("eng", "don't 'quote' rock-n-roll", ["don't", "quote", "rock", "n", "roll"]),
        ("cat", "col·legi", ["col·legi"]),
        ("heb", 'צה"ל אמר "שלום"', ['צה"ל', "אמר", "שלום"]),
        ("urd", "اردو-زبان", ["اردو", "زبان"]),
        ("aaa", "a'b", ["a", "b"]),
    ],
)
def test_the_language_says_what_stands_inside_its_words(language, text, words):
    assert tokens(text, Language.find(language)) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("👩\u200d👩 ❤\ufe0f ok", ["ok"]),
        ("_snake_case_ __", ["snake_case"]),
        ("می\u200c خواهم", ["می", "خواهم"]),
        ("in\xadfor\xadma\xadtion", ["information"]),
        ("3,5 km² ٣٤", ["3", "5", "km", "٣٤"]),
        ("", []),
    ],
)
def test_what_is_no_word_is_no_token(text, words):
    assert tokens(text) == words


@given(ANY_TEXT)
def test_every_token_is_in_the_text_and_starts_with_a_letter_or_digit(text):
    plain = text.replace("\xad", "")
    position = 0
    for token in tokens(text):
        position = plain.index(token, position) + len(token)
        assert regex.match(r"[\p{Alphabetic}\p{Nd}]", token)


def test_published_counts_can_be_reproduced():
    assert whitespace_token_count("one two\n\nthree") == 3
    assert whitespace_token_count("") == 1
    assert whitespace_token_count("trailing ") == 2
    assert c4_tokens("Don't (e.g.) split_this/that—Now {x}") == [
        "don",
        "t",
        "e",
        "g",
        "split",
        "this",
        "that—now",
        "x",
    ]


@pytest.mark.parametrize(
    "parts",
    [
        ["Prvi.", "Drugi!", "Treći?", "Kraj"],
        ["یہ پہلا ہے۔", "کیا یہ دوسرا ہے؟", "ہاں!"],
        ["यह पहला है।", "दूसरा है॥", "तीसरा था.", "चौथा |", "पाँचवाँ"],
        ["এটা প্রথম।", "ড. মুহম্মদ এলেন।"],
        ["ሰላም ነው።", "እንዴት ነህ፧", "ደህና ነኝ፡፡", "እሺ ነው::", "ጥሩ"],
        ["ဟုတ်ကဲ့၊ ကျွန်တော်သွားမည်။", "သူလာသည်။"],
        ["ខ្ញុំទៅសាលា។", "គាត់មក៕"],
        ["བཀྲ་ཤིས་བདེ་ལེགས།", "འདི་ཡག་པོ་འདུག", "ང་འགྲོ་གི་ཡིན།"],
        ["Τι κάνεις;", "Καλά.", "Εσύ;"],
        ["Ես գնացի։", "Նա եկավ:", "Լավ"],
        ["ქართული ენა.", "საქართველო დიდია.", "კარგი"],
        ["د. محمد جاء.", "هل ذهب؟", "نعم."],
        ["ስታንፎርድ ዩ.ኤስ ነው።", "እሺ"],
        ["사과가 있다.", "할 것.", "다음"],
        ["ᱚᱛᱮ ᱢᱟᱦᱟᱸ᱾", "ᱡᱚᱠᱷᱚᱱ"],
        ["ໃນວັນຈັນ ນັກວິທະຍາສາດ.", "ລາວໄປ."],
    ],
)
def test_sentences_end_with_the_marks_of_their_script(parts):
    assert sentences(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ["他说：“你好。”", "然后走了。", "真的吗？", "是的！"],
        ["これはペンです。", "「そうですか。」", "はい!", "うん"],
        ["اس نے کہا۔", "وہ گیا۔", "ٹھیک"],
    ],
)
def test_marks_that_do_nothing_else_need_no_space(parts):
    assert sentences("".join(parts)) == parts


@pytest.mark.parametrize(
    "sentence",
    [
        "Dr. Khan paid 3.5 dollars to Mrs. Jones of example.com.",
        "A. P. J. Abdul Kalam was president.",
        "ए. पी. जे. अब्दुल कलाम थे।",
        "The U.S. Senate met at 5 p.m. on Monday.",
        "Npr. kad dođe itd. i tako dalje na str. 5 piše.",
        "1. Uvod",
        "„Da!“ – reče on.",
        "Wait... what?",
        "وہ پی۔ٹی۔آئی کا رکن ہے۔",
        "Yahoo! is a name.",
    ],
)
def test_abbreviations_numbers_and_initials_end_no_sentence(sentence):
    assert sentences(sentence) == [sentence]


def test_quotes_and_footnotes_belong_to_the_sentence_before_them():
    assert sentences("„Ne.“ Zatim ode.[12] Kraj (sad). ‘Da’") == [
        "„Ne.“",
        "Zatim ode.[12]",
        "Kraj (sad).",
        "‘Da’",
    ]


def test_a_thai_clause_stands_for_a_sentence():
    assert sentences("เมื่อวันจันทร์ นักวิทยาศาสตร์ต่าง ๆ ประกาศ ปี 2019 ไป") == [
        "เมื่อวันจันทร์",
        "นักวิทยาศาสตร์ต่าง ๆ ประกาศ",
        "ปี 2019 ไป",
    ]


def test_the_language_decides_about_ordinals_and_question_marks():
    german = "Er kam am 3. Oktober."
    assert sentences(german, Language.find("deu")) == [german]
    assert sentences("He was 54. Then he died.", Language.find("eng")) == ["He was 54.", "Then he died."]
    assert sentences("Πότε; Το 2019; Ναι", Language.find("ell")) == ["Πότε;", "Το 2019;", "Ναι"]
    assert sentences("One; Two") == ["One; Two"]
    assert sentences("یہ ہے- وہ - تھا", Language.find("urd")) == ["یہ ہے-", "وہ - تھا"]


def test_a_newline_always_ends_a_sentence():
    assert sentences("no mark\n\n  another line \nlast") == ["no mark", "another line", "last"]


@pytest.mark.parametrize(
    "piece",
    [".", "A. ", '."', "?!", " ", "1.", "ก ", "۔پ", "。", "'", "[1]", ".[1]", "- ", "a_", "." * 9 + " "],
)
def test_no_repetition_takes_long(piece):
    text = "ไทย a" + piece * (200_000 // len(piece)) + "b"
    started = time.process_time()
    sentences(text, Language.find("urd"))
    tokens(text, Language.find("xho"))
    clean(text)
    script_of(text)
    assert time.process_time() - started < 5, "measured .1 s; a quadratic pattern takes minutes"


@given(ANY_TEXT)
def test_sentences_lose_nothing_but_white_space(text):
    def solid(string):
        return "".join(string.split())

    assert solid("".join(sentences(text))) == solid(text)
    assert all(sentence.strip() == sentence != "" for sentence in sentences(text))


@pytest.mark.parametrize(
    ("language", "floor"),
    [
        *(("eng", 0.98), ("hrv", 0.98), ("xho", 0.97), ("urd", 0.98), ("hin", 0.98), ("amh", 0.99)),
        *(("mya", 0.99), ("khm", 0.99), ("ell", 0.99), ("hye", 0.99), ("kat", 0.98), ("kor", 0.98)),
        *(("jpn", 0.99), ("pes", 0.99), ("bod", 0.97), ("tha", 0.8)),
    ],
)
def test_sentences_of_news_are_found_again(shared_data, language, floor):
    """Lines of FLORES, joined by spaces: most of their ends must be found (many lines have no mark)."""
    lines = (shared_data("lid.tar.gz") / "flores" / f"{language}.txt").read_text("utf-8").splitlines()
    lines = [" ".join(line.split()) for line in lines if line.strip()][:300]

    def ends(parts):
        total, found = 0, set()
        for part in parts:
            total += len(part.replace(" ", ""))
            found.add(total)
        return found

    wanted = ends(lines)
    assert len(wanted & ends(sentences(" ".join(lines), Language.find(language)))) / len(wanted) >= floor


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("plain ascii", "Latn"),
        ("", ""),
        ("123 …", ""),
        ("اردو زبان", "Arab"),
        ("hrvatski jezik čšž", "Latn"),
        ("српски језик abc", "Cyrl"),
        ("हिन्दी वाक्य 12", "Deva"),
        ("မြန်မာစာ", "Mymr"),
        ("日本語のテキスト", "Jpan"),
        ("中文文本", "Hani"),
        ("中文文本中文文本中文文本中文文本中文文本の", "Hani"),
        ("한국어 漢字", "Hang"),
        ("አማርኛ", "Ethi"),
        ("ไทย", "Thai"),
        ("𞤀𞤣𞤤𞤢𞤥", "Adlm"),
        ("ߒߞߏ", "Nkoo"),
        ("\ud800", ""),
    ],
)
def test_the_script_is_that_of_most_letters(text, script):
    assert script_of(text) == script


@given(ANY_TEXT, st.randoms(use_true_random=False))
def test_the_script_does_not_depend_on_the_order(text, rng):
    shuffled = "".join(rng.sample(text, len(text)))
    assert script_of(shuffled) == script_of(text) == script_of(text * 2)


def test_the_script_table_agrees_with_the_regex_library():
    rng = random.Random(1)
    for code in (
        "Latn",
        "Arab",
        "Deva",
        "Cyrl",
        "Grek",
        "Thai",
        "Hang",
        "Ethi",
        "Geor",
        "Tibt",
        "Khmr",
        "Beng",
    ):
        letters = regex.findall(rf"\p{{Script={code}}}", "".join(map(chr, range(0x2FFF))))
        assert all(script_of(letter) == code for letter in rng.sample(letters, min(40, len(letters))))


def test_scripts_without_spaces_are_known():
    assert all(map(spaceless, ("Thai", "Laoo", "Khmr", "Mymr", "Hani", "Jpan", "Tibt")))
    assert not any(map(spaceless, ("Latn", "Arab", "Hang", "Deva", "Ethi", "")))
