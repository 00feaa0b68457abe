"""Chinese by orthography: simplified, traditional, and Cantonese as it is spoken.

A source may file formal Chinese under Cantonese, or Cantonese under Chinese; its characters say what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpulyzer.page.identify.training.samples import Sample

_SIMPLIFIED = frozenset("这们国为说来时个会对后过发经里还没动进样点开无关头问两长门车")
_TRADITIONAL = frozenset("這們國為說來時個會對後過發經裡還沒動進樣點開無關頭問兩長門車") - _SIMPLIFIED
_CANTONESE = frozenset("嘅咗唔喺佢哋冇嚟啲嘢噉咁㗎")
# Of Cantonese prompts two lines in three have such a character, of Chinese ones none.
_SPOKEN, _FORMAL = 0.5, 0.05


def orthographies(samples: Sequence[Sample]) -> Iterator[Sample]:
    """The samples in Han characters by how they are written; those that are mixed are left out."""
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
