"""The command line: one module a command, each a thin call to what does the work."""

from __future__ import annotations

import errno
import sys
from copy import copy

import typer

from corpulyzer.cli import commoncrawl, seeds
from corpulyzer.cli.build import (
    annotate,
    calibrate,
    config,
    crawl,
    dedup,
    importing,
    init,
    process,
    remove,
    run,
    stop_words,
    upgrade,
)
from corpulyzer.cli.inspect import (
    analyze,
    audit,
    compare,
    export,
    report,
    search,
    serve,
    status,
    subcorpus,
    why,
)
from corpulyzer.cli.lab import demo, estimate, evaluate, experiment
from corpulyzer.cli.listing import listing, registered
from corpulyzer.cli.texts import extract, identify, languages

app = typer.Typer(
    name="corpulyzer",
    help="Make a corpus of any language out of the web, and say how good it is.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("demo")(demo.demo)
app.command("init")(init.init)
app.command("languages")(languages.languages)
app.command("config")(config.config)
app.add_typer(seeds.app, name="seeds")
app.add_typer(commoncrawl.app, name="commoncrawl")
app.command("crawl")(crawl.crawl)
app.command("run")(run.run)
app.command("import")(importing.import_)
app.command("process")(process.process)
app.command("dedup")(dedup.dedup)
app.command("analyze")(analyze.analyze)
app.command("compare")(compare.compare)
app.command("report")(report.report)
app.command("search")(search.search)
app.command("subcorpus")(subcorpus.subcorpus)
app.add_typer(audit.app, name="audit")
app.command("serve")(serve.serve)
app.add_typer(annotate.app, name="annotate")
app.command("export", cls=listing("format", registered(export.formats)))(export.export)
app.command("remove")(remove.remove)
app.command("status")(status.status)
app.command("why")(why.why)
app.command("upgrade")(upgrade.upgrade)
app.command("calibrate")(calibrate.calibrate)
app.command("extract", cls=listing("extractor", extract.names))(extract.extract)
app.command("stop-words")(stop_words.stop_words)
app.add_typer(identify.app, name="identify")
app.command("estimate")(estimate.estimate)
app.add_typer(evaluate.app, name="evaluate")
app.add_typer(experiment.app, name="experiment")


@app.callback(invoke_without_command=True)
def version(
    version: bool = typer.Option(
        False, "--version", help="Print the version, and whether it is compiled, and stop."
    ),
) -> None:
    if version:
        import corpulyzer
        from corpulyzer.native import build

        typer.echo(f"{corpulyzer.__version__}, {build()}")
        raise typer.Exit


def _with(asked: list[str]) -> typer.Typer:
    """The app with the one command that is asked for, else with all: to build them all takes .08 s."""
    small = copy(app)
    small.registered_commands = [each for each in app.registered_commands if [each.name] == asked]
    small.registered_groups = [each for each in app.registered_groups if [each.name] == asked]
    return small if small.registered_commands or small.registered_groups else app


FULL = "No space left on device"
STORE = "AWS Error"
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR)


def main() -> None:
    """Run the command line. 0: done; 1: the user can mend it; 2: usage; 3: stopped early, run it again."""
    from corpulyzer.errors import UserError

    try:
        _with(sys.argv[1:2])()
    except UserError as error:
        sys.stderr.write(f"Error: {error.message}\n")
        if error.hint:
            sys.stderr.write(f"{error.hint}\n")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped. Nothing is lost: run the same command again to go on.\n")
        sys.exit(3)
    except BrokenPipeError:
        # The reader of our output has gone (`corpulyzer languages | head`): not an error of ours.
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        # Whoever writes says it in words of their own: the system, Arrow, DuckDB.
        if FULL in str(error):
            sys.stderr.write(f"Error: the disk is full: {error}\n")
            sys.stderr.write("Make room and run the same command again: it goes on where it was.\n")
        elif isinstance(error, OSError) and error.errno in FORBIDDEN:
            sys.stderr.write(f"Error: {error.strerror}: {error.filename or error}\n")
            sys.stderr.write("Give yourself the right to read and write there, or name another place.\n")
        elif isinstance(error, OSError) and STORE in str(error):
            sys.stderr.write(f"Error: the object store does not answer as it should: {error}\n")
            sys.stderr.write("Check its name, AWS_ENDPOINT_URL, your keys and the network, and try again.\n")
        else:
            raise
        sys.exit(1)
