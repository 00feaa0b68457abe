"""Throughput of identification beside CLD2 alone and other identifiers, by page and by paragraph.

python benchmarks/identify.py [FOLDER] [--peers py3langid,lingua]

FOLDER has a text file for each language, a sentence a line; without one, prose of the demo is used. Pages are
20 paragraphs of about 300 characters. `bare` is the library's own call on the text of a page, without bytes
by paragraph; the share is of `cld2`, which counts them. Three fifths of each language's pages are identified
first, as in a crawl (without compiled code their words are cached); only the rest, which is new, is timed:
processor time, best of three, with caches emptied in between.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pycld2

from corpulyzer.lab.evaluate.peers import peer
from corpulyzer.page.identify.scorer import Scorer
from corpulyzer.page.identify.training.samples import code_in, joined, read_lines

NEEDS_DECIDER = ("hrv", "xho", "urd", "ind", "dan", "ces")
NEEDS_NONE = ("fin", "deu", "eng", "fra", "pol", "hun")
PARAGRAPHS_PER_PAGE = 20
RUNS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="*", help="folders with a text file for each language")
    parser.add_argument("--peers", default="", help="other identifiers, by name")
    arguments = parser.parse_args()
    text = read_text([Path(folder) for folder in arguments.folder])
    names = ["cld2", "ensemble", "bare", *filter(None, arguments.peers.split(","))]
    print(f"{'':34}" + "".join(f"{name:>12}" for name in names) + f"{'ensemble/cld2':>16}")
    for title, codes in (("needs the group decider", NEEDS_DECIDER), ("does not", NEEDS_NONE)):
        for unit, split in (("pages", pages), ("paragraphs", single)):
            row(f"{title}, {unit}", [split(text[code]) for code in codes if code in text], names)


def row(title: str, streams: Sequence[list[list[str]]], names: Sequence[str]) -> None:
    """One line: megabytes a second of each identifier, all languages together."""
    if not streams:
        return
    size = sum(len(p.encode()) for units in streams for unit in measured(units) for p in unit)
    speeds = [size / 1e6 / sum(seconds(named(name), units) for units in streams) for name in names]
    ratio = speeds[1] / speeds[0]
    print(f"{title:34}" + "".join(f"{speed:12.1f}" for speed in speeds) + f"{ratio:16.2f}")


def named(name: str) -> Callable[[list[str]], object]:
    return bare if name == "bare" else peer(name)


def bare(paragraphs: list[str]) -> object:
    """CLD2's own answer to a whole page, by a single call."""
    return pycld2.detect("\n".join(paragraphs), isPlainText=True)


def seconds(identifier: Callable[[list[str]], object], units: list[list[str]]) -> float:
    """Processor time of the measured units after the others, the best of a few runs."""
    runs = []
    for _ in range(RUNS):
        forget()
        for unit in units[: len(units) * 3 // 5]:
            identifier(unit)
        runs.append(clock(lambda: [identifier(unit) for unit in measured(units)]))
    return min(runs)


def forget() -> None:
    """Drop every word that a table remembers; the tables themselves stay."""
    for scorer in (each for each in gc.get_objects() if isinstance(each, Scorer)):
        scorer.forget()


def clock(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def measured(units: list[list[str]]) -> list[list[str]]:
    return units[len(units) * 3 // 5 :]


def pages(paragraphs: list[str]) -> list[list[str]]:
    return [paragraphs[i : i + PARAGRAPHS_PER_PAGE] for i in range(0, len(paragraphs), PARAGRAPHS_PER_PAGE)]


def single(paragraphs: list[str]) -> list[list[str]]:
    return [[paragraph] for paragraph in paragraphs]


def read_text(folders: Sequence[Path]) -> dict[str, list[str]]:
    """Paragraphs by language, in an order that mixes the sources."""
    lines: dict[str, list[str]] = {}
    for folder in folders:
        for file in sorted(folder.glob("*.txt")):
            code = code_in(file.stem)
            if code in NEEDS_DECIDER + NEEDS_NONE:
                lines.setdefault(code, []).extend(read_lines(file))
    text = {code: list(joined(each, 300)) for code, each in lines.items()} or own_text()
    for paragraphs in text.values():
        Random(1).shuffle(paragraphs)
    return text


def own_text() -> dict[str, list[str]]:
    from corpulyzer.lab.demo.prose import LANGUAGES, Prose

    rng = Random(1)
    return {code: [Prose(code).paragraph(rng, 4) for _ in range(400)] for code in LANGUAGES}


if __name__ == "__main__":
    main()
