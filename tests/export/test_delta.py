"""A Delta table of the corpus, read as the protocol says, by the actions of its log, and by the library of others."""

import json
import os
from pathlib import Path
from urllib.parse import unquote

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_documents import document
from s3_server import environment, make_bucket

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.errors import UserError
from corpulyzer.export.formats.delta import COMMIT, columns, type_of
from corpulyzer.export.mask import mask_of
from corpulyzer.export.select import Selection, splits_of
from corpulyzer.jobs.export import export
from corpulyzer.records import Document
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import ParquetSink, Storage

ARROW = {
    "long": pa.int64(),
    "integer": pa.int32(),
    "double": pa.float64(),
    "string": pa.string(),
    "binary": pa.binary(),
    "boolean": pa.bool_(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}


def arrow_of(kind):
    if isinstance(kind, str):
        return ARROW[kind]
    if kind["type"] == "array":
        return pa.list_(arrow_of(kind["elementType"]))
    return pa.struct([(field["name"], arrow_of(field["type"])) for field in kind["fields"]])


def actions(storage):
    lines = [json.loads(line) for line in storage.read(COMMIT).decode().splitlines()]
    return {
        kind: [line[kind] for line in lines if kind in line]
        for kind in {key for line in lines for key in line}
    }


def test_a_reader_of_the_log_finds_the_documents_of_the_corpus(corpus, exported):
    made = exported("delta")
    folder = Path(made.path)
    found = actions(Storage(folder))
    (protocol,), (described,) = found["protocol"], found["metaData"]
    assert (protocol["minReaderVersion"], described["partitionColumns"]) == (1, [])
    files = [folder / unquote(add["path"]) for add in found["add"]]
    assert [file.stat().st_size for file in files] == [add["size"] for add in found["add"]]
    rows = duckdb.sql(f"select id, text from read_parquet({list(map(str, files))})").fetchall()
    assert sorted(rows) == sorted((document.id, document.text) for document in corpus.documents.kept())
    assert sum(json.loads(add["stats"])["numRecords"] for add in found["add"]) == len(rows)
    said = json.loads(described["schemaString"])
    stored = pa.parquet.read_schema(files[0])
    licenses = {"license", "licenses", "license_basis"}  # the files have them as they were before the vote
    assert {field["name"]: arrow_of(field["type"]) for field in said["fields"]} == {
        field.name: field.type for field in stored if field.name not in licenses
    }
    assert licenses < set(stored.names)


def test_the_library_deltalake_reads_the_documents_of_the_corpus(corpus, exported):
    deltalake = pytest.importorskip("deltalake", reason="the library deltalake is not installed")
    table = deltalake.DeltaTable(exported("delta").path)
    rows = table.to_pyarrow_table()
    found = zip(*(rows.column(name).to_pylist() for name in ("id", "text")), strict=True)
    assert sorted(found) == sorted((document.id, document.text) for document in corpus.documents.kept())
    assert rows.schema.field("paragraphs").type == columns().field("paragraphs").type


def test_in_an_object_store_the_table_has_the_files_that_its_log_names(engine, tmp_path, object_store):
    with environment(object_store):
        folder = f"{make_bucket(object_store, 'delta')}/{tmp_path.name}"
        create("urd", folder)
        corpus = open_corpus(folder, {"engine.workers": 1})
        for name in ("a b", "c"):
            place = corpus.storage.path(f"documents/round=00000/{name}.00000.parquet")
            with ParquetSink(place, schema_of(Document)) as sink:
                sink.write(batch_of([document(f"https://a.pk/{name}")], Document))
        made = Storage(export(corpus, engine, "delta").path)
        assert made.path("").startswith("s3://")
        added = actions(made)["add"]
        rows = []
        for add in added:
            content = made.read(unquote(add["path"]))
            assert len(content) == add["size"]
            rows += pq.read_table(pa.BufferReader(content)).column("url").to_pylist()
        assert sorted(rows) == ["https://a.pk/a b", "https://a.pk/c"] and len(added) == 2


def test_no_file_is_copied_and_the_table_stays_when_the_corpus_changes(corpus, exported):
    folder = Path(exported("delta").path)
    (name,) = os.listdir(folder / "corpus")
    assert os.path.samefile(folder / "corpus" / name, corpus.storage.path(f"corpus/{name}"))
    listed = {file["path"] for file in exported("delta").manifest["files"]}
    assert listed == {f"corpus/{name}", COMMIT}


@pytest.mark.parametrize(
    "asked",
    [
        {"selection": Selection(licenses=("cc",))},
        {"splits": splits_of("train,test=0.1", 0)},
        {"mask": mask_of("email")},
        {"language": "urd"},
    ],
)
def test_what_would_change_the_files_is_refused(corpus, engine, asked):
    with pytest.raises(UserError):
        export(corpus, engine, "delta", **asked)


def test_a_type_that_delta_has_no_name_for_is_an_error():
    with pytest.raises(KeyError):
        type_of(pa.uint8())
