"""Takedown: an address or a site gone from archives, tables, index and all exports to come, and kept out.

What is to go, and how much there is of it, is written to `removing.json` before anything is touched, so a
removal that was killed is finished by the next; `removed.jsonl` says for ever after that it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import corpulyzer
from corpulyzer.corpus import subcorpora
from corpulyzer.corpus.kept_documents import FOLDER as KEPT
from corpulyzer.corpus.language_folders import codes_there, forget_language, storage_of
from corpulyzer.corpus.takedowns import FILE, PENDING, Removed, entries, name_of
from corpulyzer.corpus.without_copies import GONE as DEAD
from corpulyzer.corpus.without_copies import STATE
from corpulyzer.engine.derived import made_of
from corpulyzer.engine.derived.table import Table
from corpulyzer.jobs.as_of import restore as earlier
from corpulyzer.jobs.remove.derived import (
    forget_annotated,
    forget_derived,
    forget_fits,
    take_out_of_duplicates,
)
from corpulyzer.jobs.remove.plan import plan_of
from corpulyzer.jobs.remove.tables import (
    blank_fetches,
    blank_samples,
    filter_table,
    follow,
    follow_fetches,
    forget_unlogged,
    no_crawl,
    refuse,
)
from corpulyzer.jobs.status.funnels import count_on_cluster
from corpulyzer.records.annotation import TABLE as ANNOTATIONS
from corpulyzer.storage import Storage
from corpulyzer.storage.lock import changing, editing
from corpulyzer.storage.temporary import sweep_all

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.engine.progress import Progress
    from corpulyzer.jobs.remove.plan import Records

NOT_KNOWN: Records = {}


@dataclass(frozen=True, slots=True)
class Removal:
    """What was removed, when, why, and how much of it there was. Nothing of its content.

    `outside` are archives beyond the corpus folder, which belong to others and are not touched: the corpus
    no longer reads these records. `exports` were made before and still have the documents.
    """

    name: str
    when: str
    why: str
    counts: Mapping[str, int] = field(default_factory=dict)
    outside: Mapping[str, int] = field(default_factory=dict)
    exports: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


def remove(
    corpus: CorpusFolder, engine: Engine, what: str, why: str = "", progress: Progress | None = None
) -> Removal:
    """Take an address or a site out of a corpus for good; done again, it changes nothing."""
    with changing(corpus.storage, "remove"), editing(corpus.storage, "remove"), ExitStack() as held:
        for code in codes_there(corpus.storage):
            held.enter_context(changing(storage_of(corpus.storage, code), "remove"))
        for place in _with_subcorpora(corpus.storage):
            for each in subcorpora.with_copies(place):
                held.enter_context(changing(subcorpora.storage_of(place, each), "remove"))
        for place in earlier.all_there(corpus.storage):
            held.enter_context(changing(place, "remove"))
        done = _remove(corpus, engine, name_of(what), why, progress)
        count_on_cluster(corpus, engine)
        return done


def _remove(corpus: CorpusFolder, engine: Engine, name: str, why: str, progress: Progress | None) -> Removal:
    storage = corpus.storage
    no_crawl(storage)
    _take_up_segments(corpus)
    if storage.exists(PENDING):
        left = json.loads(storage.read(PENDING))
        done = _carried_out(corpus, engine, left, progress)
        if left["name"] == name:
            return done
    plan, records = plan_of(corpus, name, why)
    before = [entry for entry in entries(storage) if entry["name"] == name]
    if before and not any(plan["counts"].values()):
        return _noted(before[-1])
    storage.write(PENDING, json.dumps(plan, ensure_ascii=False).encode())
    return _carried_out(corpus, engine, plan, progress, records)


def _with_subcorpora(storage: Storage) -> list[Storage]:
    """The folders that may have subcorpora: that of the corpus, and those of its languages."""
    return [storage, *(storage_of(storage, code) for code in codes_there(storage))]


def planned(corpus: CorpusFolder, what: str) -> Removal:
    """What `remove` would take out; nothing is touched."""
    return _noted(plan_of(corpus, name_of(what), "")[0])


def _carried_out(
    corpus: CorpusFolder,
    engine: Engine,
    plan: dict[str, Any],
    progress: Progress | None,
    records: Records = NOT_KNOWN,
) -> Removal:
    """Do all that a plan says; every step may have been done before.

    `records` are those that go, by archive, as far as they have just been found.
    """
    from corpulyzer.export.versions import forget_unfinished
    from corpulyzer.jobs.dedup.current_labels import as_asked
    from corpulyzer.warc.erase import erase

    storage, wanted, ids = corpus.storage, Removed((plan["name"],)), set(plan["ids"])
    indexed = _indexed(corpus)
    for table in ("fetches", "documents", DEAD, "links", ANNOTATIONS, KEPT):
        forget_unlogged(Table(storage, table))
    sweep_all(storage.root)
    earlier.forget_all(storage)
    for number, relative in enumerate(plan["archives"], 1):
        erase(storage.path(relative), wanted, records.get(relative))
        if progress is not None:
            progress("rewriting archives", number, len(plan["archives"]))
    blank_fetches(storage, wanted)
    new = filter_table(Table(storage, "documents"), "id", ids)
    dead = filter_table(Table(storage, DEAD), "id", ids)
    follow(Table(storage, DEAD), new)
    filter_table(Table(storage, "links"), "source_id", ids)
    follow_fetches(storage, plan.get("fetches", {}))
    refuse(storage, wanted)
    blank_samples(storage, wanted)
    for place in _with_subcorpora(storage):
        subcorpora.forget_copies(place)
        forget_unfinished(place)
    for code in codes_there(storage):
        if corpus.targets.only is None and corpus.targets.judging_shown(code):
            _out_of_language(corpus.of_language(code), wanted, ids)
        else:
            forget_language(storage, code)  # the corpus is no longer for it
    if ids:
        _filter_what_was_kept(corpus, ids, indexed)
        _derive_again(as_asked(corpus, plan.get("flags")), engine, plan, new | dead)
    else:
        _purge(corpus)
    return _finished(storage, plan)


def _finished(storage: Storage, plan: dict[str, Any]) -> Removal:
    """Note the removal, once for each name and time, and forget the plan."""
    done = _noted(plan)
    before = entries(storage)
    if not any((entry["name"], entry["when"]) == (done.name, done.when) for entry in before):
        lines = [*before, done.to_json()]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        storage.write(FILE, text.encode())
    storage.delete(PENDING)
    return done


def _noted(plan: Mapping[str, Any]) -> Removal:
    return Removal(
        plan["name"], plan["when"], plan["why"], plan["counts"], plan["outside"], tuple(plan["exports"])
    )


def _take_up_segments(corpus: CorpusFolder) -> None:
    """Have in archives, and nowhere else, what several fetchers had sealed: there it can be erased."""
    from corpulyzer.corpus.rounds import opened
    from corpulyzer.jobs.crawl.shards.joining import forget_segments
    from corpulyzer.jobs.crawl.shards.sharing import take_up_shards

    info = {"software": f"Corpulyzer/{corpulyzer.__version__}"}
    for each in opened(corpus.storage):
        take_up_shards(each, info, corpus.config.crawl.lease_seconds)
    forget_segments(corpus.storage, "rounds")  # of all other rounds


def _indexed(corpus: CorpusFolder) -> dict[str, list[str]]:
    """The parts of which the index is up to date, with the versions of their inputs."""
    from corpulyzer.jobs.search.refresh import index_of, index_versions

    made = index_of(corpus).made()
    wanted = index_versions(corpus) if made else {}
    return {name: versions for name, versions in wanted.items() if made.get(name) == made_of(versions)}


def _filter_what_was_kept(corpus: CorpusFolder, ids: set[int], indexed: Mapping[str, list[str]]) -> None:
    """Take documents out of `corpus/`, and of annotations, index and exports, which follow from it.

    They hold as long as the kept rows are these: where a copy takes the place of what went, `corpus/` gets
    another version, and what follows from it is stale. A kill in here may make them stale too, no more.
    `indexed` are the inputs of the index, by part, as they were.
    """
    from corpulyzer.export.forget import keep_only
    from corpulyzer.jobs.search.refresh import index_of

    storage, index = corpus.storage, index_of(corpus)
    new = filter_table(Table(storage, KEPT), "id", ids)
    annotations = Table(storage, ANNOTATIONS)
    new |= filter_table(annotations, "id", ids)
    follow(annotations, new)
    forget_annotated(storage, ids, new)
    keep_only(storage, Table(storage, KEPT).parts(), new)
    index.remove(sorted(ids))
    if indexed and index.path.exists():
        follows = {
            name: (name, made_of([new.get(version, version) for version in versions]))
            for name, versions in indexed.items()
        }
        index.restate(follows, scored_for="")


def _purge(corpus: CorpusFolder) -> None:
    """Erase what is left of pages that are documents no longer, the removed among them."""
    from corpulyzer.export.forget import keep_only
    from corpulyzer.jobs.search.refresh import index_of

    index_of(corpus).remove([])
    keep_only(corpus.storage, Table(corpus.storage, KEPT).parts(), {})
    forget_fits(corpus.storage)


def _out_of_language(corpus: CorpusFolder, wanted: Removed, ids: set[int]) -> None:
    """Take documents out of the folder of a language, and throw away what was made of several there."""
    storage, indexed = corpus.storage, _indexed(corpus)
    for table in ("documents", ANNOTATIONS, KEPT):
        forget_unlogged(Table(storage, table))
    blank_samples(storage, wanted)
    if not ids:
        _purge(corpus)
        return
    follow(Table(storage, KEPT), filter_table(Table(storage, "documents"), "id", ids))
    _filter_what_was_kept(corpus, ids, indexed)
    forget_derived(storage, None)


def _derive_again(
    corpus: CorpusFolder, engine: Engine, plan: Mapping[str, Any], new: Mapping[str, str]
) -> None:
    """Throw away what may have the documents' text, and label duplicates again where they were labelled.

    `new` are the versions of the documents by those that they had.
    """
    from corpulyzer.corpus.kept_documents import write_kept
    from corpulyzer.jobs.dead_pages import retire_gone
    from corpulyzer.jobs.dedup.run import deduplicate

    if plan["levels"]:
        stay = take_out_of_duplicates(corpus.storage, set(plan["ids"]), new)
    else:
        stay = set()
        corpus.storage.delete(STATE)
    forget_derived(corpus.storage, plan.get("parts"), stay)
    retire_gone(corpus, engine)
    if plan["levels"]:
        deduplicate(corpus, engine, plan["levels"])
    write_kept(corpus.storage, engine)
