"""Texts of the gold set: what each page says, and what stands around it."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from random import Random

from corpulyzer.lab.demo.pages.frames import make_frame
from corpulyzer.lab.demo.prose import LANGUAGES, Prose

RIGHT_TO_LEFT = {"ar", "fa", "ur"}


@dataclass(frozen=True)
class Text:
    """An article and its surroundings, in one language."""

    language: str
    code: str
    title: str
    author: str
    date: str
    menu: tuple[str, ...]
    related: tuple[str, ...]
    paragraphs: tuple[str, ...]
    comments: tuple[str, ...]
    captions: tuple[str, ...]
    cookies: str
    footer: str
    labels: dict[str, str]

    @property
    def direction(self) -> str:
        return "rtl" if self.code in RIGHT_TO_LEFT else "ltr"


def texts() -> dict[str, Text]:
    """One text for each language: those of the built-in web, and those written down beside this file."""
    written = tomllib.loads((Path(__file__).parent / "texts.toml").read_text("utf-8"))
    return {language: _demo(language) for language in LANGUAGES} | {
        language: Text(language, **{k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()})
        for language, fields in written.items()
    }


def _demo(language: str) -> Text:
    rng = Random(f"gold {language}")
    prose = Prose(language)
    article, frame = prose.article(rng, paragraphs=5, sentences=4), make_frame(prose, "a.example", rng)
    said = prose.labels
    return Text(
        language, prose.code, article.title, article.author, article.date,
        tuple(anchor.text for anchor in frame.menu[:8]), tuple(anchor.text for anchor in frame.related[:5]),
        article.paragraphs, tuple(said for _, said in frame.comments[:2]), frame.captions[:2],
        frame.cookies, frame.footer,
        {
            "more": said["read_more"], "search": prose.navigation[-1],
            **{k: said[k] for k in ("related", "latest", "comments", "reply", "share", "login", "accept", "posted", "tags", "next")},
        },
    )  # fmt: skip
