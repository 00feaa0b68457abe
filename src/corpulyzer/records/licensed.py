"""What of a document its license follows from, for those who have no whole document at hand."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Licensed(Protocol):
    """A document, or as much of one as votes on licenses ask for."""

    @property
    def site(self) -> str: ...
    @property
    def license(self) -> str: ...
    @property
    def license_basis(self) -> str: ...


class Voter(NamedTuple):
    """The same as plain values."""

    site: str
    license: str
    license_basis: str
