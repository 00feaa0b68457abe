"""Lists of words for a label, learned from what people said of the texts of audits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from corpulyzer.audit.labels import FLAGS, Label, all_labels, shares
from corpulyzer.audit.learn_words import Example, LearnedList, learn_list
from corpulyzer.audit.sample import audits, read_sample
from corpulyzer.corpus.folder import write_settings
from corpulyzer.corpus.settings.lists import lists_folder
from corpulyzer.errors import UserError
from corpulyzer.page.label.content import NAME
from corpulyzer.text.word_list import as_text, words_of

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.storage import Storage

FOLDER = "lists"
HALF = 0.5
LANGUAGES_SQL = "select id, language from documents where id in ({keys}) order by id nulls last"


@dataclass(frozen=True, slots=True)
class WrittenList:
    """A list that was learned, for a language, and the file that it was written to."""

    file: str
    language: str
    words: int
    flagged: int
    others: int
    precision: float | None
    recall: float

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


def learn_label(
    corpus: CorpusFolder, engine: Engine, label: str, flag: str, seed: int = 0
) -> list[WrittenList]:
    """Learn a list of words for a label from the texts with a flag, for each language that has enough.

    It is written to the folder of lists, which the settings then name; `process` labels documents by it. A
    text has the flag if at least half of those who labelled it gave it.
    """
    if flag not in {kind.code for kind in FLAGS}:
        raise UserError(f"There is no flag {flag!r}.", f"Flags: {', '.join(kind.code for kind in FLAGS)}.")
    if NAME.fullmatch(f"{label}.all.txt") is None:
        raise UserError(f"{label!r} cannot name a label.", "Use small letters, digits and underscores.")
    texts = _examples(corpus, engine, flag)
    learned: dict[str, LearnedList] = {}
    problem = UserError("There are no labels to learn from.", "Begin with `corpulyzer audit sample`.")
    for code, examples in sorted(texts.items()):
        try:
            learned[code] = learn_list(examples, seed)
        except UserError as error:
            problem = error
    if not learned:
        raise problem
    named = corpus.config.label.content.lists
    folder = lists_folder(named or FOLDER, corpus.storage)
    written = [_written(folder, label, code, each) for code, each in learned.items()]
    if not named:
        write_settings(corpus.storage, {"label.content.lists": FOLDER})
    return written


def _examples(corpus: CorpusFolder, engine: Engine, flag: str) -> dict[str, list[Example]]:
    """The texts that people labelled, by language."""
    found: dict[int, Example] = {}
    for audit in audits(corpus.storage):
        said: dict[int, list[Label]] = {}
        for labels in all_labels(corpus.storage, audit).values():
            for each in labels:
                said.setdefault(each.id, []).append(each)
        for item in read_sample(corpus.storage, audit).items:
            if item.id in said:
                flagged = shares(said[item.id], flag) >= HALF
                found[item.id] = Example(tuple(words_of(item.text)), flagged)
    languages = _languages(corpus, engine, found)
    by_language: dict[str, list[Example]] = {}
    # By their words, since ids depend on the names of archives: the same labels give the same list.
    for key in sorted(found, key=lambda key: found[key].words):
        by_language.setdefault(languages.get(key, ""), []).append(found[key])
    by_language.pop("", None)
    return by_language


def _languages(corpus: CorpusFolder, engine: Engine, ids: Iterable[int]) -> dict[int, str]:
    """The language of each document, as the corpus judges it."""
    keys = ", ".join(map(str, ids))
    if not keys:
        return {}
    table = engine.query(LANGUAGES_SQL.format(keys=keys), {"documents": corpus.table("documents")})
    return {row["id"]: corpus.targets.judging_shown(row["language"]) for row in table.to_pylist()}


def _written(folder: Storage, label: str, code: str, learned: LearnedList) -> WrittenList:
    name = f"{label}.{code}.txt"
    remarks = (
        f"Learned from {learned.flagged} texts with the flag and {learned.others} without, by log-odds.",
        "Edit it as you like; it is written anew when it is learned again.",
    )
    folder.write(name, as_text(learned.words, remarks).encode())
    return WrittenList(
        *(folder.path(name), code, len(learned.words.weights), learned.flagged, learned.others),
        *(learned.precision, learned.recall),
    )
