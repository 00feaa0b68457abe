"""A corpus on a Spark cluster in an object store, and the same here: CPU-seconds of each step, jobs, rows.

    python benchmarks/on_cluster.py 2000 [10000 …] [--folder FOLDER] [--executors 4] [--steps dedup …]

The cluster is a standalone one of processes on loopback: a master, executors of one core each, and a local
S3 server that has the corpus. CPU-seconds are those of the driver, of Java, of all executors and of all that
they start; the server's are left out, and to start Spark is a step of its own. Pages are made: HTML in
archives of 40,000, one in thirty a copy.

With a folder, a run that was ended goes on when it is started again: archives, corpora, servers and figures
of the steps that were done stay there. A step that was cut short gets a star: it is the rest of it that was
measured.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil

sys.path.append(str(Path(__file__).parent))
import cluster_servers

PAGES_AN_ARCHIVE = 40_000
WORDS, SENTENCE = 250, 14
LOOK_SECONDS = 1.0
FLAGS = {"annotate.morphs": "never"}
"""Morphs are learned on a disk alone."""
LABELS = "duplicates/labels"
TABLES = ("documents", "corpus", LABELS, "annotations")
STEPS: dict[str, Callable[..., object]] = {
    "start": lambda corpus, engine, archives: start(engine),
    "import": lambda corpus, engine, archives: corpus.import_(*archives, engine=engine),
    "process": lambda corpus, engine, archives: corpus.process("identify", engine=engine),
    "dedup": lambda corpus, engine, archives: corpus.dedup(engine=engine),
    "annotate": lambda corpus, engine, archives: corpus.annotate(engine=engine),
    "analyze": lambda corpus, engine, archives: corpus.analyze(engine=engine),
    "status": lambda corpus, engine, archives: corpus.status(engine=engine),
    "report": lambda corpus, engine, archives: corpus.report(engine=engine),
    "export": lambda corpus, engine, archives: corpus.export("jsonl", engine=engine),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("pages", type=int, nargs="+")
    parser.add_argument("--folder", type=Path, help="where to work, and to go on; temporary by default")
    parser.add_argument("--executors", type=int, default=4)
    parser.add_argument("--driver-megabytes", type=int, default=256, help="engine.spark.driver_megabytes")
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=list(STEPS))
    parser.add_argument("--here-only", action="store_true")
    asked = parser.parse_args()
    for pages in asked.pages:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (asked.folder or Path(temporary)) / str(pages)
            folder.mkdir(parents=True, exist_ok=True)
            try:
                compare(folder, pages, asked)
            except BaseException:
                if asked.folder is None:
                    cluster_servers.end(folder)
                raise


def compare(folder: Path, pages: int, asked: argparse.Namespace) -> None:
    """Run the steps here and there, and say how they compare."""
    archives = archives_of(folder, pages)
    print(f"{pages:,} pages in {len(archives)} archives, load {os.getloadavg()[0]:.0f}", flush=True)
    here = Side(folder, "here", str(folder / "corpus"), {**FLAGS, "engine.workers": 2})
    here.run(asked.steps, archives)
    if asked.here_only:
        return
    found = cluster_servers.servers(folder, asked.executors)
    os.environ.update(found["variables"])
    os.environ["PYTHONPATH"] = os.pathsep.join(entry for entry in sys.path if entry)
    there = Side(folder, "cluster", f"{found['place']}/corpus", flags_of(found, asked), found["pid"])
    there.run(asked.steps, archives)
    both = [name for name in asked.steps if name != "start"]
    sums = [sum(side.taken[name]["cpu"] for name in both) for side in (there, here)]
    told = {name: round(there.taken[name]["cpu"] / max(0.05, here.taken[name]["cpu"]), 2) for name in both}
    print(f"cluster / here without the start: {told}, all {sums[0] / sums[1]:.2f}", flush=True)
    expected, found = here.rows(), there.rows()
    for name, rows in expected.items():
        print(
            f"{name}: {rows} rows and their hash, {'equal' if found[name] == rows else found[name]}",
            flush=True,
        )
    cluster_servers.end(folder)


def flags_of(found: dict[str, Any], asked: argparse.Namespace) -> dict[str, Any]:
    from cluster import SETTINGS  # type: ignore[import-not-found]

    own = ("Java", "memory")  # as Spark has them by default
    more = [f"{name}={value}" for name, value in SETTINGS.items() if not any(word in name for word in own)]
    return {
        **FLAGS,
        "engine.name": "spark",
        "engine.master": found["master"],
        "engine.spark.executors": asked.executors,
        "engine.spark.driver_megabytes": asked.driver_megabytes,
        "engine.spark.more": more,
    }


class Side:
    """A corpus on one of the engines, and what its steps took."""

    def __init__(self, folder: Path, where: str, place: str, flags: dict[str, Any], pid: int = 0) -> None:
        self._where, self._place, self._flags, self._meter = where, place, flags, Meter(pid)
        self._file = folder / f"{where}.json"
        self.taken: dict[str, dict[str, Any]] = (
            json.loads(self._file.read_text()) if self._file.exists() else {}
        )

    def run(self, steps: list[str], archives: list[str]) -> None:
        """Run the steps that are not done."""
        from corpulyzer.api.corpus import create
        from corpulyzer.storage import Storage

        if not Storage(self._place).exists("corpulyzer.toml"):
            self.taken = {}  # the store was another's
            create("xho", self._place)
        with self._corpus().engine() as engine:
            for name in steps:
                # Spark starts once in a run, also in one that goes on.
                if name == "start" or "cpu" not in self.taken.get(name, {}):
                    self._step(name, engine, archives)

    def rows(self) -> dict[str, str]:
        return rows_of(self._corpus())

    def _corpus(self) -> Any:
        from corpulyzer.api.corpus import open_corpus

        return open_corpus(self._place, self._flags)

    def _step(self, name: str, engine: Any, archives: list[str]) -> None:
        again = name in self.taken and name != "start"
        self._note(name, {})
        begin, at, before = self._meter.taken(), time.monotonic(), jobs_of(engine)
        STEPS[name](self._corpus(), engine, archives)
        jobs, stages, tasks = (now - then for now, then in zip(jobs_of(engine), before, strict=True))
        kinds = {kind: taken - begin[kind] for kind, taken in self._meter.taken().items()}
        cpu = sum(kinds.values())
        self._note(name, {"cpu": cpu, "jobs": jobs, "stages": stages, "tasks": tasks})
        told = f"{cpu:.1f} CPU-s, {time.monotonic() - at:.0f} s, {jobs} jobs, {stages} stages, {tasks} tasks"
        by_kind = ", ".join(f"{kind} {taken:.1f}" for kind, taken in kinds.items() if taken > 0.05)
        print(f"  {self._where} {name}{'*' if again else ''}: {told} ({by_kind})", flush=True)

    def _note(self, name: str, said: dict[str, Any]) -> None:
        self.taken[name] = said
        self._file.write_text(json.dumps(self.taken))


def start(engine: Any) -> None:
    """Start Spark, its executors and a Python process in each; here there is nothing to start."""
    if not hasattr(engine, "spark"):
        return
    context = engine.spark.sparkContext
    wanted = int(engine.settings["spark.cores.max"])
    for _ in range(120):
        if context.defaultParallelism >= wanted:
            break
        time.sleep(0.5)
    context.parallelize(range(wanted), wanted).foreachPartition(_import)


def _import(_: object) -> None:
    import corpulyzer.engine.spark
    import corpulyzer.page.maps  # noqa: F401


def jobs_of(engine: Any) -> tuple[int, int, int]:
    """How many jobs, stages and tasks Spark has done so far."""
    session: Any = getattr(engine, "_session", None)
    if not hasattr(session, "spark"):
        return 0, 0, 0
    jobs = session.spark.sparkContext._jsc.sc().statusStore().jobsList(None)
    each = [jobs.apply(number) for number in range(jobs.size())]
    stages = {job.stageIds().apply(n) for job in each for n in range(job.stageIds().size())}
    return len(each), len(stages), sum(job.numCompletedTasks() for job in each)


KINDS = {"java": "Java", "engine.guard": "guards", "pyspark": "tasks in Python"}


class Meter:
    """CPU-seconds by kind of process: of this one, of one beside it and of all below both but the store.

    Spark ends its Python processes when they have been idle for a minute, and what they took is then counted
    nowhere: so all of them are looked at every now and then, and the last figure of each counts.
    """

    def __init__(self, pid: int = 0) -> None:
        self._roots = [psutil.Process(), *([psutil.Process(pid)] if pid else [])]
        self._seen: dict[tuple[int, float], tuple[str, float]] = {}
        self._looking = threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    def taken(self) -> dict[str, float]:
        """What all of them have taken so far."""
        self._look()
        found = dict.fromkeys(("driver", *KINDS.values()), 0.0)
        for kind, seconds in self._seen.values():
            found[kind] += seconds
        return found

    def _watch(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            self._look()

    def _look(self) -> None:
        with self._looking:
            for each in {one for root in self._roots for one in (root, *root.children(recursive=True))}:
                try:
                    words = " ".join(each.cmdline())[:200]
                    if "moto" not in words:
                        kind = next((kind for word, kind in KINDS.items() if word in words), "driver")
                        self._seen[each.pid, each.create_time()] = kind, sum(each.cpu_times()[:2])
                except psutil.Error:
                    continue


def rows_of(corpus: Any) -> dict[str, str]:
    """How many rows tables, measures, report and export have, and a hash of them, in whatever order."""
    storage = corpus.storage
    found = {table: _hash(_rows(storage, table)) for table in TABLES}
    measured = (json.loads(storage.read(file)) for file in storage.list("analysis", ".json"))
    results = (json.dumps(each) for one in measured for each in one.get("results", ()))
    page = storage.read("report/index.html").decode().splitlines()
    return {**found, "analysis": _hash(results), "report": _hash(page), "export": _hash(_lines(storage))}


def _rows(storage: Any, table: str) -> Iterator[str]:
    """The rows of a table; of labels with their level, which is what their file or folder is called."""
    import pyarrow.parquet as pq

    for file in storage.list(table, ".parquet"):
        level = file.removeprefix(f"{LABELS}/").partition("/")[0].partition(".")[0] if table == LABELS else ""
        with storage.open_input(file) as stored:
            for batch in pq.ParquetFile(stored).iter_batches(1_000):
                yield from (f"{level} {row}" for row in batch.to_pylist())


def _lines(storage: Any) -> Iterator[str]:
    import zstandard

    for file in storage.list("exports/v001-jsonl", ".jsonl.zst"):
        with zstandard.ZstdDecompressor().stream_reader(
            storage.read(file), read_across_frames=True
        ) as reader:
            yield from io.TextIOWrapper(reader, "utf-8", newline="\n")


def _hash(rows: Iterable[str]) -> str:
    """Sums of hashes: no order is needed, and nothing is held."""
    total = count = 0
    for row in rows:
        total += int.from_bytes(
            hashlib.blake2b(row.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        )
        count += 1
    return f"{count:,} {total % (1 << 64):016x}"


def archives_of(folder: Path, pages: int) -> list[str]:
    """The archives of a folder, made now if they are not all there."""
    written = folder / "archives.json"
    if not written.exists():
        written.write_text(json.dumps(list(write_archives(folder, pages))))
    found: list[str] = json.loads(written.read_text())
    return found


def write_archives(folder: Path, pages: int) -> Iterator[str]:
    """Archives of pages in a language that is made up of syllables of isiXhosa."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    rng = np.random.default_rng(1)
    words, often = vocabulary(rng)
    text = ""
    for number, start in enumerate(range(0, pages, PAGES_AN_ARCHIVE)):
        path = folder / f"made-{number:05d}.warc.gz"
        with path.open("wb") as file:
            writer = WARCWriter(file, gzip=True)
            for page in range(start, min(start + PAGES_AN_ARCHIVE, pages)):
                text = text if page % 30 == 29 else page_of(rng, words, often, page)
                head = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], "HTTP/1.1")
                record = writer.create_warc_record(
                    f"http://s{int(rng.zipf(1.5)) % 500}.example/{page}",
                    "response",
                    io.BytesIO(text.encode()),
                    http_headers=head,
                    warc_headers_dict={"WARC-Date": f"2026-01-01T00:00:{page % 60:02d}Z"},
                )
                writer.write_record(record)
        yield str(path)


def vocabulary(rng: Any) -> tuple[Any, Any]:
    """Words as isiXhosa builds them, the most frequent its own, and how often each is drawn, added up.

    Two pages share a fifth of their n-grams; two of real isiXhosa of that length share a tenth. With a small
    vocabulary it was two fifths, and each page was compared with 250 others that are not like it.
    """
    own = "ukuba kodwa ngoko abantu umntu loo kwaye ngenxa into xa apho wathi yinto namhlanje ilizwe".split()
    heads = "uku aba isi izi ama ubu um in nge ku ba li".split()
    starts = "b d f g k l m n ph s t th v w y z".split()
    syllables = [f"{start}{vowel}" for start in starts for vowel in "aeiou"]
    tails = "a ile isa ela ana wa eka anga".split()
    parts = (heads, syllables, syllables, tails)
    made = ["".join(drawn) for drawn in zip(*(rng.choice(part, 40_000) for part in parts), strict=True)]
    often = np.cumsum(1 / (np.arange(len(own) + len(made)) + 2.7))
    return np.array([*own, *made]), often / often[-1]


def page_of(rng: Any, words: Any, often: Any, number: int) -> str:
    drawn = words[np.searchsorted(often, rng.random(WORDS))]
    sentences = [" ".join(drawn[at : at + SENTENCE]).capitalize() + "." for at in range(0, WORDS, SENTENCE)]
    blocks = "".join(f"<p>{' '.join(sentences[at : at + 5])}</p>" for at in range(0, len(sentences), 5))
    menu = "".join(f'<li><a href="/{number + n}">iphepha {n}</a></li>' for n in range(20))
    return (
        f"<html lang=xh><head><title>Iphepha {number}</title></head><body><ul>{menu}</ul>"
        f"<article><h1>Iphepha {number}</h1>{blocks}</article><footer>Onke amalungelo</footer></body></html>"
    )


if __name__ == "__main__":
    main()
