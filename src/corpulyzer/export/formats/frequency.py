"""A frequency list: every word with how often it stands in the corpus and in how many documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from corpulyzer.export.files import Files, Written
from corpulyzer.export.formats import Format, Options, Work, chosen
from corpulyzer.export.render import Material
from corpulyzer.text import tokens

HEADER = b"rank\tword\tfrequency\tdocuments\n"
LIST_SQL = """
select word, sum(frequency) as frequency, sum(documents) as documents from made group by word
order by frequency desc nulls last, word nulls last
"""


@dataclass(frozen=True, slots=True)
class Word:
    """A word in some documents: how often, and in how many."""

    word: str
    frequency: int
    documents: int


def frequency(options: Options) -> Format:
    """A table of words, the most frequent first; with `unit` lemma a table of lemmas."""
    unit = chosen("unit", "word" if options.unit == "document" else options.unit, ("word", "lemma"))
    return Format("frequency", CountWords(unit), Collect(options.compress or "none"))


@dataclass(frozen=True, slots=True)
class CountWords:
    """Counts the words of a batch of documents; the sums over batches do not depend on how they are cut."""

    unit: str = "word"

    @property
    def record(self) -> type:
        return Word

    def __call__(self, materials: Iterable[Material]) -> Iterator[Word]:
        total: Counter[str] = Counter()
        spread: Counter[str] = Counter()
        for material in materials:
            counts = Counter(self._words(material))
            total.update(counts)
            spread.update(counts.keys())
        for word in sorted(total):
            yield Word(word, total[word], spread[word])

    def _words(self, material: Material) -> list[str]:
        if self.unit == "word":
            return tokens(material.published.text, material.target)
        found = (token for sentence in material.sentences() for token in sentence.tokens)
        return [token.lemma for token in found if token.lemma and tokens(token.form)]


@dataclass(frozen=True, slots=True)
class Collect:
    """Sums up, and writes a line a word."""

    compress: str

    def __call__(self, work: Work) -> list[Written]:
        files = Files(
            work.place, ".tsv", compress=self.compress, begin=lambda _path: HEADER, max_bytes=1 << 62
        )
        rank = 0
        try:
            files.write("frequency", b"")
            for batch in work.batches(work.query("frequency", LIST_SQL)):
                for row in batch.to_pylist():
                    rank += 1
                    line = f"{rank}\t{row['word']}\t{row['frequency']}\t{row['documents']}\n"
                    files.write("frequency", line.encode("utf-8", "replace"))
            files.close()
        finally:
            files.discard()
        return files.written
