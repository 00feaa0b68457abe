"""What a corpus is, in a few words: the head of the page and of the card."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import corpulyzer

if TYPE_CHECKING:
    from corpulyzer.corpus import Corpus


@dataclass(frozen=True, slots=True)
class About:
    """The name of a corpus, its language, and who made the report when."""

    name: str
    code: str
    language: str
    own_name: str
    direction: str
    version: str
    made: str


def about(corpus: Corpus) -> About:
    """What the head of a report says."""
    language = corpus.language
    return About(
        name=corpus.name,
        code=language.code,
        language=language.name,
        own_name=language.own_name,
        direction=language.direction or "auto",
        version=corpulyzer.__version__,
        made=datetime.now(UTC).strftime("%-d %B %Y"),
    )
