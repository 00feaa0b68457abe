"""Labels of what a page is about, such as adult or spam, by lists of words and of addresses.

Lists are the user's: none comes with the package. A label never drops a page; exports can leave it out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated

import regex
from annotated_types import Ge

from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.records import CONTENT, Page
from corpulyzer.records.changed import changed
from corpulyzer.records.fingerprint import NOT_HASHED
from corpulyzer.storage import open_input
from corpulyzer.text.word_list import WordList, word_list, words_of
from corpulyzer.url import host_of, suffixes

ADDRESSES, EVERY = "urls", "all"
WORDS, ADDRESS = "words", "address"
NAME = regex.compile(r"(?P<label>[a-z][a-z0-9_]*)\.(?P<of>[A-Za-z-]+)\.txt")


@dataclass(frozen=True, slots=True)
class ListFile:
    """A list: its label, the language that it is for or `urls`, where it is, and a digest of what it says."""

    label: str
    of: str
    path: str = field(metadata=NOT_HASHED)
    digest: str


@dataclass(frozen=True, slots=True)
class Content:
    """Labels by lists: one of words gives its label to texts of its language, one of addresses to pages.

    A list with a threshold of its own, as learned ones have, judges by that alone.
    """

    lists: Annotated[
        str, "Folder with lists of your own, such as `adult.xho.txt` (words) and `adult.urls.txt`."
    ] = field(default="", metadata=NOT_HASHED)
    min_score: Annotated[float, "Mean weight of a text's words from which it has a list's label.", Ge(0)] = (
        0.01
    )
    min_entries: Annotated[int, "Different entries of the list that the text must have.", Ge(1)] = 3
    files: tuple[ListFile, ...] = field(default=(), metadata={"setting": False})

    def __call__(self, page: Page, target: str) -> Page:
        """The page with its labels, in place of those that it had; `target` is the language of its text."""
        labels = {name: value for name, value in page.labels.items() if not name.startswith(CONTENT)}
        scores = {name: value for name, value in page.scores.items() if not name.startswith(CONTENT)}
        words: list[str] = []
        for file in self.files:
            name = f"{CONTENT}{file.label}"
            if file.of == ADDRESSES:
                labels |= _also(labels, name, ADDRESS) if _listed(page.url, _addresses(file)) else {}
            elif file.of in (target, EVERY):
                words = words or words_of(page.text)
                found = _words(file)
                score, entries = found.score(words)
                scores[name] = round(max(score, scores.get(name, 0.0)), 6)
                labels |= _also(labels, name, WORDS) if self._has_label(found, score, entries) else {}
        return changed(page, labels=labels, scores=scores)

    def _has_label(self, found: WordList, score: float, entries: int) -> bool:
        if found.threshold is not None:
            return score >= found.threshold
        return score >= self.min_score and entries >= self.min_entries


def list_named(path: str, digest: str) -> ListFile:
    """The list that a file of this name is; UserError for a name that says nothing."""
    found = NAME.fullmatch(path.rpartition("/")[2])
    if found is None:
        raise UserError(
            f"{path} is no name of a list.",
            "Call lists LABEL.LANGUAGE.txt, LABEL.all.txt or LABEL.urls.txt, such as adult.xho.txt.",
        )
    of = found["of"] if found["of"] in (ADDRESSES, EVERY) else Language.find(found["of"]).code
    return ListFile(found["label"], of, path, digest)


def _also(labels: dict[str, str], name: str, why: str) -> dict[str, str]:
    known = labels.get(name, "").split()
    return {name: " ".join([*known, why] if why not in known else known)}


def _listed(url: str, addresses: frozenset[str]) -> bool:
    """Whether a list has the host of a page, a domain above it, or the beginning of its path."""
    return any(each in addresses for each in _forms(url))


def _forms(url: str) -> Iterator[str]:
    """What a list may have of an address: its host and domains, and its host with each folder of its path."""
    host = host_of(url)
    yield from suffixes(host)
    path = url.partition("://")[2].partition("?")[0].partition("#")[0].partition("/")[2]
    folder = host
    for part in path.split("/"):
        folder = f"{folder}/{part}"
        yield folder


@cache
def _words(file: ListFile) -> WordList:
    return word_list(_text(file), file.path)


@cache
def _addresses(file: ListFile) -> frozenset[str]:
    lines = (line.strip() for line in _text(file).splitlines())
    kept = (line for line in lines if line and not line.startswith("#"))
    return frozenset(line.rpartition("://")[2].rstrip("/") for line in kept)


def _text(file: ListFile) -> str:
    with open_input(file.path) as stored:
        return bytes(stored.read()).decode("utf-8-sig")
