"""May a URL be asked for? The robots.txt of each origin as it was last answered, for a day.

RFC 9309: what a server does not have (4xx) forbids nothing, what it cannot give (5xx, no answer) forbids
everything until it can. 429 is a server that cannot, and so is one whose answer has no final status.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from corpulyzer.url import site_of
from corpulyzer.web.fetch.robots.rules import ALLOW_ALL, DISALLOW_ALL, Robots, Rules, parse

KEEP_SECONDS = 86_400.0
RETRY_SECONDS = 60.0
MAX_REDIRECTS = 5

DATA_MINERS = tuple(
    """
    GPTBot ChatGPT-User OAI-SearchBot CCBot Google-Extended Applebot-Extended anthropic-ai ClaudeBot
    Claude-Web Bytespider Amazonbot PerplexityBot meta-externalagent FacebookBot cohere-ai Diffbot Omgilibot
    omgili Timpibot ImagesiftBot YouBot AI2Bot img2dataset Kangaroo DataForSeoBot ICC-Crawler
    """.split()
)
"""User agents that gather text to train models with: a site that shuts them out has opted out of that."""


@dataclass(frozen=True, slots=True)
class Permission:
    """What an origin allows us, when that expires, and how often in a row its robots.txt failed."""

    rules: Rules
    expires: float
    shut_out: tuple[str, ...] = ()
    failures: int = 0
    detail: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the origin has answered; if not, everything is forbidden for now."""
        return not self.failures


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """How the request for a robots.txt ended: its URL, when, with what, and where it pointed to if anywhere.

    `outcome` is `ok` for any whole response, otherwise the reason why there is none.
    """

    url: str
    date: float
    status: int = 0
    outcome: str = "ok"
    body: bytes = b""
    location: str = ""


@dataclass(slots=True)
class RobotsCache:
    """The permissions of all origins that were asked, for one user agent."""

    agent: str
    _known: dict[str, Permission] = field(default_factory=dict)
    _led_to: dict[str, list[str]] = field(default_factory=dict)

    def parts(self, shards: Mapping[str, int]) -> dict[int, RobotsCache]:
        """What is known of sites, by the shard of each, in one pass; of other sites nothing."""
        found = {shard: RobotsCache(self.agent) for shard in shards.values()}
        for origin, permission in self._known.items():
            shard = shards.get(site_of(origin))
            if shard is not None:
                found[shard]._known[origin] = permission
        return found

    @property
    def unanswered(self) -> list[str]:
        """The URLs to which recorded redirects of a robots.txt led, and which have no recorded answer."""
        return sorted(self._led_to)

    def get(self, origin: str, now: float) -> Permission | None:
        """The permission of an origin; None if it must be asked for, first or again."""
        known = self._known.get(origin)
        return known if known is not None and now < known.expires else None

    def learn(self, chain: list[str], answer: RobotsAnswer) -> Permission:
        """The permission that the last answer of a chain of redirects gives to each origin asked in it.

        A chain that was given up at a redirect holds for the origin that it began with: by leading us around
        before it leads to another's robots.txt, no site can have that one's rules overlooked.
        """
        valid = chain[:1] if answer.location else chain
        origins = dict.fromkeys(origin_of(url) for url in valid if url == robots_url(origin_of(url)))
        failures = max((self._failures(origin) for origin in origins), default=0)
        permission = _permission(self.agent, answer, failures + 1)
        for origin in origins:
            self._known[origin] = permission
        return permission

    def replay(self, answers: Iterable[RobotsAnswer]) -> None:
        """Learn from recorded answers, in order of date; redirects are followed through them.

        Where they come in several calls, a redirect may have its answer in a later one.
        """
        chains = self._led_to
        for answer in answers:
            chain = [*chains.pop(answer.url, []), answer.url]
            if answer.location and len(chain) <= MAX_REDIRECTS and answer.location not in chain:
                chains[answer.location] = chain
            else:
                self.learn(chain, answer)

    def _failures(self, origin: str) -> int:
        known = self._known.get(origin)
        return known.failures if known else 0


def origin_of(url: str) -> str:
    """Scheme, host and port: what one robots.txt is valid for.

    >>> origin_of("https://a.pk:8443/x?y")
    'https://a.pk:8443'
    """
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0].partition('?')[0].partition('#')[0]}"


def robots_url(origin: str) -> str:
    """Where an origin keeps its robots.txt."""
    return f"{origin}/robots.txt"


def _permission(agent: str, answer: RobotsAnswer, failures: int) -> Permission:
    if answer.outcome == "ok" and 200 <= answer.status < 300:
        robots: Robots = parse(answer.body)
        keep = answer.date + KEEP_SECONDS
        return Permission(robots.rules(agent), keep, robots.disallowed(DATA_MINERS))
    if answer.outcome == "ok" and 300 <= answer.status < 500 and answer.status != 429:
        # A chain of redirects that leads nowhere is a robots.txt that is not there.
        return Permission(ALLOW_ALL, answer.date + KEEP_SECONDS, detail=f"status {answer.status}")
    retry = min(RETRY_SECONDS * 2.0 ** min(failures - 1, 32), KEEP_SECONDS)
    why = f"status {answer.status}" if answer.outcome == "ok" else answer.outcome
    return Permission(DISALLOW_ALL, answer.date + retry, failures=failures, detail=why)
