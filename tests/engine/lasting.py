"""An engine that lasts from test to test: to start a worker costs a second of processor time."""

import os
import sys

from corpulyzer.corpus.folder import CorpusFolder
from corpulyzer.corpus.settings.tables import EngineTable
from corpulyzer.engine import Engine
from corpulyzer.engine.local import LocalEngine

_lasting: dict[tuple[object, ...], Engine] = {}


def engine_of(corpus: CorpusFolder) -> Engine:
    """An engine with the settings of a corpus: the last one, if a new one would be as it is.

    Workers keep the environment, the folder and the module paths of when they were started.
    """
    return _kept(corpus.config.engine, corpus.engine())


def one_worker() -> Engine:
    """An engine with one worker and the limits that are usual."""
    return _kept(EngineTable(workers=1), LocalEngine(workers=1))


def _kept(settings: EngineTable, new: Engine) -> Engine:
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    key = (settings, *environment.items(), os.getcwd(), *sys.path)
    if key not in _lasting:
        end_engine()
        _lasting[key] = new.__enter__()
    return _lasting[key]


def end_engine() -> None:
    """End the engine with its workers; whoever still has it may go on with it, and gets new ones."""
    while _lasting:
        _lasting.popitem()[1].close()
