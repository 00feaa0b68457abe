"""Names are looked up once, kept for a while, and never wait for each other."""

from __future__ import annotations

import asyncio
import time

import pytest
from known_names import StaticResolver

from corpulyzer.web.fetch.http.resolve import (
    CachedResolver,
    SystemResolver,
    UnresolvedError,
    check_name,
)


class Counting:
    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = 0

    async def __call__(self, _host):
        self.asked += 1
        await asyncio.sleep(0)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


async def ask(resolver, host="a.test"):
    try:
        return await resolver(host)
    except UnresolvedError as error:
        return error.detail


@pytest.mark.parametrize(
    "answer, keep",
    [
        (("9.9.9.9",), 600),
        (UnresolvedError("no such name"), 3600),
        (UnresolvedError("server failure", lasting=False), 60),
    ],
)
def test_answers_are_kept_also_that_there_is_none(answer, keep):
    now = [0.0]
    source = Counting(answer)
    cached = CachedResolver(source, clock=lambda: now[0])

    async def run():
        first = await ask(cached)
        now[0] = keep - 1
        assert await ask(cached) == first and source.asked == 1
        now[0] = keep
        await ask(cached)
        assert source.asked == 2

    asyncio.run(run())


def test_all_who_wait_for_a_name_share_one_question():
    source = Counting(("9.9.9.9",))

    async def run():
        cached = CachedResolver(source)
        return await asyncio.gather(*(ask(cached) for _ in range(50)))

    assert asyncio.run(run()) == [("9.9.9.9",)] * 50 and source.asked == 1


def test_one_who_gives_up_waiting_takes_nothing_from_the_others():
    source = Counting(("9.9.9.9",))

    async def run():
        cached = CachedResolver(source)
        first, second = asyncio.ensure_future(ask(cached)), asyncio.ensure_future(ask(cached))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(run()) == ("9.9.9.9",)


def test_the_memory_for_names_is_bounded():
    async def run():
        cached = CachedResolver(StaticResolver({"*": ("9.9.9.9",)}), max_names=10)
        for number in range(1000):
            await cached(f"{number}.test")
        return len(cached._answers)

    assert asyncio.run(run()) <= 10


def test_the_system_knows_localhost():
    async def run():
        return await SystemResolver()("localhost")

    found = asyncio.run(run())
    assert found == asyncio.run(run()) and {"127.0.0.1", "::1"} & set(found)


def test_the_systems_silence_is_not_waited_for(monkeypatch):
    monkeypatch.setattr("socket.getaddrinfo", lambda *_args, **_more: time.sleep(2) or [])

    async def run():
        resolver = SystemResolver(timeout_seconds=0.2)
        return await asyncio.gather(*(ask(resolver, f"dead{n}.test") for n in range(100)))

    begun = time.monotonic()
    assert set(asyncio.run(run())) == {"the name server does not answer"}
    assert time.monotonic() - begun < 15


@pytest.mark.parametrize(
    "name", ["a" * 63 + ".test", "xn--mgbai9azgqp6j.test", "a_b.test", "1.test", "a.test."]
)
def test_possible_names(name):
    check_name(name)


@pytest.mark.parametrize("name", ["a" * 64 + ".test", ".test", "a..b", "x." * 127])
def test_impossible_names(name):
    with pytest.raises(UnresolvedError):
        check_name(name)
