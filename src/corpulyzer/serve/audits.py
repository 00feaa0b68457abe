"""The audit in the browser: a document, a key, the next document."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corpulyzer.audit import labels as kept
from corpulyzer.audit.estimate import estimates
from corpulyzer.audit.labels import FLAGS, LABELS
from corpulyzer.audit.sample import audits as drawn
from corpulyzer.audit.sample import read_sample
from corpulyzer.errors import UserError
from corpulyzer.serve.explorer import whole
from corpulyzer.serve.languages import which
from corpulyzer.serve.pages import link
from corpulyzer.serve.takeaway import Figure, taken, today

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.audit.estimate import Estimate
    from corpulyzer.audit.sample import Sample
    from corpulyzer.serve.explorer import Asked, Explorer

MOST_DRAWN = 5_000


def audits(explorer: Explorer, asked: Asked) -> Response:
    """The audits there are, and a form for another."""
    corpus = explorer.corpus()
    if corpus.targets.only is None:
        return which(explorer, corpus, "audit")
    rows = []
    for name in drawn(corpus.storage):
        sample = read_sample(corpus.storage, name)
        labels = kept.all_labels(corpus.storage, name)
        people = {who: len(some) for who, some in labels.items()}
        rows.append((name, sample, people, estimates(sample.items, labels)[0] if people else None))
    if kind := asked.query.get("as", ""):
        return taken([_plain(*row) for row in rows], kind, f"{corpus.name}-audits")
    return explorer.page("audits.html", here="audit", corpus=corpus, rows=rows)


def _plain(name: str, sample: Sample, people: dict[str, int], found: Estimate | None) -> dict[str, Any]:
    """An audit as a row of a file."""
    return {
        "audit": name,
        "rejects": sample.rejects,
        "documents": len(sample.items),
        "labels": sum(people.values()),
        "annotators": ", ".join(people),
        "in_language": found and found.share,
        "low": found and found.low,
        "high": found and found.high,
    }


def draw(explorer: Explorer, asked: Asked) -> Response:
    """Draw a sample."""
    corpus, form = explorer.corpus(), asked.form
    name = form.get("name", "").strip()
    size, seed = whole(form.get("size", "100")), whole(form.get("seed", "0"))
    if size is None or not 0 < size <= MOST_DRAWN:
        raise UserError("So many documents cannot be drawn.", f"Ask for 1 to {MOST_DRAWN:,}.")
    if seed is None:
        raise UserError("This is no seed.", "Write a whole number of at most nine digits.")
    kept.read_labels(corpus.storage, name, "me")  # says if the name will not do
    corpus.audit.sample(size, name, seed=seed, rejects=form.get("rejects") == "yes")
    return _to(f"{explorer.root}/audit/{name}")


def label_next(explorer: Explorer, asked: Asked) -> Response:
    """The next document without a label of this annotator, or the one that is asked for."""
    corpus, name = explorer.corpus(), asked.path["name"]
    who = asked.query.get("annotator", "").strip() or "me"
    found = corpus.audit.labelling(name, who)
    items, given = found.items, found.given
    place = asked.number("place", 0)
    if not 1 <= place <= len(items):
        place = next((n for n, item in enumerate(items, 1) if item.id not in given), 0)
    return explorer.page(
        "label.html",
        here="audit",
        corpus=corpus,
        name=name,
        who=who,
        place=place,
        total=len(items),
        done=len(given),
        item=items[place - 1] if place else None,
        given=given.get(items[place - 1].id) if place else None,
        labels=LABELS,
        flags=FLAGS,
    )


def label(explorer: Explorer, asked: Asked) -> Response:
    """Keep a label, and go on to the next document."""
    corpus, name, form = explorer.corpus(), asked.path["name"], asked.form
    who = form.get("annotator", "").strip() or "me"
    flags = [flag.code for flag in FLAGS if form.get(flag.code) == "yes"]
    said = (form.get("label", ""), flags, form.get("note", "").strip())
    corpus.audit.label(_document(form.get("id", "")), *said, name=name, annotator=who)
    return _to(link(f"{explorer.root}/audit/{name}", annotator=who))


def score(explorer: Explorer, asked: Asked) -> Response:
    """What the labels say of the corpus."""
    corpus, name = explorer.corpus(), asked.path["name"]
    sample, labels = read_sample(corpus.storage, name), kept.all_labels(corpus.storage, name)
    (found,) = corpus.audit.score(name)
    rows = estimates(sample.items, labels)
    if kind := asked.query.get("as", ""):
        figure = Figure(found.result.title, "name", "share", "share of documents")
        return taken([asdict(row) for row in rows], kind, f"{corpus.name}-{name}", figure)
    return explorer.page(
        "score.html",
        here="audit",
        corpus=corpus,
        name=name,
        result=found.result,
        rows=rows,
        cited=today(),
        people={who: len(some) for who, some in labels.items()},
        alpha=found.alpha,
        kappas={pair.annotators: pair.kappa for pair in found.kappas},
    )


def _document(text: str) -> int:
    """The key of a document that a form names."""
    try:
        return int(text)
    except ValueError:
        raise UserError("This document is not of the sample.", "Go back to the audit.") from None


def _to(path: str) -> Response:
    from starlette.responses import RedirectResponse

    return RedirectResponse(path, 303)
