"""Where the fetchers of a round run: as processes, here or on other hosts, or as tasks of a Spark cluster.

All do the same: they keep a fetcher at every shard that is not ended, however often one dies.
"""

from __future__ import annotations

import pickle
import shlex
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Protocol

import regex

import corpulyzer
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.shards.share import Place, Share

if TYPE_CHECKING:
    from corpulyzer.corpus.settings.tables import CrawlTable
    from corpulyzer.engine import Engine
    from corpulyzer.jobs.crawl.shards.spark_tasks import RunningTask, Work

MOST_ERRORS = 5
"""So many fetchers of a shard in a row may end, by an error or killed, that have not sealed anything."""

END_SECONDS = 10.0
LAST_WORDS = 2_000


class Fetchers(Protocol):
    """Fetchers that work on shares, one after the other, for as long as a crawl runs."""

    def tend(self, shares: Mapping[int, Share], sealed: Mapping[int, int]) -> None:
        """Guarantee that there is a fetcher at each of these shares, which are known by their shards.

        `sealed` counts the segments of each. UserError if fetchers fail at a share again and again.
        """
        ...

    def replace(self, shard: int) -> None:
        """Have another one at a shard; that which is there is silent or cut off, perhaps beyond reach."""
        ...

    def release(self) -> None:
        """End those that still work on a share; they give their shards back if they can in time."""
        ...


def fetchers_on(engine: Engine, crawl: CrawlTable) -> Fetchers:
    """The fetchers that go with the settings and an engine; none is started before there is a share."""
    from corpulyzer.engine.spark import SparkEngine

    if crawl.hosts or not isinstance(engine, SparkEngine):
        return Processes(Hosts(crawl.hosts, crawl.host_command))
    from corpulyzer.jobs.crawl.shards.spark_tasks import starter_on

    return SparkTasks(starter_on(engine))


@dataclass
class Failures:
    """Counts the fetchers of each share in a row that ended and had not sealed anything.

    Why one ended is not asked: behind `ssh` or a container, one that was killed looks like one that crashed.
    """

    _known: dict[Place, tuple[int, int]] = field(default_factory=dict)

    def note(self, place: Place, sealed: int, words: str, most: int = MOST_ERRORS) -> None:
        """One has ended, with these last words, at so many segments; UserError if too many have."""
        before, failures = self._known.get(place, (0, 0))
        failures = failures + 1 if sealed == before else 0
        self._known[place] = sealed, failures
        if failures >= most:
            hint = "Nothing is lost: run the same command again, with one fetcher if it recurs."
            raise UserError(f"A fetcher has failed {failures} times: {words or 'it said nothing'}.", hint)


@dataclass
class SparkTasks:
    """A task of a Spark cluster for each share; Spark has others do what a lost machine did."""

    start: Callable[[Work], RunningTask]
    _running: dict[int, tuple[Place, RunningTask]] = field(default_factory=dict)
    _failures: Failures = field(default_factory=Failures)

    def tend(self, shares: Mapping[int, Share], sealed: Mapping[int, int]) -> None:
        """See `Fetchers.tend`."""
        for shard, share in shares.items():
            place, task = self._running.get(shard, (None, None))
            if task is not None and place == share.place:
                if not task.is_over:
                    continue
                if task.error:
                    self._failures.note(place, sealed.get(shard, 0), _last_words(task.error))
            self._running[shard] = share.place, self.start(share.fetch)

    def replace(self, shard: int) -> None:
        """See `Fetchers.replace`; one that has not begun waits for a machine that is free."""
        _, task = self._running.get(shard, (None, None))
        if task is not None and task.has_begun:
            task.cancel()
            del self._running[shard]

    def release(self) -> None:
        """See `Fetchers.release`."""
        for _, task in self._running.values():
            task.cancel()
        for _, task in self._running.values():
            task.wait()
        self._running.clear()


def _last_words(error: str) -> str:
    """The last exception that Spark tells of, without the lines of its stack."""
    words = regex.findall(r"(?m)^(?:[\w.]+\.)?(\w+(?:Error|Exception): .+)$", error)
    return words[-1] if words else ""


@dataclass(frozen=True, slots=True)
class Hosts:
    """The machines that processes are started on, and how; without any it is this one.

    >>> Hosts(("anna", "ben"), "ssh {host} python3").python(3)
    ['ssh', 'ben', 'python3']
    """

    names: tuple[str, ...] = ()
    command: str = ""

    def python(self, turn: int) -> list[str]:
        """The command that starts Python on the host whose turn it is."""
        if not self.names:
            return [sys.executable]
        host = self.names[turn % len(self.names)]
        return [word.replace("{host}", host) for word in shlex.split(self.command)]


@dataclass
class Fetcher:
    """A process that fetches, the share it has, and what it says if something goes wrong."""

    process: subprocess.Popen[bytes]
    words: IO[bytes]
    place: Place | None = None
    to_send: SimpleQueue[bytes | None] = field(default_factory=SimpleQueue)

    def __post_init__(self) -> None:
        # A host that hangs takes nothing in, and whoever writes to it hangs as well.
        threading.Thread(target=self._write, daemon=True).start()

    @staticmethod
    def start(python: list[str]) -> Fetcher:
        """A new one. It is in no terminal's group, so Ctrl-C reaches its parent alone."""
        words = tempfile.TemporaryFile()  # noqa: SIM115 - it lasts as long as the process
        try:
            process = subprocess.Popen(
                [*python, "-m", "corpulyzer.jobs.crawl.shards"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=words,
                start_new_session=True,
            )
        except OSError as error:
            words.close()
            hint = "Set crawl.host_command to a command that starts Python on a host."
            raise UserError(f"{python[0]} cannot be started: {error.strerror}.", hint) from None
        fetcher = Fetcher(process, words)
        fetcher.send(corpulyzer.__version__)
        return fetcher

    def give(self, share: Share) -> None:
        """Send it a share."""
        self.place = share.place
        self.send(share)

    def send(self, what: object) -> None:
        """Send it something; one that is dead is noticed later."""
        self.to_send.put(pickle.dumps(what))

    def hang_up(self) -> None:
        """Tell it that nothing more comes; if it is at work, it ends that at once."""
        self.to_send.put(None)

    def _write(self) -> None:
        assert self.process.stdin is not None
        with suppress(BrokenPipeError), self.process.stdin as line:
            while (data := self.to_send.get()) is not None:
                line.write(data)
                line.flush()

    def bury(self) -> str:
        """Wait for its end, not for long; returns its last words."""
        self.hang_up()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        with self.words:
            self.words.seek(0)
            return self.words.read().decode(errors="replace")[-LAST_WORDS:]


@dataclass
class Processes:
    """A process for each shard; all end with this one, since their standard input does.

    What one leaves behind, the next host takes up.
    """

    hosts: Hosts = Hosts()
    _started: Counter[int] = field(default_factory=Counter)
    _running: dict[int, Fetcher] = field(default_factory=dict)
    _set_aside: list[Fetcher] = field(default_factory=list)
    _failures: Failures = field(default_factory=Failures)

    def tend(self, shares: Mapping[int, Share], sealed: Mapping[int, int]) -> None:
        """See `Fetchers.tend`."""
        self._bury_ended()
        for shard, share in shares.items():
            fetcher = self._running.get(shard)
            if fetcher is not None and fetcher.process.poll() is not None:
                last = self._running.pop(shard).bury().strip().rpartition("\n")[2]
                most = max(MOST_ERRORS, 2 * len(self.hosts.names))
                self._failures.note(share.place, sealed.get(shard, 0), last, most)
                fetcher = None
            if fetcher is None:
                python = self.hosts.python(shard + self._started[shard])
                fetcher = self._running[shard] = Fetcher.start(python)
                self._started[shard] += 1
            if fetcher.place != share.place:
                fetcher.give(share)

    def replace(self, shard: int) -> None:
        """See `Fetchers.replace`; on another host it comes to itself at most to find that it holds nothing.

        One that hangs here may do so with the lock of the shard's object, and nobody else can change that.
        """
        if shard in self._running:
            silent = self._running.pop(shard)
            silent.process.kill()
            self._set_aside.append(silent)

    def release(self) -> None:
        """See `Fetchers.release`."""
        everyone = [*self._running.values(), *self._set_aside]
        for fetcher in everyone:
            fetcher.hang_up()
        for fetcher in everyone:
            fetcher.bury()
        self._running.clear()
        self._set_aside.clear()

    def _bury_ended(self) -> None:
        """Give back what the system keeps for those that were replaced, as soon as they have ended."""
        for fetcher in [each for each in self._set_aside if each.process.poll() is not None]:
            fetcher.bury()
            self._set_aside.remove(fetcher)
