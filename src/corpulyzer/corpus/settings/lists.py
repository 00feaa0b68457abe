"""The lists of words and addresses that labels follow from: files of the user's, known by what they say."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError
from corpulyzer.page.label.content import ListFile, list_named
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    from corpulyzer.corpus.settings.config import Config

SUFFIX = ".txt"


def with_lists(config: Config, storage: Storage) -> Config:
    """The settings with the lists that the folder `label.content.lists` has; UserError where it has none."""
    if not config.label.content.lists:
        return config
    folder = lists_folder(config.label.content.lists, storage)
    files = folder.list("", SUFFIX)
    if not files:
        raise UserError(
            f"label.content.lists: {folder.root} has no lists.",
            "Put lists there, such as adult.xho.txt or spam.urls.txt, or leave the setting out.",
        )
    content = replace(config.label.content, files=tuple(_known(folder, file) for file in files))
    return replace(config, label=replace(config.label, content=content))


def without_lists(config: Config) -> Config:
    """The settings without what is known of lists, whose words are not for others to read."""
    return replace(config, label=replace(config.label, content=replace(config.label.content, files=())))


def lists_folder(named: str, storage: Storage) -> Storage:
    """The folder of the lists: beside the settings file, or anywhere if it is named in full."""
    return Storage(named if named.startswith("/") or "://" in named else storage.path(named))


def _known(folder: Storage, file: str) -> ListFile:
    return list_named(folder.path(file), hashlib.sha256(folder.read(file)).hexdigest()[:16])
