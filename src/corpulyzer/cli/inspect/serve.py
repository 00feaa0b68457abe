"""`corpulyzer serve`: the explorer in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from corpulyzer.cli.options import Json, Project, Quiet


def serve(
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port; 0: one that is free.")
    ] = 8765,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; beyond this machine, with a token.")
    ] = "127.0.0.1",
    open_browser: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Work on a corpus in a browser: begin it, crawl, look at it, search, audit, report, export.

    In a folder that is no corpus it shows the corpora there, and begins new ones. It listens on this machine
    only, and ends with Ctrl-C; work that was begun goes on.

    Example: [bold]corpulyzer serve --open --project urduweb[/bold]
    """
    from corpulyzer.cli.output import print_json, print_text
    from corpulyzer.serve.desk.app import Desk
    from corpulyzer.serve.listen import listening, run, served_at

    served = served_at(project, host)
    with listening(host, port) as socket:
        address = f"http://{_shown(host)}:{socket.getsockname()[1]}/"
        address += f"?token={served.gate.token}" if served.gate.token else ""
        if json:
            print_json({"address": address})
        elif not quiet:
            what = "desk" if isinstance(served, Desk) else "explorer"
            print_text(f"The {what} is at {address} (Ctrl-C ends it)")
            if _shown(host) != _written(host):
                print_text("From elsewhere, put this machine's own address in its place.")
        run(served, socket, address if open_browser else "")


def _shown(host: str) -> str:
    """A host that a browser here can open: where all addresses are listened on, the one of this machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, _written(host))


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host
