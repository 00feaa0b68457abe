"""The corpus folder: what was asked for, what was stored, and the tables derived from it.

Archives are the log; `fetches`, `documents` and `links` are made from them, a Parquet file at a time, each
renamed into place when it is whole. So a killed run goes on where it was, and a lost table is made again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from corpulyzer.corpus import format, subcorpora
from corpulyzer.corpus.language_folders import storage_of
from corpulyzer.corpus.settings.by_language import learned
from corpulyzer.corpus.settings.config import Config, merge, tag_of
from corpulyzer.corpus.settings.explain import settings_of_language
from corpulyzer.corpus.settings.file import FILE, with_setting
from corpulyzer.corpus.settings.lists import with_lists
from corpulyzer.corpus.settings.plugins import complete, with_sources
from corpulyzer.corpus.tables import TABLES
from corpulyzer.corpus.takedowns import removed
from corpulyzer.corpus.without_copies import current_parts
from corpulyzer.engine.derived import holds
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.plugins import Plugin
from corpulyzer.records.columns import schema_of
from corpulyzer.records.settings import Setting
from corpulyzer.records.targets import ALL, Targets, targets, targets_of
from corpulyzer.storage import Storage
from corpulyzer.storage.content import open_parquet
from corpulyzer.storage.lock import editing

if TYPE_CHECKING:
    import pyarrow as pa

    from corpulyzer.corpus.documents import Documents
    from corpulyzer.engine import Dataset, Engine


REPORT, MANIFEST, CARD = "report/index.html", "manifest.json", "card.md"
TEMPLATE = """\
# What this corpus is asked to be. `corpulyzer config` prints every setting there is.
preset = "{preset}"

[corpus]
{key} = {codes}  # {english}
name = "{name}"
{settings}"""
# Settings that people change first. A preset's own stay with it: written down, they would win.
OWN_SETTINGS = """
[extract]
method = "default"

[filter.content_size]
min_bytes = 256
"""
# What is written down here would win over what is learned of each language.
SETTINGS_OF_SEVERAL = """
# A language may have settings of its own, such as:
# [language.{code}.filter.content_size]
# min_bytes = 128
"""
PRESET_SETTINGS = """
# The settings of the preset hold unless they are set here; `corpulyzer config` tells them.
"""


@dataclass(frozen=True)
class CorpusFolder:
    """A corpus folder, opened: its settings, its tables and its documents; it knows no job.

    Of a corpus of several languages, each can be had as a corpus of its own, and so can each `subcorpus`;
    `whole` is then the one of all.
    """

    storage: Storage
    config: Config
    settings: tuple[Setting, ...] = ()
    accepted: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    whole: CorpusFolder | None = field(default=None, compare=False, repr=False)
    subcorpus: str = ""

    @classmethod
    def create(
        cls,
        language: str = "",
        folder: str | Path | None = None,
        preset: str = "default",
        *,
        languages: Sequence[str] = (),
    ) -> Self:
        """A new corpus folder for a language, `./<code>web` unless told; none is overwritten.

        Or for several `languages`, or for `["all"]`: `./web` unless told.
        """
        found = targets(language, tuple(languages))
        place = f"{found.only.code if found.only else ''}web" if folder is None else folder
        storage = Storage(place)
        if storage.exists(FILE):
            raise UserError(
                f"{storage.path(FILE)} exists already.",
                "Use it as it is, change it by hand, or name another folder.",
            )
        text = _first_settings(found, preset, Path(storage.root).name)
        merge(text, FILE, {}, {})
        storage.write(FILE, text.encode())
        return cls.open(place)

    @classmethod
    def open(cls, folder: str | Path, flags: Mapping[str, Any] | None = None) -> Self:
        """The corpus in `folder`, a path or an s3:// URI; `flags` are settings that win over the file's.

        UserError if it has another format than today's.
        """
        found = cls.open_any_format(folder, flags)
        return replace(found, accepted=format.opened(found.storage))

    @classmethod
    def open_any_format(cls, folder: str | Path, flags: Mapping[str, Any] | None = None) -> Self:
        """The same whichever version made it: for those who bring it up to today's format."""
        import os

        storage = Storage(folder)
        if not storage.exists(FILE):
            raise UserError(
                f"{folder} is no corpus folder: it has no {FILE}.",
                "Make one with `corpulyzer init LANGUAGE DIR`, or name another with --project.",
            )
        text = storage.read(FILE).decode("utf-8")
        config, settings = merge(text, storage.path(FILE), flags or {}, os.environ, learned(storage))
        config = with_lists(_with_models(with_sources(config, storage), storage.root), storage)
        config = _with_removed(config, storage)
        return cls(storage, config, tuple(settings))

    def reopened(self) -> Self:
        """The same corpus with its settings read again from the file; flags still win over them."""
        if self.whole is not None:
            whole = self.whole.reopened()
            found = (
                whole.of_subcorpus(self.subcorpus)
                if self.subcorpus
                else whole.of_language(self.language.code)
            )
            return cast("Self", found)
        flags = {setting.key: setting.value for setting in self.settings if setting.origin == "flag"}
        return self.open(self.storage.root, flags)

    @property
    def name(self) -> str:
        return self.config.corpus.name or Path(self.storage.root).name

    @property
    def home(self) -> Storage:
        """The folder with the settings and with what people put beside the documents."""
        return self.storage if self.whole is None else self.whole.home

    @property
    def annotated(self) -> Storage:
        """The folder with the annotations of its documents; a subcorpus has those of its corpus."""
        return self.whole.annotated if self.subcorpus and self.whole is not None else self.storage

    def of_language(self, code: str) -> Self:
        """The corpus as one of its languages has it: its documents and settings, results in its own folder.

        Whoever reads documents there brings them up to date first. A corpus of one language is that already.
        """
        if self.targets.only is not None:
            return self
        alone = self.config.of_language(code)
        name = f"{self.name} in {self.targets.of_document(code).name}"
        return replace(
            self,
            storage=storage_of(self.storage, code),
            config=replace(alone, corpus=replace(alone.corpus, name=name)),
            settings=tuple(settings_of_language(self.config.corpus, self.settings, code)),
            whole=self,
        )

    def of_subcorpus(self, name: str) -> Self:
        """A subcorpus as a corpus of its own; whoever reads its documents brings them up to date first."""
        subcorpora.subcorpus_named(self.storage, name)
        own = replace(self.config.corpus, name=f"{self.name}: {name}")
        return replace(
            self,
            storage=subcorpora.storage_of(self.storage, name),
            config=replace(self.config, corpus=own),
            whole=self,
            subcorpus=name,
        )

    @property
    def targets(self) -> Targets:
        """The languages that it is for, one or several."""
        return targets_of(self.config.corpus)

    @property
    def language(self) -> Language:
        """The target language of a corpus of one; UserError for one of several."""
        return self.of_one_language("This command")

    def one_at_a_time(self, what: str) -> Language:
        """The language of a corpus of one, or of one of several; UserError that asks which of several."""
        if self.targets.only is not None:
            return self.targets.only
        known = ", ".join(self.targets.codes) if self.targets.languages else "`corpulyzer status` names them"
        raise UserError(
            f"{what} takes one language at a time, and {self.name} is for {self.targets.name}.",
            f"Say which with --language: {known}.",
        )

    def of_one_language(self, what: str) -> Language:
        """The language of a corpus of one, for `what` is made for one language as yet; else UserError."""
        if self.targets.only is not None:
            return self.targets.only
        raise UserError(
            f"{what} works for a corpus of one language as yet, and {self.name} is for {self.targets.name}.",
            "Make a corpus of one of them, `corpulyzer init CODE DIR`, and import there what"
            " `corpulyzer export jsonl --language CODE` takes out of this one.",
        )

    def looked_for(self, named: str = "") -> tuple[Language, ...]:
        """The languages that are looked for elsewhere: that which is named, or else all that it is for.

        UserError where it is not for the named one, or for all languages and none is named.
        """
        if named:
            return (self.targets.named(named),)
        if not self.targets.languages:
            raise UserError(
                f"{self.name} is for all languages, so it does not say which one to look for.",
                "Name one: --language CODE.",
            )
        return self.targets.languages

    @property
    def documents(self) -> Documents:
        """All documents, kept and dropped, to be filtered and read as Arrow, DuckDB, Polars or one by one."""
        from corpulyzer.corpus.documents import Documents

        return Documents(self.storage, tuple(part.file for part in current_parts(self.storage)))

    def table(self, name: str) -> Dataset:
        """The files of one of the corpus' tables, with its schema, for a query.

        Documents are those of the corpus as it is: dead pages and copies have the verdict drop.
        """
        from corpulyzer.engine import Dataset

        found = self.stored(name)
        if name != "documents":
            return found
        files = tuple(self.storage.path(part.file) for part in current_parts(self.storage))
        return Dataset(files, found.schema)

    def stored(self, name: str) -> Dataset:
        """The files of a table as made from the archives alone."""
        found = Table(self.storage, name).dataset(schema_of(TABLES[name]))
        if found.files:
            self._must_hold(found.files[0], found.schema)
        return found

    def _must_hold(self, file: str, schema: pa.Schema) -> None:
        """A table has the columns of this version, or the user is told how to get them."""
        with open_parquet(file) as stored:
            missing = set(schema.names) - set(stored.schema_arrow.names)
        if missing:
            raise UserError(
                f"{file} was made by another version: it has no {', '.join(sorted(missing))}.",
                f"Run `corpulyzer upgrade --project {self.storage.root}`; where that does not help, make the"
                f" tables again with `corpulyzer process --from index --project {self.storage.root}`."
                " Nothing is fetched for either.",
            )

    def holds(self, found: str, wanted: str) -> bool:
        """Whether what was made of `found` need not be made again, whichever format said so."""
        return holds(found, wanted, self.accepted)

    def load_plugins(self, plugins: Iterable[Plugin]) -> None:
        """Run the code of plug-ins and check their settings; say which files of the corpus are run.

        Jobs call this before they begin. To open a corpus, and to look at what is stored, runs nothing of it.
        """
        complete(tuple(plugins), self.settings, self.home)

    def engine(self) -> Engine:
        """The engine that the configuration names; use it in a `with`."""
        from corpulyzer.engine import Limits

        table = self.config.engine
        limits = Limits(page_seconds=table.page_seconds, page_megabytes=table.page_megabytes)
        if table.name == "spark":
            from corpulyzer.engine.spark import SparkEngine

            return SparkEngine(
                table.master,
                limits,
                table.spark.for_master(table.master),
                few_bytes=table.spark.driver_megabytes << 20,
                memory_gigabytes=table.memory_gigabytes,
            )
        from corpulyzer.engine.local import LocalEngine

        return LocalEngine(
            workers=table.workers or None, limits=limits, memory_gigabytes=table.memory_gigabytes
        )


def _first_settings(found: Targets, preset: str, name: str) -> str:
    """The settings file of a new corpus."""
    tags = [tag_of(language) for language in found.languages] or list(found.codes)
    own = OWN_SETTINGS if found.only else SETTINGS_OF_SEVERAL.format(code=tags[0] if tags != [ALL] else "xho")
    return TEMPLATE.format(
        preset=preset,
        key="language" if found.only else "languages",
        codes=json.dumps(tags[0] if found.only else tags),
        english=found.name,
        name=name,
        settings=own if preset == "default" else PRESET_SETTINGS,
    )


def _with_removed(config: Config, storage: Storage) -> Config:
    """The configuration with what was removed out of its scope."""
    gone = (*config.scope.removed, *removed(storage).names)
    return replace(config, scope=replace(config.scope, removed=gone)) if gone else config


def _with_models(config: Config, root: str) -> Config:
    """The configuration with the paths of all language models, those that were found included."""
    from corpulyzer.page.identify.installed import installed

    asked = config.identify
    beside = Path(root) / asked.model
    model = str(beside) if asked.model and beside.is_file() else asked.model
    models = (*asked.models, *(file for file in installed(root) if file not in asked.models))
    return replace(config, identify=replace(asked, model=model, models=models))


def write_settings(storage: Storage, values: Mapping[str, Any]) -> None:
    """Set keys in the corpus' settings file, and leave every other line of it as it is."""
    with editing(storage, "config"):
        text = storage.read(FILE).decode("utf-8")
        for key, value in values.items():
            text = with_setting(text, key, value)
        merge(text, FILE, {}, {})
        storage.write(FILE, text.encode())
