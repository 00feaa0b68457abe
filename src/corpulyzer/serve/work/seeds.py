"""Where seeds come from, as forms ask for it: pasted at once, the other sources as commands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError
from corpulyzer.jobs.seeds.sources import add_file

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.storage import Storage
    from corpulyzer.web.seeds import Added

SITES, PAGES, QUERIES = 500, 1_000, 50
"""How many sites of a Wikipedia, pages of Common Crawl's index and queries of a search are asked for."""

SOURCES = ("wikipedia", "provider", "commoncrawl")
"""The fields of a form that ask for seeds by a command."""

EMPTY: Mapping[str, str] = defaultdict(str)
"""A form that nobody has filled in: each of its fields is empty."""


def given(storage: Storage, name: str, text: str) -> str:
    """The path of a file in the corpus folder with a text that somebody pasted or uploaded."""
    lines = (line.rstrip() for line in text.replace("\r\n", "\n").split("\n"))
    storage.write(f"given/{name}", ("\n".join(lines).strip() + "\n").encode())
    return storage.path(f"given/{name}")


def add_pasted(corpus: CorpusFolder, text: str) -> Added | None:
    """Add the addresses of a text, one a line; None if there are none."""
    if not text.strip():
        return None
    return add_file(corpus, Path(given(corpus.storage, "seeds.txt", text)))


def must_be_possible(form: Mapping[str, str]) -> None:
    """UserError if a search engine is asked for without what it needs."""
    if form.get("provider") and not form.get("search_text", "").strip():
        raise UserError(
            "A search needs text in the language.", "Paste any text: words of it are sent to the engine."
        )
    if form.get("provider") == "searxng" and not form.get("endpoint", "").strip():
        raise UserError("A SearXNG has no address of its own.", "Write where yours is, http://HOST:PORT.")


def commands(storage: Storage, form: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The commands that fetch seeds from the sources that a form names."""
    must_be_possible(form)
    found: list[tuple[str, ...]] = []
    if form.get("wikipedia") == "yes":
        dumps = ("--dumps", form["dumps"].strip()) if form.get("dumps", "").strip() else ()
        found.append(("seeds", "wikipedia", "--homepages", "--limit", str(SITES), *dumps))
    if form.get("provider"):
        text = given(storage, "search.txt", form["search_text"])
        engine = ("--provider", form["provider"], "--queries", str(QUERIES), "--text", text)
        where = ("--endpoint", form["endpoint"].strip()) if form.get("endpoint", "").strip() else ()
        found.append(("seeds", "search", *engine, *where))
    if form.get("commoncrawl") == "yes":
        mirror = ("--mirror", form["mirror"].strip()) if form.get("mirror", "").strip() else ()
        found.append(("commoncrawl", "seeds", "--per-site", "5", "--limit", str(PAGES), *mirror))
    return found
