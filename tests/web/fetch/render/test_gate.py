"""The gate between a page in the browser and the web, without a browser."""

import asyncio
from types import MappingProxyType

import pytest

from corpulyzer.web.fetch.render.gate import Answer, Gate

pytest.importorskip("playwright")


class Request:
    """A script that a page asks for."""

    url = "http://a.example/app.js"
    method = "GET"
    resource_type = "script"
    headers = MappingProxyType({"accept": "*/*"})

    def is_navigation_request(self):
        return False


def test_whoever_waits_for_a_request_that_is_given_up_waits_no_longer():
    """Playwright calls the gate in a task, and then waits for an answer: if that task ended as if all were well, for ever."""

    async def never(_url, _headers):
        asked.set()
        await asyncio.Event().wait()

    async def playwright(gate):
        await asyncio.ensure_future(gate(None, Request()))
        await asyncio.Event().wait()

    async def run():
        gate = Gate(Answer(200, {}, b""), never, most=5)
        waiting = asyncio.ensure_future(playwright(gate))
        await asked.wait()
        assert gate.is_busy
        waiting.cancel()
        done, _ = await asyncio.wait([waiting], timeout=60)
        assert done and waiting.cancelled() and not gate.is_busy
        await gate.close()

    asked = asyncio.Event()
    asyncio.run(run())


def test_a_gate_that_is_closed_gives_up_what_is_under_way():
    async def never(_url, _headers):
        asked.set()
        await asyncio.Event().wait()

    async def run():
        gate = Gate(Answer(200, {}, b""), never, most=5)
        task = asyncio.ensure_future(gate(None, Request()))
        await asked.wait()
        await gate.close()
        assert task.cancelled() and not gate.is_busy

    asked = asyncio.Event()
    asyncio.run(run())
