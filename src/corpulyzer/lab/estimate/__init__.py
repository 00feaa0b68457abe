"""What a corpus of any size would cost, from what a page costs on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpulyzer.api.corpus import create
from corpulyzer.corpus.settings.config import Config, load
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.lab.estimate.model import Estimate, estimates
from corpulyzer.lab.estimate.pages import TARGET, cut, pages_in, web_of, write_pages
from corpulyzer.lab.estimate.units import Step, Units, Usage, fitted, read_units, write_units
from corpulyzer.web import seeds

PAGES = (10**6, 10**8, 10**9)
TRIALS = {"batch": (2_000, 10_000), "crawl": (2_000, 8_000)}
"""Pages of the two trials of each way; below a thousand, what a page takes is mostly that workers start."""
FEWEST = 500
"""Pages of an archive of one's own: a fifth and all are tried, up to those numbers. The more, the surer."""
SEEDS, RICH = 40, 0.5
ARTICLES_PER_PAGE = 5
"""Articles of the web that is crawled, for each page that is asked for: a crawl must not run dry."""


@dataclass(frozen=True, slots=True)
class Estimated:
    """Estimates, with the units that they follow from and the settings that were reckoned with."""

    estimates: list[Estimate]
    units: Units
    config: Config

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        units = {way: [asdict(unit) for unit in steps] for way, steps in self.units.items()}
        found = [each.to_json() for each in self.estimates]
        return {"settings": asdict(self.config.estimate), "units": units, "estimates": found}


def estimate(
    *pages: int,
    project: str | Path = ".",
    settings: Mapping[str, Any] | None = None,
    units: str | Path | None = None,
    archive: str | Path | None = None,
    progress: Progress = silent,
) -> Estimated:
    """What corpora of so many pages cost, a million, 10⁸ and 10⁹ unless told, in the table `estimate`.

    A short run on this machine measures what a page takes: pages of the built-in web, or for the batch those
    of an `archive`, read for the language of the corpus in `project`. `units` is a file in which this is
    kept: what it has already is not measured again.
    """
    config = load(project, settings)[0]
    if any(each < 1 for each in pages):
        raise UserError("A corpus has a page at least.", "Give a number of pages that is 1 or more.")
    file = Path(units) if units else None
    if (file and not file.parent.is_dir()) or (archive and not Path(archive).is_file()):
        wrong = archive if archive and not Path(archive).is_file() else units
        raise UserError(f"{wrong} is no file.", "Name a file that is there, or in a folder that is.")
    if archive and not config.corpus.language:
        hint = "Run it in the folder of a corpus of one language, or name that with --project."
        raise UserError("An archive is measured for one language, and the settings do not name it.", hint)
    if archive and file and file.exists():
        hint = "Name another file with --units, or leave --archive out."
        raise UserError(f"{file} has unit costs already, so the archive would not be measured.", hint)
    if file and file.exists():
        found = read_units(file)
    else:
        found = measured(config, archive, progress)
        if file:
            write_units(file, found)
    return Estimated(estimates(found, pages or PAGES, config), found, config)


def measured(config: Config, archive: str | Path | None = None, progress: Progress = silent) -> Units:
    """What the steps of a corpus take on this machine, batch and crawl.

    An `archive` is read for the language of the settings.
    """
    from corpulyzer.lab.estimate.trial import FITS

    steps: list[Step] = []
    trials = TRIALS if archive is None else {**TRIALS, "batch": _sizes(Path(archive))}
    runs = [(way, size) for way, sizes in trials.items() for size in sizes]
    for number, (way, size) in enumerate(runs):
        progress("runs", number, len(runs))
        steps += batch(size, archive, config.corpus.language) if way == "batch" else crawl(size)
    progress("runs", len(runs), len(runs))
    return fitted(steps, [FITS], config.analyze.sample)


def _sizes(archive: Path) -> tuple[int, int]:
    """The pages of the two trials of an archive."""
    few, many = TRIALS["batch"]
    there = pages_in(archive, many)
    if there < FEWEST:
        hint = "Name a larger one, or leave --archive out."
        raise UserError(f"{archive} has {there:,} pages, and {FEWEST} at least are measured.", hint)
    return there * few // many, there


def batch(pages: int, archive: str | Path | None = None, language: str = "") -> list[Step]:
    """What each step takes of so many pages of the built-in web, or of the first ones of an archive."""
    with tempfile.TemporaryDirectory(prefix="estimate-") as folder:
        create((archive and language) or TARGET, place := Path(folder, "corpus"))
        file = Path(folder, Path(archive or "pages.warc.gz").name)
        if archive is None:
            write_pages(file, pages)
        elif (found := cut(Path(archive), file, pages)) < pages:
            raise UserError(f"{archive} has {found:,} pages, and {pages:,} are measured.")
        return list(_run(place, pages, "--archive", str(file)))


def crawl(pages: int) -> list[Step]:
    """What each step takes of a crawl of so many pages of the built-in web, which this process serves."""
    web = web_of(ARTICLES_PER_PAGE * pages)
    with tempfile.TemporaryDirectory(prefix="estimate-") as folder, web.serve(slowness=0.0) as server:
        storage = create(TARGET, place := Path(folder, "corpus")).storage
        seeds.add(storage, [seeds.Candidate(url) for url in web.seeds(SEEDS, RICH)], "estimate", round=1)
        return list(_run(place, pages, "--proxy", server.proxy_url))


def _run(place: Path, pages: int, *words: str) -> Iterator[Step]:
    """What a trial in a process of its own tells of its steps; UserError if it ends early."""
    command = [sys.executable, "-m", "corpulyzer.lab.estimate.trial", str(place), "--pages", str(pages)]
    done = subprocess.run([*command, *words], capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UserError(f"The run that measures has failed: {said[-1] if said else 'nobody knows why'}.")
    for line in done.stdout.splitlines():
        plain = json.loads(line)
        yield Step(**{**plain, "usage": Usage(**plain["usage"])})
