"""How duplicates are told, and what becomes of them: the table `[dedup]` of the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from corpulyzer.dedup.near.method import Method
from corpulyzer.dedup.near.minhash import MinHash
from corpulyzer.dedup.near.simhash import SimHash
from corpulyzer.dedup.near.text_profile import TextProfile
from corpulyzer.dedup.passages import Scope
from corpulyzer.dedup.units import Keep

Level = Literal["raw", "document", "near", "paragraph", "sentence"]
LEVELS: tuple[Level, ...] = ("raw", "document", "near", "paragraph", "sentence")
Dropping = Literal["raw", "document", "near", "paragraph"]


@dataclass(frozen=True, slots=True)
class Dedup:
    """Duplicates are labelled at every level; `policy` says at which of them only one copy stays."""

    policy: Annotated[
        tuple[Dropping, ...], "Levels at which only one copy stays in the corpus; empty: labels alone."
    ] = ("raw", "document", "near", "paragraph")
    raw_first: Annotated[
        bool,
        "Copies of a payload go before their text is looked at, so that they count as copies whatever else "
        "is wrong with them; else only copies of what is kept go.",
    ] = False
    method: Annotated[
        Literal["minhash", "simhash", "text_profile"], "How near-duplicate documents are told."
    ] = "minhash"
    keep: Annotated[Keep, "The copy that stays: the longest text, the earliest, or the best `score`."] = (
        "longest"
    )
    score: Annotated[str, "Name of the score by which `keep = best` prefers a copy; a high one is good."] = ""
    paragraph_scope: Annotated[Scope, "Paragraphs are copies within a site, or anywhere in the corpus."] = (
        "site"
    )
    site_memory: Annotated[
        bool, "Paragraphs that a site repeats on page after page go from all its pages, the first one too."
    ] = False
    across_languages: Annotated[
        bool, "Of several languages: near-copies, paragraphs and sentences are copies in any of them too."
    ] = False
    minhash: MinHash = field(default_factory=MinHash)
    simhash: SimHash = field(default_factory=SimHash)
    text_profile: TextProfile = field(default_factory=TextProfile)

    @property
    def near(self) -> Method:
        """The method for near-duplicates, with its parameters."""
        methods: dict[str, Method] = {
            "minhash": self.minhash,
            "simhash": self.simhash,
            "text_profile": self.text_profile,
        }
        return methods[self.method]
