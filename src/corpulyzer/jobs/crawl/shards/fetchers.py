"""Where the fetchers of a round run: as processes, here or on other hosts, or as tasks of a Spark cluster.

All do the same: they keep a fetcher at every shard that is not ended, however often one dies.
"""

from __future__ import annotations

import pickle
import shlex
import signal
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
"""So often a fetcher of a shard may end by an error of its own; how often it is killed does not matter."""

KILLS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""Signals by which others end a fetcher; by another one it ends itself, when it crashes."""

LOST_BY_SPARK = ("SparkException", "EOFException", "SocketException")
"""How the words of Spark begin when a task was lost with its machine."""

END_SECONDS = 10.0
LAST_WORDS = 2_000


class Fetchers(Protocol):
    """Fetchers that work on shares, one after the other, for as long as a crawl runs."""

    def tend(self, shares: Mapping[int, Share]) -> None:
        """Guarantee that there is a fetcher at each of these shares, which are known by their shards."""
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
class SparkTasks:
    """A task of a Spark cluster for each share; Spark has others do what a lost machine did."""

    start: Callable[[Work], RunningTask]
    _running: dict[int, tuple[Place, RunningTask]] = field(default_factory=dict)
    _errors: Counter[Place] = field(default_factory=Counter)

    def tend(self, shares: Mapping[int, Share]) -> None:
        """See `Fetchers.tend`; UserError if tasks fail at a share though nobody ends them."""
        for shard, share in shares.items():
            place, task = self._running.get(shard, (None, None))
            if task is not None and place == share.place:
                if not task.is_over:
                    continue
                self._note_end(task, share.place)
            self._running[shard] = share.place, self.start(share.fetch)

    def replace(self, shard: int) -> None:
        """See `Fetchers.replace`: it waits for a machine that is free, or Spark notices what was lost."""

    def release(self) -> None:
        """See `Fetchers.release`."""
        for _, task in self._running.values():
            task.cancel()
        self._running.clear()

    def _note_end(self, task: RunningTask, place: Place) -> None:
        words = regex.findall(r"(?m)^(?:[\w.]+\.)?(\w+(?:Error|Exception): .+)$", task.error)
        own = [each for each in words if not each.startswith(LOST_BY_SPARK)]
        self._errors[place] += bool(own)
        _must_not_recur(self._errors[place], own[-1] if own else "")


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
    _errors: Counter[Place] = field(default_factory=Counter)

    def tend(self, shares: Mapping[int, Share]) -> None:
        """See `Fetchers.tend`; UserError if a fetcher fails at a share again and again."""
        for shard, share in shares.items():
            fetcher = self._running.get(shard)
            if fetcher is not None and fetcher.process.poll() is not None:
                self._note_end(self._running.pop(shard), share.place)
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

    def _note_end(self, dead: Fetcher, place: Place) -> None:
        said = dead.bury()
        self._errors[place] += -dead.process.returncode not in KILLS
        most = max(MOST_ERRORS, 2 * len(self.hosts.names))
        _must_not_recur(self._errors[place], said.strip().rpartition("\n")[2], most)


def _must_not_recur(errors: int, words: str, most: int = MOST_ERRORS) -> None:
    if errors >= most:
        hint = "Nothing is lost: run the same command again, with one fetcher if it recurs."
        raise UserError(f"A fetcher has failed {errors} times: {words or 'it said nothing'}.", hint)
