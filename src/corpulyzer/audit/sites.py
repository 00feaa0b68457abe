"""What people say of whole sites: category, machine-translated, block or allow (XH-27), in one file.

The file is a table that can be edited by hand, `sites.csv` in the corpus folder; measures and report read it
too. Columns that are not ours are left as they are.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields

import regex

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage
from corpulyzer.storage.lock import editing

FILE = "sites.csv"
CATEGORIES = ("news", "religious", "academic", "literature", "government", "blog", "forum", "shop", "other")
DECISIONS = ("", "block", "allow")
_SITE = regex.compile(r"[\w-]+(\.[\w-]+)*(:\d+)?")


@dataclass(frozen=True, slots=True)
class SiteLabel:
    """What is said of a site. `machine_translated` is yes, no or empty; `decision` block, allow or empty."""

    site: str
    category: str = ""
    machine_translated: str = ""
    decision: str = ""
    note: str = ""


def read_sites(storage: Storage) -> dict[str, SiteLabel]:
    """The labels of sites."""
    names = [field.name for field in fields(SiteLabel)]
    found = {}
    for number, row in enumerate(_rows(storage), 2):
        label = SiteLabel(**{name: (row.get(name) or "").strip() for name in names})
        found[label.site] = _checked(label, f"{FILE}, line {number}: ")
    return found


def write_site(storage: Storage, label: SiteLabel) -> None:
    """Set the label of a site."""
    said = {name: " ".join(value.split()) for name, value in asdict(_checked(label, "")).items()}
    with editing(storage, "audit sites"):
        rows = {row["site"]: row for row in _rows(storage)}
        rows[label.site] = {**rows.get(label.site, {}), **said}
        names = dict.fromkeys([*said, *(name for row in rows.values() for name in row if name)])
        out = io.StringIO()
        writer = csv.DictWriter(out, list(names), restval="", extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[site] for site in sorted(rows))
        storage.write(FILE, out.getvalue().encode())


def _rows(storage: Storage) -> list[dict[str, str]]:
    if not storage.exists(FILE):
        return []
    reader = csv.DictReader(storage.read(FILE).decode("utf-8-sig").splitlines())
    if "site" not in (reader.fieldnames or ()):
        raise UserError(f"{FILE} has no column `site`.", "Give its first line the names of the columns.")
    return [row for row in reader if row.get("site")]


def decided(labels: Iterable[SiteLabel], decision: str) -> list[str]:
    """The sites with a decision."""
    return sorted(label.site for label in labels if label.decision == decision)


def _checked(label: SiteLabel, where: str) -> SiteLabel:
    if not _SITE.fullmatch(label.site):
        raise UserError(f"{where}{label.site!r} is no site.", "Write its host, such as news.example.")
    if label.machine_translated not in ("", "yes", "no"):
        raise UserError(
            f"{where}{label.machine_translated!r} is neither yes nor no.", "Leave it empty if unsure."
        )
    if label.decision not in DECISIONS:
        raise UserError(f"{where}there is no decision {label.decision!r}.", "Write block, allow or nothing.")
    return label
