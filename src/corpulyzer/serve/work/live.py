"""What a crawl is doing, read from its log while it runs."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus import rounds
from corpulyzer.jobs.crawl.control import State, state
from corpulyzer.jobs.crawl.log import LOG

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
    begun = rounds.rounds(corpus.storage)
    done = [note for each in begun if (note := each.read("commit"))]
    fetched = [note for each in begun if (note := each.read("fetched"))]
    events = _tail(Path(corpus.storage.path(LOG)))
    pages = [event for event in events if event["event"] == "page"]
    listed = [event for event in events if event["event"] == "round"]
    since = len([e for e in pages if listed and e["time"] >= listed[-1]["time"]])
    outcomes = Counter(_kind(event) for event in pages)
    return Live(
        state=state(corpus.storage),
        round=listed[-1]["round"] if listed else len(done),
        queue=max(0, listed[-1]["urls"] - since) if listed else 0,
        pages=sum(note["requests"] for note in fetched) + (since if _under_way(events) else 0),
        good=sum(note["good"] for note in done),
        speed=_speed(pages),
        yields=tuple(note["good"] / max(1, note["requests"]) for note in done),
        target_yields=tuple(note.get("target_pages", 0) / max(1, note.get("read_pages", 0)) for note in done),
        outcomes=dict(outcomes.most_common()),
        last=tuple(event["url"] for event in pages[-5:][::-1]),
        is_cut_off=bool(events) and (events[-1]["event"], events[-1].get("state")) == ("network", "away"),
    )


def _under_way(events: list[dict[str, Any]]) -> bool:
    """Whether the last round has not been fetched to its end."""
    marks = [event["event"] for event in events if event["event"] in ("round", "fetched")]
    return bool(marks) and marks[-1] == "round"


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
