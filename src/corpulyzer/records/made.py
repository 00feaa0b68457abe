"""`maker(cls, *names)`: makes records of a class out of the values of these fields, in this order.

A page becomes some records with a hundred fields together. They are frozen, so that Python sets each field by
a call; compiled, where possible, it takes a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from corpulyzer.native import compiled

__all__ = ["maker"]

Record = TypeVar("Record")


def maker(cls: type[Record], *names: str) -> Callable[..., Record]:
    """A function of the values of `names` that makes a record; the other fields get their defaults.

    >>> from corpulyzer.records import Evidence
    >>> maker(Evidence, "where", "kind", "value")("footer", "cc-by", "CC BY 4.0")
    Evidence(kind='cc-by', value='CC BY 4.0', where='footer')
    """
    if compiled is None:
        return made_by_name(cls, *names)
    others: list[Any] = [field for field in fields(cls) if field.name not in names]  # type: ignore[arg-type]
    fixed = {field.name: field.default for field in others if field.default is not MISSING}
    fresh = {field.name: field.default_factory for field in others if field.default_factory is not MISSING}
    make: Callable[..., Record] = compiled.Maker(cls, names, fixed, fresh)
    return make


def made_by_name(cls: type[Record], *names: str) -> Callable[..., Record]:
    """The same by the constructor of the class."""
    return lambda *values: cls(**dict(zip(names, values, strict=True)))
