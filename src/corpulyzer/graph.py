"""The links of pages as edges of the web graph (XH-9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

from corpulyzer.record import Edge, Fetch, Link, schema_of
from corpulyzer.url import canonical_of_joined, site_of, url_id

if TYPE_CHECKING:
    import pyarrow as pa


_OF_LINKS = ("target", "target_site", "target_id", *Link._fields)
_URL = itemgetter(0)


def edge_batch(linked: Iterable[tuple[Fetch, Sequence[Link]]]) -> pa.RecordBatch:
    """The edges of pages, each target in canonical form; a link to what is no web page is no edge.

    Column by column: a page has hundreds of links, and a record for each would cost more than its text.
    """
    import numpy as np
    import pyarrow as pa

    columns: dict[str, list[str | int]] = {name: [] for name in _OF_LINKS}
    sources, counts = [], []
    for fetch, links in linked:
        ends = list(map(_end, map(_URL, links)))
        kept = links
        if None in ends:
            kept = [link for link, end in zip(links, ends, strict=True) if end]
        if kept:
            values = (*zip(*filter(None, ends), strict=True), *zip(*kept, strict=True))
            for name, column in zip(_OF_LINKS, values, strict=True):
                columns[name] += column
            sources.append((fetch.id, fetch.url_id, fetch.round))
            counts.append(len(kept))
    del columns["url"]
    repeated = np.repeat(np.array(sources, np.int64).reshape(-1, 3), counts, axis=0).T
    same = dict(zip(("source_id", "source_url_id", "round"), map(pa.array, repeated), strict=True))
    return pa.RecordBatch.from_pydict({**columns, **same}, schema=schema_of(Edge))


# The pages of a site share most of their links; more than a processor's cache holds would be no quicker.
@lru_cache(maxsize=2_000)
def _end(url: str) -> tuple[str, str, int] | None:
    target = canonical_of_joined(url)
    return (target, _site_of(target[: target.find("/", 8) + 1]), url_id(target)) if target else None


@lru_cache(maxsize=2_000)
def _site_of(origin: str) -> str:
    return site_of(origin)
