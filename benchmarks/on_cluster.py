"""A corpus on a Spark cluster in an object store, and the same here: CPU-seconds of each step, jobs, rows.

    python benchmarks/on_cluster.py 5000 [20000 …] [--here-only] [--master local[2]]

The cluster is the one of the tests: a master and two workers on loopback, each a process of its own, with a
local S3 server that has the corpus. CPU-seconds are those of the driver, of Java, of all executors and of all
that they start; the server's are left out. Pages are made: HTML in archives of 5,000, one in thirty a copy.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import psutil

sys.path.append(str(Path(__file__).parent.parent / "tests" / "engine"))
PAGES_AN_ARCHIVE = 5_000
WORDS, SENTENCE = 250, 14


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("pages", type=int, nargs="+")
    parser.add_argument("--master", default="", help="instead of the cluster of the tests, on this disk")
    parser.add_argument("--here-only", action="store_true")
    asked = parser.parse_args()
    for pages in asked.pages:
        with tempfile.TemporaryDirectory() as folder:
            archives = list(write_archives(Path(folder), pages))
            print(f"{pages:,} pages in {len(archives)} archives", flush=True)
            here = steps(str(Path(folder) / "here"), archives, {}, "here")
            if not asked.here_only:
                there = on_cluster(Path(folder), archives, asked.master)
                told = {name: f"{there[0][name] / here[0][name]:.2f}" for name in here[0]}
                whole = sum(there[0].values()) / sum(here[0].values())
                print(
                    f"cluster / here: {told}, all {whole:.2f}; rows equal: {here[1] == there[1]}", flush=True
                )


Taken = tuple[dict[str, float], dict[str, str]]


def on_cluster(folder: Path, archives: list[str], master: str) -> Taken:
    """The steps on a cluster, with the corpus in an object store."""
    if master:
        return steps(
            str(folder / "there"), archives, {"engine.name": "spark", "engine.master": master}, master
        )
    from cluster import SETTINGS, Cluster  # type: ignore[import-not-found]
    from s3_server import environment, make_bucket, s3_server  # type: ignore[import-not-found]

    with ExitStack() as held:
        variables = held.enter_context(s3_server(folder / "requests.log"))
        path = os.pathsep.join(entry for entry in sys.path if entry)
        held.enter_context(environment({**variables, "PYTHONPATH": path}))
        (folder / "cluster").mkdir()
        cluster = Cluster(folder / "cluster")
        held.callback(cluster.close)
        more = [f"{name}={value}" for name, value in SETTINGS.items() if "Java" not in name]
        flags = {"engine.name": "spark", "engine.master": cluster.url, "engine.spark.more": more}
        return steps(make_bucket(variables, "corpora") + "/c", archives, flags, "cluster")


def steps(place: str, archives: list[str], flags: dict[str, Any], where: str) -> Taken:
    """Run each step; what it took, and what came of it."""
    from corpulyzer.api.corpus import create, open_corpus

    create("xho", place)
    corpus = open_corpus(place, {"engine.workers": 2, **flags})
    taken: dict[str, float] = {}
    jobs: dict[str, int] = {}
    with corpus.engine() as engine:
        verbs: dict[str, Callable[[], object]] = {
            "import": lambda: corpus.import_(*archives, engine=engine),
            "dedup": lambda: corpus.dedup(engine=engine),
            "status": lambda: corpus.status(engine=engine),
            "export": lambda: corpus.export("jsonl", engine=engine),
        }
        for name, verb in verbs.items():
            begin, at, before = cpu_seconds(), time.monotonic(), jobs_of(engine)
            verb()
            taken[name] = cpu_seconds() - begin
            jobs[name] = jobs_of(engine) - before
            told = f"{taken[name]:.1f} CPU-s, {time.monotonic() - at:.0f} s, {jobs[name]} jobs"
            print(f"  {where} {name}: {told}", flush=True)
        return taken, rows_of(corpus)


def jobs_of(engine: Any) -> int:
    """How many jobs Spark has done so far."""
    session: Any = getattr(engine, "_session", None)
    if not hasattr(session, "spark"):
        return 0
    store = session.spark.sparkContext._jsc.sc().statusStore()
    return int(store.jobsList(None).size())


def cpu_seconds() -> float:
    """Of this process and all below it but the object store, those that have ended included."""
    me = psutil.Process()
    total = sum(me.cpu_times()[:4])
    for each in me.children(recursive=True):
        try:
            if not any("moto" in word for word in each.cmdline()):
                total += sum(each.cpu_times()[:4])
        except psutil.Error:
            continue
    return float(total)


def rows_of(corpus: Any) -> dict[str, str]:
    """A hash of the documents as they are, and one of the labels of each level, in an order of their own."""
    import pyarrow.parquet as pq

    found = {"documents": _hash((d.id, d.url, d.text, str(d.verdict)) for d in corpus.documents)}
    for level in ("raw", "document", "near", "paragraph", "sentence"):
        rows: list[Any] = []
        for file in corpus.storage.list("duplicates/labels", ".parquet"):
            if file.rpartition("/")[2].startswith(level) or f"/{level}/" in file:
                with corpus.storage.open_input(file) as stored:
                    rows += pq.read_table(stored).to_pylist()
        found[level] = _hash(tuple(row.values()) for row in rows)
    return found


def _hash(rows: Iterator[Any]) -> str:
    return hashlib.sha256("\n".join(sorted(map(repr, rows))).encode()).hexdigest()[:12]


def write_archives(folder: Path, pages: int) -> Iterator[str]:
    """Archives of pages in a language that is made up of syllables of isiXhosa."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    rng = np.random.default_rng(1)
    words = vocabulary(rng)
    text = ""
    for number, start in enumerate(range(0, pages, PAGES_AN_ARCHIVE)):
        path = folder / f"made-{number:05d}.warc.gz"
        with path.open("wb") as file:
            writer = WARCWriter(file, gzip=True)
            for page in range(start, min(start + PAGES_AN_ARCHIVE, pages)):
                text = text if page % 30 == 29 else page_of(rng, words, page)
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


def vocabulary(rng: Any) -> Any:
    """Words as isiXhosa builds them: the most frequent are its own."""
    own = "ukuba kodwa ngoko abantu umntu loo kwaye ngenxa into xa apho wathi yinto namhlanje ilizwe".split()
    heads = "uku aba isi izi ama ubu um in nge ku ba li".split()
    roots = "thetha hamba fund sebenz bon va phil khul thand bhal dlal cing"
    tails = "a ile isa ela ana wa eka anga".split()
    made = [f"{h}{r}{t}" for h in heads for r in roots.split() for t in tails]
    rng.shuffle(made)
    return np.array([*own, *made])


def page_of(rng: Any, words: Any, number: int) -> str:
    drawn = words[np.minimum(rng.zipf(1.3, WORDS) - 1, len(words) - 1)]
    sentences = [" ".join(drawn[at : at + SENTENCE]).capitalize() + "." for at in range(0, WORDS, SENTENCE)]
    blocks = "".join(f"<p>{' '.join(sentences[at : at + 5])}</p>" for at in range(0, len(sentences), 5))
    menu = "".join(f'<li><a href="/{number + n}">iphepha {n}</a></li>' for n in range(20))
    return (
        f"<html lang=xh><head><title>Iphepha {number}</title></head><body><ul>{menu}</ul>"
        f"<article><h1>Iphepha {number}</h1>{blocks}</article><footer>Onke amalungelo</footer></body></html>"
    )


if __name__ == "__main__":
    main()
