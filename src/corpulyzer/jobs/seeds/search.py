"""Random words of the language sent to a search engine; what is in the language becomes a seed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
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
    `language` is the one that words are taken from, for a corpus of several; without it the texts of each
    give their part of the queries.
    """

    words: Path | None = None
    text: Path | None = None
    from_corpus: bool = False
    count: int = 100
    size: int = 2
    ranks: str = ""
    seed: int = 0
    language: str = ""


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

    lists = [between(words, _ranks(asked.ranks)) for words in _words(corpus, asked)]
    drawn = [random_tuples(words, asked.size, asked.seed) for words in lists]
    turns = (query for queries in zip_longest(*drawn) for query in queries if query)
    return list(islice(turns, asked.count))


def search(
    corpus: CorpusFolder,
    provider: Provider,
    queries: Sequence[str],
    *,
    pages: int = 1,
    per_day: int = 0,
    check: str = "snippet",
    language: str = "",
    limits: Limits = NO_LIMITS,
    progress: Progress = silent,
) -> Searched:
    """Ask a provider, and add what is in the language; what is on record is not asked for again.

    `check` says whether the language of a hit is that of its `snippet`, or not looked at (`none`). In a
    corpus of several a hit may be in any of them, or in `language` alone.
    """
    from corpulyzer.web.seeds.search.asking import SOURCE, Search, sifted
    from corpulyzer.web.seeds.search.quota import Quota

    identify = _identifier(corpus, check)
    targets = {each.code for each in corpus.looked_for(language)}
    ask = Search(provider, corpus.storage, os.environ, Quota(corpus.storage, provider, per_day))
    found: list[Candidate] = []
    others: Counter[str] = Counter()
    problem = None
    try:
        for number, query in enumerate(queries, 1):
            found += sifted(ask([query], pages), targets, identify, others)
            progress("asking", number, len(queries))
    except UserError as error:
        problem = error
    added = add_within(corpus, found, f"{SOURCE} {provider.name}", limits)
    return Searched(len(queries), len(found) + others.total(), others, added, problem)


def _words(corpus: CorpusFolder, asked: Queries) -> list[list[str]]:
    """The words to draw from, most frequent first: of a file, or of each language of the corpus."""
    from corpulyzer.web.seeds.search.queries import ranked, words_in_list, words_in_text

    if sum((asked.words is not None, asked.text is not None, asked.from_corpus)) != 1:
        raise UserError(
            "The words of the queries must come from one place.",
            "Add one of --words FILE, --text FILE, --from-corpus.",
        )
    if asked.words is not None:
        return [words_in_list(asked.words)]
    languages = corpus.looked_for(asked.language)
    if asked.text is not None:
        if len(languages) > 1:
            raise UserError(f"{asked.text} is in one of several languages.", "Name it: --language CODE.")
        return [words_in_text(asked.text, languages[0])]
    texts = corpus.documents.kept()
    is_one = corpus.targets.only is not None
    found = [
        ranked((texts if is_one else texts.filter(language=each.code)).texts(), each) for each in languages
    ]
    found = [words for words in found if words]
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
    from corpulyzer.page.identifier import identifier_for

    corpus.load_plugins(corpus.config.identify.plugins)
    identifier = identifier_for(corpus.config)

    def identify(snippet: str) -> tuple[str, float]:
        (found,) = identifier([snippet])
        return found.language, found.confidence

    return identify
