"""`corpulyzer export`: the kept documents in the formats of other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from corpulyzer.cli.options import AsOf, Work, grouped

if TYPE_CHECKING:
    from corpulyzer.plugins.registry import Registry


def formats() -> Registry:
    """All formats, for the help."""
    from corpulyzer.export import FORMATS

    return FORMATS


@grouped
def export(
    *,
    format: Annotated[str, typer.Argument(metavar="FORMAT", help="jsonl, text, hf …, or one of a plug-in.")],
    language: Annotated[str, typer.Option(metavar="CODE", help="One language of a corpus of several.")] = "",
    license: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help="cc-by …, cc for all Creative Commons, none; may be repeated."),
    ] = None,
    site: Annotated[
        list[str] | None, typer.Option(metavar="SITE", help="Host or domain; may be repeated.")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="LABEL", help="Leave out what lists label so, such as adult; may be repeated."),
    ] = None,
    subcorpus: Annotated[
        str, typer.Option("--in", metavar="NAME", help="Only the documents of this subcorpus.")
    ] = "",
    min_quality: Annotated[float | None, typer.Option(help="Least quality score of a document.")] = None,
    split: Annotated[
        str, typer.Option(metavar="SHARES", help="Such as train,validation=0.05,test=0.05.")
    ] = "train",
    unit: Annotated[
        str, typer.Option(help="text: document or paragraph; frequency: word or lemma.")
    ] = "document",
    content: Annotated[str, typer.Option(help="warc: page as received, minimal html, or text.")] = "page",
    compress: Annotated[
        str, typer.Option(metavar="none|gzip|zstd", help="Of text files; each format has its own default.")
    ] = "",
    mask: Annotated[
        str,
        typer.Option(metavar="KINDS", help="Replace traces of people by tokens: email,phone,ip,card."),
    ] = "",
    seed: Annotated[int, typer.Option(help="Of splits and shuffles.")] = 0,
    to: Annotated[str, typer.Option(metavar="DIR", help="Folder to write to instead of exports/.")] = "",
    as_of: AsOf = "",
    work: Work,
) -> None:
    """Write the kept documents for other tools, as a new version with its manifest and list of changes.

    Example: [bold]corpulyzer export hf --license cc --split train,test=0.05 --project urduweb[/bold]
    """
    from corpulyzer.cli.output import advise, print_json, print_text, warn, warn_stale

    corpus = work.corpus_as_of(as_of)
    with work.progress() as show:
        made = corpus.export(
            format,
            to,
            language=language,
            license=license or (),
            site=site or (),
            without=without or (),
            subcorpus=subcorpus,
            min_quality=min_quality,
            split=split,
            seed=seed,
            unit=unit,
            content=content,
            compress=compress,
            mask=mask,
            progress=show,
        )
    if not made.manifest["documents"]:
        warn(
            f"Nothing was exported: no kept document is selected. See `corpulyzer status -p {work.project}`."
        )
    warn_stale(corpus, "annotations")
    if work.json:
        print_json(made.to_json())
        return
    print_text(made.summary())
    if offered := made.offer():
        advise(offered, work.quiet)
