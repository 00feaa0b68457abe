"""`corpulyzer search`: the concordance, and texts looked up in the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from corpulyzer.cli.options import MOST, InLanguage, InSubcorpus, Work, grouped

if TYPE_CHECKING:
    from corpulyzer.api.looking import Looking
    from corpulyzer.search.lists import Listed

LONGEST_SHOWN = 300
SHOWS = "lines, collocations, clusters, sketch, thesaurus, sites, distribution"
MEASURES = "log_dice, mutual_information, mutual_information_3, t_score, log_likelihood, fisher, together"

Asked = Annotated[
    list[str] | None,
    typer.Argument(metavar="QUERY", help="Words: abantu, 'abantu base', 'aba*'; or a pattern in CQL."),
]
Similar = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Text whose copies and reused passages to find; - for stdin."),
]
Show = Annotated[str, typer.Option(metavar="WHAT", help=f"What to show of the matches: {SHOWS}.")]
Sort = Annotated[
    str, typer.Option(metavar="ORDER", help="Order of lines: document, before, after, match, site, random.")
]
Keywords = Annotated[
    str,
    typer.Option(
        metavar="REFERENCE",
        help="Words that this corpus has more of than another: its folder, a subcorpus, or a frequency list.",
    ),
]


@grouped
def search(
    *,
    query: Asked = None,
    similar: Similar = None,
    show: Show = "lines",
    sort: Sort = "document",
    width: Annotated[
        int, typer.Option(metavar="N", min=5, max=10_000, help="Characters of context on each side.")
    ] = 40,
    window: Annotated[
        int, typer.Option(metavar="N", min=1, max=1_000, help="Words of context for collocations.")
    ] = 5,
    compare: Annotated[
        str, typer.Option(metavar="WORD", help="Compare the company of the query with that of another.")
    ] = "",
    near: Annotated[
        str, typer.Option(metavar="WORD", help="Only matches with this word in their window.")
    ] = "",
    by: Annotated[
        str, typer.Option(metavar="MEASURE", help=f"Measure that collocations are sorted by: {MEASURES}.")
    ] = "log_dice",
    over: Annotated[
        str, typer.Option(metavar="WHAT", help="What the distribution is over: month, license, topic, place.")
    ] = "month",
    list_of: Annotated[
        str,
        typer.Option(
            "--list", metavar="STREAM", help="List all words, lemmas, tags or xtags by their counts."
        ),
    ] = "",
    like: Annotated[
        str, typer.Option(metavar="REGEX", help="Only values of the list that this fits as a whole.")
    ] = "",
    least: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=MOST, help="Only values of the list with this count or more."),
    ] = 1,
    n: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=7, help="Words of a cluster (3), or in a row in a list (1)."),
    ] = None,
    site: Annotated[str, typer.Option(metavar="SITE", help="Only documents of this site.")] = "",
    license: Annotated[str, typer.Option(metavar="LICENSE", help="Only documents with this license.")] = "",
    since: Annotated[str, typer.Option(metavar="DAY", help="Only documents fetched from this day on.")] = "",
    until: Annotated[str, typer.Option(metavar="DAY", help="Only documents fetched up to this day.")] = "",
    min_quality: Annotated[
        float | None, typer.Option(metavar="SCORE", help="Only documents with at least this quality, 0 to 1.")
    ] = None,
    keywords: Keywords = "",
    seed: Annotated[int, typer.Option(help="Of lines in random order.")] = 0,
    language: InLanguage = "",
    subcorpus: InSubcorpus = "",
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST, help="Lines or documents to show at most.")
    ] = 20,
    work: Work,
) -> None:
    """Find words, phrases and patterns in the corpus, and show them in context.

    With --similar, find documents that are like a text or share passages with it.

    Example: [bold]corpulyzer search 'زبان' --sort after --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, warn_stale
    from corpulyzer.errors import UserError

    corpus = work.corpus().in_language(language).in_subcorpus(subcorpus)
    warn_stale(corpus, "duplicates")
    if similar is not None:
        _similar(corpus, similar, limit, work.json)
        advise(f"Next: corpulyzer why URL --project {work.project}", work.quiet or work.json)
        return
    from corpulyzer.cli.inspect import found_lines
    from corpulyzer.search.finding.only import Only
    from corpulyzer.search.lists import Wanted

    if list_of:
        wanted = Wanted(cast("Listed", list_of), n or 1, like, least)
        found_lines.print_list(corpus, wanted, limit, json=work.json, quiet=work.quiet)
        return
    if keywords:
        found_lines.print_keywords(corpus, keywords, limit, json=work.json, quiet=work.quiet)
        return
    if not query:
        hint = "Name a QUERY, --list words, --similar FILE or --keywords REFERENCE."
        raise UserError("There is nothing to look for.", hint)
    only = Only(site, license, since, until, min_quality)
    asked = found_lines.Asked(
        " ".join(query), only, sort, width, window, max(2, n or 3), limit, near, by, over, seed
    )
    if compare:
        found_lines.print_compared(corpus, asked, compare, json=work.json, quiet=work.quiet)
        return
    if show == "thesaurus":
        found_lines.print_neighbours(corpus, asked, json=work.json, quiet=work.quiet)
        return
    found_lines.print_found(corpus, asked, show, json=work.json, quiet=work.quiet)
    advise(f"Next: corpulyzer serve --project {work.project} searches in a browser.", work.quiet or work.json)


def _similar(corpus: Looking, similar: str, limit: int, json: bool) -> None:
    from corpulyzer.cli.input import read_text
    from corpulyzer.cli.output import print_json, print_text

    matches = corpus.similar(read_text(similar), limit)
    if json:
        print_json({"matches": [match.to_json() for match in matches]})
        return
    for match in matches:
        print_text(f"{match.url}: {match.share:.0%} of the text, similarity {match.similarity:.2f}")
        for passage, words in zip(match.passages, match.texts, strict=True):
            shown = words.replace("\n", " ")[:LONGEST_SHOWN]
            print_text(f"  characters {passage.begins:,} to {passage.stops:,}: {shown}")
    if not matches:
        print_text("Nothing of this text is in the corpus.")
