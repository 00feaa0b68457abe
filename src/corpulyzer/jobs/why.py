"""Everything that happened to one URL, from the tables."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from corpulyzer.errors import UserError
from corpulyzer.jobs.dedup.of_document import copies_of
from corpulyzer.page.label.license import stands
from corpulyzer.records import RENDERED, UNSAID, Document
from corpulyzer.records.columns import record_of
from corpulyzer.url import canonical, url_id

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.web.frontier.store.versions import Frontier

FETCHES_SQL = "select * from fetches where url_id = {key} order by date nulls first, id nulls first"
VOTE_SQL = """
select license, count(*) as pages from documents
where text_bytes > 0 and site in (select site from documents where url_id = {key})
group by license order by license nulls last
"""
LISTED_SQL = "select place, score, evidence, hops from listed where id = {key}"
DOCUMENTS_SQL = "select * from documents where url_id = {key} order by date nulls first, id nulls first"

TOLD = tuple(
    """
    url spelling round linked_from hops links outside from_target anchors_target anchors_script anchors_other
    anchors_named alternates_target alternates_other listed maps fetches status failures refused
    """.split()
)
"""What is told of a URL in the frontier; its other columns are keys, sums and digests for machines."""


def history(corpus: CorpusFolder, url: str, engine: Engine) -> list[dict[str, Any]]:
    """What the frontier knows of a URL, its fetches and the documents made of them, oldest first."""
    key = url_id(canonical(url) or url)
    fetches = engine.query(FETCHES_SQL.format(key=key), {"fetches": corpus.table("fetches")}).to_pylist()
    documents = engine.query(
        DOCUMENTS_SQL.format(key=key), {"documents": corpus.table("documents")}
    ).to_pylist()
    known = _known(corpus, key, engine)
    if not fetches and not known:
        raise UserError(
            f"Nothing is known of {url}.",
            "It was neither imported nor fetched; check the spelling, or see `corpulyzer status`.",
        )
    by_id = {row["id"]: record_of(Document, row) for row in documents}
    vote: dict[str, int] = {}
    if any(row["license_basis"] for row in documents):
        counted = engine.query(VOTE_SQL.format(key=key), {"documents": corpus.table("documents")}).to_pylist()
        vote = {row["license"]: row["pages"] for row in counted}
    events = known
    for row in fetches:
        when = f"{row['date']:%Y-%m-%d %H:%M:%S} UTC: {row['outcome']}"
        how = f"rendered {when}" if row["purpose"] == RENDERED else f"fetched {when}"
        events.append({"what": how, **_fetch(row)})
        if row["id"] in by_id:
            document = by_id[row["id"]]
            events.append({**_document(document), **_voted(document, vote)})
            events += copies_of(corpus, engine, document.id)
    return events


def _known(corpus: CorpusFolder, key: int, engine: Engine) -> list[dict[str, Any]]:
    """How a crawl came by a URL, what spoke for it, and the rounds that had it on their lists."""
    from corpulyzer.corpus import rounds
    from corpulyzer.web import seeds
    from corpulyzer.web.frontier.tables import MICRO, NEVER
    from corpulyzer.web.frontier.traps import PAGE_LIST

    rounds.whole_frontier(corpus.storage)
    row = rounds.ask_frontier(corpus.storage, lambda found: _with_referrer(engine, found, key))
    if row is None:
        return []
    origin = [seed for seed in seeds.read(corpus.storage) if seed.url == row["url"]]
    words = f"seed from {origin[0].source} {origin[0].detail}".strip() if origin else "found by a link"
    due = "never" if row["due"] >= NEVER else f"{datetime.fromtimestamp(row['due'], UTC):%Y-%m-%d %H:%M} UTC"
    due = due if row["due"] else "now"
    again = " again" if row["fetches"] else ""
    due = f"due {due}"
    if row["refused"] == PAGE_LIST:
        due += ", as long as lists of its site lead to new pages"
    elif row["refused"]:
        due = f"not to be fetched{again} ({row['refused']})"
    facts = {name: row[name] for name in TOLD if row[name]}
    if row["links"]:
        facts["target_share"] = round(row["share"] / row["links"] / MICRO, 3)
    events = [{"what": f"known since round {row['round']}: {words}; {due}", **facts}]
    for each in rounds.rounds(corpus.storage):
        if each.done("list"):
            listed = engine.query(LISTED_SQL.format(key=key), {"listed": each.listed()}).to_pylist()
            where = f"on the list of round {each.number}"
            events += [{"what": f"{where}, place {line['place'] + 1}", **_line(line)} for line in listed]
    return events


def _with_referrer(engine: Engine, frontier: Frontier, key: int) -> dict[str, Any] | None:
    """The row of a URL, with the URL of the page by which it was found."""
    from corpulyzer.web.frontier.store.asked import url_known

    row = url_known(engine, frontier, key)
    if row is None:
        return None
    referrer = url_known(engine, frontier, row["referrer"]) if row["referrer"] else None
    return {**row, "linked_from": referrer["url"] if referrer else None}


def _line(line: dict[str, Any]) -> dict[str, Any]:
    """A line of a fetch list: the score in units of its strategy, and the evidence in words."""
    from corpulyzer.web.frontier.clues import words_of
    from corpulyzer.web.frontier.tables import MICRO

    return {"score": line["score"] / MICRO, "evidence": words_of(line["evidence"]), "hops": line["hops"]}


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
        "purpose",
        "location",
        "took_ms",
    )
    facts = {name: row[name] for name in names}
    return facts | ({"retry_after": row["retry_after"]} if row["retry_after"] != UNSAID else {})


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
