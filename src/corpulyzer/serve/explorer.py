"""What every page of the explorer needs: the corpus, answers that are not computed twice, templates."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from corpulyzer.api.corpus import open_corpus
from corpulyzer.corpus import rounds
from corpulyzer.corpus.archives import archives
from corpulyzer.corpus.folder import MANIFEST, REPORT
from corpulyzer.corpus.settings.file import FILE
from corpulyzer.corpus.subcorpora import subcorpora
from corpulyzer.corpus.without_copies import current_parts, read_state
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.jobs.languages import in_language
from corpulyzer.jobs.search.subcorpora import in_subcorpus
from corpulyzer.jobs.stale import Stale, stale
from corpulyzer.jobs.status.funnels import languages_of
from corpulyzer.records.annotation import TABLE as ANNOTATIONS
from corpulyzer.records.fingerprint import digest
from corpulyzer.serve.pages import environment, link, placed
from corpulyzer.serve.security import Gate
from corpulyzer.storage.content import digest_of_file
from corpulyzer.web.seeds import FILE as SEEDS
from corpulyzer.web.seeds import by_source

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.responses import Response

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine import Engine
    from corpulyzer.measure.pages.by_language import LanguageCount

Answer = TypeVar("Answer")
HERE = Path(__file__).parent
MOST_REMEMBERED = 32
MOST_LANGUAGES = 32
"""So many languages of a corpus of several are remembered at once."""
PHASES = ("inject", "fetched", "commit")
FILES = (FILE, MANIFEST, "sites.csv", SEEDS)


class NotFoundError(UserError):
    """What an address names is not there."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: what its address and its form say."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    form: Mapping[str, str] = field(default_factory=dict)

    def number(self, name: str, default: int) -> int:
        """A number in the address; the default if it is missing or not a number."""
        found = whole(self.query.get(name, ""))
        return default if found is None else found


def whole(text: str) -> int | None:
    """The whole number that a text is; None if it is not a number, is negative, or has ten digits or more."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


@dataclass
class Explorer:
    """The explorer of one corpus folder, or of one `language` of it, whose pages are below `root`.

    On a desk with several corpora, all its addresses begin with `base`.
    """

    folder: str
    gate: Gate = field(default_factory=Gate)
    flags: Mapping[str, Any] = field(default_factory=dict)
    base: str = ""
    indexing: threading.Thread | None = None
    progress: tuple[int, int] = (0, 0)
    language: str = ""
    whole: Explorer | None = None
    subcorpus: str = ""
    reports: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    """Reports in languages of the interface other than those they were written in, by code, with the version
    of what they are of."""
    _subcorpora: dict[str, Explorer] = field(default_factory=dict)
    _languages: dict[str, Explorer] = field(default_factory=dict)
    _known: dict[tuple[str, Any], Any] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def corpus(self) -> Corpus:
        """The corpus with its settings as they are now, in the language that this explorer is of."""
        found = open_corpus(self.folder, self.flags)
        found = in_language(found, self.language, found.engine) if self.language else found
        return in_subcorpus(found, self.subcorpus, found.engine) if self.subcorpus else found

    @property
    def root(self) -> str:
        """What the addresses of its pages begin with."""
        return f"/languages/{self.language}" if self.language else ""

    @property
    def desk(self) -> str:
        """What the addresses of the pages for linguists begin with: those of a subcorpus are its own."""
        return f"{self.root}/subcorpora/{self.subcorpus}" if self.subcorpus else self.root

    def of_subcorpus(self, name: str) -> Explorer:
        """The explorer of a subcorpus: of its documents, by an index of its own."""
        with self._lock:
            if name not in subcorpora(self.corpus().storage):
                raise NotFoundError(f"There is no subcorpus {name!r}.", "See the list of subcorpora.")
            if name not in self._subcorpora:
                while len(self._subcorpora) >= MOST_LANGUAGES:
                    del self._subcorpora[next(iter(self._subcorpora))]
                self._subcorpora[name] = replace(self, subcorpus=name, whole=self, **_own())
            return self._subcorpora[name]

    def of_language(self, code: str) -> Explorer:
        """The explorer of one language of the corpus, if it is for several."""
        with self._lock:
            if code not in self._languages:
                targets = open_corpus(self.folder, self.flags).targets
                if targets.only is not None or not targets.judging_shown(code):
                    raise NotFoundError(
                        f"The corpus has no pages for {code!r}.", "See the list of languages."
                    )
                while len(self._languages) >= MOST_LANGUAGES:
                    del self._languages[next(iter(self._languages))]
                self._languages[code] = replace(self, language=code, whole=self, **_own())
            return self._languages[code]

    def remembered(self, name: str, corpus: Corpus, compute: Callable[[Engine], Answer]) -> Answer:
        """The answer to a question about the tables, computed again only when these have changed."""
        key = (name, _state(corpus))
        with self._lock:
            if key not in self._known:
                for old in [each for each in self._known if each[0] == name]:
                    del self._known[old]
                with corpus.engine() as engine:
                    self._known[key] = compute(engine.here)
                while len(self._known) > MOST_REMEMBERED:
                    del self._known[next(iter(self._known))]
            answer: Answer = self._known[key]
            return answer

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """A page."""
        from starlette.responses import HTMLResponse

        corpus = values.get("corpus") if "here" in values else None  # a part of a page has no notes
        notes = self.stale(corpus) if corpus is not None else []
        values |= {"languages": self.languages(corpus), "language": self.language, "stale": notes}
        values |= {"secret": self.gate.secret, "base": self.base}
        return HTMLResponse(placed(self.templates.get_template(template).render(**values), self.base), status)

    def languages(self, corpus: Corpus | None) -> list[LanguageCount]:
        """The languages that can be chosen: those with documents, where there are several."""
        if self.whole is not None:
            return self.whole.languages(self.whole.corpus())
        if corpus is None or corpus.targets.only:
            return []
        found = self.remembered("languages", corpus, partial(languages_of, corpus))
        return [each for each in found if each.kept]

    def stale(self, corpus: Corpus) -> list[Stale]:
        """What is older than the documents. The search renews its index itself, when it is asked."""
        names = ("documents", "duplicates", "annotations", "report")
        key = ("stale", _state_of_all(corpus))
        with self._lock:
            if key not in self._known:
                for old in [each for each in self._known if each[0] == "stale"]:
                    del self._known[old]
                self._known[key] = stale(corpus, *names)
            found: list[Stale] = self._known[key]
            return found

    def seed_sources(self, corpus: Corpus) -> dict[str, int]:
        """How many seeds each source gave, counted again only when the file of the seeds has changed."""
        if not corpus.storage.exists(SEEDS):
            return {}
        key = ("seeds", digest_of_file(corpus.storage.path(SEEDS)))
        with self._lock:
            if key not in self._known:
                for old in [each for each in self._known if each[0] == "seeds"]:
                    del self._known[old]
                self._known[key] = by_source(corpus.storage)
            found: dict[str, int] = self._known[key]
            return found

    @cached_property
    def templates(self) -> Environment:
        return environment(self.root, link=partial(link, root=self.desk), subcorpus=self.subcorpus)


def _own() -> dict[str, Any]:
    """What explorers do not share: each language has its own answers and its own index."""
    return {
        "indexing": None,
        "progress": (0, 0),
        "reports": {},
        "_languages": {},
        "_subcorpora": {},
        "_known": {},
        "_lock": threading.Lock(),
    }


def _state(corpus: CorpusFolder) -> str:
    """What changes whenever a table, the copies that are left out, or the crawl does."""
    storage, begun = corpus.storage, rounds.rounds(corpus.storage)
    parts = [*current_parts(storage), *Table(storage, "fetches").parts()]
    versions = [(part.file, part.version) for part in parts]
    last = [(each.number, *map(each.read, PHASES)) for each in begun[-rounds.MOST_OPEN :]]
    return digest([versions, read_state(storage), last])


def _state_of_all(corpus: CorpusFolder) -> str:
    """What changes whenever something does that is or may be stale."""
    storage, whole = corpus.storage, corpus.whole
    more = [_state_of_all(whole)] if whole is not None else []
    annotations = [(part.name, part.version) for part in Table(storage, ANNOTATIONS).parts()]
    names = [archive.name for archive in archives(storage)]
    contents = [digest_of_file(storage.path(file)) if storage.exists(file) else "" for file in FILES]
    return digest([_state(corpus), annotations, names, contents, storage.exists(REPORT), *more])
