"""A frontier that is fed rounds by hand, for tests."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pyarrow.parquet as pq
from lasting import one_worker

from corpulyzer.engine import Dataset
from corpulyzer.records import Document, Edge, Fetch, int64_hash
from corpulyzer.records.columns import schema_of
from corpulyzer.records.targets import targets
from corpulyzer.storage import Storage
from corpulyzer.url import canonical, site_of, spelling_of, url_id
from corpulyzer.web.frontier import Situation
from corpulyzer.web.frontier.brought import Brought
from corpulyzer.web.frontier.clues import OTHER, SCRIPT, TARGET, Reader
from corpulyzer.web.frontier.generate import Generate
from corpulyzer.web.frontier.pattern import LanguageWords
from corpulyzer.web.frontier.scope import Scope
from corpulyzer.web.frontier.state import Recrawl
from corpulyzer.web.frontier.store.depth import Depth
from corpulyzer.web.frontier.store.versions import Frontier
from corpulyzer.web.frontier.strategies.breadth import Breadth
from corpulyzer.web.frontier.tables import Listed
from corpulyzer.web.frontier.update import Update

START = datetime(2026, 1, 1, tzinfo=UTC)


def anchor_language(anchor):
    return {"target": TARGET, "script": SCRIPT}.get(anchor, OTHER)


WORDS = LanguageWords(frozenset({"ur", "urd"}), ("urdu",), frozenset({"en"}))
READER = Reader(WORDS, anchor_language, targets("urd"), Scope(block=("blocked.pk",)))


class Made:
    """A frontier that is fed rounds by hand. A page is (bytes of text, of them target, links to (URL, anchor)).

    `seconds` says when in its round a URL is fetched.
    """

    def __init__(self, folder, seeds, engine=None, recrawl=None, depth=None, reader=READER):
        folder.mkdir(exist_ok=True)
        self.folder, self.round = folder, 1
        self.engine = engine or one_worker()
        self.update = Update(reader, self.engine, "work", recrawl or Recrawl(), depth or Depth())
        self.frontier = self.update.inject(Frontier(Storage(folder)), "00001.0", 1, seeds)
        self.sums = {}
        self.seconds = {}

    def list(self, strategy=None, size=100, now=None, **options):
        generate = Generate(strategy or Breadth(), self.engine, **options)
        listed = generate(self.frontier, size, now or self.now(), Situation(self.round))
        pq.write_table(listed, self.folder / f"list{self.round}.parquet")
        return listed.column("url").to_pylist()

    def listed(self, strategy):
        """The rows of the list, with what the strategy gave them."""
        self.list(strategy)
        return pq.read_table(self.folder / f"list{self.round}.parquet").to_pylist()

    def now(self):
        return int((START + timedelta(minutes=self.round)).timestamp())

    def fetch(self, pages, urls=None):
        """Answer the last list from `pages`; a number instead of a page is a status, an address a redirect."""
        listed = Dataset((str(self.folder / f"list{self.round}.parquet"),), schema_of(Listed))
        urls = pq.read_table(listed.files[0]).column("url").to_pylist() if urls is None else urls
        fetches, documents, links = [], [], []
        for url in urls:
            page = pages.get(url, 404)
            fetch = Fetch(
                int64_hash(url, str(self.round)), url_id(url), url, site_of(url), self.round, "a", 0, 0
            )
            at = timedelta(minutes=self.round, seconds=self.seconds.get(url, 0))
            fetch = replace(fetch, date=START + at, status=200)
            if isinstance(page, int):
                fetch = replace(fetch, outcome="http_error", status=page)
            elif page == "disallowed":
                fetch = replace(fetch, outcome="robots_disallowed", status=0)
            elif isinstance(page, str):
                fetch = replace(fetch, outcome="http_error", status=301, location=page)
            else:
                documents.append(document(fetch, *page[:2], page[3] if len(page) > 3 else url, *page[4:]))
                links += [edge(fetch, target, anchor) for target, anchor in page[2]]
            fetches.append(fetch)
        brought = Brought(
            self._table("fetches", [vars_of(fetch) for fetch in fetches], schema_of(Fetch)),
            self._table("documents", documents, DOCUMENTS),
            self._table("links", links, schema_of(Edge)),
            listed,
        )
        done = self.update(self.frontier, f"{self.round:05d}.1", self.round, brought)
        self.frontier, self.sums = done.frontier, done.sums
        self.round += 1

    def rows(self):
        whole = self.frontier.whole()
        rows = self.engine.query("select * from t", {"t": whole}).to_pylist()
        assert len(rows) == len({row["id"] for row in rows})
        return {row["url"]: row for row in rows}

    def site(self, name):
        """The sums of a site."""
        sums = self.frontier.sites(("site_id", "pages", "target_bytes")).to_pylist()
        return next(row for row in sums if row["site_id"] == int64_hash(name))

    def _table(self, name, rows, schema):
        path = str(self.folder / f"{name}{self.round}.parquet")
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
        return Dataset((path,), schema)


KEPT = pa.field("verdict", pa.struct([("kept", pa.bool_()), ("reason", pa.string())]))
DOCUMENTS = pa.schema(
    [
        *(
            schema_of(Document).field(n)
            for n in (
                "id",
                "target_bytes",
                "text_bytes",
                "text",
                "paragraphs",
                "language",
                "languages",
                "scores",
            )
        ),
        KEPT,
    ]
)


def vars_of(fetch):
    return {name: getattr(fetch, name) for name in fetch.__slots__}


def document(fetch, size, target, text, sentences=None, language="urd"):
    text = text.translate({ord("0") + n: "abcdefghij"[n] for n in range(10)})  # only letters tell texts apart
    return {
        "id": fetch.id,
        "target_bytes": target,
        "text_bytes": size,
        "text": text,
        "paragraphs": [{"start": 0, "end": len(text), "language": language}],
        "language": language,
        "languages": [{"name": language, "value": target}],
        "scores": [] if sentences is None else [{"name": "target_sentences", "value": float(sentences)}],
        "verdict": {"kept": target >= 256, "reason": "" if target >= 256 else "content_size"},
    }


def edge(fetch, linked, anchor):
    target = canonical(linked)
    hreflang = anchor.removeprefix("hreflang ") if anchor.startswith("hreflang") else ""
    return {
        "source_id": fetch.id,
        "source_url_id": fetch.url_id,
        "target_id": url_id(target),
        "target": target,
        "target_site": site_of(target),
        "round": fetch.round,
        "anchor": anchor,
        "rel": "nofollow" if anchor == "nofollow" else "",
        "hreflang": hreflang,
        "element": anchor if anchor in ("sitemap", "loc") else "a",
        "spelling": spelling_of(linked, target),
    }
