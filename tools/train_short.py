"""Train the table of short text: `python tools/train_short.py FOLDER [UNSEEN…]`.

FOLDER is as for tools/train_identifiers.py, which comes first; it needs `fasttext` and `wordfreq`. UNSEEN are
folders of sentences that nothing is learned from, to measure on. It takes some ten minutes of processor time.
"""

from __future__ import annotations

import sys
from pathlib import Path

from corpulyzer.page.identify.training.build_short import build_short
from corpulyzer.page.identify.training.recipe import MODELS, gather
from corpulyzer.page.identify.training.samples import read_folder
from corpulyzer.page.identify.training.words import common_words


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    unseen = [sample for folder in sys.argv[2:] for sample in read_folder(Path(folder))]
    samples = gather(Path(sys.argv[1]))
    say = lambda line: sys.stderr.write(line + "\n") and None  # noqa: E731
    build_short(samples, common_words(), MODELS, say, unseen=unseen)


if __name__ == "__main__":
    main()
