"""What links say of the pages that they lead to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from corpulyzer.records import int64_hash
from corpulyzer.records.columns import schema_of
from corpulyzer.url import site_of
from corpulyzer.web.frontier.pattern import LanguageWords, pattern_of, stem_of
from corpulyzer.web.frontier.scope import Scope
from corpulyzer.web.frontier.tables import MICRO, Clue
from corpulyzer.web.frontier.traps import Traps

if TYPE_CHECKING:
    import pyarrow as pa

OTHER, UNKNOWN, SCRIPT, TARGET = -1, 0, 1, 2
AnchorLanguage = Callable[[str], int]
"""What an anchor text says: TARGET, SCRIPT (its script is the target's, no more is sure), OTHER, UNKNOWN."""

FOLLOWED = frozenset("a area iframe frame link loc sitemap feed".split())
MAPS = ("sitemap", "feed")
RELATIONS = frozenset(("alternate", "canonical", "next", "prev", "amphtml"))


EVIDENCE = """
words
+ 3 * case when alternates_target > 0 then 2 when alternates_other > 0 then 1 else 0 end
+ 9 * case when anchors_named > 0 then 4 when anchors_target > 0 then 3 when anchors_script > anchors_other
then 2
           when anchors_other > 0 then 1 else 0 end
+ 45 * case when links = 0 then 0 when share < links * 100000 then 1 when share < links * 500000 then 2
            when share < links * 900000 then 3 else 4 end
+ 225 * case when maps > 0 then 4 when seed = 1 then 2 when links > outside then 1 when listed > 0 then 3
             else 0 end
+ 1125 * sibling
"""
"""SQL that packs the evidence for a URL into one integer: URLs with the same integer are scored alike."""

ASPECTS = {
    "words": ("none", "other", "target"),
    "alternate": ("none", "other", "target"),
    "anchor": ("none", "other", "script", "target", "named"),
    "share": ("unknown", "under 10 %", "under 50 %", "under 90 %", "90 % and more"),
    "origin": ("another site", "its site", "seed", "sitemap", "is a map"),
    "sibling": ("none", "read"),
}
"""The parts of the integer, from the lowest digit on, and their values."""

SIBLING = prod(len(values) for aspect, values in ASPECTS.items() if aspect != "sibling")
"""The weight of the last digit: whether another view of the page was read."""


def words_of(evidence: int) -> str:
    """The integer in words; aspects without evidence are left out.

    >>> words_of(2 + 45 * 4 + 225)
    'words target, share 90 % and more, origin its site'
    """
    said = []
    for aspect, values in ASPECTS.items():
        evidence, digit = divmod(evidence, len(values))
        if digit or aspect == "origin":
            said.append(f"{aspect} {values[digit]}")
    return ", ".join(said)


NO_LANGUAGE = ("", "x", "und", "mul")
TARGET_SENTENCES = "target_sentences"
"""The score under which a document has the number of its sentences in the target language."""
MOST_PLACES = 100_000


class LinkRow(NamedTuple):
    """A link with what is known of its source.

    `target_text` is above 0 if the source has text of the target: its target sentences where sentences are
    counted, else its target bytes.
    """

    target_id: int
    target: str
    target_site: str
    spelling: str
    anchor: str
    rel: str
    hreflang: str
    element: str
    source_url_id: int
    source_site: str
    target_bytes: int
    target_text: int
    text_bytes: int
    hops: int
    cash: int
    outlinks: int


COLUMNS = LinkRow._fields


@dataclass(frozen=True, slots=True)
class Reader:
    """How the crawl reads URLs and anchors: its scope, its traps, and the words of the target language.

    `elements` are those whose links are followed.
    """

    words: LanguageWords
    anchor: AnchorLanguage
    target: str = ""
    scope: Scope = field(default_factory=Scope)
    traps: Traps = field(default_factory=Traps)
    follow_nofollow: bool = False
    follow_own_nofollow: bool = False
    elements: frozenset[str] = FOLLOWED

    def refusal(self, url: str, hops: int) -> str:
        """Why a URL must not be fetched; empty if it may."""
        return self.scope(url) or self.traps(url, hops)


@dataclass(frozen=True, slots=True)
class ReadLinks:
    """Map: the links of a round, each with what is known of its source, to clues on their targets."""

    reader: Reader
    _places: dict[tuple[str, int], tuple[Any, ...]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"clues": schema_of(Clue)}

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa

        rows = zip(*(batch.column(name).to_pylist() for name in COLUMNS), strict=True)
        clues = []
        for number, row in enumerate(map(LinkRow._make, rows)):
            at(number)
            if self._is_followed(row):
                clues.append(self._place(row) + self._clue(row))
        schema = schema_of(Clue)
        columns = list(zip(*clues, strict=True)) or [()] * len(schema)
        return {
            "clues": pa.RecordBatch.from_arrays(list(map(pa.array, columns, schema.types)), schema=schema)
        }

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa

        return {"clues": pa.RecordBatch.from_pylist([], schema=schema_of(Clue))}

    def _is_followed(self, row: LinkRow) -> bool:
        rel = row.rel.lower().split() if row.rel else ()
        if "nofollow" in rel:
            is_own = row.source_site == row.target_site
            if not (self.reader.follow_own_nofollow if is_own else self.reader.follow_nofollow):
                return False
        if row.element == "link" and RELATIONS.isdisjoint(rel):
            return False
        return row.element in self.reader.elements

    def _place(self, row: LinkRow) -> tuple[Any, ...]:
        """What follows from the URL; pages of a site link to the same ones again and again."""
        key = (row.target, row.hops)
        if key not in self._places:
            if len(self._places) >= MOST_PLACES:
                self._places.clear()
            place = place_of(self.reader, row.target, row.target_id, row.hops + 1)
            self._places[key] = tuple(place.values())
        return self._places[key]

    def _clue(self, row: LinkRow) -> tuple[str | int, ...]:
        """The other fields of a clue, in their order."""
        anchor = self.reader.anchor(row.anchor) if row.anchor else UNKNOWN
        language = row.hreflang.lower().replace("_", "-").partition("-")[0]
        is_target = language in self.reader.words.codes
        link = int(row.element != "loc" and row.element not in MAPS)
        return (
            row.spelling,
            0,
            link,
            int(link and row.source_site != row.target_site),
            int(row.target_text > 0),
            row.target_bytes * MICRO // row.text_bytes if row.text_bytes else 0,
            int(anchor == TARGET),
            int(anchor == SCRIPT),
            int(anchor == OTHER),
            int(bool(row.anchor) and self.reader.words.named(row.anchor)),
            int(is_target),
            int(not is_target and language not in NO_LANGUAGE),
            int(row.element == "loc"),
            int(row.element in MAPS),
            row.source_url_id,
            row.target_bytes,
            row.cash // row.outlinks,
        )


def place_of(reader: Reader, url: str, key: int, hops: int) -> dict[str, Any]:
    """The first fields of a clue, in their order: what follows from a URL and its distance from a seed."""
    site, pattern, stem = site_of(url), pattern_of(url), stem_of(url)
    return {
        "id": key,
        "url": url,
        "site_id": int64_hash(site),
        "section_id": int64_hash(site, pattern.section),
        "prefix_id": int64_hash(site, pattern.section, pattern.pattern),
        "stem": int64_hash(site, stem) if stem else key,
        "hops": hops,
        "words": reader.words(url),
        "refused": reader.refusal(url, hops) or reader.traps.put_off(url),
    }
