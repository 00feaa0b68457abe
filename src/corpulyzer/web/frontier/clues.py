"""What links say of the pages that they lead to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any

from corpulyzer.records import int64_hash
from corpulyzer.records.columns import schema_of
from corpulyzer.records.targets import Targets
from corpulyzer.records.values import Different, are_equal, numbers
from corpulyzer.url import site_of
from corpulyzer.web.frontier.pattern import LanguageWords, told_by
from corpulyzer.web.frontier.scope import Scope
from corpulyzer.web.frontier.tables import MICRO, Clue
from corpulyzer.web.frontier.traps import Traps

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

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
ROWS_AT_ONCE = 10_000
OF_URL = ("site_id", "section_id", "prefix_id", "stem", "words", "refused")
"""The fields of a clue that follow from the URL alone, unless it is too far from a seed."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How the crawl reads URLs and anchors: its scope, its traps, and the words of the target languages.

    `elements` are those whose links are followed.
    """

    words: LanguageWords
    anchor: AnchorLanguage
    targets: Targets
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
    """Map: the links of a round, each with what is known of its source, to clues on their targets.

    Pages of a site link to the same ones again and again, with the same words. So what follows from a URL or
    from an anchor is found out once for each that is different, and the rest is done by column.
    """

    reader: Reader
    _places: dict[str, tuple[Any, ...]] = field(default_factory=dict, repr=False, compare=False)
    _anchors: dict[str, tuple[int, bool]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {"clues": schema_of(Clue)}

    @property
    def batch_rows(self) -> int:
        return ROWS_AT_ONCE

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import numpy as np
        import pyarrow as pa

        followed = np.flatnonzero(self._followed(batch))
        batch = batch.take(pa.array(followed, pa.int64()))

        def at_followed(number: int) -> None:
            at(int(followed[number]))

        made = self._of_targets(batch, at_followed) | self._of_anchors(batch, at_followed)
        made |= self._of_sources(batch)
        schema = schema_of(Clue)
        columns = [pa.array(made[field.name]).cast(field.type) for field in schema]
        return {"clues": pa.RecordBatch.from_arrays(columns, schema=schema)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa

        return {"clues": pa.RecordBatch.from_pylist([], schema=schema_of(Clue))}

    def _followed(self, batch: pa.RecordBatch) -> NDArray[np.bool_]:
        """Which links are followed, by their element, and by what they say of themselves."""
        import numpy as np

        rels, elements = Different.of(batch, "rel"), Different.of(batch, "element")
        said = [rel.lower().split() for rel in rels.values]
        is_own = are_equal(batch, "source_site", "target_site")
        nofollow = rels.flags("nofollow" in rel for rel in said)
        allowed = np.where(is_own, self.reader.follow_own_nofollow, self.reader.follow_nofollow)
        no_page = elements.flags(each == "link" for each in elements.values) & rels.flags(
            RELATIONS.isdisjoint(rel) for rel in said
        )
        known = elements.flags(each in self.reader.elements for each in elements.values)
        return known & ~no_page & (allowed | ~nofollow)

    def _of_targets(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, Any]:
        """What follows from the URLs, and from how far they are from a seed."""
        import numpy as np
        import pyarrow as pa

        targets, ids = Different.of(batch, "target"), numbers(batch, "target_id")
        if len(self._places) > MOST_PLACES:
            self._places.clear()
        places = []
        for url, row in zip(targets.values, targets.first, strict=True):
            at(row)
            places.append(self._place(url, int(ids[row])))
        *columns, refusals = list(zip(*places, strict=True)) or [()] * len(OF_URL)
        made: dict[str, Any] = {
            name: np.array(column, np.int64)[targets.places]
            for name, column in zip(OF_URL, columns, strict=False)
        }
        refused = [refusals[place] for place in targets.places.tolist()]
        hops = numbers(batch, "hops") + 1
        for row in np.flatnonzero(hops > self.reader.traps.max_hops).tolist():
            url = targets.values[targets.places[row]]
            refused[row] = place_of(self.reader, url, 0, int(hops[row]))["refused"]
        own = {"id": ids, "url": batch.column("target"), "hops": hops}
        return made | own | {"refused": pa.array(refused, pa.string())}

    def _place(self, url: str, key: int) -> tuple[Any, ...]:
        """What follows from a URL near to a seed."""
        place = self._places.get(url)
        if place is None:
            found = place_of(self.reader, url, key, 0)
            place = self._places[url] = tuple(found[name] for name in OF_URL)
        return place

    def _of_anchors(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, Any]:
        """What the words of the links say, and the languages that they name."""
        import numpy as np

        anchors, tongues = Different.of(batch, "anchor"), Different.of(batch, "hreflang")
        if len(self._anchors) > MOST_PLACES:
            self._anchors.clear()
        found = []
        for anchor, row in zip(anchors.values, anchors.first, strict=True):
            at(row)
            found.append(self._told(anchor))
        language = np.array([said for said, _ in found], np.int64)[anchors.places]
        codes = [each.lower().replace("_", "-").partition("-")[0] for each in tongues.values]
        is_target = tongues.flags(code in self.reader.words.codes for code in codes)
        return {
            "anchors_target": language == TARGET,
            "anchors_script": language == SCRIPT,
            "anchors_other": language == OTHER,
            "anchors_named": anchors.flags(named for _, named in found),
            "alternates_target": is_target,
            "alternates_other": ~is_target & tongues.flags(code not in NO_LANGUAGE for code in codes),
        }

    def _told(self, anchor: str) -> tuple[int, bool]:
        """The language of an anchor, and whether it names the target."""
        told = self._anchors.get(anchor)
        if told is None:
            read = self.reader.anchor(anchor) if anchor else UNKNOWN
            told = self._anchors[anchor] = (read, bool(anchor) and self.reader.words.named(anchor))
        return told

    def _of_sources(self, batch: pa.RecordBatch) -> dict[str, Any]:
        """What the pages say by which the links are, and the kind of the links."""
        import numpy as np

        elements = Different.of(batch, "element")
        listed = elements.flags(each == "loc" for each in elements.values)
        maps = elements.flags(each in MAPS for each in elements.values)
        link = ~(listed | maps)
        target_bytes, text_bytes = numbers(batch, "target_bytes"), numbers(batch, "text_bytes")
        return {
            "spelling": batch.column("spelling"),
            "seed": np.zeros(batch.num_rows, np.int64),
            "links": link,
            "outside": link & ~are_equal(batch, "source_site", "target_site"),
            "from_target": numbers(batch, "target_text") > 0,
            "share": np.where(text_bytes > 0, target_bytes * MICRO // np.maximum(text_bytes, 1), 0),
            "listed": listed,
            "maps": maps,
            "referrer": numbers(batch, "source_url_id"),
            "referrer_bytes": target_bytes,
            "cash": numbers(batch, "cash") // numbers(batch, "outlinks"),
        }


def place_of(reader: Reader, url: str, key: int, hops: int) -> dict[str, Any]:
    """The first fields of a clue, in their order: what follows from a URL and its distance from a seed."""
    site, told = site_of(url), told_by(url, reader.words)
    return {
        "id": key,
        "url": url,
        "site_id": int64_hash(site),
        "section_id": int64_hash(site, told.section),
        "prefix_id": int64_hash(site, told.section, told.pattern),
        "stem": int64_hash(site, told.stem) if told.stem else key,
        "hops": hops,
        "words": told.words,
        "refused": reader.refusal(url, hops) or reader.traps.put_off(url),
    }
