"""The command line within the test's own process, which saves the second that a new one takes to start."""

import contextlib
import io
import os
import sys
from dataclasses import dataclass

from corpulyzer.cli import main


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str, code: int = 0, **environment: str) -> Done:
    """Run a command with these variables added to the environment; fail if it ends with another code."""
    out, err = io.StringIO(), io.StringIO()
    before, argv = dict(os.environ), sys.argv
    os.environ.update(environment)
    sys.argv = ["corpulyzer", *map(str, arguments)]
    returned = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as ended:
        returned = int(ended.code or 0)
    finally:
        sys.argv = argv
        os.environ.clear()
        os.environ.update(before)
    assert returned == code, out.getvalue() + err.getvalue()
    return Done(returned, out.getvalue(), err.getvalue())
