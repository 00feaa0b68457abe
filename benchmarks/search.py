"""The concordance: size of the index, time to build it, memory, and how soon it answers.

    python benchmarks/search.py [--documents 50000] [--words 400] [--index tantivy]
    python benchmarks/search.py --documents 1000000        the full size, which must stay below 4 GB

Words are drawn by Zipf's law from a vocabulary that grows with the corpus (Heaps, β = 0.6), so that the index
has the rare words of a real one. Latency is that of a page of 50 lines from a cold connection: words of every
frequency, phrases out of the texts, prefixes of four letters, and words of one site.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from corpulyzer.language import Language
from corpulyzer.search.index import Index, Kind
from corpulyzer.search.kwic import kwic
from corpulyzer.search.matches import Only, find
from corpulyzer.search.measures import collocations
from corpulyzer.search.query import parse
from corpulyzer.search.rows import Entry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROWS = 2_000
SITES = 500
QUERIES = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--words", type=int, default=400, help="words of a document, on average")
    parser.add_argument("--index", choices=get_args(Kind), default="fts5", help="what finds the words")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        index = Index(Path(folder) / "concordance.sqlite", Language.find("xho"), asked.index)
        texts = Texts(asked.documents, asked.words)
        build(index, texts)
        answers(index, texts)


class Texts:
    """Documents of made-up words, the same on every run."""

    def __init__(self, documents: int, words: int) -> None:
        self.documents, self.words = documents, words
        self.vocabulary = _vocabulary(int(10 * (documents * words) ** 0.6))

    def part(self, number: int) -> list[Entry]:
        """The documents of a part."""
        import numpy as np

        rng = np.random.default_rng(number)
        first = number * ROWS
        return [self._document(first + place, rng) for place in range(min(ROWS, self.documents - first))]

    def parts(self) -> Iterator[tuple[str, list[Entry]]]:
        for number in range(-(-self.documents // ROWS)):
            yield f"{number:05d}", self.part(number)

    def _document(self, number: int, rng: Any) -> Entry:
        size = max(60, int(rng.lognormal(0, 0.6) * self.words * 0.85))
        ranks = self._ranks(size, rng)
        words = [self.vocabulary[rank] for rank in ranks]
        lines = [" ".join(words[start : start + 60]) + "." for start in range(0, len(words), 60)]
        site = f"site{int(SITES * rng.random() ** 3)}.example"
        return Entry(number, f"https://{site}/{number}", site, "", "", number, 0.5, "\n".join(lines))

    def _ranks(self, size: int, rng: Any) -> NDArray[np.int64]:
        """Ranks by Zipf's law with exponent 1: evenly spread on a logarithmic scale."""
        import numpy as np

        drawn: NDArray[np.int64] = (len(self.vocabulary) ** rng.random(size)).astype(np.int64) - 1
        return drawn


def _vocabulary(size: int) -> list[str]:
    rng = random.Random(0)
    syllables = [first + vowel for first in "bcdfghjklmnpqstvwxyz" for vowel in "aeiou"]
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(rng.choices(syllables, k=rng.randint(1 if len(words) < 90 else 2, 6)))] = None
    return list(words)


def build(index: Index, texts: Texts) -> None:
    taken = made = size = 0.0
    for name, entries in texts.parts():
        start = time.process_time()
        index.put(name, "1", entries)
        taken += time.process_time() - start
        size += sum(len(entry.text.encode()) for entry in entries)
    start = time.process_time()
    index.tidy()
    made = time.process_time() - start
    on_disk = sum(file.stat().st_size for file in index.path.parent.rglob("*") if file.is_file())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(index.kind)
    print(
        f"{texts.documents:,} documents, {size / 1e6:,.0f} MB of text, {len(texts.vocabulary):,} word types"
    )
    print(f"build {taken:,.1f} s of processor time, {texts.documents / taken:,.0f} documents a second")
    print(f"merge {made:,.1f} s; index with texts {on_disk / 1e6:,.0f} MB, {on_disk / size:.2f} of the text")
    print(f"memory at most {memory:.2f} GB")


def answers(index: Index, texts: Texts) -> None:
    rng = random.Random(1)
    some = texts.part(0)
    words, phrases = [], []
    for _ in range(QUERIES):
        words.append(texts.vocabulary[int(len(texts.vocabulary) ** rng.random()) - 1])
        line = rng.choice(rng.choice(some).text.split("\n")).rstrip(".").split()
        place = rng.randrange(max(1, len(line) - 2))
        phrases.append(" ".join(line[place : place + 2]))
    site = Only(site="site0.example")
    report("words", [lambda q=q: kwic(index, q, limit=50) for q in words])
    report("words, sorted", [lambda q=q: kwic(index, q, limit=50, order="after") for q in words])
    report("phrases", [lambda q=q: kwic(index, q, limit=50) for q in phrases])
    report("prefixes", [lambda q=q: kwic(index, f"{q[:4]}*", limit=50) for q in words])
    report("words of a site", [lambda q=q: kwic(index, q, limit=50, only=site) for q in words])
    report(
        "collocations",
        [lambda q=q: collocations(index, find(index, parse(q, index.language))) for q in words],
    )
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def report(name: str, asks: list[Any]) -> None:
    """Print median and 95th percentile, by the clock and of processor time: on a busy machine they differ."""
    by_clock, of_processor = [], []
    for ask in asks:
        start, used = time.perf_counter(), time.process_time()
        ask()
        by_clock.append(1000 * (time.perf_counter() - start))
        of_processor.append(1000 * (time.process_time() - used))
    shown = [
        f"median {taken[len(taken) // 2]:7.1f}, p95 {taken[int(len(taken) * 0.95)]:7.1f} ms"
        for taken in (sorted(by_clock), sorted(of_processor))
    ]
    print(f"{name:16} {shown[0]}; processor {shown[1]}")


if __name__ == "__main__":
    main()
