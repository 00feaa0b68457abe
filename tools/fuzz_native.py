"""Compare compiled code with its Python twins on pages that nobody wrote, for some minutes.

    python tools/fuzz_native.py --minutes 3 --seed 17

The seed and its number make a page out of those of the tests and the demo. Both are printed where the two differ,
and `--first NUMBER` begins with that page. The page in work lies in `fuzzed.html`, so that it is there after a
crash, too. `make sanitize` runs this in a build that stops at the first wrong step in memory.
"""

import argparse
import random
import sys
import time
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "native"))

from mutants import mutant  # noqa: E402
from twins import TWINS, real_pages  # noqa: E402

from corpulyzer.native import WHY_NOT  # noqa: E402

PAGE = Path("fuzzed.html")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the page to begin with")
    chosen = parser.parse_args()
    if WHY_NOT:
        sys.exit(f"Nothing to compare: {WHY_NOT}.")
    print(f"seed {chosen.seed}, for {chosen.minutes:g} minutes", flush=True)
    fuzz(chosen.seed, chosen.first, time.monotonic() + chosen.minutes * 60)


def fuzz(seed: int, first: int, end: float) -> None:
    """Compare page after page until the time is over, or one makes a difference."""
    pages, number = real_pages(), first
    try:
        while time.monotonic() < end:
            page = mutant(pages, f"{seed} {number}")
            PAGE.write_bytes(page)
            for same in chain.from_iterable(TWINS.values()):
                same(page)
            number += 1
        PAGE.unlink(missing_ok=True)
    finally:
        print(f"{number - first} pages of seed {seed} made no difference; the next one is number {number}")


if __name__ == "__main__":
    main()
