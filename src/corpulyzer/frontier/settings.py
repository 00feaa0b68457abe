"""The table `frontier` of the settings file: the strategy, and the parameters of all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge

from corpulyzer.frontier import Scorer
from corpulyzer.frontier.anchor import Anchor
from corpulyzer.frontier.breadth import Breadth
from corpulyzer.frontier.focus import Focus
from corpulyzer.frontier.lrl import Lrl
from corpulyzer.frontier.opic import Opic
from corpulyzer.frontier.state import Recrawl
from corpulyzer.frontier.traps import Traps


@dataclass(frozen=True, slots=True)
class FrontierSettings:
    """What is fetched next."""

    strategy: Annotated[
        Literal["focus", "lrl", "anchor", "opic", "breadth"], "focus, lrl, anchor, opic or breadth."
    ] = "focus"
    per_site: Annotated[int, "URLs of one site in a round at most.", Ge(1)] = 100
    lrl: Lrl = field(default_factory=Lrl)
    focus: Focus = field(default_factory=Focus)
    traps: Traps = field(default_factory=Traps)
    recrawl: Recrawl = field(default_factory=Recrawl)

    @property
    def scorer(self) -> Scorer:
        """The strategy that is asked for."""
        others: dict[str, Scorer] = {"anchor": Anchor(), "opic": Opic(), "breadth": Breadth()}
        return others.get(self.strategy) or (self.lrl if self.strategy == "lrl" else self.focus)
