"""What each panel of the analyzer costs: seconds, CPU-seconds, cores that were busy, and memory at most.

    python benchmarks/analyze.py [DOCUMENTS …] [--folder FOLDER] [--panels growth,topics]
    python benchmarks/analyze.py 5000 20000     with what a million documents would cost by these two sizes
    python benchmarks/analyze.py 1000000        the full size: 12 CPU-minutes and 4 GB are the goal

All panels run one after the other in one process with two workers, as `corpulyzer analyze` does it. What they
share comes first: the kept documents, what these show of full stops, and the counts of text.

Most costs go on growing by as much a document. Full stops are learned, and growth is measured, of so many
documents at most; topics cost by the documents that they are fitted to. With several sizes, as large a share
of the word pairs and triples is counted as in the full size.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from made import HEAD, Cost, cost_here, made_corpus

PREPARING, LEARNING, READING = "kept_documents", "full_stops", "text_counts"
MADE = ("corpus", "sentences", "analysis")
WORKERS = 2
FULL = 1_000_000
SAMPLE = 20_000
# The most documents that these look at.
BOUNDED = {LEARNING: 16_384, "growth": SAMPLE}


def run(folder: Path, documents: int, only: set[str], as_full: bool) -> None:
    """Every panel, in this process: a line of the table for each."""
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.corpus.full_stops import learn_stops
    from corpulyzer.corpus.kept_documents import write_kept
    from corpulyzer.engine.local import LocalEngine
    from corpulyzer.jobs.analyze.run import bench_for
    from corpulyzer.measure.bench import Bench
    from corpulyzer.measure.panels import PANELS, Panel
    from corpulyzer.measure.result import Result
    from corpulyzer.measure.text import counts
    from corpulyzer.measure.text.counts import text_counts

    if as_full:
        counts.MOST_RUNS = counts.MOST_RUNS * documents // FULL
    corpus = open_corpus(folder)

    @cache
    def bench() -> Bench:
        return bench_for(corpus, engine)

    def measured(panel: Panel) -> list[Result]:
        return panel(bench())

    costs: dict[str, Cost] = {}
    with LocalEngine(workers=WORKERS) as engine:
        works: dict[str, Callable[[], object]] = {
            PREPARING: lambda: write_kept(corpus.storage, engine),
            LEARNING: lambda: learn_stops(corpus.storage, corpus.config.corpus.language),
            READING: lambda: text_counts(bench()),
        }
        for each in PANELS:
            if not only or each.name in only:
                works[each.name] = partial(measured, each)
        for panel, work in works.items():
            costs[panel] = cost_here(work)
            print(costs[panel].line(panel, documents), flush=True)
    everything = list(costs.values())
    whole = Cost(
        sum(cost.seconds for cost in everything),
        sum(cost.cpu_seconds for cost in everything),
        max(cost.peak_gigabytes for cost in everything),
    )
    print(whole.line("all", documents), flush=True)


def extrapolated(small: tuple[int, dict[str, float]], large: tuple[int, dict[str, float]]) -> None:
    """Print what each panel would cost at the full size."""
    (few, before), (many, after) = small, large
    print(f"\n{'CPU-s':22} {few:>12,} {many:>12,} {FULL:>12,}")
    whole = 0.0
    for panel, cost in after.items():
        if panel == "all":
            expected = whole
        elif panel == "topics":
            expected = cost * _fitted(FULL) / _fitted(many)
        else:
            more = max(0, min(FULL, BOUNDED.get(panel, FULL)) - many)
            expected = cost + max(0.0, cost - before[panel]) / (many - few) * more
        whole += expected
        print(f"{panel:22} {before[panel]:12.1f} {cost:12.1f} {expected:12.1f}")


def _fitted(documents: int) -> int:
    """The documents of the three fits of topics together."""
    from corpulyzer.measure.words.topics import sample_size

    size = sample_size(documents, SAMPLE)
    return size + size // 2 + min(documents, 2 * size)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("documents", type=int, nargs="*", default=[20_000])
    parser.add_argument("--folder", type=Path, help="where the corpora are made, and found again")
    parser.add_argument("--panels", default="", help="only these, with commas")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--as-full", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here:
        run(asked.folder, asked.documents[0], set(filter(None, asked.panels.split(","))), asked.as_full)
        return
    home = asked.folder or Path(tempfile.mkdtemp(prefix="corpulyzer-analyze-"))
    found: list[tuple[int, dict[str, float]]] = []
    for documents in asked.documents:
        folder = home / str(documents)
        made_corpus(folder, documents)
        for made in MADE:  # by an earlier run
            shutil.rmtree(folder / made, ignore_errors=True)
        print(f"{documents:,} documents\n{HEAD}", flush=True)
        own = [str(documents), "--folder", str(folder), "--panels", asked.panels, "--here"]
        own += ["--as-full"] if len(asked.documents) > 1 else []
        with subprocess.Popen([sys.executable, __file__, *own], stdout=subprocess.PIPE, text=True) as process:
            lines = []
            for line in process.stdout or ():
                print(line, end="", flush=True)
                lines.append(line.split())
        if process.returncode:
            sys.exit(f"it ended with {process.returncode}")
        found.append((documents, {words[0]: float(words[2]) for words in lines}))
    if len(found) > 1:
        extrapolated(found[0], found[-1])


if __name__ == "__main__":
    main()
