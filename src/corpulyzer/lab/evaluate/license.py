"""How well licenses are found, on pages whose license is known (C4-4).

C4Corpus (2016), Table 2: binary, Creative Commons or none; Figure 2: a bar for each kind. Measured twice:
each page by itself, as there, and after the vote of its site.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from corpulyzer.errors import UserError
from corpulyzer.lab.evaluate.binary import Binary
from corpulyzer.page.extract.decode import decode
from corpulyzer.page.extract.parse import parse
from corpulyzer.page.label.license import License, stands
from corpulyzer.page.label.license_kinds import KINDS, UNSPECIFIED
from corpulyzer.records import Page
from corpulyzer.url import site_of

NONE = "none"
Method = Literal["default", "c4corpus"]
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page whose license is known from a person; empty for none."""

    url: str
    html: str
    license: str


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of license, or `none`: pages that have it, that are said to have it, and of which both hold."""

    name: str
    gold: int
    found: int
    right: int

    @property
    def accuracy(self) -> float:
        """The share of the pages that have it that were said to."""
        return self.right / self.gold if self.gold else 0.0


@dataclass(frozen=True, slots=True)
class Mistake:
    """A page, the license it has, and the one it was given."""

    url: str
    gold: str
    found: str


@dataclass(frozen=True, slots=True)
class Measured:
    """Answers against the truth: binary, by kind, and every page that was wrong."""

    binary: Binary
    kinds: tuple[Kind, ...]
    mistakes: tuple[Mistake, ...]

    @property
    def false_positives(self) -> tuple[Mistake, ...]:
        """Pages without a license that were given one."""
        return tuple(mistake for mistake in self.mistakes if mistake.gold == NONE)

    @property
    def accuracy(self) -> float:
        """The share of all pages that were given the right kind, or rightly none."""
        pages = sum(kind.gold for kind in self.kinds)
        return sum(kind.right for kind in self.kinds) / pages if pages else 0.0

    def to_json(self) -> dict[str, Any]:
        """The measurement as plain values."""
        shares = {name: getattr(self.binary, name) for name in ("precision", "recall", "f1")}
        kinds = [{**asdict(kind), "accuracy": kind.accuracy} for kind in self.kinds]
        wrong = [asdict(mistake) for mistake in self.mistakes]
        return {**asdict(self.binary), **shares, "accuracy": self.accuracy, "kinds": kinds, "mistakes": wrong}


def method_named(name: str) -> Method:
    """The method of a name; UserError where there is none."""
    for method in METHODS:
        if method == name:
            return method
    raise UserError(f"There is no method {name!r}.", f"Methods: {', '.join(METHODS)}.")


def read_gold(lines: bytes, path: str) -> list[GoldPage]:
    """The pages of a JSONL file called `path`: `url`, `html` and `license`, other fields are left alone."""
    pages = []
    for number, line in enumerate(lines.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            page = GoldPage(row["url"], row["html"], "" if row["license"] == NONE else row["license"])
        except (ValueError, KeyError, TypeError):
            raise UserError(
                f"{path}, line {number}, has no url, html and license.",
                'Each line is one page: {"url": "…", "html": "…", "license": "cc-by"}.',
            ) from None
        if page.license not in ("", UNSPECIFIED, *KINDS):
            known = ", ".join((*KINDS, UNSPECIFIED))
            raise UserError(
                f"{path}, line {number}: no license {page.license!r}.", f"Licenses: {known}, {NONE}."
            )
        pages.append(page)
    return pages


def evaluate_license(gold: Sequence[GoldPage], method: Method = "default") -> tuple[Measured, Measured]:
    """The measurement of each page by itself, and the one after the votes of the sites."""
    label = License(method)
    pages = [label(parse(decode(Page(page.url, body=page.html.encode())))) for page in gold]
    truth = [page.license for page in gold]
    urls = [page.url for page in gold]
    return measured(urls, truth, [page.license for page in pages]), measured(urls, truth, _voted(pages))


def measured(urls: Sequence[str], gold: Sequence[str], found: Sequence[str]) -> Measured:
    """Answers compared with the truth; an empty string is none."""
    pairs = Counter(zip(gold, found, strict=True))
    binary = Binary(
        right=sum(count for (a, b), count in pairs.items() if a and b),
        wrong=sum(count for (a, b), count in pairs.items() if b and not a),
        missed=sum(count for (a, b), count in pairs.items() if a and not b),
    )
    kinds = tuple(
        Kind(name or NONE, gold.count(name), found.count(name), pairs[name, name])
        for name in (*KINDS, UNSPECIFIED, "")
    )
    mistakes = [
        Mistake(url, a or NONE, b or NONE) for url, a, b in zip(urls, gold, found, strict=True) if a != b
    ]
    return Measured(binary, kinds, tuple(mistakes))


def _voted(pages: Sequence[Page]) -> list[str]:
    voters = Counter(site_of(page.url) for page in pages)
    votes = Counter((site_of(page.url), page.license) for page in pages)
    return [
        page.license
        if stands(page.license_basis, votes[site_of(page.url), page.license], voters[site_of(page.url)])
        else ""
        for page in pages
    ]
