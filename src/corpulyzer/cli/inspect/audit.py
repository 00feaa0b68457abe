"""`corpulyzer audit`: a sample for human eyes, labels, and what they say of the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpulyzer.cli.options import MOST, InLanguage, Json, Project, Quiet

if TYPE_CHECKING:
    from corpulyzer.audit.sites import SiteLabel

app = typer.Typer(help="Draw a sample for human eyes, label it, and see what that says of the corpus.")

Name = Annotated[str, typer.Option("--name", metavar="NAME", help="Name of the audit.")]
Annotator = Annotated[str, typer.Option(metavar="NAME", help="Who labels; several people may.")]


@app.command()
def sample(
    size: Annotated[int, typer.Option(metavar="N", min=1, max=MOST, help="Documents to draw.")] = 100,
    name: Name = "first",
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the draw: the same gives the same.")] = 0,
    rejects: Annotated[bool, typer.Option("--rejects", help="Draw from what the filters dropped.")] = False,
    language: InLanguage = "",
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw a stratified sample of the corpus, or of what the filters dropped.

    Example: [bold]corpulyzer audit sample --size 100 --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import advise, print_json, print_text, warn_stale

    corpus = open_corpus(project).in_language(language)
    drawn = corpus.audit.sample(size, name, seed=seed, rejects=rejects)
    warn_stale(corpus, "duplicates")
    strata = drawn.strata()
    if json:
        print_json({"name": name, "size": len(drawn.items), "population": drawn.population, "strata": strata})
    else:
        for stratum, count in sorted(strata.items()):
            print_text(f"{count:6,}  {stratum}")
        print_text(f"{len(drawn.items):,} of {drawn.population:,} documents, in {len(strata):,} strata")
    advise(
        f"Next: corpulyzer audit label --name {name}{_of(language)} --project {project}, or corpulyzer serve",
        quiet or json,
    )


@app.command()
def label(
    name: Name = "first",
    annotator: Annotator = "me",
    language: InLanguage = "",
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Label documents one by one, with one key each; what is labelled already is not asked again.

    Example: [bold]corpulyzer audit label --annotator thandi --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.inspect.labelling import label_all
    from corpulyzer.cli.output import advise, print_json

    corpus = open_corpus(project).in_language(language)
    done, left = label_all(corpus, name, annotator, quiet=quiet or json)
    if json:
        print_json({"name": name, "annotator": annotator, "labelled": done, "left": left})
    advise(f"Next: corpulyzer audit score --name {name}{_of(language)} --project {project}", quiet or json)


@app.command()
def score(
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="Audit; all by default.")] = None,
    language: InLanguage = "",
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print what the labels say of the whole corpus, how sure that is, and how far annotators agree.

    Example: [bold]corpulyzer audit score --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import advise, print_json

    audits = open_corpus(project).in_language(language).audit
    told = [score.to_json() for score in audits.score(*([name] if name else []))]
    if json:
        print_json({"audits": told})
    else:
        _print_scores(told)
    advise("Next: corpulyzer audit sites labels whole sites.", quiet or json)


def _of(language: str) -> str:
    return f" --language {language}" if language else ""


def _print_scores(told: list[dict[str, Any]]) -> None:
    from corpulyzer.cli.output import print_text

    for each in told:
        print_text(f"{each['title']}: {each['summary']}")
        for row in each["rows"]:
            interval = f"{row['low']:6.1%} to {row['high']:6.1%}"
            print_text(f"  {row['code']:2}  {row['share']:6.1%}  {interval}  {row['name']}")
        for pair in each["kappas"]:
            value = "not defined" if pair["kappa"] is None else f"{pair['kappa']:.2f}"
            print_text(f"  kappa of {' and '.join(pair['annotators'])}: {value}")
        for warning in each["warnings"]:
            print_text(f"  {warning}")
    if not told:
        print_text("There is no audit yet: draw a sample with `corpulyzer audit sample`.")


@app.command()
def learn(
    label: Annotated[str, typer.Argument(metavar="LABEL", help="Label to learn, such as adult or spam.")],
    flag: Annotated[str, typer.Option(metavar="OF|SP", help="Flag of the texts that have it.")],
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the trial of what was learned.")] = 0,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn a list of words for a label from the texts of audits that people gave a flag.

    The list is written to the folder of label.content.lists; pages get the label, and none is dropped.

    Example: [bold]corpulyzer audit learn adult --flag OF --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import advise, print_json, print_text

    written = open_corpus(project).audit.learn(label, flag, seed=seed)
    if json:
        print_json({"lists": [each.to_json() for each in written]})
    else:
        for each in written:
            precision = "none" if each.precision is None else f"{each.precision:.2f}"
            print_text(
                f"{each.file}: {each.words:,} words, from {each.flagged:,} texts with the flag and "
                f"{each.others:,} without. On texts that it was not learned from: precision {precision}, "
                f"recall {each.recall:.2f}."
            )
    advise(f"Next: corpulyzer process --project {project} labels the documents.", quiet or json)


@app.command()
def sites(
    site: Annotated[str | None, typer.Argument(metavar="[SITE]", help="Site to label; without, all.")] = None,
    category: Annotated[str, typer.Option(metavar="WORD", help="news, religious, academic …")] = "",
    machine_translated: Annotated[
        str, typer.Option(metavar="yes|no", help="Whether a machine translated it.")
    ] = "",
    decision: Annotated[str, typer.Option(metavar="block|allow", help="What to do with the site.")] = "",
    note: Annotated[str, typer.Option(metavar="TEXT", help="Anything else.")] = "",
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Label a site, or print all labels; they are kept in sites.csv, which you may edit.

    Example: [bold]corpulyzer audit sites news.example --category news --machine-translated no[/bold]
    """
    from dataclasses import asdict

    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import advise, print_json, print_text

    audit = open_corpus(project).audit
    if site is not None:
        audit.label_site(
            site, category=category, machine_translated=machine_translated, decision=decision, note=note
        )
    found = audit.sites()
    if json:
        print_json({"sites": [asdict(each) for each in found.values()]})
    else:
        for each in found.values():
            print_text(f"{each.site}: {', '.join(_said(each))}")
    advise(f"Next: corpulyzer audit apply --project {project} puts decisions into effect.", quiet or json)


def _said(label: SiteLabel) -> list[str]:
    """What is said of a site, in words."""
    translated = {"yes": "machine-translated", "no": "not machine-translated"}
    words = (label.category, translated.get(label.machine_translated, ""), label.decision, label.note)
    return [each for each in words if each]


@app.command()
def apply(
    only_allowed: Annotated[
        bool, typer.Option("--only-allowed", help="Limit the corpus to the sites that are allowed.")
    ] = False,
    project: Project = ".",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write what was said and decided about sites into the settings of filters and crawl.

    Example: [bold]corpulyzer audit apply --project urduweb[/bold]
    """
    from corpulyzer.api.corpus import open_corpus
    from corpulyzer.cli.output import advise, print_json, print_text

    changed = open_corpus(project).audit.apply(only_allowed=only_allowed)
    if json:
        print_json({"changed": changed})
    else:
        for key, value in changed.items():
            print_text(f"{key} = {', '.join(value)}")
        if not changed:
            print_text("The settings say so already.")
    advise(f"Next: corpulyzer process --project {project}", quiet or json)
