"""Groups of options stand in a command as the options that they hold."""

import subprocess
import sys
from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from corpulyzer.api.corpus import create
from corpulyzer.cli.options import grouped


@dataclass(frozen=True)
class Size:
    width: Annotated[int, typer.Option(help="How wide.")] = 1
    height: Annotated[int, typer.Option(help="How high.")] = 2


def test_a_group_is_taken_apart_in_its_place_and_given_as_one():
    app, seen = typer.Typer(), []

    @app.command()
    @grouped
    def draw(*, name: Annotated[str, typer.Argument()], colour: str = "red", size: Size, last: bool = False):
        """Draw it."""
        seen.append((name, colour, size, last))

    told = CliRunner().invoke(app, ["--help"]).output
    places = [told.index(f"--{option}") for option in ("colour", "width", "height", "last")]
    assert places == sorted(places) and "Draw it." in told
    assert CliRunner().invoke(app, ["a", "--height", "7", "--last"]).exit_code == 0
    assert seen == [("a", "red", Size(1, 7), True)]
    assert CliRunner().invoke(app, ["a", "--width", "wide"]).exit_code == 2


def test_a_command_spares_the_collector_its_modules_and_ends_without_complaints(tmp_path):
    create("xho", tmp_path / "c")
    code = "import atexit, gc; atexit.register(lambda: print('spared', gc.get_freeze_count()))\n"
    words = [sys.executable, "-c", f"{code}import corpulyzer.cli; corpulyzer.cli.main()", "dedup"]
    done = subprocess.run([*words, "--project", tmp_path / "c"], check=False, capture_output=True, text=True)
    assert done.returncode == 0 and "leaked" not in done.stderr, done.stderr
    assert int(done.stdout.split()[-1]) > 10_000
