"""Links as `ReadLinks` takes them, and what it makes of them."""

import pyarrow as pa

LINK = {
    "target_id": 7, "target": "http://a.pk/x", "target_site": "a.pk", "spelling": "", "anchor": "", "rel": "",
    "hreflang": "", "element": "a", "source_url_id": 5, "source_site": "a.pk", "target_bytes": 0,
    "target_text": 0, "text_bytes": 0, "hops": 0, "cash": 0, "outlinks": 1,
}  # fmt: skip


def link(**known):
    """A link of which this is known."""
    return LINK | known


def clues_of(step, links, at=lambda _row: None):
    """The clues that a step makes of links, as rows."""
    schema = pa.schema(
        [(name, pa.string() if isinstance(value, str) else pa.int64()) for name, value in LINK.items()]
    )
    return step(pa.RecordBatch.from_pylist(links, schema=schema), at)["clues"].to_pylist()
