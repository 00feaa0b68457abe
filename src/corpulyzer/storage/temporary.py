"""Temporary names, which say whose they are, so that what killed processes left is found and removed."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

from corpulyzer.storage.location import filesystem_of

ENDING = ".tmp"
OUTSIDE = "corpulyzer-"
"""How the names of temporary files and folders begin that are in no corpus."""
LONGEST_NAME = 150
FEW = 64
"""So often a folder is looked through before a file is written; then whenever their number has doubled."""
_WRITTEN: Counter[str] = Counter()


def temporary_name(name: str) -> str:
    """A hidden name for a file that is being written, in the folder where `name` will appear."""
    return f"{_start(name)}{_owner()}"


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder outside of every corpus, deleted when it is closed; those of killed processes go now."""
    sweep(tempfile.gettempdir(), OUTSIDE)
    return tempfile.TemporaryDirectory(prefix=OUTSIDE, suffix=_owner())


def temporary_file() -> str:
    """The path of a new file outside of every corpus."""
    handle, path = tempfile.mkstemp(prefix=OUTSIDE, suffix=_owner())
    os.close(handle)
    return path


def sweep_for(folder: str, name: str) -> None:
    """Remove what killed processes of this machine left of a file, before it is written.

    In a folder where this process has written many files that is seldom looked for, and then for all of them:
    each time would take as long as there are files, and a table may have a hundred thousand.
    """
    _WRITTEN[folder] += 1
    times = _WRITTEN[folder]
    if times <= FEW:
        sweep(folder, _start(name))
    elif not times & (times - 1):
        sweep(folder, ".")


def sweep(folder: str, start: str) -> None:
    """Remove what killed processes of this machine left in a folder under names that begin with `start`."""
    for entry in os.listdir(folder):
        if entry.startswith(start) and is_left_behind(entry):
            path = Path(folder, entry)
            with suppress(OSError):  # another user's, or another process was quicker
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink()


def sweep_all(root: str) -> None:
    """Remove every temporary file below a folder or prefix that no living process of this machine writes.

    For those who hold the lock of the folder: no other machine changes it meanwhile. Of what lies outside,
    only this machine's is within reach.
    """
    from pyarrow.fs import FileSelector, FileType

    sweep(tempfile.gettempdir(), OUTSIDE)
    filesystem, inner = filesystem_of(root)
    for info in filesystem.get_file_info(FileSelector(inner, recursive=True, allow_not_found=True)):
        hidden = info.base_name.startswith(".") and info.base_name.endswith(ENDING)
        if info.type == FileType.File and hidden and not _is_alive(info.base_name):
            filesystem.delete_file(info.path)


def is_left_behind(name: str) -> bool:
    """Whether a temporary name is one of this machine, of a process that has ended."""
    return name.endswith(ENDING) and _machine(name) and not _is_alive(name)


def _start(name: str) -> str:
    """How the temporary names of a file begin: hidden, and short enough whatever the name."""
    return f".{name if len(name.encode()) <= LONGEST_NAME else hashlib.sha256(name.encode()).hexdigest()}"


def _owner() -> str:
    return f".{os.uname().nodename}.{os.getpid()}{ENDING}"


def _machine(name: str) -> bool:
    """Whether a temporary name is one of this machine."""
    return name.removesuffix(ENDING).rpartition(".")[0].endswith(f".{os.uname().nodename}")


def _is_alive(name: str) -> bool:
    """Whether the process that a temporary name tells runs on this machine."""
    process = name.removesuffix(ENDING).rpartition(".")[2]
    return _machine(name) and process.isdigit() and os.path.exists(f"/proc/{process}")
