"""Train the models of page/identify: `python tools/train_identifiers.py FOLDER [GROUP…]`.

FOLDER holds a folder for each source (flores, commonvoice, govza, udhr), with a text file for each language,
a sentence a line; it needs `wordfreq`. It takes about five minutes. With names of groups (`malay`), only
their tables are made.
"""

from __future__ import annotations

import sys
from pathlib import Path

from corpulyzer.page.identify.training.build import build
from corpulyzer.page.identify.training.recipe import MODELS
from corpulyzer.page.identify.training.words import word_shares


def say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build(Path(sys.argv[1]), word_shares(), MODELS, say, only=sys.argv[2:])


if __name__ == "__main__":
    main()
