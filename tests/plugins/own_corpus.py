"""Corpora with plug-ins: a folder with settings, a file of rules, and a few pages to import."""

from pathlib import Path

from corpulyzer.api.corpus import Corpus, create, open_corpus

RULES = """
from dataclasses import dataclass
from typing import Annotated

from corpulyzer import KEEP, Candidate, Format, Identified, drop
from corpulyzer.export.formats import Blocks, CollectBlocks, by_split


@dataclass(frozen=True)
class FewShouts:
    version = 1
    words = "quiet enough"

    most: Annotated[int, "Most exclamation marks of a page."] = 3
    marks: Annotated[tuple[str, ...], "What counts as one."] = ("!",)

    def __call__(self, page):
        if "boom" in page.url:
            raise ZeroDivisionError("no such number")
        found = sum(map(page.text.count, self.marks))
        return KEEP if found <= self.most else drop("shouts", "too loud", found=found, wanted=self.most)


class Shouts:
    version = 1

    def __call__(self, page):
        return page.text.count("!")


class Mood:
    version = 1

    def __call__(self, page):
        return "loud" if "!" in page.text else ""


def bold(blocks):
    return [block for block in blocks.blocks if "!" in block.text]


@dataclass(frozen=True)
class AlwaysUrdu:
    language: str = "urd"
    languages = frozenset({"urd"})

    def __call__(self, paragraphs):
        return [Identified(self.language, 1.0, {self.language: len(text.encode())}) for text in paragraphs]


@dataclass(frozen=True)
class Lines:
    end: str = "|"

    def __call__(self, options):
        return Format("anything", Blocks(Line(self.end), by_split), CollectBlocks(".lines"))


@dataclass(frozen=True)
class Line:
    end: str

    def __call__(self, material):
        return (material.published.url + self.end).encode()


@dataclass(frozen=True)
class Stations:
    hosts: tuple[str, ...] = ("radio",)

    def __call__(self, language):
        for host in self.hosts:
            yield Candidate(f"https://{host}.example/{language.code}", "a station")
        yield "https://plain.example/"
"""
SENTENCE = "یہ اردو میں ایک جملہ ہے جو کافی لمبا ہے۔ "
PAGES = {
    "https://a.example/quiet": SENTENCE * 20,
    "https://a.example/loud": f"{SENTENCE}!!!!!" * 20,
    "https://b.example/boom": f"{SENTENCE}!" * 20,
}


def folder_with(place: Path, settings: str, rules: str = RULES) -> Path:
    """A corpus folder whose settings end with these, and the file of rules beside them."""
    create("urd", place)
    with (place / "corpulyzer.toml").open("a") as file:
        file.write(f"\n{settings}\n")
    (place / "my_rules.py").write_text(rules)
    return place


def with_pages(folder: Path) -> Corpus:
    """The corpus of a folder after it has taken in the pages."""
    pages = folder.parent / "pages"
    pages.mkdir(exist_ok=True)
    for number, (url, text) in enumerate(PAGES.items()):
        page = f"<html lang=ur><link rel=canonical href={url}><title>{number}</title><p>{text}"
        (pages / f"{number}.html").write_text(page, "utf-8")
    corpus = open_corpus(folder)
    (folder / "my_rules.py").rename(folder / "my_rules.txt")  # workers have nothing but what they are sent
    with corpus.engine() as engine:
        corpus.import_(pages, engine=engine)
    (folder / "my_rules.txt").rename(folder / "my_rules.py")
    return corpus
