"""A web of made-up hosts, and a crawl of it."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from small_crawl import Web, crawler


@pytest.fixture
def web():
    with Web().serving() as server:
        yield server


@pytest.fixture
def crawl(web, tmp_path):
    return crawler(web, tmp_path / "c")
