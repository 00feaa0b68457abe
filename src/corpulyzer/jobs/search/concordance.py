"""What a query finds in a corpus: its lines in context, and what stands beside the matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from corpulyzer.errors import UserError
from corpulyzer.jobs.search.refresh import refresh, score
from corpulyzer.search import measures
from corpulyzer.search.company.sketch import Sketch, sketch
from corpulyzer.search.finding.only import Only
from corpulyzer.search.kwic import Kwic, Order, kwic, lines_of
from corpulyzer.search.lexicon import sampled_of
from corpulyzer.search.lists import Items, Wanted, listed
from corpulyzer.search.matches import Found, find, has_tags, unknown
from corpulyzer.search.pattern import Near
from corpulyzer.search.query import parse
from corpulyzer.search.spread import groups
from corpulyzer.search.spread.topics import topics_of
from corpulyzer.search.units import fold

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.engine.progress import Progress
    from corpulyzer.search.index import Index


@dataclass(frozen=True, slots=True)
class Matches:
    """The matches of a query, looked at in one of the ways there are."""

    index: Index
    found: Found
    topics: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    """The words of the topics that `corpulyzer analyze topics` has found, by their names."""

    def lines(
        self,
        width: int = 40,
        order: Order = "document",
        *,
        limit: int = 100,
        offset: int = 0,
        seed: int = 0,
    ) -> Kwic:
        """The matches with `width` characters on each side; in random order, drawn by the seed."""
        window = (offset, offset + limit)
        return lines_of(self.found, width, order, window, self.index.language.direction, seed)

    def collocations(
        self, window: int = measures.WINDOW, by: measures.Measure = "log_dice"
    ) -> list[measures.Collocate]:
        """The words that stand near the matches more often than by chance, the strongest first."""
        return measures.collocations(self.index, self.found, window, by=by)

    def estimated(self) -> str:
        """That collocates were counted in a sample of what the search is limited to; empty if in all."""
        sample = sampled_of(self.index, self.found.only)
        if not sample:
            return ""
        return (
            f"How often words come in all is estimated from {sample:,} of the documents"
            " that meet the filters."
        )

    def clusters(self, n: int = 3) -> list[tuple[str, int]]:
        """Runs of `n` words around the matches, with how often they come."""
        return measures.clusters(self.found, n)

    def sketch(self) -> Sketch:
        """The collocates of the matches by their relation to them: by tags where there are some."""
        return sketch(self.index, self.found)

    def sites(self) -> list[groups.SiteCount]:
        """How often each site has a match."""
        return groups.by_site(self.index, self.found)

    def distribution(self, over: groups.Over = "month") -> list[groups.Group]:
        """How often each month, license, topic or tenth of the corpus has a match."""
        if over != "topic":
            return groups.distribution(self.index, self.found, over)
        if not self.topics:
            raise UserError("The corpus has no topics.", "Find them with `corpulyzer analyze topics`.")
        return groups.distribution(self.index, self.found, over, topics_of(self.index, self.topics))

    def dispersion(self) -> groups.Dispersion:
        """How evenly the matches are spread over the sites."""
        return groups.dispersion(self.index, self.found)

    def missing(self) -> str:
        """Why nothing is found: the annotation that the query asks for and no document has; else empty."""
        return "" if self.found.hits else unknown(self.index, self.found.query)


def matches(
    corpus: CorpusFolder,
    query: str,
    only: Only | None = None,
    *,
    near: Near | None = None,
    enough: int | None = None,
    tokens: bool = False,
    progress: Progress | None = None,
) -> Matches:
    """The matches of a query in the documents that `only` leaves; the index is brought up to date first.

    With `near`, only those in the company of a word. With `enough`, so many matches are looked for, in the
    order of documents, and the others are estimated. With `tokens`, words too are looked for among the tokens
    of the annotation, where there is one: a sketch by tags needs that.
    """
    only = only or Only()
    found = matches_in(ready(corpus, only, progress), query, only, near=near, enough=enough, tokens=tokens)
    return replace(found, topics=known_topics(corpus))


def known_topics(corpus: CorpusFolder) -> dict[str, list[str]]:
    """The words of each topic of the corpus, as `corpulyzer analyze topics` found them last; or none."""
    from corpulyzer.jobs.analyze.run import as_stored

    for result in as_stored(corpus, "topics"):
        if result.name == "topics":
            return {row["label"]: row["words"] for row in result.rows.to_pylist()}
    return {}


def matches_in(
    index: Index,
    query: str,
    only: Only,
    *,
    near: Near | None = None,
    enough: int | None = None,
    tokens: bool = False,
) -> Matches:
    """The same in an index as it is."""
    asked = parse(query, index.language)
    if tokens and has_tags(index):
        asked = replace(asked, tokens=True)
    if near is not None:
        asked = replace(asked, near=replace(near, word=fold(near.word, index.language)))
    return Matches(index, find(index, asked, only, enough=enough))


def words(
    corpus: CorpusFolder,
    wanted: Wanted,
    *,
    limit: int = 100,
    offset: int = 0,
    progress: Progress | None = None,
) -> Items:
    """A list of words, lemmas or tags, or of sequences of them, the most frequent first."""
    return listed(refresh(corpus, progress), wanted, limit, offset)


def search(
    corpus: CorpusFolder,
    query: str,
    only: Only | None = None,
    *,
    width: int = 40,
    order: Order = "document",
    limit: int = 100,
    offset: int = 0,
    seed: int = 0,
    progress: Progress | None = None,
) -> Kwic:
    """The lines that meet a query, `width` characters on each side, in the wished order."""
    only = only or Only()
    index = ready(corpus, only, progress)
    return kwic(index, query, width=width, order=order, limit=limit, offset=offset, only=only, seed=seed)


def ready(corpus: CorpusFolder, only: Only, progress: Progress | None) -> Index:
    """The index, up to date; with the quality of documents where that is asked for."""
    index = refresh(corpus, progress)
    return score(corpus) if only.min_quality is not None else index
