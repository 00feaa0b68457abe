"""The tables of the frontier: what is known of each URL, of each cell of URLs that look alike, of each site.

Everything that is counted is an integer, so that sums can be merged in any order.
"""

from __future__ import annotations

from dataclasses import dataclass

MICRO = 1_000_000
NEVER = 1 << 62
"""The `due` of a URL that is not to be fetched again."""
OTHER_LANGUAGE = -1
"""The key of all languages that the corpus is not for; 0 is that of none."""


@dataclass(frozen=True, slots=True)
class Known:
    """A URL that was seen: where it belongs, the evidence for it, and the outcome of its fetches.

    `stem` is shared with URLs of the site that may be other views of the page, and `sibling` says that one
    of them was read. `hops` are links from the nearest seed. `words` is what the URL itself says of its
    language: 0 nothing, 1 another, 2 the target. `share` sums the target shares of the referrers in
    millionths, and `referrer_bytes` are the target bytes of the best of them. `listed` counts sitemaps and
    feeds that name it, `maps` links that call it one. `cash` is that of OPIC. The digests are of runs of its
    longest paragraphs; the first is its `id` for a page without text, 0 if there never was a page. `due` and
    `fetched` are seconds since 1970. `fetch_round` is the round of the last fetch: unlike `fetched` it does
    not depend on how fast pages come, so what was read last is told by it. `refused` is why it is never
    fetched, or that it is a list of pages and put off. `spelling` is how the URL is to be sent, empty where
    that is the canonical form: of all that were seen the one of the lowest round, then hops, then text.
    """

    id: int
    url: str
    spelling: str
    site_id: int
    section_id: int
    prefix_id: int
    stem: int
    sibling: int
    round: int
    hops: int
    seed: int
    words: int
    links: int
    outside: int
    from_target: int
    share: int
    anchors_target: int
    anchors_script: int
    anchors_other: int
    anchors_named: int
    alternates_target: int
    alternates_other: int
    listed: int
    maps: int
    referrer: int
    referrer_bytes: int
    cash: int
    refused: str
    fetches: int
    fetched: int
    fetch_round: int
    status: int
    failures: int
    pause: int
    due: int
    kept: int
    digest: int
    digest_2: int
    digest_3: int
    digest_4: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A URL of a round's fetch list, with what the round's update will need to know of it."""

    place: int
    id: int
    url: str
    spelling: str
    site_id: int
    section_id: int
    prefix_id: int
    stem: int
    evidence: int
    score: int
    hops: int
    seed: int
    cash: int
    fetches: int
    failures: int
    pause: int
    digest: int


@dataclass(frozen=True, slots=True)
class Clue:
    """What one link says of its target, or a seed of itself; summed up by target when the round ends.

    The first nine fields follow from the URL and its hops.
    """

    id: int
    url: str
    site_id: int
    section_id: int
    prefix_id: int
    stem: int
    hops: int
    words: int
    refused: str
    spelling: str
    seed: int
    links: int
    outside: int
    from_target: int
    share: int
    anchors_target: int
    anchors_script: int
    anchors_other: int
    anchors_named: int
    alternates_target: int
    alternates_other: int
    listed: int
    maps: int
    referrer: int
    referrer_bytes: int
    cash: int


@dataclass(frozen=True, slots=True)
class State:
    """What became of a URL in a round: its new state, and the sums that it adds to its cell.

    `good` is a page that the corpus keeps and did not have; `thin` one with next to no text of its own.
    `leads_to` is the URL that a redirect points to. `language` is the key of the language that its
    document is judged by: the hash of its code, 0 for none, OTHER_LANGUAGE for one that is not wanted.
    """

    id: int
    site_id: int
    section_id: int
    prefix_id: int
    stem: int
    evidence: int
    site: str
    leads_to: int
    fetches: int
    fetched: int
    status: int
    failures: int
    pause: int
    due: int
    digest: int
    digest_2: int
    digest_3: int
    digest_4: int
    kept: int
    tries: int
    pages: int
    good: int
    errors: int
    copies: int
    thin: int
    target_bytes: int
    language: int


@dataclass(frozen=True, slots=True)
class Cell:
    """Sums of what was fetched of a URL pattern with the same evidence, in one round (0: all older ones)."""

    prefix_id: int
    evidence: int
    round: int
    site_id: int
    section_id: int
    tries: int
    pages: int
    good: int
    errors: int
    copies: int
    thin: int
    target_bytes: int


@dataclass(frozen=True, slots=True)
class Site:
    """Sums of what was fetched of a site."""

    site_id: int
    site: str
    round: int
    tries: int
    pages: int
    good: int
    errors: int
    copies: int
    thin: int
    target_bytes: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """Requests for a URL pattern by the language of the documents that came, in a corpus of several.

    `language` is that of `State`: 0 for requests that brought no document, or one whose language is unknown.
    """

    prefix_id: int
    language: int
    site_id: int
    section_id: int
    tries: int
