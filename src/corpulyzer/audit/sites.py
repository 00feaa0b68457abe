"""What people say of whole sites: category, machine-translated, block or allow (XH-27), in one file.

The file is a table that can be edited by hand: `audit/sites.tsv`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields

import regex

from corpulyzer.audit.labels import FOLDER
from corpulyzer.errors import UserError
from corpulyzer.storage import Storage

FILE = f"{FOLDER}/sites.tsv"
CATEGORIES = ("news", "religious", "academic", "literature", "government", "blog", "forum", "shop", "other")
DECISIONS = ("", "block", "allow")
_SITE = regex.compile(r"[\w-]+(\.[\w-]+)+(:\d+)?")


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
    if not storage.exists(FILE):
        return {}
    names = [field.name for field in fields(SiteLabel)]
    found = {}
    for number, line in enumerate(storage.read(FILE).decode("utf-8").splitlines()[1:], 2):
        values = [value.strip() for value in line.split("\t")]
        if not any(values):
            continue
        if len(values) > len(names):
            raise UserError(
                f"{FILE}, line {number}: more than {len(names)} columns.", f"Columns: {', '.join(names)}."
            )
        label = _checked(SiteLabel(**dict(zip(names, values, strict=False))), f"{FILE}, line {number}: ")
        found[label.site] = label
    return found


def write_site(storage: Storage, label: SiteLabel) -> None:
    """Set the label of a site."""
    known = {**read_sites(storage), label.site: _checked(label, "")}
    lines = ["\t".join(field.name for field in fields(SiteLabel))]
    lines += ["\t".join(" ".join(value.split()) for value in astuple(known[site])) for site in sorted(known)]
    storage.write(FILE, ("\n".join(lines) + "\n").encode())


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
