"""What people found who looked at a sample of the corpus (XH-14), as results for the report and the card."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from corpulyzer.audit.agreement import cohen_kappa, krippendorff_alpha
from corpulyzer.audit.estimate import Estimate, by_item, by_site, estimates
from corpulyzer.audit.labels import CITATION, Label, all_labels
from corpulyzer.audit.sample import Sample, audits, read_sample
from corpulyzer.measure.result import Result
from corpulyzer.storage import Storage

if TYPE_CHECKING:
    from corpulyzer.measure.bench import Bench

FEW = 30
DEFINITION = (
    "Share of documents that people gave each label in a stratified random sample, weighted back to the "
    "corpus, with Wilson's interval of 95 % for the effective sample size."
)
SPEC = {
    "layer": [
        {
            "mark": "bar",
            "encoding": {"x": {"field": "share", "type": "quantitative", "axis": {"format": "%"}}},
        },
        {
            "mark": {"type": "rule", "color": "black"},
            "encoding": {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}},
        },
    ],
    "encoding": {"y": {"field": "label", "type": "nominal", "sort": None, "title": None}},
}


def measure(bench: Bench) -> list[Result]:
    """The estimates of all audits, as the bench was given them."""
    return list(bench.audits)


def results(storage: Storage) -> list[Result]:
    """What all audits of a corpus found, together and by site; none where nothing was labelled."""
    found = {}
    for name in audits(storage):
        sample, labels = read_sample(storage, name), all_labels(storage, name)
        if any(labels.values()):
            found[name] = score(name, sample, labels), score_sites(name, sample, labels)
    if not found:
        return []
    together = _joined({name: pair[0] for name, pair in found.items()}, "audit", "Audit by people")
    by_sites = _joined({name: pair[1] for name, pair in found.items()}, "audit_sites", "Audit by site")
    return [replace(together, spec=SPEC), by_sites]


def _joined(found: dict[str, Result], name: str, title: str) -> Result:
    """Results of several audits as one, with a column that says which."""
    first = next(iter(found.values()))
    rows = [
        {"audit": audit, "label": _label(row, audit, len(found)), **row}
        for audit, each in found.items()
        for row in each.rows.to_pylist()
    ]
    return Result(
        name=name,
        title=title,
        definition=first.definition,
        citation=CITATION,
        rows=_table(rows),
        summary=" ".join(f"{audit}: {each.summary}" for audit, each in found.items())
        if len(found) > 1
        else first.summary,
        warnings=tuple(dict.fromkeys(note for each in found.values() for note in each.warnings)),
    )


def _label(row: dict[str, Any], audit: str, audits: int) -> str:
    name = row.get("name") or row["site"]
    return f"{audit}: {name}" if audits > 1 else str(name)


def score(name: str, sample: Sample, labels: dict[str, list[Label]]) -> Result:
    """The estimates of one audit."""
    rows = estimates(sample.items, labels)
    correct = rows[0]
    whole = "the documents that the filters dropped" if sample.rejects else "the corpus"
    agreed = agreement(labels)
    said = "" if agreed is None else f" Annotators agree with alpha {agreed:.2f}."
    return Result(
        name=f"audit_{name}",
        title=f"Audit {name}" + (" of rejects" if sample.rejects else ""),
        definition=DEFINITION,
        citation=CITATION,
        rows=_table([asdict(row) for row in rows if correct.labelled]),
        summary=_told(correct, whole, sample) + said,
        parameters={"seed": sample.seed, "size": len(sample.items), "annotators": len(labels)},
        warnings=_warnings(correct.labelled, len(sample.items), len(labels)),
    )


def _told(correct: Estimate, whole: str, sample: Sample) -> str:
    drawn = f"{len(sample.items):,} documents drawn from {sample.population:,}"
    if not correct.labelled:
        return f"Nobody has labelled any of the {drawn} yet: nothing is known."
    return (
        f"{correct.share:.1%} of {whole} ({correct.low:.1%} to {correct.high:.1%}) is in the language, "
        f"judged by {correct.labelled:,} of {drawn}."
    )


def score_sites(name: str, sample: Sample, labels: dict[str, list[Label]]) -> Result:
    """The same by site, those with most labelled documents first."""
    rows = [
        {"site": site, **asdict(found[0]), "natural": found[1].share, "machine_translated": found[-2].share}
        for site, found in by_site(sample.items, labels).items()
    ]
    rows.sort(key=lambda row: (-row["labelled"], row["site"]))
    return Result(
        name=f"audit_{name}_sites",
        title=f"Audit {name} by site",
        definition="Share of documents in the language among those of each site that people have seen.",
        citation=CITATION,
        rows=_table([{k: v for k, v in row.items() if k not in ("code", "name")} for row in rows]),
        summary=f"{len(rows):,} sites have labelled documents.",
    )


def agreement(labels: dict[str, list[Label]]) -> float | None:
    """Krippendorff's alpha of all annotators; None where no two have labelled the same document."""
    units = [[label.label for label in some] for some in by_item(labels).values()]
    return krippendorff_alpha(units)


def kappas(labels: dict[str, list[Label]]) -> dict[tuple[str, str], float | None]:
    """Cohen's kappa of each two annotators."""
    codes = {name: {label.id: label.label for label in some} for name, some in labels.items()}
    names = sorted(codes)
    return {
        (first, second): cohen_kappa(codes[first], codes[second])
        for place, first in enumerate(names)
        for second in names[place + 1 :]
    }


def _warnings(labelled: int, size: int, people: int) -> tuple[str, ...]:
    notes = []
    if not labelled:
        return ()
    if labelled < size:
        notes.append(f"{size - labelled:,} documents of the sample have no label yet.")
    if labelled < FEW:
        notes.append("So few documents make a wide interval.")
    if people < 2:
        notes.append("One annotator only: agreement is not known.")
    return tuple(notes)


def _table(rows: list[dict[str, Any]]) -> Any:
    import pyarrow as pa

    return pa.Table.from_pylist(rows)
