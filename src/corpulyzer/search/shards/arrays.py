"""A file of arrays, which is memory-mapped: what is not asked for is not read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC = b"arrays1\n"
_ALIGNED = 8


def write(path: Path, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    """Write arrays to a file, down to the disk."""
    contents: dict[str, tuple[str, int, int]] = {}
    with open(path, "wb") as file:
        file.write(MAGIC)
        for key, array in arrays.items():
            file.write(bytes(-file.tell() % _ALIGNED))
            contents[key] = (array.dtype.str, file.tell(), len(array))
            array.tofile(file)
        index = json.dumps(contents).encode()
        file.write(index + len(index).to_bytes(8, "little"))
        file.flush()
        os.fsync(file.fileno())


def read(path: Path) -> dict[str, NDArray[np.generic]]:
    """The arrays of a file; OSError if it is not there, ValueError if it is damaged."""
    import numpy as np

    contents = contents_of(path)
    mapped = np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)
    return {
        key: mapped[offset : offset + length * np.dtype(kind).itemsize].view(np.dtype(kind))
        for key, (kind, offset, length) in contents.items()
    }


def contents_of(path: Path) -> dict[str, tuple[str, int, int]]:
    """The kind, place and length of each array; errors as in `read`. It is written last, at the end."""
    with open(path, "rb") as file:
        begin, size = file.read(len(MAGIC)), file.seek(0, os.SEEK_END)
        if begin != MAGIC or size < len(MAGIC) + 8:
            raise ValueError(f"{path} is no file of arrays.")
        file.seek(size - 8)
        length = int.from_bytes(file.read(8), "little")
        if length > size - len(MAGIC) - 8:
            raise ValueError(f"{path} is damaged.")
        file.seek(size - 8 - length)
        contents: dict[str, tuple[str, int, int]] = json.loads(file.read(length))
        return contents
