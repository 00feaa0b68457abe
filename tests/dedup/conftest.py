"""Corpora made for these tests, importable by the processes that engines start."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))


@pytest.fixture(scope="session")
def engine():
    from corpulyzer.engine.local import LocalEngine

    with LocalEngine(workers=2) as engine:
        yield engine
