"""UDPipe: sentences, tokens, lemmas, tags and features out of a model file, and models out of treebanks."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from corpulyzer.annotate.plain import plain_sentences
from corpulyzer.errors import UserError, missing
from corpulyzer.records.annotation import Sentence, Token
from corpulyzer.text import Learned

_ATTRIBUTES = {"upos": "upostag", "xpos": "xpostag", "feats": "feats", "lemma": "lemma"}


@dataclass(frozen=True, slots=True)
class UDPipe:
    """A model by its path. A model without a tokeniser is given the tokens of `text.word`."""

    model: str
    language: str
    learned: Learned | None = None
    gives: tuple[str, ...] = ("lemma", "upos", "xpos", "feats")

    @property
    def name(self) -> str:
        return f"udpipe ({Path(self.model).stem})"

    def load(self) -> None:
        """Load the model; UserError if the file holds none."""
        _model(self.model)

    def __call__(self, text: str, paragraph: int, start: int, end: int) -> Sequence[Sentence]:
        model = _model(self.model)
        udpipe = _module()
        tokenizer = model.newTokenizer(udpipe.Model.TOKENIZER_RANGES)
        if tokenizer is None:
            known = plain_sentences(text, paragraph, start, end, self.language, self.learned)
            return [self._retagged(sentence, model) for sentence in known]
        # UDPipe counts in code points, as Python does; a paragraph has no line breaks in it.
        tokenizer.setText(text[start:end])
        found = []
        sentence, error = udpipe.Sentence(), udpipe.ProcessingError()
        while tokenizer.nextSentence(sentence, error):
            model.tag(sentence, model.DEFAULT)
            tokens = tuple(_tokens(sentence, start))
            if tokens:
                found.append(Sentence(tokens[0].start, tokens[-1].end, paragraph, tokens))
        if error.occurred():
            raise ValueError(f"UDPipe: {error.message}")
        return found

    def _retagged(self, sentence: Sentence, model: Any) -> Sentence:
        """The sentence with tags for the tokens that it has."""
        from dataclasses import replace

        asked = _module().Sentence()
        for token in sentence.tokens:
            asked.addWord(token.form)
        model.tag(asked, model.DEFAULT)
        words = list(asked.words)[1:]
        tokens = [_token(w, t.start, t.end) for w, t in zip(words, sentence.tokens, strict=True)]
        return replace(sentence, tokens=tuple(tokens))


def train(treebanks: Sequence[str], held_out: str = "", options: str = "", tagger_options: str = "") -> bytes:
    """The model that UDPipe learns from CoNLL-U texts; `options` are those of its tokeniser.

    The parser is left out: nothing here asks for trees, and it takes most of the time.
    """
    udpipe = _module()
    error = udpipe.ProcessingError()
    model = udpipe.Trainer.train(
        "morphodita_parsito",
        _sentences("\n".join(treebanks)),
        _sentences(held_out),
        options or "epochs=20;batch_size=50",
        tagger_options or udpipe.Trainer.DEFAULT,
        udpipe.Trainer.NONE,
        error,
    )
    if error.occurred():
        raise UserError(f"UDPipe could not learn: {error.message}.", "Check that the files are CoNLL-U.")
    return bytes(model)


@contextmanager
def silent() -> Iterator[None]:
    """Discard what UDPipe's C++ code writes to standard error while it trains."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    sys.stderr.flush()
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def accuracy(model: str, treebank: str) -> dict[str, float]:
    """The shares of a treebank's words that a model tags as the treebank does, given the tokens."""
    right = dict.fromkeys(_ATTRIBUTES, 0)
    total = 0
    loaded = _model(model)
    for gold in _sentences(treebank):
        words = list(gold.words)[1:]
        asked = _module().Sentence()
        for word in words:
            asked.addWord(word.form)
        loaded.tag(asked, loaded.DEFAULT)
        for word, said in zip(words, list(asked.words)[1:], strict=True):
            total += 1
            for name, attribute in _ATTRIBUTES.items():
                right[name] += getattr(word, attribute) == getattr(said, attribute)
    return {name: count / total if total else 0.0 for name, count in right.items()}


def _tokens(sentence: Any, offset: int) -> Iterator[Token]:
    """The words of a sentence; those of a contraction have the place of the contraction."""
    ranges = {}
    for contraction in sentence.multiwordTokens:
        for number in range(contraction.idFirst, contraction.idLast + 1):
            ranges[number] = contraction
    for number, word in enumerate(list(sentence.words)[1:], 1):
        place = ranges.get(number, word)
        yield _token(word, offset + place.getTokenRangeStart(), offset + place.getTokenRangeEnd())


def _token(word: Any, start: int, end: int) -> Token:
    return Token(start, end, word.form, word.lemma, word.upostag, word.xpostag, word.feats)


def _sentences(conllu: str) -> Any:
    """The sentences of a CoNLL-U text, as UDPipe has them."""
    udpipe = _module()
    found, error = udpipe.Sentences(), udpipe.ProcessingError()
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(conllu)
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        found.append(sentence)
    if error.occurred():
        raise UserError(f"This is no CoNLL-U: {error.message}.", "Name treebank files of ten columns a word.")
    return found


@lru_cache(maxsize=2)
def _model(path: str) -> Any:
    if not Path(path).is_file():
        raise UserError(
            f"There is no UDPipe model at {path or 'an empty path'}.",
            "Name one with --model, or make one with `corpulyzer annotate train TREEBANK.conllu`.",
        )
    loaded = _module().Model.load(path)
    if loaded is None:
        raise UserError(f"{path} is no UDPipe model.", "Name a file made by UDPipe 1 (….udpipe).")
    return loaded


def _module() -> Any:
    try:
        import ufal.udpipe as udpipe
    except ImportError:
        raise missing("ufal.udpipe", "annotate") from None
    return udpipe
