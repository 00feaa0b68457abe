"""What each column of the rows of Common Crawl's index means, for the reference: complete by a test."""

from __future__ import annotations

from collections.abc import Mapping

from corpulyzer.web.commoncrawl import IndexRow
from corpulyzer.web.commoncrawl.counts import LanguageCount

_ROW = {
    "release": "The release of Common Crawl.",
    "languages": "Codes joined by commas, the one with the most text first.",
    "problem": "Why a part of the index could not be read; empty if it could.",
}
MEANINGS: Mapping[type, Mapping[str, str]] = {
    IndexRow: _ROW
    | {
        "url": "The URL of the page.",
        "site": "Its site.",
        "mime": "Its media type.",
        "length": "Bytes of the packed record.",
        "status": "HTTP status.",
        "truncated": "Why the payload was cut off; empty if it was not.",
        "charset": "Its encoding.",
        "digest": "Digest of the payload.",
        "time": "When it was fetched.",
        "filename": "The archive of the release that has the record.",
        "offset": "First byte of the record in that archive.",
    },
    LanguageCount: _ROW
    | {
        "pages": "Pages with these languages.",
        "bytes": "Bytes of their packed records.",
    },
}
