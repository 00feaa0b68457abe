"""Arrow without pandas: it imports pandas with its first array, where that is installed, to see if it is one.

That takes a third of a second, for what nothing of ours uses. If the import fails, Arrow goes on without, and
tries again only where somebody asks for a data frame: `to_pandas` works as ever.
"""

from __future__ import annotations

import sys
from functools import cache


class NoPandas:
    """Hides pandas from whoever imports it."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)


@cache
def without_pandas() -> None:
    """Let Arrow make its first array while pandas is hidden."""
    import pyarrow as pa

    hidden = NoPandas()
    sys.meta_path.insert(0, hidden)
    try:
        pa.array([""])
    finally:
        sys.meta_path.remove(hidden)
