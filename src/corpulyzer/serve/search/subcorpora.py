"""Subcorpora in the browser: chosen, listed, looked into, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpulyzer.audit.labels import FLAGS, LABELS
from corpulyzer.errors import UserError
from corpulyzer.jobs.search.concordance import known_topics
from corpulyzer.jobs.search.subcorpora import Choice, save_subcorpus
from corpulyzer.serve.explorer import NotFoundError
from corpulyzer.serve.languages import which
from corpulyzer.serve.pages import link
from corpulyzer.serve.takeaway import taken

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.serve.explorer import Asked, Explorer

FIELDS = ("query", "site", "license", "since", "until", "topic", "label")


def subcorpora(explorer: Explorer, asked: Asked) -> Response:
    """Those that are saved, and a form for a new one, which an address may fill."""
    corpus = explorer.corpus()
    if corpus.targets.only is None:
        return which(explorer, corpus, "search")
    filled = {name: asked.query.get(name, "").strip() for name in (*FIELDS, "min_quality", "name", "note")}
    known = list(corpus.subcorpora.values())
    if kind := asked.query.get("as", ""):
        rows = [{"name": each.name, "documents": each.documents, "chosen_by": each.words} for each in known]
        rows = [{**row, "made": each.made, "note": each.note} for row, each in zip(rows, known, strict=True)]
        return taken(rows, kind, f"{corpus.name}-subcorpora")
    return explorer.page(
        "subcorpora.html",
        here="search",
        corpus=corpus,
        desk="subcorpora",
        known=known,
        filled=filled,
        topics=list(known_topics(corpus)),
        labels=(*LABELS, *FLAGS),
        problem=asked.query.get("problem", ""),
    )


def save(explorer: Explorer, asked: Asked) -> Response:
    """Save what the form says; where that cannot be, show the form again and say why."""
    from starlette.responses import RedirectResponse

    corpus = explorer.corpus()
    form = {name: asked.form.get(name, "").strip() for name in (*FIELDS, "min_quality", "name", "note")}
    try:
        quality = float(form["min_quality"]) if form["min_quality"] else None
        choice = Choice(**{name: form[name] for name in FIELDS}, min_quality=quality)
        save_subcorpus(corpus, form["name"], choice, form["note"])
    except UserError as error:
        problem = f"{error.message} {error.hint}"
        return RedirectResponse(link("/subcorpora", form, root=explorer.root, problem=problem), 303)
    except ValueError:
        problem = f"{form['min_quality']!r} is no quality: give one from 0 to 1."
        return RedirectResponse(link("/subcorpora", form, root=explorer.root, problem=problem), 303)
    return RedirectResponse(f"{explorer.root}/subcorpora", 303)


def delete(explorer: Explorer, asked: Asked) -> Response:
    """Delete a subcorpus; its documents stay."""
    from starlette.responses import RedirectResponse

    corpus, name = explorer.corpus(), asked.path["subcorpus"]
    if name not in corpus.subcorpora:
        raise NotFoundError(f"There is no subcorpus {name!r}.", "")
    corpus.forget_subcorpus(name)
    return RedirectResponse(f"{explorer.root}/subcorpora", 303)
