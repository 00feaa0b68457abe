"""A corpus as people use it: its folder, and every job as a verb."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpulyzer.api.looking import Looking
from corpulyzer.api.making import Making
from corpulyzer.engine.progress import Progress, silent

if TYPE_CHECKING:
    from corpulyzer.jobs.upgrade import Upgraded


@dataclass(frozen=True)
class Corpus(Making, Looking):
    """A corpus folder, opened: `documents` to read it, and a verb for each command that works on it.

    A verb takes `progress`, a function that is called with what is done, how much of it is done and how much
    there is, and `engine`, where several verbs are to share one.
    """

    def __repr__(self) -> str:
        return f"<Corpus {self.name}: {self._languages}, {self.storage.root}>"

    @property
    def _languages(self) -> str:
        return f"{self.targets.name} ({', '.join(self.targets.codes)})"

    def _repr_html_(self) -> str:
        facts = {
            "language": self._languages,
            "folder": self.storage.root,
            "documents": f"{len(self.documents):,}, kept and dropped",
        }
        rows = "".join(
            f"<tr><th>{name}</th><td>{html.escape(fact)}</td></tr>" for name, fact in facts.items()
        )
        return f"<table><caption>{html.escape(self.name)}</caption><tbody>{rows}</tbody></table>"


def create(
    language: str = "",
    folder: str | Path | None = None,
    preset: str = "default",
    *,
    languages: Sequence[str] = (),
) -> Corpus:
    """A new corpus folder for a language, `./<code>web` unless told; one that exists is never overwritten.

    Or for several `languages`, or for every one: `create(languages=["all"], folder="web")`.
    """
    return Corpus.create(language, folder, preset, languages=languages)


def open_corpus(folder: str | Path, settings: Mapping[str, Any] | None = None) -> Corpus:
    """The corpus in `folder`, a path or an s3:// URI; `settings` win over those of its file."""
    return Corpus.open(folder, settings)


def upgrade(folder: str | Path, progress: Progress = silent) -> Upgraded:
    """Bring a corpus of an earlier version up to today's format; nothing is fetched or made again."""
    from corpulyzer.jobs.upgrade import upgrade

    return upgrade(Corpus.open_any_format(folder), progress)
