"""The list of pages that are fetched or become seeds: as long as a release, in the same order on both engines."""

from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpulyzer.engine import Dataset
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.workbench import Workbench, rows_in
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import Storage
from corpulyzer.web.commoncrawl import IndexRow
from corpulyzer.web.commoncrawl.estimate import chosen, in_archives
from corpulyzer.web.commoncrawl.fetch import wishes
from corpulyzer.web.seeds.rows import from_rows


def row(number, release="CC-MAIN-2024-10"):
    """A page of one of two sites, the first of which has twice as many."""
    site = f"a{min(1, number % 3)}.pk"
    time = datetime(2024, 2, 3, tzinfo=UTC)
    place = {"filename": f"{release}/{number % 4}.warc.gz", "offset": 10_000 - number}
    return IndexRow(release, f"https://{site}/{number}", site, "urd", "text/html", 100, time=time, **place)


@pytest.fixture
def pages(tmp_path):
    """Thirty pages in two files, three of them in an earlier release too."""
    rows = [*map(row, range(30)), *(row(number, "CC-MAIN-2023-50") for number in range(3))]
    files = []
    for part in range(2):
        files.append(str(tmp_path / f"{part}.parquet"))
        pq.write_table(pa.Table.from_batches([batch_of(rows[part::2], IndexRow)]), files[-1])
    return Dataset(tuple(files), schema_of(IndexRow))


def seeds_and_wishes(engine, pages, folder, per_site=0, limit=0):
    bench = Workbench(engine, Storage(folder), "chosen")
    found = chosen(bench, pages, per_site, limit)
    listed = in_archives(bench, found)
    assert rows_in(found) == rows_in(listed)
    return [seed.url for seed in from_rows(found)], list(wishes(listed))


def test_pages_are_once_in_the_list_largest_sites_first_and_fetched_archive_by_archive(pages, tmp_path):
    with LocalEngine(1) as engine:
        seeds, asked = seeds_and_wishes(engine, pages, tmp_path)
        assert len(seeds) == 30 == len(asked)
        assert seeds[:2] == ["https://a1.pk/1", "https://a1.pk/2"] and seeds[20] == "https://a0.pk/0"
        assert {wish.filename.partition("/")[0] for wish in asked} == {"CC-MAIN-2024-10"}
        assert asked == sorted(asked, key=lambda wish: (wish.filename, wish.offset))
        few, _ = seeds_and_wishes(engine, pages, tmp_path, per_site=2, limit=3)
        assert few == ["https://a1.pk/1", "https://a1.pk/2", "https://a0.pk/0"]


@pytest.mark.slow
@pytest.mark.parametrize("limits", [(0, 0), (2, 3), (0, 1 << 40)])
def test_a_cluster_writes_the_same_list_with_limits_and_without(pages, tmp_path, spark, limits):
    with LocalEngine(1) as engine:
        here = seeds_and_wishes(engine, pages, tmp_path / "here", *limits)
    assert seeds_and_wishes(spark, pages, tmp_path / "there", *limits) == here
