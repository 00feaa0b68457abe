"""WARC to documents: pages per CPU-second, beside datatrove and beside the physical limit.

    python benchmarks/batch.py [--archive FILE.warc.gz] [--rounds 1]

All three read the same archive in the same run, one after the other, each in a process of its own whose
processor time is counted whole, start-up and workers included (modules are compiled before, as they are when
a package is installed):

- corpulyzer: `import` into a fresh corpus (read, decode, extract, links, identify, filter, Parquet);
- datatrove: WARC reader, trafilatura, a language filter with CLD2, JSONL (each with one worker), once with
  the trafilatura that its own extra asks for, as its users have it, and once with the newest;
- limit: fastwarc reads and lexbor parses each page, and nothing else.

Without --archive, one is made of the gold sets in ../shared/data where they are, else of the demo's pages.
"""

from __future__ import annotations

import argparse
import compileall
import io
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import requires
from pathlib import Path

SHARED = Path(__file__).parent.parent.parent / "shared" / "data" / "extraction"
TARGET, TARGET_CLD2 = "eng", "en"
DATATROVE, NEWEST = "datatrove", "datatrove-newest"
RUNS = ("limit", "corpulyzer", DATATROVE, NEWEST)
# Pages are repeated: Common Crawl's archives have tens of thousands; with a few hundred, start-up dominates.
ROUNDS_OF_PAGES = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--archive", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--run", choices=RUNS, help=argparse.SUPPRESS)
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.run:
        runs = {"limit": run_limit, "corpulyzer": run_corpulyzer}
        runs.get(asked.run, run_datatrove)(asked.archive, asked.into)
    else:
        with tempfile.TemporaryDirectory() as folder:
            compare(asked.archive or make_archive(Path(folder)), asked.rounds, Path(folder))


def compare(archive: Path, rounds: int, folder: Path) -> None:
    """Run all, print pages per CPU-second and the ratios."""
    compile_modules()
    pages = count_pages(archive)
    print(f"{archive.name}: {pages:,} pages, {archive.stat().st_size / 1e6:.1f} MB")
    peers = (DATATROVE, NEWEST) if extra_of_datatrove() else (NEWEST,)
    seconds: dict[str, list[float]] = {name: [] for name in ("limit", "corpulyzer", *peers)}
    # The quick ones run before and after the slow ones, since the speed of a machine changes over minutes.
    order = ("limit", "corpulyzer", *peers, "corpulyzer", "limit")
    for number, name in enumerate(order * rounds):
        seconds[name].append(cpu_seconds(name, archive, folder / f"{name}-{number:02}"))
    for name, taken in seconds.items():
        print(f"{name}: {', '.join(f'{spent:.2f}' for spent in taken)} CPU-s")
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    print(f"kept: corpulyzer {kept_by_corpulyzer(folder):,} documents")
    for name in peers:
        print(f"kept: {name} {kept_by_datatrove(folder, name):,} documents, {trafilatura_of(name)}")
    for name, spent in medians.items():
        rate, cost = pages / spent, spent / pages * 1000
        print(f"{name:<17} {spent:8.2f} CPU-s {rate:9.1f} pages per CPU-s {cost:7.2f} ms a page")
    for name in peers:
        print(f"corpulyzer / {name}: {medians[name] / medians['corpulyzer']:.1f} x")
    print(f"share of the physical limit: {medians['limit'] / medians['corpulyzer']:.0%}")


def kept_by_corpulyzer(folder: Path) -> int:
    """Documents of the last run; a run in which many pages failed measures nothing."""
    from corpulyzer.api.corpus import open_corpus

    documents = open_corpus(max(folder.glob("corpulyzer-*"))).documents
    failed = len(documents.filter(reason="extract_failed"))
    assert failed < 0.01 * len(documents), f"{failed} of {len(documents)} pages failed"
    return len(documents.kept())


def kept_by_datatrove(folder: Path, name: str) -> int:
    import gzip

    files = max(folder.glob(f"{name}-[0-9]*")).rglob("documents/*.jsonl.gz")
    return sum(sum(1 for _ in gzip.open(file)) for file in files)


def cpu_seconds(name: str, archive: Path, into: Path) -> float:
    """Processor time of a run and of all its children."""
    command = [sys.executable, __file__, "--run", name, "--archive", str(archive), "--into", str(into)]
    environment = environment_of(name)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def environment_of(name: str) -> dict[str, str]:
    return os.environ | ({"PYTHONPATH": str(extra_of_datatrove())} if name == DATATROVE else {})


def compile_modules() -> None:
    """Compile our modules, which an installation from a checkout leaves to their first use."""
    import corpulyzer

    compileall.compile_dir(Path(corpulyzer.__file__).parent, quiet=1)


def trafilatura_of(name: str) -> str:
    """Which trafilatura a run has."""
    code = "import trafilatura; print('trafilatura', trafilatura.__version__)"
    run = [sys.executable, "-c", code]
    return subprocess.run(
        run, check=True, env=environment_of(name), capture_output=True, text=True
    ).stdout.strip()


@cache
def extra_of_datatrove() -> Path | None:
    """A folder with the trafilatura that datatrove asks for, if it can be had; installed is the newest."""
    wanted = next(each for each in requires("datatrove") or () if each.startswith("trafilatura"))
    folder = Path(sys.prefix) / "datatrove-extra"
    if not folder.exists():
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder)]
        done = subprocess.run(
            [*install, wanted.partition(";")[0]], check=False, capture_output=True, text=True
        )
        if done.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            print(f"datatrove's own trafilatura cannot be installed: {done.stderr.strip()[-300:]}")
            return None
    return folder


def run_corpulyzer(archive: Path, into: Path) -> None:
    from corpulyzer.api.corpus import create, open_corpus

    create(TARGET, into)
    corpus = open_corpus(into, {"engine.workers": 1})
    with corpus.engine() as engine:
        corpus.import_(str(archive), engine=engine)


def run_datatrove(archive: Path, into: Path) -> None:
    import pycld2
    from datatrove.data import Document
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.extractors import Trafilatura
    from datatrove.pipeline.filters import LambdaFilter
    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers import JsonlWriter

    def in_target(document: Document) -> bool:
        try:
            return bool(pycld2.detect(document.text)[2][0][1] == TARGET_CLD2)
        except pycld2.error:
            return False

    steps = [
        WarcReader(str(archive.parent), glob_pattern=archive.name),
        Trafilatura(),
        LambdaFilter(in_target),
        JsonlWriter(str(into / "documents")),
    ]
    LocalPipelineExecutor(steps, tasks=1, workers=1, logging_dir=str(into / "logs")).run()


def run_limit(archive: Path, into: Path) -> None:
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from selectolax.lexbor import LexborHTMLParser

    with archive.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response):
            LexborHTMLParser(record.reader.read())


def count_pages(archive: Path) -> int:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with archive.open("rb") as file:
        return sum(1 for _ in ArchiveIterator(file, record_types=WarcRecordType.response))


def make_archive(folder: Path) -> Path:
    """An archive of real pages where the gold sets are at hand, else of the demo's."""
    path = folder / "pages.warc.gz"
    if not SHARED.exists():
        from corpulyzer.lab.demo.archive import write_archive

        write_archive(path)
        return path
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number, body in enumerate(page for _ in range(ROUNDS_OF_PAGES) for page in gold_pages()):
            headers = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body)))]
            http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
            url = f"https://site{number % 50}.example/page/{number}"
            writer.write_record(
                writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=http)
            )
    return path


def gold_pages() -> Iterator[bytes]:
    for source in sorted(SHARED.glob("*.tar.gz")):
        with tarfile.open(source) as archive:
            for member in archive:
                if member.isfile() and member.name.endswith(".html"):
                    file = archive.extractfile(member)
                    if file is not None:
                        yield file.read()


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    main()
