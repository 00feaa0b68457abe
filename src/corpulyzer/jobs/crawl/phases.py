"""The phases of a round that change the frontier: seeds go in, what was fetched is worked in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.rounds import Round
from corpulyzer.corpus.settings.config import Config
from corpulyzer.jobs.crawl.link_reader import reader_of, reads_short_anchors
from corpulyzer.page.pipeline import fingerprints
from corpulyzer.records import Document, Edge, Fetch
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.web import seeds
from corpulyzer.web.frontier.state import Recrawl

FORWARD = ".forward"
"""What the names of versions in which URLs came forward have before a number."""

MOST_FORWARD = 10
"""How often a round looks behind the front for something worth fetching before it gives up."""

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.web.frontier.store.versions import Frontier
    from corpulyzer.web.frontier.update import Update


def made_by(config: Config) -> str:
    """A fingerprint of all settings on which a frontier depends."""
    asked = {
        "documents": fingerprints(config)["filter"],
        "scope": config.scope,
        "traps": config.frontier.traps,
        "recrawl": config.frontier.recrawl,
        "opt_outs": config.opt_outs,
        "short_anchors": reads_short_anchors(config),
    }
    return fingerprint("frontier", asked)


def inject(corpus: CorpusFolder, engine: Engine, now: Round) -> Frontier:
    """The frontier with the seeds of the round in it, and all that was fetched due by today's intervals."""
    noted, frontier, before = now.read("inject"), now.frontier(), _intervals(now)
    has_new = not noted and has_seeds(corpus, now)
    is_late = before is not None and before != corpus.config.frontier.recrawl
    if not has_new and not is_late:
        return frontier
    notes = {"made_by": _made_by(corpus, now), **intervals_noted(corpus.config)}
    version = noted.get("version", f"{now.number:05d}.")
    if before is not None and is_late:
        frontier = _update(corpus, engine, now).reschedule(frontier, f"{version}2", before)
    if has_new:
        frontier = inject_into(corpus, engine, now, frontier, f"{version}0")
    now.write("inject", {**noted, **notes, "version": frontier.version})
    return frontier


def is_to_be_injected(corpus: CorpusFolder, now: Round, last: Round) -> bool:
    """Whether the frontier as `last` has found it must change before a list of the round `now` is made."""
    before = _intervals(last)
    is_late = before is not None and before != corpus.config.frontier.recrawl
    return is_late or has_seeds(corpus, now)


def has_seeds(corpus: CorpusFolder, now: Round) -> bool:
    """Whether there are seeds that wait for a round."""
    return any(seed.round == now.number for seed in seeds.read(corpus.storage))


def bring_forward(
    corpus: CorpusFolder, engine: Engine, now: Round, frontier: Frontier, times: Sequence[int]
) -> Frontier | None:
    """The frontier of a round with more of what waits in its front, if there is more.

    `times` are when that was done in the round, the last of them now.
    """
    manifest = frontier.manifest
    if len(times) > MOST_FORWARD or (manifest.waiting <= 0 and manifest.soonest > times[-1]):
        return None
    version = f"{now.number:05d}{FORWARD}{len(times)}"
    return _update(corpus, engine, now).bring_forward(frontier, version, times[-1])


def note_forward(corpus: CorpusFolder, now: Round, frontier: Frontier, times: Sequence[int]) -> None:
    """Note of a round with a list when URLs came forward for it, so that a rebuild does the same.

    A round that found nothing worth fetching notes nothing: new seeds may still go into it.
    """
    notes = now.read("inject") or {"made_by": _made_by(corpus, now), **intervals_noted(corpus.config)}
    now.write("inject", {**notes, "version": frontier.version, "forward": list(times)})


def bring_forward_again(
    corpus: CorpusFolder, engine: Engine, now: Round, before: Frontier, version: str
) -> Frontier:
    """The frontier with what came forward in a round, as the round has noted it."""
    for number, at in enumerate(now.read("inject").get("forward", []), 1):
        found = _update(corpus, engine, now).bring_forward(before, f"{version}{FORWARD}{number}", at)
        before = found or before
    return before


def inject_into(corpus: CorpusFolder, engine: Engine, now: Round, before: Frontier, version: str) -> Frontier:
    """The next version of a frontier, with the seeds of a round in it."""
    new = [seed.spelling or seed.url for seed in seeds.read(corpus.storage) if seed.round == now.number]
    return _update(corpus, engine, now).inject(before, version, now.number, new)


def update(corpus: CorpusFolder, engine: Engine, now: Round) -> dict[str, Any]:
    """Work a parsed round into the frontier; return the version that it made, and the sums of the round."""
    version = f"{now.number:05d}.1"
    sums = update_with(corpus, engine, now, now.frontier(), version)
    made = {"made_by": _made_by(corpus, now), **intervals_noted(corpus.config)}
    return {"version": version, **made, **sums}


def update_with(
    corpus: CorpusFolder, engine: Engine, now: Round, before: Frontier, version: str
) -> dict[str, int]:
    """Make the next version of a frontier out of a parsed round; return the sums of the round."""
    from corpulyzer.web.frontier.brought import Brought

    brought = Brought(
        now.table("fetches", Fetch), now.table("documents", Document), now.table("links", Edge), now.listed()
    )
    return _update(corpus, engine, now)(before, version, now.number, brought).sums


def intervals_noted(config: Config) -> dict[str, Any]:
    """The intervals by which the pages of a frontier fall due, as a round notes them."""
    return {"recrawl": asdict(config.frontier.recrawl)}


def _intervals(now: Round) -> Recrawl | None:
    """The intervals by which the pages of the present frontier fall due; None if nothing was fetched yet."""
    before = Round(now.storage, now.number - 1)
    if now.number == 1 or not before.done("commit"):
        return None
    settings = before.read("settings").get("config", {}).get("frontier", {})
    noted = now.read("inject") or before.read("commit")
    return Recrawl(**noted.get("recrawl", settings.get("recrawl", {})))


def _made_by(corpus: CorpusFolder, now: Round) -> str:
    """The fingerprint of the settings that made the frontier; none if they have changed on the way."""
    wanted = made_by(corpus.config)
    last = now.read("inject") or (Round(now.storage, now.number - 1).read("commit") if now.number > 1 else {})
    return wanted if corpus.holds(last.get("made_by", wanted), wanted) else ""


def _update(corpus: CorpusFolder, engine: Engine, now: Round) -> Update:
    from corpulyzer.web.frontier.update import Update

    return Update(reader_of(corpus.config), engine, now.work, corpus.config.frontier.recrawl)
