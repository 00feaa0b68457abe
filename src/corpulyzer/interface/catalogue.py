"""Texts of the interface in the language that a reader has chosen: one `.po` file a language.

The files are those of gettext, which tools for translators open; of them only single texts are read here, so
that nothing has to be compiled. A text that is not translated stays in English.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError
from corpulyzer.language import Language

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent
ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "ur": "اردو"}
"""The languages of the interface, by what each calls itself."""
_chosen: ContextVar[str] = ContextVar("interface", default=ENGLISH)


@dataclass(frozen=True, slots=True)
class Interface:
    """A language of the interface, and the direction in which it is written."""

    code: str
    direction: str


def choose(code: str) -> None:
    """Answer this request in a language."""
    _chosen.set(code if code in LANGUAGES else ENGLISH)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language of the interface until the end of the block."""
    before = _chosen.set(code if code in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _chosen.reset(before)


def chosen() -> Interface:
    """The language in which this request is answered."""
    return spoken(_chosen.get())


@cache
def spoken(code: str) -> Interface:
    """A language of the interface."""
    return Interface(code, Language.find(code).direction or "ltr")


def wanted(cookie: str, accepted: str) -> str:
    """The language that a reader has chosen, or else the first that their browser asks for and we have.

    >>> wanted("", "fr-FR,fr;q=0.9,de;q=0.8"), wanted("ur", "de"), wanted("xx", "")
    ('de', 'ur', 'en')
    """
    asked = [each.partition(";")[0].strip().partition("-")[0].lower() for each in accepted.split(",")]
    return next((code for code in (cookie, *asked) if code in LANGUAGES), ENGLISH)


def known_interface(code: str) -> str:
    """The code of a language of the interface; UserError if there is no catalogue of it."""
    if code not in LANGUAGES:
        named = ", ".join(f"{known} ({name})" for known, name in LANGUAGES.items())
        raise UserError(f"The interface does not speak {code!r} yet.", f"It speaks: {named}.")
    return code


def translated(text: str) -> str:
    """A text of the interface in the chosen language; the text itself where there is none."""
    return messages(_chosen.get()).get(text) or text


def install(templates: Environment) -> None:
    """Let templates write `_("text")`."""
    templates.install_gettext_callables(  # type: ignore[attr-defined]
        translated, lambda one, many, count: translated(one if count == 1 else many), newstyle=True
    )


@cache
def messages(code: str) -> Mapping[str, str]:
    """The texts of a language by their English ones."""
    if code == ENGLISH:
        return {}
    return dict(read((FOLDER / f"{code}.po").read_text("utf-8").splitlines()))


def read(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    """The pairs of texts in the lines of a `.po` file; its head, whose text is empty, is left out."""
    pair: dict[str, str] = {}
    field = ""
    for line in (*lines, 'msgid ""'):
        if line.startswith("#") or not line.strip():
            continue
        name, _, rest = line.partition(" ")
        if name == "msgid" and pair.get("msgid"):
            yield pair["msgid"], pair.get("msgstr", "")
        if name in ("msgid", "msgstr"):
            field, pair = name, {} if name == "msgid" else pair
        pair[field] = pair.get(field, "") + ast.literal_eval(rest if name == field else line)
