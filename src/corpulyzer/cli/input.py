"""Input that a person names at the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from corpulyzer.errors import UserError


def local_path(text: str) -> Path:
    """A path on this machine; UserError for a URI, which `Path` would take for a folder named `s3:`."""
    from corpulyzer.storage import is_remote

    if is_remote(text):
        raise UserError(f"{text} is not on this machine.", "Name a file or folder here.")
    return Path(text)


def read_input(file: str) -> bytes:
    """The bytes of a file, or of standard input for `-`."""
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise UserError(
            f"{file} cannot be read: {error.strerror}.", "Name a file, or - for standard input."
        ) from None


def read_text(file: str) -> str:
    """The text of a file, or of standard input for `-`."""
    return read_input(file).decode("utf-8", "replace")
