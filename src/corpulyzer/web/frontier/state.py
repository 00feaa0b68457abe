"""What a fetch changes: when its URL falls due again, and what it adds to the sums of its cell.

All of it follows from the records of the archive, so that a rebuilt frontier is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import regex
from annotated_types import Ge, Gt

from corpulyzer.records import UNDETERMINED, int64_hash
from corpulyzer.records.columns import schema_of
from corpulyzer.url import canonical, site_of, spelling_of, url_id
from corpulyzer.web.frontier.clues import Reader, place_of
from corpulyzer.web.frontier.tables import MICRO, NEVER, OTHER_LANGUAGE, Clue, State

if TYPE_CHECKING:
    import pyarrow as pa

HOUR, DAY = 3_600, 86_400
GONE = (404, 410)
READ = ("ok", "revisit", "robots_disallowed")
MOVED = (301, 302, 303, 307, 308)
HALF = MICRO // 2
THIN_BYTES = 256
DIGESTS = 4
RUN = 4
_NO_LETTERS = regex.compile(r"\P{L}+")


@dataclass(frozen=True, slots=True)
class Recrawl:
    """When pages are fetched again (CZ-9): sooner those that change, later those that do not."""

    first_days: Annotated[float, "Days until a page of the target language is fetched again.", Gt(0)] = 7.0
    min_days: Annotated[float, "Shortest time between two fetches of a page.", Gt(0)] = 1.0
    max_days: Annotated[float, "Longest time, and the time for pages that the corpus drops.", Gt(0)] = 90.0
    dead_after: Annotated[int, "Answers 404 or 410 in a row before a page counts as dead.", Ge(1)] = 2
    give_up_after: Annotated[int, "Failures in a row before a page is given up.", Ge(1)] = 4

    def interval(self, before: int, changed: bool, kept: bool) -> int:
        """Seconds until the next fetch of a page that was read."""
        if not kept:
            return int(self.max_days * DAY)
        if not before:
            return int(self.first_days * DAY)
        wanted = before // 2 if changed else before * 3 // 2
        return min(max(wanted, int(self.min_days * DAY)), int(self.max_days * DAY))

    def after_failure(self, status: int, failures: int) -> int:
        """Seconds until the next try of a page that failed so many times in a row; NEVER if there is none."""
        limit = self.dead_after if status in GONE else self.give_up_after
        return NEVER if failures >= limit else int(HOUR * 6**failures)


@dataclass(frozen=True, slots=True)
class ReadFetches:
    """The last fetch of each URL in a round, with its document and its line of the list, to states."""

    reader: Reader
    recrawl: Recrawl = field(default_factory=Recrawl)

    def __call__(self, rows: Iterable[Mapping[str, Any]]) -> tuple[pa.Table, pa.Table]:
        """The states, and clues on where redirects lead."""
        import pyarrow as pa

        states, clues = [], []
        for row in rows:
            target, spelling = _target(row)
            shown = row["language"] or UNDETERMINED
            language = self.reader.targets.judging_shown(shown)
            key = int64_hash(language) if language else OTHER_LANGUAGE
            found = {
                "leads_to": url_id(target) if target else 0,
                "language": 0 if shown == UNDETERMINED else key,
            }
            states.append(self._place(row) | found | self._schedule(row, language) | self._sums(row))
            if target:
                clues.append(self._clue(row, target, spelling))
        return (
            pa.Table.from_pylist(states, schema=schema_of(State)).combine_chunks(),
            pa.Table.from_pylist(clues, schema=schema_of(Clue)),
        )

    def _clue(self, row: Mapping[str, Any], target: str, spelling: str) -> dict[str, Any]:
        """The clue on a redirect's target: it has the source's hops, and is a seed if the source is one.

        What links say of the source they say of the target too, since they lead there in the end. A redirect
        to another site is one more hop, since two sites can send a crawl to and fro without end.
        """
        is_elsewhere = site_of(target) != row["site"]
        hops, is_seed = (row["hops"] or 0) + is_elsewhere, int(row["seed"] or 0)
        return dict.fromkeys(schema_of(Clue).names, 0) | {
            **place_of(self.reader, target, url_id(target), hops),
            "spelling": spelling,
            "seed": is_seed,
            "links": 1 - is_seed,
            **_said_by_links(row),
            "share": HALF,
            "referrer": row["url_id"],
            "cash": row["cash"] or 0,
        }

    def _place(self, row: Mapping[str, Any]) -> dict[str, Any]:
        key = row["url_id"]
        found = {"id": key, "site": row["site"]}
        if row["site_id"] is not None:
            names = ("site_id", "section_id", "prefix_id", "stem", "evidence")
            return found | {name: row[name] for name in names}
        place = place_of(self.reader, canonical(row["url"]) or row["url"], key, 0)
        parts = ("site_id", "section_id", "prefix_id", "stem")
        return found | {name: place[name] for name in parts} | {"evidence": 0}

    def _schedule(self, row: Mapping[str, Any], language: str) -> dict[str, int]:
        fetched = int(row["date"].timestamp())
        digests = passages(row["text"] or "", row["paragraphs"] or (), language)
        before, old_digest = row["pause"] or 0, row["digest"] or 0
        digest = digests[0] or (row["url_id"] if row["outcome"] == "ok" else 0)
        new = {
            "fetches": (row["fetches"] or 0) + 1,
            "fetched": fetched,
            "status": row["status"],
            "digest": digests[0] or old_digest or digest,
            "digest_2": digests[1],
            "digest_3": digests[2],
            "digest_4": digests[3],
            "kept": int(bool(row["kept"])),
        }
        if row["outcome"] in READ or _target(row)[0]:
            unchanged = row["outcome"] == "revisit" or digest == old_digest
            interval = self.recrawl.interval(
                before, not unchanged, bool(row["kept"]) or row["outcome"] == "revisit"
            )
            return new | {"failures": 0, "pause": interval, "due": fetched + interval}
        failures = (row["failures"] or 0) + 1
        wait = self.recrawl.after_failure(row["status"], failures)
        return new | {"failures": failures, "pause": before, "due": min(NEVER, fetched + wait)}

    def _sums(self, row: Mapping[str, Any]) -> dict[str, int]:
        """What the fetch adds to the sums; `good` and `copies` need a comparison with all other pages."""
        first = not row["fetches"] and not row["outcome"].startswith("robots")
        page = row["outcome"] == "ok" and not row["digest"]  # the first page that the URL gives
        fine = page or row["outcome"] == "revisit" or bool(_target(row)[0])
        return {
            "tries": row["attempts"] if first or page else 0,
            "pages": int(page),
            "good": 0,
            "errors": int(first and not fine),
            "copies": 0,
            "thin": int(page and (row["text_bytes"] or 0) < THIN_BYTES),
            "target_bytes": (row["target_bytes"] or 0) if page else 0,
        }


def _said_by_links(row: Mapping[str, Any]) -> dict[str, int]:
    """What the links to a URL say together, as one link would."""
    found = {name: row[name] or 0 for name in ("from_target", "anchors_target", "anchors_named")}
    script, other = row["anchors_script"] or 0, row["anchors_other"] or 0
    mostly = {"anchors_script": int(script > other), "anchors_other": int(other >= max(script, 1))}
    return {name: min(count, 1) for name, count in found.items()} | mostly


def passages(text: str, paragraphs: Iterable[Mapping[str, Any]], target: str) -> tuple[int, ...]:
    """Digests of up to four runs of four long paragraphs each, in order of length; 0 for none.

    Copies of a page in other frames share them, and so do pages that have nothing of their own but a frame.
    One paragraph alone says little: sites repeat sentences without being copies. Titles, bylines and other
    short lines differ between views of a page, so they are left out; only letters count, since frames number
    and date what they hold; of paragraphs in several languages those in the target do.
    """
    spans = list(paragraphs)
    own = [span for span in spans if span["language"] == target] or spans
    letters = {_NO_LETTERS.sub("", text[span["start"] : span["end"]]).lower() for span in own} - {""}
    longest = max(map(len, letters), default=0)
    long = sorted((words for words in letters if 3 * len(words) >= longest), key=lambda w: (-len(w), w))
    starts = range(min(DIGESTS, max(1, len(long) - RUN + 1))) if long else ()
    found = tuple(int64_hash(*long[start : start + RUN]) for start in starts)
    return found + (0,) * (DIGESTS - len(found))


def _target(row: Mapping[str, Any]) -> tuple[str, str]:
    """Where a redirect leads, which its record says, and how that is spelled; empty for what is none."""
    location = row["location"] if row["status"] in MOVED else ""
    target = canonical(location) if location else ""
    return (target, spelling_of(location, target)) if target else ("", "")
