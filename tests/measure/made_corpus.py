"""Small corpora for the tests of measures: pages in, a bench out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from corpulyzer.engine import Dataset
from corpulyzer.language import Language
from corpulyzer.measure.bench import Bench
from corpulyzer.records import EPOCH, KEEP, Document, Edge, Fetch, Paragraph, drop, int64_hash
from corpulyzer.records.columns import batch_of, schema_of


@dataclass(frozen=True)
class Made:
    """A page to be: paragraphs in the target language, or `(text, language)`; dropped if it has a reason."""

    paragraphs: Sequence[str | tuple[str, str]]
    site: str = "a.hr"
    reason: str = ""
    confidence: float = 0.95
    machine_translation: str = ""
    name: str = ""


def document(page: Made | str, number: int, code: str) -> Document:
    made = page if isinstance(page, Made) else Made([page])
    lines = [(each, code) if isinstance(each, str) else each for each in made.paragraphs]
    text = "\n".join(line for line, _ in lines)
    spans, at, languages = [], 0, {}
    for line, language in lines:
        spans.append(
            Paragraph(at, at + len(line), "p", language, made.confidence, {language: len(line.encode())})
        )
        languages[language] = languages.get(language, 0) + len(line.encode())
        at += len(line) + 1
    url = f"https://{made.site}/{made.name or number}"
    target = "".join(line for line, language in lines if language == code)
    return Document(
        id=int64_hash(url), url_id=int64_hash(url), url=url, site=made.site, round=1, archive="a", offset=number,
        record_id="", date=EPOCH, status=200, mime="text/html", charset="utf-8", raw_bytes=1000, raw_digest="",
        truncated=False, title="", declared_language="", canonical="", author="", published="", text=text,
        text_digest="", text_bytes=len(text.encode()), tokens=len(text.split()), paragraphs=tuple(spans),
        languages=languages, language=code, target_bytes=len(target.encode()), target_characters=len(target),
        license="", licenses=(), machine_translation=made.machine_translation, labels={}, scores={},
        verdict=drop(made.reason) if made.reason else KEEP,
    )  # fmt: skip


def bench_of(
    folder: Path, engine, pages: Iterable[Made | str], language: str = "hrv", files: int = 1, **options
) -> Bench:
    """A bench with these pages, in as many files as asked for."""
    found = Language.find(language)
    documents = [document(page, number, found.code) for number, page in enumerate(pages)]
    return bench_with(folder, engine, documents, language, files, **options)


def bench_with(
    folder: Path, engine, documents: Sequence[Document], language: str, files: int = 1, **options
) -> Bench:
    """A bench with these documents."""
    (folder / "documents").mkdir(parents=True, exist_ok=True)
    paths = []
    for number in range(files if documents else 0):
        path = folder / "documents" / f"{number}.parquet"
        pq.write_table(pa.Table.from_batches([batch_of(documents[number::files], Document)]), path)
        paths.append(str(path))
    return Bench(
        engine=engine,
        documents=Dataset(tuple(paths), schema_of(Document)),
        fetches=Dataset((), schema_of(Fetch)),
        links=Dataset((), schema_of(Edge)),
        language=Language.find(language),
        folder=str(folder / "analysis"),
        **options,
    )
