"""Where the time of a page goes: milliseconds of processor time by stage, from archive to Parquet.

    python benchmarks/stages.py [--archive FILE.warc.gz] [--language eng]

One process does what a worker and the engine do for each page, and looks at its clock around every stage.
Parts of a stage, such as `extract: dates`, are counted in it too. Without --archive, one is made as for
`batch.py`.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

from batch import TARGET, compile_modules, make_archive
from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus.indexing import IndexArchives
from corpulyzer.corpus.tables import _row_of
from corpulyzer.engine.units import BATCH_ROWS
from corpulyzer.page import maps
from corpulyzer.page.identify import Identify
from corpulyzer.page.pipeline import Own, Pipeline, Reading, pipeline
from corpulyzer.records import Fetch, Page
from corpulyzer.records.without_pandas import NoPandas
from corpulyzer.storage import ParquetSink
from corpulyzer.warc import ArchiveReader, page_of

NAME = "pages"
# What is timed beside the stages: the module that calls it, its name there, and that in the table.
PARTS = (
    ("corpulyzer.page.extract", "blocks_of", "extract: walk to blocks"),
    ("corpulyzer.page.extract.default.main_content", "chosen", "extract: choice of blocks"),
    ("corpulyzer.page.extract", "metadata_of", "extract: metadata and dates"),
    ("corpulyzer.page.extract.metadata", "published_on", "extract: dates"),
    ("corpulyzer.page.extract", "links_of", "extract: links"),
    ("corpulyzer.page.identify.cld2", "_detected", "identify: CLD2"),
    ("corpulyzer.page.maps", "document_of", "rows: records"),
    ("corpulyzer.page.maps", "batch_of", "rows: documents"),
    ("corpulyzer.page.maps", "edge_batch", "rows: links"),
)


class Clock:
    """Adds up processor time by the name of a stage."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)

    def __call__(self, name: str, run: Callable[..., Any], *given: Any, **named: Any) -> Any:
        start = time.process_time()
        made = run(*given, **named)
        self.spent[name] += time.process_time() - start
        return made

    def timed(self, name: str, stages: Iterable[Any]) -> tuple[Any, ...]:
        """Stages that are timed, under their own names behind the name of their group."""
        return tuple(partial(self, f"{name}: {_name_of(stage)}", stage) for stage in stages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--archive", type=Path)
    parser.add_argument("--language", default=TARGET)
    asked = parser.parse_args()
    compile_modules()
    sys.meta_path.insert(0, NoPandas())  # as in a worker
    with tempfile.TemporaryDirectory() as folder:
        archive = asked.archive or make_archive(Path(folder))
        clock = Clock()
        pages = work(archive, Path(folder) / "corpus", asked.language, clock)
        for name, spent in sorted(clock.spent.items(), key=lambda item: -item[1]):
            print(f"{name:<40} {spent / pages * 1000:7.3f} ms a page")
        print(f"{pages:,} pages")


def work(archive: Path, corpus: Path, language: str, clock: Clock) -> int:
    """Do all that is done with an archive, and return how many records it has."""
    create(language, corpus)
    step = maps.ProcessPages(open_corpus(corpus).config, {NAME: str(archive)}, _no_sitemaps)
    clock("start", step.prepare)
    gc.freeze()  # as in a worker
    row = _row_of(archive=NAME, path=str(archive), round="0").to_batches()[0]
    fetches = clock("index", IndexArchives(), row, _unwatched)["fetches"]
    sinks = {name: ParquetSink(str(corpus / name), schema, NAME) for name, schema in step.outputs.items()}
    with maps._seldom_collected(), ExitStack() as stack:
        for module, name, shown in PARTS:
            run = getattr(import_module(module), name)
            stack.enter_context(patch(f"{module}.{name}", partial(clock, shown, run)))
        identify = Identify.__call__
        stack.enter_context(
            patch.object(Identify, "__call__", lambda *given: clock("page: Identify", identify, *given))
        )
        stages = _timed(pipeline(step.config), clock)
        for start in range(0, fetches.num_rows, BATCH_ROWS):
            pages = _pages(step, fetches.slice(start, BATCH_ROWS), stages, clock)
            for name, rows in step._tables(pages).items():
                clock(f"write: {name}", sinks[name].write, rows)
    for name, sink in sinks.items():
        clock(f"write: {name}", sink.finish)
    return int(fetches.num_rows)


def _timed(stages: Pipeline, clock: Clock) -> Pipeline:
    """The same pipeline with every stage timed."""

    @cache
    def own(code: str) -> Own:
        mine = stages.own(code)
        return Own(
            clock.timed("page", mine.extract),
            clock.timed("page", mine.stages),
            clock.timed("filter", mine.filters),
        )

    read = stages.reading()
    timed = Reading(clock.timed("page", read.parse), clock.timed("page", read.extract), read.identify)
    return Pipeline(
        targets=stages.targets,
        received=clock.timed("filter", stages.received),
        reading=lambda: timed,
        unseen=clock.timed("filter", stages.unseen),
        own=own,
    )


def _pages(step: maps.ProcessPages, rows: Any, stages: Pipeline, clock: Clock) -> Iterator[Page]:
    with ArchiveReader(step.archives) as reader:
        for _, fetch in maps._fetches(rows):
            yield step._run(stages, clock("read", _read, reader, fetch))


def _read(reader: ArchiveReader, fetch: Fetch) -> Page:
    return page_of(fetch, reader.read(fetch))


def _name_of(stage: Any) -> str:
    stage = stage.func if isinstance(stage, partial) else stage
    return str(getattr(stage, "__name__", type(stage).__name__))


def _no_sitemaps(*_: object) -> list[str]:
    return []


def _unwatched(_row: int) -> None:
    """Progress that nobody watches."""


if __name__ == "__main__":
    main()
