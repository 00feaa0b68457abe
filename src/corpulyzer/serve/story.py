"""One page's whole story: as fetched, what was kept of it, its languages, the verdict, its copies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.archives import archives
from corpulyzer.corpus.without_copies import read_state
from corpulyzer.errors import UserError
from corpulyzer.interface.catalogue import translated
from corpulyzer.jobs.why import history
from corpulyzer.page.extract import extractor_named
from corpulyzer.page.extract.decode import decode
from corpulyzer.page.extract.parse import parse
from corpulyzer.page.extract.walk import blocks_of
from corpulyzer.records import Document, Fetch, Page
from corpulyzer.records.columns import record_of
from corpulyzer.serve.explorer import NotFoundError
from corpulyzer.serve.fetched import harmless
from corpulyzer.serve.security import CRAWLED_POLICY
from corpulyzer.serve.takeaway import today
from corpulyzer.warc import ArchiveReader, BrokenRecordError, page_of

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.engine import Engine
    from corpulyzer.serve.explorer import Asked, Explorer

DOCUMENT_SQL = "select * from documents where id = {key}"
FETCH_SQL = "select * from fetches where id = {key}"
CLUSTER_SQL = """
select b.id, b.place, b.representative from labels as a join labels as b
on a.representative = b.representative where a.id = {key} order by b.place nulls last, b.id nulls last
limit {most}
"""
COPIES_SQL = "select id, url, site, text from documents where id in ({keys}) order by id nulls last"
FIRST = (
    *("language", "declared_language", "target_bytes", "license", "license_basis", "machine_translation"),
    *("author", "published", "canonical", "mime", "charset", "status", "raw_bytes", "truncated", "round"),
    *("archive", "offset", "record_id"),
)
APART = (
    *("id", "url_id", "url", "site", "date", "title", "text", "text_digest", "text_bytes", "raw_digest"),
    *("tokens", "target_characters", "paragraphs", "languages", "licenses", "labels", "scores", "verdict"),
)
FACTS = (*FIRST, *(name for name in Document.__slots__ if name not in (*FIRST, *APART)))
"""The columns that are listed, in this order; those of APART have a place of their own, or none."""
HINT = "Look for it in the list of documents."
LONGEST_ID, MOST_SHOWN = 19, 40
MOST_COPIES = 6
MOST_PARAGRAPHS = 400
LEVELS = ("raw", "document", "near")


@dataclass(frozen=True, slots=True)
class Copy:
    """Another document that is like this one, and the paragraphs of both side by side."""

    id: int
    url: str
    level: str
    pairs: tuple[tuple[str, str, bool], ...]


def story(explorer: Explorer, asked: Asked) -> Response:
    """The page of a document."""
    corpus, key = explorer.corpus(), _key(asked)
    with corpus.engine() as engine:
        document = _document(corpus, engine, key)
        copies = list(_copies(corpus, engine, document))
        events = history(corpus, document.url, engine)
        page = _received(corpus, engine, key)
    return explorer.page(
        "story.html",
        here="documents",
        corpus=corpus,
        document=document,
        facts=[(name, getattr(document, name)) for name in FACTS],
        paragraphs=[(p, document.text[p.start : p.end]) for p in document.paragraphs[:MOST_PARAGRAPHS]],
        more_paragraphs=max(0, len(document.paragraphs) - MOST_PARAGRAPHS),
        target=corpus.targets.of_document(document.language).code,
        blocks=_blocks(corpus, document, page),
        is_html=page is not None and page.tree is not None,
        copies=copies,
        looked_for=bool(read_state(corpus.storage).get("levels")),
        cited=today(),
        events=[_event(event) for event in events],
    )


def fetched(explorer: Explorer, asked: Asked) -> Response:
    """The page as it was received, made harmless, under a policy that lets it do nothing."""
    from starlette.responses import HTMLResponse

    corpus, key = explorer.corpus(), _key(asked)
    with corpus.engine() as engine:
        page = _received(corpus, engine, key)
    html = translated("There is no web page to show.") if page is None or page.tree is None else page.html
    return HTMLResponse(harmless(html), headers={"content-security-policy": CRAWLED_POLICY})


def _key(asked: Asked) -> int:
    text = asked.path["id"]
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_ID) or not is_int64(int(text)):
        raise NotFoundError(f"There is no document {text[:MOST_SHOWN]!r}.", HINT)
    return int(text)


def is_int64(number: int) -> bool:
    """Whether a number can be the key of a row."""
    return -(1 << 63) <= number < 1 << 63


def _document(corpus: Corpus, engine: Engine, key: int) -> Document:
    rows = engine.query(DOCUMENT_SQL.format(key=key), {"documents": corpus.table("documents")}).to_pylist()
    if not rows:
        raise NotFoundError(f"There is no document {key}.", HINT)
    found: Document = record_of(Document, rows[0])
    return found


def _received(corpus: Corpus, engine: Engine, key: int) -> Page | None:
    """The page as its archive has it, decoded and parsed; None if there is nothing to read any more."""
    rows = engine.query(FETCH_SQL.format(key=key), {"fetches": corpus.table("fetches")}).to_pylist()
    if not rows:
        return None
    fetch: Fetch = record_of(Fetch, rows[0])
    places = {archive.name: archive.path for archive in archives(corpus.storage)}
    if fetch.archive not in places:
        return None
    try:
        with ArchiveReader(places) as reader:
            return parse(decode(page_of(fetch, reader.read(fetch))))
    except (BrokenRecordError, UserError, OSError):
        return None


def _blocks(corpus: Corpus, document: Document, page: Page | None) -> list[tuple[str, str, bool]]:
    """The blocks of the page with their kind, and whether the extractor has kept each."""
    if page is None or page.tree is None:
        return []
    found, asked = blocks_of(page.tree), corpus.config.extract
    # A plug-in is not run to look at a page: what it kept is told by the text.
    chosen = [] if asked.plugins else extractor_named(asked.method, asked.stop_words)(found)
    kept = {id(block) for block in chosen}
    lines = set(document.text.split("\n"))
    return [(block.text, block.kind, id(block) in kept or block.text in lines) for block in found.blocks]


def _copies(corpus: Corpus, engine: Engine, document: Document) -> Iterator[Copy]:
    """Copies at the first level that has any."""
    from corpulyzer.jobs.dedup.run import has_labels, stored_labels

    known = read_state(corpus.storage).get("levels", {})
    for level in LEVELS:
        if level not in known or not has_labels(corpus, level):
            continue
        sql = CLUSTER_SQL.format(key=document.id, most=MOST_COPIES + 1)
        rows = engine.query(sql, {"labels": stored_labels(corpus, level)}).to_pylist()
        others = [row["id"] for row in rows if row["id"] != document.id]
        if others:
            sql = COPIES_SQL.format(keys=", ".join(map(str, (document.id, *others))))
            # As extracted: the policy for duplicates may have taken paragraphs out of either.
            found = engine.query(sql, {"documents": corpus.stored("documents")}).to_pylist()
            own = next((row["text"] for row in found if row["id"] == document.id), document.text)
            for row in found:
                if row["id"] != document.id:
                    yield Copy(row["id"], row["url"], level, tuple(side_by_side(own, row["text"])))
            return


def side_by_side(one: str, other: str) -> Iterator[tuple[str, str, bool]]:
    """The paragraphs of two texts in pairs, and whether those of a pair are equal."""
    first, second = one.split("\n"), other.split("\n")
    for kind, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        for place in range(max(b - a, d - c)):
            left = first[a + place] if a + place < b else ""
            right = second[c + place] if c + place < d else ""
            yield left, right, kind == "equal"


def _event(event: dict[str, Any]) -> tuple[str, list[tuple[str, Any]]]:
    """An event of the history: what happened, and its facts, without what is shown elsewhere."""
    hidden = {"what", "text", "url", "site", "paragraphs", "difference"}
    facts = [
        (name, value) for name, value in event.items() if name not in hidden and value not in ("", [], {})
    ]
    return str(event["what"]), facts
