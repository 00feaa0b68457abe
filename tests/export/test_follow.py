"""An export after news has the rows of an export from nothing, and makes only what is new."""

import hashlib
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from made_documents import document
from s3_server import environment, make_bucket

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.export import follow, render
from corpulyzer.export.formats import table
from corpulyzer.export.formats.table import Rows
from corpulyzer.export.select import Selection, splits_of
from corpulyzer.jobs.export import export
from corpulyzer.records import Document, drop, int64_hash
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.records.targets import targets
from corpulyzer.storage import Storage

FOLLOWING = ("hf", "croissant", "jsonl", "text", "html", "wet", "delta")
ONE_PART_A_SHARD = 4


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(follow, "PAGES", ONE_PART_A_SHARD)


class Counting:
    """An engine that counts the documents that exports make."""

    def __init__(self, engine):
        self.engine, self.made, self.most = engine, 0, 0

    def __getattr__(self, name):
        return getattr(self.engine, name)

    def map(self, step, units, progress=None):
        self._count(step, units)
        self.engine.map(step, units, progress)

    def map_here(self, step, units):
        self._count(step, units)
        self.engine.map_here(step, units)

    def _count(self, step, units):
        if "listed" in step.outputs:
            found = sum(_rows(unit.source) for unit in units)
            self.made, self.most = self.made + found, max(self.most, found)


def _rows(source):
    if source.table is not None:
        return source.table.num_rows
    return sum(pq.read_metadata(path).num_rows for path in (source.path, *source.more))


def write(folder, parts):
    """A corpus with a part of documents for each list."""
    if not (folder / "corpulyzer.toml").exists():
        create("urd", folder)
    place = folder / "documents" / "round=00000"
    shutil.rmtree(place, ignore_errors=True)
    shutil.rmtree(folder / "parts", ignore_errors=True)
    place.mkdir(parents=True)
    for name, documents in parts.items():
        table = pa.Table.from_batches([batch_of(documents, Document)]).cast(schema_of(Document))
        pq.write_table(table, place / f"{name}.00000.parquet")
    return open_corpus(folder, {"engine.workers": 1})


def some(archive, count=3, **more):
    return [
        replace(document(f"https://{archive}.pk/{n}", f"متن {n} {archive}", **more), archive=archive)
        for n in range(count)
    ]


def with_text(document, text):
    digest = hashlib.md5(text.encode()).hexdigest()
    return replace(document, text=text, text_digest=digest, tokens=len(text.split()))


def content(exported):
    """What the files of an export say, by file, without what tells its version."""
    found = {}
    for file in sorted(Path(exported.path).rglob("*")):
        name = str(file.relative_to(exported.path))
        if file.suffix == ".parquet":
            found[name] = pq.read_table(file).to_pylist()
        elif file.suffix == ".zst":
            found[name] = zstandard.open(file, "rt", encoding="utf-8").read()
        elif file.suffix == ".txt":
            found[name] = file.read_text("utf-8")
        elif file.suffix == ".html":
            found[name] = file.read_text("utf-8").partition("<body>")[2]
        elif name.endswith(".wet.gz"):
            found[name] = _records(file)
    counts = ("documents", "tokens", "licenses", "languages", "splits", "left_out", "people")
    return found, {name: exported.manifest[name] for name in counts}


def _records(file):
    """The records of documents, each with its headers; the first of a file tells its version."""
    from warcio.archiveiterator import ArchiveIterator

    with file.open("rb") as opened:
        found = [
            (each.rec_type, each.rec_headers.headers, each.raw_stream.read())
            for each in ArchiveIterator(opened)
        ]
    return [each for each in found if each[0] == "conversion"]


def news(parts):
    """The same with a document that has another text, one that is dropped, and a part of new ones."""
    one, two, three = parts["a"]
    later = {"a": [with_text(one, "ایک نیا متن"), replace(two, verdict=drop("length")), three]}
    return {**parts, **later, "c": some("c")}


@pytest.mark.parametrize("format", FOLLOWING)
def test_an_export_after_news_is_equal_to_one_from_nothing(engine, tmp_path, format):
    parts = {"a": some("a"), "b": some("b", license="cc-by")}
    export(write(tmp_path / "c", parts), engine, format)
    counting = Counting(engine)
    after = export(write(tmp_path / "c", news(parts)), counting, format)
    assert counting.made == 4, "the changed document and the three new ones"
    fresh = export(write(tmp_path / "fresh", news(parts)), engine, format)
    assert content(after) == content(fresh)
    assert after.manifest["changes"] == {"since": f"v001-{format}", "added": 3, "removed": 1, "changed": 1}


def test_splits_and_selections_follow_too(engine, tmp_path):
    asked = {"splits": splits_of("train,test=0.5", seed=3), "selection": Selection(sites=("a.pk", "b.pk"))}
    parts = {"a": some("a"), "b": some("b", 4)}
    export(write(tmp_path / "c", parts), engine, "hf", **asked)
    counting = Counting(engine)
    after = export(write(tmp_path / "c", news(parts)), counting, "hf", **asked)
    fresh = export(write(tmp_path / "fresh", news(parts)), engine, "hf", **asked)
    assert content(after) == content(fresh)
    assert after.manifest["left_out"] == {"site": 3} and counting.made == 4
    other = export(write(tmp_path / "c", news(parts)), counting, "hf")
    assert content(other) == content(export(write(tmp_path / "fresh", news(parts)), engine, "hf"))
    assert counting.made == 4 + 9, "with other settings all are made"


def test_the_vote_of_a_site_changes_documents_that_are_not_new(engine, tmp_path):
    linked = [replace(each, license="cc-by", license_basis="text") for each in some("a", 2)]
    parts = {"a": linked, "b": some("b")}
    before = export(write(tmp_path / "c", parts), engine, "jsonl")
    assert before.manifest["licenses"] == {"": 3, "cc-by": 2}
    more = [replace(each, site="a.pk", url=f"{each.url}/new") for each in some("c")]
    counting = Counting(engine)
    after = export(write(tmp_path / "c", {**parts, "c": more}), counting, "jsonl")
    assert after.manifest["licenses"] == {"": 8} and counting.made == 5
    assert content(after) == content(export(write(tmp_path / "fresh", {**parts, "c": more}), engine, "jsonl"))


def test_a_shard_without_news_is_the_file_of_the_version_before(engine, tmp_path):
    parts = {"a": some("a"), "b": some("b")}
    first = export(write(tmp_path, parts), engine, "hf")
    second = export(write(tmp_path, news(parts)), engine, "hf")
    assert len(list(Path(second.path).glob("data/*.parquet"))) == 3
    files = [[(Path(each.path) / f"data/train-0000{n}.parquet") for n in (0, 1)] for each in (first, second)]
    (changed_before, same_before), (changed, same) = files
    assert same.read_bytes() == same_before.read_bytes()
    assert changed.read_bytes() != changed_before.read_bytes()
    assert len(pq.read_table(changed_before)) == 3, "the version before stays as it was"


def test_many_small_shards_are_joined_and_their_rows_stay_as_they_are(engine, tmp_path, monkeypatch):
    parts = {name: some(name) for name in "abcde"}
    apart = export(write(tmp_path, parts), engine, "hf")
    monkeypatch.setattr(table, "FEW_FILES", 4)
    joined = export(write(tmp_path, parts), engine, "hf")
    files = [sorted(Path(each.path).glob("data/*.parquet")) for each in (apart, joined)]
    assert list(map(len, files)) == [5, 1]
    rows = [[row for file in own for row in pq.read_table(file).to_pylist()] for own in files]
    assert rows[0] == rows[1] and len(rows[1]) == 15
    (said,) = (file for file in joined.manifest["files"] if file["path"].startswith("data/"))
    assert said["sha256"] == hashlib.sha256(files[1][0].read_bytes()).hexdigest()


def test_of_many_shards_those_that_are_large_are_copied(engine, tmp_path, monkeypatch):
    parts = {"a": some("a"), "b": some("b"), "c": some("c", 300), "d": some("d"), "e": some("e")}
    apart = export(write(tmp_path, parts), engine, "hf")
    sizes = [file["bytes"] for file in apart.manifest["files"] if file["path"].startswith("data/")]
    monkeypatch.setattr(table, "FEW_FILES", 0)
    monkeypatch.setattr(table, "SMALL_BYTES", sizes[2])
    joined = export(write(tmp_path, parts), engine, "hf")
    assert [len(pq.read_table(file)) for file in sorted(Path(joined.path).glob("data/*"))] == [6, 300, 6]
    names = [Path(apart.path, "data/train-00002.parquet"), Path(joined.path, "data/train-00001.parquet")]
    assert names[0].read_bytes() == names[1].read_bytes()


def test_without_news_nothing_is_made(engine, tmp_path):
    corpus = write(tmp_path, {"a": some("a")})
    first, counting = export(corpus, engine, "jsonl"), Counting(engine)
    assert content(export(corpus, counting, "jsonl")) == content(first) and counting.made == 0


def test_a_document_that_comes_back_elsewhere_in_its_part_stands_where_it_is_now(engine, tmp_path):
    one, two, three = some("a")
    export(write(tmp_path / "c", {"a": [one, two, three]}), engine, "jsonl")
    after = export(write(tmp_path / "c", {"a": [three, one, two]}), engine, "jsonl")
    fresh = export(write(tmp_path / "fresh", {"a": [three, one, two]}), engine, "jsonl")
    assert content(after) == content(fresh)


def test_a_file_that_somebody_edited_in_an_export_is_not_handed_on(engine, tmp_path):
    parts = {"a": some("a"), "b": some("b")}
    first = export(write(tmp_path / "c", parts), engine, "hf")
    good = content(first)
    edited = Path(first.path) / "data/train-00000.parquet"
    with edited.open("r+b") as file:  # in place, and as long as before
        file.seek(100)
        file.write(b"edited by hand")
    assert content(export(write(tmp_path / "c", parts), engine, "hf")) == good


def test_scores_are_those_of_this_export_not_of_the_one_before(engine, tmp_path):
    some_quality = Selection(min_quality=0.0)
    parts = {"a": some("a", 2)}
    export(write(tmp_path / "c", parts), engine, "jsonl", selection=some_quality)
    parts["b"] = some("b", 2)
    after = export(write(tmp_path / "c", parts), engine, "jsonl", selection=some_quality)
    assert after.manifest["documents"] == 4
    fresh = export(write(tmp_path / "fresh", parts), engine, "jsonl", selection=some_quality)
    assert content(after) == content(fresh)


def test_a_document_follows_from_the_number_of_its_own_copies(tmp_path):
    found = sorted((document(f"https://a.pk/{name}") for name in "abcd"), key=lambda each: each.id)
    least, some, other, most = found
    file, archive = str(tmp_path / "copies.parquet"), int64_hash(least.archive)
    rows = {"archive_id": [archive] * 2, "id": [some.id, other.id], "copies": [2, 3]}
    pq.write_table(pa.table(rows), file)
    step = render.Render(Rows(), targets("urd"), copies=render.Numbers((file,), "copies", "1"))
    contents = step.contents(batch_of([most, other, least, some], Document), "abcd")
    assert contents == ["a  None None True", "b  None 3.0 True", "c  None None True", "d  None 2.0 True"]


def test_of_many_changed_documents_some_are_held_at_a_time(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(follow, "MOST_HELD", 0)
    parts = {name: some(name) for name in "abcd"}
    export(write(tmp_path / "c", parts), engine, "jsonl")
    counting = Counting(engine)
    changed = {name: [*two, replace(last, title="another")] for name, (*two, last) in parts.items()}
    after = export(write(tmp_path / "c", changed), counting, "jsonl")
    assert counting.made == 4 and counting.most == 1, "each shard has one of them"
    assert content(after) == content(export(write(tmp_path / "fresh", changed), engine, "jsonl"))


@pytest.mark.parametrize("lost", ["listed/00000.parquet", "rows/00000.parquet", "parts/rows.jsonl"])
def test_what_a_kill_left_half_done_is_made_again(engine, tmp_path, lost):
    parts = {"a": some("a"), "b": some("b")}
    corpus = write(tmp_path / "c", parts)
    export(corpus, engine, "jsonl")
    made = tmp_path / "c/exports/made/jsonl"
    older = (made / lost).read_bytes()
    export(write(tmp_path / "c", news(parts)), engine, "jsonl")
    (made / lost).write_bytes(older)  # as if the other file alone had been replaced
    again = export(write(tmp_path / "c", news(parts)), engine, "jsonl")
    assert content(again) == content(export(write(tmp_path / "fresh", news(parts)), engine, "jsonl"))


def test_what_is_kept_for_the_next_export_has_no_more_than_the_corpus(engine, tmp_path):
    parts = {"a": some("a"), "b": some("b")}
    export(write(tmp_path, parts), engine, "jsonl")
    left = {"a": parts["a"]}
    export(write(tmp_path, left), engine, "jsonl")
    rows = [row for file in (tmp_path / "exports/made/jsonl/rows").glob("*") for row in pq.read_table(file).to_pylist()]  # fmt: skip
    assert [json.loads(row["content"])["url"] for row in rows] == [each.url for each in parts["a"]]
    assert not os.path.exists(tmp_path / "exports/made/jsonl/rows/00001.parquet")


class Reads:
    """How many documents were digested, column by column."""

    def __init__(self, monkeypatch):
        self.rows, real = 0, render.digests_of_rows

        def counted(batch):
            self.rows += batch.num_rows
            return real(batch)

        monkeypatch.setattr(render, "digests_of_rows", counted)


def test_documents_of_parts_without_news_are_not_digested_again(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(follow, "PAGES", 100)
    parts = {"a": some("a"), "b": some("b")}
    export(write(tmp_path / "c", parts), engine, "jsonl")
    reads = Reads(monkeypatch)
    after = export(write(tmp_path / "c", news(parts)), engine, "jsonl")
    assert reads.rows == 2 + 3 + 4, "those of both parts with news, and those that are made"
    (tmp_path / "c/exports/made/jsonl/parts.json").write_text("{")
    again = export(write(tmp_path / "c", {**news(parts), "d": some("d")}), engine, "jsonl")
    assert content(after) == content(export(write(tmp_path / "fresh", news(parts)), engine, "jsonl"))
    later = export(write(tmp_path / "later", {**news(parts), "d": some("d")}), engine, "jsonl")
    assert content(again) == content(later)


def test_in_an_object_store_a_shard_without_news_is_copied_there(engine, tmp_path, object_store):
    parts = {"a": some("a"), "b": some("b")}
    with environment(object_store):
        folder = f"{make_bucket(object_store, 'exports')}/{tmp_path.name}"
        first = export(in_store(folder, parts), engine, "hf")
        counting = Counting(engine)
        after = export(in_store(folder, news(parts)), counting, "hf")
        assert counting.made == 4
        fresh = export(write(tmp_path / "fresh", news(parts)), engine, "hf")
        there = {file["path"]: file for file in after.manifest["files"]}
        for file in Path(fresh.path).glob("data/*.parquet"):
            with Storage(after.path).open_input(f"data/{file.name}") as stored:
                assert pq.read_table(stored).equals(pq.read_table(file))
        before = {file["path"]: file for file in first.manifest["files"]}
        assert there["data/train-00001.parquet"] == before["data/train-00001.parquet"]


def in_store(folder, parts):
    """The same corpus as `write` makes, in an object store."""
    storage = Storage(folder)
    if not storage.exists("corpulyzer.toml"):
        create("urd", folder)
    for file in (*storage.list("documents"), *storage.list("parts")):
        storage.delete(file)
    for name, documents in parts.items():
        table = pa.Table.from_batches([batch_of(documents, Document)]).cast(schema_of(Document))
        buffer = pa.BufferOutputStream()
        pq.write_table(table, buffer)
        storage.write(f"documents/round=00000/{name}.00000.parquet", buffer.getvalue().to_pybytes())
    return open_corpus(folder, {"engine.workers": 1})
