"""`corpulyzer status`: the funnel."""

from __future__ import annotations

from corpulyzer.cli.options import EngineName, Json, Master, Project, Quiet, engine_flags


def status(
    project: Project = ".",
    engine: EngineName = None,
    master: Master = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the funnel: what each step kept, and why it dropped the rest.

    Example: [bold]corpulyzer status --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_funnel, print_json
    from corpulyzer.corpus import open_corpus

    corpus = open_corpus(project, engine_flags(engine, master))
    with corpus.engine() as runner:
        funnel = corpus.funnel(runner)
    if json:
        print_json({"name": corpus.name, "language": corpus.config.corpus.language, **funnel.to_json()})
        return
    print_funnel(funnel)
    if funnel.steps[0].pages == 0:
        advise(f"The corpus is empty. Next: corpulyzer import PATH… --project {project}", quiet)
    else:
        advise(f"Next: corpulyzer why URL --project {project} tells what happened to a page.", quiet)
