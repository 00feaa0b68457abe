"""What comes in from outside: archives by reference, everything else made into archives of the corpus.

Each source leaves a small file `imports/NAME.json` that says what it was, what became of it, and what could
not be read. It is written last, so that a killed import is done again and a finished one is left alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from corpulyzer.corpus.imports import Imported, sources
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.jobs.importing.convert import Tally, convert
from corpulyzer.jobs.importing.plan import ARCHIVE, RECORDS, Plan, Refused, Source, plan
from corpulyzer.storage import Storage
from corpulyzer.warc.names import ENDING

__all__ = ["Plan", "Registered", "plan", "register"]


@dataclass(frozen=True, slots=True)
class Registered:
    """What an import took in, what it knew already (`known`), and what it could not read."""

    sources: tuple[Imported, ...]
    refused: tuple[Refused, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)

    def summary(self) -> str:
        """A few lines for people: what is in, what is not, and why."""
        lines = [_line_of(source) for source in self.sources[:20]]
        if len(self.sources) > 20:
            lines.append(f"… and {len(self.sources) - 20:,} more")
        lines += [f"not imported: {it.path}: {it.why}. {it.hint}".rstrip() for it in self.refused[:10]]
        if len(self.refused) > 10:
            lines.append(f"… and {len(self.refused) - 10:,} more files that could not be imported")
        return "\n".join(lines)


def register(storage: Storage, paths: Sequence[str], progress: Progress | None = None) -> Registered:
    """Take in files and folders; UserError if there is nothing in them that can be read."""
    planned = plan(paths)
    known = {source.name: source for source in sources(storage)}
    taken: list[Imported] = []
    refused = list(planned.refused)
    for source in planned.sources:
        before = known.get(source.name)
        if before is not None and before.version == source.version:
            taken.append(replace(before, known=True))
            continue
        imported = _imported(storage, source, progress or silent)
        if isinstance(imported, Refused):
            refused.append(imported)
        else:
            taken.append(imported)
    if not taken:
        raise _nothing(paths, refused)
    return Registered(tuple(taken), tuple(refused))


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
    content = {name: value for name, value in asdict(imported).items() if name != "known"}
    storage.write(f"imports/{source.name}.json", json.dumps(content, indent=1, ensure_ascii=False).encode())
    _sweep(storage, imported)
    return imported


def _note(source: Source, places: list[str], tally: Tally) -> Imported:
    changed = max(file.mtime_ns for file in source.files) / 1e9
    return Imported(
        name=source.name,
        path=source.path,
        kind=source.kind,
        files=len(source.files),
        bytes=source.size,
        version=source.version,
        modified=datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds"),
        archives=tuple(places),
        rows=tally.read,
        refused=tally.refused,
        reasons=dict(tally.reasons),
        examples=tuple(tally.examples),
    )


def _sweep(storage: Storage, imported: Imported) -> None:
    """Remove archives of an older state of the source, and those that a killed import left."""
    for file in storage.list("imports", ENDING):
        if file.startswith(f"imports/{imported.name}-") and file not in imported.archives:
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
        return f"{source.path}: archive, {source.bytes / 1e6:,.1f} MB, kept where it is"
    line = f"{source.path}: {source.rows:,} records from {source.files:,} file{'s' * (source.files != 1)}"
    if not source.refused:
        return line
    why = ", ".join(f"{count:,} {reason}" for reason, count in source.reasons.items())
    example = source.examples[0]
    return f"{line}; {source.refused:,} refused: {why} (first: {example['file']}, line {example['line']})"
