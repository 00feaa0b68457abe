"""The process that runs the steps of a corpus: `python -m corpulyzer.serve.work.runner FOLDER`.

It holds the lock of the work while it runs, passes a wish to stop on to its step, and writes down how each
step ended, so that an explorer which is started later can tell.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.control import wish
from corpulyzer.serve.work.steps import OUTPUT, STOP, STOPPED_EARLY, State, Step, read, write
from corpulyzer.storage import Storage
from corpulyzer.storage.lock import working

POLL_SECONDS = 0.2
MOST_SAID = 2_000


def run(storage: Storage) -> None:
    """Run the steps that wait, one after another; one that fails does not keep the next from its turn."""
    with working(storage, "work"):
        steps = read(storage)
        for place, step in enumerate(steps):
            if storage.exists(STOP):
                steps[place] = replace(step, state="stopped")
            else:
                steps[place] = replace(step, state="running")
                write(storage, steps)
                steps[place] = _ran(storage, step)
            write(storage, steps)


def _ran(storage: Storage, step: Step) -> Step:
    """The step after its command has ended."""
    command = [sys.executable, "-m", "corpulyzer", *step.command, "--project", storage.root]
    path = Path(storage.path(OUTPUT))
    with path.open("ab") as output:
        start = output.tell()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        is_asked = False
        while child.poll() is None:
            if storage.exists(STOP):
                _ask_to_stop(storage, step, child, is_asked)
                is_asked = True
            time.sleep(POLL_SECONDS)
    if is_asked and child.returncode:
        return replace(step, state="stopped")  # whatever it said and whichever code it ended with
    said = path.read_bytes()[start:].decode("utf-8", "replace").strip()
    return replace(step, state=_state(child.returncode), said=said[-MOST_SAID:])


def _ask_to_stop(storage: Storage, step: Step, child: subprocess.Popen[bytes], again: bool) -> None:
    """Let a crawl end its round, again and again until it listens; interrupt any other command once."""
    if step.verb == "crawl":
        wish(storage, "stop")
    elif not again:
        child.send_signal(signal.SIGINT)


def _state(code: int) -> State:
    if code == STOPPED_EARLY:
        return "stopped"
    if code < 0:
        return "cut off"
    return "failed" if code else "done"


def main() -> None:
    # A process that was started in the background may ignore it, and would hand that on to its commands.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        run(Storage(sys.argv[1]))
    except UserError as error:
        sys.exit(f"Error: {error.message} {error.hint}")


if __name__ == "__main__":
    main()
