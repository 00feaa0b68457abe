"""The page: results in, one HTML file out that asks nothing of any network."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from corpulyzer.interface.catalogue import chosen, install, translated
from corpulyzer.interface.messages import said, side, told
from corpulyzer.measure.result import Result
from corpulyzer.report.about import About
from corpulyzer.report.bundle import bundle
from corpulyzer.report.cells import TableView, cell, table_view
from corpulyzer.report.figure import POINTS, page_figure
from corpulyzer.report.front import front
from corpulyzer.report.summary import summary

if TYPE_CHECKING:
    from corpulyzer.jobs.analyze.run import Measured

MOST_BYTES = 4_800_000
SMALL_TABLE = 14
MOST_ROWS = 50
CSV_BYTES = 40_000
"""A larger table is in the folder `analysis/` alone."""
NO_PAGES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Shown:
    """A result on the page."""

    result: Result
    table: TableView
    figure: dict[str, Any] | None
    parameters: str
    pages: tuple[str, ...] = ()
    """Where each row of the table leads; empty where no row leads anywhere."""
    csv: str = ""
    """All rows as CSV, in an address that holds them; empty where they are too many."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it."""

    key: str
    title: str
    shown: tuple[Shown, ...]


def page(
    about: About,
    measured: Iterable[Measured],
    script: Callable[[], str] = bundle,
    languages: Mapping[str, str] = NO_PAGES,
) -> str:
    """The page of a corpus; figures and tables are thinned out until it is small enough to be mailed.

    `script` gives what draws the figures; `languages` are the pages of languages, by code.
    """
    panels, points, rows = list(measured), POINTS, MOST_ROWS
    while True:
        sections = _sections(panels, points, rows, languages)
        text = _render(about, panels, sections, script)
        if len(text.encode()) <= MOST_BYTES or points <= 40:
            return text
        points, rows = points // 2, max(5, rows // 2)


def _render(
    about: About, panels: Sequence[Measured], sections: Sequence[Section], script: Callable[[], str]
) -> str:
    from jinja2 import Environment

    results = [result for panel in panels for result in panel.results]
    specs = {s.result.name: s.figure for section in sections for s in section.shown if s.figure}
    folder = files("corpulyzer.report")
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"]
    )
    install(environment)
    environment.filters |= {"ltr": _left_to_right, "said": said, "told": told}
    environment.filters |= {"side": side, "translated": translated}
    template = environment.from_string(folder.joinpath("page.html.j2").read_text("utf-8"))
    return template.render(
        about=about,
        interface=chosen(),
        summary=summary(about, results),
        front=front(about, results),
        sections=sections,
        small_table=SMALL_TABLE,
        css=folder.joinpath("page.css").read_text("utf-8"),
        script=folder.joinpath("page.js").read_text("utf-8"),
        # A JSON text in a script element must not contain the end of that element.
        specs=json.dumps(specs, ensure_ascii=False, default=str).replace("<", "\\u003c"),
        words=json.dumps(_words(), ensure_ascii=False).replace("<", "\\u003c"),
        bundle=script() if specs else "",
    )


def _left_to_right(text: str) -> Markup:
    """A date, as it is read in every language."""
    return Markup('<bdi dir="ltr">{}</bdi>').format(text)


def _words() -> dict[str, str]:
    """What the script of the page says, in the language of the interface."""
    return {
        "save": translated("Save the figure"),
        "svg": translated("Save as SVG"),
        "png": translated("Save as PNG"),
        "failed": translated("This figure could not be drawn; its table holds the same numbers."),
    }


def _sections(
    panels: Sequence[Measured], points: int, rows: int, languages: Mapping[str, str]
) -> list[Section]:
    found: dict[str, list[Shown]] = {}
    for measured in panels:
        for result in measured.results:
            parameters = ", ".join(
                f"{k.replace('_', ' ')} {cell(k, v)}" for k, v in result.parameters.items()
            )
            figure = page_figure(result, points)
            pages = _pages_of_rows(result, languages)
            table = table_view(result, max(rows, len(pages)))
            view = Shown(result, table, figure, parameters, pages, _csv(result, rows))
            found.setdefault(measured.panel.section, []).append(view)
    return [
        Section(f"section-{number}", title, tuple(shown))
        for number, (title, shown) in enumerate(found.items(), 1)
    ]


def _csv(result: Result, rows: int) -> str:
    """All rows of a result as CSV in an address, if they are not too long for the page."""
    text = b"\xef\xbb\xbf" + result.to_csv().encode()
    if len(text) > CSV_BYTES * min(1.0, rows / MOST_ROWS):
        return ""
    return f"data:text/csv;charset=utf-8;base64,{base64.b64encode(text).decode()}"


def _pages_of_rows(result: Result, languages: Mapping[str, str]) -> tuple[str, ...]:
    """The page of the language that each row is of; nothing where rows are of no languages that have one."""
    if not languages or "code" not in result.rows.column_names:
        return ()
    codes: list[Any] = result.rows.column("code").to_pylist()
    return tuple(languages.get(code, "") for code in codes)
