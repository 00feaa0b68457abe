"""The tree is the picture of the system: rooms in layers, and imports in one direction.

Every import counts, inside functions and for type checkers too. `docs/explanation/architecture.md` has the picture.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "corpulyzer"
ROOT_MODULES = {"__init__", "__main__", "errors", "url", "language"}

GROUND = (
    *("errors", "url", "language", "interface", "records", "text", "native", "storage", "warc", "engine"),
    "plugins",
)
STAGES = (
    *("web.seeds", "web.frontier", "web.fetch", "web.commoncrawl"),
    *("page.extract", "page.identify", "page.label", "page.filter"),
    *("dedup", "annotate", "search", "audit", "export"),
)
PAGE = ("page",)
"""What makes one way of the stages of a page; its rooms are stages, and know nothing of it."""
WEB = ("web",)
"""A house of rooms, with no module of its own."""
PUBLIC = ""
"""The names of the package itself, which look up what they stand for: for its users, and for faces."""
MEASURES = ("measure",)
CORPUS = ("corpus",)
JOBS = ("jobs",)
REPORT = ("report",)
LAB = ("lab",)

BELOW_MEASURES = (*GROUND, *STAGES, *PAGE)
BELOW_JOBS = (*BELOW_MEASURES, *MEASURES, *CORPUS)
BELOW_FACES = (*BELOW_JOBS, *JOBS, *REPORT)
MAY_IMPORT = {
    **dict.fromkeys(GROUND, GROUND),
    **dict.fromkeys(WEB, ()),
    **dict.fromkeys(STAGES, GROUND),
    **dict.fromkeys(PAGE, (*GROUND, *(stage for stage in STAGES if stage.startswith("page.")))),
    **dict.fromkeys(MEASURES, BELOW_MEASURES),
    **dict.fromkeys(CORPUS, BELOW_MEASURES),
    **dict.fromkeys(JOBS, BELOW_JOBS),
    **dict.fromkeys(REPORT, (*BELOW_JOBS, *JOBS)),
    "api": BELOW_FACES,
    "serve": (*BELOW_FACES, "api", PUBLIC),
    "cli": (*BELOW_FACES, "api", "serve", "lab", PUBLIC),
    **dict.fromkeys(LAB, (*BELOW_FACES, "api")),
}
"""Which rooms a room may import, besides itself."""

MOST_MODULES = 16


def name_of(file: Path) -> str:
    """The name of a module within the package; that of the package itself is empty."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(file): file for file in sorted(ROOT.rglob("*.py"))}


def imports_of(file: Path, *, types: bool = True) -> set[str]:
    """The modules of the package that a module imports anywhere in it; without `types`, only when it runs."""
    return {name for node in _nodes(ast.parse(file.read_text("utf-8")), types) for name in _imported(node)}


def _nodes(node: ast.AST, types: bool) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if types or not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield from _nodes(child, types)


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.startswith("corpulyzer."):
                yield alias.name.removeprefix("corpulyzer.")
    elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "corpulyzer":
        home = node.module.removeprefix("corpulyzer").removeprefix(".")
        for alias in node.names:
            whole = f"{home}.{alias.name}".removeprefix(".")
            yield whole if whole in FILES else home
    elif isinstance(node, ast.Attribute) and not node.attr.startswith("__"):
        yield from [PUBLIC] * (isinstance(node.value, ast.Name) and node.value.id == "corpulyzer")


def room_of(module: str) -> str:
    """The longest room of the picture that a module stands in."""
    rooms = (room for room in MAY_IMPORT if module == room or module.startswith(f"{room}."))
    return max(rooms, key=len, default="")


def is_allowed(module: str, imported: str) -> bool:
    here, there = room_of(module), room_of(imported)
    return here == there or there in MAY_IMPORT[here]


MODULES = sorted(set(FILES) - {"", "__main__"})
EDGES = {(module, imported) for module in MODULES for imported in imports_of(FILES[module])}


def test_nothing_else_stands_at_the_root():
    modules = {file.stem for file in ROOT.glob("*.py")}
    assert modules == ROOT_MODULES, "a module of its own belongs in a room"


def test_every_room_has_its_layer():
    homeless = [module for module in MODULES if not room_of(module)]
    assert not homeless, "give the room its layer here, and draw it in the picture"


FOLDERS = sorted({file.parent for file in FILES.values()} - {ROOT})


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_room_is_small_and_says_what_it_is_for(folder):
    assert len(list(folder.glob("*.py"))) <= MOST_MODULES, "make rooms inside it"
    assert 5 <= len((folder / "README.md").read_text("utf-8").splitlines()) <= 15


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_its_layer_may(module):
    wrong = {there for here, there in EDGES if here == module and not is_allowed(module, there)}
    assert not wrong


def test_the_lab_is_imported_by_the_command_line_alone():
    users = {module for module, imported in EDGES if room_of(imported) == "lab"}
    assert {room_of(module) for module in users} <= {"lab", "cli"}


WORDS = {
    *("errors", "language", "native", "storage", "corpus.settings.config", "corpus.settings.explain"),
    *("corpus.rounds", "measure.pages.funnel", "dedup.settings", "audit.labels"),
    *("search.finding.only", "search.lists", "search.matches", "search.pattern"),
    "engine.progress",
    *("corpus.settings.file", "export", "measure.panels", "page.extract", "web.seeds.own"),
    *("page.identify.coverage", "web.fetch.politeness", "web.seeds.search.known", "web.commoncrawl.fetch"),
}
"""What commands need below the jobs to read options and print: names, registries, words, choices, settings, progress."""


def test_commands_call_jobs_and_do_nothing_themselves():
    above = ("cli", "api", "jobs", "lab", "serve", "report")
    used = {
        there
        for here in MODULES
        if room_of(here) == "cli"
        for there in imports_of(FILES[here], types=False)
        if there and room_of(there) not in above
    }
    assert used <= WORDS, "what a command does belongs in a job, or in the lab"


def test_no_import_inside_a_function_hides_a_cycle():
    reached = {module: imports_of(file, types=False) & set(FILES) for module, file in FILES.items()}
    assert not cycles(reached)


def cycles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The groups of modules that reach each other.

    What reaches nothing, or is reached by nothing, is in no cycle: only what is left has to be looked at.
    """
    graph = {module: graph[module] - {"", module} for module in graph}
    while loose := {m for m in graph if not graph[m] & set(graph) or not any(m in graph[n] for n in graph)}:
        graph = {module: graph[module] - loose for module in graph if module not in loose}
    closure = {module: _reachable(graph, module) for module in graph}
    return {frozenset(n for n in closure[m] if m in closure[n]) for m in graph if m in closure[m]}


def _reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    found, waiting = set(), list(graph[start])
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += graph[module] & set(graph)
    return found


def test_cycles_are_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"e"}}
    assert cycles(graph) == {frozenset("bc")}
