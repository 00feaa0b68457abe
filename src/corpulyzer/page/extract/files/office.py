"""Text of DOCX and EPUB files: both are zip archives with marked-up text inside."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from posixpath import dirname, join
from urllib.parse import unquote
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from corpulyzer.page.extract.files.reading import Reading, unreadable
from corpulyzer.page.extract.walk import blocks_of
from corpulyzer.page.extract.words import collapsed
from corpulyzer.text import clean

MAX_MEMBER_BYTES = 50_000_000

_BROKEN = (
    BadZipFile,
    ElementTree.ParseError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
)


def read_docx(body: bytes) -> Reading:
    """The paragraphs of a DOCX file, headings and list items marked; tables row by row, cell by cell."""
    try:
        with ZipFile(BytesIO(body)) as archive:
            root = ElementTree.fromstring(_member(archive, "word/document.xml"))
    except _BROKEN as error:
        return unreadable(f"docx_unreadable: {error}")
    paragraphs = tuple(_docx_paragraphs(root))
    return Reading(paragraphs) if paragraphs else unreadable("docx_without_text")


def read_epub(body: bytes) -> Reading:
    """The text of an EPUB book, chapter by chapter in reading order."""
    try:
        with ZipFile(BytesIO(body)) as archive:
            package = _package_path(archive)
            root = ElementTree.fromstring(_member(archive, package))
            chapters = [_chapter(archive, path) for path in _spine(root, dirname(package))]
    except _BROKEN as error:
        return unreadable(f"epub_unreadable: {error}")
    paragraphs = tuple(piece for chapter in chapters for piece in chapter)
    if not paragraphs:
        return unreadable("epub_without_text")
    told = {
        name: root.findtext(f".//{{*}}metadata/{{*}}{name}") or ""
        for name in ("title", "creator", "language")
    }
    return Reading(paragraphs, told["title"], told["creator"], told["language"])


def _member(archive: ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > MAX_MEMBER_BYTES:
        raise ValueError(f"{name} unpacks to more than {MAX_MEMBER_BYTES:,} bytes")
    return archive.read(name)


def _docx_paragraphs(root: ElementTree.Element) -> Iterator[tuple[str, str]]:
    for paragraph in root.iter(f"{_WORD}p"):
        parts = []
        for node in paragraph.iter():
            if node.tag == f"{_WORD}t":
                parts.append(node.text or "")
            elif node.tag in (f"{_WORD}tab", f"{_WORD}br", f"{_WORD}cr"):
                parts.append(" ")
        text = clean(collapsed("".join(parts)))
        if text:
            yield text, _docx_kind(paragraph)


_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def _docx_kind(paragraph: ElementTree.Element) -> str:
    style = paragraph.find(f"{_WORD}pPr/{_WORD}pStyle")
    name = style.get(f"{_WORD}val", "").lower() if style is not None else ""
    if name.startswith(("heading", "title")):
        return "h"
    return "li" if paragraph.find(f"{_WORD}pPr/{_WORD}numPr") is not None else "p"


def _package_path(archive: ZipFile) -> str:
    container = ElementTree.fromstring(_member(archive, "META-INF/container.xml"))
    root_file = container.find(".//{*}rootfile")
    if root_file is None:
        raise ValueError("container.xml names no package")
    return root_file.get("full-path", "")


def _spine(package: ElementTree.Element, folder: str) -> Iterator[str]:
    """The paths of the chapters in reading order; the table of contents is no text of the book."""
    items = {item.get("id"): item for item in package.iterfind(".//{*}manifest/{*}item")}
    for reference in package.iterfind(".//{*}spine/{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is not None and "nav" not in item.get("properties", "").split():
            yield join(folder, unquote(item.get("href", "")))


def _chapter(archive: ZipFile, path: str) -> list[tuple[str, str]]:
    from selectolax.lexbor import LexborHTMLParser

    return [(block.text, block.kind) for block in blocks_of(LexborHTMLParser(_member(archive, path))).blocks]
