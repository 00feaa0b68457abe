"""What the commands that find seeds share: their options, and what is told of what was added."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from corpulyzer.web.seeds import Added

Homepages = Annotated[bool, typer.Option("--homepages", help="Take the home page of each URL's host.")]
Tlds = Annotated[
    list[str] | None, typer.Option("--tld", metavar="TLD", help="Top-level domain to stay in; repeatable.")
]
Block = Annotated[
    list[str] | None,
    typer.Option("--block", metavar="HOST|FILE", help="Host, or file of hosts, to stay out of; repeatable."),
]
Without = Annotated[
    str, typer.Option("--without", metavar="TYPES", help="Kinds of files to drop, such as pdf,docx,xlsx.")
]


@dataclass(frozen=True)
class Sieve:
    """The options that say which of the URLs found become seeds."""

    homepages: Homepages = False
    tld: Tlds = None
    block: Block = None
    without: Without = ""

    def limits(self) -> dict[str, Any]:
        """The limits that the options stand for."""
        return {
            "homepages": self.homepages,
            "tlds": self.tld or (),
            "block": self.block or (),
            "without": self.without,
        }


def tell(added: Added, project: str, json: bool, quiet: bool, more: dict[str, Any] | None = None) -> None:
    """Print what became of proposed seeds; `more` is what the source itself has to say."""
    from corpulyzer.cli.output import advise, print_json, print_text

    if json:
        print_json(
            {
                "added": len(added.new),
                "known": added.known,
                "refused": dict(added.refused),
                "completed": list(added.completed),
                **(more or {}),
            }
        )
        return
    print_text(
        f"{len(added.new):,} seeds added, {added.known:,} known before, {len(added.refused):,} refused."
    )
    if added.completed:
        first = added.completed[0]
        print_text(
            f"  {len(added.completed):,} had no scheme and are taken as https, such as https://{first}"
        )
    reasons = Counter(reason for _, reason in added.refused)
    for reason, count in reasons.most_common():
        example = next(url for url, why in added.refused if why == reason)
        print_text(f"  {reason}: {count:,}, such as {example}")
    advise(f"Next: corpulyzer crawl --contact you@example.org --project {project}", quiet)
