"""What the paths given to `import` are: archives, rows, pages, or nothing that can be read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from itertools import groupby
from operator import attrgetter

import regex
import xxhash

from corpulyzer.corpus.imports import ARCHIVE, Imported
from corpulyzer.errors import UserError
from corpulyzer.jobs.importing.files import Found, Given, find, first_bytes
from corpulyzer.storage import is_remote
from corpulyzer.warc.stream import ARC_START

JSONL, PARQUET, PAGES = "jsonl", "parquet", "pages"
AT_ONCE = 16
"""So many objects of a store are looked at at the same time: what it takes is waiting."""
CLOCKS_DIFFER = timedelta(minutes=5)
"""The clock of a store, which says when an object was changed, and that of this machine."""
RECORDS = "records"
"""An archive whose records cannot be found again by their offsets: ARC, or compressed as a whole."""

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".txt", ".text", ".pdf", ".docx", ".epub")
_MARKUP = regex.compile(
    rb"\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body|!--|\?xml[^>]*>\s*<(?:!doctype )?html)",
    regex.I,
)
_UNSAFE = regex.compile(r"[^A-Za-z0-9_-]+")
_SUFFIXES = regex.compile(
    r"(\.(warc|arc|wet|wat|jsonl|ndjson|json|parquet|html?|txt|pdf|docx|epub|gz|zst|zstd|lz4))+$"
)


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that cannot be imported, and why."""

    path: str
    why: str
    hint: str = ""


@dataclass(frozen=True)
class Source:
    """One thing to import: a file of archive records or rows, or the pages of a folder.

    `key` tells sources apart; the same key with other `files` is the same source, changed.
    """

    path: str
    kind: str
    files: tuple[Found, ...]
    key: str

    @cached_property
    def name(self) -> str:
        """A name for files about this source and for its host: readable, and unlike that of any other."""
        path = self.path.partition("?")[0] if is_remote(self.path) else self.path
        stem = _SUFFIXES.sub("", os.path.basename(path.rstrip("/")))
        readable = _UNSAFE.sub("-", stem).strip("-")[:48].lower() or self.kind
        return f"{readable}-{_hash(self.key)[:10]}"

    @cached_property
    def version(self) -> str:
        """Changes when the files do: their names, sizes and times are hashed, not their bytes."""
        return _version(self.files)

    @property
    def changed(self) -> str:
        """When a file of it was changed last."""
        last = max(file.mtime_ns for file in self.files) / 1e9
        return datetime.fromtimestamp(last, UTC).isoformat(timespec="seconds")

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def unseen(self) -> bool:
        """Whether nobody has looked at a file of it, so that nobody can say whether it was changed."""
        return any(file.unseen for file in self.files)


def is_as_noted(source: Source, before: Imported) -> bool:
    """Whether a source is in already as it is, as far as anyone can say who has looked at it now or then.

    Of an archive that a list named, its note says neither size nor time: it holds if the archive was changed
    well before it was noted. To read one again is safe.
    """
    if source.unseen or before.version == source.version:
        return True
    then_unseen = _version([replace(file, size=0, mtime_ns=0) for file in source.files])
    return before.version == then_unseen and _plainly_before(source.changed, before.noted)


def _plainly_before(changed: str, noted: str) -> bool:
    """Whether one time is before another by more than clocks differ; what earlier versions noted has none."""
    if not noted:
        return False
    return datetime.fromisoformat(noted) - datetime.fromisoformat(changed) >= CLOCKS_DIFFER


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be imported, and what cannot be."""

    sources: tuple[Source, ...]
    refused: tuple[Refused, ...]


def plan(paths: Sequence[str]) -> Plan:
    """The sources in the files and folders given; UserError for a path that is not there."""
    found = list(planned(find(paths), {}))
    sources = tuple(each for each in found if isinstance(each, Source))
    return Plan(sources, tuple(each for each in found if isinstance(each, Refused)))


def planned(given: Iterable[Given], known: Mapping[str, Imported]) -> Iterator[Source | Refused]:
    """The sources in files, and what cannot be imported, one after the other as the files are looked at.

    A file that is in `known` and was not changed is not opened.
    """
    seen: set[str] = set()
    for some in given:
        pages = []
        for file, kind in _with_kinds(some.files, partial(_known_kind, known)):
            if kind == PAGES:
                pages.append(file)
            elif file.path not in seen:
                seen.add(file.path)
                yield kind if isinstance(kind, Refused) else Source(file.path, kind, (file,), file.path)
        for source in _of_pages(pages, some.folder):
            if source.key not in seen:
                seen.add(source.key)
                yield source


def _with_kinds(
    files: Sequence[Found], known_kind: Callable[[Found], str]
) -> Iterator[tuple[Found, str | Refused]]:
    """The files with their kinds; objects of a store are looked at side by side, in their order."""

    def kind_of(file: Found) -> str | Refused:
        return known_kind(file) or _kind_of(file)

    if not any(is_remote(file.path) for file in files):
        yield from ((file, kind_of(file)) for file in files)
        return
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for start in range(0, len(files), AT_ONCE * 16):  # so that who is stopped has not asked for all
            some = files[start : start + AT_ONCE * 16]
            yield from zip(some, pool.map(kind_of, some), strict=True)


def _known_kind(known: Mapping[str, Imported], file: Found) -> str:
    """The kind of a file that is in already as it is; empty for any other."""
    alone = Source(file.path, "", (file,), file.path)
    before = known.get(alone.name)
    return before.kind if before and before.kind != PAGES and is_as_noted(alone, before) else ""


def _of_pages(pages: list[Found], folder: str) -> Iterable[Source]:
    """The pages below a folder are one source; pages given one by one, one for each of their folders."""
    if folder and pages:
        yield Source(folder, PAGES, tuple(pages), folder)
    elif pages:
        for parent, group in groupby(sorted(pages, key=attrgetter("parent", "path")), attrgetter("parent")):
            files = tuple(group)
            key = f"{parent}\0{_hash(*(file.path for file in files))}" if len(files) > 1 else files[0].path
            yield Source(parent if len(files) > 1 else files[0].path, PAGES, files, key)


def _kind_of(file: Found) -> str | Refused:
    """What a file is, by its content; pages by their name alone, since a folder may have millions."""
    name = os.path.basename(file.relative).lower()
    if _is_undecodable(file.path):
        return Refused(ascii(file.path), "its name is not UTF-8", "Rename it first.")
    if file.unseen:
        return ARCHIVE
    if file.size <= 0:
        return Refused(file.path, "it is empty" if not file.size else "it is no regular file, or a dead link")
    if name.endswith(PAGE_SUFFIXES):
        return PAGES
    try:
        start = first_bytes(file.path)
    except OSError as error:
        return Refused(file.path, f"it cannot be read: {error.strerror or error}")
    if start.startswith(b"WARC/"):
        return _archive_kind(file)
    if start.startswith(b"PAR1"):
        return PARQUET
    if start.startswith(ARC_START):
        return RECORDS
    return _text_kind(file, name, start)


def _is_undecodable(path: str) -> bool:
    """Whether a name holds bytes that are no characters; Python carries them as lone surrogates."""
    return any("\ud800" <= character <= "\udfff" for character in path)


def _archive_kind(file: Found) -> str | Refused:
    from corpulyzer.warc.index import WholeFileError, index

    try:
        next(index(file.path), None)
    except WholeFileError:
        return RECORDS
    except UserError as error:
        return Refused(file.path, error.message.removesuffix("."), error.hint)
    return ARCHIVE


def _text_kind(file: Found, name: str, start: bytes) -> str | Refused:
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"{"):
        return JSONL
    if text.startswith(b"[") and ".json" in name:
        return Refused(file.path, "it is one JSON array", f"Run `jq -c '.[]' {file.path} > NEW.jsonl` first.")
    if (
        start.startswith(b"%PDF-")
        or _MARKUP.match(start)
        or name.removesuffix(".gz").removesuffix(".zst").removesuffix(".lz4").endswith(PAGE_SUFFIXES)
    ):
        return PAGES
    known = "WARC, ARC, WET, JSONL, Parquet, HTML, PDF, .docx, .epub or .txt"
    return Refused(file.path, f"it is none of {known}: it begins with {start[:16]!r}")


def _version(files: Iterable[Found]) -> str:
    return _hash(*(f"{file.path}\0{file.size}\0{file.mtime_ns}" for file in files))[:8]


def _hash(*parts: str) -> str:
    return xxhash.xxh3_128_hexdigest("\n".join(parts).encode("utf-8", "surrogateescape"))
