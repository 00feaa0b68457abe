"""From the segments of all shards to archives of the round, which are like those that one process writes.

An archive appears whole, under a name that follows from its segments, so who is killed here does it again.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.corpus.archives import Archive
from corpulyzer.jobs.crawl.round_archive import fetches_in, write_rows
from corpulyzer.jobs.crawl.shards.share import Place
from corpulyzer.storage import AtomicFile
from corpulyzer.warc.compose import warcinfo
from corpulyzer.warc.names import ENDING, archive_name, file_name
from corpulyzer.warc.write import MAX_BYTES
from corpulyzer.web.fetch.shards.lease import POLL_SECONDS, Claim, LostLeaseError, Shard, shard_at

if TYPE_CHECKING:
    from corpulyzer.corpus.rounds import Round
    from corpulyzer.records import Fetch
    from corpulyzer.storage import Storage

JOINED = "joined"
"""The object that says that all segments of a folder are in archives."""


@dataclass(frozen=True, slots=True)
class Together:
    """The shards of a round that are fetched together, the `number`th time that some are."""

    of: Round
    number: int

    @property
    def folder(self) -> str:
        return f"{_folder(self.of)}/{self.number:02d}"

    def place(self, shard: int) -> Place:
        """Where a shard is kept."""
        return Place(self.folder, shard)

    def shards(self) -> dict[Place, Shard]:
        """All shards, whether or not somebody has held them."""
        names = [name for name in self.of.storage.list(self.folder, ".json") if name.count("/") == 4]
        places = [self.place(int(name.rpartition("/")[2].removesuffix(".json"))) for name in names]
        found = {place: shard_at(self.of.storage, place.lease) for place in places}
        return {place: shard for place, shard in found.items() if shard is not None}

    def settle(self, seconds: float) -> None:
        """Guarantee that nobody holds a shard any more, which may take as long as a lease.

        Fetchers on other machines that have not noticed that the crawl is gone are asked to stop.
        """
        open = [place for place, shard in self.shards().items() if not shard.ended]
        if open:
            self.of.storage.write(self.place(0).wish, b"stop")
        claims = [Claim(self.of.storage, place.lease, seconds) for place in open]
        while claims := [claim for claim in claims if not _is_ended(claim)]:
            time.sleep(POLL_SECONDS)

    def join(self, info: Mapping[str, str]) -> list[Fetch]:
        """Put all listed segments into archives, with their rows; returns these."""
        rows: list[Fetch] = []
        for number, group in enumerate(_groups(self._segments())):
            file = file_name(f"{self.of.prefix}-s{self.number:02d}", number)
            path = self.of.storage.path(f"{self.of.archives}/{file}")
            if not self.of.storage.exists(f"{self.of.archives}/{file}"):
                _write(self.of.storage, path, file, info, [name for name, _ in group])
            archive = Archive(archive_name(file), path, self.of.number)
            fetches = fetches_in(archive)
            write_rows(self.of, archive, fetches)
            rows += fetches
        self.of.storage.write(f"{self.folder}/{JOINED}", b"")
        forget_segments(self.of.storage, self.folder)
        return rows

    @property
    def is_joined(self) -> bool:
        return self.of.storage.exists(f"{self.folder}/{JOINED}")

    def _segments(self) -> list[tuple[str, int]]:
        """The names and sizes of all listed segments, in an order that stays."""
        found = []
        for place, shard in sorted(self.shards().items(), key=lambda each: each[0].shard):
            found += [(f"{place.segments}/{each.name}", each.bytes) for each in shard.segments]
        return found


def _is_ended(claim: Claim) -> bool:
    """Whether a shard is ended; if its lease is to be had, it is now."""
    with suppress(LostLeaseError):
        if lease := claim.attempt():
            lease.end({})
    found = shard_at(claim.storage, claim.name)
    return found is None or found.ended


def together(of: Round) -> list[Together]:
    """What was fetched together in a round, in order; all but the last are joined."""
    return [Together(of, int(name)) for name in of.storage.folders(_folder(of))]


def forget_segments(storage: Storage, folder: str) -> None:
    """Remove all segments below a folder: those that are in archives, and those that nobody has listed."""
    for name in storage.list(folder, ENDING):
        storage.delete(name)


def forget(of: Round) -> None:
    """Remove what a round that is worked in still has of its shards."""
    of.storage.delete_folder(_folder(of))


def _folder(of: Round) -> str:
    return f"{of.folder}/shards"


def _groups(segments: Iterable[tuple[str, int]]) -> Iterator[list[tuple[str, int]]]:
    """Segments one after the other, as many as fit into an archive."""
    group: list[tuple[str, int]] = []
    total = 0
    for name, size in segments:
        if group and total + size > MAX_BYTES:
            yield group
            group, total = [], 0
        group.append((name, size))
        total += size
    if group:
        yield group


def _write(storage: Storage, path: str, file: str, info: Mapping[str, str], names: Iterable[str]) -> None:
    with AtomicFile(path) as temporary, Path(temporary).open("wb") as archive:
        archive.write(warcinfo(file, info).packed())
        for name in names:
            with storage.open_input(name) as segment:
                shutil.copyfileobj(segment, archive, 8 << 20)
