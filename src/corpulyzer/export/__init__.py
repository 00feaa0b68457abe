"""Exports: the kept documents in the formats of other tools, versioned, each with its manifest.

A map on the engine makes of each document what the format asks for; the files are then written from the
results as a stream. An export is complete when its `manifest.json` is there, which is written last.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from corpulyzer.engine import Dataset, Engine, Source
from corpulyzer.engine.derived import Part, made_of
from corpulyzer.engine.derived.table import Table, bring_up_to_date
from corpulyzer.engine.progress import Progress
from corpulyzer.engine.workbench import run_texts
from corpulyzer.errors import UserError
from corpulyzer.export.files import Written
from corpulyzer.export.follow import FEW_DOCUMENTS, forget_replaced, shards_of, tables_of, take_over
from corpulyzer.export.formats import FORMATS, About, Format, Options, Work, format_named
from corpulyzer.export.made_of_parts import note_parts
from corpulyzer.export.render import Render
from corpulyzer.export.shares import Writers
from corpulyzer.export.versions import (
    FOLDER,
    LOG,
    MANIFEST,
    WORK,
    Version,
    next_version,
    versions,
    write_changes,
)
from corpulyzer.storage import Storage, is_remote
from corpulyzer.text.traces import KINDS

__all__ = ["FORMATS", "Export", "Exported", "Format", "Options", "format_named", "versions"]

COUNTS_SQL = """
select language, license, split, reason as left_out, count(*) as documents, sum(tokens) as tokens,
       sum(text_bytes) as text_bytes, sum(emails) as email, sum(phones) as phone, sum(addresses) as ip,
       sum(cards) as card
from (
    select *, case when left_out like 'failed: %' then 'failed' else left_out end as reason from listed
) as named
group by language, license, split, reason
order by documents desc nulls last, language nulls last, license nulls last, split nulls last,
         reason nulls last
"""
"""The list says of a document that failed how it did, in words that may be its own."""


@dataclass(frozen=True, slots=True)
class Exported:
    """An export that is complete; `refreshed` are tables that were brought up to date for it."""

    version: str
    path: str
    manifest: Mapping[str, Any]
    refreshed: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        about = {"version": self.version, "path": self.path, "refreshed": list(self.refreshed)}
        return {**self.manifest, **about}

    def summary(self) -> str:
        """A few lines for people."""
        it, changes = self.manifest, self.manifest["changes"]
        size = sum(file["bytes"] for file in it["files"])
        lines = [
            f"{self.version}: {it['documents']:,} documents, {it['tokens']:,} tokens, "
            f"{len(it['files']):,} files, {size / 1e6:,.1f} MB, in {self.path}"
        ]
        lines += [f"The {name} were older than the documents, and were refreshed." for name in self.refreshed]
        if it["left_out"]:
            why = ", ".join(f"{count:,} by {reason}" for reason, count in it["left_out"].items())
            lines.append(f"Left out of the kept documents: {why}.")
        if it["masked"]:
            lines.append(f"Masked: {_people(it, it['masked']) or 'nothing was found'}.")
        if "as_of" in it:
            lines.append(it["as_of"]["says"])
        if changes["since"]:
            counts = ", ".join(f"{changes[name]:,} {name}" for name in ("added", "removed", "changed"))
            lines.append(f"Since {changes['since']}: {counts}.")
        return "\n".join(lines)

    def offer(self) -> str:
        """Which traces of people the texts have that nobody asked to mask, and how it is done; or nothing."""
        left = [kind for kind, count in self.manifest["people"].items() if count]
        left = [kind for kind in left if kind not in self.manifest["masked"]]
        if not left:
            return ""
        asked = ",".join([*self.manifest["masked"], *left])
        return f"The texts have {_people(self.manifest, left)}; --mask {asked} puts tokens in their place."


@dataclass(frozen=True, slots=True)
class Export:
    """One export of a corpus: its folder, what it is called, and what is to become of its documents.

    `parts` are those of its documents, each with the path of a file that has the kept ones; `about` is put
    into the manifest as it is. `made_with` is a fingerprint of all settings that decide what becomes of a
    document, `beside` of all that does and stands neither there nor in its row.
    """

    storage: Storage
    parts: Sequence[Part]
    format: Format
    render: Render
    name: str
    about: Mapping[str, Any] = field(default_factory=dict)
    made_with: str = ""
    beside: str = ""

    def __call__(self, engine: Engine, to: str = "", progress: Progress | None = None) -> Exported:
        """Write the export into its folder, or into `to`, which must be empty."""
        version = next_version(self.storage, self.format.name)
        place = Storage(to) if to else Storage(self.storage.path(f"{FOLDER}/{version.name}"))
        _must_be_free(place, to)
        scratch = f"{FOLDER}/{WORK}/{version.name}"
        _clear(self.storage, scratch)
        try:
            made = self._rendered(engine, scratch, progress)
            # Tasks do not reach a folder that somebody names on this machine.
            writers = Writers(engine, Storage(self.storage.path(scratch)), not to or is_remote(to))
            return self._written(writers, version, place, made)
        finally:
            _clear(self.storage, scratch)

    def _written(
        self, writers: Writers, version: Version, place: Storage, made: Mapping[str, Dataset]
    ) -> Exported:
        about = self._about(writers.engine, version, made["listed"])
        work = Work(place, made["rows"], writers.engine, writers, about, made["listed"])
        files = self.format.collect(work)
        changes, more = write_changes(self.storage, writers, place, version, made["listed"])
        manifest = self._manifest(about, [*files, *more], changes)
        text = json.dumps(manifest, ensure_ascii=False, indent=1, default=str).encode()
        place.write(MANIFEST, text)
        self.storage.write(f"{LOG}/{version.name}.json", text)
        return Exported(version.name, place.root, manifest)

    def _rendered(self, engine: Engine, scratch: str, progress: Progress | None) -> dict[str, Dataset]:
        """Bring what is made of the documents up to date, and return it as tables in their order."""
        shards, work = shards_of(self.parts), Storage(self.storage.path(scratch))
        wanted = {
            name: made_of([part.version for part in shard], self.made_with, self.beside)
            for name, shard in shards.items()
        }
        follows, tables = self.format.follows, {name: Table(work, name) for name in self.render.outputs}
        if follows:
            tables = tables_of(self.storage, self.format.name)
            forget_replaced(tables)
            take_over(engine, tables, shards, wanted, self.render, Storage(work.path("again")))

        def source_of(name: str) -> Source:
            first, *more = (part.file for part in shards[name])
            return Source(path=first, more=tuple(more))

        few, advance = FEW_DOCUMENTS if follows else 0, self._advance(progress)
        run = partial(run_texts, engine, self.render, progress=advance, few=few)
        bring_up_to_date(tables, wanted, source_of, run)
        if follows:
            note_parts(tables["listed"], shards)
        return {name: table.dataset(self.render.outputs[name]) for name, table in tables.items()}

    def _advance(self, progress: Progress | None) -> Callable[[int], None]:
        """Tells of documents that are done, out of all."""
        done, total = 0, sum(part.rows for part in self.parts)

        def advance(rows: int) -> None:
            nonlocal done
            done += rows
            if progress is not None:
                progress(f"exporting {self.format.name}", done, total)

        return advance

    def _about(self, engine: Engine, version: Version, listed: Dataset) -> About:
        import corpulyzer

        rows = engine.query(COUNTS_SQL, {"listed": listed}).to_pylist()
        taken = [row for row in rows if not row["left_out"]]
        return About(
            name=self.name,
            language=self.render.targets.together,
            version=version.name.partition("-")[0],
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            software=f"Corpulyzer {corpulyzer.__version__}",
            documents=sum(row["documents"] for row in taken),
            tokens=sum(row["tokens"] for row in taken),
            text_bytes=sum(row["text_bytes"] for row in taken),
            licenses=_sums(taken, "license"),
            languages=_sums(taken, "language"),
            splits=_sums(taken, "split"),
            left_out=_sums([row for row in rows if row["left_out"]], "left_out"),
            selection=_words(self.render),
            parts={} if self.render.targets.only else _parts(taken),
            people={kind: sum(row[kind] for row in taken) for kind in KINDS},
            masked=self.render.mask.kinds,
        )

    def _manifest(self, about: About, files: list[Written], changes: dict[str, Any]) -> dict[str, Any]:
        counts = {name: value for name, value in asdict(about).items() if name != "language"}
        return {
            "format": self.format.name,
            "language": about.language.code,
            **counts,
            "annotated": bool(self.render.annotations),
            "changes": changes,
            "files": [asdict(file) for file in files],
            **self.about,
        }


def _must_be_free(place: Storage, to: str) -> None:
    """Clear what a killed export left in a folder of ours; refuse a folder of the user's that has files."""
    try:
        left = place.list()
    except NotADirectoryError:
        raise UserError(f"{to} is a file.", "Name a new folder with --to.") from None
    if to and left:
        raise UserError(f"{to} is not empty: it has {left[0]}.", "Name a new folder with --to.")
    for file in left:
        place.delete(file)


def _clear(storage: Storage, folder: str) -> None:
    """Remove a folder with all that is in it, if it is there."""
    from pyarrow.fs import FileType

    filesystem, _ = storage.filesystem()
    path = storage.inner_path(folder)
    if filesystem.get_file_info(path).type == FileType.Directory:
        filesystem.delete_dir(path)


def _people(manifest: Mapping[str, Any], kinds: Iterable[str]) -> str:
    """Traces of people of some kinds in words, with how many there are."""
    counts = manifest["people"]
    return ", ".join(f"{counts[kind]:,} {KINDS[kind]}" for kind in kinds if counts[kind])


def _sums(rows: list[dict[str, Any]], name: str) -> dict[str, int]:
    sums: dict[str, int] = {}
    for row in rows:
        sums[row[name]] = sums.get(row[name], 0) + row["documents"]
    return dict(sorted(sums.items(), key=lambda item: (-item[1], item[0])))


def _parts(rows: list[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """The splits of each language, by its code."""
    splits: dict[str, set[str]] = {}
    for row in rows:
        splits.setdefault(row["language"], set()).add(row["split"])
    return {code: tuple(sorted(splits[code])) for code in sorted(splits)}


def _words(render: Render) -> str:
    """The selection in words."""
    chosen = render.selection
    words = [f"license {' or '.join(chosen.licenses)}"] if chosen.licenses else []
    words += [f"subcorpus {chosen.subcorpus}"] if chosen.subcorpus else []
    words += [f"language {chosen.language}"] if chosen.language else []
    words += [f"site {' or '.join(chosen.sites)}"] if chosen.sites else []
    words += [f"without {' or '.join(chosen.without)}"] if chosen.without else []
    words += [f"quality at least {chosen.min_quality}"] if chosen.min_quality is not None else []
    return ", ".join(words) or "all kept documents"
