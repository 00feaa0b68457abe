"""The logs of tables, written from what the files of format 2 said of themselves.

What was made of the same as today gets the entry that it would have if it were made now, so nothing is made
again. No file has said its version then, so each is read once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.annotate.parts import fingerprint_of
from corpulyzer.corpus import kept_documents
from corpulyzer.corpus.archives import Archive
from corpulyzer.corpus.parts import wanted_fetches
from corpulyzer.corpus.without_copies import current_parts, read_state
from corpulyzer.dedup import FOLDER as DUPLICATES
from corpulyzer.dedup.settings import LEVELS
from corpulyzer.engine.derived import Part, made_of
from corpulyzer.engine.derived.log import FOLDER as LOGS
from corpulyzer.engine.derived.table import Table, said_by
from corpulyzer.engine.local import LocalEngine
from corpulyzer.jobs.dedup.current_labels import as_asked, documents_of, labels_mark, mark_without, steps_of
from corpulyzer.jobs.dedup.run import wanted_of
from corpulyzer.jobs.search.refresh import index_of, wanted_index
from corpulyzer.jobs.upgrade import format_2
from corpulyzer.jobs.upgrade.to_format_2 import annotators, beside_the_bench, of_methods
from corpulyzer.page.pipeline import GROUPS
from corpulyzer.records.annotation import TABLE as ANNOTATIONS
from corpulyzer.records.fingerprint import digest
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder

KEPT_STATE = "corpus.json"
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Logs:
    """Writes the logs of a corpus, one after the other; those before must be there."""

    corpus: CorpusFolder

    @property
    def storage(self) -> Storage:
        return self.corpus.storage

    def documents(self, today: Mapping[str, str]) -> None:
        """The logs of fetches, documents, links and the view.

        `today` has fingerprints of an earlier format, each with the one that means the same today.
        """
        for file in self.storage.list(LOGS):
            self.storage.delete(file)
        names = self._names("fetches")
        self._write("fetches", {n: wanted_fetches([_archive_of(n)]).get(n, UNKNOWN) for n in names})
        fetched = {part.name: part.version for part in Table(self.storage, "fetches").parts()}
        documents, links = {}, {}
        for name in self._names("documents"):
            said = format_2.head(self.storage, f"documents/{name}").footer
            stages = [today.get(said.get(group, ""), said.get(group, "")) for group in GROUPS]
            inputs = [fetched.get(_first_of(name), UNKNOWN)]
            documents[name], links[name] = made_of(inputs, *stages), made_of(inputs, stages[0])
        self._write("documents", documents)
        self._write("links", {name: links.get(name, UNKNOWN) for name in self._names("links")})
        self._view()

    def _view(self) -> None:
        view = read_state(self.storage).get("view", {})
        now = {part.name: part.version for part in documents_of(self.corpus)}
        if view.get("folder"):
            parts = view.get("parts", ())
            self._write(view["folder"], {n: made_of([now[n]], view["of"]) for n in parts if n in now})

    def kept(self) -> None:
        """The log of `corpus/`, and its files where these are not what the documents are."""
        parts = {kept_documents.file_name(part.name): part for part in current_parts(self.storage)}
        exists = self.storage.exists(KEPT_STATE)
        stamps: dict[str, str] = json.loads(self.storage.read(KEPT_STATE)) if exists else {}
        wanted, found = kept_documents.wanted(list(parts.values())), {}
        for name in self._names("corpus"):
            part = parts.get(name)
            if part and format_2.same_file(self.storage, stamps.get(part.name, ""), part.file):
                found[name] = wanted[name]
        self._write("corpus", found)
        with self.corpus.engine() as engine:
            kept_documents.write_kept(self.storage, engine)

    def duplicates(self, today: Mapping[str, str]) -> None:
        """The logs of the tables of keys and signatures."""
        before = {part.name: part for part in format_2.parts(self.storage)}
        now = documents_of(self.corpus)
        for table, step in self._steps():
            wanted, folder, found = wanted_of(step, now), f"{DUPLICATES}/{table}", {}
            for name in self._names(folder):
                said = format_2.head(self.storage, f"{folder}/{name}").footer.get("made_for", "")
                old = format_2.beside_documents(step, before[name]) if name in before else ""
                found[name] = wanted[name] if old and today.get(said, said) == old else UNKNOWN
            if found:
                self._write(folder, found)

    def _steps(self) -> Iterator[tuple[str, Any]]:
        steps = steps_of(self.corpus)
        yield "units", steps["units"]
        yield "paragraphs", steps["passages"]
        yield "sentences", steps["passages"]
        for each in of_methods(self.corpus):
            for output in ("signatures", "buckets"):
                yield f"{each.config.dedup.method}_{output}", steps_of(each)["signed"]

    def annotations(self, today: Mapping[str, str]) -> None:
        """The log of annotations: those of the kept documents as they are."""
        parts = {part.name: part for part in kept_documents.kept_parts(self.storage)}
        known, found = {fingerprint_of(step) for step in annotators(self.corpus)}, {}
        for name in self._names(ANNOTATIONS):
            said = format_2.head(self.storage, f"{ANNOTATIONS}/{name}").footer.get("made_for", "")
            annotator = today.get(said, said)
            same = name in parts and annotator in known and self._annotated(parts[name])
            found[name] = made_of([parts[name].version], annotator) if same else UNKNOWN
        if found:
            self._write(ANNOTATIONS, found)

    def _annotated(self, part: Part) -> bool:
        """Whether the annotations of a part are those of its kept documents."""
        import pyarrow.parquet as pq

        def rows(file: str, columns: list[str]) -> list[dict[str, Any]]:
            with self.storage.open_input(file) as stored, pq.ParquetFile(stored) as parquet:
                found: list[dict[str, Any]] = parquet.read(columns).to_pylist()
                return found

        there = rows(f"{ANNOTATIONS}/{part.name}", ["id", "text_digest"])
        kept = rows(part.file, ["id", "text_digest", "verdict.kept"])
        wanted = [(row["id"], row["text_digest"]) for row in kept if row["verdict"]["kept"]]
        return [(row["id"], row["text_digest"]) for row in there] == wanted

    def index(self) -> None:
        """What the parts of the index of the concordance are made of, and its scores."""
        index, wanted = index_of(self.corpus), wanted_index(self.corpus)
        before, annotated = index.made(), set(self._names(ANNOTATIONS))
        found = {}
        for part in kept_documents.kept_parts(self.storage):
            stamp = before.get(f"documents/{part.name}", "")
            beside = f"{ANNOTATIONS}/{part.name}" if part.name in annotated else ""
            if stamp and format_2.same_parts(self.storage, stamp, part.file, beside):
                found[f"documents/{part.name}"] = (part.name, wanted[part.name])
        if found:
            whole = len(found) == len(before) and index.scored_for() == format_2.scored_for(before)
            index.restate(found, digest(wanted) if whole else index.scored_for())

    def accepted(self, known: Mapping[str, str]) -> dict[str, str]:
        """Fingerprints of format 2 with those of today, of what is made of all parts: labels, view, measures.

        `known` are those of format 1, each with that of format 2.
        """
        from corpulyzer.jobs.analyze.follows import made_of as analysis_made_of
        from corpulyzer.jobs.analyze.run import bench_of

        before, now = format_2.parts(self.storage), documents_of(self.corpus)
        labelled = {level: found["of"] for level, found in read_state(self.storage).get("levels", {}).items()}
        pairs: dict[str, str] = {}
        for each in of_methods(as_asked(self.corpus)):
            old = {level: format_2.level(each, steps_of(each), before, level) for level in LEVELS}
            pairs |= {old[level]: labels_mark(each, now, level) for level in LEVELS}
            holding = {level for level, of in labelled.items() if known.get(of, of) == old[level]}
            applied = tuple(level for level in each.config.dedup.policy if level in holding)
            pairs[format_2.view(each, old, applied)] = mark_without(each, now, applied)
        bench = bench_of(self.corpus, LocalEngine())
        folder = {**beside_the_bench(self.corpus, bench), "documents": before}
        pairs[format_2.analysis(self.corpus, bench, folder)] = analysis_made_of(self.corpus)
        return pairs

    def _write(self, table: str, made: Mapping[str, str]) -> None:
        """Write the log of a table that says what its parts are made of."""
        found = Table(self.storage, table)
        entries = [said_by(found.path(name), name)._replace(made_of=of) for name, of in made.items()]
        found.log.commit(entries, (), dict)

    def _names(self, table: str) -> list[str]:
        return Table(self.storage, table).files()


def _archive_of(name: str) -> Archive:
    """The archive that a part is of."""
    folder, _, file = name.rpartition("/")
    return Archive(file.rsplit(".", 2)[0], "", int(folder.removeprefix("round=")))


def _first_of(name: str) -> str:
    """The name of the part of fetches that a part of documents was made of."""
    return f"{name.rsplit('.', 2)[0]}.00000.parquet"
