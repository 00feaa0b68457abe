"""Which of the kept documents an export takes, and to which split each of them goes."""

from __future__ import annotations

from dataclasses import dataclass, field

from corpulyzer.errors import UserError
from corpulyzer.export.published import Published
from corpulyzer.records import int64_hash

QUALITY = "quality"
NONE = "none"
CREATIVE_COMMONS = "cc"
_PARTS = 1_000_000


@dataclass(frozen=True, slots=True)
class Selection:
    """Why a document is left out, or an empty string.

    `licenses` are kinds such as `cc-by`; `cc` stands for all of Creative Commons, `none` for no license. A
    `language` is one of several that a corpus is for; documents with a label of `without` are left out. The
    documents of a `subcorpus` are told by their ids, which are given apart.
    """

    licenses: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    min_quality: float | None = None
    language: str = ""
    without: tuple[str, ...] = ()
    subcorpus: str = ""

    def __post_init__(self) -> None:
        if self.min_quality is not None and not 0 <= self.min_quality <= 1:
            raise UserError(f"There is no quality of {self.min_quality}.", "Give one from 0 to 1.")

    def __call__(self, document: Published) -> str:
        if self.language and document.language != self.language:
            return "language"
        if self.licenses and not self._has_license(document.license):
            return "license"
        if self.sites and not any(_within(document.site, site) for site in self.sites):
            return "site"
        for label in document.content.split():
            if label in self.without:
                return f"label {label}"
        if self.min_quality is not None:
            quality = document.scores.get(QUALITY)
            if quality is None:
                return "no quality score"
            if quality < self.min_quality:
                return "quality"
        return ""

    def _has_license(self, kind: str) -> bool:
        open_kind = kind.startswith(CREATIVE_COMMONS) or kind == "public-domain"
        return (kind or NONE) in self.licenses or (open_kind and CREATIVE_COMMONS in self.licenses)


@dataclass(frozen=True, slots=True)
class Splits:
    """The split of each document, by a hash of its id: the same in every export with the same seed."""

    shares: tuple[tuple[str, float], ...] = field(default=(("train", 1.0),))
    seed: int = 0

    def __call__(self, document: Published) -> str:
        if len(self.shares) == 1:
            return self.shares[0][0]
        at = int64_hash(str(self.seed), document.id) % _PARTS / _PARTS
        for name, share in self.shares:
            at -= share
            if at < 0:
                return name
        return self.shares[0][0]


def splits_of(text: str, seed: int = 0) -> Splits:
    """The splits that a flag asks for; the first takes what the others leave where it has no share.

    >>> splits_of("train,test=0.1").shares
    (('train', 0.9), ('test', 0.1))
    """
    named = [part.strip().partition("=") for part in text.split(",") if part.strip()]
    try:
        shares = [(name.strip(), float(share) if share else -1.0) for name, _, share in named]
    except ValueError:
        raise _bad(text) from None
    names = [name for name, _ in shares]
    open_ends = sum(share < 0 for _, share in shares)
    rest = 1.0 - sum(share for _, share in shares if share >= 0)
    if not names or len(set(names)) < len(names) or not all(name.isidentifier() for name in names):
        raise _bad(text)
    if open_ends > 1 or rest < -1e-9 or (not open_ends and rest > 1e-9):
        raise _bad(text)
    return Splits(tuple((name, round(rest, 6) if share < 0 else share) for name, share in shares), seed)


def _bad(text: str) -> UserError:
    return UserError(f"--split {text!r} divides nothing.", "Write train,validation=0.05,test=0.05.")


def _within(site: str, wanted: str) -> bool:
    wanted = wanted.lower().removeprefix("www.").strip(".")
    return site == wanted or site.endswith(f".{wanted}")
