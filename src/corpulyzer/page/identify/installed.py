"""Where models of one's own are kept: in a corpus folder, or for the user, in the data folder of XDG."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpulyzer.page.identify.table import Table

SUFFIX = ".table"


def user_folder() -> Path:
    """The user's own models, for every corpus."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "corpulyzer" / "models"


def corpus_folder(corpus: str | Path) -> Path:
    """The models of one corpus."""
    return Path(corpus) / "models"


def install(table: Table, folder: Path) -> Path:
    """Keep a model in a folder, in the place of an older one of the same language and script.

    The name has a digest of the weights, so that documents which an older model judged are judged again.
    """
    from corpulyzer.page.identify.table import save

    label = table.labels[0]
    digest = hashlib.sha256(table.weights.tobytes()).hexdigest()[:8]
    file = folder / f"{label}.{digest}{SUFFIX}"
    save(table, file)
    for older in folder.glob(f"{label}.*{SUFFIX}"):
        if older != file:
            older.unlink()
    return file


def installed(corpus: str | Path | None = None) -> tuple[str, ...]:
    """The files of all models of one's own; a corpus' model of a language comes before the user's."""
    found: dict[str, str] = {}
    folders = [user_folder()] if corpus is None else [user_folder(), corpus_folder(corpus)]
    for folder in folders:
        for file in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
            found[file.name.split(".")[0]] = str(file)
    return tuple(sorted(found.values()))
