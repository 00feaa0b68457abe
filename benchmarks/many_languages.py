"""A corpus of every language of FLORES: what it costs, and how soon its report is there in a browser.

    python benchmarks/many_languages.py [--pages 110] [--languages 1000] [--folder DIR]

Pages are made of the sentences in `lid.tar.gz` of ../shared/data, six each, on sites that three languages
share. One corpus takes all in (`--languages all`); thresholds are learned; the report is written with a page
for each language that has a hundred documents, and opened in Chromium.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from batch import SHARED

SENTENCES, SHARING = 6, 3
Made = TypeVar("Made")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pages", type=int, default=110, help="pages of each language")
    parser.add_argument("--languages", type=int, default=1_000, help="languages at most")
    parser.add_argument("--folder", type=Path, help="where the corpus goes, and stays")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        measure(asked.folder or Path(temporary) / "web", asked.pages, asked.languages)


def measure(folder: Path, pages: int, languages: int) -> None:
    """Make the corpus, and print what each step cost and what came of it."""
    from corpulyzer.api.corpus import create, open_corpus

    folder.parent.mkdir(parents=True, exist_ok=True)
    file = folder.parent / f"{folder.name}.jsonl"
    with file.open("w") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows(pages, languages))
    create(languages=["all"], folder=folder)
    corpus = open_corpus(folder)
    told("import", lambda: corpus.import_(file))
    learned = told("calibrate", corpus.learn_thresholds)
    page = told("report", corpus.report)
    overview = corpus.analyze("languages")["languages"].rows.to_pylist()
    large = [row["code"] for row in overview if row["kept"] >= 100]
    print(f"{sum(row['kept'] > 0 for row in overview)} languages with documents, {len(large)} with a hundred")
    print(f"thresholds learned for {len({each.language for each in learned} & set(large))} of these")
    own = [Path(page).parents[1] / "languages" / code / "report" / "index.html" for code in large]
    print(f"{sum(map(Path.exists, own))} pages of languages; the overview is {Path(page).stat().st_size:,} B")
    for each in (Path(page), *own[:1]):
        print(f"{each.relative_to(folder)}: {opened(each)}")


def rows(pages: int, languages: int) -> Iterator[dict[str, str]]:
    """Pages of each language, of sentences that no other page has."""
    for place, (code, lines) in enumerate(sorted(sentences().items())[:languages]):
        for number in range(min(pages, len(lines) // SENTENCES)):
            some = lines[number * SENTENCES : (number + 1) * SENTENCES]
            site = f"s{place // SHARING}.example"
            yield {"url": f"https://{site}/{code}/{number}", "text": " ".join(some)}


def sentences() -> dict[str, list[str]]:
    """The sentences of FLORES by language. The archive is read in its own order: to seek in it takes long."""
    found = {}
    with tarfile.open(SHARED.parent / "lid.tar.gz") as archive:
        for member in archive:
            if member.name.startswith("lid/flores/") and member.name.endswith(".txt"):
                stored = archive.extractfile(member)
                assert stored is not None
                found[Path(member.name).stem] = stored.read().decode("utf-8").splitlines()
    return found


def told(what: str, do: Callable[[], Made]) -> Made:
    """Do something, and print its processor time, workers included."""
    before, began = cpu_seconds(), time.perf_counter()
    made = do()
    print(f"{what}: {cpu_seconds() - before:.1f} CPU-s, {time.perf_counter() - began:.1f} s", flush=True)
    return made


def cpu_seconds() -> float:
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def opened(page: Path) -> str:
    """How soon a page has loaded in Chromium, and shows its first figure and all of them."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = {"executable_path": shutil.which("chromium"), "args": ["--no-sandbox"]}
        browser = playwright.chromium.launch(**arguments)  # type: ignore[arg-type]
        shown = browser.new_page(viewport={"width": 1200, "height": 900})
        began = time.perf_counter()
        shown.goto(page.as_uri())
        loaded = time.perf_counter() - began
        shown.wait_for_selector(".plot.drawn svg")
        first = time.perf_counter() - began
        every = "[...document.querySelectorAll('.plot')].every((each) => each.matches('.drawn'))"
        shown.wait_for_function(every)
        whole = time.perf_counter() - began
        browser.close()
    return f"loaded after {loaded:.2f} s, first figure {first:.2f} s, all {whole:.2f} s"


if __name__ == "__main__":
    main()
