"""Groups of options stand in a command as the options that they hold."""

from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

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
