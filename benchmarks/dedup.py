"""Near-duplicates: documents per CPU-second and memory, beside datasketch and datatrove.

    python benchmarks/dedup.py [--documents 50000] [--words 250] [--only corpulyzer …]
    python benchmarks/dedup.py --documents 1000000 --only corpulyzer [--every-level]   the full size
    python benchmarks/dedup.py --growth 25000 50000 100000            is each step linear?
    python benchmarks/dedup.py --only corpulyzer --method simhash     another method
    python benchmarks/dedup.py --quality 200                          recall and precision of all methods

All read the same Parquet files in the same run, one after the other, each in a process of its own whose
processor time is counted whole, start-up and workers included:

- corpulyzer: the levels document and near (minhash), from documents to stored labels;
- datasketch: MinHash of the same character 5-grams (128 permutations, 18 bands of 7), its LSH in memory,
  candidates checked, clusters by union and find;
- datatrove: its four stages with its defaults, words cut at white space (it has no character n-grams).

Of the texts, a tenth are copies and a fifth near-duplicates, each with the footer of its site.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROWS = 2_000
SITES = 200
BLANK = (
    *("record_id", "charset", "title", "declared_language", "canonical", "author", "published", "license"),
    *("machine_translation", "license_basis"),
)
RUNS = ("corpulyzer", "datasketch", "datatrove")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--words", type=int, default=250)
    parser.add_argument("--only", nargs="+", choices=RUNS, default=list(RUNS))
    parser.add_argument("--growth", nargs="+", type=int)
    parser.add_argument("--quality", type=int, metavar="PAIRS")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    parser.add_argument("--method", choices=("minhash", "simhash", "text_profile"), default="minhash")
    parser.add_argument("--every-level", action="store_true", help="all five levels, and the policy applied")
    parser.add_argument("--run", choices=RUNS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.run:
        {"corpulyzer": run_corpulyzer, "datasketch": run_datasketch, "datatrove": run_datatrove}[asked.run](
            asked.folder
        )
        return
    os.environ["METHOD"] = asked.method
    if asked.every_level:
        os.environ["LEVELS"] = "raw document near paragraph sentence"
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        if asked.quality:
            quality(Path(folder), asked.quality)
        for size in asked.growth or ([] if asked.quality else [asked.documents]):
            place = Path(folder) / str(size)
            make_corpus(place, size, asked.words)
            compare(place, size, asked.only)


def compare(folder: Path, documents: int, names: list[str]) -> None:
    """Run all, print documents per CPU-second and the ratios."""
    print(
        f"{documents:,} documents, {sum(f.stat().st_size for f in folder.rglob('*.parquet')) / 1e6:,.0f} MB"
    )
    rates = {}
    for name in names:
        cpu, wall, memory, said = measured(name, folder)
        rates[name] = documents / cpu
        print(
            f"{name:<11} {cpu:8.1f} CPU-s {wall:8.1f} s {documents / cpu:9.0f} documents per CPU-s "
            f"{memory / 1e9:6.2f} GB at most  {said}"
        )
    for name in names[1:]:
        print(f"{names[0]} / {name}: {rates[names[0]] / rates[name]:.1f} x")


def measured(name: str, folder: Path) -> tuple[float, float, int, str]:
    """Processor time of a run with its child processes, time by the clock, peak memory, and what it printed.

    Sampled while the processes live: of a worker that is killed at the end, no time is reported afterwards.
    """
    begin, most = time.monotonic(), 0
    seconds: dict[int, float] = {}
    command = [sys.executable, __file__, "--run", name, "--folder", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, look_at(process.pid, seconds))
            time.sleep(0.1)
        said = process.stdout.read().decode() if process.stdout else ""
    assert process.returncode == 0, f"{name} failed"
    return sum(seconds.values()), time.monotonic() - begin, most, " ".join(said.split())


def look_at(pid: int, seconds: dict[int, float]) -> int:
    """The memory that a process and those below it hold for themselves; their times go to `seconds`."""
    import psutil

    total = 0
    try:
        found = [psutil.Process(pid)]
        found += found[0].children(recursive=True)
    except psutil.Error:
        return 0
    for each in found:
        try:
            times = each.cpu_times()
            seconds[each.pid] = times.user + times.system
            total += each.memory_full_info().uss
        except psutil.Error:
            continue
    return total


def texts_of(folder: Path) -> Iterator[tuple[int, str]]:
    import pyarrow.parquet as pq

    for file in sorted((folder / "documents").rglob("*.parquet")):
        table = pq.read_table(file, columns=["id", "text"], partitioning=None)
        yield from zip(table.column("id").to_pylist(), table.column("text").to_pylist(), strict=True)


def run_corpulyzer(folder: Path) -> None:
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.jobs.dedup.run import deduplicate

    levels = os.environ.get("LEVELS", "document near").split()
    flags = {"engine.workers": 2, "dedup.method": os.environ.get("METHOD", "minhash")}
    corpus = open_corpus(folder, flags | ({} if "raw" in levels else {"dedup.policy": []}))
    with corpus.engine() as engine:
        if os.environ.get("STEPS"):
            tell_steps(engine)
        found = deduplicate(corpus, engine, levels)
    copies = ", ".join(f"{count.level} {count.duplicates:,}" for count in found.levels)
    print(f"duplicates: {copies}; {found['near'].unresolved:,} comparisons left out")


def tell_steps(engine: Any) -> None:
    """Append what each step took to the file STEPS."""
    query, run = engine.query, engine.map

    def timed_query(sql: str, *rest: Any) -> Any:
        begin = time.monotonic()
        result = query(sql, *rest)
        tell(f"{time.monotonic() - begin:8.2f} s  {' '.join(sql.split())[:90]}")
        return result

    def timed_map(step: Any, *rest: Any) -> None:
        begin = time.monotonic()
        run(step, *rest)
        tell(f"{time.monotonic() - begin:8.2f} s  {type(step).__name__}")

    engine.query, engine.map = timed_query, timed_map


def tell(line: str) -> None:
    with open(os.environ["STEPS"], "a") as out:
        out.write(line + "\n")


def run_datasketch(folder: Path) -> None:
    import xxhash
    from datasketch import MinHash, MinHashLSH

    def hash32(gram: bytes) -> int:
        return xxhash.xxh32_intdigest(gram)

    index = MinHashLSH(num_perm=128, params=(18, 7))
    kept: dict[int, Any] = {}
    parent: dict[int, int] = {}

    def find(key: int) -> int:
        while parent.setdefault(key, key) != key:
            key = parent[key] = parent[parent[key]]
        return key

    for key, text in texts_of(folder):
        grams = {text[i : i + 5].encode() for i in range(max(1, len(text) - 4))}
        signature = MinHash(num_perm=128, hashfunc=hash32)
        signature.update_batch(grams)
        for other in index.query(signature):
            if signature.jaccard(kept[other]) >= 0.7:
                parent[find(key)] = find(other)
        index.insert(key, signature)
        kept[key] = signature
    print(f"{sum(find(key) != key for key in kept):,} duplicates")


class WhiteSpace:
    """The quickest tokeniser that there can be."""

    def word_tokenize(self, text: str) -> list[str]:
        return text.split()


def run_datatrove(folder: Path) -> None:
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import minhash
    from datatrove.pipeline.readers import ParquetReader
    from datatrove.pipeline.writers import JsonlWriter

    minhash.load_word_tokenizer = lambda language: WhiteSpace()  # its own is spaCy's, slower by far
    config, work = minhash.MinhashConfig(), folder / "datatrove"
    reader = ParquetReader(str(folder / "documents"), recursive=True, read_metadata=False)
    sign = minhash.MinhashDedupSignature(str(work / "signatures"), config)
    stages: list[tuple[list[Any], int]] = [
        ([reader, sign], 1),
        ([minhash.MinhashDedupBuckets(str(work / "signatures"), str(work / "buckets"), config=config)], 14),
        ([minhash.MinhashDedupCluster(str(work / "buckets"), str(work / "remove"), config=config)], 1),
        ([reader, minhash.MinhashDedupFilter(str(work / "remove")), JsonlWriter(str(work / "kept"))], 1),
    ]
    for number, (steps, tasks) in enumerate(stages):
        logs = str(work / f"logs{number}")
        LocalPipelineExecutor(steps, tasks=tasks, workers=1, logging_dir=logs, skip_completed=False).run()
    import gzip

    left = 0
    for file in (work / "kept").rglob("*.jsonl.gz"):
        with gzip.open(file) as lines:
            left += sum(1 for _ in lines)
    print(f"{sum(1 for _ in texts_of(folder)) - left:,} duplicates")


def make_corpus(folder: Path, documents: int, words: int) -> None:
    """A corpus folder with documents as `process` leaves them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from corpulyzer.api.corpus import create
    from corpulyzer.records import Document
    from corpulyzer.records.columns import schema_of

    create("urd", folder)
    target = folder / "documents" / "round=00000"
    target.mkdir(parents=True)
    schema = schema_of(Document)
    made = made_texts(documents, words)
    for part, start in enumerate(range(0, documents, ROWS)):
        rows = [row_of(start + n, next(made)) for n in range(min(ROWS, documents - start))]
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), target / f"made.{part:05d}.parquet")


def made_texts(documents: int, words: int) -> Iterator[str]:
    """Texts of Zipfian words: 70 % new, 10 % copies, 20 % with up to a tenth of the words changed."""
    import numpy as np

    chance = np.random.default_rng(1)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    sizes = chance.integers(2, 10, 50_000)
    vocabulary = np.array(["".join(chance.choice(letters, size)) for size in sizes], object)
    weights = 1 / (np.arange(len(vocabulary)) + 2.7)
    total = np.cumsum(weights / weights.sum())
    earlier: list[Any] = []
    for _ in range(documents):
        kind = chance.random()
        if earlier and kind < 0.3:
            text = earlier[chance.integers(len(earlier))]
            if kind < 0.2:
                text = text.copy()
                places = chance.integers(0, words, chance.integers(1, max(2, words // 10)))
                text[places] = vocabulary[np.searchsorted(total, chance.random(len(places)))]
        else:
            text = vocabulary[np.searchsorted(total, chance.random(words))]
            if len(earlier) < 100_000:
                earlier.append(text)
        yield ". ".join(" ".join(text[start : start + 15]).capitalize() for start in range(0, words, 15))


def row_of(number: int, text: str) -> dict[str, Any]:
    import hashlib

    from corpulyzer.records import EPOCH, int64_hash

    site = f"site{number % SITES}.example"
    text = f"{text}\nall rights reserved by {site}"
    url, size = f"https://{site}/{number}", len(text.encode())
    row: dict[str, Any] = dict.fromkeys(BLANK, "")
    row |= {"id": int64_hash(url), "url_id": int64_hash(url), "url": url, "site": site, "round": 0}
    row |= {"archive": "made", "offset": number, "date": EPOCH, "status": 200, "mime": "text/html"}
    row |= {"raw_bytes": size, "raw_digest": hashlib.sha224(text.encode()).hexdigest(), "truncated": False}
    row |= {"text": text, "text_digest": hashlib.md5(text.encode()).hexdigest(), "text_bytes": size}
    row |= {"tokens": text.count(" ") + 1, "languages": [], "language": "urd"}
    first = text.index("\n")
    row["paragraphs"] = [span(0, first), span(first + 1, len(text))]
    row |= {"target_bytes": size, "target_characters": len(text), "licenses": [], "labels": [], "scores": []}
    row["verdict"] = {"kept": True, "reason": "", "detail": "", "facts": []}
    return row


def span(start: int, end: int) -> dict[str, Any]:
    """A paragraph in the target language, as it is stored."""
    languages = [{"name": "urd", "value": end - start}]
    said = {"kind": "p", "language": "urd", "confidence": 1.0, "languages": languages}
    return {"start": start, "end": end, **said}


def quality(folder: Path, each: int) -> None:
    """Recall and precision of every method on pairs of known Jaccard index, and documents per CPU-second."""
    from corpulyzer.dedup.near.method import Method
    from corpulyzer.dedup.near.text_profile import TextProfile
    from corpulyzer.dedup.settings import Dedup
    from corpulyzer.lab.evaluate.near_duplicates import SCRIPTS, generated_pairs

    low, high = (list(generated_pairs(each, *ends, seed=5)) for ends in ((0.3, 0.7), (0.8, 1.0)))
    pairs = dict(enumerate([*low, *high]))
    print(f"{len(high):,} pairs ≥ .8 and {len(low):,} from .3 to .7 in {', '.join(SCRIPTS)}")
    settings = Dedup()
    methods: dict[str, Method] = {
        "minhash": settings.minhash,
        "simhash": settings.simhash,
        "text_profile": settings.text_profile,
        "text_profile, strict": TextProfile(strict=True),
    }
    for name, method in methods.items():
        begin = time.process_time()
        for pair in pairs.values():
            method.sign(pair.left)
            method.sign(pair.right)
        rate = 2 * len(pairs) / (time.process_time() - begin)
        recall, precision, found = clustered(folder / name.replace(", ", "-"), name, pairs)
        print(
            f"{name:<22} {rate:7.0f} signed per CPU-s  recall {recall:.3f}  precision {precision:.3f}"
            f"  of {found:,} pairs"
        )


def clustered(folder: Path, name: str, pairs: Any) -> tuple[float, float, int]:
    """What the whole of `dedup` makes of the pairs."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from corpulyzer.api.corpus import create, open_corpus
    from corpulyzer.jobs.dedup.run import deduplicate
    from corpulyzer.lab.evaluate.near_duplicates import measured as measure
    from corpulyzer.records import Document
    from corpulyzer.records.columns import schema_of

    create("urd", folder)
    target = folder / "documents" / "round=00000"
    target.mkdir(parents=True)
    rows, names = [], {}
    for number, pair in pairs.items():
        for side, text in enumerate((pair.left, pair.right)):
            rows.append({**row_of(2 * number + side, text), "text": text})
            names[rows[-1]["id"]] = (number, side)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema_of(Document)), target / "made.00000.parquet")
    flags = {
        "dedup.policy": [],
        "dedup.method": name.partition(",")[0],
        "dedup.text_profile.strict": "strict" in name,
    }
    corpus = open_corpus(folder, flags)
    with corpus.engine() as engine:
        deduplicate(corpus, engine, ["document", "near"])
    clusters: dict[int, set[tuple[int, int]]] = {}
    for level in ("document", "near"):
        labels = pq.read_table(folder / "duplicates" / "labels" / f"{level}.parquet", partitioning=None)
        for row in labels.to_pylist():
            clusters.setdefault(row["cluster"], set()).add(names[row["id"]])
    result = measure(pairs, clusters.values())
    return result.recall, result.precision, result.found


if __name__ == "__main__":
    main()
