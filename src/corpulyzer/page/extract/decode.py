"""Bytes to text: byte order mark, form, valid UTF-8, what the server and the page declare, then detection.

A declaration is believed, except where the bytes belie it (`_believed`). On the pages of small languages it
is often the server's default, and a page in windows-1256 or ISO-8859-2 called ISO-8859-1 would be lost.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import regex

from corpulyzer.native.scan import is_utf8
from corpulyzer.page.extract.charset.decoders import ERROR, decoded
from corpulyzer.page.extract.charset.detect import (
    DEFAULT,
    MAX_SAMPLE_BYTES,
    costs_of,
    detected,
    form_of,
)
from corpulyzer.page.extract.charset.expected import expected_languages
from corpulyzer.page.extract.charset.labels import encoding_of
from corpulyzer.records import Page
from corpulyzer.records.changed import changed

MAX_META_BYTES = 4096
MAX_BROKEN_SHARE = 0.1
MIN_DOUBT = 20.0
MIN_DOUBT_A_BYTE = 0.7

_BOMS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32le"),
    (b"\0\0\xfe\xff", "utf-32be"),
    (b"\xff\xfe", "utf-16le"),
    (b"\xfe\xff", "utf-16be"),
)
_MARKS: Final = tuple(mark for mark, _ in _BOMS)
# Encodings whose bytes may be valid UTF-8 too.
_LIKE_UTF8: Final = ("iso-2022-jp", "utf-16le", "utf-16be", "replacement")
_META = regex.compile(
    rb"""(?i)<meta[^>]{1,400}?charset\s*=\s*["']?\s*([\w.:+-]{2,40})|<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w.:+-]{2,40})"""
)
_HEADER = regex.compile(r"""(?i)charset\s*=\s*["']?\s*([\w.:+-]{2,40})""")
_C1 = regex.compile(rb"[\x80-\x9f]")
# Windows' own versions of the ISO sets have letters and quotation marks where ISO has control characters.
_WINDOWS = {
    "iso-8859-2": "windows-1250", "iso-8859-7": "windows-1253", "iso-8859-8-i": "windows-1255",
    "iso-8859-13": "windows-1257", "iso-8859-15": "windows-1252",
    "iso-8859-16": "windows-1250", "iso-8859-6": "windows-1256", "iso-8859-5": "windows-1251",
}  # fmt: skip


def decode(page: Page) -> Page:
    """The page with the `charset` that makes text of it, in the WHATWG's words, and that text if need be."""
    if page.decoded or page.charset or media_of(page) not in ("html", "text"):
        return page
    content_type = page.headers.get("content-type", "")
    if is_utf8(page.body) and not _overruled(page.body, content_type):
        return changed(page, charset="utf-8")
    text, encoding = text_of(page.body, content_type, page.url)
    return changed(page, decoded=text, charset=encoding)


def media_of(page: Page) -> str:
    """What a payload is to be read as: `html`, `text`, `pdf`, `docx` or `epub`, by its first bytes.

    >>> media_of(Page("https://a.pk/", mime="application/pdf"))
    'pdf'
    """
    if page.body.startswith(b"%PDF-"):
        return "pdf"
    if page.body.startswith(b"PK\x03\x04"):
        return "epub" if is_epub(page.body) else "docx"
    return _MEDIA.get(page.mime, "html")


def is_epub(archive: bytes) -> bool:
    """Whether a ZIP archive is a book: by its first member, or by the member that every book has.

    The first member is the media type, which some writers compress; names of members never are.
    """
    return b"application/epub+zip" in archive[:128] or b"META-INF/container.xml" in archive


_MEDIA = {"text/plain": "text", "application/pdf": "pdf"}


def text_of(body: bytes, content_type: str = "", url: str = "") -> tuple[str, str]:
    """The text that bytes stand for, and the Standard's name of their encoding.

    >>> text_of("čaša".encode("cp1250"), "text/html; charset=windows-1250")
    ('čaša', 'windows-1250')
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return decoded(body[len(mark) :], encoding), encoding
    declared = _declared(body, content_type)
    encoding = declared if declared in _LIKE_UTF8 else form_of(body)
    if encoding:
        return decoded(body, encoding), encoding
    try:
        return body.decode(), "utf-8"
    except UnicodeDecodeError:
        pass
    encoding = _legacy(body, declared, url)
    return decoded(body, encoding), encoding


def _overruled(body: bytes, content_type: str) -> bool:
    """Whether valid UTF-8 is something else by its byte order mark, its declaration or its form."""
    return body.startswith(_MARKS) or _declared(body, content_type) in _LIKE_UTF8 or bool(form_of(body))


def _declared(body: bytes, content_type: str) -> str:
    """The encoding that the header names, or else the page; empty if neither does or it is unknown."""
    if named := _declared_by(content_type):
        return named
    if meta := _META.search(body[:MAX_META_BYTES]):
        encoding = encoding_of((meta[1] or meta[2]).decode("ascii", "replace"))
        # The declaration was read as ASCII, so the page is not in UTF-16, whatever it says.
        return "utf-8" if encoding.startswith("utf-16") else encoding
    return ""


@lru_cache(maxsize=1_000)
def _declared_by(content_type: str) -> str:
    """The encoding that a header names, empty if it names none that is known."""
    header = _HEADER.search(content_type)
    return encoding_of(header[1]) if header else ""


def _legacy(body: bytes, declared: str, url: str) -> str:
    """The encoding of bytes that are not valid UTF-8."""
    if _decodes(body, "utf-8"):
        return "utf-8"
    expected = expected_languages(body, url)
    if declared in ("", "utf-8"):
        return detected(body, expected)
    if declared in _WINDOWS and _C1.search(body):
        return min(declared, _WINDOWS[declared], key=lambda name: costs_of(body, expected).get(name, 0))
    return declared if _believed(body, declared, expected) else detected(body, expected)


def _believed(body: bytes, declared: str, expected: tuple[str, ...]) -> bool:
    """Whether a declaration holds: its text has few errors, and no other fits far better than the default.

    Latin-1 is what servers say of pages that they know nothing of, so it alone is weighed against the others.
    """
    if declared != DEFAULT:
        return _decodes(body, declared)
    costs = costs_of(body, expected)
    doubt = costs[declared] - min(costs.values()) if costs else 0
    beyond_ascii = len(body) - len(body.decode("ascii", "ignore"))
    return doubt < max(MIN_DOUBT, MIN_DOUBT_A_BYTE * min(beyond_ascii, MAX_SAMPLE_BYTES // 2))


def _decodes(body: bytes, encoding: str) -> bool:
    """True of an encoding that makes few errors, as where two sources were pasted together."""
    text = decoded(body, encoding)
    return text.count(ERROR) <= MAX_BROKEN_SHARE * (len(text) - len(text.encode("ascii", "ignore")))
