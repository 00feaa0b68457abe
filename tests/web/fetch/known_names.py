"""A resolver for tests: it knows the names that it is given, and asks nobody."""

from collections.abc import Mapping
from dataclasses import dataclass

from corpulyzer.web.fetch.http.resolve import UnresolvedError


@dataclass(frozen=True, slots=True)
class StaticResolver:
    """Knows the names it was given, `*` for any other, and asks nobody."""

    names: Mapping[str, tuple[str, ...]]

    async def __call__(self, host: str) -> tuple[str, ...]:
        addresses = self.names.get(host) or self.names.get("*")
        if not addresses:
            raise UnresolvedError("no such name")
        return addresses
