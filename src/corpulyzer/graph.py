"""The links of pages as edges of the web graph (XH-9)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from corpulyzer.record import Edge, Page, schema_of
from corpulyzer.url import canonical, site_of, url_id

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
        links = [(link, *end) for link in page.links if (end := _end(link.url))]
        for name in ("anchor", "rel", "hreflang", "element"):
            columns[name] += [getattr(link, name) for link, *_ in links]
        columns["target_id"] += [key for _, _, _, key in links]
        columns["target"] += [target for _, target, _, _ in links]
        columns["target_site"] += [site for _, _, site, _ in links]
        columns["source_id"] += [page.fetch.id] * len(links)
        columns["source_url_id"] += [page.fetch.url_id] * len(links)
        columns["round"] += [page.fetch.round] * len(links)
    return pa.RecordBatch.from_pydict(columns, schema=schema_of(Edge))


# The pages of a site share most of their links.
@lru_cache(maxsize=20_000)
def _end(url: str) -> tuple[str, str, int] | None:
    target = canonical(url)
    return (target, site_of(target), url_id(target)) if target else None
