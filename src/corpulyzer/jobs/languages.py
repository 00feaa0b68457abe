"""A corpus of several languages, one of them at a time: each as a corpus of its own, brought up to date."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, TypeVar

from corpulyzer.corpus.language_folders import behind, write_languages
from corpulyzer.errors import UserError
from corpulyzer.jobs.status.funnels import languages_of
from corpulyzer.language import Language
from corpulyzer.storage.lock import HeldError, changing

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine

MIN_DOCUMENTS = 100
"""Languages with fewer kept documents are in the overview alone: there is too little to measure or learn."""
Folder = TypeVar("Folder", bound="CorpusFolder")
Opened = Callable[[], "AbstractContextManager[Engine]"]
"""Opens an engine; it is called only if there is work."""


def in_language(corpus: Folder, language: str, engine: Opened) -> Folder:
    """The corpus as one of its languages has it, brought up to date; one of one language as it is.

    UserError that names the languages if there are several and none is given.
    """
    if corpus.targets.only:
        if language:
            corpus.targets.named(language)
        return corpus
    if not language:
        raise _which(corpus, engine)
    code = corpus.targets.named(language).code
    _bring_up_to_date(corpus, [code], engine)
    return corpus.of_language(code)


def large_languages(corpus: Folder, engine: Engine) -> list[Folder]:
    """Each language with at least a hundred documents, the largest first, brought up to date."""
    counted = languages_of(corpus, engine)
    codes = [each.language for each in counted if each.kept >= MIN_DOCUMENTS and _is_known(each.language)]
    _bring_up_to_date(corpus, codes, lambda: nullcontext(engine))
    return [corpus.of_language(code) for code in codes]


def _bring_up_to_date(corpus: CorpusFolder, codes: Sequence[str], engine: Opened) -> None:
    """Bring the folders of languages up to date; while another command changes the corpus, they stay."""
    old = behind(corpus.storage, codes)
    if not old:
        return
    try:
        with changing(corpus.storage, "languages"), engine() as runner:
            write_languages(corpus.storage, runner, old)
    except HeldError:
        if any(not corpus.of_language(code).table("documents").files for code in old):
            raise


def _which(corpus: CorpusFolder, engine: Opened) -> UserError:
    with engine() as runner:
        counted = languages_of(corpus, runner.here)
    known = ", ".join(each.language for each in counted if each.kept) or ", ".join(corpus.targets.codes)
    return UserError(
        f"This takes one language at a time, and {corpus.name} is for {corpus.targets.name}.",
        f"Say which with --language: {known}.",
    )


def _is_known(code: str) -> bool:
    """Whether anything is known of a language; an identifier of one's own may name others."""
    try:
        return Language.find(code).code == code
    except UserError:
        return False
