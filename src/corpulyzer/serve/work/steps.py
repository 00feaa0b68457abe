"""The commands that were asked for, what became of each, and the process that runs them.

`logs/work.json` has the steps. Whoever runs them holds the lock `logs/work.lock`, so that a step which runs
in the file while nobody holds the lock was cut off, and can be gone on with.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage, is_remote
from corpulyzer.storage.lock import WORK, HeldError, editing, holder

State = Literal["waiting", "running", "done", "stopped", "failed", "cut off"]
RECORD, OUTPUT, STOP = "logs/work.json", "logs/work.txt", "logs/work.stop"
STARTING_SECONDS = 60.0
POLL_SECONDS = 0.05
STOPPED_EARLY = 3
"""The code with which a command ends that was asked to stop, and goes on when it is run again."""


@dataclass(frozen=True, slots=True)
class Step:
    """A command without its `--project`, what became of it, and the last that it said."""

    command: tuple[str, ...]
    state: State = "waiting"
    said: str = ""

    @property
    def verb(self) -> str:
        return self.command[0]

    def shown(self, root: str) -> str:
        """The command as a person would type it."""
        return shlex.join(("corpulyzer", *self.command, "--project", root))


def read(storage: Storage) -> list[Step]:
    """The steps of the last work, as they are now."""
    found = [] if is_remote(storage.root) else _noted(storage)
    if not any(step.state in ("waiting", "running") for step in found) or is_running(storage):
        return found
    # Read once more: a process that ends writes them before it gives the lock back.
    return [
        replace(step, state="cut off") if step.state in ("waiting", "running") else step
        for step in _noted(storage)
    ]


def write(storage: Storage, steps: Sequence[Step]) -> None:
    """Note the steps."""
    storage.write(RECORD, json.dumps([asdict(step) for step in steps], ensure_ascii=False).encode())


def is_running(storage: Storage) -> bool:
    """Whether a process runs the steps."""
    return holder(storage, WORK) is not None


def must_be_free(storage: Storage) -> None:
    """HeldError if a process runs the steps: for those who would write what it may be reading."""
    if is_running(storage):
        raise HeldError("Other work on this corpus is under way.", "Wait for its end, or stop it.")


def begin(storage: Storage, commands: Sequence[Sequence[str]]) -> None:
    """Run commands one after another in a process that goes on when this one ends.

    Of two who begin at the same time one waits, and is then refused.
    """
    if is_remote(storage.root):
        raise UserError(
            f"{storage.root} cannot be worked on from here.", "Run the command that is shown in a terminal."
        )
    with editing(storage, "work"):
        must_be_free(storage)
        _start(storage, commands)


def _start(storage: Storage, commands: Sequence[Sequence[str]]) -> None:
    write(storage, [Step(tuple(command)) for command in commands])
    storage.delete(STOP)
    runner = [sys.executable, "-m", "corpulyzer.serve.work.runner", str(Path(storage.root).resolve())]
    with Path(storage.path(OUTPUT)).open("wb") as output:
        process = subprocess.Popen(
            runner, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )
    _wait_for_start(storage, process)


def go_on(storage: Storage) -> None:
    """Run again the steps that were stopped, failed or were cut off, and those after them."""
    left = [step.command for step in read(storage) if step.state != "done"]
    if not left:
        raise UserError("There is nothing to go on with.", "")
    begin(storage, left)


def stop(storage: Storage) -> None:
    """Ask the process to stop its step, and not to begin those that wait."""
    storage.write(STOP, b"stop")


def _wait_for_start(storage: Storage, process: subprocess.Popen[bytes]) -> None:
    """Return when the process has taken up the work; UserError with its words if it cannot."""
    end = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < end and process.poll() is None and not is_running(storage):
        time.sleep(POLL_SECONDS)
    if process.poll():
        said = Path(storage.path(OUTPUT)).read_text("utf-8", "replace").strip().splitlines()
        raise UserError(" ".join(said[-2:]) or "The work ended at once.", "")


def _noted(storage: Storage) -> list[Step]:
    try:
        noted = json.loads(Path(storage.path(RECORD)).read_bytes())
        return [Step(tuple(each["command"]), each["state"], each["said"]) for each in noted]
    except (OSError, ValueError, KeyError, TypeError):
        return []
