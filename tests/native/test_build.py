"""The compiled parts are built where they can be, and where they are not it is said."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corpulyzer.native import PARTS, build, why_not
from corpulyzer.page.extract.compiled_walk import compiled_walk

ROOT = Path(__file__).parent.parent.parent
VERSION = "from corpulyzer.cli import main; import sys; sys.argv = ['corpulyzer', '--version']; main()"


def version(*before):
    """What `corpulyzer --version` prints after some statements."""
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([*before, VERSION])], capture_output=True, text=True, check=False
    )
    return done.stdout


@pytest.mark.skipif(not shutil.which(os.environ.get("CC", "cc")), reason="there is no C compiler")
def test_where_a_compiler_is_all_parts_are_compiled_and_used():
    assert why_not() == "", "run `pip install -e .` and read what the compiler says"
    assert compiled_walk() is not None, "the walk does not fit this version of selectolax"


def test_every_c_file_is_a_part():
    package = ROOT / "src" / "corpulyzer"
    files = [file.relative_to(package).with_suffix("") for file in package.rglob("*.c")]
    assert sorted(".".join(file.parts) for file in files) == sorted(PARTS)
    assert all(str(file) in (ROOT / "setup.py").read_text() for file in files)


def test_the_version_says_that_it_is_compiled_or_what_that_costs_and_why():
    assert version().strip().endswith(f", {build()}")
    absent = [f"sys.modules['corpulyzer.{part}'] = None" for part in PARTS]
    assert version("import sys", *absent).endswith(
        ", not compiled, about 4 times slower: no C compiler when it was installed\n"
    )
    assert version("import sys", absent[0]).endswith(
        ", not compiled, about 4 times slower: without native._columns\n"
    )


def test_a_part_that_cannot_be_loaded_is_told_in_the_loaders_words(tmp_path):
    """A library for another machine, say, or one that was cut short."""
    (tmp_path / "_scan.so").write_bytes(b"no library")
    path = f"import corpulyzer.native; corpulyzer.native.__path__.insert(0, {str(tmp_path)!r})"
    said = version(path, "")
    assert "not compiled" in said and "_scan.so" in said
