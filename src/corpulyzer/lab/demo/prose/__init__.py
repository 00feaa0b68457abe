"""Text of our own in seven languages, out of a seed: as much as wanted, the same on every machine.

Each language is one file under `prose/`: sentences written by hand, and templates whose slots are
filled from lists. Slots are chosen so that any filling stays grammatical; where a language inflects,
a list holds the inflected forms.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, TypeVar

import regex

LANGUAGES = ("urd", "fas", "xho", "zul", "hrv", "slv", "eng")

# Shares of a paragraph: sentences written by hand, which repeat, and sentences that keep to its topic.
FIXED_SHARE = 0.2
TOPIC_SHARE = 0.6
# How often a paragraph looks for a sentence of a pattern that it does not have yet.
TRIES = 4

_SLOT = regex.compile(r"\{(\w+)\}")

Item = TypeVar("Item")
# Literals and slot names in turn: "a {b} c" is ("a ", "b", " c").
Template = tuple[str, ...]


def choose(rng: Random, items: Sequence[Item]) -> Item:
    """An item drawn with `Random.random`, the one method whose sequence Python promises to keep."""
    return items[int(rng.random() * len(items))]


@dataclass(frozen=True, slots=True)
class Topic:
    """What is said of one subject."""

    sentences: tuple[Template, ...]
    templates: tuple[Template, ...]
    headlines: tuple[Template, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """A text before it becomes a page; `paragraphs` is what a perfect extractor keeps of it."""

    language: str
    title: str
    author: str
    date: str
    topic: str
    paragraphs: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.paragraphs)


@dataclass(frozen=True, slots=True)
class Prose:
    """A writer of one language. Every method draws from the generator it is given, and nothing else.

    >>> Prose("slv").navigation[0]
    'Domov'
    """

    language: str
    code: str = field(init=False, repr=False)
    name: str = field(init=False, repr=False)
    direction: str = field(init=False, repr=False)
    navigation: tuple[str, ...] = field(init=False, repr=False)
    labels: Mapping[str, str] = field(init=False, repr=False, compare=False)
    notice: str = field(init=False, repr=False)
    topics: Mapping[str, Topic] = field(init=False, repr=False, compare=False)
    slots: Mapping[str, tuple[Template, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value in _load(self.language).items():
            object.__setattr__(self, name, value)

    def sentence(self, rng: Random, topic: str = "") -> str:
        """A sentence, made from a template or one of those written by hand."""
        return self._fill(self._draw(rng, topic), rng)

    def paragraph(self, rng: Random, sentences: int = 5, topic: str = "") -> str:
        """Sentences joined by spaces: the first is made, so that no two paragraphs are alike."""
        topic = topic or choose(rng, tuple(self.topics))
        chosen = [choose(rng, self.topics[topic].templates)]
        while len(chosen) < sentences:
            draws = (self._draw(rng, topic if rng.random() < TOPIC_SHARE else "") for _ in range(TRIES))
            chosen.append(next((draw for draw in draws if draw not in chosen), chosen[0]))
        return " ".join(self._fill(template, rng) for template in chosen)

    def article(self, rng: Random, paragraphs: int = 5, sentences: int = 5) -> Article:
        """An article on one topic, of paragraphs that vary in length around `sentences`."""
        topic = choose(rng, tuple(self.topics))
        lengths = [max(1, sentences - 2 + int(rng.random() * 5)) for _ in range(paragraphs)]
        return Article(
            language=self.language,
            title=self.headline(rng, topic),
            author=self.names(rng),
            date=self.date(rng),
            topic=topic,
            paragraphs=tuple(self.paragraph(rng, length, topic) for length in lengths),
        )

    def headline(self, rng: Random, topic: str = "") -> str:
        """A title, without a full stop."""
        return self._fill(choose(rng, self._topic(rng, topic).headlines), rng)

    def names(self, rng: Random) -> str:
        """A person's full name."""
        return self.slot("person", rng)

    def date(self, rng: Random) -> str:
        """A day, month and year as the language writes them."""
        return self.slot("date", rng)

    def slot(self, name: str, rng: Random) -> str:
        """A filling of the slot `name`: `comment`, `caption`, `cookies`, `footer`, `number` …"""
        return self._fill(choose(rng, self.slots[name]), rng)

    def _topic(self, rng: Random, topic: str) -> Topic:
        return self.topics[topic or choose(rng, tuple(self.topics))]

    def _draw(self, rng: Random, topic: str) -> Template:
        source = self._topic(rng, topic)
        return choose(rng, source.sentences if rng.random() < FIXED_SHARE else source.templates)

    def _fill(self, template: Template, rng: Random) -> str:
        text = self._expand(template, rng)
        return text[0].upper() + text[1:]

    def _expand(self, template: Template, rng: Random) -> str:
        if len(template) == 1:
            return template[0]
        parts = list(template)
        for index in range(1, len(parts), 2):
            parts[index] = self._expand(choose(rng, self.slots[parts[index]]), rng)
        return "".join(parts)


@cache
def _load(language: str) -> dict[str, Any]:
    if language not in LANGUAGES:
        raise ValueError(f"no prose in {language!r}: the built-in web speaks {', '.join(LANGUAGES)}")
    source = files("corpulyzer.lab.demo").joinpath("prose", f"{language}.toml")
    data = tomllib.loads(source.read_text(encoding="utf-8"))
    digits = data.get("digits", "0123456789")
    slots = {name: _options(value, digits) for name, value in data["slots"].items()}
    slots |= {
        "comment": _options(data["short"]["comments"], digits),
        "caption": _options(data["short"]["captions"], digits),
        "cookies": _options(data["boilerplate"]["cookies"], digits),
        "footer": _options(data["boilerplate"]["footers"], digits),
    }
    return {
        **{name: data[name] for name in ("code", "name", "direction", "labels")},
        "navigation": tuple(data["navigation"]),
        "notice": data["boilerplate"]["notice"],
        "slots": slots,
        "topics": {name: _topic(topic) for name, topic in data["topics"].items()},
    }


def _topic(topic: Mapping[str, list[str]]) -> Topic:
    return Topic(
        sentences=tuple((line,) for line in topic["sentences"]),
        templates=tuple(_parse(line) for line in topic["templates"]),
        headlines=tuple(_parse(line) for line in topic["headlines"]),
    )


def _options(value: Any, digits: str) -> tuple[Template, ...]:
    """The fillings of a slot: a list of templates, or a range of numbers by their last digits."""
    if isinstance(value, list):
        return tuple(_parse(line) for line in value)
    endings = value.get("endings", range(10))
    figures = str.maketrans("0123456789", digits)
    numbers = (n for n in range(value["from"], value["to"] + 1) if n % 10 in endings)
    return tuple((str(number).translate(figures),) for number in numbers)


def _parse(line: str) -> Template:
    return tuple(_SLOT.split(line))
