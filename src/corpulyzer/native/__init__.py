"""The compiled part: the module, or None where it is not here, and why not."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def _loaded() -> tuple[Any, str]:
    """The module and no reason, or None and the reason, in words for people."""
    try:
        return import_module("corpulyzer.native._compiled"), ""
    except ModuleNotFoundError:
        return None, "no C compiler when it was installed"
    except ImportError as error:  # of another machine, or cut short: in the loader's words
        return None, str(error)


compiled, WHY_NOT = _loaded()


def build() -> str:
    """`compiled`, or what is lost and why."""
    return f"not compiled, about 4 times slower: {WHY_NOT}" if WHY_NOT else "compiled"
