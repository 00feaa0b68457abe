"""Whether `corpulyzer estimate` is right: what it says beside what runs of several sizes take here.

    python benchmarks/estimate.py [2000 10000 40000] [--ways batch crawl] [--units FILE]

Units are measured first, as the command does it, or read from a file; then every size is run as a whole. The
goal is that the processor time of all steps is within 25 % of what was said.
"""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

from corpulyzer.corpus.settings.config import Config
from corpulyzer.lab.estimate import batch, crawl, measured
from corpulyzer.lab.estimate.units import Step, Unit, Usage, read_units, write_units

RUNS = {"batch": batch, "crawl": crawl}
NAMES = ("CPU-s", "MB read", "MB passed on", "MB kept")


def main() -> None:
    """Measure, run, and print a table for each size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sizes", type=int, nargs="*", default=[2_000, 10_000, 40_000])
    parser.add_argument("--ways", nargs="+", choices=RUNS, default=list(RUNS))
    parser.add_argument("--units", type=Path, help="keeps the units; read if it is there")
    asked = parser.parse_args()
    config = Config()
    if asked.units and asked.units.exists():
        units = read_units(asked.units)
    else:
        units = measured(config)
        if asked.units:
            write_units(asked.units, units)
    for size in asked.sizes:
        for way in asked.ways:
            compare(way, size, units[way], RUNS[way](size), config.crawl.round_pages)


def compare(way: str, size: int, units: tuple[Unit, ...], steps: list[Step], round_pages: int) -> None:
    """Print what was said of each step of a run, what it took, and the ratio."""
    print(f"\n{way}, {size:,} pages: said, taken, said/taken")
    print(f"{'':18}" + "".join(f"{name:>30}" for name in NAMES))
    said = {unit.name: unit.of(steps[0].pages, round_pages) for unit in units}
    taken = {step.name: step.usage for step in steps}
    said["all"], taken["all"] = sum(said.values(), Usage()), sum(taken.values(), Usage())
    for name, usage in said.items():
        print(f"{name:18}" + "".join(cells(usage, taken[name])), flush=True)


def cells(said: Usage, taken: Usage) -> list[str]:
    """Three numbers for each thing that is counted."""
    found = []
    for each in fields(Usage):
        scale = 1.0 if each.name == "cpu_seconds" else 1e-6
        ours, real = getattr(said, each.name) * scale, getattr(taken, each.name) * scale
        found.append(f"{ours:12.1f}{real:10.1f}{ours / max(real, 1e-9):8.2f}")
    return found


if __name__ == "__main__":
    main()
