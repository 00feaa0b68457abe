"""One language of a corpus of several: `corpus.in_language("xho")`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpulyzer.api.engines import on
from corpulyzer.api.looking import Looking
from corpulyzer.corpus.folder import CorpusFolder
from corpulyzer.engine.progress import Progress, silent

if TYPE_CHECKING:
    from corpulyzer.annotate import Annotated
    from corpulyzer.engine import Engine
    from corpulyzer.export import Exported


class Annotating(CorpusFolder):
    """What annotates documents."""

    def annotate(
        self, *, retrain: bool = False, progress: Progress = silent, engine: Engine | None = None
    ) -> Annotated:
        """Annotate the kept documents that are new or changed; with `retrain`, learn the morphs again."""
        from corpulyzer.jobs.annotate import annotate

        with on(self, engine) as runner:
            return annotate(self, runner, retrain=retrain, progress=progress)


class InLanguage(Annotating, Looking):
    """A corpus as one of its languages has it, to be annotated, measured, searched and audited.

    What is made of it stands in the folder of the language. It is made, crawled and freed of copies as a
    whole.
    """

    def __repr__(self) -> str:
        return f"<InLanguage {self.name}: {self.language.name} ({self.language.code}), {self.storage.root}>"

    def why(self, url: str, *, engine: Engine | None = None) -> list[dict[str, Any]]:
        """Everything that happened to a page, whatever its language."""
        return super().why(url, engine=engine) if self.whole is None else self._all.why(url, engine=engine)

    def export(self, format: str, *args: Any, **asked: Any) -> Exported:
        """Write the kept documents of the language for other tools, as the whole corpus does it."""
        if self.whole is None:
            return super().export(format, *args, **asked)
        return self._all.export(format, *args, **{**asked, "language": self.language.code})

    @property
    def _all(self) -> Looking:
        whole = self.whole or self
        return Looking(whole.storage, whole.config, whole.settings, whole.accepted)
