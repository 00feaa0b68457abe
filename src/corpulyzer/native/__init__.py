"""The compiled parts: which there are, whether they are here, and if not, why."""

from __future__ import annotations

from importlib import import_module

# As in setup.py, which cannot be asked once the package is installed; a test compares both with the C files.
PARTS = (
    "native._columns",
    "native._edges",
    "native._record",
    "native._scan",
    "native._content",
    "native._links",
    "native._walk",
    "native._score",
    "native._told",
)


def why_not() -> str:
    """Why compiled parts are missing, so that Python does their work; empty if all are here."""
    absent = []
    for part in PARTS:
        try:
            import_module(f"corpulyzer.{part}")
        except ModuleNotFoundError:
            absent.append(part)
        except ImportError as error:
            return str(error)
    if len(absent) == len(PARTS):
        return "no C compiler when it was installed"
    return f"without {', '.join(absent)}" if absent else ""


def build() -> str:
    """`compiled`, or what is lost and why, in words for people."""
    reason = why_not()
    return f"not compiled, about 4 times slower: {reason}" if reason else "compiled"
