"""The one reading of all texts: documents in, partial counts out, which add up to those of the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import add
from typing import TYPE_CHECKING, Any

from corpulyzer.dedup.passages import Cut
from corpulyzer.language import Language
from corpulyzer.measure.text import facts
from corpulyzer.measure.text.count_records import (
    NOT_TAKEN_OFF,
    READ,
    RECORDS,
    SIGN,
    SUMS,
    CharacterCount,
    Failure,
    GramCount,
    LanguageCount,
    MarginCount,
    SampleText,
    SentenceCount,
    WordCount,
    read_schema,
    remembered,
)
from corpulyzer.measure.text.facts import TextFacts, text_facts
from corpulyzer.measure.text.passage import folded_sentences
from corpulyzer.measure.text.tally import tally_of
from corpulyzer.measure.text.target_text import Text, fold, texts_of
from corpulyzer.measure.text.variety import Variety
from corpulyzer.records import int64_hash
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.text import Learned
from corpulyzer.text.census import kinds_of_characters
from corpulyzer.text.traces import Traces, traces

if TYPE_CHECKING:
    import pyarrow as pa

BANDS = 10


@dataclass(frozen=True, slots=True)
class CountText:
    """Map: documents in, counts of each batch out. Only kept documents are counted, languages of all.

    Documents with the `sign` -1 were counted before, and are taken off: their counts are negative.

    Of the distinct word pairs and triples, one in `one_in`, chosen by hash, is counted exactly. Documents
    whose seeded key is below `sample_below` go into the sample. `sentences` gives those of the target in a
    text, where pages are judged by them; else its paragraphs in the target are counted.
    """

    language: str
    seed: int
    one_in: int
    sample_below: int
    sentences: Cut | None = None
    learned: Learned | None = None

    def prepare(self) -> None:
        """Load, before workers are forked, what they then share."""
        facts.prepare()
        kinds_of_characters()
        if self.sentences is not None:
            self.sentences.prepare()

    @property
    def outputs(self) -> dict[str, pa.Schema]:
        return {**{name: schema_of(record) for name, record in RECORDS.items()}, READ: read_schema()}

    @property
    def batch_rows(self) -> int:
        """Words of more documents make fewer rows, which are then added up."""
        return 500

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> dict[str, pa.RecordBatch]:
        import pyarrow as pa

        language, signs = Language.find(self.language), _signs(batch)
        tallies = {sign: _Tally(language, self) for sign in sorted({1, *signs})}
        languages, scores = (_pairs(batch, name) for name in ("languages", "scores"))
        for row, text in enumerate(texts_of(batch, language.code, self.sentences)):
            at(row)
            tallies[signs[row]].add(text, languages[row], scores[row])
        counted = tallies[1].batches()
        if -1 in tallies:
            counted |= {
                name: _joined(counted[name], negative)
                for name, negative in _taken_off(tallies[-1].batches()).items()
            }
        came = pa.array([sign == 1 for sign in signs], pa.bool_())
        return {**counted, READ: remembered(batch.filter(came) if -1 in tallies else batch)}

    def failed(self, batch: pa.RecordBatch, why: str) -> dict[str, pa.RecordBatch]:
        """The document's id and the reason, no counts, and nothing that could be taken off."""
        tally = _Tally(Language.find(self.language), self)
        said = why if _signs(batch) == [1] else NOT_TAKEN_OFF
        counted = tally.batches([Failure(batch.column("id")[0].as_py(), said)])
        return {**counted, READ: remembered(batch.slice(0, 0))}


def _signs(batch: pa.RecordBatch) -> list[int]:
    """Of each document whether it is added or taken off."""
    if SIGN not in batch.schema.names:
        return [1] * batch.num_rows
    return list(map(int, batch.column(SIGN).to_numpy()))


def _taken_off(counted: Mapping[str, pa.RecordBatch]) -> dict[str, pa.RecordBatch]:
    """The sums of documents as negative numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = {}
    for output, summed in SUMS.items():
        batch = counted[output]
        columns = [
            pc.negate(batch.column(name)) if name in summed else batch.column(name)
            for name in batch.schema.names
        ]
        found[output] = pa.RecordBatch.from_arrays(columns, schema=batch.schema)
    return found


def _joined(one: pa.RecordBatch, other: pa.RecordBatch) -> pa.RecordBatch:
    import pyarrow as pa

    columns = [pa.concat_arrays([one.column(name), other.column(name)]) for name in one.schema.names]
    return pa.RecordBatch.from_arrays(columns, schema=one.schema)


def _pairs(batch: pa.RecordBatch, column: str) -> list[dict[str, Any]]:
    return [
        {pair["name"]: pair["value"] for pair in pairs or ()} for pairs in batch.column(column).to_pylist()
    ]


class _Tally:
    """The counts of one batch, as they grow."""

    def __init__(self, language: Language, step: CountText) -> None:
        self.language, self._step = language, step
        self._groups: dict[tuple[int, int], int] = {}
        self._tally = tally_of(language, step.one_in)
        self._sentences: Counter[int] = Counter()
        self._sentence_words: dict[int, int] = {}
        self._languages: dict[tuple[str, int, str], tuple[int, ...]] = {}
        self._margins: dict[tuple[str, int, int], tuple[int, ...]] = {}
        self._facts: list[TextFacts] = []
        self._sample: list[SampleText] = []

    def add(self, text: Text, languages: Mapping[str, int], scores: Mapping[str, float]) -> None:
        self._add_languages(text, languages, scores)
        if not text.kept:
            return
        site = int64_hash(text.site)
        self._tally.add_characters(text.whole)
        if text.other:
            self._tally.count(fold(text.other, self.language), self._group(site, 0))
        if not text.target:
            return
        folded = folded_sentences(text.target, self.language, self._step.learned, text.sentences)
        said = self._tally.add(folded, self._group(site, 1))
        self._add_sentences(folded, said)
        self._add_document(text, said)

    def _group(self, site: int, target: int) -> int:
        return self._groups.setdefault((site, target), len(self._groups))

    def _add_sentences(self, folded: tuple[str, ...], said: Variety) -> None:
        for sentence, words in zip(folded, said.lengths, strict=True):
            key = int64_hash(sentence)
            self._sentences[key] += 1
            self._sentence_words[key] = words

    def _add_document(self, text: Text, said: Variety) -> None:
        key = int64_hash(str(self._step.seed), str(text.id))
        found = traces(text.whole)
        people = {name: getattr(found, name) for name in Traces.__slots__}
        known = {**text_facts(text.target, text.other, said), **people}
        self._facts.append(TextFacts(id=text.id, site=text.site, key=key, **known))
        if key < self._step.sample_below:
            self._sample.append(SampleText(key, text.id, text.site, text.target))

    def _add_languages(self, text: Text, languages: Mapping[str, int], scores: Mapping[str, float]) -> None:
        kept = int(text.kept)
        for language, size in languages.items():
            name = "target_sentences" if language == self.language.code else f"{language}_sentences"
            _add_to(self._languages, (text.site, kept, language), (1, size, round(scores.get(name, 0))))
        for confidence, characters in text.confidences:
            band = min(BANDS - 1, max(0, int(confidence * BANDS)))
            _add_to(self._margins, (text.site, kept, band), (1, characters))

    def batches(self, failures: Iterable[Failure] = ()) -> dict[str, pa.RecordBatch]:
        """What was counted. Large outputs are made column by column: a record a row costs too much."""
        rows: dict[str, Iterable[Any]] = {
            "languages": (LanguageCount(*key, *sums) for key, sums in sorted(self._languages.items())),
            "margins": (MarginCount(*key, *sums) for key, sums in sorted(self._margins.items())),
            "sampled": self._sample,
            "failures": failures,
            "facts": self._facts,
        }
        return {
            "words": _table(WordCount, *self._word_columns()),
            "grams": _table(GramCount, *self._gram_columns()),
            "characters": _table(CharacterCount, *self._tally.characters()),
            "sentences": _table(
                SentenceCount,
                *map(list, (self._sentences, self._sentences.values(), self._sentence_words.values())),
            ),
            **{name: batch_of(each, RECORDS[name]) for name, each in rows.items()},
        }

    def _word_columns(self) -> Iterator[Any]:
        import numpy as np

        words, groups, tokens, documents = self._tally.words()
        yield words
        for place in (0, 1):
            yield np.array([key[place] for key in self._groups], np.int64)[groups]
        yield from (tokens, documents)

    def _gram_columns(self) -> Iterator[Any]:
        import numpy as np
        import pyarrow as pa

        runs = list(self._tally.runs())
        yield pa.concat_arrays([pa.repeat(kind, len(keys)) for kind, (keys, _) in runs])
        yield np.concatenate([keys for _, (keys, _) in runs])
        yield np.concatenate([counts for _, (_, counts) in runs])


def _table(record: type, *columns: Any) -> pa.RecordBatch:
    import pyarrow as pa

    schema = schema_of(record)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, schema.types, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _add_to(sums: dict[Any, tuple[int, ...]], key: Any, values: tuple[int, ...]) -> None:
    sums[key] = tuple(map(add, sums[key], values)) if key in sums else values
