"""Pages to look at: gold and what was found, line by line beside one another, in one HTML file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape

from corpulyzer.lab.evaluate.extraction import Measured

_STYLE = """body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:80em;padding:0 1em}
table{border-collapse:collapse;width:100%;table-layout:fixed}td{vertical-align:top;padding:.2em .6em;
border-bottom:1px solid #8884;overflow-wrap:anywhere}.missed{background:#fc86}.wrong{background:#f666}
h2{font-size:1.1em;margin-top:2.5em}th{text-align:start;padding:.2em .6em}"""


def side_by_side(pages: Sequence[Measured]) -> str:
    """An HTML page with a table for each: gold and what was found side by side, differences marked."""
    return "\n".join(
        [
            "<!doctype html>",
            f"<html><head><meta charset='utf-8'><title>Gold and found</title><style>{_STYLE}</style></head>",
            "<body>",
            "<h1>Gold and found</h1>",
            "<p><span class='missed'>Missed</span> lines are in the gold text only,"
            " <span class='wrong'>wrong</span> ones only in what was found.</p>",
            *(line for page in pages for line in _page(page)),
            "</body></html>",
        ]
    )


def _page(measured: Measured) -> Iterator[str]:
    page, score = measured.page, measured.score
    yield f"<h2>{escape(page.group)} · {escape(page.id)} · F1 {score.f1:.3f}</h2>"
    yield f"<p>precision {score.precision:.3f}, recall {score.recall:.3f} · {escape(page.url)}</p>"
    yield "<table><tr><th>Gold</th><th>Found</th></tr>"
    gold, found = _lines(page.text), _lines(measured.text)
    for tag, i, j, k, m in SequenceMatcher(a=gold, b=found, autojunk=False).get_opcodes():
        same = tag == "equal"
        yield f"<tr><td>{_cell(gold[i:j], '' if same else 'missed')}</td>"
        yield f"<td>{_cell(found[k:m], '' if same else 'wrong')}</td></tr>"
    yield "</table>"


def _lines(text: str) -> list[str]:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [line for line in lines if line]


def _cell(lines: Sequence[str], css: str) -> str:
    return "".join(f'<p dir="auto" class="{css}">{escape(line)}</p>' for line in lines)
