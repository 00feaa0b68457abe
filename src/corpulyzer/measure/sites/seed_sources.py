"""What each source of seeds was worth to the corpus (HR-1, HR-2, XH-1, XH-22)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpulyzer.measure.figures import bars
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of

if TYPE_CHECKING:
    from corpulyzer.measure.bench import Bench

_KINDS = {
    "source": "string",
    "seeds": "int64",
    "sites": "int64",
    "fetched": "int64",
    "live": "int64",
    "in_language": "int64",
    "pages_fetched": "int64",
    "pages_kept": "int64",
    "target_bytes": "int64",
    "yield": "double",
}


def measure(bench: Bench) -> list[Result]:
    """A row for each source of seeds, the one whose sites gave most first; nothing without seeds."""
    rows = sorted(bench.seed_sources(), key=lambda row: (-row["target_bytes"], row["source"]))
    if not rows:
        return []
    best = rows[0]
    return [
        Result(
            name="seed_sources",
            title="Where the seeds came from",
            definition="Of each source of seeds: its seeds and their sites, how many were fetched, answered "
            "and were in the language, and of all pages fetched from their sites how many are kept.",
            citation="Ljubešić & Erjavec 2011, Section 2; Marquard & Suleman 2023, Section 5",
            rows=table_of(rows, _KINDS),
            summary=f"Sources of seeds: {len(rows):,}. Most text is from sites that {best['source']} named: "
            f"{best['pages_kept']:,} documents.",
            spec=bars("source", "target_bytes", titles={"target_bytes": "bytes of the language"}),
            warnings=("A site that several sources name counts for each of them.",) if len(rows) > 1 else (),
        )
    ]
