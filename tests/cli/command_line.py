"""The command line within the test's own process, which saves the second that a new one takes to start."""

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from corpulyzer.cli import main


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object, code: int = 0, **environment: str) -> Done:
    """Run a command with these variables added to the environment; fail if it ends with another code."""
    done = attempt(*arguments, **environment)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def attempt(*arguments: object, stdin: str = "", cwd: Path | str = ".", **environment: str) -> Done:
    """Run a command in a folder, with something to read, and tell how it ended."""
    out, err = io.StringIO(), io.StringIO()
    before, argv, read = dict(os.environ), sys.argv, sys.stdin
    os.environ.update(environment)
    sys.argv = ["corpulyzer", *map(str, arguments)]
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
    returned = 0
    try:
        with contextlib.chdir(cwd), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as ended:
        returned = int(ended.code or 0)
    finally:
        sys.argv, sys.stdin = argv, read
        os.environ.clear()
        os.environ.update(before)
    return Done(returned, out.getvalue(), err.getvalue())
