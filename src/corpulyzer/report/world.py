"""Figures of the first page, drawn here as SVG: they need no script, and print as they are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from corpulyzer.interface.catalogue import translated
from corpulyzer.interface.messages import filled, said
from corpulyzer.measure.sites.origin import countries, towns

WIDTH, NORTH, SOUTH = 720, 75.0, -56.0
SCALE = WIDTH / 360
HEIGHT = round((NORTH - SOUTH) * SCALE)
LARGEST, SMALLEST = 20.0, 3.0
NAMED = 6


def _place(latitude: float, longitude: float) -> tuple[float, float]:
    return round((longitude + 180) * SCALE, 1), round((NORTH - latitude) * SCALE, 1)


def world(documents: Mapping[str, int]) -> Markup:
    """A map of the world with a circle for each country, by its code, as large as its documents are many.

    Faint dots are towns of all time zones: they are there so that continents can be seen.
    """
    dots = [_place(town.latitude, town.longitude) for town in towns()]
    ground = Markup("").join(
        Markup('<circle class="town" cx="{}" cy="{}" r="1.6"/>').format(x, y)
        for x, y in dots
        if 0 <= y <= HEIGHT
    )
    ranked = sorted(documents.items(), key=lambda item: (-item[1], item[0]))
    most = ranked[0][1] if ranked else 1
    circles = Markup("").join(_circle(code, count, most, rank) for rank, (code, count) in enumerate(ranked))
    named = ", ".join(f"{countries()[code].name} {count:,}" for code, count in ranked)
    label = filled(translated("Documents by country: %(named)s"), {"named": named or translated("none")})
    return Markup('<svg class="world" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>').format(
        WIDTH, HEIGHT, label, ground, circles
    )


def _circle(code: str, count: int, most: int, rank: int) -> Markup:
    town = countries()[code]
    x, y = _place(town.latitude, town.longitude)
    radius = max(SMALLEST, round(LARGEST * math.sqrt(count / most), 1))
    shown = Markup('<circle class="country" cx="{}" cy="{}" r="{}"><title>{}: {}</title></circle>').format(
        x, y, radius, town.name, f"{count:,}"
    )
    if rank >= NAMED:
        return shown
    at_end = x > WIDTH * 0.8
    label = Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(
        x - radius - 4 if at_end else x + radius + 4, y + 4, "end" if at_end else "start", town.name
    )
    return shown + label


def timeline(years: Sequence[tuple[int, int]]) -> Markup:
    """Documents by year as standing bars, with the first, the last and the largest year named."""
    if not years:
        return Markup("")
    width, height = 720, 110
    most = max(count for _, count in years) or 1
    step = width / len(years)
    named = {years[0][0], years[-1][0], max(years, key=lambda each: each[1])[0]}
    bars = Markup("").join(
        Markup(
            '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"><title>{}: {}</title></rect>'
        ).format(
            n * step + step * 0.1, 84 - 80 * count / most, step * 0.8, 80 * count / most, year, f"{count:,}"
        )
        for n, (year, count) in enumerate(years)
    )
    labels = Markup("").join(
        Markup('<text x="{:.1f}" y="102" text-anchor="middle">{}</text>').format(
            min(max(n * step + step / 2, 16), width - 16), year
        )
        for n, (year, _) in enumerate(years)
        if year in named
    )
    label = said(f"Documents by year of publication, {years[0][0]} to {years[-1][0]}")
    return Markup('<svg class="timeline" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>').format(
        width, height, label, bars, labels
    )
