"""Several fetchers, one address: how many connections each may have, so that all together keep the limit.

They are shared out among those who were last seen to have hosts there. Whoever finds a host there that
nobody knew of leaves it for the next round, which knows. An address that nobody has seen yet is shared out
among all.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from corpulyzer.web.fetch.http.route import RefusedRouteError, place_of
from corpulyzer.web.fetch.shards.lease import shard_of

if TYPE_CHECKING:
    from corpulyzer.jobs.crawl.shards.share import Place
    from corpulyzer.storage import Storage
    from corpulyzer.web.fetch.addresses import Addresses
    from corpulyzer.web.fetch.recorder import Request


def room(most: int, shards: Sequence[int], shard: int, round: int) -> int:
    """How many of the connections to an address a shard may have, if `shards` have hosts there.

    Where they are more than there may be connections, they take turns by round.

    >>> [room(8, [0, 1, 3], shard, 1) for shard in range(4)]
    [3, 3, 0, 2]
    >>> [[room(2, range(5), shard, round) for shard in range(5)] for round in range(3)]
    [[1, 0, 0, 1, 0], [0, 0, 1, 0, 0], [0, 1, 0, 0, 1]]
    """
    if shard not in shards:
        return 0
    place, turns = shards.index(shard), -(-len(shards) // most)
    if turns > 1:
        return int((place + round) % turns == 0)
    return most // len(shards) + (place < most % len(shards))


def users_of(addresses: Addresses, requests: Iterable[Request], shards: int) -> dict[str, list[int]]:
    """The shards that have requests for hosts at an address, for each address that was seen."""
    users: dict[str, set[int]] = defaultdict(set)
    for request in requests:
        with suppress(RefusedRouteError):
            if address := addresses.seen.get(place_of(request.url)[0]):
                users[address].add(shard_of(request.site, shards))
    return {address: sorted(found) for address, found in users.items()}


def write_seen(storage: Storage, place: Place, addresses: Addresses) -> None:
    """Leave word of the addresses that a fetcher has seen, for the rounds to come."""
    storage.write(place.addresses, json.dumps(addresses.seen).encode())


def take_seen(storage: Storage, places: Iterable[Place], addresses: Addresses) -> None:
    """Learn what fetchers have left word of; then nobody needs it any more."""
    for place in places:
        if said := storage.read_if_there(place.addresses):
            addresses.seen.update(json.loads(said))
            storage.delete(place.addresses)
