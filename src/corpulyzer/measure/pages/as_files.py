"""What the pages are as files: depth, type, charset, size (CZ-19, CZ-36, CZ-40; C4-17)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corpulyzer.measure.bench import Bench
from corpulyzer.measure.figures import bars, columns, lines
from corpulyzer.measure.pages.funnel import percent
from corpulyzer.measure.pages.rows import described, step_size
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of

MEGABYTE = 1 << 20
LARGE_SHOWN = 50
TYPES_SHOWN = 15

DEPTH_SQL = """
select depth, count(*) as pages, sum(kept) as kept from pages group by depth order by depth nulls last
"""
RAW_DEPTH_SQL = "select max(raw_depth) as deepest from pages"
MIME_SQL = """
select mime as kind, count(*) as pages, sum(payload_bytes) as bytes from fetches
where outcome = 'ok' and purpose = 'page'
group by mime order by pages desc nulls last, kind nulls last
"""
CHARSET_SQL = """
select charset as kind, count(*) as pages, sum(raw_bytes) as bytes from pages where raw_bytes > 0
group by charset order by pages desc nulls last, kind nulls last
"""
SIZES_SQL = """
select size_step, count(*) as pages, sum(kept) as kept from pages where size_step >= 0
group by size_step order by size_step nulls last
"""
LARGE_SQL = """
select url, site, raw_bytes, target_bytes, kept from pages where raw_bytes > {least}
order by raw_bytes desc nulls last, id nulls last limit {most}
"""
LARGE_COUNT_SQL = "select count(*) as n from pages where raw_bytes > {least}"


def measure(bench: Bench) -> list[Result]:
    """URL depth, content types, charsets, sizes of payloads, and the pages above a megabyte."""
    received = [] if bench.of_several else [mime(bench)]
    return [url_depth(bench), *received, charset(bench), html_size(bench), large_pages(bench)]


def url_depth(bench: Bench) -> Result:
    """How many segments the paths of addresses have (CZ-19)."""
    pages = described(bench)["pages"]
    rows = bench.engine.query(DEPTH_SQL, {"pages": pages}).to_pylist()
    raw = bench.engine.query(RAW_DEPTH_SQL, {"pages": pages}).to_pylist()[0]["deepest"]
    total = sum(row["kept"] for row in rows)
    for row in rows:
        row["kept_share"] = row["kept"] / total if total else None
    deepest = max((row["depth"] for row in rows), default=None)
    common = max(rows, key=lambda row: (row["kept"], -row["depth"]))["depth"] if total else None
    return Result(
        name="url_depth",
        title="Depth of addresses",
        definition="The number of non-empty segments in the path of a page's address; a home page has none. "
        "Query and fragment do not count.",
        citation="Tahir & Mehmood 2021, Section IV-A",
        rows=table_of(rows, {"depth": "int64", "pages": "int64", "kept": "int64", "kept_share": "double"}),
        summary=f"Most pages of the corpus lie {common} deep; the deepest page that was read lies {deepest} "
        f"deep ({raw} by counting slashes, as the paper does)."
        if total
        else "No page is kept.",
        spec=columns(
            "depth", "kept", titles={"depth": "segments of the path", "kept": "pages in the corpus"}
        ),
        facts={"deepest": deepest},
    )


def mime(bench: Bench) -> Result:
    """The types of what was received (CZ-36, C4-17)."""
    rows = bench.engine.query(MIME_SQL, {"fetches": bench.fetches}).to_pylist()
    result = _kinds("mime", "Types of what was received", rows)
    share = sum(row["pages"] for row in rows if "html" in row["kind"]) / max(1, sum(r["pages"] for r in rows))
    return result(
        "The content type of each record that was received, as the record has it.",
        "Tahir & Mehmood 2021, Section V-A; Habernal et al. 2016",
        f"{percent(share)} of what was received is HTML.",
    )


def charset(bench: Bench) -> Result:
    """The charsets that pages were decoded from (C4-17)."""
    rows = bench.engine.query(CHARSET_SQL, {"pages": described(bench)["pages"]}).to_pylist()
    result = _kinds("charset", "Charsets", rows)
    share = sum(r["pages"] for r in rows if r["kind"] == "utf-8") / max(1, sum(r["pages"] for r in rows))
    return result(
        "The charset that a page was decoded from: declared, or detected where the declaration was wrong.",
        "Habernal et al. 2016, Section 3",
        f"{percent(share)} of the pages are in UTF-8.",
    )


def _kinds(name: str, title: str, rows: list[dict[str, Any]]) -> Callable[[str, str, str], Result]:
    """A maker of the result for kinds with pages and bytes; rare ones are summed up as others."""
    pages, size = sum(row["pages"] for row in rows), sum(row["bytes"] or 0 for row in rows)
    shown, rest = rows[:TYPES_SHOWN], rows[TYPES_SHOWN:]
    if rest:
        sums = {key: sum(row[key] or 0 for row in rest) for key in ("pages", "bytes")}
        shown = [*shown, {"kind": f"{len(rest):,} others", **sums}]
    table = [
        {
            name: row["kind"] or "not stated",
            "pages": row["pages"],
            "share": row["pages"] / pages,
            "bytes": row["bytes"] or 0,
            "bytes_share": (row["bytes"] or 0) / size if size else None,
        }
        for row in shown
    ]
    kinds = {name: "string", "pages": "int64", "share": "double", "bytes": "int64", "bytes_share": "double"}

    def make(definition: str, citation: str, summary: str) -> Result:
        return Result(
            name=name,
            title=title,
            definition=definition,
            citation=citation,
            rows=table_of(table, kinds),
            summary=summary if rows else "Nothing was received.",
            spec=bars(name, "pages"),
        )

    return make


def html_size(bench: Bench) -> Result:
    """The complementary distribution of payload sizes (CZ-40)."""
    found = bench.engine.query(SIZES_SQL, {"pages": described(bench)["pages"]}).to_pylist()
    rows = []
    for of, key in (("read", "pages"), ("corpus", "kept")):
        left = total = sum(row[key] for row in found)
        for row in found:
            if row[key]:
                rows.append({"bytes": step_size(row["size_step"]), "of": of, "share": left / total})
                left -= row[key]
    total = sum(row["pages"] for row in found)
    over = sum(row["pages"] for row in found if step_size(row["size_step"]) > MEGABYTE)
    titles = {"bytes": "bytes of a page as received", "share": "of pages are at least that large"}
    return Result(
        name="html_size",
        title="Sizes of pages as received",
        definition="The share of pages whose payload has at least x bytes, P(X ≥ x), at steps of an eighth "
        "of a doubling.",
        citation="Tahir & Mehmood 2021, Fig. 7a",
        rows=table_of(rows, {"bytes": "int64", "of": "string", "share": "double"}),
        summary=f"{over:,} of {total:,} pages are larger than a megabyte, where Common Crawl would cut them."
        if total
        else "No page has a payload.",
        spec=lines("bytes", "share", series="of", scale="log", percent=True, step=True, titles=titles),
    )


def large_pages(bench: Bench) -> Result:
    """The pages above a megabyte (CZ-52)."""
    pages = {"pages": described(bench)["pages"]}
    rows = bench.engine.query(LARGE_SQL.format(least=MEGABYTE, most=LARGE_SHOWN), pages).to_pylist()
    count = bench.engine.query(LARGE_COUNT_SQL.format(least=MEGABYTE), pages).to_pylist()[0]["n"]
    for row in rows:
        row["kept"] = bool(row["kept"])
    kinds = {"url": "string", "site": "string", "raw_bytes": "int64", "target_bytes": "int64", "kept": "bool"}
    return Result(
        name="large_pages",
        title="Pages above a megabyte",
        definition="Pages whose payload has more than 1,048,576 bytes, where Common Crawl cuts; the largest "
        f"{LARGE_SHOWN}.",
        citation="Tahir & Mehmood 2021, Section V-C",
        rows=table_of(rows, kinds),
        summary=f"Pages that are larger than a megabyte: {count:,}." if count else "No page is that large.",
        facts={"pages": count},
    )
