"""One pass for many languages beside the pass for one: CPU-seconds from a WARC to documents, and the ratios.

    python benchmarks/languages.py [--pages 1500] [--rounds 1]

All passes import the same archive into a fresh corpus, in turn, each in a process of its own whose processor
time is counted whole. The pages are those of the gold sets in ../shared/data, and for each of twelve
languages in four scripts some made of its sentences in `lid.tar.gz` there.
"""

from __future__ import annotations

import argparse
import io
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from batch import SHARED, compile_modules, gold_pages

# Four scripts: Latin, Cyrillic, Arabic, Devanagari.
TWELVE = ("eng", "hrv", "slv", "pol", "xho", "zul", "srp", "bul", "urd", "pes", "hin", "npi")
PASSES = {"one": "eng", "twelve": ",".join(TWELVE), "all": "all"}
GOALS = {"twelve": 1.3, "all": 1.6}
SENTENCES, PAGES_OF_A_LANGUAGE = 25, 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pages", type=int, default=1500, help="pages of the gold sets")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--archive", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.run:
        run(asked.run.split(","), asked.archive, asked.into)
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(Path(folder), asked.pages, asked.rounds)


def compare(folder: Path, pages: int, rounds: int) -> None:
    """Run all passes in turn, and print what they cost and kept."""
    from corpulyzer.api.corpus import open_corpus

    compile_modules()
    archive = folder / "pages.warc.gz"
    print(f"{write(archive, pages):,} pages, {archive.stat().st_size / 1e6:.1f} MB")
    seconds: dict[str, list[float]] = {name: [] for name in PASSES}
    # Forth and back, since the speed of a machine changes over minutes.
    for number, name in enumerate((*PASSES, *reversed(PASSES)) * rounds):
        into = folder / f"{name}-{number:02}"
        seconds[name].append(cpu_seconds(PASSES[name], archive, into))
    for name, taken in seconds.items():
        kept = len(open_corpus(max(folder.glob(f"{name}-*"))).documents.kept())
        shown = ", ".join(f"{each:.2f}" for each in taken)
        ratio = statistics.median(taken) / statistics.median(seconds["one"])
        goal = f", wanted {GOALS[name]}" if name in GOALS else ""
        print(f"{name:<7} {shown} CPU-s, {kept:,} documents kept, {ratio:.2f} of the pass for one{goal}")


def cpu_seconds(languages: str, archive: Path, into: Path) -> float:
    """Processor time of a pass and of all its children."""
    command = [sys.executable, __file__, "--run", languages, "--archive", str(archive), "--into", str(into)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(languages: list[str], archive: Path, into: Path) -> None:
    """One pass, with one worker."""
    from corpulyzer.api.corpus import create, open_corpus

    create(languages=languages, folder=into)
    corpus = open_corpus(into, {"engine.workers": 1})
    with corpus.engine() as engine:
        corpus.import_(str(archive), engine=engine)


def write(archive: Path, pages: int) -> int:
    """Write the pages as a WARC; return how many there are."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    number = 0
    with archive.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number, body in enumerate((*islice(gold_pages(), pages), *made_pages()), 1):
            headers = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body)))]
            http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
            url = f"https://site{number % 50}.example/page/{number}"
            writer.write_record(
                writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=http)
            )
    return number


def made_pages() -> Iterator[bytes]:
    """Pages of each of the twelve languages, of sentences that stand in one set of the data."""
    with tarfile.open(SHARED.parent / "lid.tar.gz") as sets:
        for code in TWELVE:
            file = sets.extractfile(f"lid/flores/{code}.txt")
            lines = file.read().decode().splitlines() if file is not None else []
            for first in range(0, min(len(lines), SENTENCES * PAGES_OF_A_LANGUAGE), SENTENCES):
                texts = "".join(f"<p>{line}</p>" for line in lines[first : first + SENTENCES])
                yield f"<html><body><article><h1>{lines[first]}</h1>{texts}</article></body></html>".encode()


if __name__ == "__main__":
    main()
