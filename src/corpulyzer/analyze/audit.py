"""What people found who looked at a sample of the corpus (XH-14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpulyzer.analyze.bench import Bench
    from corpulyzer.analyze.result import Result


def measure(bench: Bench) -> list[Result]:
    """The estimates of all audits, as the bench was given them."""
    return list(bench.audits)
