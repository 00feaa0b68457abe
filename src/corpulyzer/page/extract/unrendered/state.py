"""The data that a page carries for its scripts, as far as they are JSON. Nothing is run.

Frameworks put what they draw into the page: as `<script type="application/json">` (`__NEXT_DATA__`,
`__NUXT_DATA__`, SvelteKit), as a variable (`window.__INITIAL_STATE__ = {…}`), or as an attribute (Inertia's
`data-page`). Where a variable is a script and no JSON, as Nuxt 2 has it, its quoted texts are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import regex

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

MAX_CHARACTERS = 4_000_000
"""Of all data of a page together; real ones have some hundred thousand."""

MAX_SCRIPTS = 200
MAX_VARIABLES = 50
LEAST_CHARACTERS = 150  # shorter data hold no article

JSON_LD = "json_ld"

_VARIABLE = regex.compile(
    r"""(?:\b(?:window|self|globalThis)\s*(?:\.\s*|\[\s*["'])|\b(?:var|let|const)\s+|(?<![\w$.])(?=__))
        ([A-Za-z_$][\w$.]{1,60})\s*(?:["']\s*\])?\s*=(?!=)\s*
        (?:JSON\.parse\(\s*(?=["'])|(?=[{\["'(]))""",
    regex.VERBOSE,
)
_STATE = regex.compile(r"__|state|data|props|context|cache|store|page", regex.IGNORECASE)
_QUOTED = regex.compile(r'(?:([A-Za-z_$][\w$]{0,60})\s*:\s*)?"((?:[^"\\\n]|\\.)*+)"')
_LITERAL = regex.compile(r""""(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'""")
_ATTRIBUTES = ("data-page", "data-props", "data-react-props", "data-state", "data-initial-state")
_NAME = regex.compile(r"[\w$.-]{1,60}")
_FLIGHT = regex.compile(r"self\.__next_f\.push\(\s*(?=\[)")
_ROW = regex.compile(r"^[0-9a-f]{1,8}:(T[0-9a-f]{1,8},|(?=[\[{\"]))", regex.MULTILINE)


class State(NamedTuple):
    """A value that a page carries, and what the page calls it."""

    name: str
    value: Any


def states_of(tree: LexborHTMLParser) -> Iterator[State]:
    """The data of a page in its order, JSON-LD first; what is no JSON, or too much, is left out."""
    scripts = [(node.attributes, node.text()) for node in tree.css("script")[:MAX_SCRIPTS]]
    told = [(attributes.get("type") or "", attributes, text) for attributes, text in scripts]
    told.sort(key=lambda script: "ld+json" not in script[0].lower())
    room = MAX_CHARACTERS
    for kind, attributes, text in told:
        room -= len(text)
        if room < 0:
            return
        if "ld+json" in kind.lower():
            yield from _of_json(JSON_LD, text)
        elif len(text) >= LEAST_CHARACTERS and not attributes.get("src"):
            yield from _of_script(kind.lower(), attributes, text)
    yield from _of_flight([text for _, _, text in told if "__next_f" in text])
    for name in _ATTRIBUTES:
        for node in tree.css(f"[{name}]")[:MAX_SCRIPTS]:
            text = node.attributes.get(name) or ""
            room -= len(text)
            if room >= 0 and len(text) >= LEAST_CHARACTERS:
                yield from _of_json(name, text)


def _of_script(kind: str, attributes: dict[str, str | None], text: str) -> Iterator[State]:
    if "json" in kind:
        name = attributes.get("id") or ("sveltekit" if "data-sveltekit-fetched" in attributes else "json")
        yield from _of_json(name if _NAME.fullmatch(name) else "json", text)
    elif not kind or "javascript" in kind or kind == "module":
        yield from _of_variables(text)


def _of_json(name: str, text: str) -> Iterator[State]:
    value = read(text.strip().removeprefix("<!--").removesuffix("-->"))
    if isinstance(value, dict | list):
        yield State(name, _revived(value) if name == "__NUXT_DATA__" else value)


def read(text: str) -> Any:
    """The value of a JSON text; None where it is none, or nested too deeply."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _of_variables(script: str) -> Iterator[State]:
    """The values of variables that a script sets, up to the first that is no JSON but has a known name."""
    decoder = json.JSONDecoder(strict=False)
    at = 0
    for _ in range(MAX_VARIABLES):
        found = _VARIABLE.search(script, at)
        if found is None:
            return
        name, at = found[1], found.end()
        try:
            value, at = _value_at(decoder, script, at)
        except (ValueError, RecursionError):
            if _STATE.search(name):
                yield State(name, _quoted(script, at))
                return
            continue
        if isinstance(value, dict | list):
            yield State(name, value)


def _value_at(decoder: json.JSONDecoder, script: str, at: int) -> tuple[Any, int]:
    """The value that begins at a place of a script, and the place behind it; ValueError if it is no JSON."""
    if script[at] in "{[":
        return decoder.raw_decode(script, at)
    literal = _LITERAL.match(script, at)
    if literal is None:
        raise ValueError("a script")
    text = _unquoted(literal[0])
    return (read(text) if text[:1] in ("{", "[") else None), literal.end()


def _unquoted(literal: str) -> str:
    """The text of a quoted literal of a script; empty if it has escapes that JSON does not know."""
    inside = literal[1:-1]
    if literal[0] == "'":
        inside = inside.replace("\\'", "'").replace('"', '\\"').replace('\\\\"', '\\"')
    text = read(f'"{inside}"')
    return text if isinstance(text, str) else ""


def _quoted(script: str, start: int) -> list[dict[str, str]]:
    """The quoted texts of a script from a place on, each under the name that it is given, if any."""
    texts = ((found[1] or "", found[2]) for found in _QUOTED.finditer(script, start))
    return [{name: _unquoted(f'"{text}"')} for name, text in texts if len(text) >= LEAST_CHARACTERS]


def _revived(flat: Any) -> Any:
    """The value that Nuxt 3 writes as one list, in which numbers inside others are places in the list."""
    if not isinstance(flat, list) or not flat:
        return flat
    made: list[Any] = [type(each)() if isinstance(each, dict | list) else each for each in flat]

    def at(place: Any) -> Any:
        is_place = isinstance(place, int) and not isinstance(place, bool)
        return made[place] if is_place and 0 <= place < len(made) else None

    for each, new in zip(flat, made, strict=True):
        if isinstance(each, dict):
            new.update((name, at(place)) for name, place in each.items())
        elif isinstance(each, list):
            new.extend(map(at, each))
    return made[0]


def _of_flight(scripts: list[str]) -> Iterator[State]:
    """What Next.js streams to its components: rows of JSON, or of plain text, in pieces."""
    decoder, pieces = json.JSONDecoder(strict=False), []
    for script in scripts:
        for found in _FLIGHT.finditer(script):
            try:
                value, _ = decoder.raw_decode(script, found.end())
            except (ValueError, RecursionError):
                continue
            pieces += [piece for piece in value[1:2] if isinstance(piece, str)]
    rows: list[Any] = []
    stream, at = "".join(pieces), 0
    while row := _ROW.search(stream, at):
        at = row.end()
        if row[1]:
            size = int(row[1][1:-1], 16)  # in bytes of UTF-8
            text = stream[at : at + size].encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
            rows.append({"text": text})
            at += len(text)
        else:
            end = stream.find("\n", at)
            value = read(stream[at : end if end >= 0 else len(stream)])
            rows += [value] if isinstance(value, dict | list) else []
            at = end if end >= 0 else len(stream)
    if rows:
        yield State("__next_f", rows)
