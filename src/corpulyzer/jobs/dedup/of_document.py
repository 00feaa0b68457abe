"""What is known of one document's copies, for `corpulyzer why`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.without_copies import read_state
from corpulyzer.dedup.reuse import difference

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine

LABEL_SQL = "select id, representative, size, sites, place, scope from labels where id = {key}"
REPEATED_SQL = """
select count(*) as paragraphs, sum(case when place > 1 then 1 else 0 end) as copies
from labels where id = {key}
"""
TEXTS_SQL = "select id, url, text from documents where id = {key} or id = {other}"
WORDS = {"raw": "payload", "document": "text", "near": "text but for a few words"}


def copies_of(corpus: CorpusFolder, engine: Engine, key: int) -> list[dict[str, Any]]:
    """An event for each level at which a document has copies: which one is kept, and the difference."""
    from corpulyzer.jobs.dedup.run import has_labels, stored_labels

    known = read_state(corpus.storage).get("levels", {})
    events = []
    for level, what in WORDS.items():
        if level in known and has_labels(corpus, level):
            labels = stored_labels(corpus, level)
            rows = engine.query(LABEL_SQL.format(key=key), {"labels": labels}).to_pylist()
            events += [_event(corpus, engine, what, row) for row in rows]
    for level in ("paragraph", "sentence"):
        if level in known and has_labels(corpus, level):
            labels = stored_labels(corpus, level)
            (row,) = engine.query(REPEATED_SQL.format(key=key), {"labels": labels}).to_pylist()
            if row["paragraphs"]:
                said = f"{row['paragraphs']} occur elsewhere too, {row['copies']} of them after another copy"
                events.append({"what": f"copies of its {level}s: {said}"})
    return events


def _event(corpus: CorpusFolder, engine: Engine, what: str, row: dict[str, Any]) -> dict[str, Any]:
    facts = {"copies": row["size"], "sites": row["sites"]}
    if row["place"] == 1:
        return {"what": f"one of {row['size']} with the same {what}: the one that is kept", **facts}
    sql = TEXTS_SQL.format(key=row["id"], other=row["representative"])
    texts = {
        item["id"]: item for item in engine.query(sql, {"documents": corpus.stored("documents")}).to_pylist()
    }
    kept = texts[row["representative"]]
    return {
        "what": f"one of {row['size']} with the same {what}: the one that is kept is {kept['url']}",
        "kept_copy": kept["url"],
        "scope": row["scope"],
        **facts,
        "difference": difference(kept["text"], texts[row["id"]]["text"]),
    }
