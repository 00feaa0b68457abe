"""What a search engine answers: its results, or an error message."""

from __future__ import annotations

import html
import json
from typing import Any

import regex

from corpulyzer.errors import UserError
from corpulyzer.text import clean
from corpulyzer.web.seeds.search.provider import Provider, at

LONGEST_SNIPPET = 1000
SHOWN = 300
CHANGED = "Its form has changed: describe it in a TOML file and give that to --provider."

_MARKUP = regex.compile(r"<[^<>]{1,200}>")


def results_of(body: bytes, provider: Provider) -> list[dict[str, str]]:
    """The results of an answer as `url`, `title` and `snippet`; UserError if it is none that we know."""
    try:
        answer = json.loads(body)
    except ValueError:
        raise UserError(
            f"The search engine {provider.name} answers, but not in JSON.",
            f"Check --endpoint. {provider.advice}".strip(),
        ) from None
    results = [_result(item, provider) for item in _list_in(answer, provider)]
    if results and not any(result["url"] for result in results):
        raise UserError(f"No result of {provider.name} has a `{provider.url}`.", CHANGED)
    return [result for result in results if result["url"]]


def message_of(body: bytes) -> str:
    """The words of an error: those that JSON has for it, or the whole body without markup."""
    text = body[:20_000].decode("utf-8", "replace")
    try:
        answer = json.loads(text)
    except ValueError:
        answer = {}
    paths = ("error.message", "error.detail", "message", "detail", "error")
    words = next((found for path in paths if isinstance(found := at(answer, path), str)), text)
    return " ".join(_MARKUP.sub(" ", words).split())


def _list_in(answer: Any, provider: Provider) -> list[Any]:
    """The list of results; empty only if the answer says so and not all engines behind it failed."""
    found = at(answer, provider.results)
    if found is None and provider.good and at(answer, provider.good) is not None:
        return []
    if not isinstance(found, list):
        has = ", ".join(sorted(map(str, answer))) if isinstance(answer, dict) else type(answer).__name__
        raise UserError(
            f"The answer of {provider.name} has no list `{provider.results}`; it has {has}.", CHANGED
        )
    silent = at(answer, provider.failed) if provider.failed else None
    if not found and silent:
        words = json.dumps(silent, ensure_ascii=False)[:SHOWN]
        raise UserError(
            f"No engine behind {provider.name} has answered: {words}.",
            "They may be blocking you for a while: run the same command later, and it goes on where it was.",
        )
    return found


def _result(item: Any, provider: Provider) -> dict[str, str]:
    title, snippet = (_plain(at(item, path)) for path in (provider.title, provider.snippet))
    return {"url": str(at(item, provider.url) or "").strip(), "title": title, "snippet": snippet}


def _plain(text: Any) -> str:
    bare = html.unescape(_MARKUP.sub("", text)) if isinstance(text, str) else ""
    return " ".join(clean(bare).split())[:LONGEST_SNIPPET]
