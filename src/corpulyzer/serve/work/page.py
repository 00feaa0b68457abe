"""The page on which a corpus is worked on, and what its buttons do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.folder import REPORT, write_settings
from corpulyzer.corpus.without_copies import current_parts, read_state
from corpulyzer.engine.derived.table import Table
from corpulyzer.engine.progress import seen
from corpulyzer.errors import UserError
from corpulyzer.export.formats import FORMATS
from corpulyzer.export.versions import FOLDER as EXPORTS
from corpulyzer.export.versions import versions
from corpulyzer.jobs.advice import known_how_well, missing_to_crawl, unknown_language
from corpulyzer.jobs.crawl.control import state as crawl_state
from corpulyzer.jobs.stale import stale
from corpulyzer.records.annotation import TABLE as ANNOTATIONS
from corpulyzer.serve.explorer import NotFoundError
from corpulyzer.serve.work import steps
from corpulyzer.serve.work.limits import settings
from corpulyzer.serve.work.live import live
from corpulyzer.serve.work.seeds import EMPTY, SOURCES, add_pasted, commands, given
from corpulyzer.storage import is_remote
from corpulyzer.storage.lock import holder
from corpulyzer.text.traces import KINDS
from corpulyzer.web.seeds.search.known import KNOWN

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.serve.explorer import Asked, Explorer

VERBS = ("process", "dedup", "annotate", "report", "export", "crawl")
BEHIND = {"documents": "process", "duplicates": "dedup", "annotations": "annotate", "report": "report"}
LICENSES = ("", "cc", "none")


def work(explorer: Explorer, asked: Asked) -> Response:
    """What there is of a corpus, what can be done next, and what is being done."""
    corpus = explorer.corpus()
    return explorer.page(
        "work.html",
        here="work",
        corpus=corpus,
        done=asked.query.get("done", ""),
        count=asked.number("count", 0),
        refused=asked.number("refused", 0),
        made=made(corpus),
        behind={BEHIND[each.what]: each.why for each in stale(corpus, *BEHIND)},
        missing=missing_to_crawl(corpus),
        unknown=unknown_language(corpus),
        known={each.code: known_how_well(each) for each in corpus.targets.languages},
        sources=explorer.seed_sources(corpus),
        providers=tuple(KNOWN),
        form=EMPTY,
        formats=FORMATS.names(corpus.config.export.plugins),
        exports=_exports(corpus),
        **now(corpus),
    )


def panel(explorer: Explorer, _asked: Asked) -> Response:
    """The part of the page that is asked for again and again."""
    corpus = explorer.corpus()
    return explorer.page("work_now.html", corpus=corpus, **now(corpus))


def now(corpus: Corpus) -> dict[str, Any]:
    """What is being done to a corpus, here or by a command elsewhere."""
    storage = corpus.storage
    return {
        "steps": steps.read(storage),
        "is_running": steps.is_running(storage),
        "crawl": crawl_state(storage),
        "holder": holder(storage),
        "seen": seen(storage.root),
        "live": live(corpus),
    }


def made(corpus: CorpusFolder) -> dict[str, int]:
    """How much there is of what each step makes; 0 if it was never done."""
    storage = corpus.storage
    return {
        "process": sum(part.rows for part in current_parts(storage)),
        "dedup": len(read_state(storage)),
        "annotate": len(Table(storage, ANNOTATIONS).parts()),
        "report": int(storage.exists(REPORT)),
        "export": len(versions(storage)),
    }


def start(explorer: Explorer, asked: Asked) -> Response:
    """Begin with what a button names."""
    corpus, verb = explorer.corpus(), asked.form.get("verb", "")
    if verb not in VERBS:
        raise UserError(f"There is no work called {verb[:40]!r}.", f"There is: {', '.join(VERBS)}.")
    more = _export_options(asked.form, corpus) if verb == "export" else ()
    steps.begin(corpus.storage, [(verb, *more)])
    return _back()


def stop(explorer: Explorer, _asked: Asked) -> Response:
    """Stop what is being done, and leave out what waits."""
    steps.stop(explorer.corpus().storage)
    return _back()


def go_on(explorer: Explorer, _asked: Asked) -> Response:
    """Go on with what was stopped, has failed or was cut off."""
    steps.go_on(explorer.corpus().storage)
    return _back()


def set_limits(explorer: Explorer, asked: Asked) -> Response:
    """Write settings of the crawl that a form has."""
    found = settings(asked.form)
    if not found:
        raise UserError("Nothing was filled in.", "Write a contact, a limit, or both.")
    write_settings(explorer.corpus().storage, found)
    return _back("settings")


def add_seeds(explorer: Explorer, asked: Asked) -> Response:
    """Add pasted seeds at once, and begin to fetch those of other sources."""
    corpus = explorer.corpus()
    if any(asked.form.get(source) for source in SOURCES):
        steps.must_be_free(corpus.storage)
    wanted = commands(corpus.storage, asked.form)
    added = add_pasted(corpus, asked.form.get("seeds", ""))
    if wanted:
        steps.begin(corpus.storage, wanted)
    if added is None:
        if not wanted:
            raise UserError("No seeds were named.", "Paste addresses, one a line, or tick a source.")
        return _back()
    return _back("seeds", count=len(added.new), refused=len(added.refused))


def train(explorer: Explorer, asked: Asked) -> Response:
    """Begin to learn the language of the corpus from pasted sentences."""
    corpus = explorer.corpus()
    code = asked.form.get("language", "") or corpus.targets.codes[0]
    if not asked.form.get("sentences", "").strip():
        raise UserError("There are no sentences.", "Paste 500 or more, one a line.")
    steps.must_be_free(corpus.storage)
    file = given(corpus.storage, "sentences.txt", asked.form["sentences"])
    steps.begin(corpus.storage, [("identify", "train", corpus.targets.named(code).code, file)])
    return _back()


def download(explorer: Explorer, asked: Asked) -> Response:
    """A file of an export."""
    from starlette.responses import FileResponse

    storage = explorer.corpus().storage
    version, file = asked.path["version"], asked.path["file"]
    known = {name for each in _exports(explorer.corpus()) if each[0] == version for name, _ in each[1]}
    if file not in known:
        raise NotFoundError(f"There is no file {file[:80]!r} in that export.", "Go back to the list.")
    path = Path(storage.path(f"{EXPORTS}/{version}/{file}"))
    return FileResponse(path, filename=f"{version}-{path.name}", media_type="application/octet-stream")


def _exports(corpus: CorpusFolder) -> list[tuple[str, list[tuple[str, int]]]]:
    """The exports with their files and sizes, the newest first."""
    if is_remote(corpus.storage.root):
        return []
    found = []
    for each in reversed(versions(corpus.storage)):
        top = Path(corpus.storage.path(f"{EXPORTS}/{each.name}"))
        files = sorted(file for file in top.rglob("*") if file.is_file())
        found.append((each.name, [(str(file.relative_to(top)), file.stat().st_size) for file in files]))
    return found


def _export_options(form: Any, corpus: Corpus) -> tuple[str, ...]:
    format = form.get("format", "")
    if format not in FORMATS.names(corpus.config.export.plugins) or form.get("license", "") not in LICENSES:
        raise UserError(f"There is no format {format[:40]!r}.", "Choose one of the list.")
    license = ("--license", form["license"]) if form.get("license") else ()
    mask = ("--mask", ",".join(KINDS)) if form.get("mask") == "yes" else ()
    language = ("--language", form["language"]) if form.get("language") else ()
    return (format, *license, *mask, *language)


def _back(done: str = "", **numbers: int) -> Response:
    from starlette.responses import RedirectResponse

    from corpulyzer.serve.pages import link

    return RedirectResponse(link("/work", {"done": done, **numbers}), 303)
