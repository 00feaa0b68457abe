"""Corpora for measures: documents and fetches made by hand, on the bench of a local engine."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from corpulyzer.engine import Dataset
from corpulyzer.language import Language
from corpulyzer.measure.bench import Bench
from corpulyzer.page.filter import Filters
from corpulyzer.records import EPOCH, KEEP, Document, Edge, Fetch
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.url import site_of, url_id

PLAIN = Document(
    id=0, url_id=0, url="http://a.example/", site="a.example", round=0, archive="", offset=0, record_id="", date=EPOCH,
    status=200, mime="text/html", charset="utf-8", raw_bytes=1000, raw_digest="", truncated=False, title="",
    declared_language="", canonical="", author="", published="", text="x", text_digest="", text_bytes=100, tokens=10,
    paragraphs=(), languages={}, language="urd", target_bytes=100, target_characters=100, license="", licenses=(),
    machine_translation="", labels={}, scores={}, verdict=KEEP,
)  # fmt: skip
FETCH = Fetch(id=0, url_id=0, url="", site="", round=0, archive="", offset=0, length=0)
EDGE = Edge(0, 0, 0, "", "", 1, "", "", "", "a")


def page(url: str, number: int = 0, **more) -> Document:
    """A kept document at an address, with what is said of it; its numbers follow from the address.

    Without other languages, what is not in the target is in none.
    """
    made = replace(PLAIN, url=url, site=site_of(url), url_id=url_id(url), id=url_id(url) + number, **more)
    sizes = {"urd": made.target_bytes, "und": made.text_bytes - made.target_bytes}
    return made if "languages" in more else replace(made, languages=sizes)


def fetch_of(document: Document, **more) -> Fetch:
    known = {
        name: getattr(document, name) for name in ("id", "url_id", "url", "site", "round", "mime", "date")
    }
    return replace(FETCH, **known, payload_bytes=document.raw_bytes, **more)


def stored(folder: Path, name: str, records, cls, parts: int = 1) -> Dataset:
    """A table of records, in so many files."""
    files = []
    records = list(records)
    size = max(1, -(-len(records) // parts))
    for number, start in enumerate(range(0, len(records), size)):
        path = folder / f"{name}.{number}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_batches([batch_of(records[start : start + size], cls)]), path)
        files.append(str(path))
    return Dataset(tuple(files), schema_of(cls))


def bench(engine, folder: Path, documents=(), fetches=None, links=(), parts: int = 1, **more) -> Bench:
    """The bench of a corpus; a fetch for each document unless there are others."""
    documents = list(documents)
    fetches = [fetch_of(each) for each in documents] if fetches is None else fetches
    return Bench(
        engine=engine,
        documents=stored(folder, "documents", documents, Document, parts),
        fetches=stored(folder, "fetches", fetches, Fetch),
        links=stored(folder, "links", links, Edge),
        language=Language.find("urd"),
        folder=str(folder / "work"),
        **{"filters": Filters(received=("mime",), document=("content_size", "length")), **more},
    )


def by_name(results):
    return {result.name: result for result in results}
