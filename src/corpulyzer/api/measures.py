"""`corpus.analyze`: every measure as a method, in notebooks and scripts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpulyzer.measure.panels import PANELS
from corpulyzer.measure.result import Result

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus
    from corpulyzer.engine import Engine


class Results(tuple[Result, ...]):
    """The results of a panel; shows itself in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return "".join(result._repr_html_() for result in self)


@dataclass(frozen=True, slots=True)
class Analyses:
    """The measures of a corpus: `corpus.analyze.top_sites()`, or a whole panel, `corpus.analyze.web()`.

    What is stored and still holds is not measured again.
    """

    corpus: Corpus

    def __call__(self, *names: str, engine: Engine | None = None) -> Results:
        """The results that names of panels or of measures stand for; all without names."""
        from corpulyzer.jobs.analyze.run import analyze

        if engine is None:
            with self.corpus.engine() as own:
                return self(*names, engine=own)
        wanted = set(names)
        return Results(
            result
            for each in analyze(self.corpus, engine, names)
            for result in each.results
            if not wanted or wanted & {each.panel.name, result.name}
        )

    def __getattr__(self, name: str) -> Callable[..., Result | Results]:
        if name.startswith("_") or name not in dir(self):
            raise AttributeError(f"there is no measure {name!r}; dir(corpus.analyze) lists them")

        def measure(engine: Engine | None = None) -> Result | Results:
            found = self(name, engine=engine)
            one = [result for result in found if result.name == name]
            return one[0] if one else found

        return measure

    def __dir__(self) -> list[str]:
        return sorted({name for panel in PANELS for name in (panel.name, *panel.results)})
