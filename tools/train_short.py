"""Train the table of short text: `python tools/train_short.py [--mix] FOLDER [UNSEEN…]`.

FOLDER is as for tools/train_identifiers.py, which comes first; it needs `fasttext` and `wordfreq`. UNSEEN are
folders of sentences that nothing is learned from, to measure on. It takes some ten minutes of processor time.
With `--mix` the table that ships keeps its vectors, and the witnesses are mixed anew, as they have to be when
another table has changed: two minutes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from corpulyzer.page.identify.table import load
from corpulyzer.page.identify.training.build_short import build_short
from corpulyzer.page.identify.training.recipe import MODELS, gather
from corpulyzer.page.identify.training.samples import read_folder
from corpulyzer.page.identify.training.words import common_words, word_shares


def say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--mix", action="store_true", help="keep the vectors")
    parser.add_argument("folder", type=Path)
    parser.add_argument("unseen", type=Path, nargs="*")
    asked = parser.parse_args()
    unseen = [sample for folder in asked.unseen for sample in read_folder(folder)]
    learned = load(MODELS / "short.table") if asked.mix else None
    words = {} if asked.mix else common_words(word_shares())
    build_short(gather(asked.folder), words, MODELS, say, learned, unseen)


if __name__ == "__main__":
    main()
