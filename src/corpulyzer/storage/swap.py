"""Small objects that several processes or machines change, each only if nobody else did meanwhile.

On disk the comparison and the rename happen under a lock file; the system frees the lock of whoever is
killed. Object stores compare by themselves, when an object is put on condition.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage
from corpulyzer.storage.location import is_remote
from corpulyzer.storage.s3_objects import NoConditionsError, get, put_if

Change = Callable[[bytes | None], bytes]
TRIES = 50
"""So often an object is changed anew because others were quicker."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An object as it was when looked at: its bytes, and a mark that no other content has."""

    data: bytes
    mark: str


def look(storage: Storage, name: str) -> Seen | None:
    """The object as it is now; None if there is none."""
    if is_remote(storage.root):
        found = get(storage.path(name))
        return None if found is None else Seen(*found)
    try:
        data = Path(storage.path(name)).read_bytes()
    except FileNotFoundError:
        return None
    return Seen(data, hashlib.sha256(data).hexdigest())


def swap(storage: Storage, name: str, data: bytes, before: Seen | None) -> Seen | None:
    """Store an object if it still is as `before` (None: if there is none); None if somebody was quicker.

    Data must differ from all that the object ever was.
    """
    if is_remote(storage.root):
        mark = put_if(storage.path(name), data, before.mark if before else "")
        return Seen(data, mark) if mark else None
    with _alone(storage.path(name)):
        if look(storage, name) != before:
            return None
        storage.write(name, data)
        return Seen(data, hashlib.sha256(data).hexdigest())


def update(storage: Storage, name: str, change: Change) -> tuple[bytes | None, bytes]:
    """Replace an object by what `change` makes of it (None: there is none); return what it was and is now.

    If somebody else has changed it meanwhile, `change` is called again, with what they have made of it. Where
    nothing compares, whoever is last wins: on a disk, where commands that change a corpus have a lock, in a
    store without conditional puts, and without botocore.
    """
    if _compares(storage):
        with suppress(NoConditionsError):
            return _updated(storage, name, change)
    before = storage.read_if_there(name)
    after = change(before)
    storage.write(name, after)
    return before, after


def _updated(storage: Storage, name: str, change: Change) -> tuple[bytes | None, bytes]:
    for _ in range(TRIES):
        seen = look(storage, name)
        before = seen.data if seen else None
        if after := swap(storage, name, change(before), seen):
            return before, after.data
    raise UserError(
        f"Other commands change {name} again and again.",
        "Run commands that change one corpus one after the other.",
    )


def create(storage: Storage, name: str, data: bytes) -> bool:
    """Store an object if there is none; where nothing compares, in place of any."""
    if _compares(storage):
        with suppress(NoConditionsError):
            return not look(storage, name) and swap(storage, name, data, None) is not None
    storage.write(name, data)
    return True


def _compares(storage: Storage) -> bool:
    """Whether objects can be changed on condition, if the store has conditions."""
    return storage.root.startswith("s3://") and find_spec("botocore") is not None


def must_compare(storage: Storage, folder: str) -> None:
    """Guarantee that a store changes objects on condition only; UserError if not, or if it is away.

    It is tried with an object in this folder, which is gone afterwards.
    """
    name = f"{folder}/.compared-{uuid.uuid4().hex}"  # of its own: others may try it at the same time
    made = None
    try:
        made = swap(storage, name, _new(), None)
        last = made and swap(storage, name, _new(), made)
        is_heeded = not last or not any(swap(storage, name, _new(), before) for before in (made, None))
    except OSError as error:
        hint = "Check its name, AWS_ENDPOINT_URL, your keys and the network, and try again."
        raise UserError(f"Objects of the store cannot be changed on condition: {error}.", hint) from None
    finally:
        if made is not None:
            with suppress(OSError):
                storage.delete(name)
    if not is_heeded:
        raise UserError(
            "The object store puts objects whether or not their condition holds, so nobody can have a lease.",
            "Take a store with conditional puts (If-Match and If-None-Match), or a folder on a disk.",
        )


def _new() -> bytes:
    """Bytes that nobody has put anywhere."""
    return uuid.uuid4().hex.encode()


@contextmanager
def _alone(path: str) -> Iterator[None]:
    """Hold the lock of one object, in one thread of one process at a time."""
    folder, name = os.path.split(path)
    os.makedirs(folder, exist_ok=True)
    handle = os.open(os.path.join(folder, f".{name}.lock"), os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
