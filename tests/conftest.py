"""What tests share: where the shared data is, and corpora made once."""

import tarfile
from pathlib import Path

import pytest

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data(tmp_path_factory):
    """A function from the name of a shared data file or archive to its path, unpacked; skips where it is absent."""
    folder = tmp_path_factory.mktemp("shared")

    def get(name: str) -> Path:
        source = SHARED / name
        if not source.exists():
            pytest.skip(f"the shared data {name} is not here")
        if not name.endswith(".tar.gz"):
            return source
        target = folder / Path(name).name.removesuffix(".tar.gz")
        if not target.exists():
            with tarfile.open(source) as archive:
                archive.extractall(folder, filter="data")
        return target

    return get
