"""Print the tables of docs/explanation/identification.md: `python benchmarks/identify_quality.py FOLDER`.

FOLDER holds a folder for each source, as for tools/train_identifiers.py. No table has seen what it is tested
on. It takes about two minutes of processor time.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from corpulyzer.lab.evaluate.identification import Evaluation
from corpulyzer.lab.evaluate.unseen import WIDEST, Unseen, cross_source
from corpulyzer.page.identify.cld2 import Cld2
from corpulyzer.page.identify.training.recipe import MIN_LINES, PLANS, gather, lessons_for
from corpulyzer.page.identify.training.samples import Sample

RIVALS_OF_URDU = ("pnb", "skr", "kas")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    samples = gather(Path(sys.argv[1]))
    with TemporaryDirectory() as folder:
        unseen = cross_source(samples, Path(folder))
    by_group(unseen, samples)
    rivals_of_urdu(unseen)
    all_languages(unseen)


def by_group(unseen: Unseen, samples: list[Sample]) -> None:
    """Precision, recall and F1 of each member of a group, beside those of CLD2."""
    print("| group | language | texts | precision | recall | F1 | CLD2 precision | recall | F1 |")
    print("|---|---|---|---|---|---|---|---|---|")
    for plan in PLANS:
        for level in ("paragraph", "sentence") if plan.name == "nguni" else ("paragraph",):
            ours, theirs = (unseen.of(name, level, plan.labels) for name in ("ensemble", "cld2"))
            for code in dict.fromkeys(label.partition("-")[0] for label in plan.members):
                mark = "" if crossed(plan.name, code, samples) else " *"
                texts = sum(size for (true, _), size in ours.answers.items() if true == code)
                row = f"| {plan.name}, by {level} | {code}{mark} | {texts:,} |"
                print(row + figures(ours, code) + figures(theirs, code))


def crossed(group: str, code: str, samples: list[Sample]) -> bool:
    """Whether a language has two large sources, so that each can be tested with tables of the other."""
    lessons = lessons_for(next(plan for plan in PLANS if plan.name == group), samples)
    sizes = [size for (label, _), size in lessons.sizes.items() if label.partition("-")[0] == code]
    return sum(size >= MIN_LINES for size in sizes) >= 2


def figures(found: Evaluation, code: str) -> str:
    own = found.of(code)
    return "".join(f" {number:.3f} |" for number in (own.precision, own.recall, own.f1))


def rivals_of_urdu(unseen: Unseen) -> None:
    labels = next(plan.labels for plan in PLANS if plan.name == "arabic-script")
    for name in ("ensemble", "cld2"):
        found = unseen.of(name, "paragraph", labels).of("urd")
        shares = ", ".join(f"{code} {found.false_positives.get(code, 0):.1%}" for code in RIVALS_OF_URDU)
        print(f"taken for urd by {name}: {shares}")


def all_languages(unseen: Unseen) -> None:
    """Accuracy and macro-F1 on the widest source: of all its languages, and of those that CLD2 knows."""
    known = Cld2().languages
    for level in ("paragraph", "sentence"):
        for name in ("ensemble", "cld2"):
            found = unseen.of(name, level, source=WIDEST)
            theirs = {pair: size for pair, size in found.answers.items() if pair[0] in known}
            for which, each in (("all", found), ("of CLD2", Evaluation(name, theirs, 0, 0.0))):
                print(
                    f"| {level}, {which} | {name} | {len(each.codes)} languages | {each.texts:,} texts "
                    f"| accuracy {each.accuracy:.3f} | macro F1 {each.macro_f1:.3f} |"
                )


if __name__ == "__main__":
    main()
