"""Pages as numbers: what the measures of web and richness need of each document, read once.

SQL that both engines run alike can neither cut an address nor open a list, so a map does that first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.engine import Dataset
from corpulyzer.measure.bench import Bench
from corpulyzer.measure.lasting import kept_by_part
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.text.census import words_in
from corpulyzer.url import depth, raw_depth, site_of

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

MICRO = 1_000_000
# Eight steps for each doubling of size: fine enough for a curve, few enough to count.
STEPS_PER_DOUBLING = 8
STAGE = "pages"
TEXT = ["text", "paragraphs"]
OTHER_BYTES = "other_bytes"
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

    @property
    def batch_rows(self) -> int:
        return 1_000

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        at(0)
        kept = pc.struct_field(batch.column("verdict"), "kept").cast(pa.int64())
        document, names, sizes = _opened(batch.column("languages"))
        there = np.flatnonzero(sizes)
        document, names, sizes = document[there], names.take(pa.array(there)), sizes[there].astype(np.int64)
        own = np.zeros(batch.num_rows, bool)
        own[document[pc.equal(names, pa.scalar(self.target)).to_numpy(zero_copy_only=False)]] = True
        left = _sums(document, sizes, batch.num_rows)
        # The words of what was taken out are not known; they are taken to be as long as those left.
        content = left + _taken_out(batch)
        several = np.bincount(document, minlength=batch.num_rows) > 1
        share = self._token_shares(batch, own, several, at)
        share = np.where(content > left, share * left // np.maximum(content, 1), share)
        places: Any = pa.array(document)
        languages = {
            "id": batch.column("id").take(places),
            "language": names,
            "bytes": pa.array(sizes),
            "kept": kept.take(places),
        }
        pages = _pages(batch, content) | {"token_share": pa.array(share), "kept": kept}
        return {"languages": _rows(languages, PageLanguage), "pages": _rows(pages, PageRow)}

    def _token_shares(
        self,
        batch: pa.RecordBatch,
        own: NDArray[np.bool_],
        several: NDArray[np.bool_],
        at: Callable[[int], None],
    ) -> NDArray[np.int64]:
        """The share of the language in each text; texts of several languages alone are read for it."""
        import pyarrow as pa

        shares = own * MICRO
        read = (own & several).nonzero()[0]
        if len(read):
            some, places = batch.select(TEXT).take(pa.array(read, pa.int64())), read.tolist()
            shares[read] = token_shares(some, self.target, lambda row: at(places[row]))
        return shares

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """No rows: a document whose numbers or address cannot be read is left out."""
        return {name: batch_of([], cls) for name, cls in TABLES.items()}


TABLES = {"languages": PageLanguage, "pages": PageRow}


def _pages(batch: pa.RecordBatch, content: NDArray[np.int64]) -> dict[str, Any]:
    """The columns of pages that need no languages."""
    import pyarrow as pa

    urls: list[str] = [str(url) for url in batch.column("url").to_pylist()]
    raw, text, target = (_whole(batch.column(name)) for name in ("raw_bytes", "text_bytes", "target_bytes"))
    seconds = _whole(batch.column("date").cast(pa.timestamp("us", tz="UTC")).cast(pa.int64())) // MICRO
    same = ("id", "url_id", "url", "site", "round", "mime", "charset", "tokens")
    return {
        **{name: batch.column(name) for name in same},
        "second": pa.array(seconds),
        "domain": pa.array([site_of(url, "registered") for url in urls], pa.string()),
        "depth": pa.array(map(depth, urls), pa.int64()),
        "raw_depth": pa.array(map(raw_depth, urls), pa.int64()),
        "raw_bytes": pa.array(raw),
        "size_step": pa.array(map(size_step, raw.tolist()), pa.int64()),
        "text_bytes": pa.array(text),
        "content_bytes": pa.array(content),
        "target_bytes": pa.array(target),
        "share": pa.array(map(language_share, target.tolist(), content.tolist()), pa.int64()),
    }


def _opened(lists: Any) -> tuple[NDArray[np.int64], Any, NDArray[Any]]:
    """A column of names with values, as three: the row of each pair, its name, its value."""
    import numpy as np
    import pyarrow.compute as pc

    rows = pc.list_parent_indices(lists).to_numpy().astype(np.int64)
    pairs = pc.list_flatten(lists)
    return rows, pc.struct_field(pairs, "name"), _whole(pc.struct_field(pairs, "value"))


def _taken_out(batch: pa.RecordBatch) -> NDArray[np.int64]:
    """Bytes of the paragraphs in other languages that are no longer in the text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    document, names, values = _opened(batch.column("scores"))
    own = pc.equal(names, pa.scalar(OTHER_BYTES)).to_numpy(zero_copy_only=False)
    return _sums(document[own], values[own], batch.num_rows)


def _sums(rows: NDArray[np.int64], values: NDArray[Any], count: int) -> NDArray[np.int64]:
    """The sum of the values of each row."""
    import numpy as np

    found = np.zeros(count, np.int64)
    np.add.at(found, rows, values.astype(np.int64))
    return found


def _whole(numbers: Any) -> NDArray[Any]:
    """Numbers, 0 where there is none."""
    found: NDArray[Any] = (numbers.fill_null(0) if numbers.null_count else numbers).to_numpy()
    return found


def _rows(columns: Mapping[str, Any], record: type) -> pa.RecordBatch:
    import pyarrow as pa

    schema = schema_of(record)
    arrays = [columns[name].cast(schema.field(name).type) for name in schema.names]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def token_shares(batch: pa.RecordBatch, code: str, at: Callable[[int], None]) -> NDArray[np.int64]:
    """Eq. 4 by tokens, in millionths; the tokens of a paragraph in several languages go with its bytes."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    paragraphs = batch.column("paragraphs")
    rows = pc.list_parent_indices(paragraphs).to_numpy().astype(np.int64)
    flat = pc.list_flatten(paragraphs)
    starts, ends = (pc.struct_field(flat, name).to_pylist() for name in ("start", "end"))
    words = np.zeros(len(rows), np.int64)
    texts: list[Any] = batch.column("text").to_pylist()
    for place, (row, start, end) in enumerate(zip(rows.tolist(), starts, ends, strict=True)):
        at(row)
        words[place] = words_in(texts[row][start:end])
    owners, names, sizes = _opened(pc.struct_field(flat, "languages"))
    whole = _sums(owners, sizes, len(rows))
    there = pc.equal(names, pa.scalar(code)).to_numpy(zero_copy_only=False)
    mine = _sums(owners[there], sizes[there], len(rows))
    said = pc.equal(pc.struct_field(flat, "language"), pa.scalar(code)).to_numpy(zero_copy_only=False)
    mine, whole = np.where(whole > 0, mine, said), np.where(whole > 0, whole, 1)
    own, total = np.zeros(batch.num_rows), np.zeros(batch.num_rows)
    np.add.at(own, rows, words * mine / whole)
    np.add.at(total, rows, words)
    return np.rint(own * MICRO / np.where(total > 0, total, 1)).astype(np.int64)


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
    if STAGE not in bench.made:
        step = DescribePages(bench.language.code)
        bench.made[STAGE] = kept_by_part(bench, STAGE, step, bench.documents.files, lambda _: COLUMNS)
    found: dict[str, Dataset] = bench.made[STAGE]
    return found
