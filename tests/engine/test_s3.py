"""A corpus in an object store, on both engines."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from row_steps import PAGES, WORDS, Echo, ReadsArchive, rows, unit
from s3_server import environment, make_bucket
from typer.testing import CliRunner
from unreliable import unreliable

from corpulyzer.cli import app
from corpulyzer.engine import Dataset, Engine, Limits, Source, Unit
from corpulyzer.engine.derived import made_of
from corpulyzer.engine.derived.table import Table, bring_up_to_date
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.engine.spark.tables import TO_THE_END, pieces_of
from corpulyzer.storage import ParquetSink, Storage, exists
from corpulyzer.storage.content import DamagedError, footer_of

LIMITS = Limits(page_seconds=2, page_megabytes=400)
SQL = """
    select w.word, count(*) as pages, sum(p.id) as ids from words as w join pages as p on w.id = p.id
    group by w.word order by w.word nulls last
"""


@pytest.fixture(scope="module")
def bucket(object_store: Mapping[str, str]) -> Iterator[str]:
    with environment({**object_store, "PYTHONPATH": str(Path(__file__).parent)}):
        yield make_bucket(object_store, "steps")


@pytest.fixture(params=["local", pytest.param("spark", marks=pytest.mark.slow)])
def engine(request: pytest.FixtureRequest, bucket: str) -> Iterator[Engine]:
    if request.param == "spark":
        request.getfixturevalue("spark")
    made = SparkEngine("local[2]", LIMITS) if request.param == "spark" else LocalEngine(2, LIMITS)
    with made:
        yield made


def test_a_store_that_is_busy_for_seconds_is_asked_again(
    bucket: str, object_store: Mapping[str, str]
) -> None:
    with unreliable(object_store) as (way, variables), environment(variables):
        way.befall(*[(503, "SlowDown")] * 4)
        Storage(f"{bucket}/busy").write("note", b"here")
    assert Storage(f"{bucket}/busy").read("note") == b"here"


def test_a_file_is_written_read_listed_and_deleted(bucket: str) -> None:
    storage = Storage(f"{bucket}/verbs")
    assert storage.list() == []
    storage.write("a/b.txt", b"one")
    storage.write("a/b.txt", b"two")
    storage.write("c.json", b"{}")
    assert storage.read("a/b.txt") == b"two"
    assert storage.list() == ["a/b.txt", "c.json"]
    assert storage.list(suffix=".json") == ["c.json"]
    assert storage.folders("a") == storage.folders("nowhere") == () and storage.folders("") == ("a",)
    assert storage.exists("a/b.txt") and not storage.exists("nothing")
    with storage.open_input("a/b.txt") as file:
        assert file.read_at(2, 1) == b"wo"
    storage.delete("a/b.txt")
    storage.delete("a/b.txt")
    assert storage.list() == ["c.json"]
    with pytest.raises(FileNotFoundError):
        storage.read("a/b.txt")


def test_a_store_copies_a_file_into_another_folder_itself(bucket: str) -> None:
    one, other = Storage(f"{bucket}/one"), Storage(f"{bucket}/other")
    one.write("x/a.txt", b"1")
    one.write("b.txt", b"2")
    one.put_in(other, "x/a.txt")
    one.write("x/a.txt", b"3")
    assert other.read("x/a.txt") == b"1"
    assert (one.files(), other.files()) == (("b.txt",), ())


def test_the_endpoint_may_be_in_the_query_of_the_uri(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    endpoint = os.environ["AWS_ENDPOINT_URL"]
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    storage = Storage(f"{bucket}/query?endpoint_override={endpoint}&region=us-east-1")
    storage.write("a", b"1")
    assert storage.list() == ["a"]
    assert exists(storage.path("a"))


def test_parquet_that_fails_is_never_seen(bucket: str) -> None:
    location = f"{bucket}/sink/a.parquet"
    schema = pa.schema([("id", pa.int64())])
    other = pa.RecordBatch.from_pydict({"other": ["x"]})
    with pytest.raises(ValueError, match="Schema"), ParquetSink(location, schema) as sink:
        sink.write(other)
    assert not exists(location)


def test_maps_and_queries_run_on_an_object_store(bucket: str, engine: Engine, tmp_path: Path) -> None:
    folder = f"{bucket}/{type(engine).__name__}"
    storage = Storage(folder)
    pq.write_table(rows("a b", "crash", "b c", "raise it"), tmp_path / "in.parquet")
    storage.write("in.parquet", (tmp_path / "in.parquet").read_bytes())
    source = Source(path=storage.path("in.parquet"))
    engine.map(Echo(), [unit(folder, str(number), source) for number in range(3)])
    files = {name: [storage.path(file) for file in storage.list(name)] for name in ("pages", "words")}
    assert [len(found) for found in files.values()] == [3, 3]
    tables = {"pages": Dataset(files["pages"], PAGES), "words": Dataset(files["words"], WORDS)}
    found = engine.query(SQL, tables, storage.path("out.parquet"))
    with storage.open_input("out.parquet") as file:
        written = pq.read_table(file)
    assert written.schema == found.schema
    assert written.equals(engine.query(SQL, tables))
    assert dict(zip(written["word"].to_pylist(), written["pages"].to_pylist(), strict=True))["b"] == 18
    said = engine.query("select said from pages where id = 1 order by said nulls last", tables)["said"]
    assert said.to_pylist() == ["failed (crashed: SIGSEGV): crash"] * 3


@pytest.mark.slow
def test_few_large_files_are_read_by_all_cores_row_group_by_row_group(
    bucket: str, spark: SparkEngine
) -> None:
    storage = Storage(f"{bucket}/groups")
    schema = pa.schema([("id", pa.int64())])
    for name, groups in (("a", 5), ("b", 1), ("none", 0)):
        content = pa.BufferOutputStream()
        with pq.ParquetWriter(content, schema) as writer:
            for group in range(groups):
                writer.write_table(pa.table({"id": list(range(group * 10, group * 10 + 10))}, schema))
        storage.write(f"{name}.parquet", content.getvalue().to_pybytes())
    files = [storage.path(file) for file in storage.list()]
    assert pieces_of(files, 4) == [(files[0], 0, 2), (files[0], 2, 4), (files[0], 4, 5), (files[1], 0, 1)]
    assert pieces_of(files, 2) == [(file, 0, TO_THE_END) for file in files]
    for some in (files, files[:1], files[2:]):
        asked = {"t": Dataset(some, schema)}
        sql = "select count(*) as n, sum(id) as total, count(distinct id) as ids from t"
        assert spark.query(sql, asked).equals(LocalEngine(1, LIMITS).query(sql, asked))


def test_a_derived_table_is_kept_in_an_object_store(bucket: str, engine: Engine) -> None:
    storage = Storage(f"{bucket}/derived/{type(engine).__name__}")
    tables = {name: Table(storage, name) for name in ("words", "pages")}
    given = {f"{name}.parquet": rows(f"say {name}", name) for name in "ab"}
    made: list[str] = []

    def bring(mark: str) -> list[str]:
        made.clear()
        wanted = {name: made_of([name], mark) for name in given}
        bring_up_to_date(tables, wanted, lambda name: Source(table=given[name]), run)
        return sorted(made)

    def run(units: list[Unit]) -> None:
        made.extend(unit.targets["pages"].rpartition("/")[2] for unit in units)
        engine.map(Echo(), units)

    assert bring("1") == ["a.parquet", "b.parquet"] and bring("1") == []
    before = tables["pages"].parts()
    tables["pages"].log.delete()
    assert bring("1") == [] and tables["pages"].parts() == before
    del given["a.parquet"]
    assert bring("2") == ["b.parquet"]
    assert storage.list("words") == ["words/b.parquet"] and tables["pages"].parts() == before[1:]


def test_a_part_that_a_store_has_lost_is_made_again_as_the_error_says(bucket: str, engine: Engine) -> None:
    storage = Storage(f"{bucket}/lost/{type(engine).__name__}")
    tables = {name: Table(storage, name) for name in ("words", "pages")}
    wanted = {f"{name}.parquet": made_of([name], "!") for name in "ab"}
    run = partial(engine.map, Echo())

    def bring() -> int:
        return bring_up_to_date(tables, wanted, lambda name: Source(table=rows(f"say {name}", name)), run)

    assert (bring(), bring()) == (2, 0)
    before = tables["pages"].parts()
    storage.delete("pages/a.parquet")
    with pytest.raises(DamagedError, match="missing") as told:
        footer_of(storage.path("pages/a.parquet"))
    assert "and the log of its table below parts/" in told.value.hint
    tables["pages"].log.delete()
    assert (bring(), bring()) == (1, 0) and tables["pages"].parts() == before


def test_a_step_may_read_the_store_itself(bucket: str, engine: Engine) -> None:
    storage = Storage(f"{bucket}/reads/{type(engine).__name__}")
    storage.write("archive", b"0123456789" * 10)
    target = storage.path("pages.parquet")
    units = [Unit(Source(table=rows("10", "crash", "57", "99")), {"pages": target})]
    engine.map(ReadsArchive(storage), units)
    with storage.open_input("pages.parquet") as file:
        said = pq.read_table(file)["said"].to_pylist()
    assert said == ["0", "crashed: SIGSEGV", "7", "9"]


def test_a_corpus_is_made_and_filled_in_a_bucket_from_the_command_line(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("The farmers of the valley bring their wheat to the market today. " * 6)
    place = f"{bucket}/engweb"

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(app, list(arguments))
        assert done.exit_code == 0, (done.output, done.exception)
        return done.stdout

    run("init", "eng", place)
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"], "nothing was made here"
    assert Storage(place).exists("corpulyzer.toml")
    run("import", "a.txt", "--project", place, "--quiet")
    assert len(Storage(place).list("corpus", ".parquet")) == 1
    assert json.loads(run("status", "--json", "--project", place))["kept"] == 1
    settings = {each["key"]: each for each in json.loads(run("config", "--json", "--project", place))}
    assert settings["corpus.language"]["value"] == "eng"
