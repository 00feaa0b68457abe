"""What a format is: rows that a map makes of documents, and files that are then made of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from corpulyzer.engine import Dataset, Engine
from corpulyzer.engine.derived import Part
from corpulyzer.errors import UserError
from corpulyzer.export.files import Files, Written
from corpulyzer.export.render import Make, Material
from corpulyzer.export.shares import Write, Writers
from corpulyzer.language import Language
from corpulyzer.plugins import EXPORT, Plugin
from corpulyzer.plugins.registry import Registry
from corpulyzer.plugins.running import Called
from corpulyzer.records.targets import language_of
from corpulyzer.storage import Storage, open_input

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 200
# What these write is in one language: a list of words, a page with its direction, a registry.
OF_ONE_LANGUAGE = ("frequency", "html", "vertical")
# Options that only some formats know.
TAKEN_BY = {"unit": ("text", "frequency"), "content": ("warc",)}


@dataclass(frozen=True, slots=True)
class Options:
    """What formats can be asked for; each takes what concerns it. Empty means the format's own default."""

    compress: str = ""
    unit: str = "document"
    content: str = "page"
    seed: int = 0
    annotated: bool = False
    minimal_html: Callable[[Iterable[tuple[str, str]]], str] | None = None
    archives: dict[str, str] = field(default_factory=dict)
    kept: Callable[[], tuple[Storage, Sequence[Part], Dataset]] | None = None
    """The parts of the kept documents when files are to be made of them, and the table that they are."""


@dataclass(frozen=True, slots=True)
class About:
    """What a format may say of the corpus and of this export.

    `parts` are the languages that have files of their own, with their splits: none where there is but one.
    `people` are the traces of people in the texts, by kind; tokens took the place of those that are `masked`.
    """

    name: str
    language: Language
    version: str
    created: str
    software: str
    documents: int
    tokens: int
    text_bytes: int
    licenses: dict[str, int]
    languages: dict[str, int]
    splits: dict[str, int]
    left_out: dict[str, int]
    selection: str
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    people: dict[str, int] = field(default_factory=dict)
    masked: tuple[str, ...] = ()

    @property
    def tags(self) -> tuple[str, ...]:
        """The languages as the hub calls them: two letters, where a language has a code of two."""
        known = [language_of(code) for code in self.parts] or [self.language]
        return tuple(each.iso639_1 or each.code for each in known)


@dataclass(frozen=True, slots=True)
class Work:
    """The rows that were made, where the files go, who writes them, and an engine for queries.

    `listed` has a file for each of `rows`, with a row for each of its documents, those left out too.
    """

    place: Storage
    rows: Dataset
    engine: Engine
    writers: Writers
    about: About
    listed: Dataset

    def batches(self, table: Dataset | None = None) -> Iterator[pa.RecordBatch]:
        """The rows of a table, or of those that were made, in their order and a few at a time."""
        yield from batches_of(*(table or self.rows).files)

    def query(self, name: str, sql: str) -> Dataset:
        """The rows of a query over `made`, in its order, which may be more than memory holds."""
        return self.engine.spread(sql, {"made": self.rows}, self.writers.scratch.path(f"{name}.parquet"))

    def in_shares(self, table: Dataset, write: Callable[[slice, str], Write]) -> list[Written]:
        """Have files written of a table, by as many processes as there are for it."""
        return self.writers.write("written", table, write)


Collect = Callable[[Work], list[Written]]


@dataclass(frozen=True, slots=True)
class Format:
    """A name, what is made of documents, and how that becomes files.

    What is made is kept for the next export where a format `follows` the news. It has to make one row of each
    document, of that document and of nothing that changes without it.
    """

    name: str
    make: Make
    collect: Collect
    follows: bool = False


ExportFormat = Callable[[Options], Format]
"""Makes a format of what was asked for."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the file `file`."""

    file: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Blocks:
    """Makes one block of each document, in the file of its split or of its own key; it may be empty."""

    render: Callable[[Material], bytes]
    key: Callable[[Material], str]

    @property
    def record(self) -> type:
        return Block

    def __call__(self, materials: Iterable[Material]) -> Iterator[Block]:
        for material in materials:
            yield Block(self.key(material), self.render(material))


def by_split(material: Material) -> str:
    """One file for each split, and for each language where there are several."""
    return f"{material.part}_{material.split}" if material.part else material.split


def _nothing(_path: str, _about: About) -> bytes:
    return b""


@dataclass(frozen=True, slots=True)
class CollectBlocks:
    """Writes blocks to the files that they name."""

    suffix: str
    compress: str = "none"
    begin: Callable[[str, About], bytes] = _nothing
    end: bytes = b""

    def __call__(self, work: Work) -> list[Written]:
        def write(share: slice, mark: str) -> Write:
            return partial(self._write, work.place, work.about, work.rows.files[share], mark)

        return work.in_shares(work.rows, write)

    def _write(self, place: Storage, about: About, rows: Sequence[str], mark: str) -> list[Written]:
        files = Files(
            place,
            self.suffix,
            mark=mark,
            compress=self.compress,
            begin=lambda path: self.begin(path, about),
            end=self.end,
        )
        try:
            for batch in batches_of(*rows):
                blocks = (batch.column(name).to_pylist() for name in ("file", "content"))
                for file, content in zip(*blocks, strict=True):
                    if content:
                        files.write(file, content)
            files.close()
        finally:
            files.discard()
        return files.written


_HERE = "corpulyzer.export.formats"


def _is_format(found: object, _options: Options) -> bool:
    return isinstance(found, Format)


FORMATS = Registry(
    EXPORT,
    {
        "jsonl": f"{_HERE}.jsonl:jsonl",
        "text": f"{_HERE}.plain_text:plain_text",
        "hf": f"{_HERE}.table:hugging_face",
        "croissant": f"{_HERE}.table:croissant",
        "delta": f"{_HERE}.delta:delta",
        "vertical": f"{_HERE}.vertical:vertical",
        "conllu": f"{_HERE}.conllu:conllu",
        "html": f"{_HERE}.html:html",
        "warc": f"{_HERE}.archive:warc",
        "wet": f"{_HERE}.archive:wet",
        "frequency": f"{_HERE}.frequency:frequency",
        "sentences": f"{_HERE}.shuffled:sentences",
        "paragraphs": f"{_HERE}.shuffled:paragraphs",
    },
    "a Format",
    _is_format,
    ("plugins",),
)


@dataclass(frozen=True, slots=True)
class MadeAgain:
    """What the format of a plug-in makes of documents, in a form that workers can be sent."""

    format: Called
    options: Options

    @property
    def record(self) -> type:
        return self._make.record

    def __call__(self, materials: Iterable[Material]) -> Iterator[object]:
        return self._make(materials)

    @property
    def _make(self) -> Make:
        made: Make = self.format(self.options).make
        return made


def _here(collect: Collect, work: Work) -> list[Written]:
    """What the format of a plug-in collects: its functions are not known where tasks run."""
    return collect(replace(work, writers=replace(work.writers, are_tasks=False)))


def format_named(name: str, options: Options, plugins: Iterable[Plugin] = ()) -> Format:
    """The format of that name; UserError with the names there are. `plugins` are the corpus' own."""
    work = FORMATS.named(name, plugins)
    if isinstance(work, Called):
        theirs: Format = work(options)
        # Of a plug-in's code and settings no key of what was kept tells.
        made = MadeAgain(work, options)
        return replace(theirs, name=name, make=made, collect=partial(_here, theirs.collect), follows=False)
    for option, takers in TAKEN_BY.items():
        if name not in takers and getattr(options, option) != getattr(Options(), option):
            raise UserError(f"The format {name} takes no --{option}.", f"It is for: {', '.join(takers)}.")
    found: Format = work(options)
    return found


def chosen(option: str, value: str, choices: Iterable[str]) -> str:
    """The value of an option, if it is one of its choices."""
    if value not in choices:
        raise UserError(f"--{option} cannot be {value!r}.", f"Choose one of: {', '.join(choices)}.")
    return value


def batches_of(*files: str) -> Iterator[pa.RecordBatch]:
    """The rows of Parquet files, a few at a time."""
    import pyarrow.parquet as pq

    for file in files:
        with open_input(file) as stored, pq.ParquetFile(stored) as parquet:
            yield from parquet.iter_batches(ROWS_AT_ONCE, use_threads=False)
