"""Plug-ins of packages: found by their entry points, and not imported before they are asked for."""

import subprocess
import sys

import pytest

import corpulyzer
from corpulyzer.errors import UserError
from corpulyzer.measure.panels import all_panels, panels
from corpulyzer.page.extract import EXTRACTORS
from corpulyzer.page.filter import FILTERS, Filters
from corpulyzer.plugins import EXTRACTOR, FILTER
from corpulyzer.plugins.found import available, installed

MODULE = """
from corpulyzer import drop


class First:
    version = 3
    words = "not the first"

    def __call__(self, blocks):
        return blocks.blocks[:1]


def never(page):
    return drop("never")
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A function that installs a package with entry points, as pip lays it out, for the time of a test."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(name, points, module=MODULE):
        (tmp_path / f"{name}.py").write_text(module)
        about = tmp_path / f"{name}-2.5.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.5\n")
        lines = [f"[{group}]\n{line}\n" for group, line in points.items()]
        (about / "entry_points.txt").write_text("\n".join(lines))

    return install


def test_an_extractor_of_a_package_has_a_name_like_ours(site):
    site("poems", {"corpulyzer.extractors": "first = poems:First"})
    assert "poems" not in sys.modules
    (plugin,) = available(EXTRACTOR, ())
    assert (plugin.version, plugin.words) == ("3", "not the first")
    assert EXTRACTORS.names()[-1] == "first"
    assert "poems" not in sys.modules, "to know of it, it is not run"
    found = corpulyzer.extract(b"<p>One line.<p>Another line.", extractor="first")
    assert found.text == "One line."
    del sys.modules["poems"]


def test_without_a_version_of_its_own_it_has_that_of_its_package(site):
    site("poems", {"corpulyzer.filters": "never = poems:never"})
    plugin = FILTERS.plugin("never")
    assert (plugin.version, plugin.home) == ("2.5", "poems:never")
    (judge,) = Filters().chain(("never",))
    assert judge(corpulyzer.Page("https://a.example/")).reason == "never"
    del sys.modules["poems"]


def test_a_name_that_two_packages_give_is_refused(site):
    site("poems", {"corpulyzer.filters": "never = poems:never"})
    site("songs", {"corpulyzer.filters": "never = songs:never"})
    with pytest.raises(UserError, match=r"Two packages give the filter 'never': songs:never, poems:never"):
        installed(FILTER)


def test_a_name_that_settings_could_not_hold_is_refused(site):
    site("poems", {"corpulyzer.filters": "Not-Me = poems:never"})
    with pytest.raises(UserError, match="filter cannot be called 'Not-Me'"):
        FILTERS.plugin("Not-Me")


def test_one_that_cannot_be_imported_is_named(site):
    site("poems", {"corpulyzer.extractors": "first = poems:First"}, "import no_such_package")
    with pytest.raises(
        UserError, match="extractor 'first' of poems:First cannot be loaded: ModuleNotFoundError"
    ):
        corpulyzer.extract(b"<p>One line.", extractor="first")


def test_a_panel_of_a_package_comes_after_ours_and_takes_no_name_of_theirs(site):
    site("poems", {"corpulyzer.panels": "rhymes = poems:never"})
    assert [panel.name for panel in panels(["rhymes", "funnel"])] == ["funnel", "rhymes"]
    site("songs", {"corpulyzer.panels": "funnel = songs:never"})
    with pytest.raises(UserError, match="panel 'funnel' of songs:never has a name of ours"):
        all_panels()


def test_nothing_is_looked_for_where_only_help_is_asked_for():
    """The list of installed packages is not read for `--help`, nor are modules of plug-ins that read it."""
    code = "import sys, corpulyzer.cli; sys.exit(any(m in sys.modules for m in ('importlib.metadata', {!r})))"
    done = subprocess.run([sys.executable, "-c", code.format("corpulyzer.plugins.found")], check=False)
    assert done.returncode == 0
