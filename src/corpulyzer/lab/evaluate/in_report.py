"""The tables of evaluations as results, for the report of a corpus.

Habernal et al. (2016), Table 2 and Figure 2 (licenses) and Table 3 (extraction), which is also Table 2 of
Ljubešić & Erjavec (2011).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpulyzer.lab.evaluate.extraction import Summary
from corpulyzer.lab.evaluate.license import Measured
from corpulyzer.measure.figures import bars
from corpulyzer.measure.quality.evaluations import keep
from corpulyzer.measure.result import Result
from corpulyzer.measure.typed_rows import table_of

SHARES = dict.fromkeys(("precision", "recall", "f1"), "double")


def into_report(project: str, results: list[Result]) -> list[str]:
    """Put results into a corpus, for the next report of it; return their files."""
    from corpulyzer.corpus.folder import CorpusFolder
    from corpulyzer.storage.lock import changing

    corpus = CorpusFolder.open(project)
    with changing(corpus.storage, "evaluate"):
        return keep(corpus.storage, results)


def license_results(alone: Measured, voted: Measured, pages: int, method: str) -> list[Result]:
    """Licenses against gold: Creative Commons or none (C4 Table 2), and by kind (C4 Figure 2)."""
    known: dict[str, Any] = {"pages": pages, "method": method}
    binary = [
        {
            "licenses": name,
            "precision": found.binary.precision,
            "recall": found.binary.recall,
            "f1": found.binary.f1,
            "kind_right": found.accuracy,
        }
        for name, found in (("each page by itself", alone), ("after the vote of its site", voted))
    ]
    kinds = [
        {"kind": kind.name, "pages": kind.gold, "found": kind.found, "right": kind.right}
        for kind in alone.kinds
    ]
    return [
        Result(
            name="license_evaluation",
            title="Licenses against people",
            definition="Precision, recall and F1 of Creative Commons or none on pages that people labelled.",
            citation="Habernal et al. 2016, Table 2 (C4-4)",
            rows=table_of(binary, {"licenses": "string", **SHARES, "kind_right": "double"}),
            summary=f"On {pages:,} pages F1 is {alone.binary.f1:.2%}, after the vote {voted.binary.f1:.2%}.",
            parameters=known,
        ),
        Result(
            name="license_kinds",
            title="Kinds of licenses against people",
            definition="Pages of each kind by people, pages where it was found, and those where both agree.",
            citation="Habernal et al. 2016, Figure 2 (C4-4)",
            rows=table_of(kinds, {"kind": "string", "pages": "int64", "found": "int64", "right": "int64"}),
            summary=f"The kind is right on {alone.accuracy:.2%} of {pages:,} pages.",
            parameters=known,
            spec=bars("kind", "right", titles={"right": "pages whose kind is right"}) if kinds else None,
        ),
    ]


def extraction_results(by_extractor: Mapping[str, Mapping[str, Summary]], metric: str) -> list[Result]:
    """Extractors against gold, by set of pages: means over pages (C4 Table 3, HR Table 2)."""
    rows: list[dict[str, Any]] = [
        {
            "extractor": name,
            "set": group,
            "pages": figures.pages,
            "precision": figures.precision,
            "recall": figures.recall,
            "f1": figures.f1,
            "empty": figures.empty,
        }
        for name, groups in by_extractor.items()
        for group, figures in sorted(groups.items())
    ]
    best = max(rows, key=lambda row: row["f1"], default=None)
    kinds = {"extractor": "string", "set": "string", "pages": "int64", **SHARES, "empty": "int64"}
    return [
        Result(
            name="extraction_evaluation",
            title="Extraction against people",
            definition="Precision, recall and F1 of extracted text against text that people have marked. By "
            "CleanEval's measure all three are means over pages, and a page without output counts as 0; else "
            "precision is the mean of pages with output, and F1 that of the two means.",
            citation="Habernal et al. 2016, Table 3 (C4-6); Ljubešić & Erjavec 2011, Table 2 (HR-6)",
            rows=table_of(rows, kinds),
            summary=f"The best F1 is {best['f1']:.3f}, of {best['extractor']} on {best['set']}."
            if best
            else "No page was measured.",
            parameters={"metric": metric},
        )
    ]
