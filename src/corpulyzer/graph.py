"""The links of pages as edges of the web graph (XH-9)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from corpulyzer.record import Edge, Page, schema_of
from corpulyzer.url import canonical_of_joined, site_of, url_id

if TYPE_CHECKING:
    import pyarrow as pa


def edge_batch(pages: Iterable[Page]) -> pa.RecordBatch:
    """The edges of pages, each target in canonical form; a link to what is no web page is no edge.

    Column by column: a page has hundreds of links, and a record for each would cost more than its text.
    """
    import pyarrow as pa

    columns: dict[str, list[str | int]] = {name: [] for name in schema_of(Edge).names}
    for page in pages:
        if page.fetch is None or not page.links:
            continue
        ends = [_end(link.url) for link in page.links]
        links = [link for link, end in zip(page.links, ends, strict=True) if end]
        if not links:
            continue
        targets, sites, keys = zip(*filter(None, ends), strict=True)
        columns["target"] += targets
        columns["target_site"] += sites
        columns["target_id"] += keys
        columns["anchor"] += [link.anchor for link in links]
        columns["rel"] += [link.rel for link in links]
        columns["hreflang"] += [link.hreflang for link in links]
        columns["element"] += [link.element for link in links]
        columns["source_id"] += [page.fetch.id] * len(links)
        columns["source_url_id"] += [page.fetch.url_id] * len(links)
        columns["round"] += [page.fetch.round] * len(links)
    return pa.RecordBatch.from_pydict(columns, schema=schema_of(Edge))


# The pages of a site share most of their links.
@lru_cache(maxsize=20_000)
def _end(url: str) -> tuple[str, str, int] | None:
    target = canonical_of_joined(url)
    return (target, site_of(target), url_id(target)) if target else None
