"""What a crawl shows while it runs: a panel on a terminal, lines elsewhere, or JSON events."""

from __future__ import annotations

import json as json_
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from corpulyzer.cli.output import SECONDS_BETWEEN_LINES

if TYPE_CHECKING:
    from rich.panel import Panel

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.jobs.crawl.fetching import Interrupt
    from corpulyzer.jobs.crawl.log import OnEvent
    from corpulyzer.jobs.crawl.loop import Ended

BARS = "▁▂▃▄▅▆▇█"
RECENT_SECONDS = 30.0
RECENT_PAGES = 1000
INTERNAL = "internal"
TROUBLES = {INTERNAL: INTERNAL, "skipped": "records skipped", "aside": "sites set aside"}
"""Events that are counted as errors, by the name that they get there."""


class Round(NamedTuple):
    """What a round came to: both yields are of these numbers."""

    good: int
    requests: int
    target_pages: int
    read_pages: int


@dataclass
class Tally:
    """What has happened so far, as the panel tells it."""

    round: int = 0
    queue: int = 0
    pages: int = 0
    phase: str = "starting"
    new_sites: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    yields: list[float] = field(default_factory=list)
    target_yields: list[float] = field(default_factory=list)
    recent: deque[Round] = field(default_factory=deque)
    times: deque[float] = field(default_factory=deque)
    begun: float = field(default_factory=time.monotonic)

    def hear(self, name: str, numbers: dict[str, Any]) -> None:
        """Take in an event of the crawl."""
        if name == "round":
            self.round, self.queue, self.phase = numbers["round"], numbers["urls"], "fetching"
        elif name == "resumed":
            self.round, self.phase = numbers["round"], "going on"
        elif name == "page":
            self._page(numbers)
        elif name == "fetched":
            self.phase = "reading"
        elif name == "parsed" and numbers["round"] == self.round:
            self.phase = "learning"
        elif name == "rendering":
            self.phase = f"rendering {numbers['pages']:,} pages"
        elif name == "network":
            self.phase = _waiting(numbers.get("hosts", ())) if numbers["state"] == "away" else "fetching"
        elif name in TROUBLES:
            self.errors[TROUBLES[name]] += 1
        elif name == "commit":
            self.new_sites += numbers["new_sites"]
            if numbers["round"] == self.round:  # otherwise the next one is fetched already
                self.phase = "choosing"
            self.remember(numbers)

    def remember(self, note: Mapping[str, Any]) -> None:
        """Take in what a round came to, be it one of an earlier run."""
        done = Round(*(note.get(name, 0) for name in Round._fields))
        self.yields.append(done.good / max(1, done.requests))
        self.target_yields.append(done.target_pages / max(1, done.read_pages))
        self.recent.append(done)
        while len(self.recent) > 1 and sum(each.requests for each in list(self.recent)[1:]) >= RECENT_PAGES:
            self.recent.popleft()

    def _page(self, numbers: dict[str, Any]) -> None:
        """Count a page, and what went wrong with it; a refusal is no request, and a redirect no error."""
        from corpulyzer.web.fetch.politeness import WITHOUT_REQUEST

        self.queue = max(0, self.queue - 1)
        if numbers["outcome"] not in WITHOUT_REQUEST:
            self.pages += 1
            self.times.append(time.monotonic())
        if kind := _kind(numbers):
            self.errors[kind] += 1

    @property
    def speed(self) -> float:
        """Pages a second, lately."""
        now = time.monotonic()
        while self.times and self.times[0] < now - RECENT_SECONDS:
            self.times.popleft()
        return len(self.times) / max(1.0, min(RECENT_SECONDS, now - self.begun))

    @property
    def recent_yield(self) -> float:
        """New good pages per request, of the last thousand or so."""
        return sum(each.good for each in self.recent) / max(1, sum(each.requests for each in self.recent))

    @property
    def recent_target_yield(self) -> float:
        """Pages with any text of the language of all pages read then: Corpulyzer (2021), Eq. 6."""
        pages = sum(each.read_pages for each in self.recent)
        return sum(each.target_pages for each in self.recent) / max(1, pages)

    def line(self) -> str:
        """All of it in one line."""
        return (
            f"round {self.round}: {self.phase}, {self.pages:,} pages, {self.speed:.1f}/s, "
            f"yield {self.recent_yield:.0%} new and good {sparkline(self.yields)}, "
            f"{self.recent_target_yield:.0%} in the language, {self.new_sites:,} new sites, "
            f"queue {self.queue:,}, errors: {self._errors()}"
        )

    def _errors(self) -> str:
        return ", ".join(f"{kind} {n:,}" for kind, n in self.errors.most_common()) or "none"

    def panel(self) -> Panel:
        """All of it as a panel."""
        from rich.panel import Panel

        rows = [
            f"round {self.round} · {self.phase} · queue {self.queue:,}",
            f"{self.pages:,} pages · {self.speed:.1f} a second · {self.new_sites:,} new sites",
            f"yield of the last {RECENT_PAGES:,} requests",
            f"  new and good, of requests: {self.recent_yield:.1%}  {sparkline(self.yields)}",
            f"  in the language, of pages: {self.recent_target_yield:.1%}  {sparkline(self.target_yields)}",
            f"errors: {self._errors()}",
        ]
        return Panel("\n".join(rows), title="crawl", title_align="left", expand=False)


def _waiting(hosts: Sequence[str]) -> str:
    """What is waited for: where a single host has ever answered, it may be that which is away."""
    return f"waiting for the network, or for {hosts[0]}" if len(hosts) == 1 else "waiting for the network"


def sparkline(values: list[float], width: int = 30) -> str:
    """The last values as bars from 0 to 1.

    >>> sparkline([0, 0.5, 1])
    '▁▅█'
    """
    return "".join(BARS[min(len(BARS) - 1, int(value * len(BARS)))] for value in values[-width:])


def crawl_with_panel(corpus: Corpus, *, json: bool, quiet: bool) -> Ended:
    """Crawl, and show how it goes; Ctrl-C is a wish to stop."""
    from corpulyzer.cli.output import print_text
    from corpulyzer.jobs.crawl.fetching import Interrupt

    interrupt = Interrupt()
    show_to = _show(_remembered(corpus), json, quiet)
    with _clean_end(), show_to as show, _wishes(interrupt):
        ended = corpus.crawl(on_event=show, interrupt=interrupt)
    if json:
        more = {"hint": ended.hint} if ended.hint else {}
        _event("end", {"reason": ended.reason, "pages": ended.pages, "good": ended.good, **more})
    elif not quiet:
        share = ended.good / max(1, ended.pages)
        print_text(
            f"Ended: {ended.reason}. {ended.pages:,} pages in {ended.rounds:,} rounds, "
            f"{ended.good:,} of them good ({share:.1%})."
        )
    if ended.hint:
        sys.stderr.write(f"{ended.hint}\n")
    return ended


@contextmanager
def _clean_end() -> Iterator[None]:
    """Turn an error that nobody expected into words; the crawl has written it to its log."""
    from corpulyzer.errors import UserError
    from corpulyzer.jobs.crawl.log import LOG

    try:
        yield
    except UserError:
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {error}".removesuffix(": ")
        hint = f"Mend it, or report it with the last lines of {LOG}; the same command goes on where it was."
        raise UserError(f"The crawl broke off: {said}.", hint) from error


def _remembered(corpus: Corpus) -> Tally:
    """A tally that knows what the rounds before this run came to."""
    from corpulyzer.corpus import rounds

    tally = Tally()
    for each in rounds.rounds(corpus.storage):
        if note := each.read("commit"):
            tally.remember(note)
    return tally


@contextmanager
def _wishes(interrupt: Interrupt) -> Iterator[None]:
    """Ctrl-C as a wish to stop at the end of the round; the second one is the usual interrupt."""

    def hear(_signal: int, _frame: object) -> None:
        interrupt()
        if interrupt.wishes == 1:
            sys.stderr.write("\nStopping at the end of this round; Ctrl-C again to stop at once.\n")
        else:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, hear)
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("Stopped at once; the same command goes on where it was.\n")
        raise
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _show(tally: Tally, json: bool, quiet: bool) -> Iterator[OnEvent]:
    if json:
        yield _event
    elif quiet:
        yield lambda _name, _numbers: None
    elif sys.stderr.isatty():
        with _live(tally) as show:
            yield show
    else:
        yield _lines(tally)


@contextmanager
def _live(tally: Tally) -> Iterator[OnEvent]:
    from rich.console import Console
    from rich.live import Live

    with Live(get_renderable=tally.panel, console=Console(stderr=True), refresh_per_second=2):
        yield tally.hear


def _lines(tally: Tally) -> Callable[[str, dict[str, Any]], None]:
    last = [time.monotonic()]

    def show(name: str, numbers: dict[str, Any]) -> None:
        tally.hear(name, numbers)
        if name in ("commit", "network") or time.monotonic() - last[0] >= SECONDS_BETWEEN_LINES:
            last[0] = time.monotonic()
            sys.stderr.write(tally.line() + "\n")

    return show


def _event(name: str, numbers: dict[str, Any]) -> None:
    sys.stdout.write(json_.dumps({"event": name, **numbers}, ensure_ascii=False, default=str) + "\n")
    sys.stdout.flush()


def _kind(numbers: dict[str, Any]) -> str:
    """The name of what went wrong; empty if nothing did."""
    if numbers["outcome"] == "http_error":
        return "" if 300 <= numbers["status"] < 400 else str(numbers["status"])
    # Errors of our own code are counted by their own event, which covers errors while a page is read, too.
    return "" if numbers["outcome"] in ("ok", "revisit", INTERNAL) else str(numbers["outcome"])
