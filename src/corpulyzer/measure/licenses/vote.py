"""Licenses by site, and the vote by which a license that a page merely links to stands or falls.

The voters of a site are its documents with text, whatever their verdict; each votes for its license, or for
none. What a page declares of itself needs no vote.
"""

from __future__ import annotations

import html
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from corpulyzer.engine import Dataset, Engine
from corpulyzer.page.label.license import stands
from corpulyzer.records.licensed import Licensed

VOTES_SQL = """
select v.site, v.license, v.pages, v.linked, s.voters
from (select site, license, count(*) as pages,
             sum(case when license_basis = 'text' then 1 else 0 end) as linked
      from documents where text_bytes > 0 and license <> '' group by site, license) as v
inner join (select site, count(*) as voters from documents where text_bytes > 0 group by site) as s
on v.site = s.site
order by v.site nulls last, v.license nulls last
"""


@dataclass(frozen=True, slots=True)
class SiteLicense:
    """A license on a site: `pages` of `voters` have it, `linked` of them by a link in running text alone."""

    site: str
    license: str
    pages: int
    linked: int
    voters: int

    @property
    def share(self) -> float:
        return self.pages / self.voters

    @property
    def standing(self) -> int:
        """Pages that have it after the vote."""
        return self.pages if stands("text", self.pages, self.voters) else self.pages - self.linked


@dataclass(frozen=True)
class Licenses:
    """The licenses of a corpus by site and kind; sites without a license are not listed."""

    sites: tuple[SiteLicense, ...]

    def of(self, document: Licensed) -> str:
        """The license of a document after the vote of its site; empty if it has none."""
        row = self._by_site.get((document.site, document.license))
        return row.license if row and stands(document.license_basis, row.pages, row.voters) else ""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each site and kind, with its share and the pages that have it after the vote."""
        return [{**asdict(row), "share": row.share, "standing": row.standing} for row in self.sites]

    def to_json(self) -> list[dict[str, Any]]:
        """The same, as plain values."""
        return self.rows()

    @cached_property
    def _by_site(self) -> dict[tuple[str, str], SiteLicense]:
        return {(row.site, row.license): row for row in self.sites}

    def _repr_html_(self) -> str:
        names = ("site", "license", "pages", "linked", "voters", "share", "standing")
        head = "".join(f"<th>{name}</th>" for name in names)
        cells = [
            "".join(f"<td>{html.escape(_shown(row[name]))}</td>" for name in names) for row in self.rows()
        ]
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def licenses(engine: Engine, documents: Dataset) -> Licenses:
    """The licenses of the stored documents with the votes of their sites."""
    rows = engine.query(VOTES_SQL, {"documents": documents}).to_pylist()
    return Licenses(tuple(SiteLicense(**row) for row in rows))


def _shown(value: Any) -> str:
    return f"{value:.1%}" if isinstance(value, float) else str(value)
