"""What is put into the web: articles in four languages, made of sentences of the shared data, none used twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import regex

TARGET = "slv"
OTHERS = ("hrv", "eng", "dan")
FIRST_DAY = datetime(2023, 1, 9, 8, 30, tzinfo=UTC)
PARAGRAPHS = 3
OPEN = "novice.example"
"""The host with a robots.txt that its program writes itself, which names no article."""

TITLE_WORDS = 6
_NO_NAME = regex.compile(r"[^\p{L}\p{N} ]+")


@dataclass(frozen=True)
class Article:
    """An article, and where it will stand. `closed` is one that robots.txt keeps out."""

    host: str
    number: int
    language: str
    title: str
    paragraphs: tuple[str, ...]
    comments: tuple[str, ...]
    date: datetime
    closed: bool = False

    @property
    def text(self) -> str:
        return "\n\n".join(self.paragraphs)

    @property
    def is_plain_page(self) -> bool:
        """Whether WordPress has it as a page and not as a post: most of its themes show no date there."""
        return self.number % 8 == 7

    @property
    def slug(self) -> str:
        return "-".join(self.title.lower().split())


def articles(lid: Path, hosts: tuple[str, ...], of_target: int, of_others: int) -> list[Article]:
    """So many articles of the target and of each other language for each host, the languages mixed."""
    supply = {language: _sentences(lid, language) for language in (TARGET, *OTHERS)}
    kinds = [TARGET] * of_target + [other for other in OTHERS for _ in range(of_others)]
    order = [kinds[at * 7 % len(kinds)] for at in range(len(kinds))] if len(kinds) % 7 else kinds
    made, titles = [], set[str]()
    for host in hosts:
        for number, language in enumerate(order):
            long, short = supply[language]
            title = next(name for name in map(_title, short) if name and name not in titles)
            titles.add(title)
            made.append(
                Article(
                    *(host, number, language, title),
                    paragraphs=tuple(_paragraph(long, short) for _ in range(PARAGRAPHS)),
                    comments=tuple(next(short) for _ in range(3)),
                    date=FIRST_DAY + timedelta(days=11 * number, minutes=number),
                    closed=number % 20 == 19 and host != OPEN,
                )
            )
    return made


def _paragraph(long: Iterator[str], short: Iterator[str]) -> str:
    return " ".join((next(long), next(short), next(long), next(short)))


def _title(sentence: str) -> str:
    """The first words of a sentence as a title; empty if they would make a poor one."""
    words = _NO_NAME.sub("", sentence).split()[:TITLE_WORDS]
    return " ".join(words).capitalize() if len(words) >= 3 and len(" ".join(words)) >= 15 else ""


def _sentences(lid: Path, language: str) -> tuple[Iterator[str], Iterator[str]]:
    """Long and short sentences of a language."""
    long, short = (
        (lid / name / f"{language}.txt").read_text().splitlines() for name in ("flores", "commonvoice")
    )
    return iter(long), iter(short)
