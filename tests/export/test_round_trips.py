"""What is exported and imported again is what it was: texts, ids, metadata."""

import json
from pathlib import Path

import pytest
import zstandard

from corpulyzer.export.published import publish
from corpulyzer.jobs.export import AfterVote, export


def published(corpus, engine):
    """The documents as they are published, without what is measured anew."""
    license_of = AfterVote(corpus.licenses(engine=engine))
    return {
        document.url: publish(document, license_of)
        for document in corpus.documents.kept()
    }  # fmt: skip


def compared(document):
    names = ("id", "url", "site", "date", "language", "license", "title", "author", "published", "tokens")
    names += ("text_bytes", "text_digest", "archive", "offset", "record_id", "text", "source")
    return {name: getattr(document, name) for name in names}


FILES = {"hf": "data", "jsonl": "train-00000.jsonl.zst", "warc": "", "wet": ""}


@pytest.mark.parametrize("format", FILES)
def test_an_export_imported_again_has_the_same_texts_ids_and_metadata(
    corpus, engine, exported, import_again, format
):
    folder = Path(exported(format).path)
    paths = sorted(folder.glob("*.gz")) if format in ("warc", "wet") else [folder / FILES[format]]
    again = import_again(*paths)
    before, after = published(corpus, engine), published(again, engine)
    assert before.keys() == after.keys()
    for url, document in before.items():
        assert compared(after[url]) == compared(document), url


def test_an_export_of_an_import_of_an_export_is_the_same_file(corpus, engine, exported, import_again):
    first = Path(exported("jsonl").path) / "train-00000.jsonl.zst"
    again = import_again(first)
    second = Path(export(again, engine, "jsonl").path) / "train-00000.jsonl.zst"
    rows = [{row["id"]: row for row in rows_of(file)} for file in (first, second)]
    assert rows[0].keys() == rows[1].keys()
    for key, row in rows[0].items():
        assert without_measures(rows[1][key]) == without_measures(row)


def test_what_a_foreign_import_told_survives_two_journeys(engine, import_again, corpus, tmp_path):
    text = next(iter(corpus.documents.kept())).text
    row = {"text": text, "url": "https://a.pk/1", "id": "no id of ours", "editor": "ک"}
    (tmp_path / "foreign.jsonl").write_text(json.dumps(row, ensure_ascii=False), "utf-8")
    first = import_again(tmp_path / "foreign.jsonl")
    (document,) = published(first, engine).values()
    assert document.id.startswith("crp-") and document.source == {"id": "no id of ours", "editor": "ک"}
    second = import_again(Path(export(first, engine, "jsonl").path) / "train-00000.jsonl.zst")
    (again,) = published(second, engine).values()
    assert compared(again) == compared(document)


def rows_of(file):
    with zstandard.open(file, "rt", encoding="utf-8", newline="\n") as opened:
        return [json.loads(line) for line in opened]


def without_measures(row):
    """Without what identification measured again, and what an import of text cannot know: kinds of blocks."""
    return {
        name: value for name, value in row.items() if name not in ("paragraphs", "scores", "target_bytes")
    }
