"""How `corpulyzer search` shows what it found."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from corpulyzer.api.looking import Looking
    from corpulyzer.jobs.search.concordance import Matches
    from corpulyzer.search.company.sketch import Sketched
    from corpulyzer.search.finding.only import Only
    from corpulyzer.search.kwic import Kwic, Order
    from corpulyzer.search.lists import Wanted
    from corpulyzer.search.measures import Measure
    from corpulyzer.search.spread.groups import Over

# Isolates: in a terminal that draws both directions, each piece of a line keeps its place.
ISOLATE, END = "\u2068", "\u2069"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line."""

    query: str
    only: Only
    sort: str
    width: int
    window: int
    n: int
    limit: int
    near: str = ""
    by: str = "log_dice"
    over: str = "month"
    seed: int = 0


def print_found(corpus: Looking, asked: Asked, show: str, *, json: bool, quiet: bool) -> None:
    """Print the matches of a query in one of the ways there are."""
    from corpulyzer.cli.output import advise, print_json, print_text, progress, warn_stale
    from corpulyzer.errors import UserError
    from corpulyzer.jobs.search.concordance import matches
    from corpulyzer.search.pattern import Near

    ways: dict[str, Callable[[Matches, Asked], tuple[dict[str, Any], Iterable[str]]]]
    ways = {"lines": _lines, "collocations": _collocations, "clusters": _clusters, "sites": _sites}
    ways |= {"sketch": _sketch, "distribution": _distribution}
    if show not in ways:
        raise UserError(f"{show!r} cannot be shown.", f"Choose one of: {', '.join(ways)}.")
    enough = asked.limit if show == "lines" and asked.sort == "document" else None
    with progress(quiet or json) as bar:
        near = Near(asked.near, asked.window) if asked.near else None
        tokens = show == "sketch"
        met = matches(corpus, asked.query, asked.only, near=near, enough=enough, tokens=tokens, progress=bar)
    warn_stale(corpus, "index", "annotations")
    found, (values, lines) = met.found, ways[show](met, asked)
    if json:
        about = {name: getattr(found, name) for name in ("documents", "examined", "hits", "exact")}
        print_json({"query": asked.query, **about, **values})
        return
    for line in lines:
        print_text(line)
    print_text(f"{'' if found.exact else 'about '}{found.hits:,} in {found.documents:,} documents")
    if missing := met.missing():
        advise(f"Note: the documents have no {missing}: see `corpulyzer annotate --help`.", quiet)
    if show in ("collocations", "sketch") and (estimated := met.estimated()):
        advise(estimated, quiet)


def print_list(corpus: Looking, wanted: Wanted, limit: int, *, json: bool, quiet: bool) -> None:
    """Print the most frequent words, lemmas or tags, or sequences of them."""
    from corpulyzer.cli.output import advise, print_json, print_text, progress, warn_stale
    from corpulyzer.jobs.search.concordance import words

    with progress(quiet or json) as show:
        found = words(corpus, wanted, limit=limit, progress=show)
    warn_stale(corpus, "index", "annotations")
    if json:
        print_json({"list": wanted.stream, "n": wanted.n, **asdict(found)})
        return
    print_text(f"{'count':>9} {'documents':>9} {'per million':>12}  {wanted.stream}")
    for row in found.rows:
        print_text(f"{row.count:9,} {row.documents:9,} {row.per_million:12,.1f}  {row.value}")
    print_text(f"{'' if found.exact else 'about '}{found.types:,} types, {found.tokens:,} in all")
    if not found.tokens and wanted.stream != "words":
        advise(f"Note: the documents have no {wanted.stream}: see `corpulyzer annotate --help`.", quiet)


def print_neighbours(corpus: Looking, asked: Asked, *, json: bool, quiet: bool) -> None:
    """Print the words that keep company similar to that of a word."""
    from corpulyzer.cli.output import print_json, print_text, progress

    with progress(quiet or json) as show:
        rows = corpus.thesaurus(asked.query, asked.limit, progress=show)
    if json:
        print_json({"query": asked.query, "thesaurus": [asdict(row) for row in rows]})
        return
    print_text(f"{'similarity':>10} {'count':>9}  word: beside both")
    for row in rows:
        print_text(f"{row.similarity:10.3f} {row.count:9,}  {row.word}: {'; '.join(row.shared)}")


def print_compared(corpus: Looking, asked: Asked, other: str, *, json: bool, quiet: bool) -> None:
    """Print the company of two words, from that of the first to that of the second."""
    from corpulyzer.cli.output import print_json, print_text, progress

    with progress(quiet or json) as show:
        only = asdict(asked.only)
        found = corpus.compare_words(asked.query, other, asked.window, progress=show, **only)
    if json:
        rows = [{**asdict(row), "belongs": row.belongs} for row in found.rows]
        print_json({"first": asked.query, "second": other, "compared": rows})
        return
    print_text(f"{'logDice':>8} {'logDice':>8} {'near':>7} {'near':>7}  with {asked.query}, and with {other}")
    for row in found.rows:
        strengths = f"{row.first_log_dice:8.2f} {row.second_log_dice:8.2f}"
        print_text(f"{strengths} {row.first_together:7,} {row.second_together:7,}  {row.word}")
    print_text(f"{found.first.hits:,} of {asked.query}, {found.second.hits:,} of {other}")


def print_keywords(corpus: Looking, reference: str, limit: int, *, json: bool, quiet: bool) -> None:
    """Print the words that the corpus has more often than a reference."""
    from corpulyzer.cli.output import print_json, print_text, progress, warn_stale

    with progress(quiet or json) as show:
        rows = corpus.keywords(reference, progress=show)[:limit]
    warn_stale(corpus, "index", "annotations")
    if json:
        print_json({"keywords": [asdict(row) for row in rows]})
        return
    for row in rows:
        strength = f"{row.log_likelihood:12,.1f} {row.log_ratio:7.2f}"
        print_text(f"{strength} {row.count:9,} {row.reference_count:9,}  {row.word}")
    print_text("log-likelihood, log-ratio, count here, count there, word")


def _lines(met: Matches, asked: Asked) -> tuple[dict[str, Any], Iterable[str]]:
    kwic = met.lines(asked.width, cast("Order", asked.sort), limit=asked.limit, seed=asked.seed)
    return {"lines": kwic.to_json()["lines"]}, _set(kwic, asked.width)


def _set(kwic: Kwic, width: int) -> Iterable[str]:
    """Lines with the match in one column, as wide as a terminal shows them."""
    for line in kwic:
        before = " " * max(0, width - _cells(line.before)) + f"{ISOLATE}{line.before}{END}"
        after = f"{ISOLATE}{line.after}{END}" + " " * max(0, width - _cells(line.after))
        mark = f"{ISOLATE}[{line.match}]{END}"
        first, last = (after, before) if kwic.direction == "rtl" else (before, after)
        yield f"{first} {mark} {last}  {line.site}"


def _cells(text: str) -> int:
    """The columns of a terminal that a text takes: none for marks, two for wide characters."""
    return sum(
        0
        if unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(c) in "WF"
        else 1
        for c in text
    )


def _collocations(met: Matches, asked: Asked) -> tuple[dict[str, Any], Iterable[str]]:
    rows = met.collocations(asked.window, cast("Measure", asked.by))[: asked.limit]
    head = (
        f"{'logDice':>8} {'MI':>7} {'MI3':>7} {'t':>8} {'log-lik.':>12} {'Fisher':>9}"
        f" {'together':>9} {'count':>9}  word"
    )
    lines = [
        f"{row.log_dice:8.2f} {row.mutual_information:7.2f} {row.mutual_information_3:7.2f}"
        f" {row.t_score:8.2f} {row.log_likelihood:12,.1f} {row.fisher:9,.1f}"
        f" {row.together:9,} {row.count:9,}  {row.word}"
        for row in rows
    ]
    return {"collocations": [asdict(row) for row in rows]}, [head, *lines]


def _clusters(met: Matches, asked: Asked) -> tuple[dict[str, Any], Iterable[str]]:
    rows = met.clusters(asked.n)[: asked.limit]
    values = [{"text": text, "count": count} for text, count in rows]
    return {"clusters": values}, [f"{count:9,}  {text}" for text, count in rows]


def _sketch(met: Matches, asked: Asked) -> tuple[dict[str, Any], Iterable[str]]:
    found = met.sketch()
    lines: list[str] = []
    for relation, rows in found.relations().items():
        lines.append(f"{relation}:")
        lines += map(_sketched, rows[: asked.limit])
    sketch = [asdict(row) for row in found.rows]
    return {"by": found.by, "of": found.stream, "sketch": sketch}, lines


def _sketched(row: Sketched) -> str:
    return f"  {row.log_dice:8.2f} {row.together:9,} {row.count:9,}  {row.word}"


def _distribution(met: Matches, asked: Asked) -> tuple[dict[str, Any], Iterable[str]]:
    rows = met.distribution(cast("Over", asked.over))
    head = f"{'hits':>9} {'documents':>9} {'per million':>12}  {asked.over}"
    lines = [f"{row.hits:9,} {row.documents:9,} {row.per_million:12,.1f}  {row.name}" for row in rows]
    return {"distribution": [asdict(row) for row in rows]}, [head, *lines]


def _sites(met: Matches, asked: Asked) -> tuple[dict[str, Any], Iterable[str]]:
    rows, spread = met.sites()[: asked.limit], met.dispersion()
    head = f"{'hits':>9} {'documents':>9} {'per million':>12}  site"
    lines = [f"{row.hits:9,} {row.documents:9,} {row.per_million:12,.1f}  {row.site}" for row in rows]
    end = (
        f"on {spread.sites:,} of {spread.all_sites:,} sites; deviation of proportions {spread.deviation:.3f}"
    )
    return {"sites": [asdict(row) for row in rows], "dispersion": asdict(spread)}, [head, *lines, end]
