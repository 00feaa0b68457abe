"""A small release of Common Crawl, made by us in the real layout."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "seeds", HERE.parent / "engine"):
    sys.path.append(str(folder))


@pytest.fixture(scope="session")
def mirror_folder(tmp_path_factory):
    """A folder with two releases, to be read where it is or to be served."""
    from small_release import write_release

    folder = tmp_path_factory.mktemp("mirror")
    write_release(folder, "CC-MAIN-2024-10", pages=60)
    write_release(folder, "CC-MAIN-2023-50", pages=40)
    return folder
