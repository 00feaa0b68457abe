"""What a payload is: by its header, and by its first bytes where the header is missing, vague or wrong."""

from __future__ import annotations

import regex

from corpulyzer.warc.heads import mime_of

SNIFFED_BYTES = 1024

_SIGNATURES = (
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"{\\rtf", "text/rtf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"ID3", "audio/mpeg"),
    (b"OggS\x00", "application/ogg"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\x7fELF", "application/x-executable"),
)
_STARTS = tuple(signature for signature, _ in _SIGNATURES)
_VAGUE = frozenset(
    ("", "text/plain", "application/octet-stream", "application/unknown", "unknown/unknown", "*/*")
)
_HTML = regex.compile(
    rb"<(?:!doctype\s+html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|meta|link|!--)[\s>/]",
    regex.IGNORECASE,
)
_BINARY = regex.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_WIDE = (b"\xfe\xff", b"\xff\xfe")


def identified(content_type: str, start: bytes) -> str:
    """The media type of a payload that begins with `start`, already freed of its encodings.

    >>> identified("text/plain", b"<!DOCTYPE html><p>"), identified("text/html", b"%PDF-1.7")
    ('text/html', 'application/pdf')
    """
    declared = mime_of(content_type)
    start = start[:SNIFFED_BYTES]
    known = ""
    if start.startswith(_STARTS):
        known = next(mime for signature, mime in _SIGNATURES if start.startswith(signature))
    if known or start[4:8] == b"ftyp" or (start[:4] == b"RIFF" and start[8:12] == b"WEBP"):
        return known or ("video/mp4" if start[4:8] == b"ftyp" else "image/webp")
    if declared not in _VAGUE:
        return declared
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n\x0c")
    if _HTML.match(text + b" "):
        return "text/html"
    if text.startswith(b"<?xml"):
        return "application/xhtml+xml" if b"<html" in text else "text/xml"
    if start.startswith(_WIDE) or not _BINARY.search(start):
        return "text/plain" if start else declared
    return "application/octet-stream"
