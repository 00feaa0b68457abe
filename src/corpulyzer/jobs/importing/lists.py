"""Archives that a list names, such as Common Crawl's `warc.paths.gz`: one path or URI a line.

Files on this machine are looked at like any other. Objects of a store are taken as they are named: a release
has a hundred thousand, and whoever reads them first learns which of them are not there.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from corpulyzer.errors import UserError
from corpulyzer.jobs.importing.files import NO_FILE, Found, Given, local_file, pieces_of, without_query
from corpulyzer.storage import is_remote, normalize
from corpulyzer.storage.location import split
from corpulyzer.warc.scan import BrokenRecordError

RELEASES = "crawl-data/"
"""What the paths in a list of Common Crawl begin with."""
COMMON_CRAWL = "s3://commoncrawl"


def listed(lists: Sequence[str], below: str = "") -> list[Given]:
    """The archives of lists, each list on its own.

    What is no full path or URI is below the prefix `below`; without one, below Common Crawl's bucket if it
    looks like one of theirs, and otherwise below the folder of the list.
    """
    found = []
    for place in map(normalize, lists):
        names = list(dict.fromkeys(filter(None, map(str.strip, _text(place).split("\n")))))
        if not names:
            raise UserError(
                f"The list {place} is empty.", "It should have the path of an archive in each line."
            )
        found.append(Given("", tuple(_named(name, place, below) for name in names)))
    return found


def _text(place: str) -> str:
    hint = "Give a text file with the path of an archive in each line, packed with gzip or not."
    try:
        return b"".join(pieces_of(place, [0])).decode("utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"There is no list {place}.", hint) from None
    except (UnicodeDecodeError, BrokenRecordError, OSError) as error:
        raise UserError(f"{place} cannot be read as a list: {error}.", hint) from None


def _named(name: str, place: str, below: str) -> Found:
    path = _full(name, place, below)
    if is_remote(path):
        return Found(path, 0 if _is_uri(path) else NO_FILE, 0, name, unseen=_is_uri(path))
    return local_file(normalize(path), os.path.basename(path))


def _is_uri(path: str) -> bool:
    """Whether there may be an object of that name: a store is named, and a place in it."""
    try:
        parts = split(path)
    except ValueError:
        return False
    return bool(parts.netloc and parts.path.strip("/")) and "\0" not in path


def _full(name: str, place: str, below: str) -> str:
    if is_remote(name) or name.startswith(("/", "file://")):
        return name
    if not below and name.startswith(RELEASES):
        below = COMMON_CRAWL
    base, mark, query = without_query(below or place)
    folder = base if below else os.path.dirname(base)
    return f"{folder.rstrip('/')}/{name}{mark}{query}"
