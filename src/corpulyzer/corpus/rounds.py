"""The rounds of a crawl on disk: each a folder with its fetch list, its settings, and how far it got.

A round goes through phases, and each leaves a file when it is done: `inject.json`, `list.parquet`,
`fetched.json`, `commit.json`. So a crawl that was killed knows where to go on.

Two rounds may be open at once: one that is fetched and not yet worked into the frontier, and the next, whose
list was made before that. Only lists know of this: rounds change the frontier one after the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from corpulyzer.corpus.archives import CrawlPlaces, crawled, round_folder, stem
from corpulyzer.engine import Dataset
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.web.frontier.tables import Listed

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.settings.config import Config
    from corpulyzer.engine import Engine
    from corpulyzer.web.frontier.store.versions import Frontier

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Round:
    """One round's folder."""

    storage: Storage
    number: int

    @property
    def folder(self) -> str:
        return f"rounds/round={self.number:05d}"

    @property
    def next(self) -> Round:
        """The round after it."""
        return Round(self.storage, self.number + 1)

    @property
    def work(self) -> str:
        """The folder for what an update needs meanwhile."""
        return f"{self.folder}/work"

    @property
    def archives(self) -> str:
        """The folder of what it fetched."""
        return round_folder(self.number)

    @property
    def prefix(self) -> str:
        """What the names of its archives begin with."""
        return stem(self.number)

    def done(self, phase: str) -> bool:
        """Whether a phase has left its file: `inject`, `list`, `fetched`, `commit`."""
        return self.storage.exists(self._file(phase))

    def read(self, phase: str) -> dict[str, Any]:
        """What a phase has noted; empty if it is not done."""
        content = self.storage.read_if_there(self._file(phase))
        noted: dict[str, Any] = {} if content is None else json.loads(content)
        return noted

    def write(self, phase: str, notes: Mapping[str, Any]) -> None:
        """Note that a phase is done; a commit also notes what the crawl has come to with it."""
        if phase == "commit":
            notes = {**notes, "so_far": _plus(before(self.storage, self.number), notes)}
        text = json.dumps(notes, ensure_ascii=False, indent=1, default=str)
        self.storage.write(self._file(phase), text.encode())

    def write_list(self, table: pa.Table) -> None:
        """Store the fetch list, which is there before anything is fetched."""
        with ParquetSink(self.storage.path(self._file("list")), schema_of(Listed)) as sink:
            for batch in table.to_batches():
                sink.write(batch)

    def listed(self) -> Dataset:
        """The fetch list, for queries."""
        return Dataset((self.storage.path(self._file("list")),), schema_of(Listed))

    def table(self, name: str, record: type) -> Dataset:
        """The round's part of a table: `fetches`, `documents`, `links`."""
        files = self.storage.list(f"{name}/round={self.number:05d}", ".parquet")
        return Dataset(tuple(self.storage.path(file) for file in files), schema_of(record))

    def frontier(self) -> Frontier:
        """The frontier as the round left it, or as far as it got."""
        from corpulyzer.web.frontier.store.versions import Frontier

        for phase in ("commit", "inject"):
            if noted := self.read(phase):
                return Frontier(self.storage, noted["version"])
        return Round(self.storage, self.number - 1).frontier() if self.number > 1 else Frontier(self.storage)

    def _file(self, phase: str) -> str:
        return f"{self.folder}/{phase}.{'parquet' if phase == 'list' else 'json'}"


def rounds(storage: Storage) -> list[Round]:
    """The rounds that have begun, in order."""
    names = [name for name in storage.folders("rounds") if name.startswith("round=")]
    return [Round(storage, int(name.removeprefix("round="))) for name in names]


SO_FAR = ("requests", "good")


def before(storage: Storage, number: int) -> dict[str, int]:
    """Requests and good pages of all rounds before this one: the sums that the last commit has noted."""
    done, rest = dict.fromkeys(SO_FAR, 0), []
    for each in range(number - 1, 0, -1):
        notes = Round(storage, each).read("commit")
        if "so_far" in notes:
            done = notes["so_far"]
            break
        rest.append(notes or Round(storage, each).read("fetched"))
    for notes in rest:
        done = _plus(done, notes)
    return done


def _plus(done: Mapping[str, int], notes: Mapping[str, Any]) -> dict[str, int]:
    return {name: done[name] + notes.get(name, 0) for name in SO_FAR}


MOST_OPEN = 2


def opened(storage: Storage) -> list[Round]:
    """The rounds that have begun and are not committed, in order."""
    return [each for each in rounds(storage)[-MOST_OPEN:] if not each.done("commit")]


def current(storage: Storage) -> Round:
    """The round that changes the frontier next: the first that was not committed, or a new one."""
    begun = rounds(storage)
    after = Round(storage, begun[-1].number + 1 if begun else 1)
    return next((each for each in begun[-MOST_OPEN:] if not each.done("commit")), after)


def open_for_seeds(storage: Storage) -> int:
    """The round that takes in new seeds: the next whose list is not yet made."""
    begun = rounds(storage)
    last = begun[-1] if begun else Round(storage, 1)
    return last.number + any(map(last.done, ("inject", "list", "commit")))


def frontier(storage: Storage) -> Frontier:
    """The frontier as it is now."""
    return current(storage).frontier()


def ask_frontier(storage: Storage, ask: Callable[[Frontier], Answer]) -> Answer:
    """The answer to a question about the frontier; asked again if a crawl puts another in its place."""
    while True:
        found = frontier(storage)
        try:
            return ask(found)
        except Exception:
            if frontier(storage).version == found.version:
                raise


def whole_frontier(storage: Storage) -> Frontier:
    """The frontier as it is now, with all its files; UserError if something of it is missing."""
    found = frontier(storage)
    if found.broken():
        found = frontier(storage)  # a crawl that runs has put another in its place
    found.must_be_whole()
    return found


def make_tables(now: Round, config: Config, engine: Engine) -> int:
    """Make the tables of one round out of its archives; return the parts made."""
    from corpulyzer.corpus.tables import Tables

    tables = Tables(now.storage, config, engine)
    return tables.make_round(crawled(now.storage, now.number), CrawlPlaces(now.storage))
