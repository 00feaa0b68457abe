"""CoNLL-U: ten columns a token, with document, paragraph and sentence boundaries as comments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from corpulyzer.export.formats import Blocks, CollectBlocks, Format, Options, by_split
from corpulyzer.export.render import Material
from corpulyzer.records.annotation import Sentence, Token

_ABOUT = ("url", "title", "author", "published", "license", "language")


def conllu(options: Options) -> Format:
    """CoNLL-U, one file for each split."""
    collect = CollectBlocks(".conllu", options.compress or "none")
    return Format("conllu", Blocks(document_lines, by_split), collect)


def document_lines(material: Material) -> bytes:
    """The sentences of a document, each followed by an empty line."""
    it = material.published
    comments = [f"# newdoc id = {it.id}"]
    comments += [f"# {name} = {_line(value)}" for name in _ABOUT if (value := getattr(it, name))]
    lines: list[str] = []
    number = 0
    for paragraph, sentences in groupby(material.sentences(), key=lambda sentence: sentence.paragraph):
        comments.append(f"# newpar id = {it.id}-p{paragraph + 1}")
        for sentence in sentences:
            number += 1
            text = it.text[sentence.start : sentence.end]
            comments += [f"# sent_id = {it.id}-s{number}", f"# text = {_line(text)}"]
            lines += [*comments, *token_lines(sentence, it.text), ""]
            comments = []
    return ("\n".join(lines) + "\n").encode("utf-8", "replace") if lines else b""


def token_lines(sentence: Sentence, text: str) -> Iterator[str]:
    """The tokens of a sentence; the words of a contraction stand below a line of its own."""
    tokens = sentence.tokens
    number = 0
    groups = [list(group) for _, group in groupby(tokens, key=lambda token: (token.start, token.end))]
    for place, words in enumerate(groups):
        following = groups[place + 1][0].start if place + 1 < len(groups) else words[-1].end + 1
        glued = "SpaceAfter=No" if following <= words[-1].end else ""
        first = number + 1
        if len(words) > 1:
            form = text[words[0].start : words[0].end]
            yield "\t".join([f"{first}-{first + len(words) - 1}", form, *"_______", glued or "_"])
        for word in words:
            number += 1
            yield _word(number, word, glued if len(words) == 1 else "")


def _word(number: int, token: Token, glued: str) -> str:
    morphs = f"Morphs={token.morphs.replace(' ', '+')}" if token.morphs else ""
    misc = "|".join(filter(None, (morphs, glued)))
    known = (_line(token.form), _line(token.lemma), token.upos, token.xpos, token.feats)
    return "\t".join([str(number), *(value or "_" for value in known), "_", "_", "_", misc or "_"])


def _line(value: str) -> str:
    return " ".join(value.split()) if "\n" in value or "\t" in value else value
