"""The article in the data of a page: one long text, or the paragraphs of one list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import regex

from corpulyzer.page.extract.unrendered.prose import Line, is_prose, is_rich, paragraphs_of, rich_paragraphs
from corpulyzer.page.extract.unrendered.state import JSON_LD, State, read
from corpulyzer.page.extract.words import collapsed

MAX_NODES = 200_000
CHARACTERS_A_NODE = 4  # a text costs as much as so many values: at most 800,000 characters are looked at
MAX_LAYERS = 2  # JSON in a text of JSON
LEAST_TEXT = 40  # characters of a text that is looked at
LEAST_ARTICLE = 200
LEAST_UNNAMED = 500  # where neither its name nor its title says that it is the article
LEAST_TITLE = 8

# Names under which a page has no article of its own.
_ASIDE = regex.compile(
    r"i18n|intl|locale|translat|messages|labels|cookie|consent|privacy|gdpr|legal|footer|header|navigation"
    r"|\bnav|menu|sidebar|config|settings|\benv|theme|css|styles?\b|svg|icons?\b|related|recommend|trending"
    r"|popular|latest|comments?\b|teaser|\bads?\b|advert|query|schema|error|breadcrumb|widget",
    regex.IGNORECASE,
)
_BODY = regex.compile(
    r"body|content|html|text|article|paragraph|story|rendered|value|markdown", regex.IGNORECASE
)
_TITLES = ("title", "headline", "name", "heading")
_OWN_PAGE = ("slug", "url", "href", "link", "permalink", "title", "headline")


class Found(NamedTuple):
    """The text of an article, and the name of the data that it stands in."""

    name: str
    lines: list[Line]


@dataclass(slots=True)
class _Candidate:
    state: str
    key: str
    lines: list[Line]
    beside_title: bool
    is_html: bool = False

    @property
    def size(self) -> int:
        return sum(len(line.text) for line in self.lines)

    @property
    def rank(self) -> tuple[bool, int]:
        """The longest text is the article, if none stands beside the page's own title."""
        return self.beside_title, self.size

    @property
    def is_article(self) -> bool:
        named = self.beside_title or self.is_html or bool(_BODY.search(self.key))
        return self.size >= (LEAST_ARTICLE if named else LEAST_UNNAMED)


def article_in(states: Iterable[State], title: str) -> Found | None:
    """The text in a page's data that is its article, if one is; a declared `articleBody` comes first."""
    best: _Candidate | None = None
    room = MAX_NODES
    for state in states:
        if state.name == JSON_LD:
            if lines := _declared(state.value):
                return Found(JSON_LD, lines)
            continue
        walk = _Walk(state.name, collapsed(title).casefold(), room)
        for candidate in walk.candidates(state.value):
            if candidate.is_article and (best is None or candidate.rank > best.rank):
                best = candidate
        room = walk.room
    return Found(best.state, best.lines) if best else None


def _declared(value: Any) -> list[Line]:
    """The paragraphs of the first `articleBody`, as schema.org has it."""
    todo = [value]
    for seen, thing in enumerate(todo):
        if seen == MAX_NODES:
            break
        if isinstance(thing, dict):
            body = thing.get("articleBody")
            if isinstance(body, str) and (lines := _plain(body)):
                return lines
            todo.extend(each for each in thing.values() if isinstance(each, dict | list))
        elif isinstance(thing, list):
            todo.extend(each for each in thing if isinstance(each, dict | list))
    return []


def _plain(body: str) -> list[Line]:
    """The paragraphs of a text that is declared to be one, however short."""
    if "<" in body or "&lt;" in body:
        return paragraphs_of(body)
    return [Line(line) for part in body.splitlines() if (line := collapsed(part))]


class _Walk:
    """Visits the values of one state, in order and at most so many; looks at texts and at lists of them."""

    def __init__(self, state: str, title: str, room: int) -> None:
        self.room = room
        self._state = state
        self._title = title
        self._lists: dict[tuple[int, str], list[_Candidate]] = defaultdict(list)

    def candidates(self, value: Any) -> Iterator[_Candidate]:
        """Each text that may be the article, then those that lists of paragraphs make together."""
        # A value, its name, the list that it is in with its place below that list's items, whether the page's
        # title stands beside it, and in how many layers of JSON it is.
        stack: list[tuple[Any, str, tuple[int, str], bool, int]] = [(value, "", (0, ""), False, 0)]
        seen: set[int] = set()
        while stack and self.room > 0:
            value, key, place, titled, layer = stack.pop()
            self.room -= 1
            if isinstance(value, str):
                if len(value) < LEAST_TEXT:
                    continue
                if value[0] in "{[" and layer < MAX_LAYERS:
                    if (inner := read(value)) is not None and not isinstance(inner, str):
                        stack.append((inner, key, place, titled, layer + 1))
                    continue
                yield from self._text(value, key, place, titled)
            elif isinstance(value, dict | list) and id(value) not in seen:
                seen.add(id(value))
                rich = self._rich(value, key, titled) if isinstance(value, list) and is_rich(value) else None
                if rich is not None:
                    yield rich
                    continue
                stack.extend(reversed(list(self._inside(value, key, place, titled, layer))))
        yield from self._joined()

    def _inside(
        self, value: Any, key: str, place: tuple[int, str], titled: bool, layer: int
    ) -> Iterator[tuple[Any, str, tuple[int, str], bool, int]]:
        if isinstance(value, list):
            texts = [len(each) for each in value if isinstance(each, str)]
            whole = not texts or (len(texts) == len(value) and sum(texts) >= LEAST_TEXT * len(texts))
            for each in value:
                apart = isinstance(each, dict) and any(each.get(name) for name in _OWN_PAGE)
                yield each, key, (0, "") if apart or not whole else (id(value), ""), titled, layer
            return
        titled = titled or self._has_title(value)
        for name, each in value.items():
            if isinstance(each, str | dict | list) and not _ASIDE.search(name):
                yield (
                    each,
                    name or key,
                    (place[0], f"{place[1]}.{name}") if place[0] else place,
                    titled,
                    layer,
                )

    def _has_title(self, thing: dict[str, Any]) -> bool:
        for name in _TITLES:
            title = thing.get(name)
            title = title.get("rendered") if isinstance(title, dict) else title
            if isinstance(title, str) and LEAST_TITLE <= len(title) <= 300:
                title = collapsed(title).casefold()
                if title in self._title or (self._title and self._title in title):
                    return True
        return False

    def _text(self, text: str, key: str, place: tuple[int, str], titled: bool) -> Iterator[_Candidate]:
        self.room -= len(text) // CHARACTERS_A_NODE
        lines = paragraphs_of(text) if self.room >= 0 else []
        if not lines:
            return
        found = _Candidate(self._state, key, lines, titled, is_html=len(lines) > 1 and "<" in text)
        if place[0]:
            self._lists[place].append(found)
        yield found

    def _rich(self, nodes: list[Any], key: str, titled: bool) -> _Candidate | None:
        lines = rich_paragraphs(nodes, self.room)
        if not is_prose(" ".join(line.text for line in lines)):
            return None
        found = _Candidate(self._state, key, lines, titled, is_html=True)
        return found if found.is_article else None

    def _joined(self) -> Iterator[_Candidate]:
        for members in self._lists.values():
            if len(members) > 1:
                first = members[0]
                lines = [line for member in members for line in member.lines]
                yield _Candidate(self._state, first.key, lines, any(m.beside_title for m in members), True)
