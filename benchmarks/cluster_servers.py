"""An S3 server and a standalone Spark cluster that outlive the program that uses them, so that it can go on.

    python benchmarks/cluster_servers.py FOLDER EXECUTORS

They run until `FOLDER/servers.json`, which says where they are, is deleted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

HERE = Path(__file__)
sys.path.append(str(HERE.parent.parent / "tests" / "engine"))
BUCKET = "corpora"


def serve(folder: Path, executors: int) -> None:
    """Start all, say where it is, and wait until nobody wants it any more."""
    from cluster import Cluster  # type: ignore[import-not-found]
    from s3_server import environment, make_bucket, s3_server  # type: ignore[import-not-found]

    with ExitStack() as held:
        variables = held.enter_context(s3_server(folder / "requests.log"))
        path = os.pathsep.join(entry for entry in sys.path if entry)
        held.enter_context(environment({**variables, "PYTHONPATH": path}))
        (folder / "cluster").mkdir(exist_ok=True)
        cluster = Cluster(folder / "cluster", workers=executors)
        held.callback(cluster.close)
        place = make_bucket(variables, BUCKET)
        said = {"variables": variables, "master": cluster.url, "place": place, "pid": os.getpid()}
        written = folder / "servers.json.new"
        written.write_text(json.dumps(said))
        written.rename(said_in(folder))
        while said_in(folder).exists():
            time.sleep(1)


def said_in(folder: Path) -> Path:
    return folder / "servers.json"


def servers(folder: Path, executors: int) -> dict[str, Any]:
    """Where the servers of a folder are; they are started if they do not run."""
    if said_in(folder).exists() and not Path(f"/proc/{_said(folder)['pid']}").exists():
        said_in(folder).unlink()  # of a machine that was switched off: what they had is lost
    if not said_in(folder).exists():
        command = [sys.executable, str(HERE), str(folder), str(executors)]
        with (folder / "servers.log").open("ab") as log:
            subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        while not said_in(folder).exists():
            time.sleep(0.5)
    return _said(folder)


def end(folder: Path) -> None:
    """End the servers of a folder."""
    said_in(folder).unlink(missing_ok=True)


def _said(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said_in(folder).read_text())
    return found


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
