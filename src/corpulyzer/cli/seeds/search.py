"""`corpulyzer seeds search`: random words of the language sent to a search engine."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpulyzer.cli.options import MOST, Json, Project, Quiet
from corpulyzer.cli.seeds.adding import Block, Homepages, Tlds, Without

if TYPE_CHECKING:
    from corpulyzer.api.corpus import Corpus
    from corpulyzer.errors import UserError
    from corpulyzer.language import Language
    from corpulyzer.web.seeds import Candidate
    from corpulyzer.web.seeds.search.asking import Identify
    from corpulyzer.web.seeds.search.provider import Provider


def search(
    provider: Annotated[
        str,
        typer.Option(metavar="NAME|FILE", help="searxng, google, brave, or a TOML file that describes one."),
    ],
    endpoint: Annotated[str, typer.Option(metavar="URL", help="Where the search engine is.")] = "",
    words: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Word list: a word a line, its count beside it or in order."),
    ] = None,
    text: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Any text in the language, to take words from.")
    ] = None,
    from_corpus: Annotated[
        bool, typer.Option("--from-corpus", help="Take words from the corpus so far.")
    ] = False,
    queries: Annotated[int, typer.Option(metavar="N", min=1, max=MOST, help="Queries in all.")] = 100,
    size: Annotated[
        int, typer.Option("--tuple", metavar="1|2|3", min=1, max=3, help="Words of a query.")
    ] = 2,
    ranks: Annotated[
        str, typer.Option(metavar="A-B", help="Ranks of the words; 1000-10000, or all of a short list.")
    ] = "",
    seed: Annotated[
        int, typer.Option(metavar="N", help="Chooses the words; another seed, other queries.")
    ] = 0,
    pages: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST, help="Pages of results of a query.")
    ] = 1,
    parameter: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="To send along; repeatable.")
    ] = None,
    check: Annotated[
        str, typer.Option(metavar="snippet|none", help="Keep a URL only if its snippet is in the language.")
    ] = "snippet",
    per_day: Annotated[
        int, typer.Option(metavar="N", min=0, max=MOST, help="Requests a day; 0: the provider's own.")
    ] = 0,
    homepages: Homepages = False,
    tld: Tlds = None,
    block: Block = None,
    without: Without = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the queries, and ask nobody.")] = False,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Send random words of the language to a search engine, and keep what is in the language.

    Answers are kept: the same command again asks only for what is missing. Keys come from the environment.

    Example: [bold]corpulyzer seeds search --provider searxng --endpoint http://127.0.0.1:8888
    --words words.txt --queries 100 --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import print_json, print_text
    from corpulyzer.cli.seeds.adding import tell
    from corpulyzer.jobs.seeds import add_seeds, bounds
    from corpulyzer.web.seeds.search.asking import SOURCE
    from corpulyzer.web.seeds.search.known import provider_of

    corpus = open_corpus(project)
    engine = provider_of(provider, endpoint, tuple(parameter or ()))
    asked = _queries(corpus, (words, text, from_corpus), size, ranks, seed, queries)
    if dry_run:
        print_json(asked) if json else print_text("\n".join(asked))
        return
    identify = _identifier(corpus, check)
    found, others, problem = _ask(corpus, engine, asked, pages, per_day, identify, quiet or json)
    refuse = bounds(corpus, tld or (), block or (), without)
    added = add_seeds(corpus, found, f"{SOURCE} {engine.name}", homepages=homepages, refuse=refuse)
    told = {"queries": len(asked), "hits": len(found) + others.total(), "other_languages": dict(others)}
    if not json:
        more = ", ".join(f"{count:,} {language}" for language, count in others.most_common(5))
        print_text(
            f"{told['hits']:,} hits; {others.total():,} are not in the language" + f" ({more})." * bool(more)
        )
    tell(added, project, json, quiet, told)
    if problem:
        raise problem


def _ask(
    corpus: Corpus,
    engine: Provider,
    queries: list[str],
    pages: int,
    per_day: int,
    identify: Identify | None,
    quiet: bool,
) -> tuple[list[Candidate], Counter[str], UserError | None]:
    """The URLs found, the languages of the others, and the provider's refusal if it ended the search."""
    import os

    from corpulyzer.cli.output import progress
    from corpulyzer.errors import UserError
    from corpulyzer.web.seeds.search.asking import Search, sifted
    from corpulyzer.web.seeds.search.quota import Quota

    search = Search(engine, corpus.storage, os.environ, Quota(corpus.storage, engine, per_day))
    found: list[Candidate] = []
    others: Counter[str] = Counter()
    with progress(quiet) as show:
        try:
            for number, query in enumerate(queries, 1):
                found += sifted(search([query], pages), corpus.language.code, identify, others)
                show("asking", number, len(queries))
        except UserError as error:
            return found, others, error
    return found, others, None


def _queries(
    corpus: Corpus,
    sources: tuple[Path | None, Path | None, bool],
    size: int,
    ranks: str,
    seed: int,
    count: int,
) -> list[str]:
    from corpulyzer.web.seeds.search.queries import between, random_tuples

    words = between(_words(corpus, *sources), _ranks(ranks))
    return list(islice(random_tuples(words, size, seed), count))


def _words(corpus: Corpus, words: Path | None, text: Path | None, from_corpus: bool) -> list[str]:
    from corpulyzer.errors import UserError
    from corpulyzer.web.seeds.search.queries import ranked, words_in_list, words_in_text

    language: Language = corpus.language
    if sum((words is not None, text is not None, from_corpus)) != 1:
        raise UserError(
            "The words of the queries must come from one place.",
            "Add one of --words FILE, --text FILE, --from-corpus.",
        )
    if words is not None:
        return words_in_list(words)
    if text is not None:
        return words_in_text(text, language)
    found = ranked(corpus.documents.kept().texts(), language)
    if not found:
        raise UserError(
            "The corpus has no text yet to take words from.", "Begin with --words FILE or --text FILE."
        )
    return found


def _ranks(text: str) -> tuple[int, int] | None:
    from corpulyzer.errors import UserError

    first, _, last = text.replace("–", "-").partition("-")
    if not text:
        return None
    if not (first.isdigit() and last.isdigit() and 1 <= int(first) <= int(last)):
        raise UserError(f"--ranks {text} is not possible.", "Write two numbers: --ranks 1000-10000.")
    return int(first), int(last)


def _identifier(corpus: Corpus, check: str) -> Identify | None:
    """What tells the language of a snippet, as the corpus tells that of a paragraph."""
    from corpulyzer.errors import UserError

    if check == "none":
        return None
    if check != "snippet":
        raise UserError(f"--check {check} is not possible.", "Write --check snippet or --check none.")
    from corpulyzer.page.identify.choose import identifier_of

    asked = corpus.config.identify
    options: dict[str, Any] = {
        "target": corpus.language.code,
        "model": asked.model,
        "models": asked.models,
        "min_confidence": asked.min_confidence,
        "hint": asked.hint,
        "plugins": asked.plugins,
    }
    corpus.load_plugins(asked.plugins)
    identifier = identifier_of(asked.method, **options)

    def identify(snippet: str) -> tuple[str, float]:
        (found,) = identifier([snippet])
        return found.language, found.confidence

    return identify
