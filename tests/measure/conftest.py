"""One engine for all measures."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from corpulyzer.engine.local import LocalEngine


@pytest.fixture(scope="session")
def engine():
    with LocalEngine(workers=1) as engine:
        yield engine
