"""Run the tests again and again, each time in another order, and count what fails now and then.

    python tools/flakes.py --runs 10 --processes 4 --busy 2 -- -m "not slow"

Without arguments: ten runs of the quick tests, four processes, a busy loop on every core. What follows `--`
goes to pytest. The order of a run is that of its seed, which `pytest --shuffle SEED` repeats; what it said is
in `flakes/SEED.log`.
"""

import argparse
import multiprocessing
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

FOLDER = Path("flakes")
PARALLEL = ("--dist", "loadgroup", "--no-loadscope-reorder")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--busy", type=int, default=os.cpu_count(), help="busy loops beside the tests")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of the first run")
    parser.add_argument("pytest", nargs="*", default=["-m", "not slow"])
    chosen = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    failed: Counter[str] = Counter()
    with busy(chosen.busy):
        for seed in range(chosen.seed, chosen.seed + chosen.runs):
            names = run(seed, [*PARALLEL, "-n", str(chosen.processes), *chosen.pytest])
            sys.stdout.write(f"--shuffle {seed}: {len(names)} failed\n")
            sys.stdout.flush()
            failed.update(names)
    for name, count in failed.most_common():
        sys.stdout.write(f"{count} of {chosen.runs} runs: {name}\n")
    return 1 if failed else 0


def run(seed: int, options: list[str]) -> list[str]:
    """The names of the tests that fail in one run, or that of the run if it fails without one."""
    report, log = FOLDER / f"{seed}.xml", FOLDER / f"{seed}.log"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", "--shuffle", str(seed), *options]
    with log.open("wb") as said:
        code = subprocess.run(command, check=False, stdout=said, stderr=said).returncode
    cases = ElementTree.parse(report).iter("testcase") if report.exists() else ()
    names = [
        f"{case.get('classname')}::{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]
    return names or ([f"pytest itself, exit {code}: {log}"] if code else [])


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Run that many busy loops while the `with` block lasts."""
    loops = [multiprocessing.Process(target=spin, daemon=True) for _ in range(count)]
    for loop in loops:
        loop.start()
    try:
        yield
    finally:
        for loop in loops:
            loop.terminate()


def spin() -> None:
    while True:
        pass


if __name__ == "__main__":
    sys.exit(main())
