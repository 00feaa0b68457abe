"""Small samples of our own text as HTML files, JSON lines and a WET file; each writer returns the truth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from corpulyzer.lab.demo.archive import START
from corpulyzer.lab.demo.pages.desk import HOSTS, Desk, Sample, Truth, dropped
from corpulyzer.lab.demo.pages.layouts import ARTICLE_LAYOUTS
from corpulyzer.warc import compose

PAGES = 8


def few_pages(target: str = "urd", seed: int = 0) -> Iterator[Sample]:
    """Eight pages of the target language in as many layouts, and one in each other language."""
    desk = Desk(target, seed)
    for i, layout in enumerate(ARTICLE_LAYOUTS[:PAGES]):
        yield desk.page(f"https://{HOSTS[target][0]}/sample/{i + 1}.html", "sample", layout)
    for language in desk.others:
        url = f"https://{HOSTS[language][0]}/sample/1.html"
        yield dropped(desk.page(url, "sample", language=language), "language")


def write_folder(path: str | Path, seed: int = 0, target: str = "urd") -> list[Truth]:
    """Write a folder of HTML files, a subfolder per host; a truth's URL is that of the page as it was."""
    samples = list(few_pages(target, seed))
    for sample in samples:
        file = Path(path, sample.truth.url.removeprefix("https://"))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(sample.body)
    return [sample.truth for sample in samples]


def write_jsonl(path: str | Path, seed: int = 0, target: str = "urd") -> list[Truth]:
    """Write a line per page: `url` and `text` in turn with `url` and `html`, and a `number`."""
    samples = list(few_pages(target, seed))
    with _created(path).open("w", encoding="utf-8") as file:
        for row in map(_row, samples, range(len(samples))):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return [sample.truth for sample in samples]


def write_wet(path: str | Path, seed: int = 0, target: str = "urd") -> list[Truth]:
    """Write the plain text of each page as a conversion record, as Common Crawl does."""
    truths = [sample.truth for sample in few_pages(target, seed)]
    path = _created(path)
    with path.open("wb") as file:
        file.write(compose.warcinfo(path.name, {}, START, compose.stable_record_id(path.name, -1)).packed())
        for position, truth in enumerate(truths):
            record_id = compose.stable_record_id(path.name, position)
            text = truth.text.encode()
            file.write(compose.conversion(truth.url, text, date=START, record_id=record_id).packed())
    return truths


def _row(sample: Sample, number: int) -> dict[str, object]:
    content = {"html": sample.body.decode()} if number % 2 else {"text": sample.truth.text}
    return {"url": sample.truth.url, **content, "number": number}


def _created(path: str | Path) -> Path:
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
