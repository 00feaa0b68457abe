"""Pages as numbers: what the measures of web and richness need of each document, read once.

SQL that both engines run alike can neither cut an address nor open a list, so a map does that first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Dataset, Source, Unit
from corpulyzer.measure.bench import Bench
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import Storage, exists
from corpulyzer.text.census import census
from corpulyzer.url import depth, raw_depth, site_of

if TYPE_CHECKING:
    import pyarrow as pa

MICRO = 1_000_000
# Eight steps for each doubling of size: fine enough for a curve, few enough to count.
STEPS_PER_DOUBLING = 8
TEXT = ["text", "paragraphs"]
COLUMNS = (
    *("id", "url_id", "url", "site", "round", "date", "mime", "charset", "raw_bytes", "text_bytes"),
    *("target_bytes", "tokens", "languages", "scores", "verdict"),
    *TEXT,
)


@dataclass(frozen=True, slots=True)
class PageRow:
    """A document as numbers. `share` is the target language's share of the text in millionths (CZ-27).

    It is counted in bytes, and in tokens as `token_share`. `content_bytes` are those of all languages, those
    of none (`und`) too: the text without the line breaks between its paragraphs, and with those paragraphs
    in other languages that were taken out of it (HR-8). `domain` is the registered domain, `size_step` the
    size of the payload as a step of a logarithmic scale, -1 where there is none.
    """

    id: int
    url_id: int
    url: str
    site: str
    domain: str
    round: int
    second: int
    mime: str
    charset: str
    depth: int
    raw_depth: int
    raw_bytes: int
    size_step: int
    text_bytes: int
    content_bytes: int
    target_bytes: int
    tokens: int
    share: int
    token_share: int
    kept: int


@dataclass(frozen=True, slots=True)
class PageLanguage:
    """A language on a page, in bytes."""

    id: int
    language: str
    bytes: int
    kept: int


@dataclass(frozen=True, slots=True)
class DescribePages:
    """Map: documents in, each as numbers and each of its languages out."""

    target: str

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"languages": schema_of(PageLanguage), "pages": schema_of(PageRow)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        pages, languages = [], []
        plain = [name for name in batch.schema.names if name not in TEXT]
        for number, row in enumerate(batch.select(plain).to_pylist()):
            at(number)
            kept = int(row["verdict"]["kept"])
            found = {item["name"]: item["value"] for item in row["languages"] if item["value"]}
            # Texts are turned into Python only where words must be counted, which is seldom.
            mixed = len(found) > 1 and self.target in found
            text = batch.slice(number, 1).select(TEXT).to_pylist()[0] if mixed else {}
            share = token_share(text, self.target) if mixed else MICRO * (self.target in found)
            left, taken_out = sum(found.values()), _taken_out(row["scores"])
            # The words of what was taken out are not known; they are taken to be as long as those left.
            share = share * left // (left + taken_out) if taken_out else share
            pages.append(_page(row, kept, left + taken_out, share))
            languages += [PageLanguage(row["id"], name, size, kept) for name, size in found.items()]
        return {"languages": batch_of(languages, PageLanguage), "pages": batch_of(pages, PageRow)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """No rows: a document whose numbers or address cannot be read is left out."""
        return {name: batch_of([], cls) for name, cls in TABLES.items()}


TABLES = {"languages": PageLanguage, "pages": PageRow}


def _page(row: dict[str, Any], kept: int, content: int, share_by_tokens: int) -> PageRow:
    url, raw, text = str(row["url"]), _int(row["raw_bytes"]), _int(row["text_bytes"])
    target = _int(row["target_bytes"])
    same = ("id", "url_id", "site", "round", "mime", "charset", "tokens")
    return PageRow(
        **{name: row[name] for name in same},
        url=url,
        second=int(row["date"].timestamp()),
        domain=site_of(url, "registered"),
        depth=depth(url),
        raw_depth=raw_depth(url),
        raw_bytes=raw,
        size_step=size_step(raw),
        text_bytes=text,
        content_bytes=content,
        target_bytes=target,
        share=language_share(target, content),
        token_share=share_by_tokens,
        kept=kept,
    )


def _taken_out(scores: Iterable[Mapping[str, Any]] | None) -> int:
    """Bytes of the paragraphs in other languages that are no longer in the text."""
    return sum(int(score["value"]) for score in scores or () if score["name"] == "other_bytes")


def _int(value: object) -> int:
    return value if isinstance(value, int) else 0


def token_share(row: Mapping[str, Any], code: str) -> int:
    """Eq. 4 by tokens, in millionths; the tokens of a paragraph in several languages go with its bytes."""
    own = total = 0.0
    for each in row["paragraphs"]:
        sizes = {item["name"]: item["value"] for item in each["languages"]} or {each["language"]: 1}
        words = census(row["text"][each["start"] : each["end"]]).words
        total += words
        own += words * sizes.get(code, 0) / sum(sizes.values())
    return round(own * MICRO / total) if total else 0


def language_share(target_bytes: int, content_bytes: int) -> int:
    """Eq. 4 of Corpulyzer (2021) in millionths, 0 for a page without text (CZ-27).

    >>> language_share(1, 3), language_share(0, 0)
    (333333, 0)
    """
    return min(MICRO, target_bytes * MICRO // content_bytes) if content_bytes > 0 else 0


def size_step(size: int) -> int:
    """The step of a logarithmic scale of sizes that is not above `size`; -1 for nothing.

    >>> size_step(0), size_step(1), size_step(1024), size_step(2047) < size_step(2048)
    (-1, 0, 80, True)
    """
    if size < 1:
        return -1
    doublings = size.bit_length() - 1
    within = size / (1 << doublings)
    return STEPS_PER_DOUBLING * doublings + sum(within >= edge for edge in _EDGES)


_EDGES = tuple(2 ** (k / STEPS_PER_DOUBLING) for k in range(1, STEPS_PER_DOUBLING))


def step_size(step: int) -> int:
    """The smallest size of a step.

    >>> [size_step(step_size(step)) for step in (24, 80, 81, 87)]
    [24, 80, 81, 87]
    """
    return math.ceil(2 ** (step / STEPS_PER_DOUBLING) - 1e-9) if step >= 0 else 0


def described(bench: Bench) -> dict[str, Dataset]:
    """The tables `pages` and `languages` of a corpus; made by the first measure that asks for them."""
    folder, units = Storage(bench.folder), []
    files: dict[str, list[str]] = {name: [] for name in TABLES}
    for number, source in enumerate(bench.documents.files):
        targets = {name: folder.path(f"{name}/{number:05d}.parquet") for name in TABLES}
        if not exists(targets["pages"]):
            units.append(Unit(Source(path=source, columns=COLUMNS), targets))
        for name, target in targets.items():
            files[name].append(target)
    if units:
        bench.engine.map(DescribePages(bench.language.code), units)
    return {name: Dataset(tuple(files[name]), schema_of(cls)) for name, cls in TABLES.items()}
