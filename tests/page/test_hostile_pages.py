"""A hostile page costs at most its own page: imported beside good ones, with tight limits."""

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.warc import compose

pytestmark = [pytest.mark.slow, pytest.mark.scaled]
GOOD = 40
HOSTILE = ("prose", "table", "nested", "links", "bomb", "unclosed", "attributes")


def prose(characters: int) -> str:
    import random

    paragraph = Prose("urd").paragraph(random.Random(1), sentences=8)
    return paragraph * (characters // len(paragraph) + 1)


def hostile_pages(megabytes: int) -> dict[str, tuple[bytes, dict[str, str]]]:
    """The hostile pages by name; the bomb is fifty times as large as the longest prose."""
    text = prose(400)
    return {
        "prose": (f"<html><body><p>{prose(megabytes * 1_000_000)}</p>".encode(), {}),
        "table": (("<table>" + "<tr><td>۱۲۳<td>x" * 600_000 + "</table>").encode(), {}),
        "nested": (("<div>" * 50_000 + text).encode(), {}),
        "links": ("".join(f'<a href="/{n}">{n}</a> ' for n in range(100_000)).encode() + text.encode(), {}),
        "bomb": (gzip.compress(b"<p>" + bytes(megabytes * 50_000_000), 1), {"Content-Encoding": "gzip"}),
        "unclosed": (b"<" * 5_000_000, {}),
        "attributes": (b"<p " + b"a=b " * 1_000_000 + b">", {}),
    }


@pytest.fixture(scope="module")
def archive(tmp_path_factory, scale):
    """Good pages with hostile ones between them."""
    import random

    path = tmp_path_factory.mktemp("hostile") / "hostile.warc.gz"
    pages = [
        (
            f"https://good.example/{n}",
            f"<p>{Prose('urd').paragraph(random.Random(n), sentences=12)}</p>".encode(),
            {},
        )
        for n in range(GOOD)
    ]
    hostile = hostile_pages(scale(2, 10, 10))
    assert tuple(hostile) == HOSTILE
    for place, (name, (body, headers)) in enumerate(hostile.items()):
        pages.insert(place * 5, (f"https://hostile.example/{name}", body, headers))
    with path.open("wb") as file:
        for url, body, headers in pages:
            head = "".join(
                f"{key}: {value}\r\n"
                for key, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items()
            )
            lines = f"HTTP/1.1 200 OK\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode()
            file.write(compose.response(url, lines, body).packed())
    return path


def imported(folder: Path, archive: Path, **flags):
    create("urd", folder)
    corpus = open_corpus(
        folder, {"engine.workers": 2, "engine.page_seconds": 5.0, "engine.page_megabytes": 800, **flags}
    )
    with corpus.engine() as engine:
        corpus.import_(str(archive), engine=engine)
    return {document.url: document for document in corpus.documents}


@pytest.fixture(scope="module")
def documents(archive, tmp_path_factory):
    return imported(tmp_path_factory.mktemp("corpus") / "c", archive)


def test_every_page_has_a_document_with_a_verdict(documents):
    assert len(documents) == GOOD + len(HOSTILE)
    for name in HOSTILE:
        verdict = documents[f"https://hostile.example/{name}"].verdict
        assert verdict.kept or verdict.reason


def test_the_good_pages_are_untouched(documents):
    assert all(documents[f"https://good.example/{n}"].verdict.kept for n in range(GOOD))


def test_long_prose_is_kept_whole_and_text_in_deep_markup_is_read(documents):
    assert documents["https://hostile.example/prose"].verdict.kept
    assert documents["https://hostile.example/nested"].raw_bytes > 250_000


def test_a_bomb_is_cut_at_the_cap_and_says_so(documents):
    bomb = documents["https://hostile.example/bomb"]
    assert bomb.truncated and bomb.raw_bytes <= 10_000_000


def test_a_page_over_its_time_is_the_only_loss(archive, tmp_path):
    """With a limit that long pages cannot keep, they fail and say why; the others stay."""
    documents = imported(tmp_path / "c", archive, **{"engine.page_seconds": 0.2})
    failed = [d for d in documents.values() if d.verdict.reason == "extract_failed"]
    assert failed, "megabytes of prose take more than a fifth of a second"
    # On a busy machine the limit by the clock, which is ten times that of the processor, may come first.
    assert [d.verdict.detail for d in failed if "took more than" not in d.verdict.detail] == []
    good = [documents[f"https://good.example/{n}"] for n in range(GOOD)]
    assert sum(d.verdict.kept for d in good) >= GOOD - 2, "a noisy machine may stretch a good page or two"


def test_a_worker_killed_from_outside_costs_nothing(archive, tmp_path, documents):
    create("urd", tmp_path / "c")
    command = [
        sys.executable,
        "-m",
        "corpulyzer",
        "import",
        str(archive),
        "--project",
        str(tmp_path / "c"),
        "--quiet",
    ]
    run = subprocess.Popen(command, env={**os.environ, "CORPULYZER_ENGINE_PAGE_SECONDS": "5"})
    killed = False
    while run.poll() is None and not killed:  # once: a page on which a worker dies twice is to blame
        time.sleep(0.7)
        children = psutil.Process(run.pid).children(recursive=True) if run.poll() is None else []
        if children:
            children[-1].send_signal(signal.SIGKILL)
            killed = True
    assert run.wait() == 0 and killed
    again = {document.url: document for document in open_corpus(tmp_path / "c").documents}
    assert {url: d.verdict.kept for url, d in again.items()} == {
        url: d.verdict.kept for url, d in documents.items()
    }
