"""Random words of the language sent to a search engine; what is in the language becomes a seed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.engine.progress import Progress, silent
from corpulyzer.errors import UserError
from corpulyzer.jobs.seeds import NO_LIMITS, Limits, add_within

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.web.seeds import Added, Candidate
    from corpulyzer.web.seeds.search.asking import Identify
    from corpulyzer.web.seeds.search.provider import Provider


@dataclass(frozen=True, slots=True)
class Queries:
    """How queries are made: from a word list, a text or the corpus; `size` words each, drawn by `seed`.

    `ranks` are the places of the words by frequency, such as `1000-10000`; empty, those that suit the list.
    """

    words: Path | None = None
    text: Path | None = None
    from_corpus: bool = False
    count: int = 100
    size: int = 2
    ranks: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search brought: queries, hits, the languages of those that are not in the language, and seeds.

    `problem` is the provider's refusal, if one ended the search; what was found before it is added.
    """

    queries: int
    hits: int
    other_languages: Counter[str]
    added: Added
    problem: UserError | None = None


def queries_for(corpus: CorpusFolder, asked: Queries) -> list[str]:
    """The queries, the same for the same seed."""
    from corpulyzer.web.seeds.search.queries import between, random_tuples

    words = between(_words(corpus, asked), _ranks(asked.ranks))
    return list(islice(random_tuples(words, asked.size, asked.seed), asked.count))


def search(
    corpus: CorpusFolder,
    provider: Provider,
    queries: Sequence[str],
    *,
    pages: int = 1,
    per_day: int = 0,
    check: str = "snippet",
    limits: Limits = NO_LIMITS,
    progress: Progress = silent,
) -> Searched:
    """Ask a provider, and add what is in the language; what is on record is not asked for again.

    `check` says whether the language of a hit is that of its `snippet`, or not looked at (`none`).
    """
    from corpulyzer.web.seeds.search.asking import SOURCE, Search, sifted
    from corpulyzer.web.seeds.search.quota import Quota

    identify = _identifier(corpus, check)
    ask = Search(provider, corpus.storage, os.environ, Quota(corpus.storage, provider, per_day))
    found: list[Candidate] = []
    others: Counter[str] = Counter()
    problem = None
    try:
        for number, query in enumerate(queries, 1):
            found += sifted(ask([query], pages), corpus.language.code, identify, others)
            progress("asking", number, len(queries))
    except UserError as error:
        problem = error
    added = add_within(corpus, found, f"{SOURCE} {provider.name}", limits)
    return Searched(len(queries), len(found) + others.total(), others, added, problem)


def _words(corpus: CorpusFolder, asked: Queries) -> list[str]:
    from corpulyzer.web.seeds.search.queries import ranked, words_in_list, words_in_text

    if sum((asked.words is not None, asked.text is not None, asked.from_corpus)) != 1:
        raise UserError(
            "The words of the queries must come from one place.",
            "Add one of --words FILE, --text FILE, --from-corpus.",
        )
    if asked.words is not None:
        return words_in_list(asked.words)
    if asked.text is not None:
        return words_in_text(asked.text, corpus.language)
    found = ranked(corpus.documents.kept().texts(), corpus.language)
    if not found:
        raise UserError(
            "The corpus has no text yet to take words from.", "Begin with --words FILE or --text FILE."
        )
    return found


def _ranks(text: str) -> tuple[int, int] | None:
    first, _, last = text.replace("–", "-").partition("-")
    if not text:
        return None
    if not (first.isdigit() and last.isdigit() and 1 <= int(first) <= int(last)):
        raise UserError(f"--ranks {text} is not possible.", "Write two numbers: --ranks 1000-10000.")
    return int(first), int(last)


def _identifier(corpus: CorpusFolder, check: str) -> Identify | None:
    """What tells the language of a snippet, as the corpus tells that of a paragraph."""
    if check == "none":
        return None
    if check != "snippet":
        raise UserError(f"--check {check} is not possible.", "Write --check snippet or --check none.")
    from corpulyzer.page.identify.choose import identifier_of

    asked = corpus.config.identify
    corpus.load_plugins(asked.plugins)
    identifier = identifier_of(
        asked.method,
        target=corpus.language.code,
        model=asked.model,
        models=asked.models,
        min_confidence=asked.min_confidence,
        hint=asked.hint,
        plugins=asked.plugins,
    )

    def identify(snippet: str) -> tuple[str, float]:
        (found,) = identifier([snippet])
        return found.language, found.confidence

    return identify
