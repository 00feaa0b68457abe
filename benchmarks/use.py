"""What it costs to use a corpus: exports, the index of the concordance, annotation; memory of all processes.

    python benchmarks/use.py [DOCUMENTS] [FOLDER] [NAME…]
    python benchmarks/use.py 1000000        the full size, which must stay below 4 GB

Names choose among what is measured, which runs in its order: formats written after annotation carry it.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from corpulyzer.api.corpus import open_corpus
from corpulyzer.jobs.search.refresh import refresh
from made import HEAD, cost_of, made_corpus

# The pages of a made-up corpus are in no archive, so its WARC has their texts.
EXPORTS = {
    "sentences": ("sentences",),
    "frequency": ("frequency",),
    "hf": ("hf",),
    "jsonl": ("jsonl",),
    "warc": ("warc", "--content", "text"),
    "vertical": ("vertical",),
}
INDEX, ANNOTATE, ANNOTATED = "index", "annotate", "vertical, annotated"
NAMES = (*EXPORTS, INDEX, ANNOTATE, ANNOTATED)


def main() -> None:
    if sys.argv[1:2] == ["--index"]:
        refresh(open_corpus(sys.argv[2]))
        return
    documents = int(sys.argv[1]) if sys.argv[1:] else 20_000
    folder = Path(sys.argv[2] if sys.argv[2:] else tempfile.mkdtemp(prefix="corpulyzer-use-"))
    made_corpus(folder, documents)
    print(HEAD, flush=True)
    for name in sys.argv[3:] or NAMES:
        print(cost_of(command(name, folder)).line(name, documents), flush=True)
        shutil.rmtree(folder / "exports", ignore_errors=True)


def command(name: str, folder: Path) -> list[str]:
    """What is run for a name."""
    if name == INDEX:
        return [sys.executable, __file__, "--index", str(folder)]
    if name == ANNOTATE:
        asked: tuple[str, ...] = ("annotate", "--morphs", "never")
    else:
        asked = ("export", *EXPORTS[name.partition(",")[0]])
    return [sys.executable, "-m", "corpulyzer", *asked, "--project", str(folder), "--quiet"]


if __name__ == "__main__":
    main()
