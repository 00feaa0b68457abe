"""A Delta table of the corpus, read as the protocol says: by the actions of its log, and nothing else."""

import json
import os
from pathlib import Path
from urllib.parse import unquote

import duckdb
import pyarrow as pa
import pytest

from corpulyzer.errors import UserError
from corpulyzer.export.formats.delta import COMMIT, type_of
from corpulyzer.export.mask import mask_of
from corpulyzer.export.select import Selection, splits_of
from corpulyzer.jobs.export import export

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


def actions(folder):
    lines = [json.loads(line) for line in (folder / COMMIT).read_text("utf-8").splitlines()]
    return {
        kind: [line[kind] for line in lines if kind in line]
        for kind in {key for line in lines for key in line}
    }


def test_a_reader_of_the_log_finds_the_documents_of_the_corpus(corpus, exported):
    made = exported("delta")
    folder = Path(made.path)
    found = actions(folder)
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
