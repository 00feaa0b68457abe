"""The phases of a round that change the frontier: seeds go in, what was fetched is worked in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.rounds import Round
from corpulyzer.corpus.settings.config import Config
from corpulyzer.jobs.crawl.link_reader import reader_of, reads_short_anchors
from corpulyzer.page.pipeline import fingerprints
from corpulyzer.records import Document, Edge, Fetch
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.web import seeds
from corpulyzer.web.frontier.update import Brought, Frontier, Update

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine


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
    """The frontier with the seeds of the round in it."""
    if now.done("inject"):
        return now.frontier()
    if not any(seed.round == now.number for seed in seeds.read(corpus.storage)):
        return now.frontier()
    before, version = now.frontier(), f"{now.number:05d}.0"
    after = inject_into(corpus, engine, now, before, version)
    now.write("inject", {"version": version, "made_by": _made_by(corpus, now)})
    return after


def inject_into(corpus: CorpusFolder, engine: Engine, now: Round, before: Frontier, version: str) -> Frontier:
    """The next version of a frontier, with the seeds of a round in it."""
    new = [seed.spelling or seed.url for seed in seeds.read(corpus.storage) if seed.round == now.number]
    return _update(corpus, engine, now).inject(before, version, now.number, new)


def update(corpus: CorpusFolder, engine: Engine, now: Round) -> dict[str, Any]:
    """Work a parsed round into the frontier; return the version that it made, and the sums of the round."""
    version = f"{now.number:05d}.1"
    sums = update_with(corpus, engine, now, now.frontier(), version)
    return {"version": version, "made_by": _made_by(corpus, now), **sums}


def update_with(
    corpus: CorpusFolder, engine: Engine, now: Round, before: Frontier, version: str
) -> dict[str, int]:
    """Make the next version of a frontier out of a parsed round; return the sums of the round."""
    brought = Brought(
        now.table("fetches", Fetch), now.table("documents", Document), now.table("links", Edge), now.listed()
    )
    return _update(corpus, engine, now)(before, version, now.number, brought).sums


def _made_by(corpus: CorpusFolder, now: Round) -> str:
    """The fingerprint of the settings that made the frontier; none if they have changed on the way."""
    wanted = made_by(corpus.config)
    last = now.read("inject") or (Round(now.storage, now.number - 1).read("commit") if now.number > 1 else {})
    return wanted if corpus.today(last.get("made_by", wanted)) == wanted else ""


def _update(corpus: CorpusFolder, engine: Engine, now: Round) -> Update:
    return Update(reader_of(corpus.config), engine, now.work, corpus.config.frontier.recrawl)
