"""Draw docs/images/reliability.svg: `python tools/reliability.py FOLDER`, as for tools/train_identifiers.py.

It asks `corpulyzer evaluate identification` about texts of 20 to 500 characters, from lines of two sources
that the table of short text was not made of, in every language that has some.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from corpulyzer.page.identify.training.build_short import SOURCES
from corpulyzer.page.identify.training.crops import to_measure
from corpulyzer.page.identify.training.recipe import gather

IMAGE = Path(__file__).parent.parent / "docs" / "images" / "reliability.svg"
LINES, SIDE, MARGIN = 12, 300, 44


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with TemporaryDirectory() as temporary:
        # The name of a source is in the seed of its texts, so it has to be the same each time.
        folder = Path(temporary) / "kept-out"
        folder.mkdir()
        for sample in gather(Path(sys.argv[1])):
            if sample.source in SOURCES and sample.label != "ara-Latn":
                file = folder / f"{sample.code}_{sample.script}_{sample.source}.txt"
                with file.open("a", encoding="utf-8") as lines:
                    lines.writelines(f"{line}\n" for line in to_measure(sample.lines)[:LINES])
        command = [sys.executable, "-m", "corpulyzer", "evaluate", "identification", str(folder), "--json"]
        more = ["--level", "mixed", "--identifier", "guess"]
        made = subprocess.run([*command, *more], capture_output=True, text=True, check=True)
    (found,) = json.loads(made.stdout)
    IMAGE.write_text(drawn(found["reliability"]["bins"]), "utf-8")
    error = found["reliability"]["expected_calibration_error"]
    sys.stderr.write(f"{found['texts']:,} texts, accuracy {found['accuracy']:.3f}, error {error:.3f}\n")


def drawn(bins: list[dict[str, Any]]) -> str:
    """The share of right answers over their confidence; a dot's area grows with the number of answers."""
    most = max(each["answers"] for each in bins)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE + 2 * MARGIN}" height="{SIDE + 2 * MARGIN}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#888"/>',
        f'<line x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}" stroke="#888" stroke-dasharray="4 4"/>',
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<text x="{_x(tick)}" y="{_y(0) + 16}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text x="{_x(0) - 6}" y="{_y(tick) + 4}" text-anchor="end">{tick:g}</text>')
    for each in bins:
        size = 3 + 9 * (each["answers"] / most) ** 0.5
        parts.append(
            f'<circle cx="{_x(each["confidence"])}" cy="{_y(each["right"])}" r="{size:.1f}" fill="#1f77b4" '
            f'fill-opacity="0.8"><title>{each["answers"]} answers</title></circle>'
        )
    parts.append(f'<text x="{_x(0.5)}" y="{_y(0) + 34}" text-anchor="middle">confidence</text>')
    parts.append(f'<text x="{MARGIN}" y="{MARGIN - 12}">share of answers that are right</text>')
    return "\n".join([*parts, "</svg>\n"])


def _x(share: float) -> float:
    return round(MARGIN + SIDE * share, 1)


def _y(share: float) -> float:
    return round(MARGIN + SIDE * (1 - share), 1)


if __name__ == "__main__":
    main()
