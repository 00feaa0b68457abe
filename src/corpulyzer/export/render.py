"""The map behind every export: documents in, what the format makes of them out, with a list of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from corpulyzer.export.mask import Mask
from corpulyzer.export.published import LicenseOf, Published, as_it_is, publish
from corpulyzer.export.select import QUALITY, Selection, Splits
from corpulyzer.language import Language
from corpulyzer.records import Document, int64_hash
from corpulyzer.records.annotation import Annotations, Sentence, segmented
from corpulyzer.records.columns import batch_of, record_of, schema_of
from corpulyzer.records.licensed import Voter
from corpulyzer.records.targets import Targets
from corpulyzer.storage.by_archive import rows_of_archive
from corpulyzer.storage.row_digests import digests_of_rows
from corpulyzer.text import Learned
from corpulyzer.text.traces import CARD, EMAIL, IP, PHONE

if TYPE_CHECKING:
    import pyarrow as pa

CONTENT = [field.name for field in fields(Document) if field.name not in ("text", "verdict")]
BESIDE = ["id", "archive", *Voter._fields]
FAILED = "failed: "


@dataclass(frozen=True, slots=True)
class Listed:
    """A kept document in the list of an export; `left_out` says why it is not in it, where it is not.

    `emails` to `cards` are the traces of people that its text has, or had before they were masked. `part` is
    the language that names its file, where there are several. `content` is a digest of all that decides what
    becomes of it: where that is the same in the next export, so is its row.
    """

    id: str
    text_digest: str
    language: str
    license: str
    split: str
    tokens: int
    text_bytes: int
    left_out: str
    emails: int = 0
    phones: int = 0
    addresses: int = 0
    cards: int = 0
    part: str = ""
    content: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    """What a format gets of a document: as published, as stored, its split, and the language it is read in.

    `sentences` are those of annotation, or the plain ones where there is none; `learned` is what the corpus
    shows of its full stops. `part` is the language that names its file, where the export has several.
    `people` are the traces of people that its text has, or had before they were masked.
    """

    published: Published
    split: str
    document: Document
    target: Language
    sentences: Callable[[], tuple[Sentence, ...]]
    learned: Learned | None = None
    part: str = ""
    people: Mapping[str, int] = field(default_factory=dict)


class Make(Protocol):
    """What a format makes of documents: a callable without state, and the record class of its rows."""

    @property
    def record(self) -> type: ...

    def __call__(self, materials: Iterable[Material]) -> Iterator[object]: ...


class Numbers(NamedTuple):
    """A table with a number for each of some documents, in the order of their archives and of their ids.

    `column` has the numbers; `version` tells the table from earlier ones at its place.
    """

    files: tuple[str, ...]
    column: str
    version: str

    def __hash__(self) -> int:
        """That of the version: there may be thousands of files, and each document asks for the table."""
        return hash(self.version)


@dataclass(frozen=True, slots=True)
class Render:
    """Map: kept documents in, the rows of a format and the list of documents out.

    `quality` has the score of every document that has one, `copies` the size of each cluster of copies that
    has several. `members` are the ids of the documents of a subcorpus, `annotated` is the version of all
    `annotations`, which tells them from earlier ones at their places.
    """

    make: Make
    targets: Targets
    selection: Selection = field(default_factory=Selection)
    splits: Splits = field(default_factory=Splits)
    license_of: LicenseOf = as_it_is
    annotations: tuple[str, ...] = ()
    quality: Numbers | None = None
    learned: Learned | None = None
    copies: Numbers | None = None
    mask: Mask = field(default_factory=Mask)
    members: frozenset[int] | None = None
    annotated: str = ""

    @property
    def outputs(self) -> Mapping[str, pa.Schema]:
        return {"rows": schema_of(self.make.record), "listed": schema_of(Listed)}

    @property
    def piece_rows(self) -> int:
        return 5_000

    def __call__(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Mapping[str, pa.RecordBatch]:
        taken: list[Material] = []
        listed: list[Listed] = []
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            material = self._material(record_of(Document, row))
            outside = self.members is not None and row["id"] not in self.members
            why = "subcorpus" if outside else self.selection(material.published)
            listed.append(_listed(material, why))
            taken += [] if why else [material]
        rows = batch_of(self.make(taken), self.make.record)
        return {"rows": rows, "listed": self._with_contents(batch, listed)}

    def failed(self, batch: pa.RecordBatch, why: str) -> Mapping[str, pa.RecordBatch]:
        documents = (record_of(Document, row) for row in batch.to_pylist())
        lost = [_listed(self._material(document), f"{FAILED}{why}") for document in documents]
        return {"rows": batch_of([], self.make.record), "listed": self._with_contents(batch, lost)}

    def contents(self, batch: pa.RecordBatch, digests: Iterable[str] | None = None) -> list[str]:
        """For each document, a digest of all of it that an export may have, and what decides beside it.

        The digest of its text stands for the text, which need not be there; where digests are known, the
        columns `BESIDE` are enough.
        """
        if digests is None:
            digests = [digest.hex() for digest in digests_of_rows(batch.select(CONTENT))]
        return [f"{digest} {beside}" for digest, beside in zip(digests, self._beside(batch), strict=True)]

    def _beside(self, batch: pa.RecordBatch) -> Iterator[str]:
        """For each document, what decides about it and does not stand in its row."""
        columns: list[list[Any]] = [batch.column(name).to_pylist() for name in BESIDE]
        ids, archives, *about = columns
        qualities = _numbers_of(self.quality, archives, ids)
        copies = _numbers_of(self.copies, archives, ids)
        for key, *voter, quality, count in zip(ids, *about, qualities, copies, strict=True):
            who = Voter(*voter)
            inside = self.members is None or key in self.members
            yield f"{self.license_of(who) if who.license else ''} {quality} {count} {inside}"

    def _with_contents(self, batch: pa.RecordBatch, listed: list[Listed]) -> pa.RecordBatch:
        pairs = zip(listed, self.contents(batch), strict=True)
        return batch_of([replace(each, content=content) for each, content in pairs], Listed)

    def _with_quality(self, published: Published, document: Document) -> Published:
        if not self.quality:
            return published
        found = _number_of(self.quality, document)
        return published if found is None else replace(published, scores={**published.scores, QUALITY: found})

    def _with_copies(self, published: Published, document: Document) -> Published:
        if not self.copies or published.copies:
            return published
        return replace(published, copies=int(_number_of(self.copies, document) or 1))

    def _material(self, document: Document) -> Material:
        language = self.targets.of_document(document.language)
        shown, people = self.mask(document, language.code)
        published = self._with_quality(publish(shown, self.license_of), document)
        published = self._with_copies(published, document)
        part = "" if self.targets.only else language.code

        def sentences() -> tuple[Sentence, ...]:
            stored = _annotations(self.annotations, self.annotated)
            found = stored.of(document.archive, document.id, document.text_digest)
            if found is not None:
                return self.mask.sentences(document.text, found.sentences)
            return segmented(shown.text, shown.paragraphs, language, self.learned)

        split = self.splits(published)
        return Material(published, split, shown, language, sentences, self.learned, part, people)


def _number_of(given: Numbers, document: Document) -> float | None:
    """The number that a table has for a document, if it has one."""
    return _numbers_of(given, [document.archive], [document.id])[0]


def _numbers_of(given: Numbers | None, archives: Sequence[str], ids: Sequence[int]) -> list[float | None]:
    """The same for many documents, looked up at once for all of an archive; without a table, none has one."""
    found: list[float | None] = []
    if given is None:
        return [None] * len(ids)
    for archive, rows in groupby(zip(archives, ids, strict=True), key=itemgetter(0)):
        own = [key for _, key in rows]
        known, numbers = _numbers(given, archive)
        if not len(known):
            found += [None] * len(own)
            continue
        places = known.searchsorted(own).clip(max=len(known) - 1)
        there = zip(own, known[places].tolist(), numbers[places].tolist(), strict=True)
        found += [float(number) if key == other else None for key, other, number in there]
    return found


@lru_cache(maxsize=4)
def _numbers(given: Numbers, archive: str) -> tuple[Any, Any]:
    """The ids of an archive's documents that have a number, in order, and their numbers."""
    rows = rows_of_archive(given.files, int64_hash(archive), given.version)
    return rows.column("id").to_numpy(), rows.column(given.column).to_numpy()


def _listed(material: Material, left_out: str) -> Listed:
    it, people = material.published, material.people
    return Listed(
        *(it.id, it.text_digest, it.language, it.license, material.split, it.tokens, it.text_bytes),
        left_out,
        emails=people.get(EMAIL, 0),
        phones=people.get(PHONE, 0),
        addresses=people.get(IP, 0),
        cards=people.get(CARD, 0),
        part=material.part,
    )


@lru_cache(maxsize=1)
def _annotations(files: tuple[str, ...], _version: str) -> Annotations:
    return Annotations(files)
