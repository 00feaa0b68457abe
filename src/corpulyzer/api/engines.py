"""Which engine a verb runs on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine


@contextmanager
def on(corpus: CorpusFolder, engine: Engine | None) -> Iterator[Engine]:
    """The engine that was given, or one of the corpus' own for as long as it is needed."""
    if engine is not None:
        yield engine
    else:
        with corpus.engine() as own:
            yield own
