"""How well main content is found, on pages whose main content is known (HR-6, C4-6).

A gold set is a folder with `html/ID.html` and `gold.jsonl`: id, url, language and text on each line, and
where there are any `page_type` and the snippets `with` and `without`.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpulyzer.errors import UserError
from corpulyzer.lab.evaluate.text_metrics import TEXT_METRICS, Metric, Score, harmonic, snippets
from corpulyzer.page.extract import Extract
from corpulyzer.page.extract.decode import decode
from corpulyzer.page.extract.parse import parse
from corpulyzer.page.extract.published.peers import PEERS, peer_named
from corpulyzer.records import Page

TextOf = Callable[[bytes, str], str]


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page whose main content a person has marked. `group` is the name of its set, `kind` its page type."""

    group: str
    id: str
    url: str
    language: str
    kind: str
    text: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    file: Path

    @property
    def html(self) -> bytes:
        return self.file.read_bytes()


@dataclass(frozen=True, slots=True)
class Measured:
    """What an extractor made of a page: its text, the score, and the seconds of processor time."""

    page: GoldPage
    text: str
    score: Score
    seconds: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of many pages: mean precision of those with output, mean recall, and F1 of the two means.

    For CleanEval's measure all three are means over all pages: without output, precision is 0 (Evert 2008).
    """

    pages: int
    precision: float
    recall: float
    f1: float
    empty: int
    seconds: float

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds if self.seconds else 0.0

    def to_json(self) -> dict[str, float]:
        return {
            "pages": self.pages,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "empty": self.empty,
            "pages_per_cpu_second": self.pages_per_second,
        }


def read_gold(folder: Path) -> list[GoldPage]:
    """The pages of a gold set, or of all gold sets in a folder."""
    if not (folder / "gold.jsonl").exists():
        sets = sorted(file.parent for file in folder.glob("*/gold.jsonl"))
        if not sets:
            raise UserError(
                f"{folder} holds no gold set.",
                "A gold set is a folder with gold.jsonl (id, url, language, text a line) and html/ID.html.",
            )
        return [page for one in sets for page in read_gold(one)]
    lines = (folder / "gold.jsonl").read_bytes().splitlines()
    return [_gold_page(line, number, folder) for number, line in enumerate(lines, 1) if line.strip()]


def _gold_page(line: bytes, number: int, folder: Path) -> GoldPage:
    try:
        row: dict[str, Any] = json.loads(line)
        page = GoldPage(
            folder.name,
            str(row["id"]),
            row.get("url") or "",
            row.get("language") or "",
            row.get("page_type") or "",
            row["text"],
            tuple(row.get("with") or ()),
            tuple(row.get("without") or ()),
            folder / "html" / f"{row['id']}.html",
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(
            f"{folder / 'gold.jsonl'}, line {number} is no gold page.", "Give it at least an id and a text."
        ) from None
    if not page.file.exists():
        raise UserError(f"{page.file} is missing.", f"gold.jsonl speaks of it in line {number}.")
    return page


def text_of(name: str) -> TextOf:
    """What makes text of a page as it was fetched: an extractor of ours, or a peer with its own parse."""
    if name in PEERS:
        peer = peer_named(name)
        return lambda html, url: "\n".join(peer(decode(Page(url, body=html, mime="text/html")).html))
    stage = Extract(name, embedded=name == "default")  # the others as published
    return lambda html, url: stage(parse(decode(Page(url, body=html, mime="text/html")))).text


def measure(
    pages: Sequence[GoldPage], extractor: str | TextOf, metric: Metric = "shingle"
) -> Iterator[Measured]:
    """Each page with what the extractor makes of it, one by one.

    The first page is run twice, so that loading a model is not counted.
    """
    if metric == "snippets" and not any(page.wanted or page.unwanted for page in pages):
        raise UserError(
            "These pages have no snippets to count.",
            "Give lines of gold.jsonl `with` and `without`, or take another metric.",
        )
    run = text_of(extractor) if isinstance(extractor, str) else extractor
    for page in pages[:1]:
        run(page.html, page.url)
    for page in pages:
        html, start = page.html, time.process_time()
        text = run(html, page.url)
        seconds = time.process_time() - start
        yield Measured(page, text, _score(page, text, metric), seconds)


def _score(page: GoldPage, text: str, metric: Metric) -> Score:
    if metric == "snippets":
        return snippets(page.wanted, page.unwanted, text)
    return TEXT_METRICS[metric](page.text, text)


def summary(measured: Sequence[Measured], metric: Metric = "shingle") -> Summary:
    """The figures of these pages together."""
    is_macro = metric == "cleaneval"
    found = [m.score.precision for m in measured if is_macro or m.score.right + m.score.wrong]
    there = [m.score.recall for m in measured if is_macro or m.score.right + m.score.missed]
    precision = statistics.fmean(found) if found else 0.0
    recall = statistics.fmean(there) if there else 0.0
    if is_macro and measured:
        f1 = statistics.fmean(m.score.f1 for m in measured)
    elif metric == "snippets":
        total = Score(
            *(sum(getattr(m.score, name) for m in measured) for name in ("right", "wrong", "missed"))
        )
        precision, recall, f1 = total.precision, total.recall, total.f1
    else:
        f1 = harmonic(precision, recall)
    empty = sum(not m.text.strip() for m in measured)
    return Summary(len(measured), precision, recall, f1, empty, sum(m.seconds for m in measured))


def summaries(
    measured: Sequence[Measured], key: Callable[[GoldPage], str], metric: Metric = "shingle"
) -> dict[str, Summary]:
    """The figures of each group that `key` names: a set, a page type, a language."""
    groups: dict[str, list[Measured]] = {}
    for one in measured:
        groups.setdefault(key(one.page), []).append(one)
    return {name: summary(group, metric) for name, group in groups.items()}


def worst(measured: Sequence[Measured], count: int) -> list[Measured]:
    """The pages with the lowest F1, worst first."""
    return sorted(measured, key=lambda m: (m.score.f1, m.page.group, m.page.id))[:count]
