"""Print, as requirements for pip, the lowest version that pyproject.toml allows of each direct dependency.

python tools/lowest.py EXTRA… > lowest.txt    (those of the core, and of the extras named)
"""

import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def lowest(extras: Sequence[str]) -> Iterator[str]:
    """`name==floor` for each dependency; ValueError for one that has no floor."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]
    for requirement in [*project["dependencies"], *(each for extra in extras for each in optional[extra])]:
        name, floored, versions = requirement.partition(">=")
        if not floored:
            raise ValueError(f"{requirement} has no floor")
        yield f"{name}=={versions.partition(',')[0]}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lowest(sys.argv[1:]))
