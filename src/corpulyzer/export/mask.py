"""Documents with plain tokens in the place of traces of people, and with offsets that are true of that.

Text, title, author and what an import told of a document are masked. Ids, addresses and what names the record
that a document was made of stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import md5

from corpulyzer.errors import UserError
from corpulyzer.export.published import SOURCE
from corpulyzer.records import Document, Paragraph
from corpulyzer.records.annotation import Sentence, Token
from corpulyzer.text.census import census
from corpulyzer.text.masks import Masked, masked
from corpulyzer.text.traces import KINDS, find_traces

# Of what an import told: names of records, not words of people.
_UNTOUCHED = tuple(
    f"{SOURCE}{name}" for name in ("id", "url", "archive", "offset", "record_id", "text_digest")
)


@dataclass(frozen=True, slots=True)
class Mask:
    """The kinds of traces that tokens take the place of; without any, documents stay as they are."""

    kinds: tuple[str, ...] = ()

    def __call__(self, document: Document, target: str) -> tuple[Document, dict[str, int]]:
        """The document as it may be shown, and how many traces of each kind its text had.

        `target` is the code of the language in which it is in the corpus.
        """
        if not self.kinds:
            return document, dict(Counter(trace.kind for trace in find_traces(document.text)))
        shown, replaced = self._masked(document, target)
        return shown, {**Counter(trace.kind for trace in find_traces(shown.text)), **replaced}

    def sentences(self, text: str, found: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
        """The sentences of a text as they stand in the masked one; a token of ours is one of theirs."""
        if not self.kinds:
            return found
        spans = [(sentence.start, sentence.end) for sentence in found]
        spans += [(token.start, token.end) for sentence in found for token in sentence.tokens]
        places = [place for span in spans for place in span]
        now = masked(text, self.kinds, places)
        at = dict(zip(places, now.places, strict=True))
        return tuple(_sentence(sentence, text, now, at) for sentence in found) if now.tokens else found

    def _masked(self, document: Document, target: str) -> tuple[Document, dict[str, int]]:
        bounds = [place for paragraph in document.paragraphs for place in (paragraph.start, paragraph.end)]
        now = masked(document.text, self.kinds, bounds)
        shown = _with_text(document, now, target) if now.counts else document
        labels = {
            name: value if name in _UNTOUCHED or not name.startswith(SOURCE) else self._words(value)
            for name, value in document.labels.items()
        }
        title, author = self._words(document.title), self._words(document.author)
        return replace(shown, title=title, author=author, labels=labels), dict(now.counts)

    def _words(self, text: str) -> str:
        return masked(text, self.kinds).text


def mask_of(asked: str) -> Mask:
    """The mask that a flag asks for, such as `email,phone`; UserError for a kind that there is not."""
    kinds = tuple(dict.fromkeys(part.strip() for part in asked.split(",") if part.strip()))
    for kind in kinds:
        if kind not in KINDS:
            raise UserError(f"--mask cannot be {kind!r}.", f"What can be masked: {', '.join(KINDS)}.")
    return Mask(kinds)


def _with_text(document: Document, now: Masked, target: str) -> Document:
    """The document with a masked text; its bytes by language grow or shrink with the paragraphs."""
    paragraphs, languages = [], Counter(document.languages)
    for number, paragraph in enumerate(document.paragraphs):
        start, end = now.places[2 * number : 2 * number + 2]
        before, inside = document.text[paragraph.start : paragraph.end], now.text[start:end]
        new = paragraph._replace(start=start, end=end, languages=_resized(paragraph, before, inside))
        languages.update({code: size - paragraph.languages[code] for code, size in new.languages.items()})
        paragraphs.append(new)
    raw = now.text.encode("utf-8", "surrogatepass")
    return replace(
        document,
        text=now.text,
        text_digest=md5(raw, usedforsecurity=False).hexdigest(),
        text_bytes=len(raw),
        tokens=census(now.text).words,
        paragraphs=tuple(paragraphs),
        languages=dict(languages),
        target_bytes=document.target_bytes + languages[target] - document.languages.get(target, 0),
    )


def _resized(paragraph: Paragraph, before: str, inside: str) -> Mapping[str, int]:
    """The bytes of a paragraph by language: the same shares of what it is now."""
    if inside == before:
        return paragraph.languages
    old, new = (len(text.encode("utf-8", "surrogatepass")) for text in (before, inside))
    return {code: round(size * new / old) for code, size in paragraph.languages.items()}


def _sentence(sentence: Sentence, text: str, now: Masked, at: Mapping[int, int]) -> Sentence:
    """A sentence in the masked text: the tokens that stand there as before, and ours, in order."""
    start, end = at[sentence.start], at[sentence.end]
    left = [
        replace(token, start=at[token.start], end=at[token.end])
        for token in sentence.tokens
        if now.text[at[token.start] : at[token.end]] == text[token.start : token.end]
    ]
    ours = [
        Token(first, last, now.text[first:last], lemma=now.text[first:last])
        for first, last in now.tokens
        if start <= first < end
    ]
    tokens = sorted((*left, *ours), key=lambda token: (token.start, token.end))
    return Sentence(start, end, sentence.paragraph, tuple(tokens))
