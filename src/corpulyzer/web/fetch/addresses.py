"""The addresses that hosts were seen at, and how many connections each may have at once."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Addresses:
    """`seen` has the address of each host that was asked or was to be, and grows.

    `rooms` has the connections that an address may have where they are not as many as for all others.
    """

    rooms: dict[str, int] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)

    def room(self, host: str, address: str, otherwise: int) -> int:
        """How many connections the address of a host may have; none if it is somebody else's turn."""
        self.seen[host] = address
        return self.rooms.get(address, otherwise)
