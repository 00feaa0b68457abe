"""What is imported is declared, and what is optional and not there is named with the way to get it."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.metadata import packages_distributions
from pathlib import Path

import pyarrow as pa
import pytest
import regex

import corpulyzer
from corpulyzer.annotate.neural import Spacy, Stanza
from corpulyzer.annotate.udpipe import UDPipe
from corpulyzer.api.corpus import create
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.errors import UserError
from corpulyzer.lab.evaluate.peers import peer
from corpulyzer.measure.result import Result
from corpulyzer.page.identify.fasttext import FastText
from corpulyzer.web.fetch.render import ready
from corpulyzer.web.fetch.settings import FetchSettings

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# Used where they are installed; a message names the package, or the tool that trains a model.
NAMED = {"langdetect", "lingua", "py3langid", "wordfreq"}
# Not imported: Spark asks for pandas, messages point to the command of warcio.
ASKED_FOR = {"pandas", "warcio"}
EXTRAS = ("annotate", "fasttext", "render", "report", "s3", "spark")


def names_of(requirements):
    return [regex.sub(r"[-_.]+", "-", regex.match(r"[\w.-]+", each)[0]).lower() for each in requirements]


CORE = names_of(PROJECT["dependencies"])
OPTIONAL = [name for extra in EXTRAS for name in names_of(PROJECT["optional-dependencies"][extra])]


def imported():
    """The modules of others that the package imports anywhere."""
    found = set()
    for file in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names - {"corpulyzer"} - NAMED


def test_what_is_imported_is_declared_and_what_is_declared_is_imported():
    homes = packages_distributions()
    used = {name for module in imported() for name in names_of(homes.get(module, [module]))}
    assert used == {*CORE, *OPTIONAL} - ASKED_FOR


def test_no_dependency_is_declared_twice():
    assert max(Counter([*CORE, *OPTIONAL]).values()) == 1


@pytest.mark.smoke
def test_every_floor_is_printed_as_a_requirement():
    command = [sys.executable, ROOT / "tools" / "lowest.py", *EXTRAS]
    lines = subprocess.check_output(command, text=True).splitlines()
    assert names_of(lines) == [*CORE, *OPTIONAL]
    assert all(regex.fullmatch(r"[\w.-]+==[\d.]+", line) for line in lines)


def result():
    return Result("a", "A", "", "", pa.table({"a": [1]}), spec={"mark": "bar"})


def fasttext(folder):
    (folder / "model.bin").touch()
    return FastText(str(folder / "model.bin"))(["text of some length"])


def udpipe(folder):
    (folder / "model.udpipe").touch()
    UDPipe(str(folder / "model.udpipe"), "slv").load()


WITHOUT = [
    ("polars", "'corpulyzer[report]'", lambda folder: result().table),
    ("polars", "'corpulyzer[report]'", lambda folder: create("urd", folder / "c").documents.polars()),
    ("altair", "'corpulyzer[report]'", lambda folder: result().figure()),
    ("pyspark", "'corpulyzer[spark]'", lambda folder: SparkEngine().spark),
    ("pandas", "'corpulyzer[spark]'", lambda folder: SparkEngine().spark),
    (
        "playwright",
        "'corpulyzer[render]'",
        lambda folder: ready.must_be_there(FetchSettings(render="needed")),
    ),
    ("fasttext", "'corpulyzer[fasttext]'", fasttext),
    ("ufal.udpipe", "'corpulyzer[annotate]'", udpipe),
    ("stanza", "stanza", lambda folder: Stanza("stanza", str(folder), "slv").load()),
    ("classla", "classla", lambda folder: Stanza("classla", str(folder), "slv").load()),
    ("spacy", "spacy", lambda folder: Spacy(str(folder)).load()),
    ("lingua", "lingua", lambda folder: peer("lingua")),
    ("trafilatura", "trafilatura", lambda folder: corpulyzer.extract(b"<p>a</p>", extractor="trafilatura")),
]


@pytest.mark.parametrize(
    "module, wanted, act", WITHOUT, ids=[f"{n} {each[0]}" for n, each in enumerate(WITHOUT)]
)
def test_an_optional_package_that_is_not_there_is_named_with_the_way_to_get_it(
    module, wanted, act, monkeypatch, tmp_path
):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UserError) as error:
        act(tmp_path)
    assert module in error.value.message.lower() and f"pip install {wanted}" in error.value.hint


def test_what_was_skipped_is_listed_by_its_reason_at_the_end(tmp_path):
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    skipping = "import pytest\n@pytest.mark.parametrize('n', [1, 2])\ndef test_a(n): pytest.skip('there is no Java')\n"
    (tmp_path / "test_skipping.py").write_text(skipping)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, tmp_path]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "not tested" in said and "    2  there is no Java\n" in said
