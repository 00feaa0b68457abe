"""What each panel of the analyzer costs: documents per CPU-second, and the most memory that was held.

    python benchmarks/analyze.py [DOCUMENTS] [FOLDER]

Documents of 250 words are drawn from a Zipfian vocabulary, with sites of Zipfian size. Each panel runs in a
process of its own; the first one that needs counts of text pays for the reading.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from corpulyzer.analyze.bench import Bench
from corpulyzer.analyze.text_counts import text_counts
from corpulyzer.engine import Dataset
from corpulyzer.engine.local import LocalEngine
from corpulyzer.language import Language
from corpulyzer.record import EPOCH, KEEP, Document, Edge, Fetch, Paragraph, batch_of, drop, schema_of

WORDS = 250
SENTENCE_WORDS = 14
SENTENCES_A_PARAGRAPH = 5
VOCABULARY = 2_000_000
DOCUMENTS_A_FILE = 2_000
SITES = 1_000
PANELS = (
    *("vocabulary", "frequency", "growth", "topics", "keywords", "quality", "scripts", "confusables"),
    *("machine_translation", "pii", "readability", "rejects"),
)


def vocabulary() -> list[str]:
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


def make(folder: Path, documents: int) -> None:
    """Write the files of the documents table; one in twenty is dropped, one in thirty a copy."""
    rng = np.random.default_rng(1)
    words = np.array(vocabulary())
    weights = np.cumsum(1 / (np.arange(VOCABULARY) + 2.7) ** 1.05)
    for number, start in enumerate(range(0, documents, DOCUMENTS_A_FILE)):
        count = min(DOCUMENTS_A_FILE, documents - start)
        drawn = np.searchsorted(weights, rng.random((count, WORDS)) * weights[-1])
        sites = rng.zipf(1.5, count) % SITES
        rows = list(_documents(words, drawn, sites, start))
        target = folder / "documents" / f"{number:05d}.parquet"
        target.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_batches([batch_of(rows, Document)]), target, compression="zstd")


def _documents(words: np.ndarray, drawn: np.ndarray, sites: np.ndarray, start: int) -> Iterator[Document]:
    before = ""
    for place, (row, site) in enumerate(zip(drawn, sites, strict=True)):
        text = before if place % 30 == 29 else _text(words[row])
        before = text
        number = start + place
        spans, at = [], 0
        for line in text.split("\n"):
            spans.append(Paragraph(at, at + len(line), "p", "xho", 0.9, {"xho": len(line)}))
            at += len(line) + 1
        yield Document(
            id=number * 2_654_435_761 % (1 << 61), url_id=number, url=f"https://s{site}.za/{number}",
            site=f"s{site}.za", round=1, archive="a", offset=number, record_id="", date=EPOCH, status=200,
            mime="text/html", charset="utf-8", raw_bytes=20_000, raw_digest=str(number), truncated=False,
            title="", declared_language="xh", canonical="", author="", published="", text=text,
            text_digest=str(number), text_bytes=len(text), tokens=WORDS, paragraphs=tuple(spans),
            languages={"xho": len(text)}, language="xho", target_bytes=len(text), target_characters=len(text),
            license="", licenses=(), machine_translation="", labels={}, scores={},
            verdict=drop("length", found=3) if place % 20 == 19 else KEEP,
        )  # fmt: skip


def _text(words: np.ndarray) -> str:
    sentences = [
        " ".join(words[start : start + SENTENCE_WORDS]).capitalize() + "."
        for start in range(0, len(words), SENTENCE_WORDS)
    ]
    starts = range(0, len(sentences), SENTENCES_A_PARAGRAPH)
    return "\n".join(" ".join(sentences[start : start + SENTENCES_A_PARAGRAPH]) for start in starts)


def bench_of(folder: Path, engine: LocalEngine) -> Bench:
    files = tuple(map(str, sorted((folder / "documents").glob("*.parquet"))))
    return Bench(
        engine=engine,
        documents=Dataset(files, schema_of(Document)),
        fetches=Dataset((), schema_of(Fetch)),
        links=Dataset((), schema_of(Edge)),
        language=Language.find("xho"),
        folder=str(folder / "analysis"),
    )


def run(panel: str, folder: Path) -> None:
    """One panel, in this process; its cost as a line of JSON."""
    import importlib

    with LocalEngine(workers=2) as engine:
        bench = bench_of(folder, engine)
        start = time.perf_counter()
        if panel == "text_counts":
            text_counts(bench)
        else:
            importlib.import_module(f"corpulyzer.analyze.{panel}").measure(bench)
        seconds = time.perf_counter() - start
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    peak = (own.ru_maxrss + 2 * children.ru_maxrss) / 1024
    print(json.dumps({"panel": panel, "seconds": seconds, "cpu": cpu, "peak_megabytes": peak}))


def main() -> None:
    if sys.argv[1:2] == ["--panel"]:
        run(sys.argv[2], Path(sys.argv[3]))
        return
    documents = int(sys.argv[1]) if sys.argv[1:] else 20_000
    folder = Path(sys.argv[2] if sys.argv[2:] else tempfile.mkdtemp(prefix="corpulyzer-analyze-"))
    if not (folder / "documents").exists():
        make(folder, documents)
    total = 0.0
    print(f"{'panel':22} {'seconds':>8} {'CPU':>8} {'documents/CPU-s':>16} {'MB':>7}")
    for panel in ("text_counts", *PANELS):
        done = subprocess.run(
            [sys.executable, __file__, "--panel", panel, str(folder)], stdout=subprocess.PIPE, check=True
        )
        cost = json.loads(done.stdout)
        rate = documents / cost["cpu"]
        total += cost["cpu"]
        print(
            f"{panel:22} {cost['seconds']:8.1f} {cost['cpu']:8.1f} {rate:16,.0f}"
            f" {cost['peak_megabytes']:7.0f}"
        )
    hours = total * 1_000_000 / documents / 2 / 3600
    print(f"1,000,000 documents on two cores: {hours:.1f} h at most, if every panel grew with the documents")


if __name__ == "__main__":
    main()
