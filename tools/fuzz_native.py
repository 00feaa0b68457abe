"""Compare compiled code with its Python twins on pages that nobody wrote, for some minutes.

    python tools/fuzz_native.py --minutes 3 --seed 17

A page is made of those of the tests and the demo by its number and the seed, which are printed where the two
differ; `--first NUMBER` begins with that page. The page in work lies in `fuzzed.html`, so that it is there
after a crash, too. Run by `make sanitize` in a build that stops at the first wrong step in memory.
"""

import argparse
import random
import sys
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "native"))

from mutants import mutant  # noqa: E402
from twins import TWINS, real_pages  # noqa: E402

from corpulyzer.native import WHY_NOT  # noqa: E402

PAGE = Path("fuzzed.html")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the page to begin with")
    chosen = parser.parse_args()
    if WHY_NOT:
        print(f"Nothing to compare: {WHY_NOT}.")
        return 1
    print(f"seed {chosen.seed}, for {chosen.minutes:g} minutes", flush=True)
    return fuzz(chosen.seed, chosen.first, time.monotonic() + chosen.minutes * 60)


def fuzz(seed: int, first: int, end: float) -> int:
    """Compare page after page until the time is over: 1 if one of them made a difference."""
    pages, number = real_pages(), first
    while time.monotonic() < end:
        page = mutant(pages, f"{seed} {number}")
        PAGE.write_bytes(page)
        for part, twins in TWINS.items():
            for same in twins:
                try:
                    same(page)
                except Exception:
                    traceback.print_exc()
                    print(f"{part}: page {number} of seed {seed} makes a difference; it is in {PAGE}")
                    return 1
        number += 1
    PAGE.unlink(missing_ok=True)
    print(f"{number - first} pages, no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
