"""What comes in from outside: archives by reference, everything else made into archives of the corpus.

Each source leaves a note in `imports/` that says what it was, what became of it, and what could not be read.
It is written last, so that a killed import is done again and a finished one is left alone. Archives are noted
thousands at a time: what was noted before a kill is not looked at again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from typing import Any

from corpulyzer.corpus.imports import ARCHIVE, Imported, note, note_listed, sources
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.jobs.importing.convert import Tally, convert
from corpulyzer.jobs.importing.files import find
from corpulyzer.jobs.importing.lists import listed
from corpulyzer.jobs.importing.plan import RECORDS, Plan, Refused, Source, is_as_noted, plan, planned
from corpulyzer.storage import Storage
from corpulyzer.warc.names import ENDING

__all__ = ["Plan", "Registered", "plan", "register"]

ARCHIVES_AT_ONCE = 5_000
"""So many archives are looked at before they are noted."""


@dataclass(frozen=True, slots=True)
class Registered:
    """What an import took in, what it knew already (`known`), and what it could not read."""

    sources: tuple[Imported, ...]
    refused: tuple[Refused, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)

    def without(self, left_out: Mapping[str, str]) -> Registered:
        """The same when nothing could be read of some archives: by their paths, and why."""
        hint = "It was left out; import it again to try again."
        failed = [Refused(path, why.removesuffix("."), hint) for path, why in left_out.items()]
        kept = tuple(source for source in self.sources if source.path not in left_out)
        return Registered(kept, (*self.refused, *failed))

    def summary(self) -> str:
        """A line for people on each of the first sources that are in."""
        lines = [_line_of(source) for source in self.sources[:20]]
        if len(self.sources) > 20:
            lines.append(f"… and {len(self.sources) - 20:,} more")
        return "\n".join(lines)

    def refusal(self) -> str:
        """What is not in, and why, in a few lines; empty if all of it is."""
        lines = [f"not imported: {it.path}: {it.why}. {it.hint}".rstrip() for it in self.refused[:10]]
        if len(self.refused) > 10:
            lines.append(f"… and {len(self.refused) - 10:,} more files that could not be imported")
        return "\n".join(lines)


def register(
    storage: Storage,
    paths: Sequence[str],
    progress: Progress | None = None,
    *,
    lists: Sequence[str] = (),
    below: str = "",
) -> Registered:
    """Take in files and folders, and the archives of lists; UserError if there is nothing that can be read.

    `below` is the prefix of what a list names in part.
    """
    known = {source.name: source for source in sources(storage)}
    taken: list[Imported] = []
    refused: list[Refused] = []
    given = [*find(paths), *listed(lists, below)]
    for became in _taken_in(storage, planned(given, known), known, progress or silent):
        if isinstance(became, Refused):
            refused.append(became)
        else:
            taken.append(became)
    if not taken:
        raise _nothing([*paths, *lists], refused)
    return Registered(tuple(taken), tuple(refused))


def _taken_in(
    storage: Storage, found: Iterable[Source | Refused], known: Mapping[str, Imported], progress: Progress
) -> Iterator[Imported | Refused]:
    """What becomes of each source, in their order."""
    new: list[Imported] = []
    there: list[str] | None = None
    for number, source in enumerate(found):
        if isinstance(source, Refused):
            yield source
            continue
        before = known.get(source.name)
        if before is not None and is_as_noted(source, before):
            yield replace(before, known=True)
        elif source.kind == ARCHIVE and before is None:
            new.append(_note(source, [source.path], Tally()))
            yield new[-1]
        else:
            there = storage.list("imports", ENDING) if there is None else there
            became = _imported(storage, source, progress)
            if isinstance(became, Imported):
                _sweep(storage, became, there)
            yield became
        if len(new) == ARCHIVES_AT_ONCE:
            note_listed(storage, new)
            new = []
            progress("looking at files", number, 0)
    if new:
        note_listed(storage, new)


def _imported(storage: Storage, source: Source, progress: Progress) -> Imported | Refused:
    """Convert a source, or only note where it is, and write down what became of it."""
    if source.kind == ARCHIVE:
        imported = _note(source, [source.path], Tally())
    else:
        places, tally = convert(source, storage, progress)
        if not tally.read:
            why = next(
                iter(tally.examples), {"why": f"it has no {'records' if source.kind == RECORDS else 'rows'}"}
            )["why"]
            hint = "" if source.kind == RECORDS else "Rows need `text` or `html`."
            return Refused(source.path, f"nothing in it can be read: {why}", hint)
        imported = _note(source, places, tally)
    note(storage, imported)
    return imported


def _note(source: Source, places: list[str], tally: Tally) -> Imported:
    return Imported(
        name=source.name,
        path=source.path,
        kind=source.kind,
        files=len(source.files),
        bytes=source.size,
        version=source.version,
        modified="" if source.unseen else source.changed,
        archives=tuple(places),
        rows=tally.read,
        refused=tally.refused,
        reasons=dict(tally.reasons),
        examples=tuple(tally.examples),
    )


def _sweep(storage: Storage, imported: Imported, there: list[str]) -> None:
    """Remove archives of an older state of the source, and those that a killed import left.

    `there` are the archives in the folder before this import, sorted.
    """
    start = f"imports/{imported.name}-"
    of_this = takewhile(lambda file: file.startswith(start), there[bisect_left(there, start) :])
    for file in set(of_this) - set(imported.archives):
        storage.delete(file)


def _nothing(paths: Sequence[str], refused: list[Refused]) -> UserError:
    if not refused:
        return UserError(
            f"There are no files in {', '.join(paths)}.", "Name files, or a folder that has some."
        )
    first = refused[0]
    more = f" (and {len(refused) - 1:,} more files)" if len(refused) > 1 else ""
    hint = first.hint or "Import WARC, ARC, WET, JSONL or Parquet with `text` or `html`, HTML, or .txt."
    return UserError(f"Nothing could be imported. {first.path}: {first.why}{more}.", hint)


def _line_of(source: Imported) -> str:
    if source.known:
        return f"{source.path}: imported before, unchanged"
    if source.kind == ARCHIVE:
        size = f", {source.bytes / 1e6:,.1f} MB" if source.bytes else ""
        return f"{source.path}: archive{size}, kept where it is"
    line = f"{source.path}: {source.rows:,} records from {source.files:,} file{'s' * (source.files != 1)}"
    if not source.refused:
        return line
    why = ", ".join(f"{count:,} {reason}" for reason, count in source.reasons.items())
    example = source.examples[0]
    return f"{line}; {source.refused:,} refused: {why} (first: {example['file']}, line {example['line']})"
