"""The links of pages as edges of the web graph (XH-9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import xxhash

from corpulyzer.native import compiled
from corpulyzer.records import Edge, Fetch, Link
from corpulyzer.records.columns import schema_of
from corpulyzer.url import NOISE, canonical_of_joined, site_of, spelling_of, url_id

if TYPE_CHECKING:
    import pyarrow as pa

Pages = list[tuple[Link, ...]]
# Edges by page, their keys, and their columns of text: Arrow arrays.
Columns = tuple[Sequence[int], Any, Sequence[Any]]
_TEXTS = ("target", "target_site", "spelling", "anchor", "rel", "hreflang", "element")


def edge_batch(linked: Iterable[tuple[Fetch, tuple[Link, ...]]]) -> pa.RecordBatch:
    """The edges of pages, each target in canonical form; a link to what is no web page is no edge.

    Column by column: a page has hundreds of links, and a record for each would cost more than its text.
    """
    import numpy as np
    import pyarrow as pa

    pairs = list(linked)
    counts, keys, texts = (_compiled() or collected)([links for _, links in pairs])
    sources = np.array([(fetch.id, fetch.url_id, fetch.round) for fetch, _ in pairs], np.int64).reshape(-1, 3)
    same = map(pa.array, np.repeat(sources, np.array(counts, np.int64), axis=0).T)
    columns = dict(zip(("source_id", "source_url_id", "round"), same, strict=True))
    columns |= {"target_id": keys, **dict(zip(_TEXTS, texts, strict=True))}
    schema = schema_of(Edge)
    return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)


def collected(pages: Pages) -> Columns:
    """The edges of pages, put together one by one."""
    import pyarrow as pa

    counts, rows = [], []
    for links in pages:
        found = [(*end, *link[1:]) for link in links if (end := _end(link.url))]
        counts.append(len(found))
        rows += found
    keys = pa.array([row[2] for row in rows], pa.int64())
    texts = [pa.array([row[at] for row in rows], pa.string()) for at in (0, 1, 3, 4, 5, 6, 7)]
    return counts, keys, texts


@cache
def _compiled() -> Callable[[Pages], Columns] | None:
    return compiled_edges()


def compiled_edges() -> Callable[[Pages], Columns] | None:
    """The same in C, in a third of the time; None where it was not built."""
    if compiled is None:
        return None
    import pyarrow as pa

    asked = (NOISE, _end, _site_of, xxhash.xxh3_64_intdigest)

    def collect(pages: Pages) -> Columns:
        counts, keys, columns = compiled.edges(pages, *asked)
        size = len(keys) // 8
        texts = [
            pa.StringArray.from_buffers(size, pa.py_buffer(offsets), pa.py_buffer(data))
            for offsets, data in columns
        ]
        return counts, pa.Int64Array.from_buffers(pa.int64(), size, [None, pa.py_buffer(keys)]), texts

    return collect


# The pages of a site share most of their links. More would not fit into the processor's cache.
@lru_cache(maxsize=2_000)
def _end(url: str) -> tuple[str, str, int, str] | None:
    target = canonical_of_joined(url)
    if not target:
        return None
    return target, _site_of(target[: target.find("/", 8) + 1]), url_id(target), spelling_of(url, target)


@lru_cache(maxsize=2_000)
def _site_of(origin: str) -> str:
    return site_of(origin)
