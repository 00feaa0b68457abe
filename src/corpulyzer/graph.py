"""The links of pages as edges of the web graph (XH-9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from corpulyzer.record import Edge, Fetch, Link, schema_of
from corpulyzer.url import canonical_of_joined, site_of, url_id

if TYPE_CHECKING:
    import pyarrow as pa


def edge_batch(linked: Iterable[tuple[Fetch, Sequence[Link]]]) -> pa.RecordBatch:
    """The edges of pages, each target in canonical form; a link to what is no web page is no edge.

    Column by column: a page has hundreds of links, and a record for each would cost more than its text.
    """
    import pyarrow as pa

    columns: dict[str, list[str | int]] = {name: [] for name in schema_of(Edge).names}
    for fetch, links in linked:
        ends = [(link, *end) for link in links if (end := _end(link.url))]
        if not ends:
            continue
        kept, targets, sites, keys = zip(*ends, strict=True)
        columns["target"] += targets
        columns["target_site"] += sites
        columns["target_id"] += keys
        columns["anchor"] += [link.anchor for link in kept]
        columns["rel"] += [link.rel for link in kept]
        columns["hreflang"] += [link.hreflang for link in kept]
        columns["element"] += [link.element for link in kept]
        columns["source_id"] += [fetch.id] * len(kept)
        columns["source_url_id"] += [fetch.url_id] * len(kept)
        columns["round"] += [fetch.round] * len(kept)
    return pa.RecordBatch.from_pydict(columns, schema=schema_of(Edge))


# The pages of a site share most of their links.
@lru_cache(maxsize=20_000)
def _end(url: str) -> tuple[str, str, int] | None:
    target = canonical_of_joined(url)
    return (target, _site_of(target[: target.find("/", 8) + 1]), url_id(target)) if target else None


@lru_cache(maxsize=20_000)
def _site_of(origin: str) -> str:
    return site_of(origin)
