"""The portable subset of SQL: what DuckDB and Spark both run, verbatim, to equal rows.

Integers and strings are compared and summed, nothing is rounded, and every order is total. The lint reads
a query's tokens, not its meaning: that the last key of an order is unique is for tests to show.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import regex

from corpulyzer.engine.sql_rules import RULES, Violation
from corpulyzer.engine.sql_tokens import Token, tokenize

if TYPE_CHECKING:
    import pyarrow as pa


class PortabilityError(ValueError):
    """A query that the two engines would not answer alike."""


# All of them are alike to the rules, but for a limit that is too large.
_NUMBER = regex.compile(
    r"(?i)(?<![\w.])(?:(?<!limit\s+)[1-9][0-9]{0,17}|(?<=limit\s+)[1-9][0-9]{0,8})(?![\w.])"
)


def lint(sql: str) -> None:
    """Raise if a query is not portable; say which rules it breaks, and where.

    A crawl asks the same queries in each round, with other numbers in them: those are read once.
    """
    if not _is_portable(_NUMBER.sub("1", sql)):
        found = violations(sql)
        places = (f"line {_line(sql, v.start)}, column {_column(sql, v.start)}: {v.rule}" for v in found)
        raise PortabilityError("this query is not portable\n  " + "\n  ".join(places))


@lru_cache(maxsize=1 << 10)
def _is_portable(sql: str) -> bool:
    return not violations(sql)


def violations(sql: str) -> list[Violation]:
    """The rules that a query breaks, in the order of its text."""
    tokens = tokenize(sql)
    if not tokens or tokens[0].word not in ("select", "with"):
        return [Violation(0, "a query is one SELECT, with or without WITH before it")]
    found = [violation for rule in RULES for violation in rule(tokens)]
    if "\\" in sql:
        found.append(Violation(sql.index("\\"), "no backslashes: Spark reads them as escapes"))
    return sorted(set(found), key=lambda violation: (violation.start, violation.rule))


def columns_used(sql: str, schema: pa.Schema) -> pa.Schema:
    """The columns that a query may read of a table, of a struct its fields: for engines that cannot see it.

    >>> import pyarrow as pa
    >>> verdict = pa.struct([("kept", pa.bool_()), ("reason", pa.string())])
    >>> columns_used("select verdict.kept as k from t", pa.schema([("id", pa.int64()), ("verdict", verdict)]))
    verdict: struct<kept: bool>
      child 0, kept: bool
    """
    import pyarrow as pa

    tokens = tokenize(sql)
    if any(token.text == "*" and before.text != "(" for before, token in pairwise(tokens)):
        return schema
    words = {token.text for token in tokens if token.kind == "word"}
    found = [_used(field, tokens) for field in schema if field.name in words]
    return pa.schema(found or [schema.field(0)])


def _used(field: pa.Field[Any], tokens: Sequence[Token]) -> pa.Field[Any]:
    """A column with those of its fields that a query names; with all, where it names the column alone."""
    import pyarrow as pa

    if not pa.types.is_struct(field.type):
        return field
    places = [place for place, token in enumerate(tokens) if token.text == field.name]
    named = {_named(tokens[place + 1 : place + 3]) for place in places}
    own = [field.type.field(number) for number in range(field.type.num_fields)]
    if not named <= {each.name for each in own}:
        return field
    return field.with_type(pa.struct([each for each in own if each.name in named]))


def _named(after: Sequence[Token]) -> str:
    """The field that is asked for behind the name of a column; empty if it is the whole column."""
    is_field = len(after) == 2 and after[0].text == "."
    return after[1].text if is_field else ""


def _line(sql: str, start: int) -> int:
    return sql.count("\n", 0, start) + 1


def _column(sql: str, start: int) -> int:
    return start - (sql.rfind("\n", 0, start) + 1) + 1
