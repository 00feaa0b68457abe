"""What a person should hear: what knows their language, where a corpus can begin, why nothing was kept."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.language import Language
    from corpulyzer.measure.pages.funnel import Funnel

MOST_NAMED, LEAST_NAMED = 3, 0.005


def unknown_language(corpus: CorpusFolder) -> str:
    """A warning if the identifier of a corpus can never find one of its languages; empty if it may."""
    unknown = [language for language in corpus.targets.languages if not _is_known(corpus, language.code)]
    if not unknown:
        return ""
    place, (first, *_) = corpus.storage.root, unknown
    named = ", ".join(f"{each.name} ({each.code})" for each in unknown)
    lost = "every page" if corpus.targets.only else "every page of it"
    method = corpus.config.identify.method
    if method != "ensemble" and all(_names(corpus, each.code) - {"markov"} for each in unknown):
        return (
            f"The identifier {method} does not know {named}: {lost} would be "
            f'dropped. Set identify.method = "ensemble", which knows it, in {place}/corpulyzer.toml.'
        )
    return (
        f"No identifier here knows {named}: {lost} would be dropped. "
        f"Train one with `corpulyzer identify train {first.code} SENTENCES.txt --project {place}` (a few "
        "hundred sentences, one a line), or set identify.model to a fastText model that has it."
    )


def known_how_well(language: Language) -> str:
    """What identifies a language, and how many of its sentences were told right; empty if nothing does."""
    from corpulyzer.page.identify.coverage import coverage, measurements

    found = coverage().get(language.code)
    if found is None:
        return ""
    names = ", ".join(found.known_to)
    sources = measurements().get(language.code, ())
    texts = sum(each.texts for each in sources)
    if not texts:
        return f"{names}; how well was not measured"
    wrong: Counter[str] = Counter()
    for each in sources:
        wrong.update(each.wrong)
    right = sum(each.right for each in sources) / texts
    often = [(code, n / texts) for code, n in wrong.most_common(MOST_NAMED) if n / texts >= LEAST_NAMED]
    taken = ", ".join(f"{code} {share:.0%}" for code, share in often)
    told = f"{names}; {right:.1%} of {texts:,} single sentences right"
    return f"{told}, often taken for {taken}" if taken else told


def missing_to_crawl(corpus: CorpusFolder) -> list[str]:
    """What a crawl cannot begin without and the corpus does not have: `contact`, `seeds`, `identifier`."""
    from corpulyzer.web.seeds import FILE

    has_seeds = False
    if corpus.storage.exists(FILE):
        with corpus.storage.open_input(FILE) as seeds:  # which may be many
            has_seeds = bool(seeds.read(1))
    there = {
        "contact": bool(corpus.config.crawl.contact),
        "seeds": has_seeds,
        "identifier": not unknown_language(corpus),
    }
    return [what for what, is_there in there.items() if not is_there]


def beginnings(corpus: CorpusFolder) -> list[tuple[str, str]]:
    """The commands that a corpus can begin with, each with what it brings."""
    from corpulyzer.web.seeds.wikipedia.linked_sites import wiki_of

    only = corpus.targets.only
    wiki = f"the sites that {wiki_of(only)} links to" if only else "the sites that their Wikipedias link to"
    return [
        ("seeds add URL…", "sites that you know, to crawl"),
        ("seeds wikipedia", f"{wiki}, from Wikimedia's dumps or a folder with them"),
        ("seeds search --provider NAME --text FILE", "what a search engine finds: searxng, google, brave"),
        ("commoncrawl seeds", "sites that Common Crawl's index has; `commoncrawl fetch` reads its pages"),
        ("import PATH…", "what you have: WARC, WET, HTML, JSONL, Parquet, text"),
    ]


def nothing_kept(corpus: CorpusFolder, funnel: Funnel) -> str:
    """Why a corpus that has pages keeps none of them, with the next step; empty if it keeps some."""
    from corpulyzer.measure.pages.funnel import reasons

    if funnel.kept or not funnel.steps[0].pages:
        return ""
    dropped: dict[str, int] = {}
    for step in funnel.steps:
        dropped |= {reason: dropped.get(reason, 0) + count for reason, count in step.dropped.items()}
    pages = funnel.steps[0].pages
    count = f"{pages:,} page" if pages == 1 else f"{pages:,} pages"
    said = f"Nothing was kept of {count}: {reasons(dropped)}."
    place = corpus.storage.root
    hint = f"`corpulyzer why URL --project {place}` tells why one was dropped; the settings decide."
    return f"{said}\n{unknown_language(corpus) or hint}"


def _is_known(corpus: CorpusFolder, code: str) -> bool:
    from corpulyzer.page.identify.table import head

    asked = corpus.config.identify
    if asked.model:
        return True  # whoever names a model knows which languages it has
    names = _names(corpus, code)
    if asked.method != "ensemble":
        return asked.method in names
    own = (label for file in asked.models for label in head(Path(file))["labels"])
    return bool(names - {"markov"}) or code in {label.partition("-")[0] for label in own}


def _names(corpus: CorpusFolder, code: str) -> set[str]:
    """The identifiers and tables that know a language, as far as the corpus uses them."""
    from corpulyzer.page.identify.coverage import AS_TARGET, Coverage, coverage

    known = set(coverage().get(code, Coverage()).known_to)
    return known if corpus.targets.only else known - {AS_TARGET}
