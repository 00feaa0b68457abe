"""Train the models in src/corpulyzer/page/identify/models: `python tools/train_identifiers.py FOLDER`.

FOLDER holds a folder for each source (flores, commonvoice, govza, udhr), with a text file for each language,
a sentence a line. It takes about five minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from corpulyzer.page.identify.training.build import build
from corpulyzer.page.identify.training.recipe import MODELS


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build(Path(sys.argv[1]), MODELS, lambda line: sys.stderr.write(line + "\n") and None)


if __name__ == "__main__":
    main()
