"""Main content: seconds of processor time a page beside other extractors, and time against size.

    python benchmarks/extract.py [--pages 300] [--rounds 3] [--sizes]

Each extractor takes all pages, as bytes, in each round, in one process: decoding and parsing are counted with
it. Per page the least of the rounds counts, since others use the machine too. With --sizes: pages of four
hostile shapes, each beside one a tenth of its size, and the ratio of the medians of five runs; 10 is linear.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import tarfile
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from corpulyzer.errors import UserError
from corpulyzer.lab.evaluate.extraction import TextOf, text_of
from corpulyzer.page.extract import extract
from corpulyzer.page.extract.decode import decode
from corpulyzer.page.extract.default.main_content import main_content
from corpulyzer.page.extract.parse import parse
from corpulyzer.page.extract.walk import blocks_of
from corpulyzer.records import Page

HERE = Path(__file__).parent
SHARED = HERE.parent.parent / "shared" / "data" / "extraction"
OWN = HERE.parent / "tests" / "data" / "extraction" / "own" / "html"
PEERS = ("resiliparse", "trafilatura", "readability", "boilerpy3")
RUNS = 5
SHAPES: dict[str, Callable[[int], str]] = {
    "20 MB of prose": lambda tenths: (
        "<p>" + "Rečenica koja se ponavlja, i tako dalje.</p><p>" * (46_500 * tenths)
    ),
    "10 MB of table rows": lambda tenths: "<table>" + "<tr><td>a<td>b</tr>" * (52_500 * tenths) + "</table>",
    "50,000 nested divs": lambda tenths: "<div>" * (5_000 * tenths) + "tekst" + "</div>" * (5_000 * tenths),
    "100,000 links": lambda tenths: "<a href=/x>poveznica</a> " * (10_000 * tenths),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", action="store_true")
    asked = parser.parse_args()
    if asked.sizes:
        compare_sizes()
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(pages_in(Path(folder), asked.pages), asked.rounds)


def pages_in(folder: Path, count: int) -> list[bytes]:
    """Pages of the shared sets, drawn at random; our own gold pages where there are none."""
    for archive in sorted(SHARED.glob("*.tar.gz")):
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
    files = sorted(folder.glob("*/html/*.html")) or sorted(OWN.glob("*.html"))
    random.Random(1).shuffle(files)
    return [file.read_bytes() for file in files[:count]]


def compare(pages: Sequence[bytes], rounds: int) -> None:
    """Print milliseconds a page of each extractor, and how many times ours it takes."""
    extractors: dict[str, TextOf] = {"main content": text_alone, "extract": with_everything}
    for name in PEERS:
        try:
            extractors[name] = text_of(name)
        except UserError as missing:
            print(f"{missing.message} {missing.hint}")
    for run in extractors.values():
        run(pages[0], "")
    least = {name: [9e9] * len(pages) for name in extractors}
    for _ in range(rounds):
        for name, run in extractors.items():
            for number, page in enumerate(pages):
                least[name][number] = min(least[name][number], seconds(run, page))
    means = {name: statistics.fmean(taken) for name, taken in least.items()}
    print(f"{len(pages)} pages of {statistics.fmean(map(len, pages)) / 1e3:.0f} KB on average")
    for name, mean in means.items():
        times = mean / means["main content"]
        print(f"{name:14} {1e3 * mean:8.2f} ms a page {1 / mean:8.0f} a second {times:6.2f} ×")


def text_alone(html: bytes, url: str) -> str:
    """Decode, parse, walk, choose: what other extractors do."""
    tree = parse(decode(Page(url, body=html, mime="text/html"))).tree
    return "\n".join(block.text for block in main_content(blocks_of(tree))) if tree else ""


def with_everything(html: bytes, url: str) -> str:
    """The whole stage: links, title, author, date and language too."""
    return extract(html, url=url).text


def seconds(run: TextOf, html: bytes) -> float:
    start = time.process_time()
    run(html, "")
    return time.process_time() - start


def compare_sizes() -> None:
    """Print how many times longer a page takes than one a tenth of its size."""
    for name, page in SHAPES.items():
        text_alone(page(1).encode(), "")
        small, large = (median_seconds(page(tenths).encode()) for tenths in (1, 10))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(
            f"{name:22} {large:7.2f} s, {large / small:5.1f} times a tenth; at most {memory:,.0f} MB so far"
        )


def median_seconds(html: bytes) -> float:
    return statistics.median(seconds(text_alone, html) for _ in range(RUNS))


if __name__ == "__main__":
    main()
