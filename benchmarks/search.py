"""The concordance: size of the index, time to build it, memory, and how soon it answers.

    python benchmarks/search.py [--documents 50000] [--words 400] [--each 20] [--only KIND] [--folder DIR]
    python benchmarks/search.py --documents 1000000 --folder DIR --keep      the full size: 4 GB of disk

Words are drawn by Zipf's law from a vocabulary that grows with the corpus (Heaps, β = 0.6), so that the index
has the rare words of a real one. Each question is asked with words of three bands of frequency, twice: cold,
when nothing of the index is in memory, and warm. Times are of the processor, so that they hold for one core
of a machine that has other work; the time by the clock is shown, too. `--keep` leaves the index in the
folder, and goes on with one that was cut short.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.jobs.search.company import compared_in
from corpulyzer.jobs.search.concordance import Matches, matches_in
from corpulyzer.language import Language
from corpulyzer.search.company.thesaurus import LEAST, neighbours
from corpulyzer.search.finding.only import EVERYTHING, Only
from corpulyzer.search.index import Index
from corpulyzer.search.keywords import keywords
from corpulyzer.search.kwic import kwic
from corpulyzer.search.lists import Wanted, listed
from corpulyzer.search.rows import Entry
from corpulyzer.search.shards import shard

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROWS = 2_000
SITES = 500
BANDS = {"the 100 most frequent": (0, 100), "to rank 10,000": (100, 10_000), "rarer": (10_000, 10**9)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--words", type=int, default=400, help="words of a document, on average")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    parser.add_argument("--keep", action="store_true", help="leave the index in the folder, and use it again")
    parser.add_argument("--each", type=int, default=20, help="questions of each band")
    parser.add_argument(
        "--only", action="append", default=[], metavar="KIND", help="ask these questions alone"
    )
    asked = parser.parse_args()
    texts = Texts(asked.documents, asked.words)
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        place = asked.folder if asked.keep else Path(folder)
        index = Index(place / "concordance.sqlite", Language.find("xho"))
        build(index, texts)
        answers(index, texts, asked.each, asked.only)


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

    def parts(self) -> dict[str, int]:
        """The numbers of all parts by their names."""
        return {f"{number:05d}": number for number in range(-(-self.documents // ROWS))}

    def drawn(self, rng: random.Random, low: int, high: int) -> str:
        """A word of some ranks, by Zipf's law."""
        first, last = max(1, low), min(high, len(self.vocabulary))
        return self.vocabulary[int(first * (last / first) ** rng.random()) - 1]

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
    taken = size = 0.0
    made = index.made()
    for name, number in texts.parts().items():
        if name in made:
            continue
        entries = texts.part(number)
        start = time.process_time()
        index.put(name, "1", entries)
        taken += time.process_time() - start
        size += sum(len(entry.text.encode()) for entry in entries)
    if not taken:
        return
    start = time.process_time()
    index.tidy()
    merged = time.process_time() - start
    on_disk = sum(file.stat().st_size for file in _files(index))
    print(
        f"{texts.documents:,} documents, {size / 1e6:,.0f} MB of text, {len(texts.vocabulary):,} word types"
    )
    rate = size / 1e6 / (taken + merged)
    print(f"built in {taken:,.1f} s of processor time, merged in {merged:,.1f} s: {rate:.2f} MB a second")
    print(f"index with texts {on_disk / 1e6:,.0f} MB, {on_disk / size:.2f} of the text")
    print(f"memory at most {_memory():.2f} GB", flush=True)


def _files(index: Index) -> list[Path]:
    return [file for file in index.path.parent.rglob("*") if file.is_file()]


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def answers(index: Index, texts: Texts, each: int, only: Sequence[str]) -> None:
    rng, some = random.Random(1), texts.part(0)
    words = {band: [texts.drawn(rng, *ranks) for _ in range(each)] for band, ranks in BANDS.items()}
    here = Counter(word.strip(".") for entry in some for word in entry.text.split())
    beside = dict(_pairs(some))
    site = Only(site="site0.example")

    def found(query: str, only: Only = EVERYTHING) -> Matches:
        return matches_in(index, query, only)

    def pattern(word: str) -> str:
        return f'[lc="{word}"] []{{0,2}} [lc="{word[:2]}.*"]'

    kinds: dict[str, Callable[[str], Any]] = {
        "lines of a word": lambda q: kwic(index, q, limit=50),
        "lines of a phrase": lambda q: kwic(index, f"{q} {beside.get(q, texts.vocabulary[0])}", limit=50),
        "lines of a site": lambda q: kwic(index, q, limit=50, only=site),
        "word list": lambda q: listed(index, Wanted()),
        "word list by beginning": lambda q: listed(index, Wanted(like=f"{q[:2]}.*")),
        "word list by ending": lambda q: listed(index, Wanted(like=f".*{q[-4:]}")),
        "lines of a prefix": lambda q: kwic(index, f"{q[:4]}*", limit=50),
        "sorted lines": lambda q: kwic(index, q, limit=50, order="after"),
        "CQL": lambda q: kwic(index, pattern(q), limit=50),
        "CQL by ending": lambda q: kwic(index, f'[word=".*{q[-4:]}"]', limit=50),
        "collocations": lambda q: found(q).collocations(),
        "collocations of a site": lambda q: found(q, site).collocations(),
        "distribution by month": lambda q: found(q).distribution(),
        "distribution by site": lambda q: found(q).sites(),
        "sketch": lambda q: found(q).sketch(),
        "two words compared": lambda q: compared_in(index, q, texts.vocabulary[1], 5, EVERYTHING),
        "keywords": lambda q: keywords(index, here),
        "pairs of words": lambda q: listed(index, Wanted(n=2)),
    }
    print(f"milliseconds, median and 95th percentile of {each} questions a band; (by the clock)")
    print(f"{'':24} {'  '.join(BANDS)} | warm | cold")
    for name, ask in kinds.items():
        if not only or name in only:
            report(name, ask, index, words)
    if not only or "thesaurus" in only:
        _thesaurus(index, texts, words)
    print(f"memory at most {_memory():.2f} GB")


def _pairs(entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Words that stand side by side in a text."""
    for entry in entries:
        for line in entry.text.split("\n"):
            own = line.strip(".").split()
            yield from pairwise(own)


def _thesaurus(index: Index, texts: Texts, words: dict[str, list[str]]) -> None:
    start = time.process_time()
    neighbours(index, texts.vocabulary[0])
    print(f"vectors for the thesaurus learned in {time.process_time() - start:.1f} s, once for each state")
    frequent = {band: some for band, some in words.items() if band != "rarer"}
    print(f"(of words that come {LEAST} times, so not of the rarest)")
    report("thesaurus", lambda q: neighbours(index, q), index, frequent)


def report(name: str, ask: Callable[[str], Any], index: Index, words: dict[str, list[str]]) -> None:
    warm: dict[str, list[tuple[float, float]]] = {}
    cold = list[tuple[float, float]]()
    for band, some in words.items():
        for word in some:
            _forget(index)
            cold.append(_timed(ask, word))
            warm.setdefault(band, []).append(_timed(ask, word))
    bands = " ".join(f"{_percentile(own, 0.5):7.1f} {_percentile(own, 0.95):7.1f}" for own in warm.values())
    every = [both for own in warm.values() for both in own]
    ends = (f"{_percentile(own, 0.95):7.1f} ({_percentile(own, 0.95, 0):7.1f})" for own in (every, cold))
    print(f"{name:24} {bands} | {' | '.join(ends)}", flush=True)


def _forget(index: Index) -> None:
    """Let the system forget what it has read of the index."""
    shard.forget()
    for file in _files(index):
        with open(file, "rb") as opened:
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _timed(ask: Callable[[str], Any], word: str) -> tuple[float, float]:
    """Milliseconds by the clock, and of the processor."""
    clock, used = time.perf_counter(), time.process_time()
    ask(word)
    return 1000 * (time.perf_counter() - clock), 1000 * (time.process_time() - used)


def _percentile(times: Sequence[tuple[float, float]], share: float, which: int = 1) -> float:
    """A percentile of the processor's time, or with 0 of the clock's."""
    return sorted(both[which] for both in times)[int(share * (len(times) - 1) + 0.5)]


if __name__ == "__main__":
    main()
