"""The sentences of a corpus, where pages are judged by them: those that the filter counted, and no others."""

from __future__ import annotations

from dataclasses import dataclass, field

from corpulyzer.engine import Prepares
from corpulyzer.page.identifier import identifier_by
from corpulyzer.page.label.sentences import Piece
from corpulyzer.page.settings import IdentifyTable, PageSettings
from corpulyzer.records.fingerprint import NOT_HASHED, fingerprint, method_version
from corpulyzer.records.targets import targets_of


@dataclass(frozen=True, slots=True)
class TargetSentences:
    """The sentences of a text that are in the target language, as a page's score `target_sentences` has them.

    They are identified again, since documents keep their number alone. `made_by` stands for all settings.
    """

    made_by: str
    target: str = field(metadata=NOT_HASHED)
    table: IdentifyTable = field(metadata=NOT_HASHED)

    def __call__(self, text: str) -> list[Piece]:
        """The sentences in their order, with their places."""
        identify = identifier_by(self.table, self.target)
        pieces = self.table.sentences.told(text, identify)
        return [piece for piece, language in pieces if language == self.target]

    def prepare(self) -> None:
        """Load, before workers are forked, what they then share."""
        identifier = identifier_by(self.table, self.target)
        if isinstance(identifier, Prepares):
            identifier.prepare()


def target_sentences(config: PageSettings) -> TargetSentences | None:
    """How a corpus cuts its texts into sentences of the target; None where pages are not judged by them.

    None in a corpus of several languages too: its texts are cut by the rules of their own languages.
    """
    only = targets_of(config.corpus).only
    if only is None or "sentences" not in config.filter.document:
        return None
    target = only.code
    asked = {"target": target, "settings": config.identify}
    made_by = fingerprint("identify", asked | method_version("identify", config.identify.method))
    return TargetSentences(made_by, target, config.identify)
