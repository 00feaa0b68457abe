"""Text as everybody counts it: one clean form, one tokeniser, one sentence splitter, one script.

All of them hold for every script: words keep their combining marks and joiners, sentences end with the
marks of their own script; short lists of abbreviations help where a language has one.
"""

from corpulyzer.text.abbreviations import Learned
from corpulyzer.text.normal import clean, nfc
from corpulyzer.text.script import script_of, spaceless, weightiest_script
from corpulyzer.text.sentence import sentences
from corpulyzer.text.word import c4_tokens, tokens, whitespace_token_count, word_spans

__all__ = [
    "Learned",
    "c4_tokens",
    "clean",
    "nfc",
    "script_of",
    "sentences",
    "spaceless",
    "tokens",
    "weightiest_script",
    "whitespace_token_count",
    "word_spans",
]
