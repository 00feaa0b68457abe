"""WARC and WET by language and license, each record with where it came from (C4-10).

A WARC holds pages as they were received, or their minimal HTML or text; a WET always text. Every record names
the one that it was made of, and carries the metadata of its document, which an import keeps.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from corpulyzer.export.formats import About, Blocks, CollectBlocks, Format, Options, chosen
from corpulyzer.export.formats.html import MinimalHtml, paragraphs_of
from corpulyzer.export.published import Published
from corpulyzer.export.render import Material
from corpulyzer.warc.compose import Draft, stable_record_id, warcinfo
from corpulyzer.warc.fetches import FIELDS_HEADER, SOURCE_HEADER

if TYPE_CHECKING:
    from corpulyzer.warc.read import RawRecord

CONTENTS = ("page", "html", "text")
MAX_VALUE_BYTES = 2_000
_NO_FIELDS = ("url", "date", "text", "paragraphs", "scores")
# Headers of the record that a copy is made of that hold for the copy too.
_KEPT = ("warc-payload-digest", "warc-protocol", "warc-identified-payload-type", "warc-truncated")


def warc(options: Options) -> Format:
    """WARC files named LANGUAGE_LICENSE, or with the kind of their content behind where that is not pages."""
    content = chosen("content", options.content, CONTENTS)
    records = Records(content, options.archives, options.minimal_html)
    return Format("warc", Blocks(records, ByLicense(content)), CollectBlocks(".warc.gz", "none", begin))


def wet(options: Options) -> Format:
    """WET files named LANGUAGE_LICENSE: the texts as conversion records."""
    return Format(
        "wet",
        Blocks(Records("text"), ByLicense()),
        CollectBlocks(".warc.wet.gz", "none", begin),
        follows=True,
    )


@dataclass(frozen=True, slots=True)
class ByLicense:
    """A file for each language and license, in splits where there are some."""

    content: str = "page"

    def __call__(self, material: Material) -> str:
        it = material.published
        kind = {"page": "", "html": "_minimal-html", "text": "_text"}[self.content]
        split = "" if material.split == "train" else f"{material.split}_"
        return f"{split}{it.language}_{it.license or 'no-license'}{kind}"


@dataclass(frozen=True, slots=True)
class Records:
    """A document as a record of the content that is asked for."""

    content: str
    archives: dict[str, str] = field(default_factory=dict)
    minimal_html: MinimalHtml | None = None

    def __call__(self, material: Material) -> bytes:
        return self._draft(material).packed()

    def _draft(self, material: Material) -> Draft:
        it = material.published
        identity, headers = stable_record_id(it.id, 0), provenance(it)
        if self.content == "page":
            found = self._received(material)
            headers |= {_title(name): found.headers[name] for name in _KEPT if name in found.headers}
            kind, content_type = found.headers["warc-type"], found.headers.get("content-type", "")
            return Draft(kind, it.url, found.block, content_type, it.date, identity, headers)
        if self.content == "html" and self.minimal_html is not None:
            block = self.minimal_html(paragraphs_of(material)).encode("utf-8", "replace")
            content_type = "text/html; charset=utf-8"
        else:
            block, content_type = it.text.encode("utf-8", "replace"), "text/plain; charset=utf-8"
        return Draft("conversion", it.url, block, content_type, it.date, identity, headers)

    def _received(self, material: Material) -> RawRecord:
        from corpulyzer.warc.read import check_identity, raw_record

        document = material.document
        found = raw_record(self.archives[document.archive], document.offset)
        check_identity(found.headers, document.record_id)
        return found


def provenance(document: Published) -> dict[str, str]:
    """Headers that say what a record was made of, its language, its license, and all else that is known."""
    return {
        "WARC-Refers-To": document.record_id,
        "WARC-Identified-Content-Language": document.language,
        "WARC-Corpulyzer-License": document.license or "none",
        SOURCE_HEADER: f"{document.archive}#{document.offset}",
        FIELDS_HEADER: fields_of(document),
    }


def fields_of(document: Published) -> str:
    """The metadata as one line of JSON; a value too long for a header is left out."""
    values = {name: value for name, value in asdict(document).items() if name not in _NO_FIELDS and value}
    short = {
        name: value
        for name, value in values.items()
        if len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")) <= MAX_VALUE_BYTES
    }
    return json.dumps(short, ensure_ascii=False, separators=(",", ":"))


def begin(path: str, about: About) -> bytes:
    """The first record of a file: who made it, of what, under which version."""
    from datetime import datetime

    fields = {
        "software": about.software,
        "isPartOf": f"{about.name} {about.version}",
        "description": f"documents of the corpus {about.name}, {about.language.name}; {about.selection}",
    }
    date = datetime.fromisoformat(about.created)
    return warcinfo(path, fields, date, stable_record_id(f"{about.name}/{about.version}/{path}", 0)).packed()


def _title(name: str) -> str:
    return "-".join(part.upper() if part == "warc" else part.capitalize() for part in name.split("-"))
