"""What is compiled says what its Python twin says: of real pages, and of pages that nobody wrote."""

from pathlib import Path

import pytest
from mutants import mutant
from twins import TWINS, real_pages

from corpulyzer import native

pytestmark = pytest.mark.skipif(native.compiled is None, reason="it was not compiled here")
COMPARED = [pytest.param(same, id=same.__name__) for twins in TWINS.values() for same in twins]


@pytest.fixture(scope="module")
def pages():
    found = real_pages()
    assert len(found) > 200
    return found


def test_every_c_file_is_compared_with_its_twin():
    files = Path(native.__file__).parent.glob("*.c")
    assert {file.stem.strip("_") for file in files} == {*TWINS, "compiled"}


@pytest.mark.parametrize("same", COMPARED)
def test_both_say_the_same_of_real_pages(same, pages):
    for page in pages[::8]:
        same(page)


@pytest.mark.parametrize("same", COMPARED)
def test_both_say_the_same_of_pages_that_nobody_wrote(same, pages):
    for number in range(25):
        same(mutant(pages, f"quick {number}"))
