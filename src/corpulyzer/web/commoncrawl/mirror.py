"""Where releases are: the web, a bucket or a folder, all in Common Crawl's own layout."""

from __future__ import annotations

import difflib
import gzip
import json
from dataclasses import dataclass
from typing import Any

import regex

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage, filesystem_of, is_remote, open_input
from corpulyzer.storage.http import ConnectionLostError, Patience, get
from corpulyzer.storage.http_file import check

TABLE = "cc-index/table/cc-main/warc"
_PARTS = regex.compile(r"""href\s*=\s*["']?([^"'<>\s]+\.parquet)""", regex.I)


@dataclass(frozen=True, slots=True)
class Release:
    """A release: its id, and the dates of its first and last page where they are known."""

    id: str
    name: str = ""
    first: str = ""
    last: str = ""


@dataclass(frozen=True, slots=True)
class Mirror:
    """The place that holds releases, and the index server, which is only asked where there is no listing."""

    root: str
    api: str = ""
    patience: Patience = Patience()  # noqa: RUF009 - it has no state

    @property
    def is_web(self) -> bool:
        return self.root.startswith(("http://", "https://"))

    def location(self, path: str) -> str:
        """The address of a file of the mirror, for `open_input`."""
        return f"{self.root.rstrip('/')}/{path}" if self.is_web else Storage(self.root).path(path)

    def read(self, path: str) -> bytes:
        """The bytes of a small file; UserError if it may not be read, FileNotFoundError if there is none."""
        return _read(self.location(path), self.patience)

    def releases(self) -> list[Release]:
        """The releases there are, newest first."""
        found = self._listed() if self.is_web else [Release(name) for name in self._folders()]
        return sorted(found, key=lambda release: release.id, reverse=True)

    def index_files(self, release: str) -> list[str]:
        """The addresses of a release's index, pages only; UserError if there is no such release."""
        found = self._from_paths(release) or self._from_folder(release)
        if not found:
            raise self._no_release(release)
        return found

    def _from_paths(self, release: str) -> list[str]:
        """The index files by the release's own list of paths."""
        try:
            packed = self.read(f"crawl-data/{release}/cc-index-table.paths.gz")
        except FileNotFoundError:
            return []
        lines = gzip.decompress(packed).decode("ascii", "replace").split()
        return [self.location(line) for line in sorted(lines) if "/subset=warc/" in line]

    def _from_folder(self, release: str) -> list[str]:
        """The index files by a listing of their folder, which stores and some web servers give."""
        folder = f"{TABLE}/crawl={release}/subset=warc"
        if not self.is_web:
            store = Storage(self.root)
            found = store.list(folder, ".parquet") or store.list(folder.removeprefix(f"{TABLE}/"), ".parquet")
            return [self.location(file) for file in found]
        try:
            page = self.read(f"{folder}/").decode("utf-8", "replace")
        except FileNotFoundError:
            return []
        names = sorted({match.rpartition("/")[2] for match in _PARTS.findall(page)})
        return [self.location(f"{folder}/{name}") for name in names]

    def _listed(self) -> list[Release]:
        """The releases that the index server lists, or the mirror itself."""
        for place in dict.fromkeys((self.api or self.root, self.root)):
            try:
                listed = json.loads(_read(f"{place.rstrip('/')}/collinfo.json", self.patience))
                return [_release(item) for item in listed]
            except FileNotFoundError:
                continue
            except (ValueError, KeyError, TypeError, AttributeError):
                raise UserError(
                    f"{place}/collinfo.json is no list of releases.",
                    "Check commoncrawl.api and commoncrawl.mirror in the settings.",
                ) from None
        raise UserError(
            f"{self.root} does not say which releases it has.", "Name one: --release CC-MAIN-2024-10."
        )

    def _folders(self) -> list[str]:
        """The releases that a store has: below its root, or in it if that is the index alone."""
        from pyarrow.fs import FileSelector, FileType

        found = []
        for place in (TABLE, ""):
            filesystem, inner = filesystem_of(Storage(self.root).path(place))
            try:
                found += filesystem.get_file_info(FileSelector(inner, allow_not_found=True))
            except OSError as error:
                raise denied(self.root, error) from None
        names = [info.base_name for info in found if info.type == FileType.Directory]
        return [name.removeprefix("crawl=") for name in names if name.startswith("crawl=")]

    def _no_release(self, release: str) -> UserError:
        try:
            known = [each.id for each in self.releases()]
        except UserError:
            known = []
        near = difflib.get_close_matches(release, known, n=3, cutoff=0.3) or known[:3]
        hint = f"Did you mean {' or '.join(near)}? " if near else ""
        return UserError(
            f"{self.root} has no index of a release {release!r}.",
            f"{hint}`corpulyzer commoncrawl list` names those there are.",
        )


def _read(location: str, patience: Patience) -> bytes:
    try:
        if location.startswith(("http://", "https://")):
            answer = patience(lambda: get(location, max_bytes=256 << 20))
            check(answer, location)
            return answer.body
        with open_input(location) as file:
            return bytes(file.read())
    except FileNotFoundError:
        raise
    except (ConnectionLostError, OSError) as error:
        raise denied(location, error) from None


def denied(location: str, error: OSError) -> UserError:
    """The error for a place that cannot be read, with what helps."""
    words = str(error).partition("\n")[0][:300]
    if "403" in words or "ACCESS_DENIED" in words.upper() or isinstance(error, PermissionError):
        hint = "Common Crawl's bucket wants AWS credentials; without any, use --mirror https://data.commoncrawl.org."
    elif is_remote(location):
        hint = (
            "Check the address and your connection, and run the same command again: it goes on where it was."
        )
    else:
        hint = "Check the folder, which must have Common Crawl's layout."
    return UserError(f"{location} cannot be read: {words}.", hint)


def _release(item: dict[str, Any]) -> Release:
    return Release(
        str(item["id"]), str(item.get("name", "")), str(item.get("from", "")), str(item.get("to", ""))
    )
