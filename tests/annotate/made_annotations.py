"""Corpora whose documents are given."""

import hashlib
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.records import KEEP, Document, Paragraph, drop, int64_hash
from corpulyzer.records.columns import batch_of, schema_of


def document(url, text, language, *, kept=True, archive="a-1", others=None):
    """A document of one paragraph a line, all in the language but the lines named in `others`."""
    paragraphs, start = [], 0
    for number, line in enumerate(text.split("\n")):
        said = (others or {}).get(number, language)
        paragraphs.append(Paragraph(start, start + len(line), "p", said, 0.9, {said: len(line.encode())}))
        start += len(line) + 1
    size = len(text.encode())
    return Document(
        id=int64_hash(url), url_id=int64_hash(url), url=url, site=url.split("/")[2], round=0, archive=archive, offset=0,
        record_id="", date=datetime(2026, 1, 1, tzinfo=UTC), status=200, mime="text/html", charset="utf-8", raw_bytes=size,
        raw_digest="", truncated=False, title="", declared_language="", canonical="", author="", published="", text=text,
        text_digest=hashlib.md5(text.encode()).hexdigest(), text_bytes=size, tokens=len(text.split()),
        paragraphs=tuple(paragraphs), languages={language: size}, language=language, target_bytes=size,
        target_characters=len(text), license="", licenses=(), machine_translation="", labels={}, scores={},
        verdict=KEEP if kept else drop("length"),
    )  # fmt: skip


def corpus_of(folder, language, documents, archive="a-1", **flags):
    """A corpus with these documents in one archive of it."""
    if not (folder / "corpulyzer.toml").exists():
        create(language, folder)
    path = folder / "documents" / "round=00000" / f"{archive}.00000.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_batches([batch_of(documents, Document)]).cast(schema_of(Document)), path)
    return open_corpus(folder, {"engine.workers": 1, **{k.replace("__", "."): v for k, v in flags.items()}})
