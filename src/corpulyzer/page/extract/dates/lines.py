"""The lines of a page that may show a date, found before any pattern is tried: few of hundreds do."""

from __future__ import annotations

import regex

from corpulyzer.native import compiled
from corpulyzer.page.extract.blocks import ASIDE, FOOTER, NAV, Block, Blocks

BESIDE = NAV | ASIDE | FOOTER
"""What stands beside the page's own text."""
_TITLE_CHARACTERS, _LEAST_TITLE = 40, 12
_FIGURES_OF_A_YEAR = 4
_LATIN_1, _FIRST_PLANE = "\xff", "\uffff"


def place_of_title(blocks: list[Block], title: str) -> int:
    """The number of the block that has the title of the page, else of the first heading, else 0."""
    if compiled is not None:
        place: int = compiled.place_of_title(blocks, title, _LEAST_TITLE, _TITLE_CHARACTERS, NAV, BESIDE)
        return place
    headings = []
    for place, block in enumerate(blocks):
        text = block.text[:_TITLE_CHARACTERS]
        if len(block.text) >= _LEAST_TITLE and not block.within & NAV and title.startswith(text):
            return place
        if block.kind == "h" and not block.within & BESIDE:
            headings.append(place)
    return headings[0] if headings else 0


def with_years(blocks: list[Block], first: int, stop: int, characters: int, outside: int) -> list[int]:
    """The numbers of the blocks from `first` to `stop` that may show a year among their first characters.

    None of those that stand in what the bits of `outside` say.
    """
    if compiled is not None:
        found: list[int] = compiled.with_years(blocks, first, stop, outside, characters)
        return found
    return [
        number
        for number, block in enumerate(blocks[first:stop], first)
        if not block.within & outside and _may_have_year(block.text, characters)
    ]


def _may_have_year(text: str, characters: int) -> bool:
    """Whether a text has figures enough: four of them, or one where Han characters may stand for others.

    Beyond the first plane any text may: new figures are added there, which Python may not know yet.
    """
    highest = max(text, default="")
    if highest > _FIRST_PLANE:
        return True
    figures = sum(map(str.isdecimal, text[:characters]))
    return figures >= (_FIGURES_OF_A_YEAR if highest <= _LATIN_1 else 1)


class Named:
    """Whether the element of a block, or one of the nearest around it, has such a class, id or role.

    Blocks with the same path share the answer: a list has many.
    """

    def __init__(self, page: Blocks, pattern: regex.Pattern[str], levels: int) -> None:
        self._page = page
        self._pattern = pattern
        self._levels = levels
        self._known = {-1: False}

    def __call__(self, block: Block) -> bool:
        path = self._page.elements[block.element].path if block.element >= 0 else -1
        if path not in self._known:
            self._known[path] = self._found(path)
        return self._known[path]

    def _found(self, path: int) -> bool:
        for _ in range(self._levels):
            if path < 0:
                return False
            step = self._page.paths[path]
            if step.tag in ("body", "html"):
                return False
            if self._pattern.search(f"{step.classes or ''} {step.id or ''} {step.roles}"):
                return True
            path = step.parent
        return False
