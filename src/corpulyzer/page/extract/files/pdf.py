"""Text of PDF files by paragraph, without running heads and page numbers.

A PDF has lines and where they stand, no paragraphs. A line begins one if it stands apart from the line
above, is indented, or follows a line that ends a sentence short of the margin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import regex

from corpulyzer.page.extract.files.reading import Reading, unreadable
from corpulyzer.text import clean

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

MARGIN_LINES = 2
MIN_REPEATS = 3
MAX_PITCH = 2.5  # of the height of a line: with more between them, lines are no paragraph
WIDE_GAP = 1.4  # of the distance between lines
INDENT = 1.0  # of the height of a line
SHORT_LINE = 0.9  # of the width of the column

_NUMBER = regex.compile(r"\d+")
_PAGE_NUMBER = regex.compile(r"(?i)[\W_]*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*[/|]\s*\d{1,4})?[\W_]*")
_END_OF_SENTENCE = regex.compile(r"[\p{Sentence_Terminal}:][\p{Pf}\p{Pe}\p{Pi}\"']*$")
# pdfium gives U+0002 or U+FFFE for a hyphen that it knows to divide a word at the end of a line.
_BROKEN_WORD = regex.compile(r"(?<=\p{L}\p{M}*)[-\u00ad\u2010\u0002\ufffe]$")


class Line(NamedTuple):
    """A line of text and its box, in points from the lower left corner of the page."""

    text: str
    left: float
    bottom: float
    right: float
    top: float


def read_pdf(body: bytes) -> Reading:
    """The paragraphs of a PDF file. A scan without a text layer gives none, and says so."""
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        document = PdfDocument(body)
    except PdfiumError as error:
        return unreadable(f"pdf_unreadable: {error}")
    try:
        pages = [_lines(page) for page in document]
        told = document.get_metadata_dict()
    except PdfiumError as error:
        return unreadable(f"pdf_unreadable: {error}")
    finally:
        document.close()
    texts = [text for text in map(clean, paragraphs_of(pages)) if text]
    if not texts:
        return unreadable("pdf_without_text")
    return Reading(tuple((text, "p") for text in texts), told.get("Title", ""), told.get("Author", ""))


def paragraphs_of(pages: Sequence[Sequence[Line]]) -> list[str]:
    """The paragraphs of a document. One that a page break cuts in two is put together again."""
    found: list[str] = []
    for page in without_running_heads(pages):
        for number, paragraph in enumerate(_paragraphs(page)):
            if number == 0 and found and _goes_on(found[-1], paragraph):
                found[-1] = _joined(found[-1], paragraph)
            else:
                found.append(paragraph)
    return found


def without_running_heads(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The lines of each page without page numbers, and without what recurs at the edge of pages."""
    edges = Counter(key for page in pages for key in {_key(line) for line in _edge(page)})
    kept = []
    for page in pages:
        dropped = {
            line
            for line in _edge(page)
            if edges[_key(line)] >= MIN_REPEATS or _PAGE_NUMBER.fullmatch(line.text)
        }
        kept.append([line for line in page if line not in dropped])
    return kept


def _edge(page: Sequence[Line]) -> list[Line]:
    """The lines that stand highest and lowest: the file may hold them in any order."""
    by_height = sorted(page, key=lambda line: -line.top)
    return by_height[:MARGIN_LINES] + by_height[MARGIN_LINES:][-MARGIN_LINES:]


def _key(line: Line) -> str:
    """What stays the same of a running head when its page number changes."""
    return str(_NUMBER.sub("0", line.text).casefold())


def _lines(page: PdfPage) -> list[Line]:
    """The lines of a page: boxes of text that stand side by side are one."""
    text_page = page.get_textpage()
    lines: list[Line] = []
    for number in range(text_page.count_rects()):
        left, bottom, right, top = text_page.get_rect(number)
        text = " ".join(text_page.get_text_bounded(left, bottom, right, top).split())
        if not text:
            continue
        last = lines[-1] if lines else None
        if last and _overlap(last, bottom, top) > 0.5 and left >= last.left:
            space = " " if left - last.right > 0.1 * (top - bottom) else ""
            lines[-1] = Line(
                f"{last.text}{space}{text}",
                last.left,
                min(last.bottom, bottom),
                max(last.right, right),
                max(last.top, top),
            )
        else:
            lines.append(Line(text, left, bottom, right, top))
    return lines


def _overlap(line: Line, bottom: float, top: float) -> float:
    shared = min(line.top, top) - max(line.bottom, bottom)
    return shared / max(min(line.top - line.bottom, top - bottom), 0.1)


def _paragraphs(lines: Sequence[Line]) -> Iterator[str]:
    if not lines:
        return
    pitches = [a.bottom - b.bottom for a, b in pairwise(lines) if a.bottom > b.bottom]
    pitch = min(median(pitches or [0.0]), MAX_PITCH * median(line.top - line.bottom for line in lines))
    left = median(line.left for line in lines)
    right = max(line.right for line in lines)
    text = lines[0].text
    for above, line in pairwise(lines):
        apart = above.bottom - line.bottom > WIDE_GAP * pitch or line.bottom > above.top
        indented = line.left - max(left, above.left) > INDENT * (line.top - line.bottom)
        width = right - left
        ended = _END_OF_SENTENCE.search(above.text) and above.right - left < SHORT_LINE * width
        if apart or indented or ended:
            yield text
            text = line.text
        else:
            text = _joined(text, line.text)
    yield text


def _joined(text: str, more: str) -> str:
    if _BROKEN_WORD.search(text) and more[0].islower():
        return text[:-1] + more
    return f"{text} {more}"


def _goes_on(text: str, more: str) -> bool:
    """True if a paragraph goes on overleaf: its sentence has not ended, and no new one begins."""
    return not _END_OF_SENTENCE.search(text) and not more[0].isupper()
