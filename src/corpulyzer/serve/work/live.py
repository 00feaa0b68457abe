"""What a crawl is doing, read from its log while it runs."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus import rounds
from corpulyzer.corpus.rounds import Round
from corpulyzer.jobs.crawl.control import State, state
from corpulyzer.jobs.crawl.log import LOG, MARKS, last_events
from corpulyzer.storage import is_remote

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus

TAIL_BYTES = 400_000
RECENT_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Live:
    """A crawl at this moment, with two yields for each round.

    `yields` are new good pages per request, `target_yields` pages with text of the language of those read.
    `is_cut_off` says that it waits for the network.
    """

    state: State
    round: int = 0
    queue: int = 0
    pages: int = 0
    good: int = 0
    speed: float = 0.0
    yields: tuple[float, ...] = ()
    target_yields: tuple[float, ...] = ()
    outcomes: dict[str, int] = field(default_factory=dict)
    last: tuple[str, ...] = ()
    is_cut_off: bool = False

    @property
    def errors(self) -> dict[str, int]:
        """What went wrong lately, the most frequent first."""
        return {kind: n for kind, n in self.outcomes.items() if kind not in ("ok", "revisit")}

    @property
    def begun(self) -> bool:
        return bool(self.round or self.yields)


def live(corpus: Corpus) -> Live:
    """What the log and the rounds say of the crawl."""
    storage = corpus.storage
    now, begun = state(storage), rounds.rounds(storage)
    if now == "ended":
        _KNOWN.clear()  # `process` may change them until it goes on
    so_far = rounds.before(storage, begun[-1].number + 1 if begun else 1)
    done = [yields for each in begun if (yields := _yields(each))]
    if is_remote(storage.root):
        events = last_events(storage, MARKS, since="round")
    else:
        events = _tail(Path(storage.path(LOG)))
    pages = [event for event in events if event["event"] == "page"]
    listed = [event for event in events if event["event"] == "round"]
    since = len([e for e in pages if listed and e["time"] >= listed[-1]["time"]])
    outcomes = Counter(_kind(event) for event in pages)
    return Live(
        state=now,
        round=listed[-1]["round"] if listed else len(done),
        queue=max(0, listed[-1]["urls"] - since) if listed else 0,
        pages=so_far["requests"] + (since if _under_way(events) else 0),
        good=so_far["good"],
        speed=_speed(pages),
        yields=tuple(good for good, _ in done),
        target_yields=tuple(read for _, read in done),
        outcomes=dict(outcomes.most_common()),
        last=tuple(event["url"] for event in pages[-5:][::-1]),
        is_cut_off=_waits_for_network(events),
    )


_KNOWN: dict[Round, tuple[float, float]] = {}
"""The yields of rounds in an object store: while a crawl runs they stay as they are, and are read once."""


def _yields(of: Round) -> tuple[float, float] | None:
    """Both yields of a round; None if it is not worked in."""
    if known := _KNOWN.get(of):
        return known
    if not (note := of.read("commit")):
        return None
    read = note.get("target_pages", 0) / max(1, note.get("read_pages", 0))
    found = note["good"] / max(1, note["requests"]), read
    if is_remote(of.storage.root):
        _KNOWN[of] = found
    return found


def _under_way(events: list[dict[str, Any]]) -> bool:
    """Whether the last round has not been fetched to its end."""
    marks = [event["event"] for event in events if event["event"] in ("round", "fetched")]
    return bool(marks) and marks[-1] == "round"


def _waits_for_network(events: list[dict[str, Any]]) -> bool:
    marks = [event for event in events if event["event"] in MARKS]
    return bool(marks) and (marks[-1]["event"], marks[-1].get("state")) == ("network", "away")


def _speed(pages: list[dict[str, Any]]) -> float:
    now = datetime.now(UTC).timestamp()
    recent = [e for e in pages if now - datetime.fromisoformat(e["time"]).timestamp() < RECENT_SECONDS]
    return len(recent) / RECENT_SECONDS


def _kind(event: dict[str, Any]) -> str:
    return f"http {event['status']}" if event["outcome"] == "http_error" else str(event["outcome"])


def _tail(path: Path) -> list[dict[str, Any]]:
    """The last events of the log; a line that is not whole is left out."""
    if not path.exists():
        return []
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL_BYTES))
        lines = file.read().split(b"\n")
    events = []
    for line in lines[1:] if size > TAIL_BYTES else lines:
        try:
            events.append(json.loads(line))
        except ValueError:
            continue
    return events
