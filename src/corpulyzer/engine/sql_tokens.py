"""The tokens of a query, as far as a lint needs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

_TOKEN = regex.compile(
    r"""(?P<space>\s+|--[^\n]*|/\*.*?\*/)
      | (?P<string>'(?:[^']|'')*')
      | (?P<quoted>"[^"]*"|`[^`]*`)
      | (?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?\w*|\.\d+\w*)
      | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<operator><>|!=|<=|>=|\|\||::|->|=>|==|//|\*\*|.)""",
    regex.VERBOSE | regex.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number, string or operator of a query, where it stands, and in how many parentheses."""

    kind: str
    text: str
    start: int
    depth: int

    @property
    def word(self) -> str:
        """The text as SQL compares it; empty for what is no word or operator."""
        return self.text.lower() if self.kind in ("word", "operator") else ""


def tokenize(sql: str) -> list[Token]:
    """The tokens of a query without its comments. A parenthesis has the depth of what is around it."""
    tokens, depth = [], 0
    for match in _TOKEN.finditer(sql):
        kind, text = str(match.lastgroup), match.group()
        if kind == "space":
            continue
        depth -= text == ")"
        tokens.append(Token(kind, text, match.start(), depth))
        depth += text == "("
    return tokens


def inside_of(tokens: Sequence[Token], opening: int) -> list[Token]:
    """The tokens within the parenthesis at `opening`; none if there is none."""
    if opening >= len(tokens) or tokens[opening].text != "(":
        return []
    inside = []
    for token in tokens[opening + 1 :]:
        if token.depth <= tokens[opening].depth:
            break
        inside.append(token)
    return inside


def items_of(tokens: Sequence[Token], start: int, ends: frozenset[str]) -> Iterator[list[Token]]:
    """The parts between commas from `start` to the end of the clause."""
    item: list[Token] = []
    depth = tokens[start].depth if start < len(tokens) else 0
    for token in tokens[start:]:
        if token.depth < depth or (token.depth == depth and token.word in ends):
            break
        if token.depth == depth and token.text == ",":
            yield item
            item = []
        else:
            item.append(token)
    if item:
        yield item
