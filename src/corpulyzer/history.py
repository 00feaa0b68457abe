"""Everything that happened to one URL, from the tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corpulyzer.errors import UserError
from corpulyzer.label.license import stands
from corpulyzer.record import Document, record_of
from corpulyzer.url import canonical, url_id

if TYPE_CHECKING:
    from corpulyzer.corpus import Corpus
    from corpulyzer.engine import Engine

FETCHES_SQL = "select * from fetches where url_id = {key} order by date nulls first, id nulls first"
VOTE_SQL = """
select license, count(*) as pages from documents
where text_bytes > 0 and site in (select site from documents where url_id = {key})
group by license order by license nulls last
"""
DOCUMENTS_SQL = "select * from documents where url_id = {key} order by date nulls first, id nulls first"


def history(corpus: Corpus, url: str, engine: Engine) -> list[dict[str, Any]]:
    """The fetches of a URL and the documents made of them, oldest first."""
    key = url_id(canonical(url) or url)
    fetches = engine.query(FETCHES_SQL.format(key=key), {"fetches": corpus.table("fetches")}).to_pylist()
    documents = engine.query(
        DOCUMENTS_SQL.format(key=key), {"documents": corpus.table("documents")}
    ).to_pylist()
    if not fetches:
        raise UserError(
            f"Nothing is known of {url}.",
            "It was neither imported nor fetched; check the spelling, or see `corpulyzer status`.",
        )
    by_id = {row["id"]: record_of(Document, row) for row in documents}
    vote: dict[str, int] = {}
    if any(row["license_basis"] for row in documents):
        counted = engine.query(VOTE_SQL.format(key=key), {"documents": corpus.table("documents")}).to_pylist()
        vote = {row["license"]: row["pages"] for row in counted}
    events = []
    for row in fetches:
        events.append(
            {"what": f"fetched {row['date']:%Y-%m-%d %H:%M:%S} UTC: {row['outcome']}", **_fetch(row)}
        )
        if row["id"] in by_id:
            document = by_id[row["id"]]
            events.append({**_document(document), **_voted(document, vote)})
    return events


def _fetch(row: dict[str, Any]) -> dict[str, Any]:
    names = (
        "url",
        "site",
        "status",
        "mime",
        "payload_bytes",
        "truncated",
        "archive",
        "offset",
        "record_id",
        "detail",
    )
    return {name: row[name] for name in names}


def _voted(document: Document, vote: dict[str, int]) -> dict[str, str]:
    """Whether the document's license stands after the vote of its site, and by how many pages."""
    if not document.license:
        return {}
    pages, voters = vote.get(document.license, 0), sum(vote.values())
    stand = "stands" if stands(document.license_basis, pages, voters) else "does not stand"
    return {"license_vote": f"{stand}: so say {pages} of {voters} pages with text of {document.site}"}


def _document(document: Document) -> dict[str, Any]:
    verdict = document.verdict
    decided = "kept" if verdict.kept else f"dropped by {verdict.reason}"
    facts = asdict(document)
    for name in (
        "id",
        "url_id",
        "url",
        "site",
        "archive",
        "offset",
        "record_id",
        "date",
        "verdict",
        "paragraphs",
        "mime",
    ):
        del facts[name]
    facts["paragraphs"] = len(document.paragraphs)
    return {"what": f"document: {decided}", "detail": verdict.detail, "numbers": dict(verdict.facts), **facts}
