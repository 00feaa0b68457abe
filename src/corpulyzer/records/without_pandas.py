"""Arrow without pandas: it imports pandas with its first array, where that is installed, to see if it is one.

That takes a third of a second, for what nothing of ours uses. If the import fails, Arrow goes on without. Who
imports pandas later, has Arrow look again: for `pa.array`, a series is then one as ever.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

PANDAS = "pandas"


class NoPandas:
    """Hides pandas from whoever imports it."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        if name == PANDAS:
            raise ModuleNotFoundError(name)


class PandasForArrow:
    """Has Arrow look for pandas again when somebody imports it."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        if name != PANDAS or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(PANDAS)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_tell(module: ModuleType) -> None:
                import pyarrow as pa

                load(module)
                pa.array([]).to_pandas()  # what needs pandas makes Arrow try again

            spec.loader.exec_module = load_and_tell  # type: ignore[method-assign]
        return spec


@cache
def without_pandas() -> None:
    """Let Arrow make its first array while pandas is hidden, unless it is there already."""
    import pyarrow as pa

    if PANDAS in sys.modules:
        return
    hidden = NoPandas()
    sys.meta_path.insert(0, hidden)
    try:
        pa.array([""])
    finally:
        sys.meta_path.remove(hidden)
    sys.meta_path.insert(0, PandasForArrow())
