"""Sentences of known language: folders of one file a language, a sentence a line."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import regex

from corpulyzer.errors import UserError
from corpulyzer.language import Language
from corpulyzer.text import script_of

# The length of a paragraph of running text on the web, at least.
PARAGRAPH_CHARACTERS = 300
DOCUMENT_CHARACTERS = 3000
_SIMPLIFIED = frozenset("这们国为说来时个会对后过发经里还没动进样点开无关头问两长门车")
_TRADITIONAL = frozenset("這們國為說來時個會對後過發經裡還沒動進樣點開無關頭問兩長門車") - _SIMPLIFIED
_CANTONESE = frozenset("嘅咗唔喺佢哋冇嚟啲嘢噉咁㗎")
# Of Cantonese prompts two lines in three have such a character, of Chinese ones none.
_SPOKEN, _FORMAL = 0.5, 0.05
# Arabic of all countries is `ara` to the models: what is spoken is written much like the standard.
WHOLES = dict.fromkeys(("acm", "acq", "aeb", "ajp", "apc", "ars", "ary", "arz"), "ara")
_NAME = regex.compile(r"(?P<code>\p{Ll}{2,3})(?:[_@-].*)?")


@dataclass(frozen=True, slots=True)
class Sample:
    """Lines of one language in one script from one source, in their order."""

    code: str
    script: str
    source: str
    lines: tuple[str, ...]

    @property
    def label(self) -> str:
        return f"{self.code}-{self.script}"


def code_in(name: str) -> str:
    """The language code that a file's name begins with, whatever script, region or key follows.

    >>> code_in("arb_Arab"), code_in("zho-CN"), code_in("acu@acu_1")
    ('ara', 'zho', 'acu')
    """
    match = _NAME.fullmatch(name)
    if not match:
        raise UserError(f"The file name {name!r} begins with no language code.", "Name files like urd.txt.")
    return Language.find(match["code"]).code


def read_lines(file: Path) -> list[str]:
    """The lines of a text file that say something, in NFC."""
    text = unicodedata.normalize("NFC", file.read_text("utf-8", "replace"))
    return [line.strip() for line in text.split("\n") if line.strip()]


def read_folder(folder: Path) -> list[Sample]:
    """A sample for each text file of a folder, in the order of their names."""
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise UserError(f"{folder} has no text files.", "It needs a file for each language, such as urd.txt.")
    samples = []
    for file in files:
        lines = read_lines(file)
        script = script_of(" ".join(lines[:50]))
        samples.append(Sample(code_in(file.stem), script, folder.name, tuple(lines)))
    return samples


def joined(lines: Sequence[str], characters: int) -> Iterator[str]:
    """Successive lines together, each stretch with at least so many characters; a short end is left out.

    >>> list(joined(["ab", "cd", "e"], 4))
    ['ab cd']
    """
    together: list[str] = []
    size = 0
    for line in lines:
        together.append(line)
        size += len(line)
        if size >= characters:
            yield " ".join(together)
            together, size = [], 0
    if together and size >= characters / 2:
        yield " ".join(together)


def orthographies(samples: Sequence[Sample]) -> Iterator[Sample]:
    """Chinese by how it is written: simplified, traditional, and Cantonese as it is spoken.

    A source may file formal Chinese under Cantonese, or Cantonese under Chinese; its characters say what it
    is. What is misfiled or mixed is left out.
    """
    for sample in samples:
        if sample.code in ("zho", "yue") and sample.script == "Hani":
            spoken = sum(not _CANTONESE.isdisjoint(line) for line in sample.lines) / len(sample.lines)
            if spoken >= _SPOKEN and sample.code == "yue":
                yield replace(sample, script="Hant")
            elif spoken <= _FORMAL and sample.code == "zho":
                yield replace(sample, script=_script("".join(sample.lines)))


def _script(text: str) -> str:
    simplified = sum(letter in _SIMPLIFIED for letter in text)
    return "Hans" if simplified > sum(letter in _TRADITIONAL for letter in text) else "Hant"
