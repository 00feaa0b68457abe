"""Stanza, CLASSLA and spaCy, where they are installed and their models are on this machine.

Nothing is downloaded: a model is a folder that was put there before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from corpulyzer.errors import UserError, missing
from corpulyzer.language import Language
from corpulyzer.records.annotation import Sentence, Token

ALL = ("lemma", "upos", "xpos", "feats")


@dataclass(frozen=True, slots=True)
class Stanza:
    """Stanza or CLASSLA (`package`), which share an interface; `model` is the folder of their resources."""

    package: str
    model: str
    language: str
    gives: tuple[str, ...] = ALL

    @property
    def name(self) -> str:
        return f"{self.package} ({_code(self.language)})"

    def load(self) -> None:
        """Load the pipeline; UserError if package or model is missing."""
        _stanza(self.package, self.model, _code(self.language))

    def __call__(self, text: str, paragraph: int, start: int, end: int) -> Sequence[Sentence]:
        pipeline = _stanza(self.package, self.model, _code(self.language))
        found = []
        for sentence in pipeline(text[start:end]).sentences:
            tokens = tuple(token for each in sentence.tokens for token in _stanza_tokens(each, start))
            if tokens:
                found.append(Sentence(tokens[0].start, tokens[-1].end, paragraph, tokens))
        return found


@dataclass(frozen=True, slots=True)
class Spacy:
    """A spaCy pipeline, by the folder that it was saved to."""

    model: str
    gives: tuple[str, ...] = ALL

    @property
    def name(self) -> str:
        return f"spacy ({Path(self.model).name})"

    def load(self) -> None:
        """Load the pipeline; UserError if spaCy or the model is missing."""
        _spacy(self.model)

    def __call__(self, text: str, paragraph: int, start: int, end: int) -> Sequence[Sentence]:
        found = []
        for sentence in _spacy(self.model)(text[start:end]).sents:
            tokens = tuple(_spacy_token(each, start) for each in sentence if not each.is_space)
            if tokens:
                found.append(Sentence(tokens[0].start, tokens[-1].end, paragraph, tokens))
        return found


def _stanza_tokens(token: Any, offset: int) -> Iterator[Token]:
    start, end = offset + token.start_char, offset + token.end_char
    for word in token.words:
        known = (getattr(word, name, None) or "" for name in ("lemma", "upos", "xpos", "feats"))
        yield Token(start, end, word.text, *known)


def _spacy_token(token: Any, offset: int) -> Token:
    start = offset + token.idx
    return Token(
        start, start + len(token.text), token.text, token.lemma_, token.pos_, token.tag_, str(token.morph)
    )


@lru_cache(maxsize=1)
def _stanza(package: str, model: str, code: str) -> Any:
    module = _imported(package)
    _must_be_folder(package, model)
    wanted = {"lang": code, "dir": model, "processors": "tokenize,pos,lemma", "use_gpu": False}
    if package == "stanza":
        wanted |= {"model_dir": wanted.pop("dir"), "download_method": None, "verbose": False}
    return _loaded(package, model, lambda: module.Pipeline(**wanted), code)


@lru_cache(maxsize=1)
def _spacy(model: str) -> Any:
    module = _imported("spacy")
    _must_be_folder("spacy", model)
    pipeline = _loaded("spacy", model, lambda: module.load(model))
    if not {"parser", "senter", "sentencizer"} & set(pipeline.pipe_names):
        pipeline.add_pipe("sentencizer")
    return pipeline


def _loaded(package: str, model: str, load: Callable[[], Any], code: str = "") -> Any:
    """The loaded pipeline. Each package raises errors of its own: all become a UserError that quotes them."""
    try:
        return load()
    except Exception as error:
        of = f" for {code!r}" if code else ""
        said = str(error).strip().partition("\n")[0] or type(error).__name__
        raise UserError(
            f"{package} finds no model{of} that it can load in {model}: {said}.",
            f"Put one there with {package}'s own download command on a machine with network access.",
        ) from error


def _must_be_folder(package: str, model: str) -> None:
    if not model or not Path(model).is_dir():
        raise UserError(
            f"{package} needs the folder of a model; there is none at {model or 'an empty path'}.",
            "Name it with --model; models are not downloaded from here.",
        )


def _imported(package: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        raise missing(package) from None


def _code(language: str) -> str:
    found = Language.find(language)
    return found.iso639_1 or found.code
