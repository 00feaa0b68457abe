"""Wayback machines replay exported WARCs: those of pywb, which `make endurance` installs beside our own packages."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from corpulyzer.warc.read import raw_record

PLACES = os.pathsep.join((os.environ["PATH"], str(Path(sys.prefix) / "wayback" / "bin")))
WAYBACK, MANAGER = (shutil.which(name, path=PLACES) for name in ("wayback", "wb-manager"))
pytestmark = [
    pytest.mark.endurance,
    pytest.mark.skipif(WAYBACK is None, reason="pywb is not installed"),
]
START_SECONDS = 300


@pytest.fixture
def wayback(exported, tmp_path):
    """The address of a server that replays the export as the collection `c`."""
    files = sorted(map(str, Path(exported("warc").path).glob("*.warc.gz")))
    for words in (("init", "c"), ("add", "c", *files)):
        subprocess.run([MANAGER, *words], cwd=tmp_path, check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [WAYBACK, "--bind", "127.0.0.1", "--port", str(port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen(command, cwd=tmp_path, **quiet)
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def _wait_for(port):
    last = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            assert time.monotonic() < last, "pywb did not start"
            time.sleep(0.2)


def test_pywb_replays_every_page_of_an_export_as_it_was_received(corpus, web, wayback):
    documents = list(corpus.documents.kept())[:10]
    assert documents
    for document in documents:
        body = raw_record(str(web), document.offset).block.partition(b"\r\n\r\n")[2]
        with urlopen(f"{wayback}/c/{document.date:%Y%m%d%H%M%S}id_/{document.url}") as answer:
            assert answer.status == 200 and answer.read() == body, document.url
