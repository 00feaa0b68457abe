"""The tree is the picture of the system: three layers, one direction."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "corpulyzer"
GROUND = {
    "record",
    "columns",
    "annotation",
    "language",
    "url",
    "changed",
    "joined",
    "scan",
    "text",
    "native",
    "warc",
    "storage",
    "errors",
    "callable_module",
    "fingerprint",
    "engine",
}
STAGES = {
    *(
        "seeds",
        "commoncrawl",
        "frontier",
        "fetch",
        "extract",
        "identify",
        "label",
        "filter",
        "dedup",
        "annotate",
    ),
    *("analyze", "export", "audit", "evaluate", "experiment", "concordance"),
}
# What measures or shows a stage may know it: an extractor is evaluated, a funnel follows the filters.
MEASURES = {"analyze", "evaluate", "experiment", "audit"}


def imports_of(file: Path) -> set[str]:
    """The parts of the package that a module imports, at its top or inside its functions."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = (
                [node.module] if node.module != "corpulyzer" else [f"corpulyzer.{a.name}" for a in node.names]
            )
        found |= {name.split(".")[1] for name in names if name.startswith("corpulyzer.")}
    return found


def part_of(file: Path) -> str:
    return file.relative_to(ROOT).parts[0].removesuffix(".py")


MODULES = sorted(file for file in ROOT.rglob("*.py"))


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_module_imports_only_what_is_below_it(file):
    part, imported = part_of(file), imports_of(file) - {part_of(file), "__version__"}
    if part in GROUND:
        assert imported <= GROUND, "the ground knows nothing but the ground"
    elif part in MEASURES:
        assert imported <= GROUND | STAGES, "a measure knows the ground and the stages"
    elif part in STAGES:
        assert imported <= GROUND, "a stage imports the ground, never another stage"


def test_the_layers_cover_the_tree():
    """A new folder must be given its layer here."""
    folders = {folder.name for folder in ROOT.iterdir() if (folder / "__init__.py").exists()}
    assert folders <= GROUND | STAGES | {
        "cli",
        "demo",
        "imports",
        "jobs",
        "page",
        "report",
        "serve",
        "upgrade",
    }
