"""Archives of a whole release registered in a new corpus: CPU-seconds for each number of them.

    python benchmarks/registering.py 500 1000 2000 4000            archives on disk, found in a folder
    python benchmarks/registering.py --paths 4000 90000            the same by a list of their paths

Each archive has one small record: what is measured is the bookkeeping, not the reading of pages.
"""

from __future__ import annotations

import argparse
import gzip
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def main() -> None:
    """Measure each size in a fresh process and print a line for it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sizes", nargs="+", type=int)
    parser.add_argument("--paths", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        measure(Path(asked.one), asked.sizes[0], asked.paths)
        return
    print(f"{'archives':>10}{'first':>10}{'again':>10}{'opened':>10}   CPU-s", flush=True)
    for size in asked.sizes:
        with tempfile.TemporaryDirectory(prefix="registering-") as folder:
            make(Path(folder), size, asked.paths)
            words = [sys.executable, __file__, str(size), "--one", folder, *["--paths"] * asked.paths]
            subprocess.run(words, check=True)


def make(folder: Path, size: int, as_list: bool) -> None:
    """Write the archives, or a list of archives that are nowhere."""
    if as_list:
        names = (f"crawl-data/CC-MAIN-2024-10/warc/CC-MAIN-{number:06d}.warc.gz\n" for number in range(size))
        (folder / "warc.paths.gz").write_bytes(gzip.compress("".join(names).encode()))
        return
    from corpulyzer.records import EPOCH
    from corpulyzer.warc.compose import resource, stable_record_id

    (folder / "in").mkdir()
    for number in range(size):
        record_id = stable_record_id(str(number), 0)
        page = resource(f"https://a.pk/{number}", b"<p>x", "text/html", date=EPOCH, record_id=record_id)
        (folder / "in" / f"CC-MAIN-{number:06d}.warc.gz").write_bytes(page.packed())


def measure(folder: Path, size: int, as_list: bool) -> None:
    """Register twice, and open."""
    from corpulyzer.corpus.archives import archives
    from corpulyzer.jobs.importing import register
    from corpulyzer.storage import Storage

    storage = Storage(folder / "corpus")
    lists = [str(folder / "warc.paths.gz")] if as_list else []
    paths = [] if as_list else [str(folder / "in")]
    seconds = []
    for _ in range(2):
        begun = time.process_time()
        assert len(register(storage, paths, lists=lists).sources) == size
        seconds.append(time.process_time() - begun)
    begun = time.process_time()
    assert len(archives(storage)) == size
    seconds.append(time.process_time() - begun)
    print(f"{size:>10,}" + "".join(f"{each:>10.2f}" for each in seconds), flush=True)


if __name__ == "__main__":
    main()
