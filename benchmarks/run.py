"""A whole corpus, step by step: seconds, CPU-seconds, cores that were busy, and memory at most.

    python benchmarks/run.py [--pages 1000]             `corpulyzer run` on the built-in web, served beside it
    python benchmarks/run.py --documents 20000          the same of imported pages, with annotation and index

All steps run in one process, as the command does it; workers count, the server of the web does not.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from made import HEAD, Cost, cost_here

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus
    from corpulyzer.engine import Engine

CRAWLED, IMPORTED = "urd", "xho"
WORD = "abantu"
SLOW = ("topics", "growth", "vocabulary")
Steps = dict[str, Callable[[], object]]


def crawled(folder: Path, pages: int) -> None:
    """Crawl the built-in web, which a process of its own serves."""
    web = [
        sys.executable,
        "-m",
        "corpulyzer.lab.demo.web",
        "--target",
        CRAWLED,
        "--seeds",
        folder / "seeds.txt",
    ]
    served = subprocess.Popen([str(word) for word in web], stdout=subprocess.PIPE, text=True)
    try:
        assert served.stdout is not None
        proxy = served.stdout.readline().split()[1]
        served.stdout.readline()  # the seeds are written
        _here("--pages", str(pages), "--proxy", proxy, "--folder", str(folder))
    finally:
        served.terminate()
        served.wait()


def imported(folder: Path, documents: int) -> None:
    """Import made pages."""
    from again import Pages

    Pages(documents).write(folder / "pages.jsonl", documents)
    _here("--documents", str(documents), "--folder", str(folder))


def _here(*words: str) -> None:
    subprocess.run([sys.executable, __file__, "--here", *words], check=True)


def measure(folder: Path, proxy: str, pages: int, documents: int) -> None:
    """Every step in this process: a line of the table for each."""
    from corpulyzer.api.corpus import create, open_corpus

    created = create(CRAWLED if proxy else IMPORTED, folder / "corpus")
    if proxy:
        flags = {
            "crawl.contact": "benchmark@corpulyzer.example",
            "crawl.pages": pages,
            "fetch.proxy": proxy,
            "fetch.delay_seconds": 0.0,
            "fetch.allow_private": True,
        }
        created.add_seeds(folder / "seeds.txt")
        corpus = open_corpus(folder / "corpus", flags)
    else:
        corpus = created
    print(HEAD, flush=True)
    costs = []
    with corpus.engine() as engine:
        for name, step in steps(corpus, engine, folder, crawls=bool(proxy)).items():
            costs.append(cost_here(step))
            print(costs[-1].line(name, documents or pages), flush=True)
    seconds, cpu = (sum(getattr(cost, each) for cost in costs) for each in ("seconds", "cpu_seconds"))
    whole = Cost(seconds, cpu, max(cost.peak_gigabytes for cost in costs))
    print(whole.line("all", documents or pages), flush=True)


def steps(corpus: Corpus, engine: Engine, folder: Path, *, crawls: bool) -> Steps:
    """What is done, in this order; panels that cost the most by themselves."""
    from corpulyzer.corpus.full_stops import learn_stops
    from corpulyzer.corpus.kept_documents import write_kept
    from corpulyzer.jobs.analyze.run import analyze, bench_for
    from corpulyzer.measure.text.counts import text_counts
    from corpulyzer.report import write_report

    def counts() -> None:
        write_kept(corpus.storage, engine)
        learn_stops(corpus.storage, corpus.config.corpus.language)
        text_counts(bench_for(corpus, engine))

    first: Steps = (
        {"crawl": lambda: corpus.crawl(engine=engine), "process": lambda: corpus.process(engine=engine)}
        if crawls
        else {"import": lambda: corpus.import_(folder / "pages.jsonl", engine=engine)}
    )
    more: Steps = (
        {}
        if crawls
        else {
            "annotate": lambda: corpus.annotate(engine=engine),
            "search index": lambda: corpus.search(WORD),
            "export hf": lambda: corpus.export("hf", engine=engine),
        }
    )
    return {
        **first,
        "dedup": lambda: corpus.dedup(engine=engine),
        "counts of text": counts,
        **{panel: partial(analyze, corpus, engine, [panel]) for panel in SLOW},
        "other measures": lambda: analyze(corpus, engine),
        "report": lambda: write_report(corpus, engine),
        **more,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=int, default=1_000, help="pages to crawl")
    parser.add_argument("--documents", type=int, default=0, help="pages to import instead")
    for hidden in ("--proxy", "--folder"):
        parser.add_argument(hidden, default="", help=argparse.SUPPRESS)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here:
        measure(Path(asked.folder), asked.proxy, asked.pages, asked.documents)
        return
    with tempfile.TemporaryDirectory() as folder:
        if asked.documents:
            imported(Path(folder), asked.documents)
        else:
            crawled(Path(folder), asked.pages)


if __name__ == "__main__":
    main()
