"""What each panel of the analyzer costs: documents per CPU-second, and the most memory that was held.

    python benchmarks/analyze.py [DOCUMENTS] [FOLDER]
    python benchmarks/analyze.py 1000000        the full size: below 4 GB, and two hours on two cores

Each panel runs in a process of its own, with two workers; the first one that needs counts of text would pay
for the reading, so the reading comes first.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from corpulyzer.api.corpus import open_corpus
from corpulyzer.engine.local import LocalEngine
from corpulyzer.jobs.analyze.run import analyze, bench_for
from corpulyzer.measure.panels import PANELS
from corpulyzer.measure.text.counts import text_counts
from made import HEAD, cost_of, made_corpus

READING = "text_counts"
WORKERS = 2


def run(panel: str, folder: str) -> None:
    """One panel, or the reading of the texts, in this process."""
    corpus = open_corpus(folder)
    with LocalEngine(workers=WORKERS) as engine:
        if panel == READING:
            text_counts(bench_for(corpus, engine))
        else:
            analyze(corpus, engine, [panel], again=True)


def main() -> None:
    if sys.argv[1:2] == ["--panel"]:
        run(sys.argv[2], sys.argv[3])
        return
    documents = int(sys.argv[1]) if sys.argv[1:] else 20_000
    folder = Path(sys.argv[2] if sys.argv[2:] else tempfile.mkdtemp(prefix="corpulyzer-analyze-"))
    made_corpus(folder, documents)
    print(HEAD, flush=True)
    start, cpu, peak = time.perf_counter(), 0.0, 0.0
    for panel in (READING, *(each.name for each in PANELS)):
        cost = cost_of([sys.executable, __file__, "--panel", panel, str(folder)])
        print(cost.line(panel, documents), flush=True)
        cpu, peak = cpu + cost.cpu_seconds, max(peak, cost.peak_gigabytes)
    hours = (time.perf_counter() - start) / 3600
    print(
        f"all of it: {hours:.2f} h by the clock, {cpu / 3600:.2f} h of processor time, {peak:.2f} GB at most"
    )


if __name__ == "__main__":
    main()
