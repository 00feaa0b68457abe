"""The script that draws figures in a browser, kept in the corpus: to put it together takes two seconds."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpulyzer.storage import Storage


def bundle() -> str:
    """Vega-Lite, Vega and what shows them in a page, as one script."""
    import vl_convert

    # Without a snippet it is the whole bundle, which the stub does not know.
    return str(vl_convert.javascript_bundle())  # type: ignore[call-arg]


def kept_bundle(storage: Storage) -> str:
    """The same, from the corpus if it was put together there by the version that is installed."""
    from importlib.metadata import version

    file = f"parts/figures-{version('vl-convert-python')}.js"
    if storage.exists(file):
        return storage.read(file).decode("utf-8")
    made = bundle()
    for older in storage.list("parts", ".js"):
        storage.delete(older)
    with suppress(OSError):  # a folder that may only be read
        storage.write(file, made.encode())
    return made
