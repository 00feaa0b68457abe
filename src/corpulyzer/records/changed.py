"""`changed(record, name=value)`: a copy of a record with some fields changed, as `dataclasses.replace` gives.

Six stages copy every page, so it is compiled where possible, which takes a twentieth of the time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["changed"]

if TYPE_CHECKING:
    from dataclasses import replace as changed
else:
    try:
        changed = import_module("corpulyzer.native._record").changed
    except ImportError:
        from dataclasses import replace as changed
