"""`corpulyzer commoncrawl`: what Common Crawl has of a language, as seeds or as pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpulyzer.cli.commoncrawl.index_rows import fetched, index_rows, mirror_of, opened, shares_of, wanted_of
from corpulyzer.cli.options import MOST, EngineName, Json, Master, Project, Quiet
from corpulyzer.cli.seeds.adding import Block, Homepages, Without

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus

app = typer.Typer(
    help="What Common Crawl has of the language: seeds, or the pages themselves.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

Releases = Annotated[
    list[str] | None,
    typer.Option(
        "--release", metavar="ID", help="Release, CC-MAIN-2024-10; repeatable. The newest, if none."
    ),
]
Rank = Annotated[
    str,
    typer.Option("--rank", metavar="any|first|only", help="Where the language stands in the index's list."),
]
Hosts = Annotated[
    list[str] | None, typer.Option("--host", metavar="HOST", help="Host, with all below it; repeatable.")
]
Tlds = Annotated[list[str] | None, typer.Option("--tld", metavar="TLD", help="Top-level domain; repeatable.")]
AllLanguages = Annotated[bool, typer.Option("--all-languages", help="Take pages of every language.")]
UseCdx = Annotated[
    bool, typer.Option("--cdx", help="Ask the index server, which is quicker for a few hosts only.")
]
MirrorOption = Annotated[
    str | None,
    typer.Option("--mirror", metavar="URL|DIR", help="Where the releases are: https, s3:// or folder."),
]
PerSite = Annotated[
    int, typer.Option("--per-site", metavar="N", min=0, max=MOST, help="Pages of a site at most; 0: all.")
]
Limit = Annotated[
    int, typer.Option("--limit", metavar="N", min=0, max=MOST, help="Pages in all at most; 0: all.")
]


@app.command("list")
def list_(
    project: Project = ".", mirror: MirrorOption = None, json: Json = False, quiet: Quiet = False
) -> None:
    """Print the releases there are, newest first.

    Example: [bold]corpulyzer commoncrawl list --project urduweb[/bold]
    """
    from dataclasses import asdict

    from corpulyzer.cli.output import advise, print_json, print_text

    releases = mirror_of(opened(project, mirror)).releases()
    if json:
        print_json([asdict(release) for release in releases])
        return
    for release in releases:
        print_text("\t".join(filter(None, (release.id, release.name, release.first[:10], release.last[:10]))))
    if releases:
        advise(f"Next: corpulyzer commoncrawl estimate --release {releases[0].id} --project {project}", quiet)


@app.command("estimate")
def estimate(
    release: Releases = None,
    rank: Rank = "any",
    host: Hosts = None,
    tld: Tlds = None,
    all_languages: AllLanguages = False,
    cdx: UseCdx = False,
    totals: Annotated[
        bool, typer.Option("--totals", help="Count the whole release too, for the language's share.")
    ] = False,
    project: Project = ".",
    mirror: MirrorOption = None,
    engine: EngineName = None,
    master: Master = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print how many pages, sites and bytes there are in the language; nothing is fetched but the index.

    Example: [bold]corpulyzer commoncrawl estimate --release CC-MAIN-2024-10 --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_json
    from corpulyzer.web.commoncrawl.estimate import estimate as count

    corpus = opened(project, mirror, engine, master)
    wanted = wanted_of(corpus, rank, host, tld, all_languages)
    with corpus.engine() as runner:
        rows, names = index_rows(corpus, wanted, release, cdx, runner, quiet or json)
        found = count(runner, rows)
        shares = shares_of(corpus, names, wanted, runner, quiet or json) if totals else {}
    if json:
        told = {"releases": list(found.releases), "total": found.total, "tlds": list(found.tlds)}
        print_json({**told, "shares": shares})
        return
    _print_estimate(list(found.releases), found.total, shares)
    _print_tlds(list(found.tlds))
    if not found.total["pages"]:
        advise(_nothing(corpus), quiet)
    else:
        named = "".join(f" --release {name}" for name in names)
        advise(f"Next: corpulyzer commoncrawl seeds{named} --project {project}, or fetch", quiet)


@app.command("seeds")
def seeds(
    release: Releases = None,
    rank: Rank = "any",
    host: Hosts = None,
    tld: Tlds = None,
    all_languages: AllLanguages = False,
    cdx: UseCdx = False,
    per_site: PerSite = 0,
    limit: Limit = 0,
    homepages: Homepages = False,
    block: Block = None,
    without: Without = "",
    project: Project = ".",
    mirror: MirrorOption = None,
    engine: EngineName = None,
    master: Master = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add the pages in the language as seeds, the sites that have most of them first.

    Example: [bold]corpulyzer commoncrawl seeds --per-site 20 --project urduweb[/bold]
    """
    from corpulyzer.cli.seeds.adding import tell
    from corpulyzer.jobs.seeds import add_seeds, bounds
    from corpulyzer.web.commoncrawl.estimate import chosen
    from corpulyzer.web.seeds.rows import from_rows

    corpus = opened(project, mirror, engine, master)
    wanted = wanted_of(corpus, rank, host, tld, all_languages)
    with corpus.engine() as runner:
        rows, _ = index_rows(corpus, wanted, release, cdx, runner, quiet or json)
        table = chosen(runner, rows, per_site, limit)
    refuse = bounds(corpus, block=block or (), without=without)
    added = add_seeds(corpus, from_rows(table), "commoncrawl", homepages=homepages, refuse=refuse)
    tell(added, project, json, quiet)


@app.command("fetch")
def fetch(
    release: Releases = None,
    rank: Rank = "any",
    host: Hosts = None,
    tld: Tlds = None,
    all_languages: AllLanguages = False,
    cdx: UseCdx = False,
    per_site: PerSite = 0,
    limit: Limit = 0,
    project: Project = ".",
    mirror: MirrorOption = None,
    engine: EngineName = None,
    master: Master = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Read the records of the pages out of Common Crawl's archives into the corpus. Run it again to go on.

    Example: [bold]corpulyzer commoncrawl fetch --release CC-MAIN-2024-10 --limit 1000 -p urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, print_text, warn
    from corpulyzer.web.commoncrawl.estimate import chosen
    from corpulyzer.web.commoncrawl.fetch import check_stopped

    corpus = opened(project, mirror, engine, master)
    wanted = wanted_of(corpus, rank, host, tld, all_languages)
    with corpus.engine() as runner:
        rows, _ = index_rows(corpus, wanted, release, cdx, runner, quiet or json)
        table = chosen(runner, rows, per_site, limit)
    done = fetched(corpus, table, wanted, quiet or json)
    told = {"records": done.records, "bytes": done.bytes, "known": done.known, "missing": dict(done.missing)}
    if json:
        print_json(told)
    else:
        print_text(
            f"{done.records:,} records fetched ({done.bytes / 1e6:,.1f} MB), {done.known:,} known before."
        )
        for why, count in done.missing.most_common():
            print_text(f"  {count:,} not available: {why}")
    if not done.records and not done.known:
        warn(f"Nothing was fetched. {_nothing(corpus)}" if not table.num_rows else "Nothing was fetched.")
    check_stopped(done)
    advise(f"Next: corpulyzer process --project {project}", quiet)


def _print_estimate(
    releases: list[dict[str, Any]], total: dict[str, Any], shares: dict[str, dict[str, Any]]
) -> None:
    from rich.table import Table

    from corpulyzer.cli.output import print_table

    table = Table("release", box=None, pad_edge=False, header_style="bold")
    for name in ("pages", "URLs", "sites", "bytes", "truncated", "share of pages"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in [*releases, {"release": "all", **total}]:
        numbers = [f"{row[name]:,}" for name in ("pages", "urls", "sites", "bytes", "truncated")]
        whole = shares.get(row["release"])
        percent = f"{whole['of_the_language'] / whole['pages']:.4%}" if whole and whole["pages"] else ""
        table.add_row(row["release"], *numbers, percent)
    print_table(table)


def _print_tlds(tlds: list[dict[str, Any]], shown: int = 5) -> None:
    """Where the pages are (HR-12): the top-level domains with most of them."""
    from corpulyzer.cli.output import print_text

    if tlds:
        places = (f".{row['tld']} {row['urls']:,} ({row['share']:.1%})" for row in tlds[:shown])
        more = f", {len(tlds) - shown:,} more" if len(tlds) > shown else ""
        print_text(f"Top-level domains, URLs: {', '.join(places)}{more}.")


def _nothing(corpus: Corpus) -> str:
    return (
        f"The index has no page in {corpus.language.name} ({corpus.language.code}). It names the languages "
        "that CLD2 knows; for another, look by place: --all-languages --tld TLD."
    )
