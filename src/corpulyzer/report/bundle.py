"""The script that draws figures in a browser, kept for the user: to put it together takes two seconds."""

from __future__ import annotations

from contextlib import suppress

from corpulyzer.storage import Storage
from corpulyzer.storage.location import user_cache


def bundle() -> str:
    """Vega-Lite, Vega and what shows them in a page, as one script."""
    import vl_convert

    # Without a snippet it is the whole bundle, which the stub does not know.
    return str(vl_convert.javascript_bundle())  # type: ignore[call-arg]


def kept_bundle() -> str:
    """The same, from the user's cache folder if it was put together there by the version that is installed.

    Not from a corpus: whoever makes a report of another's corpus would take over a script of theirs.
    """
    from importlib.metadata import version

    cache, file = Storage(user_cache()), f"figures-{version('vl-convert-python')}.js"
    with suppress(OSError, ValueError):
        return cache.read(file).decode("utf-8")
    made = bundle()
    with suppress(OSError):  # a folder that may only be read
        cache.write(file, made.encode())
    return made
