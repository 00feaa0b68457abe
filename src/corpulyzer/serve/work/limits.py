"""The settings of a crawl that forms ask for: who crawls, how far, how fast, through what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import regex

from corpulyzer.errors import UserError
from corpulyzer.web.fetch.settings import user_agent

NUMBERS = {"pages": "crawl.pages", "minutes": "crawl.minutes", "delay": "fetch.delay_seconds"}
# A comma parts thousands. Some write fractions with it, and 1,5 must not be taken for fifteen.
_THOUSANDS = regex.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d*)?")


def settings(form: Mapping[str, str]) -> dict[str, Any]:
    """The settings that the filled fields of a form stand for; UserError if one cannot be."""
    found: dict[str, Any] = {}
    if contact := form.get("contact", "").strip():
        user_agent(contact)
        found["crawl.contact"] = contact
    for field, key in NUMBERS.items():
        if text := form.get(field, "").strip():
            found[key] = _number(field, text, int if field == "pages" else float)
    if proxy := form.get("proxy", "").strip():
        found["fetch.proxy"] = proxy
    if form.get("private") == "yes":
        found["fetch.allow_private"] = True
    if domains := form.get("domains", "").replace(",", " ").split():
        found["scope.tlds"] = [domain.strip(".").lower() for domain in domains]
    return found


def _number(field: str, text: str, kind: type[int] | type[float]) -> float:
    try:
        found = kind(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text)
    except ValueError:
        found = -1
    if not 0 <= found < 1e9:
        raise UserError(f"{text[:40]!r} is no number of {field}.", "Write a number such as 1.5, or nothing.")
    return found
