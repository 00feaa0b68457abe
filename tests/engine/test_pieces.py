"""Units cut into pieces for the cores of a cluster: which are, and what is left of them after a kill."""

from dataclasses import dataclass, replace

import pyarrow.parquet as pq
import pytest
from row_steps import Echo, rows, unit

from corpulyzer.engine import Source
from corpulyzer.engine.spark import pieces
from corpulyzer.engine.spark.pieces import clear, divided
from corpulyzer.engine.units import run_here
from corpulyzer.storage import Storage
from corpulyzer.storage.content import DamagedError, footer_of
from corpulyzer.storage.temporary import sweep_all


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """One large file and two small ones, in a world where ten rows are a piece."""
    monkeypatch.setattr(pieces, "PIECE_ROWS", 10)
    found = []
    for number, count in enumerate((100, 12, 3)):
        path = tmp_path / f"{number}.parquet"
        pq.write_table(rows(*(f"row {n}" for n in range(count)), start=1000 * number), path)
        found.append(Source(path=str(path)))
    return found


def units_of(folder, sources):
    marked = {"pages": "a.b", "words": "c.d"}
    return [replace(unit(folder, str(n), source), made_of=marked) for n, source in enumerate(sources)]


def test_only_what_is_larger_than_its_share_is_cut_up(sources, tmp_path):
    units = units_of(tmp_path, sources)
    cut, joined = divided(Echo(), units, cores=3)
    spans = [(each.source.start, each.source.stop) for each in cut if ".piece-" in each.targets["pages"]]
    assert spans == [(start, min(start + 13, 100)) for start in range(0, 100, 13)]
    assert units[1] in cut and units[2] in cut and len(joined) == 2
    assert divided(Echo(), units, cores=1) == (units, []), "three units for one core are enough"


def test_steps_that_take_many_rows_and_rows_in_memory_are_left_whole(sources, tmp_path):
    @dataclass(frozen=True)
    class Wide(Echo):
        batch_rows: int = 1_000

    units = units_of(tmp_path, sources)
    assert divided(Wide(), units, cores=9) == (units, [])
    here = [unit(tmp_path, "t", Source(table=rows(*("a" for _ in range(99)))))]
    assert divided(Echo(), here, cores=9) == (here, [])


def test_rows_that_take_little_are_cut_into_larger_pieces_or_none(sources, tmp_path):
    @dataclass(frozen=True)
    class Quick(Echo):
        piece_rows: int = 40

    units = units_of(tmp_path, sources)
    cut, _ = divided(Quick(), units, cores=9)
    assert [each.source.stop for each in cut] == [40, 80, 100, None, None]
    assert divided(Quick(piece_rows=51), units, cores=9) == (units, [])


def test_joined_pieces_are_the_file_that_one_task_would_have_made(sources, tmp_path):
    whole, some = units_of(tmp_path / "whole", sources), units_of(tmp_path / "pieces", sources)
    run_here(Echo(), whole)
    cut, joined = divided(Echo(), some, cores=3)
    run_here(Echo(), cut)
    for file in (*joined, *joined):  # a task that is lost is done again
        file.make()
    clear(joined)
    made, expected = Storage(tmp_path / "pieces"), Storage(tmp_path / "whole")
    assert made.list() == expected.list()
    for file in made.list():
        assert footer_of(made.path(file))[:3] == footer_of(expected.path(file))[:3]
    assert not list((tmp_path / "pieces").rglob("*.tmp"))


def test_pieces_of_a_killed_run_are_nobodys_and_are_swept_away(sources, tmp_path):
    cut, _ = divided(Echo(), units_of(tmp_path / "corpus", sources), cores=3)
    run_here(Echo(), cut[:4])
    corpus = Storage(tmp_path / "corpus")
    assert corpus.list() == [] and list((tmp_path / "corpus").rglob("*.piece-*"))
    sweep_all(corpus.root)
    assert not list((tmp_path / "corpus").rglob("*.piece-*"))


def test_pieces_of_a_task_that_failed_go_though_not_all_were_made(sources, tmp_path):
    cut, joined = divided(Echo(), units_of(tmp_path / "corpus", sources), cores=3)
    run_here(Echo(), cut[:4])
    clear(joined)
    assert not list((tmp_path / "corpus").rglob("*.piece-*"))


def test_a_source_that_is_missing_is_named(tmp_path):
    with pytest.raises(DamagedError, match=r"gone\.parquet"):
        divided(Echo(), [unit(tmp_path, "t", Source(path=str(tmp_path / "gone.parquet")))], cores=3)
