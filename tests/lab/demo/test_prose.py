"""The built-in prose: enough of it, the same everywhere, hardly repeating, and told apart by CLD2."""

import hashlib
from importlib.resources import files
from itertools import combinations
from random import Random

import pytest

from corpulyzer.lab.demo.prose import LANGUAGES, Prose, Template

CLOSE = ("xho", "zul")


def templates(prose: Prose) -> list[Template]:
    made = [line for topic in prose.topics.values() for line in (*topic.templates, *topic.headlines)]
    return made + [option for options in prose.slots.values() for option in options]


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return set(zip(words, words[1:], words[2:], strict=False))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_sentences_topics_and_templates_enough(language: str) -> None:
    topics = Prose(language).topics
    sentences = {sentence for topic in topics.values() for sentence in topic.sentences}
    assert len(topics) >= 6
    assert len(sentences) >= 60
    assert sum(len(topic.templates) for topic in topics.values()) >= 30
    assert files("corpulyzer.lab.demo").joinpath("prose", f"{language}.toml").stat().st_size < 60_000  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_slot_that_a_template_names_can_be_filled(language: str) -> None:
    prose = Prose(language)
    named = {name for template in templates(prose) for name in template[1::2]}
    assert named - set(prose.slots) == set()
    assert all("{" not in part and "}" not in part for template in templates(prose) for part in template)


def test_all_languages_have_the_same_labels_topics_and_menu() -> None:
    english = Prose("eng")
    for language in LANGUAGES:
        prose = Prose(language)
        assert set(prose.labels) == set(english.labels)
        assert set(prose.topics) == set(english.topics)
        assert len(prose.navigation) == len(english.navigation)


def test_the_same_seed_gives_the_same_text_on_every_machine() -> None:
    text = "\n".join(Prose(language).article(Random(7)).text for language in LANGUAGES)
    assert (
        hashlib.sha256(text.encode()).hexdigest()
        == "f9eaea095a6581d4fd3afdd3cbe01a0246ee5b4e5508ffb1a01754369e9f96ab"
    )


def test_an_unknown_language_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"'deu'.*urd, fas, xho"):
        Prose("deu")


def test_a_paragraph_has_as_many_sentences_as_asked_for_even_more_than_there_are_patterns() -> None:
    assert Prose("eng").paragraph(Random(1), 3).count(". ") >= 2
    assert len(Prose("eng").paragraph(Random(1), 400)) > 20_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_paragraphs_of_three_sentences_are_identified_as_their_language(language: str) -> None:
    import pycld2

    prose, right, total = Prose(language), 0, 600
    for i in range(total):
        paragraph = prose.paragraph(Random(f"cld2/{language}/{i}"), 3 + i % 3)
        right += pycld2.detect(paragraph, returnVectors=True)[2][0][1] == prose.code
    assert right / total >= (0.90 if language in CLOSE else 0.97)


@pytest.mark.parametrize("language", ["urd", "xho"])
def test_five_thousand_pages_hardly_repeat_a_paragraph(language: str) -> None:
    prose = Prose(language)
    paragraphs = [p for i in range(5000) for p in prose.article(Random(f"many/{i}")).paragraphs]
    assert len(paragraphs) == 25_000
    assert len(set(paragraphs)) > 0.995 * len(paragraphs)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_pages_are_near_duplicates(language: str) -> None:
    prose = Prose(language)
    pages = [shingles(prose.article(Random(f"near/{i}")).text) for i in range(150)]
    assert max(len(a & b) / len(a | b) for a, b in combinations(pages, 2)) < 0.4


def test_even_single_sentences_of_a_paragraph_do_not_repeat() -> None:
    openings = [Prose("slv").paragraph(Random(i), 1) for i in range(3000)]
    assert len(set(openings)) > 0.99 * len(openings)
