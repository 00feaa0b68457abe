"""`corpulyzer commoncrawl`: what Common Crawl has of a language, as seeds or as pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpulyzer.cli.options import (
    MOST,
    EngineName,
    Json,
    Master,
    OneLanguage,
    Project,
    Quiet,
    engine_flags,
    grouped,
)
from corpulyzer.cli.seeds.adding import Block, Homepages, Without

if TYPE_CHECKING:
    from corpulyzer.api.commoncrawl import CommonCrawl
    from corpulyzer.jobs.commoncrawl import Counted

app = typer.Typer(
    help="What Common Crawl has of the language: seeds, or the pages themselves.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

MirrorOption = Annotated[
    str | None,
    typer.Option("--mirror", metavar="URL|DIR", help="Where the releases are: https, s3:// or folder."),
]


@dataclass(frozen=True)
class PagesOf:
    """The options that say which pages are looked for."""

    release: Annotated[
        list[str] | None,
        typer.Option(
            "--release", metavar="ID", help="Release, CC-MAIN-2024-10; repeatable. The newest, if none."
        ),
    ] = None
    rank: Annotated[
        str,
        typer.Option(
            "--rank", metavar="any|first|only", help="Where the language stands in the index's list."
        ),
    ] = "any"
    host: Annotated[
        list[str] | None, typer.Option("--host", metavar="HOST", help="Host, with all below it; repeatable.")
    ] = None
    tld: Annotated[
        list[str] | None, typer.Option("--tld", metavar="TLD", help="Top-level domain; repeatable.")
    ] = None
    all_languages: Annotated[bool, typer.Option("--all-languages", help="Take pages of every language.")] = (
        False
    )
    language: OneLanguage = ""
    cdx: Annotated[
        bool, typer.Option("--cdx", help="Ask the index server, which is quicker for a few hosts only.")
    ] = False

    def asked(self) -> dict[str, Any]:
        """What the options ask for."""
        return {
            "releases": self.release or (),
            "rank": self.rank,
            "hosts": self.host or (),
            "tlds": self.tld or (),
            "all_languages": self.all_languages,
            "language": self.language,
            "cdx": self.cdx,
        }


@dataclass(frozen=True)
class Most:
    """The options that limit how many pages are taken."""

    per_site: Annotated[
        int, typer.Option("--per-site", metavar="N", min=0, max=MOST, help="Pages of a site at most; 0: all.")
    ] = 0
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=0, max=MOST, help="Pages in all at most; 0: all.")
    ] = 0


@dataclass(frozen=True)
class Place:
    """The options that say which corpus it is for, where Common Crawl is read, and what is printed."""

    project: Project = "."
    mirror: MirrorOption = None
    engine: EngineName = None
    master: Master = None
    json: Json = False
    quiet: Quiet = False

    def open(self) -> CommonCrawl:
        """Common Crawl, looked at for the corpus."""
        from corpulyzer.api.corpus import open_corpus

        mirror = {"commoncrawl.mirror": self.mirror} if self.mirror else {}
        return open_corpus(self.project, mirror | engine_flags(self.engine, self.master)).commoncrawl


@app.command("list")
def list_(
    project: Project = ".", mirror: MirrorOption = None, json: Json = False, quiet: Quiet = False
) -> None:
    """Print the releases there are, newest first.

    Example: [bold]corpulyzer commoncrawl list --project urduweb[/bold]
    """
    from dataclasses import asdict

    from corpulyzer.cli.output import advise, print_json, print_text

    releases = Place(project, mirror).open().releases()
    if json:
        print_json([asdict(release) for release in releases])
        return
    for release in releases:
        print_text("\t".join(filter(None, (release.id, release.name, release.first[:10], release.last[:10]))))
    if releases:
        advise(f"Next: corpulyzer commoncrawl estimate --release {releases[0].id} --project {project}", quiet)


@app.command("estimate")
@grouped
def estimate(
    *,
    pages: PagesOf,
    totals: Annotated[
        bool, typer.Option("--totals", help="Count all languages there too, for the share of this one.")
    ] = False,
    place: Place,
) -> None:
    """Print how many pages, sites and bytes there are in the language; nothing is fetched but the index.

    Example: [bold]corpulyzer commoncrawl estimate --release CC-MAIN-2024-10 --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, progress

    crawl = place.open()
    with progress(place.quiet or place.json) as show:
        counted = crawl.estimate(totals=totals, progress=show, **pages.asked())
    found, shares = counted.estimate, counted.shares
    if place.json:
        told = {"releases": list(found.releases), "total": found.total, "tlds": list(found.tlds)}
        print_json({**told, "shares": shares})
        return
    _print_estimate(counted)
    _print_tlds(list(found.tlds))
    if not found.total["pages"]:
        advise(_nothing(crawl), place.quiet)
    else:
        named = "".join(f" --release {name}" for name in counted.releases)
        advise(f"Next: corpulyzer commoncrawl seeds{named} --project {place.project}, or fetch", place.quiet)


@app.command("seeds")
@grouped
def seeds(
    *,
    pages: PagesOf,
    most: Most,
    homepages: Homepages = False,
    block: Block = None,
    without: Without = "",
    place: Place,
) -> None:
    """Add the pages in the language as seeds, the sites that have most of them first.

    Example: [bold]corpulyzer commoncrawl seeds --per-site 20 --project urduweb[/bold]
    """
    from corpulyzer.cli.output import progress
    from corpulyzer.cli.seeds.adding import tell

    limits: dict[str, Any] = {"homepages": homepages, "block": block or (), "without": without}
    with progress(place.quiet or place.json) as show:
        added = place.open().seeds(
            per_site=most.per_site, most=most.limit, progress=show, **pages.asked(), **limits
        )
    tell(added, place.project, place.json, place.quiet)


@app.command("fetch")
@grouped
def fetch(*, pages: PagesOf, most: Most, place: Place) -> None:
    """Read the records of the pages out of Common Crawl's archives into the corpus. Run it again to go on.

    Example: [bold]corpulyzer commoncrawl fetch --release CC-MAIN-2024-10 --limit 1000 -p urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, print_text, progress, warn
    from corpulyzer.web.commoncrawl.fetch import check_stopped

    crawl = place.open()
    with progress(place.quiet or place.json) as show:
        done = crawl.fetch(per_site=most.per_site, most=most.limit, progress=show, **pages.asked())
    if place.json:
        missing = dict(done.missing)
        print_json({"records": done.records, "bytes": done.bytes, "known": done.known, "missing": missing})
    else:
        print_text(
            f"{done.records:,} records fetched ({done.bytes / 1e6:,.1f} MB), {done.known:,} known before."
        )
        for why, count in done.missing.most_common():
            print_text(f"  {count:,} not available: {why}")
    if not done.records and not done.known:
        warn(f"Nothing was fetched. {_nothing(crawl)}" if not done.wished else "Nothing was fetched.")
    check_stopped(done)
    advise(f"Next: corpulyzer process --project {place.project}", place.quiet)


def _print_estimate(counted: Counted) -> None:
    from rich.table import Table

    from corpulyzer.cli.output import print_table

    table = Table("release", box=None, pad_edge=False, header_style="bold")
    for name in ("pages", "URLs", "sites", "bytes", "truncated", "share of pages"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in [*counted.estimate.releases, {"release": "all", **counted.estimate.total}]:
        numbers = [f"{row[name]:,}" for name in ("pages", "urls", "sites", "bytes", "truncated")]
        whole = counted.shares.get(row["release"])
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


def _nothing(crawl: CommonCrawl) -> str:
    targets = crawl.corpus.targets
    return (
        f"The index has no page in {targets.name} ({', '.join(targets.codes)}). It names the languages "
        "that CLD2 knows; for another, look by place: --all-languages --tld TLD."
    )
