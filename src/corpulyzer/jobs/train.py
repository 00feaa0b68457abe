"""Models of one's own: a tagger learned from treebanks, a language learned from sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corpulyzer.annotate import udpipe
from corpulyzer.errors import UserError
from corpulyzer.storage import is_remote

if TYPE_CHECKING:
    from corpulyzer.page.identify.training.train import Trained


@dataclass(frozen=True, slots=True)
class TrainedTagger:
    """A tagger in a file: its size, and which share of the held-out words it tags as they are."""

    model: Path
    bytes: int
    accuracy: Mapping[str, float]


def train_tagger(
    treebanks: Sequence[str],
    to: str | Path,
    *,
    held_out: str = "",
    options: str = "",
    tagger_options: str = "",
    quiet: bool = True,
) -> TrainedTagger:
    """Learn to cut, tag and lemmatise from texts in CoNLL-U, and write the model to a file.

    `options` are those of UDPipe's tokeniser, `tagger_options` those of its tagger, which takes most of the
    time; unless `quiet`, UDPipe says on standard error what it does.
    """
    model = Path(to)
    with udpipe.silent() if quiet else nullcontext():
        model.write_bytes(udpipe.train(treebanks, held_out, options, tagger_options))
    accuracy = udpipe.accuracy(str(model), held_out) if held_out else {}
    return TrainedTagger(model, model.stat().st_size, accuracy)


def train_language(
    language: str,
    sentences: Sequence[str],
    rivals: Iterable[str] = (),
    texts: Mapping[str, Sequence[str]] | None = None,
    *,
    name: str = "",
    folder: str = "",
) -> tuple[Trained, Path]:
    """Learn a language from sentences, and keep the model in a corpus folder, or for all corpora of the user.

    It is told from its `rivals`; `texts` are sentences of those that are to be learned too. `name` is the
    language's, where it has none. Returns what was learned, and the file.
    """
    from corpulyzer.language import Language
    from corpulyzer.page.identify.installed import corpus_folder, install, user_folder
    from corpulyzer.page.identify.training.train import train

    must_hold_models(folder)
    codes = [Language.find(rival).code for rival in rivals]
    known = {Language.find(code).code: list(lines) for code, lines in (texts or {}).items()}
    trained = train(language, list(sentences), codes, known, name=name)
    return trained, install(trained.table, corpus_folder(folder) if folder else user_folder())


def must_hold_models(folder: str) -> None:
    """UserError where a folder can hold no model; none is named by the empty string."""
    if folder and is_remote(folder):
        hint = "Leave --project out to keep the model for all your corpora on this machine."
        raise UserError(f"{folder} cannot hold a model.", hint)
    if folder and not (Path(folder) / "corpulyzer.toml").exists():
        raise UserError(
            f"{folder} is no corpus folder: it has no corpulyzer.toml.",
            "Leave --project out to keep the model for all your corpora.",
        )
