"""Modules that can be called: `corpulyzer.extract(html)` beside `from corpulyzer.extract import Extract`.

Python binds a submodule to its package under its name, over any function of that name; so where a verb is
the name of both, the module itself answers the call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


def make_callable(module: str, function: Callable[..., Any]) -> None:
    """Let a call of the imported `module` be a call of `function`, signature and docstring included."""

    class CallableModule(ModuleType):
        __call__ = staticmethod(function)
        __doc__ = function.__doc__

    sys.modules[module].__class__ = CallableModule
