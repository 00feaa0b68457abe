"""Small figures as SVG, drawn here: no script, and no style that a strict policy would forbid."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from corpulyzer.interface.catalogue import translated
from corpulyzer.interface.messages import filled

WIDTH, HEIGHT = 320, 64


def curve(values: Sequence[float], label: str) -> Markup:
    """Values from 0 to 1 as a line over their order."""
    if not values:
        return Markup("")
    step = WIDTH / max(1, len(values) - 1)
    points = [(round(n * step, 1), round(HEIGHT - 4 - v * (HEIGHT - 8), 1)) for n, v in enumerate(values)]
    line = " ".join(f"{x},{y}" for x, y in points)
    area = f"0,{HEIGHT} {line} {points[-1][0]},{HEIGHT}"
    return Markup(
        '<svg class="curve" viewBox="-4 -2 {} {}" role="img" aria-label="{}" preserveAspectRatio="none">'
        '<polygon class="area" points="{}"/><polyline class="line" points="{}"/></svg>'
    ).format(WIDTH + 8, HEIGHT + 4, label, area, line)


def bar(share: float, label: str = "") -> Markup:
    """A share from 0 to 1 as a bar."""
    return Markup(
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect class="rail" width="100" height="8"/><rect class="fill" width="{:.2f}" height="8"/></svg>'
    ).format(label or f"{share:.0%}", max(0.0, min(1.0, share)) * 100)


def interval(share: float, low: float, high: float) -> Markup:
    """A share as a bar with its interval."""
    said = translated("%(share)s, between %(low)s and %(high)s")
    label = filled(said, {"share": f"{share:.0%}", "low": f"{low:.0%}", "high": f"{high:.0%}"})
    return Markup(
        '<svg class="bar interval" viewBox="0 0 100 12" preserveAspectRatio="none" role="img"'
        ' aria-label="{}"><rect class="rail" width="100" height="12"/>'
        '<rect class="fill" width="{:.2f}" height="12"/><rect class="range" x="{:.2f}" y="5" width="{:.2f}"'
        ' height="2"/></svg>'
    ).format(label, share * 100, low * 100, max(0.5, (high - low) * 100))
