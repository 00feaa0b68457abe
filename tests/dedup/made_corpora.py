"""Corpora whose documents are given, and what `dedup` made of them."""

import hashlib
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pyarrow.parquet as pq

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.dedup.labels import labels_file
from corpulyzer.dedup.near.method import Signature
from corpulyzer.dedup.settings import LEVELS
from corpulyzer.engine import Dataset
from corpulyzer.engine.workbench import Workbench, files_of
from corpulyzer.lab.evaluate.near_duplicates import Writer
from corpulyzer.records import KEEP, Document, Fetch, Paragraph, drop, int64_hash
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import Storage

START = datetime(2026, 1, 1, tzinfo=UTC)


def document(url, text, *, raw=None, day=0, kept=True, scores=None, archive="a-1"):
    """A document as `process` would have left it: one paragraph a line, all in Urdu."""
    paragraphs, start = [], 0
    for line in text.split("\n") if text else ():
        size = len(line.encode())
        paragraphs.append(
            Paragraph(start, start + len(line), language="urd", confidence=1.0, languages={"urd": size})
        )
        start += len(line) + 1
    size = sum(p.languages["urd"] for p in paragraphs)
    body = (raw if raw is not None else f"<html>{url}{text}").encode()
    return Document(
        id=int64_hash(url, str(day)), url_id=int64_hash(url), url=url, site=url.split("/")[2], round=0, archive=archive,
        offset=0, record_id="", date=START + timedelta(days=day), status=200, mime="text/html", charset="utf-8",
        raw_bytes=len(body), raw_digest=hashlib.sha224(body).hexdigest() if body else "", truncated=False, title="",
        declared_language="", canonical="", author="", published="", text=text,
        text_digest=hashlib.md5(text.encode()).hexdigest() if text else "", text_bytes=len(text.encode()),
        tokens=len(text.split()), paragraphs=tuple(paragraphs), languages={"urd": size}, language="urd",
        target_bytes=size, target_characters=len(text), license="", licenses=(), machine_translation="", labels={},
        scores=scores or {}, verdict=KEEP if kept else drop("length"),
    )  # fmt: skip


def corpus_of(folder, documents, *, parts=1, kinds=None, **flags):
    """A corpus of these documents, in `parts` archives of one part each."""
    if not (folder / "corpulyzer.toml").exists():
        create("urd", folder)
    for number in range(parts):
        name = f"a-{number + 1}"
        add_part(folder, name, [_moved(d, name) for d in documents[number::parts]], kinds or {})
    return open_corpus(folder, {"engine.workers": 2, **{k.replace("__", "."): v for k, v in flags.items()}})


def add_part(folder, name, documents, kinds=None):
    """One more archive with its documents and fetches."""
    fetches = [
        Fetch(id=d.id, url_id=d.url_id, url=d.url, site=d.site, round=0, archive=d.archive, offset=0, length=0,
              kind=(kinds or {}).get(d.url, "response"), date=d.date)
        for d in documents
    ]  # fmt: skip
    for table, records, cls in (("documents", documents, Document), ("fetches", fetches, Fetch)):
        path = folder / table / "round=00000" / f"{name}.00000.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        schema = schema_of(cls).with_metadata({"extract": "e", "identify": "i", "filter": "f"})
        pq.write_table(pa.Table.from_batches([batch_of(records, cls)]).cast(schema), path)


def _moved(document, archive):
    from dataclasses import replace

    return replace(document, archive=archive)


def prose(seed, words=120, script="Arab"):
    """A text of its own for each seed."""
    writer = Writer(script, random.Random(0))
    writer._chance = random.Random(seed)
    return writer.text(writer.words(words))


def edited(text, seed, changes):
    """The text with some words changed."""
    chance, words = random.Random(seed), text.split(" ")
    for place in chance.sample(range(len(words)), changes):
        words[place] = f"{words[place]}{seed}"
    return " ".join(words)


def label_rows(corpus, level):
    """The labels of a level, sorted."""
    files = files_of(corpus.storage, labels_file(level))
    rows = [
        row
        for file in files
        for row in pq.read_table(corpus.storage.path(file), partitioning=None).to_pylist()
    ]
    return sorted(rows, key=lambda row: (row["id"], row.get("number", 0)))


def everything(corpus):
    """All labels, and the documents as the policy leaves them."""
    levels = [level for level in LEVELS if files_of(corpus.storage, labels_file(level))]
    documents = sorted(corpus.documents, key=lambda d: d.id)
    return {level: label_rows(corpus, level) for level in levels}, [
        (d.id, d.text, d.verdict.kept, d.verdict.reason, d.verdict.detail, dict(d.verdict.facts))
        for d in documents
    ]


def bench(engine, folder):
    return Workbench(engine, Storage(folder), "work")


def table(folder, name, rows, files=1):
    """A table of rows, in several files."""
    whole, paths = pa.Table.from_pylist(rows), []
    for number in range(files):
        paths.append(str(folder / f"{name}.{number}.parquet"))
        pq.write_table(whole.take(list(range(number, len(rows), files))), paths[-1])
    return Dataset(tuple(paths), whole.schema)


@dataclass(frozen=True)
class OneBucket:
    """A method for which all texts meet and none is like another."""

    name: str = "one_bucket"
    grouping: str = "linked"

    def sign(self, text):
        return Signature(int64_hash(text), text.encode(), (7,)) if text else None

    def similar(self, left, right):
        return [False for _ in left]
