"""Duplicates of a corpus: labels at five levels, and the corpus without the copies that the policy drops.

Keys and signatures are made once for each part of the documents; labels come from queries over all parts. A
level whose documents and settings are unchanged is not made again. Whatever was killed is simply done again:
the order and the partitioning of the documents make no difference to the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from corpulyzer.corpus.full_stops import learn_stops
from corpulyzer.corpus.kept_documents import write_kept
from corpulyzer.corpus.settings.plugins import PAGE_KINDS, plugins_of
from corpulyzer.corpus.without_copies import levels_asked, read_state, write_state
from corpulyzer.dedup import FOLDER
from corpulyzer.dedup.cluster import near_clusters
from corpulyzer.dedup.labels import (
    DOCUMENT_SQL,
    RAW_SQL,
    SUMMARY_SQL,
    label_documents,
    label_passages,
    labels_file,
)
from corpulyzer.dedup.policy import (
    PARAGRAPHS_SQL,
    copies_dropped,
    copies_dropped_as_received,
    paragraphs_dropped,
    site_memory_sql,
)
from corpulyzer.dedup.settings import LEVELS, Dedup
from corpulyzer.dedup.slices import in_slices, slices
from corpulyzer.engine import Dataset, Engine, Source, Unit
from corpulyzer.engine.derived import Part, made_of
from corpulyzer.engine.derived.table import Table, bring_up_to_date
from corpulyzer.engine.progress import Progress, silent
from corpulyzer.engine.workbench import (
    Workbench,
    files_of,
    rows_of,
    run_map,
    run_texts,
    stored,
)
from corpulyzer.errors import UserError
from corpulyzer.jobs.dead_pages import retire_gone
from corpulyzer.jobs.dedup.counts import (
    CONVERTED_SQL,
    PASSAGES_SQL,
    UNCUT_SQL,
    WITH_PAYLOAD_SQL,
    WITH_TEXT_SQL,
    WORDS_SQL,
    counts_of,
)
from corpulyzer.jobs.dedup.current_labels import (
    as_asked,
    documents_of,
    filters_mark,
    flags_of,
    labels_mark,
    stale_levels,
    steps_of,
    view_mark,
)
from corpulyzer.jobs.dedup.follow_view import (
    DECIDED,
    VIEWS,
    Before,
    Decided,
    forget_other_views,
    view_before,
)
from corpulyzer.jobs.status.funnels import count_on_cluster
from corpulyzer.measure.pages.duplicates import Duplicates, LevelCount
from corpulyzer.records.fingerprint import fingerprint
from corpulyzer.storage.lock import changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder


def deduplicate(
    corpus: CorpusFolder, engine: Engine, levels: Iterable[str] = LEVELS, progress: Progress | None = None
) -> Duplicates:
    """Label the duplicates of `levels`, apply the policy, and return the counts of those levels."""
    run = Run(corpus, engine, progress or silent)
    wanted = set(levels)
    if unknown := sorted(wanted - set(LEVELS)):
        raise UserError(f"There is no level {unknown[0]!r}.", f"Levels: {', '.join(LEVELS)}.")
    corpus.load_plugins(plugins_of(corpus.config, *PAGE_KINDS))  # what is left of a page is judged again
    with changing(corpus.storage, "dedup"):
        retire_gone(corpus, engine)
        if corpus.targets.only:
            learn_stops(corpus.storage, corpus.config.corpus.language)
        try:
            counts = [run.level(level) for level in LEVELS if level in wanted]
            applied = run.apply_policy()
        finally:
            run.bench.clear()
        write_kept(corpus.storage, engine)
        count_on_cluster(corpus, engine)
    return Duplicates(tuple(counts), applied)


@dataclass(frozen=True)
class Run:
    """One run over a corpus: what it is made of now, and the tables that are up to date with it."""

    corpus: CorpusFolder
    engine: Engine
    progress: Progress

    @cached_property
    def bench(self) -> Workbench:
        bench = Workbench(self.engine, self.corpus.storage, f"{FOLDER}/work")
        bench.clear()
        return bench

    @cached_property
    def parts(self) -> list[Part]:
        return documents_of(self.corpus)

    @property
    def settings(self) -> Dedup:
        return self.corpus.config.dedup

    @cached_property
    def units(self) -> Dataset:
        def run(units: list[Unit]) -> None:
            run_map(self.engine, self.steps["units"], units, rows_of(units))

        return self._up_to_date(self.steps["units"], {"units": "units"}, run)["units"]

    @cached_property
    def steps(self) -> dict[str, Any]:
        return steps_of(self.corpus)

    @cached_property
    def passages(self) -> dict[str, Dataset]:
        tables = {"paragraphs": "paragraphs", "sentences": "sentences"}
        return self._tables("cutting sentences", self.steps["passages"], tables)

    @cached_property
    def signed(self) -> dict[str, Dataset]:
        name = self.settings.method
        tables = {"signatures": f"{name}_signatures", "buckets": f"{name}_buckets"}
        return self._tables("signing documents", self.steps["signed"], tables)

    def level(self, name: str) -> LevelCount:
        """The counts of a level; its labels are made if documents or settings have changed since."""
        storage, of = self.corpus.storage, self.made_of(name)
        known = read_state(storage).get("levels", {}).get(name, {})
        if self.corpus.holds(known.get("of", ""), of) and has_labels(self.corpus, name):
            return LevelCount(**known["count"])
        if known:
            self._void(name)
        count = MAKERS[name](self)
        state = read_state(storage)
        state.setdefault("levels", {})[name] = {"of": of, "count": asdict(count)}
        write_state(storage, state)
        return count

    def _void(self, level: str) -> None:
        """Say that the labels of a level do not hold, before the first of their files is replaced."""
        state = read_state(self.corpus.storage)
        state["levels"][level]["of"] = ""
        write_state(self.corpus.storage, state)

    def made_of(self, level: str) -> str:
        """A fingerprint of all that the labels of a level follow from."""
        return labels_mark(self.corpus, self.parts, level)

    def apply_policy(self) -> tuple[str, ...]:
        """Make the view of the corpus without copies; return the levels that it follows from."""
        storage, memory = self.corpus.storage, self.settings.site_memory
        applied, of = view_mark(self.corpus, self.parts)
        state, flags = read_state(storage), flags_of(self.corpus)
        view = state.get("view", {})
        if not self.corpus.holds(view.get("of", ""), of):
            judged_by = fingerprint("view", filters_mark(self.corpus.config))
            before = view_before(storage, view, judged_by)
            folder = f"{VIEWS}/{of}" if applied or memory else ""
            view = {"of": of, "folder": folder, "judged_by": judged_by}
            if view["folder"]:
                self._write_view(Table(storage, view["folder"]), applied, of, before)
            write_state(storage, {**read_state(storage), "view": view, "flags": flags})
        elif state.get("flags", {}) != flags:
            write_state(storage, {**state, "flags": flags})
        forget_other_views(storage, view)
        return applied

    def _raw(self) -> LevelCount:
        fetches = self.corpus.table("fetches")
        members = self.bench.spread(
            "members", in_slices(RAW_SQL), units=self.units, fetches=fetches, slices=slices()
        )
        labels = label_documents(self.bench, "raw", members, self.units)
        counts = counts_of(
            self.bench,
            *(WITH_PAYLOAD_SQL, CONVERTED_SQL, SUMMARY_SQL),
            units=self.units,
            fetches=fetches,
            labels=labels,
        )
        converted = counts.pop("converted")
        note = f"{converted:,} documents were imported as text and have no payload" if converted else ""
        return LevelCount("raw", "sha224", **counts, note=note)

    def _document(self) -> LevelCount:
        members = self.bench.spread("members", in_slices(DOCUMENT_SQL), units=self.units, slices=slices())
        labels = label_documents(self.bench, "document", members, self.units)
        counts = counts_of(self.bench, WITH_TEXT_SQL, SUMMARY_SQL, units=self.units, labels=labels)
        return LevelCount("document", "md5", **counts)

    def _near(self) -> LevelCount:
        exact = self.level("document")
        equal = stored_labels(self.corpus, "document")
        found = near_clusters(self.bench, self.settings.near, self.units, self.signed, equal)
        labels = label_documents(self.bench, "near", found.members, self.units)
        total = exact.units - exact.duplicates
        notes = []
        if total > found.documents:
            notes.append(f"{total - found.documents:,} documents have no signature and are never merged")
        if found.unresolved:
            notes.append(
                f"{found.unresolved:,} times a document shared a bucket with too many to compare all"
            )
        counts = counts_of(self.bench, SUMMARY_SQL, labels=labels)
        counts |= {"unresolved": found.unresolved, "note": "; ".join(notes)}
        return LevelCount("near", self.settings.method, total, **counts)

    def _paragraph(self) -> LevelCount:
        return self._passage_count("paragraph", f"equal, by {self.settings.paragraph_scope}")

    def _sentence(self) -> LevelCount:
        return self._passage_count("sentence", "equal but for case")

    def _passage_count(self, level: str, method: str) -> LevelCount:
        passages = self.passages[f"{level}s"]
        labels = label_passages(self.bench, level, passages, self.units)
        counts = counts_of(
            self.bench,
            *(PASSAGES_SQL, WORDS_SQL, UNCUT_SQL, SUMMARY_SQL),
            passages=passages,
            units=self.units,
            labels=labels,
        )
        uncut = counts.pop("uncut")
        note = f"{uncut:,} documents have none, or could not be cut" if uncut else ""
        return LevelCount(level, method, **counts, note=note)

    def _tables(self, what: str, step: Any, tables: dict[str, str]) -> dict[str, Dataset]:
        done, total = 0, sum(part.rows for part in self.parts)

        def advance(rows: int) -> None:
            nonlocal done
            done += rows
            self.progress(what, done, total)

        def run(units: list[Unit]) -> None:
            run_texts(self.engine, step, units, advance)

        return self._up_to_date(step, tables, run)

    def _up_to_date(
        self, step: Any, names: dict[str, str], run: Callable[[list[Unit]], None]
    ) -> dict[str, Dataset]:
        """The tables that a map makes of the documents, by its outputs, with a part for each of theirs."""
        storage = self.corpus.storage
        tables = {output: Table(storage, f"{FOLDER}/{names[output]}") for output in step.outputs}
        files = {part.name: storage.path(part.file) for part in self.parts}

        def source_of(name: str) -> Source:
            return Source(path=files[name], columns=step.columns)

        bring_up_to_date(tables, wanted_of(step, self.parts), source_of, run)
        return {output: table.dataset(step.outputs[output]) for output, table in tables.items()}

    def _write_view(self, view: Table, applied: tuple[str, ...], of: str, before: Before | None) -> None:
        """Write the parts of which documents are dropped or changed."""
        from corpulyzer.jobs.dedup.judge import write_view

        labels = {level: stored_labels(self.corpus, level) for level in applied if level != "paragraph"}
        documents = self.corpus.stored("documents")
        kept = replace(self.bench, folder=DECIDED)
        tables = f"copies.{of}", self.units, labels, documents
        if self.settings.raw_first and "raw" in labels:
            received = self.corpus.config.filter.received
            copies = copies_dropped_as_received(kept, *tables, received)
        else:
            copies = copies_dropped(kept, *tables)
        queries = [in_slices(PARAGRAPHS_SQL)] if "paragraph" in applied else []
        queries += [site_memory_sql()] if self.settings.site_memory else []
        gone = None
        if queries:
            passages = self.passages["paragraphs"]
            gone = paragraphs_dropped(
                kept, f"gone.{of}", queries, units=self.units, copies=copies, passages=passages
            )
        write_view(self.bench, self.corpus.config, self.parts, view, of, Decided(copies, gone), before)


def wanted_of(step: Any, parts: list[Part]) -> dict[str, str]:
    """What the parts are made of that a map makes of documents, by name."""
    mark = fingerprint(step.stage, step)
    return {part.name: made_of([part.version], mark) for part in parts}


MAKERS: dict[str, Callable[[Run], LevelCount]] = {
    "raw": Run._raw,
    "document": Run._document,
    "near": Run._near,
    "paragraph": Run._paragraph,
    "sentence": Run._sentence,
}
"""How the labels of each level are made."""


def refresh(corpus: CorpusFolder, engine: Engine, progress: Progress | None = None) -> bool:
    """Bring duplicates up to date if they were ever looked for and are stale; return whether they were."""
    if not stale_levels(corpus):
        return False
    deduplicate(as_asked(corpus), engine, levels_asked(read_state(corpus.storage)), progress)
    return True


def has_labels(corpus: CorpusFolder, level: str) -> bool:
    """Whether labels of a level are there."""
    return bool(files_of(corpus.storage, labels_file(level)))


def stored_labels(corpus: CorpusFolder, level: str) -> Dataset:
    """The labels of a level, which must have been made, as a table."""
    return stored(corpus.storage, labels_file(level))
