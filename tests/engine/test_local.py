"""Maps and queries on one machine."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from processes import processes_below, wait_for
from row_steps import INPUT, PAGES, WORDS, Echo, Marked, rows, unit

from corpulyzer.engine import Dataset, Limits, Source, Unit
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.sql import PortabilityError
from corpulyzer.storage import Storage

LIMITS = Limits(page_seconds=0.3, page_megabytes=200)


def said(folder: Path, name: str) -> list[str]:
    return pq.read_table(folder / f"pages/{name}.parquet").column("said").to_pylist()


def test_each_unit_becomes_one_file_per_output(tmp_path: Path) -> None:
    units = [unit(tmp_path, str(n), Source(table=rows("a b", f"unit {n}"))) for n in range(5)]
    done: list[int] = []
    LocalEngine(workers=2).map(Echo(), units, done.append)
    assert [said(tmp_path, str(n))[1] for n in range(5)] == [f"did: unit {n}" for n in range(5)]
    assert Storage(tmp_path).list("words") == [f"words/{n}.parquet" for n in range(5)]
    assert sum(done) == 10


def test_small_work_is_done_in_this_process_with_the_same_rows(tmp_path: Path) -> None:
    others = set(processes_below(os.getpid()))
    with LocalEngine(workers=1) as engine:
        engine.map_here(Echo(), [unit(tmp_path, name, Source(table=rows("a b", name))) for name in "xy"])
        assert not set(processes_below(os.getpid())) - others, "no worker was started"
        engine.map(Echo(), [unit(tmp_path, "z", Source(table=rows("a b", "x")))])
    assert said(tmp_path, "x") == said(tmp_path, "z") == ["did: a b", "did: x"]
    assert Storage(tmp_path).list("words") == [f"words/{name}.parquet" for name in "xyz"]


def test_workers_stay_for_the_next_step_and_go_with_the_engine(tmp_path: Path) -> None:
    others = set(processes_below(os.getpid()))

    def own() -> list[int]:
        return [pid for pid in processes_below(os.getpid()) if pid not in others]

    def one(name: str) -> list[Unit]:
        return [unit(tmp_path, name, Source(table=rows(name)))]

    with LocalEngine(workers=1) as engine:
        engine.map(Echo(), one("a"))
        first = own()
        assert first
        engine.map(Echo(), one("b"))
        assert own() == first, "the same worker"
        os.kill(first[0], signal.SIGKILL)
        engine.map(Echo(), one("c"))
        second = own()
        assert not set(second) & set(first), "the guard of a worker that died has another"
        engine.map(Echo(row_seconds=0.001), one("d"))
        assert second[0] in own(), "another step has the same guard"
        assert [said(tmp_path, name) for name in "abcd"] == [[f"did: {name}"] for name in "abcd"]
    assert not own()


def test_workers_share_a_large_unit_and_its_rows_keep_their_order(tmp_path: Path) -> None:
    others = set(processes_below(os.getpid()))
    gate = tmp_path / "gate"
    # The second hundred cannot end before the third has begun, which then is another worker's.
    deeds = [*["well"] * 199, f"await {gate}", f"touch {gate}", *["well"] * 1799]
    with LocalEngine(workers=2) as engine:
        engine.map(Echo(), [unit(tmp_path, "few", Source(table=rows(*["well"] * 250)))])
        few = set(processes_below(os.getpid())) - others
        engine.map(Echo(), [unit(tmp_path, "many", Source(table=rows(*deeds)))])
        many = set(processes_below(os.getpid())) - others
    assert said(tmp_path, "many") == [f"did: {deed}" for deed in deeds]
    assert few < many and len(many) == 2 * len(few), "for little work one worker is started"


def test_a_unit_may_be_some_rows_of_a_parquet_file(tmp_path: Path) -> None:
    table = rows(*(f"row {n}" for n in range(1000)))
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=150)
    ranges = [(0, 1000), (0, 1), (149, 151), (299, 700), (450, 600), (999, 1000), (500, 500)]
    path = str(tmp_path / "in.parquet")
    units = [
        unit(tmp_path, f"{a}-{b}", Source(path=path, start=a, stop=b, columns=("deed", "id")))
        for a, b in ranges
    ]
    LocalEngine().map(Echo(), units)
    for a, b in ranges:
        assert said(tmp_path, f"{a}-{b}") == [f"did: row {n}" for n in range(a, b)]
    LocalEngine().map(Echo(), [unit(tmp_path, "all", Source(path=path))])
    assert said(tmp_path, "all") == said(tmp_path, "0-1000")


def test_a_unit_without_rows_still_has_files_with_the_schema(tmp_path: Path) -> None:
    LocalEngine().map(Echo(), [unit(tmp_path, "none", Source(table=INPUT.empty_table()))])
    assert pq.read_table(tmp_path / "pages/none.parquet").schema.equals(PAGES)


def test_a_unit_may_replace_the_file_that_it_reads(tmp_path: Path) -> None:
    LocalEngine().map(Echo(), [unit(tmp_path, "a", Source(table=rows("x", "y")))])
    pages = tmp_path / "pages/a.parquet"
    again = Source(table=pq.read_table(pages).rename_columns(["id", "deed"]))
    pq.write_table(again.table, pages)
    LocalEngine().map(Echo(), [unit(tmp_path, "a", Source(path=str(pages)))])
    assert said(tmp_path, "a") == ["did: did: x", "did: did: y"]


def test_the_metadata_of_a_declared_schema_is_in_the_file(tmp_path: Path) -> None:
    LocalEngine().map(Marked(), [Unit(Source(table=rows("a")), {"pages": str(tmp_path / "a.parquet")})])
    assert pq.read_schema(tmp_path / "a.parquet").metadata[b"made_by"] == b"Marked"


def test_bad_rows_do_not_disturb_others_of_many_units(tmp_path: Path) -> None:
    deeds = ["well", "crash", "well", "loop", "eat 400", "well"]
    units = [unit(tmp_path, str(n), Source(table=rows(*deeds))) for n in range(4)]
    LocalEngine(workers=2, limits=LIMITS).map(Echo(), units)
    for n in range(4):
        assert [words.partition(" ")[0] for words in said(tmp_path, str(n))] == [
            "did:", "failed", "did:", "failed", "failed", "did:",
        ]  # fmt: skip


def test_an_error_of_the_step_leaves_no_files(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="cannot even fail"):
        LocalEngine().map(Echo(), [unit(tmp_path, "a", Source(table=rows("well", "raise stubborn")))])
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_unit_that_asks_for_other_outputs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Echo makes"):
        LocalEngine().map(Echo(), [Unit(Source(table=rows("a")), {"pages": str(tmp_path / "a.parquet")})])


RUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may ignore interrupts
sys.path.append({tests!r})
from row_steps import Echo, rows, unit
from corpulyzer.engine import Source
from corpulyzer.engine.local import LocalEngine
folder, gate = {folder!r}, {gate!r}
units = [unit(folder, str(n), Source(table=rows(*(f"row {{i}}" for i in range(150)), start=150 * n)))
         for n in range(3)]
units += [unit(folder, str(n), Source(table=rows("before", f"await {{gate}}", "after", start=150 * n)))
          for n in range(3, 12)]
LocalEngine(workers=2).map(Echo(), units)
"""


def start(folder: Path, gate: Path) -> "subprocess.Popen[bytes]":
    """A run in a script of its own, without a main guard; after three units it waits for the gate."""
    code = RUN.format(tests=str(Path(__file__).parent), folder=str(folder), gate=str(gate))
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def visible(folder: Path) -> dict[str, bytes]:
    storage = Storage(folder)
    return {name: storage.read(name) for name in storage.list()}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_run_leaves_whole_files_alone_and_no_process(
    tmp_path: Path, how: signal.Signals
) -> None:
    gate = tmp_path / "gate"
    gate.touch()
    assert start(tmp_path / "whole", gate).wait(600) == 0
    gate.unlink()
    process = start(tmp_path / "broken", gate)
    wait_for(lambda: len(Storage(tmp_path / "broken").list("pages")) >= 3)
    wait_for(lambda: len(processes_below(process.pid)) == 4)
    workers = processes_below(process.pid)
    os.kill(process.pid, how)
    process.communicate(timeout=600)
    assert process.returncode == -how
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    whole, broken = visible(tmp_path / "whole"), visible(tmp_path / "broken")
    assert 3 <= len(broken) < len(whole) == 24
    assert broken == {name: whole[name] for name in broken}
    gate.touch()
    assert start(tmp_path / "broken", gate).wait(600) == 0
    assert visible(tmp_path / "broken") == whole
    left = list((tmp_path / "broken").rglob(".*"))
    assert left == [], "the second run clears what the first one left"


def test_a_query_joins_groups_and_orders(tmp_path: Path) -> None:
    LocalEngine().map(
        Echo(), [unit(tmp_path, str(n), Source(table=rows("a b", "b c", start=2 * n))) for n in range(3)]
    )
    tables = {
        "pages": Dataset([str(path) for path in sorted((tmp_path / "pages").iterdir())], PAGES),
        "words": Dataset([str(path) for path in sorted((tmp_path / "words").iterdir())], WORDS),
    }
    sql = """
        select w.word, count(*) as pages, sum(p.id) as ids
        from words as w join pages as p on w.id = p.id
        group by w.word order by pages desc nulls last, w.word nulls last
    """
    found = LocalEngine().query(sql, tables)
    assert found.schema == pa.schema([("word", pa.string()), ("pages", pa.int64()), ("ids", pa.int64())])
    assert found.to_pylist() == [
        {"word": "b", "pages": 6, "ids": 15},
        {"word": "a", "pages": 3, "ids": 6},
        {"word": "c", "pages": 3, "ids": 9},
    ]
    target = str(tmp_path / "out/words.parquet")
    empty = LocalEngine().query(sql, tables, target)
    assert (empty.num_rows, empty.schema) == (0, found.schema)
    assert pq.read_table(target).equals(found)


def test_a_table_without_files_has_its_columns_and_no_rows() -> None:
    found = LocalEngine().query(
        "select word, id from words order by id nulls last", {"words": Dataset([], WORDS)}
    )
    assert found.schema == pa.schema([("word", pa.string()), ("id", pa.int64())])
    assert found.num_rows == 0


def test_a_query_sees_a_file_that_was_made_again_since_the_last_one(tmp_path: Path) -> None:
    """Of the same size, in the same moment: the queries of a `with` block share a database, but no memory of files."""
    file = tmp_path / "t.parquet"
    table = Dataset([str(file)], pa.schema({"n": pa.int64()}))
    with LocalEngine(workers=1) as engine:
        for number in range(5):
            pq.write_table(pa.table({"n": [number]}), file)
            os.utime(file, ns=(1, 1))
            assert engine.query("select n from t", {"t": table}).to_pylist() == [{"n": number}]
        assert engine.query("select n from other", {"other": table}).num_rows == 1
        with pytest.raises(duckdb.CatalogException, match="t does not exist"):
            engine.query("select n from t", {"other": table})


def test_folders_named_like_partitions_add_no_columns(tmp_path: Path) -> None:
    folder = tmp_path / "round=7" / "it's"
    LocalEngine().map(Echo(), [unit(folder, "a", Source(table=rows("x")))])
    files = [str(folder / "pages/a.parquet")]
    found = LocalEngine().query(
        "select * from pages order by id nulls last", {"pages": Dataset(files, PAGES)}
    )
    assert found.schema == PAGES


def test_a_query_that_is_not_portable_is_refused() -> None:
    with pytest.raises(PortabilityError, match="line 1, column 8: no function 'lower'"):
        LocalEngine().query("select lower(word) as word from words", {"words": Dataset([], WORDS)})


def test_a_sum_beyond_64_bits_is_an_error_and_not_a_wrong_number(tmp_path: Path) -> None:
    table = pa.table({"id": [1 << 62] * 4, "word": ["x"] * 4}, schema=WORDS)
    pq.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(pa.ArrowInvalid):
        LocalEngine().query(
            "select sum(id) as n from t", {"t": Dataset([str(tmp_path / "a.parquet")], WORDS)}
        )


MEMORY = """
import resource, sys
import pyarrow as pa
sys.path.append({tests!r})
from row_steps import Letters
from corpulyzer.engine import Source, Unit
from corpulyzer.engine.local import LocalEngine
source = Source(table=pa.table({{"id": range({pages})}}))
LocalEngine(workers=1).map(Letters(), [Unit(source, {{"pages": {target!r}}})])
used = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
sys.stdout.write(str(sum(used)))
"""


@pytest.mark.slow
def test_memory_is_bounded_by_the_batch_not_by_the_rows(tmp_path: Path) -> None:
    def peak(pages: int) -> int:
        code = MEMORY.format(
            tests=str(Path(__file__).parent), pages=pages, target=str(tmp_path / "o.parquet")
        )
        output = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=1800)
        return int(output.stdout)

    assert peak(50_000) < 1.2 * peak(5_000)


def test_work_starts_soon(tmp_path: Path) -> None:
    begin = time.monotonic()
    LocalEngine(workers=1).map(Echo(), [unit(tmp_path, "a", Source(table=rows("x")))])
    assert time.monotonic() - begin < 30
