"""What a command costs again: seconds of processor time when a corpus has grown or changed a little.

    python benchmarks/again.py [--documents 20000] [--steps import dedup …] [--folder FOLDER]

Each step is run the first time, after 1 % more documents, after 10 % more, after one page was removed, and
after one setting was changed; seconds are those of all its processes, start-up included. Where a page is
removed, `import` stands for the removal; where a setting was changed, that is the work of `process`. Else
`process` finds nothing to do, and `status` has the funnel as `process` told it: both are start-up alone.

Texts are in isiXhosa, with words by Zipf's law among them, and every page has the footer of its site, so that
new pages change old ones: one of the repeated paragraphs stays, in the longest page. One in thirty is a copy.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from random import Random

from corpulyzer.corpus.folder import write_settings
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.storage import Storage

LANGUAGE = "xho"
WORD = "abantu"
PARAGRAPHS = 3
RARE_WORDS = 12
VOCABULARY = 300_000
PAGES_A_SITE = 20
SETTING = {"filter.length.min_words": 65}
COUNTS = """
import sys
from corpulyzer.api.corpus import open_corpus
from corpulyzer.jobs.analyze.run import bench_for
from corpulyzer.measure.text.counts import text_counts
corpus = open_corpus(sys.argv[1])
with corpus.engine() as engine:
    text_counts(bench_for(corpus, engine))
"""
STEPS = {
    "import": ["import"],
    "process": ["process"],
    "status": ["status"],
    "dedup": ["dedup"],
    "annotate": ["annotate"],
    "search index": ["search", WORD],
    "text counts": [],
    "analyze": ["analyze"],
    "report": ["report"],
    "export": ["export", "hf"],
    "export jsonl": ["export", "jsonl"],
}
EVENTS = ("first time", "+1 %", "+10 %", "1 removed", "1 setting")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=list(STEPS))
    parser.add_argument("--events", nargs="+", choices=EVENTS, default=list(EVENTS))
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        # As installed: modules are compiled once, not by every command.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/compiled"
        table = measured(Path(folder), asked.documents, asked.steps, asked.events)
    show(table, asked.steps)


def measured(
    folder: Path, documents: int, steps: Sequence[str], events: Sequence[str]
) -> dict[str, dict[str, float]]:
    """The seconds of each step after each event."""
    project, pages = folder / "corpus", Pages(documents)
    command("init", LANGUAGE, str(project))
    more = {"first time": documents, "+1 %": documents // 100, "+10 %": documents // 10}
    table: dict[str, dict[str, float]] = {}
    for event in events:
        arrived: Path | None = None
        before = 0.0
        if event in more:
            arrived = folder / f"{len(table)}.jsonl"
            pages.write(arrived, more[event])
        elif event == "1 removed":
            before = command("remove", pages.some_url, "--project", str(project))
        else:
            write_settings(Storage(str(project)), SETTING)
        table[event] = {step: cost(step, project, arrived) for step in steps}
        if before and "import" in steps:
            table[event]["import"] = before
        show({event: table[event]}, steps)
    return table


def cost(step: str, project: Path, arrived: Path | None) -> float:
    """The seconds of a step; an import without a file to import is none."""
    if step == "text counts":
        return seconds([sys.executable, "-c", COUNTS, str(project)])
    if step == "import" and arrived is None:
        return 0.0
    files = [str(arrived)] if step == "import" else []
    return command(*STEPS[step], *files, "--project", str(project))


def command(*words: str) -> float:
    """The seconds of a command of ours."""
    return seconds([sys.executable, "-m", "corpulyzer", *words])


def seconds(command: Sequence[str]) -> float:
    """The seconds of processor time of a command and of all processes that it started."""
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert run.stderr is not None
    said = run.stderr.read()
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        sys.exit(f"{' '.join(command)} ended with {run.returncode}: {said.decode()}")
    return used.ru_utime + used.ru_stime


class Pages:
    """Pages as rows of JSONL, the same in every run; each `write` goes on where the last one ended."""

    def __init__(self, documents: int) -> None:
        self._rng, self._prose = Random(1), Prose(LANGUAGE)
        self._sites = max(1, documents // PAGES_A_SITE)
        self._written = 0
        self._before = ""
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(VOCABULARY)))
        self._words = [_word(number) for number in range(VOCABULARY)]

    @property
    def some_url(self) -> str:
        """A page of those that were written first."""
        return f"https://s{7 % self._sites}.example/7"

    def write(self, file: Path, count: int) -> None:
        with file.open("w") as out:
            for number in range(self._written, self._written + count):
                site = number % self._sites if number < self._sites else int(self._rng.random() * self._sites)
                self._before = text = self._before if number % 30 == 29 else self._text(site)
                url = f"https://s{site}.example/{number}"
                out.write(json.dumps({"url": url, "text": text, "date": "2026-01-01"}) + "\n")
        self._written += count

    def _text(self, site: int) -> str:
        own = [self._paragraph() for _ in range(PARAGRAPHS)]
        return "\n".join([*own, f"{self._prose.paragraph(Random(site), 2)} {site}."])

    def _paragraph(self) -> str:
        rare = self._rng.choices(self._words, cum_weights=self._weights, k=RARE_WORDS)
        return f"{self._prose.paragraph(self._rng)} {' '.join(rare).capitalize()}."


def _word(number: int) -> str:
    """A word of syllables; frequent ones are short."""
    syllables = [first + vowel for first in "bdfghjklmnpqstvwxyz" for vowel in "aeiou"]
    word, rest = "", number + len(syllables)
    while rest:
        rest, digit = divmod(rest, len(syllables))
        word += syllables[digit]
    return word


def show(table: dict[str, dict[str, float]], steps: Sequence[str]) -> None:
    """Print the table, a line for each step."""
    print(f"{'CPU-s':14}" + "".join(f"{event:>12}" for event in table))
    for step in steps:
        print(f"{step:14}" + "".join(f"{found[step]:12.1f}" for found in table.values()), flush=True)


if __name__ == "__main__":
    main()
