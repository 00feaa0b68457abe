"""The columnar index of a release, filtered into the corpus folder.

Row groups that statistics rule out are not read at all. Each part of the index makes one file, so that a run
that was stopped goes on with the parts that are missing.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from corpulyzer.engine import Dataset, Engine
from corpulyzer.engine.progress import Progress
from corpulyzer.errors import UserError
from corpulyzer.storage import Storage, open_input
from corpulyzer.web.commoncrawl import FOLDER, TOTALS, TOTALS_WITHIN
from corpulyzer.web.commoncrawl.counts import CountLanguages
from corpulyzer.web.commoncrawl.mirror import Mirror, denied
from corpulyzer.web.commoncrawl.plan import plan, planned
from corpulyzer.web.commoncrawl.step import FilterIndex
from corpulyzer.web.commoncrawl.wanted import Wanted

if TYPE_CHECKING:
    pass

WHOLE = "whole.json"


def filter_index(
    mirror: Mirror, release: str, wanted: Wanted, storage: Storage, engine: Engine, progress: Progress
) -> Dataset:
    """The wanted rows of a release, as files in the corpus folder; what is there is not read again."""
    folder = f"{FOLDER}/{release}/{wanted.key}"
    step = FilterIndex(release, wanted)
    return _read(mirror, step, wanted, storage.path(folder), engine, progress)


def language_counts(
    mirror: Mirror,
    release: str,
    storage: Storage,
    engine: Engine,
    progress: Progress,
    within: Wanted = Wanted(),  # noqa: B008 - frozen
) -> Dataset:
    """How many pages and bytes of a whole release each list of languages has (CZ-33, CZ-35).

    With `within` only those of its hosts and top-level domains are counted, whatever their language (HR-12).
    Of the index only three columns are read, and those that say where a page is.
    """
    step, everything = CountLanguages(release, within), within == Wanted()
    folder = f"{TOTALS}/{release}" if everything else f"{TOTALS_WITHIN}/{release}/{within.key}"
    return _read(mirror, step, within, storage.path(folder), engine, progress)


def _read(
    mirror: Mirror,
    step: FilterIndex | CountLanguages,
    wanted: Wanted,
    folder: str,
    engine: Engine,
    progress: Progress,
) -> Dataset:
    """Run a step over the row groups of a release that have not been read yet."""
    storage = Storage(folder)
    if not storage.exists(WHOLE):
        files = mirror.index_files(step.release)
        _check_columns(files[0], wanted, step)
        units = plan(files, wanted, storage, step.reads)
        done, (total, size) = 0, planned(units)
        what = f"reading the index of {step.release} (at most {size / 1e9:,.3f} GB)"
        progress(what, 0, total)

        def advance(rows: int) -> None:
            nonlocal done
            done += rows
            progress(what, done, total)

        engine.map(step, units, advance)
        _check_parts(storage, step.release)
        note = {"release": step.release, "wanted": asdict(wanted), "index_files": len(files)}
        storage.write(WHOLE, json.dumps(note, ensure_ascii=False, indent=1).encode())
    return Dataset(tuple(map(storage.path, storage.list("", ".parquet"))), step.outputs["index"])


def _check_columns(path: str, wanted: Wanted, step: FilterIndex | CountLanguages) -> None:
    """Guarantee that the index has what is needed; UserError names what it lacks."""
    import pyarrow.parquet as pq

    try:
        with open_input(path) as file:
            names, release = set(pq.read_schema(file).names), step.release
    except FileNotFoundError:
        raise UserError(
            f"The index of {step.release} names {path}, which is not there.",
            "The release may still be being made: choose another with --release.",
        ) from None
    except (OSError, ValueError) as error:
        raise denied(path, OSError(str(error))) from None
    if "content_languages" in {*wanted.columns, *step.needs} - names:
        raise UserError(
            f"The index of {release} has no column content_languages; those before August 2018 have none.",
            "Choose a newer release, or look by place: --all-languages with --tld or --host.",
        )
    missing = sorted({*wanted.columns, *step.needs} - names)
    if missing:
        raise UserError(
            f"The index of {release} has another form than we know: no {', '.join(missing)} in {path}.",
            "Choose another release, or update Corpulyzer.",
        )


def _check_parts(storage: Storage, release: str) -> None:
    """Delete the parts that could not be read whole, so that they are read again, and raise a UserError."""
    import pyarrow.parquet as pq

    problems = []
    for name in storage.list("", ".parquet"):
        with storage.open_input(name) as file:
            bad = pq.read_table(file, columns=["problem"], filters=[("problem", "!=", "")]).to_pylist()
        if bad:
            problems.append(bad[0]["problem"])
            storage.delete(name)
    if problems:
        raise UserError(
            f"{len(problems):,} parts of the index of {release} could not be read: {problems[0]}.",
            "Run the same command again: it reads only what is missing.",
        )
