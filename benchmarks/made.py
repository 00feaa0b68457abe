"""A made-up corpus of any size, and what a command costs on it.

Documents of 250 words are drawn from a Zipfian vocabulary, with sites of Zipfian size; one in twenty is
dropped, one in thirty a copy of the one before. Benchmarks share the folder, made where it is missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from corpulyzer.api.corpus import create
from corpulyzer.records import EPOCH, KEEP, Document, Fetch, Paragraph, drop
from corpulyzer.records.columns import batch_of

LANGUAGE = "xho"
WORDS = 250
SENTENCE_WORDS = 14
SENTENCES_A_PARAGRAPH = 5
VOCABULARY = 2_000_000
DOCUMENTS_A_FILE = 2_000
SITES = 1_000
PAGE_BYTES = 20_000
LICENSES = ("", "", "", "cc-by", "cc-by-sa")
WATCH_SECONDS = 0.5


def made_corpus(folder: Path, documents: int) -> None:
    """Make the corpus in a folder, unless it is there."""
    if (folder / "documents").exists():
        return
    create(LANGUAGE, folder)
    rng = np.random.default_rng(1)
    words = np.array(_vocabulary())
    weights = np.cumsum(1 / (np.arange(VOCABULARY) + 2.7) ** 1.05)
    for number, start in enumerate(range(0, documents, DOCUMENTS_A_FILE)):
        count = min(DOCUMENTS_A_FILE, documents - start)
        drawn = np.searchsorted(weights, rng.random((count, WORDS)) * weights[-1])
        sites = rng.zipf(1.5, count) % SITES
        rows = list(_documents(words, drawn, sites, start))
        _write(folder, "documents", number, batch_of(rows, Document))
        _write(folder, "fetches", number, batch_of([_fetch(row) for row in rows], Fetch))


def _write(folder: Path, table: str, number: int, batch: pa.RecordBatch) -> None:
    target = folder / table / "round=00000" / f"a-{number:05d}.00000.parquet"
    target.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_batches([batch]), target, compression="zstd", row_group_size=500)


def _vocabulary() -> list[str]:
    """Words of syllables, the frequent ones short."""
    syllables = [a + b for a in "bdfghjklmnprstvwz" for b in "aeiou"]
    made = []
    for number in range(VOCABULARY):
        word, rest = "", number + 1
        while rest:
            rest, digit = divmod(rest, len(syllables))
            word += syllables[digit]
        made.append(word)
    return made


def _documents(words: np.ndarray, drawn: np.ndarray, sites: np.ndarray, start: int) -> Iterator[Document]:
    before = ""
    for place, (row, site) in enumerate(zip(drawn, sites, strict=True)):
        text = before if place % 30 == 29 else _text(words[row])
        before = text
        number = start + place
        spans, at = [], 0
        for line in text.split("\n"):
            spans.append(Paragraph(at, at + len(line), "p", LANGUAGE, 0.9, {LANGUAGE: len(line)}))
            at += len(line) + 1
        yield Document(
            id=number * 2_654_435_761 % (1 << 61), url_id=number, url=f"https://s{site}.za/{number}",
            site=f"s{site}.za", round=0, archive=f"a-{start // DOCUMENTS_A_FILE:05d}", offset=number,
            record_id="", date=EPOCH, status=200, mime="text/html", charset="utf-8", raw_bytes=PAGE_BYTES,
            raw_digest=str(number), truncated=False, title="", declared_language="xh", canonical="",
            author="", published="", text=text, text_digest=str(number), text_bytes=len(text), tokens=WORDS,
            paragraphs=tuple(spans), languages={LANGUAGE: len(text)}, language=LANGUAGE,
            target_bytes=len(text), target_characters=len(text), license=LICENSES[number % len(LICENSES)],
            licenses=(), machine_translation="", labels={}, scores={},
            verdict=drop("length", found=3) if place % 20 == 19 else KEEP,
        )  # fmt: skip


def _fetch(document: Document) -> Fetch:
    return Fetch(
        id=document.id, url_id=document.url_id, url=document.url, site=document.site, round=0,
        archive=document.archive, offset=document.offset, length=PAGE_BYTES, status=200, mime="text/html",
        payload_bytes=PAGE_BYTES, digest=document.raw_digest,
    )  # fmt: skip


def _text(words: np.ndarray) -> str:
    sentences = [
        " ".join(words[start : start + SENTENCE_WORDS]).capitalize() + "."
        for start in range(0, len(words), SENTENCE_WORDS)
    ]
    starts = range(0, len(sentences), SENTENCES_A_PARAGRAPH)
    return "\n".join(" ".join(sentences[start : start + SENTENCES_A_PARAGRAPH]) for start in starts)


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds by the clock and of the processor, and the most memory that all processes held at once."""

    seconds: float
    cpu_seconds: float
    peak_gigabytes: float

    @property
    def cores(self) -> float:
        """How many cores were busy, on average."""
        return self.cpu_seconds / self.seconds

    def line(self, name: str, documents: int) -> str:
        """A line of a table."""
        rate = documents / max(self.cpu_seconds, 0.01)  # the clock ticks a hundred times a second
        return (
            f"{name:22} {self.seconds:9.1f} {self.cpu_seconds:9.1f} {self.cores:6.2f} {rate:16,.0f} "
            f"{self.peak_gigabytes:7.2f}"
        )


HEAD = f"{'':22} {'seconds':>9} {'CPU-s':>9} {'cores':>6} {'documents/CPU-s':>16} {'GB':>7}"


def cost_of(command: Sequence[str]) -> Cost:
    """What a command costs, the processes that it starts included; memory that they share counts once."""
    start = time.perf_counter()
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    with _watching(run.pid) as peaks:
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        sys.exit(f"{' '.join(command)} ended with {run.returncode}")
    return Cost(time.perf_counter() - start, used.ru_utime + used.ru_stime, max(peaks) / 1e9)


def cost_here(work: Callable[[], object]) -> Cost:
    """What some work in this process costs, its workers included, those that wait for more too."""
    start, before = time.perf_counter(), _cpu_seconds()
    with _watching(os.getpid()) as peaks:
        work()
    return Cost(time.perf_counter() - start, _cpu_seconds() - before, max(peaks) / 1e9)


def _cpu_seconds() -> float:
    """Processor time of this process and of all that it has started."""
    total = 0.0
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        try:
            total += sum(process.cpu_times()[:4])  # own and that of children that have ended
        except psutil.Error:  # it has just ended
            continue
    return total


@contextmanager
def _watching(pid: int) -> Iterator[list[int]]:
    """The memory that a process and those that it started hold, every now and then."""
    peaks, ended = [0], threading.Event()
    watcher = threading.Thread(target=_watch, args=(pid, ended, peaks))
    watcher.start()
    try:
        yield peaks
    finally:
        ended.set()
        watcher.join()


def _watch(pid: int, ended: threading.Event, peaks: list[int]) -> None:
    while not ended.wait(WATCH_SECONDS):
        total = 0
        try:
            processes = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        except psutil.Error:
            continue
        for process in processes:
            try:
                total += process.memory_full_info().pss
            except psutil.Error:  # it has just ended
                continue
        peaks.append(total)
