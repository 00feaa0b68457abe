"""The table `frontier` of the settings file: the strategy, and the parameters of all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge

from corpulyzer.web.frontier import Scorer
from corpulyzer.web.frontier.state import Recrawl
from corpulyzer.web.frontier.strategies.anchor import Anchor
from corpulyzer.web.frontier.strategies.breadth import Breadth
from corpulyzer.web.frontier.strategies.focus import Focus
from corpulyzer.web.frontier.strategies.lrl import Lrl
from corpulyzer.web.frontier.strategies.opic import Opic
from corpulyzer.web.frontier.traps import Traps


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
