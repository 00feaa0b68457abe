"""Whether a source of seeds can be reached from here, asked before it is relied on."""

from __future__ import annotations

from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from corpulyzer.errors import UserError
from corpulyzer.jobs.seeds.wikipedia import DUMPS
from corpulyzer.web.commoncrawl import CommonCrawlSettings

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.serve.answering import Place
    from corpulyzer.serve.explorer import Asked

SECONDS = 8.0
SOURCES = {"wikipedia": ("dumps", DUMPS), "commoncrawl": ("mirror", CommonCrawlSettings().mirror)}
"""The sources that may be away: the field with another place of each, and its own place."""


def reachable(place: Place, asked: Asked) -> Response:
    """A line about a source that a form names: that it can be reached, or why not."""
    what = asked.form.get("what", "")
    if what not in SOURCES:
        raise UserError(f"There is no source {what[:40]!r}.", f"There is: {', '.join(SOURCES)}.")
    field, own = SOURCES[what]
    where = asked.form.get(field, "").strip() or own
    return place.page("reachable.html", where=where, problem=problem_at(where), form=asked.form)


def problem_at(where: str) -> str:
    """Why nothing answers at a web address, or is in a folder; empty if something does or cannot be told."""
    if "://" in where and not where.startswith(("http://", "https://")):
        return ""
    try:
        if "://" not in where:
            return "" if Path(where).exists() else "there is no such folder"
        with urlopen(Request(where, method="HEAD"), timeout=SECONDS):
            return ""
    except HTTPError as error:
        return "" if error.code < 500 else str(error)  # a server that refuses its root is there
    except (URLError, OSError, ValueError, HTTPException) as error:
        return str(getattr(error, "reason", error))
