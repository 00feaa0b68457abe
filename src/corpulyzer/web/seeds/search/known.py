"""The search engines that are known: SearXNG, Google Custom Search JSON, Brave Search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from corpulyzer.errors import UserError
from corpulyzer.web.seeds.search.provider import Provider, provider_in

SEARXNG = Provider(
    name="searxng",
    parameters={"q": "{query}", "format": "json", "pageno": "{page}"},
    headers={"Accept": "application/json"},
    snippet="content",
    good="results",
    failed="unresponsive_engines",
    pause_seconds=0.5,
    advice="A SearXNG needs `json` under `search: formats:` in its settings.yml.",
)
GOOGLE = Provider(
    name="google",
    endpoint="https://www.googleapis.com/customsearch/v1",
    parameters={
        "key": "{env:GOOGLE_API_KEY}",
        "cx": "{env:GOOGLE_CSE_ID}",
        "q": "{query}",
        "num": "{count}",
        "start": "{start}",
    },
    results="items",
    url="link",
    good="queries",
    # An engine gives a hundred results of a query and no more.
    pages=10,
    per_day=100,
    time_zone="America/Los_Angeles",
    exhausted=("dailyLimitExceeded", "per day", "PerDay", "quotaExceeded"),
    wrong_key=(
        "API key not valid",
        "API_KEY_INVALID",
        "keyInvalid",
        "accessNotConfigured",
        "SERVICE_DISABLED",
    ),
    advice="Make a key for the Custom Search API, and an engine that searches the whole web, at Google.",
)
BRAVE = Provider(
    name="brave",
    endpoint="https://api.search.brave.com/res/v1/web/search",
    parameters={
        "q": "{query}",
        "count": "{count}",
        "offset": "{page}",
        "text_decorations": "false",
        "spellcheck": "false",
    },
    headers={"Accept": "application/json", "X-Subscription-Token": "{env:BRAVE_API_KEY}"},
    results="web.results",
    snippet="description",
    good="query",
    count=20,
    first_page=0,
    exhausted=("QUOTA_LIMITED",),
    wrong_key=("SUBSCRIPTION_TOKEN_INVALID", "SUBSCRIPTION_NOT_FOUND"),
    advice="Make a key at the Brave Search API dashboard.",
)
KNOWN = {provider.name: provider for provider in (SEARXNG, GOOGLE, BRAVE)}


def provider_of(name: str, endpoint: str = "", parameters: tuple[str, ...] = ()) -> Provider:
    """The provider of a name, or of a TOML file that describes it, at the endpoint if one is given."""
    if name in KNOWN:
        found = KNOWN[name]
    elif name.endswith(".toml"):
        found = provider_in(Path(name))
    else:
        raise UserError(
            f"There is no search engine {name!r}.",
            f"Known are {', '.join(KNOWN)}; describe any other in a file, and name it: --provider mine.toml.",
        )
    more = dict(_pair(each) for each in parameters)
    return replace(found, endpoint=_endpoint(found, endpoint), parameters={**found.parameters, **more})


def _endpoint(provider: Provider, given: str) -> str:
    """The address to ask; that of a SearXNG may be given without its path."""
    address = given or provider.endpoint
    bare = address.partition("://")[2].strip("/")
    if provider.name == "searxng" and bare and "/" not in bare:
        return f"{address.rstrip('/')}/search"
    return address


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UserError(f"{text!r} is no parameter.", "Write --parameter NAME=VALUE.")
    return name, value
