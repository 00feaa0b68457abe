"""Seeds out of search engines: answers are asked for once, kept, and checked by language (XH-1)."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import quote

import xxhash

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage
from corpulyzer.storage.http import Answer, ConnectionLostError, Patience, get, host_of, retry_after
from corpulyzer.web.seeds import Candidate
from corpulyzer.web.seeds.search.answers import SHOWN, message_of, results_of
from corpulyzer.web.seeds.search.provider import Provider
from corpulyzer.web.seeds.search.quota import Quota

SOURCE = "search"
PATIENCE = Patience(first_seconds=2.0)

Identify = Callable[[str], tuple[str, float]]
"""The language of a snippet, and from 0 to 1 how sure that is."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One result of a query, at its rank."""

    url: str
    title: str
    snippet: str
    query: str
    rank: int
    provider: str


@dataclass(frozen=True)
class Search:
    """Asks a provider, once for each query and page: what is on record is not asked for again."""

    provider: Provider
    storage: Storage
    environment: Mapping[str, str] = field(repr=False)
    quota: Quota
    patience: Patience = PATIENCE
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    _last: list[float] = field(default_factory=lambda: [float("-inf")], init=False, repr=False)

    def __call__(self, queries: Iterable[str], pages: int = 1) -> Iterator[Hit]:
        """The results of each query in turn; UserError as soon as the provider refuses."""
        self.provider.check(self.environment)
        for query in queries:
            for number in range(min(pages, self.provider.pages)):
                results = self._results(query, number)
                for rank, result in enumerate(results, number * self.provider.count + 1):
                    yield Hit(**result, query=query, rank=rank, provider=self.provider.name)
                if not results:
                    break

    def _results(self, query: str, number: int) -> list[dict[str, str]]:
        file = self._file(query, number)
        if self.storage.exists(file):
            known: list[dict[str, str]] = json.loads(self.storage.read(file))["results"]
            return known
        results = results_of(self._ask(query, number), self.provider)
        now = self.clock().isoformat(timespec="seconds")
        kept = {"query": query, "page": number, "asked": now, "results": results}
        self.storage.write(file, json.dumps(kept, ensure_ascii=False, indent=1).encode("utf-8", "replace"))
        return results

    def _file(self, query: str, number: int) -> str:
        """Where an answer is kept: one name for what is asked, whatever the key."""
        asked = json.dumps([self.provider.endpoint, dict(self.provider.parameters), query, number])
        return f"search/{self.provider.name}/{xxhash.xxh3_128_hexdigest(asked.encode())}.json"

    def _ask(self, query: str, number: int) -> bytes:
        url, headers = self.provider.request(query, number, self.environment)

        def once() -> Answer:
            self._pause()
            self.quota.spend(self.clock())
            answer = get(url, headers=headers, max_bytes=16 << 20)
            if answer.status != 200:
                self._refused(answer)
            return answer

        try:
            answer = self.patience(once)
        except ConnectionLostError as error:
            raise UserError(
                f"The search engine {self.provider.name} gives no answer: {error}.",
                "Check its address (--endpoint) and your connection, and run the same command again.",
            ) from None
        if answer.status != 200:
            raise self._problem(answer, "it is too busy", "Wait, and run the same command again: it goes on.")
        return answer.body

    def _pause(self) -> None:
        """Let the provider rest between requests."""
        since = time.monotonic() - self._last[0]
        self.patience.sleep(max(0.0, self.provider.pause_seconds - since))
        self._last[0] = time.monotonic()

    def _refused(self, answer: Answer) -> None:
        """Raise an error if the answer is a refusal that another try would not change."""
        words = answer.body.decode("utf-8", "replace")
        if any(mark in words for mark in self.provider.exhausted):
            raise self.quota.exhaust(self.clock(), _reset(answer.headers))
        if answer.status in (429, 500, 502, 503, 504):
            return
        if any(mark in words for mark in self.provider.wrong_key) or answer.status in (401, 403):
            keys = " and ".join(self.provider.keys)
            hint = f"Check {keys} in your environment. " if keys else ""
            raise self._problem(answer, "it refuses us", f"{hint}{self.provider.advice}".strip())
        hint = "Check --endpoint and --parameter."
        if 300 <= answer.status < 400:
            hint = f"It has moved to {host_of(answer.headers.get('location', ''))}: give that to --endpoint."
        raise self._problem(answer, "it does not understand", hint)

    def _problem(self, answer: Answer, what: str, hint: str) -> UserError:
        """An error in the provider's own words, from which every key has been taken out."""
        words = message_of(answer.body)
        for secret in self.provider.secrets(self.environment):
            words = words.replace(secret, "***").replace(quote(secret), "***")
        said = f' It says: "{words[:SHOWN]}"' if words else ""
        return UserError(
            f"{self.provider.name} gives no results: {what} (status {answer.status}).{said}", hint
        )


def sifted(
    hits: Iterable[Hit], targets: Collection[str], identify: Identify | None, others: Counter[str]
) -> Iterator[Candidate]:
    """The hits whose snippet is in a target language; `others` counts the rest by language (XH-1).

    A hit without a snippet is judged by its title. Without `identify` all are taken.
    """
    for hit in hits:
        language, sure = identify(hit.snippet or hit.title) if identify else ("", 0.0)
        if identify and language not in targets:
            others[language] += 1
            continue
        detail = f"{hit.provider}, “{hit.query}”, result {hit.rank}"
        yield Candidate(hit.url, detail, hit.query, hit.rank, hit.snippet, language, round(sure, 3))


def _reset(headers: Mapping[str, str]) -> float | None:
    """The seconds until a used-up quota is renewed, that of the longest window, if the server tells."""
    windows = headers.get("x-ratelimit-reset", "").split(",")
    seconds = [float(each) for each in windows if each.strip().isdigit()]
    return max(seconds) if seconds else retry_after(headers)
