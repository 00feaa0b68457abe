"""Full stops that end sentences and those that do not: by language, by list, by what a corpus shows."""

import pytest

from corpulyzer.language import Language
from corpulyzer.text import Learned, sentences
from corpulyzer.text.abbreviations import stops_of
from corpulyzer.text.learn_stops import StopCounts


def cut(text, language):
    return " | ".join(sentences(text, Language.find(language)))


@pytest.mark.parametrize(
    "language, parts",
    [
        ("eng", "We met Mr. Bell and Prof. Gray at Mt. Cook. | It rained."),
        ("eng", "She works for Brown & Co. in Leeds. | They sell tea."),
        ("eng", "He asked Brown & Co. | They had none."),
        ("eng", "He left the U.S. | What next?"),
        ("eng", "The U.S. Senate voted."),
        ("eng", "Only you and I. | Did Adam I. Gray come?"),
        ("deu", "Sie fragte Prof. Meier und die kath. Kirche am 3. Mai. | Er kam."),
        ("deu", "Im 1. - 3. Jahrhundert, u. Ä. auch später."),
        ("spa", "La Srta. Ruiz llegó a EE. UU. ayer. | El Dr. Paz no."),
        ("ita", "Sono l'Ing. Rossi. | Lei è l'Avv. Bianchi?"),
        ("dan", "Det var Hr. Berg fra f.eks. Aarhus. | Hvad nu?"),
        ("slk", "Dňa 7. Mája 2020 prišiel napr. Ján. | To je všetko."),
        ("slk", "Bol v XII. Pluku. | Videl pápeža Jána Pavla II. | Bol rád."),
        ("hrv", "Rok je od 11. 9. do 20. 10. 2021. | Prof. Horvat zna."),
        ("ces", "Platí 21. 3. - 20. 4. včetně."),
        ("pol", "Był to ks. Nowak z ul. Długiej. | To wszystko."),
        ("rus", "Писал А. И. Петров из пгт. Лесной. | Он жив."),
        ("swe", "Rummet är 15 cm. | Det är litet."),
        ("ind", "Ketua Prof. Ir. Budi datang. | Ia senang."),
        ("mal", "ഇത് ഡോ. രാമൻ. | നല്ലത്"),
        ("jpn", "税率は３．２９％です。 | 「はい。」と言った。"),
        ("zho", "我看了《快跑！妈妈》吗？ | 好！"),
        ("fas", "تهران - ایرنا: | او آمد. | چرا؟ ! | رفت."),
        ("kaz", "Ол 2012 жыл. № 70 келді."),
        ("slv", "Vstop je prost. | (mu) | Jutri bo dež."),
        ("hye", "Ես եկա։ | Նա գնաց։"),
        ("amh", "እሱ መጣ። | ሄደ።"),
        ("mya", "သူလာသည်။ | သွားသည်။"),
        ("khm", "គាត់មក។ | ទៅ។"),
    ],
)
def test_a_language_knows_its_own_full_stops(language, parts):
    text = parts.replace(" | ", "" if language in ("jpn", "zho") else " ")
    assert cut(text, language) == parts


@pytest.mark.parametrize(
    "parts",
    [
        "1) Wheat | 2) Rice | 3) Rye",
        "1.) Wheat and rye | 2.) Rice",
        "1. Wheat and rye | 2. Rice",
        "a. Wheat | b. Rice | c. Rye",
        "• 9. Wheat | • 10. Rice",
        "• Wheat | • Rice",
        "1. Wheat. | 2. Rice.",
    ],
)
def test_the_items_of_a_list_in_one_line_are_sentences(parts):
    assert cut(parts.replace(" | ", " "), "eng") == parts


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("1. Bundesliga und 2. Bundesliga spielen heute.", "deu"),
        ("1. divisjon og 2. divisjon spiller.", "nob"),
        ("See 1) above and 3) below.", "eng"),
        ("Write to Ana.Bell@mail.example or www.Books.example today.", "eng"),
        ("It was ... well, the thing is . . . I forgot.", "eng"),
        ('"He said [...] and left [...]" (Bell 55).', "eng"),
    ],
)
def test_what_only_looks_like_an_end_is_none(text, language):
    assert sentences(text, Language.find(language)) == [text]


def test_a_space_that_was_not_typed_is_no_matter_before_a_word_that_opens_sentences():
    assert cut("It was cold.The rain fell.Books.Com was shut.", "eng") == (
        "It was cold. | The rain fell.Books.Com was shut."
    )


def test_lists_name_known_languages_and_no_word_twice():
    from corpulyzer.text.abbreviations import _LISTS, _ORDINALS

    assert all(Language.find(code).code == code for code in _ORDINALS)
    rows = [line.split("\t") for line in _LISTS.read_text("utf-8").splitlines()[1:]]
    for codes, inside, either, openers in rows:
        for code in codes.split():
            assert Language.find(code).code == code
        words = inside.split() + either.split()
        assert len(words) == len(set(words)), codes
        assert not set(words) & set(openers.split()), codes
        assert all(word == word.lower() for word in (*words, *openers.split()))


# A made-up language: "kop" is an abbreviation of titles, "zan" a word that is as short, "mi" opens sentences.
PROSE = (
    "Mi ruda kop. Tarak zeleno vino. Mi pije kop. Bran i zan. Tarak je kop. Milan sa mnom, a zan mi daje. "
    "Ova zan je tu. Mi znamo da zan mi treba. Zeleno vino kop. Bran pije. Mi vidimo zan i kop. Tarak sa zan dolazi. "
)


def learned_of(text):
    counts = StopCounts(Language.find("qaa"))
    for _ in range(6):
        counts.add(text)
    return counts.learned()


def test_abbreviations_are_learned_from_texts():
    found = learned_of(PROSE)
    assert "kop" in found.abbreviations
    assert {"zan", "tarak", "vino"}.isdisjoint(found.abbreviations)
    assert "zan" in found.words
    text = "Ovde je kop. Tarak. Mi pijemo."
    language = Language.find("qaa")
    assert sentences(text, language) == ["Ovde je kop.", "Tarak.", "Mi pijemo."]
    assert sentences(text, language, found) == ["Ovde je kop. Tarak.", "Mi pijemo."]


def test_the_order_of_texts_makes_no_difference_to_what_is_learned():
    one, other = StopCounts(None), StopCounts(None)
    lines = PROSE.split(". ")
    for line in lines * 3:
        one.add(line + ".")
    for line in reversed(lines * 3):
        other.add(line + ".")
    assert one.learned() == other.learned()


def test_nothing_is_learned_from_nothing():
    assert StopCounts(None).learned() == Learned()
    assert learned_of("word word") == Learned()


def test_words_after_ordinals_are_learned():
    text = "Igra 3. Liga danas. Ona je 4. Liga. U 5. Liga ima klub. " * 3
    found = learned_of(text)
    assert found.after_ordinal == ("liga",)
    assert sentences("To je 6. Liga sveta.", None, found) == ["To je 6. Liga sveta."]


def test_what_was_learned_adds_to_the_lists():
    stops = stops_of(Language.find("deu"), Learned(abbreviations=("kop", "prof"), words=("zan", "dr")))
    assert "kop" in stops.either
    assert "prof" in stops.inside
    assert "prof" not in stops.either
    assert "dr" not in stops.never
