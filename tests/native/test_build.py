"""What is compiled is built where it can be, and where it is not it is said."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import corpulyzer
from corpulyzer.native import WHY_NOT, build
from corpulyzer.page.extract.compiled_walk import compiled_walk

PACKAGE = Path(corpulyzer.__file__).parent


def version(folder):
    """What `corpulyzer --version` of the package in a folder prints."""
    return subprocess.run(
        [sys.executable, "-m", "corpulyzer", "--version"],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def package_with(folder, **libraries):
    """The package with other libraries than were built, in a folder."""
    made = folder / "corpulyzer"
    made.mkdir()
    for each in PACKAGE.iterdir():
        if each.name != "native":
            (made / each.name).symlink_to(each)
    shutil.copytree(PACKAGE / "native", made / "native", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for name, content in libraries.items():
        (made / "native" / f"{name}.so").write_bytes(content)
    return folder


@pytest.mark.skipif(not shutil.which(os.environ.get("CC", "cc")), reason="there is no C compiler")
def test_where_a_compiler_is_it_is_compiled_and_used():
    assert WHY_NOT == "", "run `pip install -e .` and read what the compiler says"
    assert compiled_walk() is not None, "the walk does not fit this version of selectolax"


def test_every_c_file_adds_its_part_to_the_module():
    files = {file.stem.strip("_") for file in PACKAGE.rglob("*.c")} - {"compiled"}
    listed = (PACKAGE / "native" / "_compiled.h").read_text()
    assert len(files) == 14 and all(f"PART({name})" in listed for name in files)


def test_the_version_says_that_it_is_compiled():
    assert version(PACKAGE.parent).strip().endswith(f", {build()}")


def test_the_version_says_what_it_costs_that_nothing_is_compiled(tmp_path):
    assert version(package_with(tmp_path)).endswith(
        ", not compiled, about 4 times slower: no C compiler when it was installed\n"
    )


def test_a_library_that_cannot_be_loaded_is_told_in_the_loaders_words(tmp_path):
    """One for another machine, say, or one that was cut short."""
    said = version(package_with(tmp_path, _compiled=b"no library"))
    assert "not compiled" in said and "_compiled.so" in said
