"""Documents as exports take them, made without a page."""

import hashlib
from datetime import UTC, datetime

from corpulyzer.records import KEEP, Document, Paragraph, drop, int64_hash

RIGHT_TO_LEFT = 'یہ ایک جملہ ہے۔ <b> & "دوسرا" جملہ\u200f بھی ہے!\nتیسرا پیراگراف'


def document(url, text=RIGHT_TO_LEFT, *, kept=True, license="", scores=None):
    paragraphs, start = [], 0
    for line in text.split("\n"):
        paragraphs.append(Paragraph(start, start + len(line), "p", "urd", 0.9, {"urd": len(line.encode())}))
        start += len(line) + 1
    size = len(text.encode())
    return Document(
        id=int64_hash(url), url_id=int64_hash(url), url=url, site=url.split("/")[2], round=0, archive="a-1", offset=0,
        record_id=f"<urn:uuid:{int64_hash(url)}>", date=datetime(2026, 1, 1, tzinfo=UTC), status=200, mime="text/html",
        charset="utf-8", raw_bytes=size, raw_digest="", truncated=False, title='A "title"\twith\nmarks', declared_language="",
        canonical="", author="", published="", text=text, text_digest=hashlib.md5(text.encode()).hexdigest(),
        text_bytes=size, tokens=len(text.split()), paragraphs=tuple(paragraphs), languages={"urd": size}, language="urd",
        target_bytes=size, target_characters=len(text), license=license, licenses=(), machine_translation="", labels={},
        scores=scores or {}, verdict=KEEP if kept else drop("length"), license_basis="declared" if license else "",
    )  # fmt: skip
