"""What annotation can be asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

Method = Literal["auto", "plain", "simplemma", "udpipe", "stanza", "classla", "spacy"]
METHODS = ("auto", "plain", "simplemma", "udpipe", "stanza", "classla", "spacy")


@dataclass(frozen=True, slots=True)
class Annotate:
    """Who annotates, with which model, and whether words are cut into morphs."""

    method: Annotated[
        Method,
        "`auto`: UDPipe where a model is named, simplemma where it knows the language, or tokens only.",
    ] = "auto"
    model: Annotated[str, "File or folder of the model, for udpipe, stanza, classla and spacy."] = ""
    morphs: Annotated[
        Literal["auto", "always", "never"],
        "Morphs by Morfessor, trained on the corpus; `auto`: where there are no lemmas.",
    ] = "auto"
