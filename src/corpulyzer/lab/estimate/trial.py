"""A short run of all steps of a corpus, each measured: `python -m corpulyzer.lab.estimate.trial`.

It is a process of its own, so that nothing else counts: whoever starts it makes the pages, or serves them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from corpulyzer.api.corpus import Corpus, open_corpus
from corpulyzer.lab.estimate.units import Step, Usage
from corpulyzer.measure.panels import PANELS

CONTACT = "estimate@corpulyzer.example"
FITS = "analyze: fits"
"""Panels that take a sample, and cost no more above its size."""
COUNTS = "analyze: counts"


def main() -> None:
    """Run the steps of one size, and print what each took as a line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m corpulyzer.lab.estimate.trial", description=main.__doc__)
    parser.add_argument("folder", type=Path, help="a corpus that has nothing in it yet")
    parser.add_argument("--pages", type=int, required=True)
    parser.add_argument("--archive", default="", help="archive to import; without it, a crawl is measured")
    parser.add_argument("--proxy", default="", help="where the web to crawl is served")
    asked = parser.parse_args()
    trial = Trial(asked.folder, asked.pages, "batch" if asked.archive else "crawl")
    if asked.archive:
        corpus = open_corpus(asked.folder)
        trial.measure("import", lambda: corpus.import_(asked.archive))
    else:
        corpus = open_corpus(asked.folder, crawl_flags(asked.pages, asked.proxy))
        trial.measure("crawl", lambda: trial.note_rounds(corpus))
    trial.kept = len(corpus.documents.kept())
    fits = [panel.name for panel in PANELS if panel.fit]
    trial.measure("dedup", corpus.dedup)
    trial.measure(COUNTS, lambda: corpus.analyze(*(each.name for each in PANELS if not each.fit)))
    trial.measure(FITS, lambda: corpus.analyze(*fits))
    trial.measure("report", corpus.report)
    trial.measure("export", lambda: corpus.export("hf"))


def crawl_flags(pages: int, proxy: str) -> dict[str, object]:
    """The settings that a crawl of our own machine may have, and no other."""
    return {
        "crawl.contact": CONTACT,
        "crawl.pages": pages,
        "fetch.proxy": proxy,
        "fetch.delay_seconds": 0.0,
        "fetch.delay_per_second": 0.0,
        "fetch.allow_private": True,
    }


@dataclass
class Trial:
    """Measures steps on the corpus in a folder, and tells of each."""

    folder: Path
    pages: int
    way: str
    rounds: int = 0
    kept: int = 0
    _held: int = field(init=False)

    def __post_init__(self) -> None:
        self._held = held(self.folder)

    def measure(self, name: str, work: Callable[[], object]) -> None:
        """Do the work of a step, and print what it took."""
        cpu, read, written = _so_far()
        work()
        now = _so_far()
        held_now = held(self.folder)
        kept, self._held = held_now - self._held, held_now
        usage = Usage(now[0] - cpu, now[1] - read, max(0, now[2] - written - kept), max(0, kept))
        step = Step(self.way, name, self.pages, usage, self.rounds if name == "crawl" else 0, self.kept)
        sys.stdout.write(json.dumps(step.to_json()) + "\n")
        sys.stdout.flush()

    def note_rounds(self, corpus: Corpus) -> None:
        """Crawl, and remember in how many rounds."""
        ended = corpus.crawl()
        self.rounds, self.pages = ended.rounds, ended.pages


def held(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(
        os.stat(os.path.join(place, name)).st_size for place, _, names in os.walk(folder) for name in names
    )


def _so_far() -> tuple[float, int, int]:
    """Processor time and bytes read and written, by this process and by its children that have ended."""
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used), *_transferred()


def _transferred() -> tuple[int, int]:
    """Bytes that were read and written, pipes between processes included; nothing where Linux is not."""
    try:
        lines = Path("/proc/self/io").read_text("ascii").splitlines()
    except OSError:
        return 0, 0
    counts = dict(line.split(": ") for line in lines)
    return int(counts["rchar"]), int(counts["wchar"])


if __name__ == "__main__":
    main()
