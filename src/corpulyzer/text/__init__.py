"""Text as everybody counts it: one clean form, one tokeniser, one sentence splitter, one script.

All of them hold for every script: words keep their combining marks and joiners, sentences end with the
marks of their own script, and no list of any one language's abbreviations is used.
"""

from corpulyzer.text.normal import clean, nfc
from corpulyzer.text.script import script_of, spaceless
from corpulyzer.text.sentence import sentences
from corpulyzer.text.word import c4_tokens, tokens, whitespace_token_count, word_spans

__all__ = [
    "c4_tokens",
    "clean",
    "nfc",
    "script_of",
    "sentences",
    "spaceless",
    "tokens",
    "whitespace_token_count",
    "word_spans",
]
