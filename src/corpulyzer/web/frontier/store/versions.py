"""The files of a frontier: each version has a manifest that names them, and shares what did not change.

Only a later commit makes a version the present one. So an update that is killed leaves the frontier as it
was, and is simply done again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from corpulyzer.engine import Dataset
from corpulyzer.errors import UserError
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import Storage
from corpulyzer.web.frontier.store.arrays import ARROW, as_table, ints, piece, read, read_file, summed_by
from corpulyzer.web.frontier.store.behind import Run, stored, stored_schema
from corpulyzer.web.frontier.store.cells import CELL, past_of
from corpulyzer.web.frontier.store.keys import Keys, Of
from corpulyzer.web.frontier.store.wholes import parts_of, write_parts, write_run
from corpulyzer.web.frontier.tables import NEVER, Known, Site, Spoken
from corpulyzer.web.frontier.traps import PAGE_LIST

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.web.frontier import Ints


FOLDERS = ("frontier", "prefixes", "sites", "spoken")
WHOLE = "frontier/whole"
"""The folder of what was merged for those who ask for all URLs; it can be made again at any time."""

TOP = (1 << 62) + 1
"""The number of the front among runs: what it says of a URL stands above all others."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The files of a version, and what is known of the rows behind its front.

    `round` is the last that was worked in, `seq` the number of the last run. `waiting` counts rows behind
    the front that wait to be fetched; it may lag until the next merge. `soonest` is when the first of the
    others falls due; `filled` is the round in which rows last came forward. `known` and `fetched` count
    all URLs, and `refused` those that are never fetched, by reason, as far as it was known in front.
    """

    round: int = 0
    front: str = ""
    base: tuple[Run, ...] = ()
    runs: tuple[Run, ...] = ()
    keys: tuple[Run, ...] = ()
    prefixes: tuple[Run, ...] = ()
    sites: tuple[Run, ...] = ()
    spoken: tuple[Run, ...] = ()
    seq: int = 0
    waiting: int = 0
    soonest: int = NEVER
    filled: int = 0
    known: int = 0
    fetched: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, noted: dict[str, Any]) -> Manifest:
        """A manifest as it was written."""
        runs = {
            each.name: tuple(Run(**run) for run in noted.get(each.name, ()))
            for each in fields(cls)
            if isinstance(each.default, tuple)
        }
        return cls(**{**noted, **runs})

    def files(self) -> list[str]:
        """All its files."""
        runs = (*self.base, *self.runs, *self.keys, *self.prefixes, *self.sites, *self.spoken)
        return [self.front, *(run.file for run in runs)]


@dataclass(frozen=True, slots=True)
class Frontier:
    """The frontier of a corpus at one version; an empty version is the frontier before the first seed."""

    storage: Storage
    version: str = ""
    known: Manifest | None = field(default=None, compare=False, repr=False)

    @property
    def manifest(self) -> Manifest:
        """What the version consists of, read once."""
        if self.known is not None or not self.version:
            return self.known or Manifest()
        noted = self.storage.read_if_there(self.note)
        if noted is None and self._of_earlier_format():
            raise UserError(
                "The frontier was made by an earlier version.",
                "`corpulyzer process` makes it again from the archives, without the network.",
            )
        if noted is None:
            raise FileNotFoundError(self.storage.path(self.note))
        found = Manifest.of(json.loads(noted))
        object.__setattr__(self, "known", found)
        return found

    @property
    def note(self) -> str:
        """The file of the manifest."""
        return f"frontier/{self.version}.json"

    def write(self, manifest: Manifest) -> Frontier:
        """Write the manifest when all its files are there; that of one language has no word of languages."""
        noted = {name: value for name, value in asdict(manifest).items() if value or name != "spoken"}
        self.storage.write(self.note, json.dumps(noted, indent=1).encode())
        return Frontier(self.storage, self.version, manifest)

    def files(self) -> list[str]:
        """The files with its URLs, relative to the corpus folder."""
        if not self.version:
            return []
        if earlier := self._of_earlier_format():
            return earlier
        manifest = self.manifest
        return [manifest.front, *(run.file for run in (*manifest.base, *manifest.runs))]

    def front(self) -> Dataset:
        """The URLs that a round works on."""
        files = [self.manifest.front] if self.version else []
        return Dataset(self._paths(files), schema_of(Known))

    def keys(self) -> Keys:
        """What was seen, fetched and read."""
        return Keys(self.storage, tuple((run.file, run.rows) for run in self.manifest.keys))

    def cells(self, sites: Ints) -> dict[str, Ints]:
        """The sums of what was fetched of some sites, by pattern, evidence and round (0: all long ago).

        Those of all other sites are there as of one, with 0 for its keys: they teach what is general.
        """
        files = self._paths([run.file for run in self.manifest.prefixes])
        return past_of([read_file(file, CELL) for file in files], sites, self.manifest.round)

    def sites(self, columns: Sequence[str] = ("site_id", "tries", "good")) -> pa.Table:
        """Some sums of each site, by its id."""
        table = read(self.site_sums(), columns)
        schema = table.schema
        found = summed_by({name: ints(table, name) for name in columns}, ["site_id"], ())
        return as_table(found, schema)

    def site_sums(self) -> Dataset:
        """The sums of sites, in parts that add up."""
        return Dataset(self._paths([run.file for run in self.manifest.sites]), schema_of(Site))

    def spoken(self) -> dict[str, Ints]:
        """The requests for each pattern by language; none in a corpus of one."""
        files = self._paths([run.file for run in self.manifest.spoken])
        names = schema_of(Spoken).names
        table = read(Dataset(files, schema_of(Spoken)), names)
        return {name: ints(table, name) for name in names}

    @property
    def is_deep(self) -> bool:
        """Whether something stands behind its front."""
        if not self.version or self._of_earlier_format():
            return False
        return bool(self.manifest.base or self.manifest.runs)

    def at_hand(self) -> Dataset:
        """The URLs in front: all, unless it is deep."""
        if earlier := self._of_earlier_format():
            return Dataset(self._paths(earlier), schema_of(Known))
        return self.front()

    def whole(self) -> Dataset:
        """All URLs that it knows, one row each: the front, and what stands behind it, merged for this."""
        if not self.is_deep:
            return self.at_hand()
        manifest = self.manifest
        rows = sum(run.rows for run in (*manifest.base, *manifest.runs))
        parts = range(parts_of(rows, len(manifest.base)))
        files = [f"{WHOLE}/{self.version}-{part:04d}.parquet" for part in parts]
        if not all(map(self.storage.exists, files)):
            front = Run(f"{WHOLE}/{self.version}.parquet", 0)
            rows_in_front = read(self.front(), schema_of(Known).names)
            write_run(self.storage.path(front.file), stored(rows_in_front, TOP, 1))
            write_parts(self.storage, manifest.base, (*manifest.runs, front), files)
        return Dataset(self._paths(files), schema_of(Known))

    def behind(self, site_id: int | None = None) -> Dataset:
        """What stands behind the front: the base, or the part of it with a site, and the runs since."""
        manifest = self.manifest
        base = manifest.base
        if site_id is not None and base:
            base = (base[site_id % len(base)],)
        return Dataset(self._paths([run.file for run in (*base, *manifest.runs)]), stored_schema())

    def broken(self) -> str:
        """The name of a file that is missing or not whole; empty if all are there."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not self.version:
            return ""
        earlier = self._of_earlier_format()
        if not earlier and not self.storage.exists(self.note):
            return self.note
        keys = {} if earlier else {run.file: 8 * run.rows for run in self.manifest.keys}
        for file in earlier or self.manifest.files():
            try:
                with self.storage.open_input(file) as opened:
                    if file.endswith(".parquet"):
                        pq.read_metadata(opened)
                    elif file.endswith(ARROW):
                        pa.ipc.open_file(opened)
                    if opened.size() < keys.get(file, 0):
                        return file
            except (OSError, pa.ArrowException):
                return file
        return ""

    def must_be_whole(self) -> None:
        """Return if nothing of it is missing; UserError if something is."""
        if file := self.broken():
            raise UserError(
                f"The frontier is damaged: {self.storage.path(file)} is missing or not whole.",
                "`corpulyzer process` makes it again from the archives, without the network.",
            )

    def forget_others(self, *kept: Frontier) -> None:
        """Delete the files of all versions but this one and those."""
        used: set[str] = set()
        for each in (self, *kept):
            if each.version and self.storage.exists(each.note):
                used |= {each.note, *each.manifest.files()}
        for folder in FOLDERS:
            for file in self.storage.list(folder):
                if file not in used:
                    self.storage.delete(file)

    def _of_earlier_format(self) -> list[str]:
        """The files of a frontier that has no manifest: it can be read until `process` makes it again."""
        if not self.version or self.known is not None or self.storage.exists(self.note):
            return []
        files = self.storage.list("frontier", f"/{self.version}.parquet")
        return [file for file in files if file.startswith("frontier/bucket=")]

    def _paths(self, files: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.storage.path(file) for file in files)


def counted(manifest: Manifest, before: pa.Table, after: pa.Table, added: pa.Table, keys: Keys) -> Manifest:
    """The manifest with what a round adds to the counts of URLs: to the front, and to rows behind it.

    `keys` tells what was fetched before the round.
    """
    read_behind = ints(added, "id")[ints(added, "fetches") > 0]
    refused = Counter(manifest.refused)
    refused.update(_refusals(after))
    refused.subtract(_refusals(before))
    fetched = [int((ints(rows, "fetches") > 0).sum()) for rows in (before, after)]
    return replace(
        manifest,
        known=manifest.known + after.num_rows - before.num_rows,
        fetched=manifest.fetched + fetched[1] - fetched[0] + int((~keys.has(Of.FETCHED, read_behind)).sum()),
        refused={reason: count for reason, count in sorted(refused.items()) if count},
    )


def _refusals(rows: pa.Table) -> dict[str, int]:
    """How many URLs are never fetched, by reason."""
    words = piece(rows, "refused").dictionary_encode()
    counts = np.bincount(words.indices.to_numpy(zero_copy_only=False), minlength=len(words.dictionary))
    reasons = zip(map(str, words.dictionary.to_pylist()), counts.tolist(), strict=True)
    return {reason: count for reason, count in reasons if reason not in ("", PAGE_LIST)}
