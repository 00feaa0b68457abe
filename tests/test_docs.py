"""The documents tell the truth: every command is there, and every snippet runs."""

import contextlib
import importlib.util
import io
import itertools
import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import regex
from typer.main import get_command
from typer.testing import CliRunner

from corpulyzer.api.corpus import open_corpus
from corpulyzer.cli import app

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent


def reference():
    spec = importlib.util.spec_from_file_location("reference", ROOT / "tools" / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COMMANDS = dict(reference().leaves(get_command(app), "corpulyzer"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_an_example_and_the_common_options(name):
    command = COMMANDS[name]
    assert "Example: [bold]" in command.help
    options = {option for parameter in command.params for option in parameter.opts}
    assert {"--json", "--quiet"} <= options
    assert all(p.help for p in command.params if p.name != "help"), "an argument or option without help"


@pytest.mark.parametrize(
    "page, made_by", [("commands.md", "commands"), ("settings.md", "settings"), ("folder.md", "folder")]
)
def test_the_reference_is_what_the_code_says(page, made_by):
    written = (ROOT / "docs" / "reference" / page).read_text("utf-8")
    assert written == getattr(reference(), made_by)(), "run `python tools/reference.py`"


def test_every_column_has_one_meaning_and_no_meaning_is_left_over():
    made = reference()
    for record, meanings in made.MEANINGS.items():
        assert record in made.TABLES.values()
        assert set(meanings) == set(made.schema_of(record).names), record
    labels = {name for schema in made.label_schemas().values() for name in schema.names}
    assert labels == set(made.dedup.LABELS)


def test_help_costs_little_more_than_the_libraries_that_print_it(tmp_path):
    """0.3 s of processor time where Typer and Rich alone take 0.15 s: the best of five runs of each, in turn.

    A ratio, because all is slower on a busy machine; the first run of each compiles.
    """
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def taken(*arguments):
        probe = f"import resource,subprocess,sys;subprocess.run([sys.executable,*{arguments}],stdout=-3);"
        probe += "u=resource.getrusage(resource.RUSAGE_CHILDREN);print(u.ru_utime+u.ru_stime)"
        return float(subprocess.check_output([sys.executable, "-c", probe], env=environment))

    pairs = [
        (taken("-m", "corpulyzer", "--help"), taken("-c", "import typer.rich_utils, rich.console"))
        for _ in range(5)
    ]
    ours, least = map(min, zip(*pairs, strict=True))
    assert ours < 2.7 * least, pairs


def snippets(file: Path) -> list[tuple[str, str]]:
    blocks = regex.findall(r"^```(console|python)\n(.*?)^```", file.read_text("utf-8"), regex.M | regex.S)
    return [(kind, text) for kind, text in blocks]


def run(kind: str, text: str, folder: Path) -> None:
    """Run a snippet in a folder; our own commands in this process, which takes a third of the time."""
    if kind == "python":
        with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
            exec(compile(text, "snippet", "exec"), {"__name__": "snippet"})
        return
    for command in commands(text):
        run_command(command, folder)


def commands(text: str) -> list[str]:
    """The commands of a console, but for those that set up what is here already."""
    lines = [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
    return [line for line in lines if not line.startswith(("make ", "pip "))]


def run_command(command: str, folder: Path) -> None:
    words = shlex.split(command)
    settings = dict(word.split("=", 1) for word in itertools.takewhile(lambda word: "=" in word, words))
    program, *arguments = words[len(settings) :]
    if program != "corpulyzer":
        run_process(command, folder)
        return
    with contextlib.chdir(folder):
        done = CliRunner().invoke(app, arguments, env=settings)
    assert done.exit_code == 0, f"{command}\n{done.output}\n{done.exception}"


def run_process(command: str, folder: Path) -> None:
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module", autouse=True)
def little_work():
    """One worker, and a model of few topics: what a command makes is tested elsewhere, here that it runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORPULYZER_ENGINE_WORKERS", "1")
        patch.setenv("CORPULYZER_ANALYZE_TOPICS", "2")
        yield


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    from corpulyzer.lab.demo.archive import write_archive

    path = tmp_path_factory.mktemp("web") / "crawl.warc.gz"
    write_archive(path)
    return path


@pytest.fixture
def folder(archive, tmp_path):
    """A folder with the things that the README speaks of."""
    shutil.copy(archive, tmp_path)
    page = (
        "<html lang=ur><link rel=canonical href=https://akhbar.example/1.html><p>"
        + "یہ اردو میں ایک جملہ ہے۔ " * 20
    )
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "1.html").write_text(page, "utf-8")
    (tmp_path / "news.jsonl").write_text(
        '{"url": "https://akhbar.example/2", "text": "یہ ایک خبر ہے۔"}\n', "utf-8"
    )
    gold = ROOT / "tests" / "data" / "license" / "gold.jsonl"
    (tmp_path / "gold.jsonl").write_bytes(gold.read_bytes())
    return tmp_path


@pytest.mark.slow
def test_the_snippets_of_the_readme_run(folder):
    found = snippets(ROOT / "README.md")
    assert any(kind == "console" for kind, _ in found)
    for kind, text in found:
        run(kind, text, folder)


@pytest.mark.slow
def test_the_snippets_of_the_tutorial_run(folder, demo):
    """Each does what the tutorial says of it: the threshold drops some pages and keeps others."""
    (_, first), *others = snippets(ROOT / "docs" / "tutorial.md")
    assert commands(first) == [MAKES_THE_DEMO]
    shutil.copytree(demo, folder / "demo")
    kept = []
    for kind, text in others:
        for step in commands(text) if kind == "console" else [text]:
            run(kind, f"$ {step}" if kind == "console" else step, folder)
            if "engweb" in step and regex.search(r"corpulyzer (import|process) ", step):
                kept.append(open_corpus(folder / "engweb").funnel().kept)
    before, fewer, again = kept
    assert 0 < fewer < before == again


MAKES_THE_DEMO = "corpulyzer demo demo"
BESIDE_THE_DEMO = (
    "how-to/import.md",
    "how-to/languages.md",
    "how-to/calibrate.md",
    "how-to/browser.md",
    "how-to/search.md",
    "how-to/audit.md",
    "how-to/report.md",
    "how-to/annotate.md",
    "how-to/export.md",
    "how-to/takedown.md",
    "reference/python.md",
    "explanation/licenses.md",
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo corpus, crawled once, as the tutorial says."""
    made = tmp_path_factory.mktemp("demo")
    run_process(MAKES_THE_DEMO, made)
    return made / "demo"


@pytest.mark.slow
def test_the_demo_works_twice(demo, tmp_path):
    again = Path(shutil.copytree(demo, tmp_path / "demo"))
    first = open_corpus(again).funnel().to_json()
    done = subprocess.run([BIN / "corpulyzer", "demo", again, "--json"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["funnel"] == first and first["kept"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("file", BESIDE_THE_DEMO)
def test_the_snippets_run_beside_the_demo_corpus(file, folder, demo):
    shutil.copytree(demo, folder / "demo")
    for kind, text in snippets(ROOT / "docs" / file):
        run(kind, text, folder)


def files_shown(file: Path) -> list[tuple[str, str]]:
    """The files that a page shows, with where they stand."""
    shown = regex.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```', file.read_text("utf-8"), regex.M | regex.S)
    return [(place, text) for place, text in shown]


def describe(package: Path) -> None:
    """Write beside the modules of a package what pip writes when it installs it: its version and its entry points."""
    project = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
    about = package / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(head)
    groups = project["entry-points"].items()
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items()) for group, points in groups]
    (about / "entry_points.txt").write_text("\n".join(lines))


def test_the_plug_ins_of_the_how_to_work(folder, monkeypatch):
    """Its files are written as it shows them; a file that is there gets more at its end."""
    (_, begin), *others = snippets(ROOT / "docs/how-to/plug-ins.md")
    run("console", begin, folder)
    for place, text in files_shown(ROOT / "docs/how-to/plug-ins.md"):
        (folder / place).parent.mkdir(exist_ok=True)
        with (folder / place).open("a", encoding="utf-8") as file:
            file.write(f"\n{text}")
    package = folder / "corpulyzer-poems"
    describe(package)
    monkeypatch.syspath_prepend(str(package))
    monkeypatch.setenv("PYTHONPATH", str(package))
    for kind, text in others:
        run(kind, text, folder)
    corpus = open_corpus(folder / "urduweb")
    dropped = {document.url: document for document in corpus.documents.filter(reason="not_all_numbers")}
    large = {each.url: each.text for each in corpus.documents if each.target_bytes >= 256}
    digits = {url: sum(map(str.isdigit, text)) / len(text) for url, text in large.items()}
    assert set(dropped) == {url for url, share in digits.items() if share > 0.05}
    assert all(each.verdict.facts == {"found": digits[url], "wanted": 0.05} for url, each in dropped.items())
    long, short = (corpus.documents.filter(labels={"length": word}) for word in ("long", "short"))
    assert len(long) == sum(len(document.text) > 2000 for document in corpus.documents)
    assert len(short)
    (exported,) = (folder / "urduweb" / "exports").glob("v*-markdown/*.md")
    kept = [f"# {document.title}\n\n{document.text}\n\n" for document in corpus.documents.kept()]
    assert exported.read_text("utf-8") == "".join(kept) != ""
    assert (folder / "urduweb" / "analysis" / "longest_texts.csv").exists()


def test_the_readme_names_the_demo_and_all_that_ci_calls():
    named = regex.findall(r"[$`] ?(make \w+)", (ROOT / "README.md").read_text("utf-8"))
    called = regex.findall(r"^make \w+", (ROOT / ".ci" / "run").read_text(), regex.M)
    assert called == ["make test", "make lowest", "make endurance"]
    assert {*called, "make demo"} <= {*named}


def test_the_first_page_leads_to_every_other():
    pages = {str(file.relative_to(ROOT / "docs")) for file in (ROOT / "docs").rglob("*.md")} - {"index.md"}
    linked = set(regex.findall(r"\]\(([^)]+\.md)\)", (ROOT / "docs" / "index.md").read_text("utf-8")))
    assert linked == pages


def test_every_folder_of_the_demo_corpus_is_in_the_reference(demo):
    written = (ROOT / "docs" / "reference" / "folder.md").read_text("utf-8")
    for place in demo.iterdir():
        name = f"{place.name}/" if place.is_dir() else place.name
        assert regex.search(rf"(?m)^.*[ `]{regex.escape(name)}", written), name
