"""Which annotator a language gets."""

from __future__ import annotations

from corpulyzer.annotate.backend import Backend
from corpulyzer.annotate.settings import METHODS, Annotate
from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.text import Learned


def backend_of(asked: Annotate, language: str, learned: Learned | None = None) -> Backend:
    """The annotator that the settings ask for, its model loaded; UserError says what is missing."""
    if asked.method not in METHODS:
        raise UserError(f"There is no method {asked.method!r}.", f"Methods: {', '.join(METHODS)}.")
    backend = unloaded_backend(asked, language, learned)
    backend.load()
    return backend


def unloaded_backend(asked: Annotate, language: str, learned: Learned | None = None) -> Backend:
    """The annotator that the settings ask for; whether its model exists is not checked."""
    from corpulyzer.annotate.neural import Spacy, Stanza
    from corpulyzer.annotate.plain import Plain
    from corpulyzer.annotate.simplemma import Simplemma, code_for
    from corpulyzer.annotate.udpipe import UDPipe

    if asked.method == "udpipe" or (asked.method == "auto" and asked.model):
        return UDPipe(asked.model, language, learned)
    if asked.method in ("stanza", "classla"):
        return Stanza(asked.method, asked.model, language)
    if asked.method == "spacy":
        return Spacy(asked.model)
    if asked.method == "simplemma" or (asked.method == "auto" and code_for(language)):
        return Simplemma(language, learned)
    return Plain(language, learned)


def warnings_of(backend: Backend, language: str, *, morphs: bool) -> tuple[str, ...]:
    """What users of the annotation must know: for the command, the card and the report."""
    name = Language.find(language).name
    absent = [what for what in ("lemma", "upos", "xpos", "feats") if what not in backend.gives]
    words = {"lemma": "lemmas", "upos": "parts of speech", "xpos": "tags", "feats": "morphology"}
    if not absent:
        return ()
    has = "sentences, tokens" + (" and morphs" if morphs else "")
    if len(absent) == len(words):
        return (f"No annotator at hand knows the lemmas and tags of {name}: the annotation has only {has}.",)
    lacks = ", ".join(words[what] for what in absent)
    return (f"{backend.name} gives no {lacks}; a UDPipe model would.",)
