"""Vertical text (VRT) for Sketch Engine, NoSketch Engine and CWB: a token a line, structures as tags (HR-15).

Markup is escaped as in XML, in tokens too: `cwb-encode` reads that with `-x`. The registry file says what
the columns and structures are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

import regex

from corpulyzer.export.files import Written, write_file
from corpulyzer.export.formats import About, Blocks, CollectBlocks, Format, Options, Work, by_split
from corpulyzer.export.render import Material
from corpulyzer.export.select import QUALITY
from corpulyzer.records.annotation import Sentence, Token

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "morphs")
# What concordancers call the columns: `tag` is the tag set of the language (MULTEXT-East, HR-20).
ATTRIBUTES = ("word", "lemma", "pos", "tag", "feats", "morphs")
DOCUMENT = (
    *("id", "url", "site", "date", "language", "license", "title", "author", "published", "tokens"),
    QUALITY,
)
PARAGRAPH = ("language", "quality", "kind")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": " ", "\t": " "})
_UNSAFE = regex.compile(r"[^a-z0-9_]+")


def vertical(options: Options) -> Format:
    """Vertical text with its registry file."""
    columns = len(COLUMNS) if options.annotated else 1
    collect = CollectBlocks(".vrt", options.compress or "none")
    return Format("vertical", Blocks(Vertical(columns), by_split), WithRegistry(collect, columns))


@dataclass(frozen=True, slots=True)
class Vertical:
    """A document as vertical text, with the first `columns` of what is known of a token."""

    columns: int

    def __call__(self, material: Material) -> bytes:
        lines = [_tag("doc", _document(material)), *self._paragraphs(material), "</doc>"]
        return ("\n".join(lines) + "\n").encode("utf-8", "replace")

    def _paragraphs(self, material: Material) -> Iterator[str]:
        it = material.published
        for number, sentences in groupby(material.sentences(), key=lambda sentence: sentence.paragraph):
            span = it.paragraphs[number]
            about = {"language": span.language, "quality": f"{span.confidence:.2f}", "kind": span.kind}
            yield _tag("p", about)
            for sentence in sentences:
                yield "<s>"
                yield from self._tokens(sentence)
                yield "</s>"
            yield "</p>"

    def _tokens(self, sentence: Sentence) -> Iterator[str]:
        end = sentence.start
        for number, token in enumerate(sentence.tokens):
            if number and token.start <= end:
                yield "<g/>"
            end = token.end
            yield "\t".join(self._values(token))

    def _values(self, token: Token) -> Iterator[str]:
        for name in COLUMNS[: self.columns]:
            yield getattr(token, name).translate(_ESCAPES) or "_"


@dataclass(frozen=True, slots=True)
class WithRegistry:
    """Writes the blocks, and the registry file of the corpus that they are."""

    blocks: CollectBlocks
    columns: int

    def __call__(self, work: Work) -> list[Written]:
        about = replace(work.about, name=registry_name(work.about.name))
        written = self.blocks(work)
        text = registry(about, self.columns, [file.path for file in written])
        return [*written, write_file(work.place, f"registry/{about.name}", text.encode())]


def registry_name(name: str) -> str:
    """A name that a registry takes: small letters, digits, underscores.

    >>> registry_name("Urdu Web")
    'urdu_web'
    """
    return _UNSAFE.sub("_", name.lower()).strip("_") or "corpus"


def registry(about: About, columns: int, files: list[str]) -> str:
    """The registry file of Manatee (Sketch Engine, NoSketch Engine)."""
    lines = [
        f'NAME "{about.name}"',
        f'INFO "{about.language.name}, {about.documents} documents, version {about.version}"',
        f'PATH "manatee/{about.name}"',
        f'VERTICAL "| cat {" ".join(files)}"',
        'ENCODING "utf-8"',
        f'LANGUAGE "{about.language.name}"',
        *(['RIGHTTOLEFT "1"'] if about.language.direction == "rtl" else []),
        *(f"ATTRIBUTE {name}" for name in ATTRIBUTES[:columns]),
        *_structure("doc", DOCUMENT),
        *_structure("p", PARAGRAPH),
        "STRUCTURE s",
        'STRUCTURE g {\n    DISPLAYTAG 0\n    DISPLAYBEGIN "_EMPTY_"\n}',
    ]
    return "\n".join(lines) + "\n"


def _structure(name: str, attributes: tuple[str, ...]) -> list[str]:
    return [f"STRUCTURE {name} {{", *(f"    ATTRIBUTE {each}" for each in attributes), "}"]


def _document(material: Material) -> dict[str, str]:
    it = material.published
    values = {name: str(getattr(it, name)) for name in DOCUMENT if name not in ("date", QUALITY)}
    quality = it.scores.get(QUALITY)
    return values | {"date": f"{it.date:%Y-%m-%d}", QUALITY: "" if quality is None else f"{quality:.3f}"}


def _tag(name: str, values: dict[str, str]) -> str:
    order = DOCUMENT if name == "doc" else PARAGRAPH
    attributes = [f'{key}="{values[key].translate(_ESCAPES)}"' for key in order]
    return f"<{' '.join([name, *attributes])}>"
