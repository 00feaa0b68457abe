"""The portable subset of SQL: what DuckDB and Spark both run, verbatim, to equal rows.

Integers and strings are compared and summed, nothing is rounded, and every order is total. The lint reads
a query's tokens, not its meaning: that the last key of an order is unique is for tests to show.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import regex

from corpulyzer.engine.sql_rules import RULES, Violation
from corpulyzer.engine.sql_tokens import tokenize


class PortabilityError(ValueError):
    """A query that the two engines would not answer alike."""


# All of them are alike to the rules, but for a limit that is too large.
_NUMBER = regex.compile(r"(?i)(?<![\w.])(?:(?<!limit )[1-9][0-9]{0,17}|(?<=limit )[1-9][0-9]{0,8})(?![\w.])")


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


def columns_used(sql: str, columns: Sequence[str]) -> list[str]:
    """Those of a table's columns that a query may read, for engines that cannot see it themselves.

    >>> columns_used("select url, count(*) as n from t group by url", ["id", "url", "text"])
    ['url']
    """
    tokens = tokenize(sql)
    for before, token in pairwise(tokens):
        if token.text == "*" and before.text != "(":
            return list(columns)
    words = {token.text for token in tokens if token.kind == "word"}
    return [column for column in columns if column in words] or list(columns[:1])


def _line(sql: str, start: int) -> int:
    return sql.count("\n", 0, start) + 1


def _column(sql: str, start: int) -> int:
    return start - (sql.rfind("\n", 0, start) + 1) + 1
