"""The rules of portable SQL, each with what differs between the engines where it is broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpulyzer.engine.sql_tokens import Token, inside_of, items_of

_KEYWORDS = """
all and anti as asc between by case cast cross current desc distinct else end except exists false filter first
following from full group having in inner intersect is join last left like limit not null nulls on or order
outer over partition preceding range right row rows select semi then true unbounded union using when where
with
"""
_FOREIGN = """
any asof cube describe div escape exclude explode fetch glob grouping ilike interval lateral natural offset
pivot positional qualify recursive regexp replace rlike rollup sample similar some tablesample unnest unpivot
values window
"""
_FUNCTIONS = "cast coalesce count greatest least length max min nullif row_number sum"

KEYWORDS = frozenset(_KEYWORDS.split())
FOREIGN = frozenset(_FOREIGN.split())
FUNCTIONS = frozenset(_FUNCTIONS.split())
OPERATORS = frozenset(("=", "<>", "!=", "<", "<=", ">", ">=", "+", "-", "*", "%", "||", ",", ".", "(", ")"))
TESTS = frozenset(("=", "<>", "!=", "<", "<=", ">", ">=", "and", "or", "not", "is", "in", "like", "between"))
SET_OPERATIONS = frozenset(("union", "except", "intersect"))
LARGEST, LARGEST_LIMIT = (1 << 63) - 1, (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a query breaks, and the place."""

    start: int
    rule: str


def single_tokens(tokens: Sequence[Token]) -> Iterator[Violation]:
    """Rules that a token breaks by itself or by its neighbour."""
    for number, token in enumerate(tokens):
        before = tokens[number - 1].text if number else ""
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        rule = _token_rule(token, before, after)
        if rule:
            yield Violation(token.start, rule)


def _token_rule(token: Token, before: str, after: Token | None) -> str:
    if token.kind == "quoted":
        return 'no quoted identifiers: "k" is a string in Spark'
    if token.kind == "number" and not token.text.isdecimal():
        return "no decimal literals: the engines give them different types"
    if token.kind == "number" and int(token.text) > LARGEST:
        return "no integers beyond 64 bits"
    if token.kind == "number" and before.lower() == "limit" and int(token.text) > LARGEST_LIMIT:
        return "no limit beyond 32 bits: Spark takes none"
    if token.kind == "operator":
        return _operator_rule(token, after)
    if token.kind == "word":
        return _word_rule(token, before, after)
    return ""


def _operator_rule(token: Token, after: Token | None) -> str:
    if token.text in ("/", "//"):
        return "no division: what it rounds, and what it does with 0, differs"
    if token.text not in OPERATORS:
        return f"no {token.text!r}: it is not in both dialects"
    if token.text == "%" and not (after and after.kind == "number" and after.text.strip("0")):
        return "% only before a number that is not 0"
    return ""


def _word_rule(token: Token, before: str, after: Token | None) -> str:
    if token.text != token.text.lower() and not (token.word in KEYWORDS and token.text.isupper()):
        return "identifiers in lower case: the engines fold case in different ways"
    if before == ".":
        return ""
    if token.word in FOREIGN:
        return f"no {token.word!r}: it is not in both dialects (a column of that name: say which table's)"
    if after is not None and after.kind == "string" and token.word not in KEYWORDS:
        return "no typed literals"
    return ""


def calls(tokens: Sequence[Token]) -> Iterator[Violation]:
    """Functions outside the list, casts, sums of truth values, row numbers without an order."""
    for number, (token, after) in enumerate(pairwise(tokens)):
        if token.kind != "word" or after.text != "(":
            continue
        inside = inside_of(tokens, number + 1)
        words = [inner.word for inner in inside]
        if token.word not in FUNCTIONS | KEYWORDS:
            yield Violation(
                token.start, f"no function {token.word!r}; portable: {', '.join(sorted(FUNCTIONS))}"
            )
        elif token.word == "cast" and words[:2] != ["null", "as"]:
            yield Violation(token.start, "no casts but of NULL: what they round and how they write differs")
        elif token.word == "sum" and "case" not in words and not TESTS.isdisjoint(words):
            yield Violation(token.start, "no sum of truth values: sum(case when … then 1 else 0 end)")
        elif token.word == "row_number":
            window = inside_of(tokens, number + 4)
            if "order" not in [inner.word for inner in window]:
                yield Violation(token.start, "row_number needs an order")


def orders(tokens: Sequence[Token]) -> Iterator[Violation]:
    """Sort keys that do not say where NULL goes."""
    for number, token in enumerate(tokens):
        if token.word == "order" and number + 1 < len(tokens) and tokens[number + 1].word == "by":
            for key in items_of(tokens, number + 2, SET_OPERATIONS | {"limit", "rows", "range"}):
                if [part.word for part in key[-2:]] not in (["nulls", "first"], ["nulls", "last"]):
                    yield Violation(key[0].start, "every sort key says NULLS FIRST or NULLS LAST")


def limits(tokens: Sequence[Token]) -> Iterator[Violation]:
    """A LIMIT without an order, which may take any rows."""
    for number, token in enumerate(tokens):
        if token.word == "limit":
            before = [other for other in tokens[:number] if other.depth <= token.depth]
            while before and before[-1].depth == token.depth and before[-1].word != "order":
                before.pop()
            if not before or before[-1].word != "order":
                yield Violation(token.start, "LIMIT needs an ORDER BY before it")


def names(tokens: Sequence[Token]) -> Iterator[Violation]:
    """Results without a name, which each engine would name in its own way."""
    for number, token in enumerate(tokens):
        if token.word != "select":
            continue
        start = number + 1 + (tokens[number + 1].word == "distinct" if number + 1 < len(tokens) else 0)
        for item in items_of(tokens, start, SET_OPERATIONS | {"from", "where", "group", "order"}):
            column = all(part.word == "." or part.kind == "word" or part.text == "*" for part in item)
            bare = column and (len(item) == 1 or (len(item) % 2 == 1 and item[1].word == "."))
            literal = len(item) == 1 and token.depth > 0
            if not (bare or literal or (len(item) > 2 and item[-2].word == "as")):
                yield Violation(item[0].start, "every column that is computed needs a name: … AS name")


RULES = (single_tokens, calls, orders, limits, names)
