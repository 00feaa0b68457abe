"""The sentences that a language is to be learned from, checked before anything is learned."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.page.identify.ensemble import MODELS, look_alikes, wide, wide_scripts
from corpulyzer.page.identify.scorer import Scorer
from corpulyzer.page.identify.table import Table
from corpulyzer.page.identify.training.probes import Bag, load_probes
from corpulyzer.page.identify.training.samples import joined
from corpulyzer.text import script_of

MIN_SENTENCES = 100
MIN_LETTERS = 10
_MIN_SCRIPT_SHARE = 0.8
# In correctly labelled text, at most a fifth of the paragraphs fit another language as its own text does.
_MISLABELLED_SHARE = 0.8
_MIXED_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Candidates:
    """Distinct sentences of one language in one script."""

    code: str
    script: str
    lines: tuple[str, ...]
    folder: str = str(MODELS)

    @staticmethod
    def of(
        code: str, lines: Sequence[str], folder: str = str(MODELS), rivals: Sequence[str] = ()
    ) -> Candidates:
        """The usable ones of some lines; UserError if they are too few, or of another language.

        Text that looks like one of the `rivals` is accepted: naming them says that they are similar.
        """
        language = Language.find(code)
        clean = (unicodedata.normalize("NFC", line).strip() for line in lines)
        distinct = [line for line in dict.fromkeys(clean) if sum(c.isalpha() for c in line) >= MIN_LETTERS]
        scripts = Counter(script_of(line) for line in distinct)
        script, most = max(scripts.items(), key=lambda pair: pair[1], default=("", 0))
        usable = tuple(line for line in distinct if script_of(line) == script)
        if len(distinct) >= MIN_SENTENCES and most < _MIN_SCRIPT_SHARE * len(distinct):
            found = ", ".join(f"{each} {size}" for each, size in scripts.most_common(3))
            raise UserError(
                f"The sentences for {language.code} are in several scripts: {found}.",
                "Give those of one script; train the others apart.",
            )
        if len(usable) < MIN_SENTENCES:
            raise UserError(
                f"{len(usable)} usable sentences are too few to learn {language.code} from: "
                f"at least {MIN_SENTENCES} different ones are needed, and 500 are good.",
                f"A sentence a line, each with {MIN_LETTERS} letters or more.",
            )
        candidates = Candidates(language.code, script, usable, folder)
        candidates._refuse_another_language({Language.find(rival).code for rival in rivals})
        return candidates

    @property
    def label(self) -> str:
        return f"{self.code}-{self.script}"

    def table(self) -> Table:
        """The table of all languages of the script."""
        return wide(self._table_name, self.folder)

    @property
    def _table_name(self) -> str:
        return self.script if self.script in wide_scripts(self.folder) else "other"

    def labels_of(self, codes: Sequence[str], known: Sequence[str]) -> list[str]:
        """The labels of rivals in this script; a code that no model knows is the user's error."""
        labels = []
        for code in codes:
            label = f"{Language.find(code).code}-{self.script}"
            if label not in known:
                some = ", ".join(sorted({each.partition("-")[0] for each in known})[:12])
                raise UserError(
                    f"No model knows {code} in the script {self.script}, so it cannot be a rival as it is.",
                    f"Give text of it: --against {code}=FILE. Known are {some}, …",
                )
            labels.append(label)
        return labels

    def probes(self) -> dict[str, list[Bag]]:
        """Texts of the languages of this script that ship with the package, as bags of n-grams."""
        return load_probes(Path(self.folder) / f"all-{self._table_name}.probes")

    def _refuse_another_language(self, rivals: set[str]) -> None:
        """Raise where much of the text is good text of languages that are known under other codes."""
        texts = list(joined(self.lines[:400], 200))
        answers = self._good_text_of(texts)
        # This table cannot tell a known language from its look-alikes.
        for code in {self.code, *rivals, *look_alikes(self.code, self.folder)}:
            answers.pop(code, None)
        size, most = answers.total(), answers.most_common(3)
        named = ", ".join(f"{Language.find(code).name} ({code})" for code, _ in most)
        options = " ".join(f"--against {code}" for code, _ in most)
        if size >= _MISLABELLED_SHARE * len(texts):
            raise UserError(
                f"{size} of {len(texts)} paragraphs look like good {named}, not like a language that no "
                "model knows.",
                f"Check the file, or use {most[0][0]}: it is known already. If it is a language of its own "
                f"that is so near, say so: {options}.",
            )
        if most and most[0][1] >= _MIXED_SHARE * len(texts):
            raise UserError(
                f"{size} of {len(texts)} paragraphs look like good {named}, the others do not: the sentences "
                f"for {self.code} are mixed with others.",
                f"Take those out. If they are of the language, and it is so near, say so: {options}.",
            )

    def _good_text_of(self, texts: Sequence[str]) -> Counter[str]:
        """How many texts fit a known language as its own text does, by its code."""
        table = self.table()
        scores = Scorer(table)(texts).astype(float)
        best = scores[:, : len(table.labels)].argmax(axis=1)
        fits = scores[range(len(texts)), table.fit_column + best] / scores[:, -1].clip(1)
        typical = fits >= table.usual[best] - table.spread[best] / 2
        return Counter(table.codes[label] for label, ok in zip(best, typical, strict=True) if ok)
