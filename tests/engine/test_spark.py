"""Spark gives the rows that DuckDB gives, and guards rows as the local engine does."""

import os
import random
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from processes import processes_below, wait_for
from row_steps import PAGES, WORDS, Echo, Forgets, Unprepared, rows, unit
from sparks import FEW

from corpulyzer.engine import Dataset, Engine, Limits, Source, StepError
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.engine.sql import PortabilityError
from corpulyzer.engine.workbench import count_rows
from corpulyzer.errors import UserError
from corpulyzer.export.files import Files
from corpulyzer.storage import Storage

pytestmark = pytest.mark.slow
LIMITS = Limits(page_seconds=0.5, page_megabytes=200)
URLS = pa.schema(
    [
        ("id", pa.int64()),
        ("site", pa.string()),
        ("status", pa.int32()),
        ("score", pa.int64()),
        ("kept", pa.bool_()),
        ("date", pa.timestamp("us", tz="UTC")),
        ("verdict", pa.struct([("reason", pa.string()), ("found", pa.float64())])),
        ("languages", pa.list_(pa.struct([("name", pa.string()), ("value", pa.int64())]))),
        ("digest", pa.binary()),
        ("offset", pa.int64()),
    ]
)
SITES = pa.schema([("site", pa.string()), ("quota", pa.int64())])
QUERIES = {
    "all types": "select u.* from urls as u",
    "groups": """
        select site, status, count(*) as pages, count(distinct score) as scores, sum(score) as total,
               min(score) as least_score, max(date) as last_date,
               sum(case when kept then 1 else 0 end) as kept_pages, count(*) filter (where score > 0) as positive
        from urls group by site, status""",
    "top per site": """
        select r.id, r.place, r.score from (
          select u.id, u.score,
                 row_number() over (partition by u.site order by u.score desc nulls last, u.id nulls last) as place
          from urls as u join sites as s on u.site = s.site where s.quota > 0) as r
        where r.place <= 3 order by r.score desc nulls last, r.id nulls last limit 40""",
    "running sum": """
        select id, sum(score) over (partition by site order by id nulls last
               rows between unbounded preceding and current row) as total from urls""",
    "semi and anti joins": """
        select u.id, 'has' as side from urls as u semi join sites as s on u.site = s.site
        union all select u.id, 'has not' as side from urls as u anti join sites as s on u.site = s.site""",
    "outer joins": """
        select u.id, s.site as joined, s.quota from urls as u full outer join sites as s on u.site = s.site""",
    "sets": "select site from urls except select site from sites union select site from sites where quota = 0",
    "nulls": """
        select id, coalesce(site, 'none') as a, nullif(site, 'b.pk') as b, site || '/x' as c,
               greatest(score, status, 100) as d, least(score, status, 100) as e, score % 7 as f
        from urls""",
    "texts": """
        select id, length(site) as letters, site < 'b' as early, site like '%.p_' as pk from urls
        where site between 'a' and 'zzz' or site is null""",
    "least and greatest text": "select status, min(site) as a, max(site) as b from urls group by status",
    "structs": """
        select verdict.reason as reason, count(*) as pages from urls where verdict.reason is not null
        group by verdict.reason""",
    "keywords as columns": "select u.offset, u.id from urls as u where u.offset > 10",
    "times": "select date, count(*) as pages from urls where date is not null group by date",
    "exists": "select u.id from urls as u where exists (select 1 from sites as s where s.site = u.site)",
    "with": """
        with best as (select site, max(score) as score from urls group by site)
        select u.id, b.score from urls as u join best as b using (site) where u.score = b.score""",
    "nothing": "select id, site from urls where id < -1",
}


def urls(count: int) -> pa.Table:
    """Rows of every type, with NULL here and there, and letters beyond the basic plane."""
    chance = random.Random(7)
    sites = ["a.pk", "b.pk", "ب.pk", "𐎠.example", "", "Z.pk", None]
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    records = [
        {
            "id": number,
            "site": chance.choice(sites),
            "status": chance.choice([200, 404, None]),
            "score": chance.choice([None, chance.randrange(-50, 50), 1 << 40]),
            "kept": chance.choice([True, False, None]),
            "date": chance.choice([None, noon + timedelta(microseconds=chance.randrange(5))]),
            "verdict": chance.choice(
                [None, {"reason": chance.choice(["mime", None]), "found": 0.1 * number}]
            ),
            "languages": chance.choice([None, [], [{"name": "urd", "value": number}]]),
            "digest": chance.choice([None, b"", bytes([number % 256])]),
            "offset": number,
        }
        for number in range(count)
    ]
    return pa.Table.from_pylist(records, schema=URLS)


@pytest.fixture
def spark(spark: SparkEngine) -> Iterator[SparkEngine]:
    """The session of all tests, with tight limits."""
    with SparkEngine("local[2]", LIMITS) as engine:
        yield engine


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Dataset]:
    folder = tmp_path_factory.mktemp("tables") / "round=3"
    folder.mkdir()
    table, files = urls(400), []
    for part in range(4):
        files.append(str(folder / f"{part}.parquet"))
        pq.write_table(table.slice(part * 100, 100), files[-1])
    sites = pa.table({"site": ["a.pk", "ب.pk", "nowhere.pk", None], "quota": [1, 2, 0, 3]}, schema=SITES)
    pq.write_table(sites, folder / "sites.parquet")
    return {"urls": Dataset(files, URLS), "sites": Dataset([str(folder / "sites.parquet")], SITES)}


def answer(engine: Engine, sql: str, tables: Mapping[str, Dataset]) -> tuple[pa.Schema, list[str]]:
    table = engine.query(sql, tables)
    return table.schema, sorted(map(repr, table.to_pylist()))


@pytest.mark.smoke
@pytest.mark.parametrize("name", QUERIES)
def test_both_engines_give_equal_rows(name: str, spark: SparkEngine, tables: Mapping[str, Dataset]) -> None:
    used = {table: tables[table] for table in tables if table in QUERIES[name]}
    shuffled = {table: Dataset(dataset.files[::-1], dataset.schema) for table, dataset in used.items()}
    expected = answer(LocalEngine(workers=1), QUERIES[name], used)
    assert answer(LocalEngine(workers=2), QUERIES[name], shuffled) == expected
    assert answer(spark, QUERIES[name], shuffled) == expected


@pytest.mark.parametrize(
    "sql", ["select id, site, score from urls order by score desc nulls first, id nulls last"]
)
def test_an_ordered_result_is_written_in_its_order(
    sql: str, spark: SparkEngine, tables: Mapping[str, Dataset], tmp_path: Path
) -> None:
    written = []
    for name, engine in (("spark", spark), ("local", LocalEngine())):
        target = str(tmp_path / f"{name}.parquet")
        assert engine.query(sql, {"urls": tables["urls"]}, target).num_rows == 0
        written.append(pq.read_table(target))
    assert written[0].equals(written[1])
    assert written[0].num_rows == 400


def test_an_empty_result_is_a_file_with_columns(spark: SparkEngine, tmp_path: Path) -> None:
    sql, target = "select id from urls where id < 0", str(tmp_path / "none.parquet")
    spark.query(sql, {"urls": Dataset([], URLS)}, target)
    assert pq.read_table(target).schema == pa.schema([("id", pa.int64())])


def test_a_large_result_is_written_by_many_tasks_and_is_the_same_table(
    spark: SparkEngine, tables: Mapping[str, Dataset], tmp_path: Path
) -> None:
    sql = "select id, score from urls where id is not null"
    found = spark.spread(sql, tables, str(tmp_path / "ids.parquet"))
    assert len(found.files) > 1 and sorted(found.files) == list(found.files)
    alone = LocalEngine(1, LIMITS).spread(sql, tables, str(tmp_path / "alone.parquet"))
    assert alone.files == (str(tmp_path / "alone.parquet"),) and alone.schema == found.schema
    rows = pa.concat_tables(map(pq.read_table, found.files)).sort_by("id")
    assert rows.equals(pq.read_table(*alone.files).sort_by("id"))
    grouped = "select count(*) as n, sum(score) as total from ids"
    assert spark.query(grouped, {"ids": found}).equals(LocalEngine(1, LIMITS).query(grouped, {"ids": found}))


def test_a_result_without_rows_that_many_tasks_write_is_one_file(
    spark: SparkEngine, tables: Mapping[str, Dataset], tmp_path: Path
) -> None:
    found = spark.spread("select id from urls where id < -5", tables, str(tmp_path / "none.parquet"))
    assert [pq.read_metadata(file).num_rows for file in found.files] == [0]


def test_a_table_of_an_earlier_query_is_not_seen_by_a_later_one(
    spark: SparkEngine, tables: Mapping[str, Dataset]
) -> None:
    spark.query("select site from sites", {"sites": tables["sites"]})
    with pytest.raises(Exception, match="TABLE_OR_VIEW_NOT_FOUND"):
        spark.query("select site from sites", {})


def test_a_query_that_is_not_portable_is_refused(spark: SparkEngine) -> None:
    with pytest.raises(PortabilityError, match="no function 'lower'"):
        spark.query("select lower(site) as site from sites", {"sites": Dataset([], SITES)})


@pytest.mark.smoke
def test_a_map_makes_the_files_that_the_local_engine_makes(spark: SparkEngine, tmp_path: Path) -> None:
    deeds = ["a b", "loop", "crash", "eat 400", "raise it", "exit", *(f"row {n}" for n in range(200))]
    told: list[int] = []
    for name, engine in (("spark", spark), ("local", LocalEngine(2, LIMITS))):
        units = [unit(tmp_path / name, str(n), Source(table=rows(*deeds, start=1000 * n))) for n in range(3)]
        engine.map(Echo(), units, told.append)
    assert sum(told) == 2 * 3 * len(deeds)
    made = [Storage(tmp_path / name) for name in ("spark", "local")]
    assert made[0].list() == made[1].list()
    assert len(made[0].list()) == 6
    for file in made[0].list():
        assert made[0].read(file) == made[1].read(file)


def test_a_unit_with_more_rows_than_a_task_should_do_is_cut_up_and_joined(
    spark: SparkEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from corpulyzer.engine.spark import pieces
    from corpulyzer.storage.content import footer_of

    monkeypatch.setattr(pieces, "PIECE_ROWS", 40)
    pq.write_table(rows(*(f"row {n}" for n in range(500)), "raise it", "b c"), tmp_path / "in.parquet")
    source = Source(path=str(tmp_path / "in.parquet"), start=7)
    cut, joined = pieces.divided(Echo(), [unit(tmp_path, "0", source)], cores=2)
    assert len(cut) == 6 and len(joined) == 2
    told: list[int] = []
    for name, engine in (("spark", spark), ("local", LocalEngine(2, LIMITS))):
        whole = replace(unit(tmp_path / name, "0", source), made_of={"pages": "a.b", "words": "c"})
        engine.map(Echo(), [whole], told.append)
    assert sum(told) == 2 * 495
    made = [Storage(tmp_path / name) for name in ("spark", "local")]
    assert made[0].list() == made[1].list() == ["pages/0.parquet", "words/0.parquet"]
    for file in made[0].list():
        assert footer_of(made[0].path(file))[:3] == footer_of(made[1].path(file))[:3]
        assert pq.read_table(made[0].path(file)).equals(pq.read_table(made[1].path(file)))
    assert not [file for file in tmp_path.rglob("*") if ".piece-" in file.name]


def test_a_step_that_forgets_a_column_ends_the_run_and_says_so(spark: SparkEngine, tmp_path: Path) -> None:
    from corpulyzer.engine import Unit

    units = [Unit(Source(table=rows("a")), {"pages": str(tmp_path / "a.parquet")})]
    with pytest.raises(StepError, match="output 'pages' of Forgets has no column said"):
        spark.map(Forgets(), units)
    assert Storage(tmp_path).list() == []


def test_what_the_user_can_mend_is_said_in_the_same_words_as_by_the_local_engine(
    spark: SparkEngine, tmp_path: Path
) -> None:
    from corpulyzer.engine import Unit

    units, said = [Unit(Source(table=rows("a")), {"pages": str(tmp_path / "a.parquet")})], []
    for engine in (spark, LocalEngine(1, LIMITS)):
        with pytest.raises(UserError) as caught:
            engine.map(Unprepared(), units)
        said.append((caught.value.message, caught.value.hint))
    assert said[0] == said[1] and "There is no model" in said[0][0]


def test_so_it_is_where_tasks_write_files(spark: SparkEngine, tmp_path: Path) -> None:
    tasks: list[Callable[[], Any]] = [
        partial(Files, Storage(tmp_path), ".txt", compress="bogus"),
        partial(count_rows, str(tmp_path / "none.parquet")),
    ]
    for task in tasks:
        said = []
        for engine in (spark, LocalEngine(1, LIMITS)):
            with pytest.raises(UserError) as caught:
                engine.call([task])
            said.append((caught.value.message, caught.value.hint))
        assert said[0] == said[1] and all(said[0])


def test_a_file_of_pieces_that_cannot_be_written_is_told_with_the_name_of_the_step(
    spark: SparkEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpulyzer.engine.spark.pieces.PIECE_ROWS", 40)
    pq.write_table(rows(*(f"row {n}" for n in range(200))), tmp_path / "in.parquet")
    (tmp_path / "pages/0.parquet/in_the_way").mkdir(parents=True)
    with pytest.raises(StepError, match=r"Echo failed on Spark: \w+Error: "):
        spark.map(Echo(), [unit(tmp_path, "0", Source(path=str(tmp_path / "in.parquet")))])


def test_a_python_worker_killed_from_outside_costs_nothing(spark: SparkEngine, tmp_path: Path) -> None:
    spark.spark.range(1).count()

    def workers() -> list[int]:
        """Python workers of Spark: what guards belong to, unless it is a local engine of this process."""
        guards = [pid for pid in processes_below(os.getpid()) if b"engine.guard" in _command(pid)]
        return [pid for pid in map(_parent, guards) if b"pyspark" in _command(pid)]

    def kill() -> None:
        wait_for(lambda: bool(workers()))
        killed.append(workers()[0])
        os.kill(killed[0], signal.SIGKILL)

    killed: list[int] = []
    thread = threading.Thread(target=kill)
    thread.start()
    spark.map(Echo(), [unit(tmp_path, str(n), Source(table=rows("sleep 1", f"unit {n}"))) for n in range(4)])
    thread.join()
    assert killed
    found = pq.read_table(tmp_path / "pages").column("said").to_pylist()
    assert sorted(found)[-4:] == [f"did: unit {n}" for n in range(4)]


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


SCRIPT = """
import sys
sys.path.append({tests!r})
from row_steps import Echo, rows, unit
from corpulyzer.engine import Source
from corpulyzer.engine.spark import SparkEngine

def work(engine, folder, deed):
    tables = [rows("well", "raise it", "print", deed if n >= 2 else "well") for n in range(8)]
    engine.map(Echo(), [unit(folder, str(n), Source(table=table)) for n, table in enumerate(tables)])

with SparkEngine("local[2]", settings={few!r}) as engine:
    work(engine, {quick!r}, "well")
    sys.stdout.write("done")
    try:
        work(engine, {slow!r}, "await what-never-comes")
    except KeyboardInterrupt:
        sys.stdout.write(", interrupted")
"""


@contextmanager
def script(quick: Path, slow: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A program that maps on Spark, quickly and slowly; all its processes must be gone soon after it."""
    tests, mark = str(Path(__file__).parent), uuid.uuid4().hex
    code = SCRIPT.format(tests=tests, few=FEW, quick=str(quick), slow=str(slow))
    variables = {**os.environ, "PYTHONPATH": tests, "MARK": mark}
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe, env=variables)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
        wait_for(lambda: not marked(mark))


def marked(mark: str) -> list[Path]:
    """The processes with a mark in their environment."""
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            found += [environ.parent] if mark.encode() in environ.read_bytes() else []
        except OSError:
            continue
    return found


def test_spark_says_nothing_on_the_terminal_and_an_interrupt_ends_it_with_all_its_processes(
    tmp_path: Path,
) -> None:
    with script(tmp_path / "quick", tmp_path / "slow") as process:
        wait_for(lambda: len(Storage(tmp_path / "slow").list("pages")) >= 2, 300)
        process.send_signal(signal.SIGINT)
        said, complained = process.communicate(timeout=600)
        assert (said, complained, process.returncode) == (b"done, interrupted", b"", 0)
    assert len(Storage(tmp_path / "quick").list("pages")) == 8
    made = Storage(tmp_path / "slow").list("pages")
    assert 2 <= len(made) < 8
    for file in made:
        assert pq.read_metadata(tmp_path / "slow" / file).num_rows == 4


def test_a_session_that_the_program_has_is_used_and_left_running(
    spark: SparkEngine, tables: Mapping[str, Dataset]
) -> None:
    sql = "select site from sites"
    with SparkEngine("local[1]") as guest:
        assert guest.spark.sparkContext is spark.spark.sparkContext
        assert guest.query(sql, {"sites": tables["sites"]}).num_rows == 4
    assert spark.query(sql, {"sites": tables["sites"]}).num_rows == 4


def test_a_missing_java_is_named_with_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    with pytest.raises(UserError, match=r"no(ne|where)[\s\S]*default-jre-headless"):
        SparkEngine().query("select id from urls", {"urls": Dataset([], URLS)})


@pytest.mark.parametrize(
    ("master", "complaint"),
    [
        ("spark://127.0.0.1:1", "No Spark master answers at spark://127.0.0.1:1."),
        ("yarn", "The master yarn needs HADOOP_CONF_DIR or YARN_CONF_DIR in the environment."),
    ],
)
def test_a_master_that_cannot_answer_is_named_at_once(master: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        SparkEngine(master).query("select id from urls", {"urls": Dataset([], URLS)})
    assert caught.value.message == complaint


def test_pages_and_words_have_the_schemas_that_they_declare(spark: SparkEngine, tmp_path: Path) -> None:
    spark.map(Echo(), [unit(tmp_path, "a", Source(table=rows("a b")))])
    assert pq.read_schema(tmp_path / "pages/a.parquet").equals(PAGES)
    assert pq.read_schema(tmp_path / "words/a.parquet").equals(WORDS)
