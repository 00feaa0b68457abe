"""Bytes to text: byte order mark, valid UTF-8, what the server and the page declare, then detection.

A declaration is believed only if the bytes agree with it. On the pages of small languages it is
often the server's default, and a page in windows-1256 or ISO-8859-2 called ISO-8859-1 would be lost.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import regex

from corpulyzer.native.scan import is_utf8
from corpulyzer.records import Page
from corpulyzer.records.changed import changed

MAX_META_BYTES = 4096
MIN_EVIDENCE_BYTES = 20
MAX_BROKEN_SHARE = 0.1

_BOMS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
# Encodings whose bytes may be valid UTF-8 too.
_LIKE_UTF8: Final = ("iso2022_jp", "utf-16-le", "utf-16-be")
_META = regex.compile(
    rb"""(?i)<meta[^>]{1,400}?charset\s*=\s*["']?\s*([\w.:+-]{2,40})|<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w.:+-]{2,40})"""
)
_HEADER = regex.compile(r"""(?i)charset\s*=\s*["']?\s*([\w.:+-]{2,40})""")
_C1 = regex.compile(rb"[\x80-\x9f]")
# Windows' own versions of the ISO sets have letters and quotation marks where ISO has control characters.
_WINDOWS = {
    "iso8859-2": "cp1250", "iso8859-7": "cp1253", "iso8859-8": "cp1255", "iso8859-13": "cp1257",
    "iso8859-15": "cp1252", "iso8859-16": "cp1250", "iso8859-6": "cp1256", "iso8859-5": "cp1251",
}  # fmt: skip
# What pages declared as Latin-1 often are. Detection takes Icelandic for Baltic, so Baltic is not here.
_MISTAKEN_FOR_LATIN = {
    "cp1250", "iso8859-2", "cp1251", "koi8-r", "koi8-u", "iso8859-5", "cp1253", "iso8859-7", "cp1255",
    "iso8859-8", "cp1256", "gb18030", "gbk", "big5", "shift_jis", "euc_jp", "euc_kr", "cp949",
    "iso8859-11", "cp874",
}  # fmt: skip


def decode(page: Page) -> Page:
    """The page with the `charset` that makes text of it, in the WHATWG's words, and that text if need be."""
    if page.decoded or page.charset or media_of(page) not in ("html", "text"):
        return page
    content_type = page.headers.get("content-type", "")
    if is_utf8(page.body) and not _overruled(page.body, content_type):
        return changed(page, charset="utf-8")
    text, encoding = text_of(page.body, content_type)
    return changed(page, decoded=text, charset=_label(encoding))


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


def text_of(body: bytes, content_type: str = "") -> tuple[str, str]:
    """The text that bytes stand for, and Python's name of their encoding.

    >>> text_of("čaša".encode("cp1250"), "text/html; charset=windows-1250")
    ('čaša', 'cp1250')
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace"), encoding
    declared = _declared(body, content_type)
    if declared in _LIKE_UTF8:
        return body.decode(declared, "replace"), declared
    try:
        return body.decode(), "utf-8"
    except UnicodeDecodeError:
        pass
    encoding = _legacy(body, declared)
    return body.decode(encoding, "replace"), encoding


def _overruled(body: bytes, content_type: str) -> bool:
    """Whether valid UTF-8 is something else by its byte order mark or its declaration."""
    return body.startswith(tuple(mark for mark, _ in _BOMS)) or _declared(body, content_type) in _LIKE_UTF8


def _declared(body: bytes, content_type: str) -> str:
    """The encoding that the header names, or else the page; empty if neither does or it is unknown."""
    if named := _declared_by(content_type):
        return named
    if meta := _META.search(body[:MAX_META_BYTES]):
        encoding = _known((meta[1] or meta[2]).decode("ascii", "replace"))
        # The declaration was read as ASCII, so the page is not in UTF-16, whatever it says.
        return "utf-8" if encoding.startswith("utf-16") else encoding
    return ""


@lru_cache(maxsize=1_000)
def _declared_by(content_type: str) -> str:
    """The encoding that a header names, empty if it names none that is known."""
    header = _HEADER.search(content_type)
    return _known(header[1]) if header else ""


def _known(name: str) -> str:
    """Python's name of an encoding as browsers understand it, empty if they do not."""
    from resiliparse.parse.encoding import map_encoding_to_html5

    return str(map_encoding_to_html5(name, fallback_utf8=False) or "")


def _legacy(body: bytes, declared: str) -> str:
    """The encoding of bytes that are not valid UTF-8."""
    if _mostly_utf8(body):
        return "utf-8"
    if declared in ("", "utf-8"):
        return _detected(body) or "cp1252"
    if declared in _WINDOWS and _C1.search(body):
        return _WINDOWS[declared]
    if declared == "cp1252":
        detected = _detected(body)
        evidence = len(body) - len(body.decode("ascii", "ignore"))
        return detected if detected in _MISTAKEN_FOR_LATIN and evidence >= MIN_EVIDENCE_BYTES else declared
    return declared if _decodes(body, declared) else _detected(body) or declared


def _mostly_utf8(body: bytes) -> bool:
    """True of UTF-8 with a few broken bytes, as where two sources were pasted together."""
    text = body.decode("utf-8", "replace")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text.count("\ufffd") <= MAX_BROKEN_SHARE * beyond_ascii


def _decodes(body: bytes, encoding: str) -> bool:
    text = body.decode(encoding, "replace")
    return text.count("\ufffd") <= MAX_BROKEN_SHARE * (len(text) - len(text.encode("ascii", "ignore")))


def _detected(body: bytes) -> str:
    """What the detector says, empty if it does not know (it then says UTF-8, which it is not)."""
    from resiliparse.parse.encoding import detect_encoding

    encoding = str(detect_encoding(body))
    if encoding in _WINDOWS and _C1.search(body):
        return _WINDOWS[encoding]
    return "" if encoding == "utf-8" else encoding


def _label(encoding: str) -> str:
    """The WHATWG's name of an encoding that Python names.

    >>> _label("cp1256"), _label("iso8859-2")
    ('windows-1256', 'iso-8859-2')
    """
    if encoding.startswith("cp125"):
        return f"windows-{encoding[2:]}"
    return encoding.replace("iso8859-", "iso-8859-").replace("utf-16-", "utf-16").replace("_", "-")
