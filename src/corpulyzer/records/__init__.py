"""The records of the pipeline: a fetch in an archive, a page being processed, a stored document.

Each stored record is a frozen dataclass; `columns` reads its Arrow schema off the class, so that the two
can never differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import xxhash

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UNDETERMINED = "und"
RENDERED = "rendered"
"""The purpose of a record that holds a page as a browser made it, and where such a page's text is from."""
UNSAID = -1
"""The `retry_after` of an answer that does not say when to come back."""


def int64_hash(*parts: str) -> int:
    """A signed 64-bit key: the same on every machine, and a type that DuckDB and Spark share."""
    whole = parts[0] if len(parts) == 1 else "\0".join(parts)
    unsigned = xxhash.xxh3_64_intdigest(whole.encode("utf-8", "surrogatepass"))
    return unsigned - (1 << 64) if unsigned >= 1 << 63 else unsigned


@dataclass(frozen=True, slots=True)
class Verdict:
    """Kept, or dropped by the filter that `reason` names, with the numbers that decided."""

    kept: bool = True
    reason: str = ""
    detail: str = ""
    facts: Mapping[str, float] = field(default_factory=dict)


KEEP = Verdict()


def drop(reason: str, detail: str = "", **facts: float) -> Verdict:
    """The verdict of a filter that refuses a page.

    >>> drop("content_size", found=255, wanted=256).facts
    {'found': 255, 'wanted': 256}
    """
    return Verdict(kept=False, reason=reason, detail=detail, facts=facts)


class Paragraph(NamedTuple):
    """A span `text[start:end]` of a page's text, what kind of block it was, and its language.

    A named tuple, like `Link`: a page has a hundred of each, and a dataclass takes four times as long.
    """

    start: int
    end: int
    kind: str = "p"
    language: str = UNDETERMINED
    confidence: float = 0.0
    languages: Mapping[str, int] = {}


class Link(NamedTuple):
    """A link as the page has it: absolute target, anchor text, `rel`, `hreflang`, and its element."""

    url: str
    anchor: str = ""
    rel: str = ""
    hreflang: str = ""
    element: str = "a"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A license candidate: its kind, the URL or words that say so, and where on the page they stand."""

    kind: str
    value: str
    where: str


@dataclass(frozen=True, slots=True)
class Fetch:
    """One record of an archive: an attempt to fetch `url`, where it is stored, and how it went.

    `id` is the key of the fetch and of the document made from it. `outcome` is `ok`, `revisit`,
    or the reason why there is nothing to read; `detail` says it in words for people. `purpose` is `page`,
    `robots` for what was asked for as a site's robots.txt, `part` for what the scripts of a page asked for in
    a browser, `rendered` for the page as the browser made it, `links` for links without their page (WAT).
    `location` is where a redirect leads. `took_ms` is how long the attempt took, `retry_after` the seconds
    that the server asks to wait, -1 if it does not.
    """

    id: int
    url_id: int
    url: str
    site: str
    round: int
    archive: str
    offset: int
    length: int
    record_id: str = ""
    kind: str = "response"
    date: datetime = EPOCH
    outcome: str = "ok"
    status: int = 0
    mime: str = ""
    payload_bytes: int = 0
    digest: str = ""
    truncated: bool = False
    detail: str = ""
    purpose: str = "page"
    location: str = ""
    took_ms: int = 0
    retry_after: int = UNSAID


@dataclass(frozen=True, slots=True)
class Page:
    """A page between archive and corpus. Stages return a `changed` copy; none changes it in place.

    `body` is the payload as received, freed of transfer and content encodings; `decoded` is its text where
    it is not UTF-8 from end to end. `tree` is the one parse that every stage shares and none may modify.
    `metas` are names, in lower case, and contents of its meta tags. `text` is the paragraphs joined by
    newlines; a paragraph holds no newline itself.
    """

    url: str
    body: bytes = b""
    fetch: Fetch | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200
    mime: str = ""
    truncated: bool = False
    decoded: str = field(default="", repr=False)
    charset: str = ""
    tree: LexborHTMLParser | None = field(default=None, compare=False, repr=False)
    metas: tuple[tuple[str, str], ...] = ()
    title: str = ""
    declared_language: str = ""
    canonical: str = ""
    author: str = ""
    published: str = ""
    text: str = ""
    paragraphs: tuple[Paragraph, ...] = ()
    links: tuple[Link, ...] = ()
    languages: Mapping[str, int] = field(default_factory=dict)
    language: str = UNDETERMINED
    target_bytes: int = 0
    target_characters: int = 0
    license: str = ""
    license_basis: str = ""
    licenses: tuple[Evidence, ...] = ()
    machine_translation: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    verdict: Verdict = KEEP

    @property
    def is_robots(self) -> bool:
        """Whether it is a robots.txt, which is no page of a corpus."""
        return self.fetch is not None and self.fetch.purpose == "robots"

    @property
    def is_rendered(self) -> bool:
        """Whether it is a page as a browser made it, and not as received."""
        return self.fetch is not None and self.fetch.purpose == RENDERED

    @property
    def is_document(self) -> bool:
        """Whether it may become one: a robots.txt and the links of a page alone do not."""
        return self.fetch is None or self.fetch.purpose in ("page", RENDERED)

    @property
    def html(self) -> str:
        """The markup as text. Not cached, because few pages need it."""
        return self.decoded or (self.body.decode("utf-8", "replace") if self.charset == "utf-8" else "")

    @property
    def utf8(self) -> bytes:
        """`html` in UTF-8: the body itself, uncopied, where it is UTF-8 (undecodable bytes included)."""
        as_received = self.body and self.charset == "utf-8"
        return self.body if as_received else self.decoded.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Document:
    """A stored page, kept or dropped: its text, what was learned of it, and the verdict."""

    id: int
    url_id: int
    url: str
    site: str
    round: int
    archive: str
    offset: int
    record_id: str
    date: datetime
    status: int
    mime: str
    charset: str
    raw_bytes: int
    raw_digest: str
    truncated: bool
    title: str
    declared_language: str
    canonical: str
    author: str
    published: str
    text: str
    text_digest: str
    text_bytes: int
    tokens: int
    paragraphs: tuple[Paragraph, ...]
    languages: Mapping[str, int]
    language: str
    target_bytes: int
    target_characters: int
    license: str
    licenses: tuple[Evidence, ...]
    machine_translation: str
    labels: Mapping[str, str]
    scores: Mapping[str, float]
    verdict: Verdict
    license_basis: str = ""


CONTENT = "content."
"""What labels begin with that lists of words and addresses give, among all labels of a document."""


def content_labels(labels: Mapping[str, str]) -> dict[str, str]:
    """The labels of content among those of a document, each with what it follows from: words, address.

    >>> content_labels({"content.spam": "address", "opt_outs": "tdm"})
    {'spam': 'address'}
    """
    return {name.removeprefix(CONTENT): why for name, why in labels.items() if name.startswith(CONTENT)}


@dataclass(frozen=True, slots=True)
class Edge:
    """A link in the graph: from a document to a canonical URL, with the evidence that it carries.

    `spelling` is how the document spells the URL, empty where that is the canonical form.
    """

    source_id: int
    source_url_id: int
    target_id: int
    target: str
    target_site: str
    round: int
    anchor: str
    rel: str
    hreflang: str
    element: str
    spelling: str = ""
