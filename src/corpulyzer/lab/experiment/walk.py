"""A crawl in memory: the real frontier and a real strategy on a web that answers without a network.

Pages are read as a perfect pipeline would read them, so what is measured is the strategy alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from corpulyzer.engine import Dataset, Engine
from corpulyzer.records import Document, Edge, Fetch, Link, int64_hash
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.storage.temporary import temporary_folder
from corpulyzer.url import canonical, site_of, spelling_of, url_id
from corpulyzer.web.frontier import Scorer, Situation
from corpulyzer.web.frontier.brought import Brought
from corpulyzer.web.frontier.clues import Reader
from corpulyzer.web.frontier.generate import Generate
from corpulyzer.web.frontier.store.arrays import ints
from corpulyzer.web.frontier.store.versions import Frontier
from corpulyzer.web.frontier.tables import Listed
from corpulyzer.web.frontier.update import Update

if TYPE_CHECKING:
    import pyarrow as pa

START = datetime(2026, 1, 5, tzinfo=UTC)
WORK = "work"


class Truth(Protocol):
    """What a web knows of a URL."""

    @property
    def status(self) -> int: ...
    @property
    def language(self) -> str: ...
    @property
    def good(self) -> bool: ...
    @property
    def disallowed(self) -> bool: ...
    @property
    def location(self) -> str: ...


class Web(Protocol):
    """A web to walk: what is behind a URL, without fetching it."""

    def truth(self, url: str) -> Truth: ...
    def links(self, url: str) -> tuple[Link, ...]: ...
    def text(self, url: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Walk:
    """The requests of a crawl by round, with rounds of the given sizes.

    From the round `overlap_from` on, lists that can be filled are made before the last round is worked in, as
    a crawl does it that fetches and reads at once.
    """

    web: Web
    reader: Reader
    scorer: Scorer
    engine: Engine
    per_site: int = 100
    overlap_from: int = 1 << 40
    even: bool = False

    def __call__(self, seeds: Iterable[str], sizes: Sequence[int]) -> list[list[str]]:
        rounds: list[list[str]] = []
        with temporary_folder() as folder:
            update = Update(self.reader, self.engine, WORK)
            frontier = Frontier(Storage(folder))
            frontier = update.inject(frontier, "0", 1, [url for url in map(canonical, seeds) if url])
            last: pa.Table | None = None
            for number, size in enumerate(sizes, 1):
                spent = sum(map(len, rounds)) / sum(sizes)
                ahead = None
                if last is not None and number >= self.overlap_from:
                    ahead = self._listed(frontier, last, size, Situation(number, spent))
                if last is not None:
                    brought = self._brought(frontier.storage, last, number - 1)
                    frontier = update(frontier, str(number - 1), number - 1, brought).frontier
                if ahead is None or ahead.num_rows < size:
                    ahead = self._listed(frontier, None, size, Situation(number, spent))
                if not ahead.num_rows:
                    break
                last = ahead
                rounds.append([url for url in _urls(last) if not self.web.truth(url).disallowed])
        return rounds

    def _listed(self, frontier: Frontier, last: pa.Table | None, size: int, now: Situation) -> pa.Table:
        """The list of a round; `last` is that of the round before, if it is not worked in."""
        taken = () if last is None else tuple(ints(last, "id").tolist())
        generate = Generate(
            self.scorer,
            self.engine,
            per_site=self.per_site,
            traps=self.reader.traps,
            taken=taken,
            even=self.even,
        )
        return generate(frontier, size, int(START.timestamp()) + now.round, now)

    def _brought(self, storage: Storage, listed: pa.Table, number: int) -> Brought:
        """The tables that a round leaves behind."""
        import pyarrow as pa

        fetches = [_fetch(self.web.truth(url), url, number) for url in _urls(listed)]
        documents = [self._document(fetch) for fetch in fetches if fetch.outcome == "ok"]
        edges = [edge for fetch in fetches if fetch.outcome == "ok" for edge in self._edges(fetch)]
        tables = {
            "fetches": pa.Table.from_batches([batch_of(fetches, Fetch)]),
            "documents": pa.Table.from_pylist(documents, schema=schema_of(Document)),
            "links": pa.Table.from_pylist(edges, schema=schema_of(Edge)),
            "listed": listed.cast(schema_of(Listed)),
        }
        return Brought(**{name: _written(storage, name, table) for name, table in tables.items()})

    def _document(self, fetch: Fetch) -> dict[str, Any]:
        """The columns of a document that an update reads; the others are null."""
        text, truth = self.web.text(fetch.url), self.web.truth(fetch.url)
        size, is_ours = len(text.encode()), truth.language in self.reader.targets.codes
        return {
            "id": fetch.id,
            "url_id": fetch.url_id,
            "url": fetch.url,
            "site": fetch.site,
            "status": fetch.status,
            "text": text,
            "text_bytes": size,
            "paragraphs": list(_paragraphs(text, truth.language)),
            "language": truth.language,
            "languages": [{"name": truth.language, "value": size}] if truth.language else [],
            "target_bytes": size if is_ours else 0,
            "verdict": {"kept": truth.good and is_ours, "reason": "" if truth.good else "content_size"},
        }

    def _edges(self, fetch: Fetch) -> Iterable[dict[str, Any]]:
        for link in self.web.links(fetch.url):
            if target := canonical(link.url):
                yield {
                    "source_id": fetch.id,
                    "source_url_id": fetch.url_id,
                    "target_id": url_id(target),
                    "target": target,
                    "target_site": site_of(target),
                    "spelling": spelling_of(link.url, target),
                    "round": fetch.round,
                    "anchor": link.anchor,
                    "rel": link.rel,
                    "hreflang": link.hreflang,
                    "element": link.element,
                }


def _fetch(truth: Truth, url: str, number: int) -> Fetch:
    outcome = "ok" if truth.status == 200 else "reset" if truth.status == 0 else "http_error"
    return Fetch(
        id=int64_hash(url, str(number)),
        url_id=url_id(url),
        url=url,
        site=site_of(url),
        round=number,
        archive="",
        offset=0,
        length=0,
        date=START,
        outcome="robots_disallowed" if truth.disallowed else outcome,
        status=0 if truth.disallowed else truth.status,
        location=truth.location,
    )


def _paragraphs(text: str, language: str) -> Iterable[dict[str, Any]]:
    start = 0
    for paragraph in text.split("\n") if text else ():
        end = start + len(paragraph)
        yield {"start": start, "end": end, "language": language}
        start = end + 1


def _urls(listed: pa.Table) -> list[str]:
    return [str(url) for url in listed.column("url").to_pylist()]


def _written(storage: Storage, name: str, table: pa.Table) -> Dataset:
    path = storage.path(f"brought/{name}.parquet")
    with ParquetSink(path, table.schema) as sink:
        for batch in table.to_batches():
            sink.write(batch)
    return Dataset((path,), table.schema)
