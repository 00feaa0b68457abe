"""One Chromium, which loads one page at a time and has no network.

Names do not resolve in it, and its proxy is a port that nobody listens at: what the gate does not see, and so
does not answer, leads nowhere. It is ended with all its processes when it is closed, when a page takes too
long or too much memory, and when it breaks.
"""

from __future__ import annotations

import asyncio
import os
import socket
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from corpulyzer.url import canonical
from corpulyzer.web.fetch.render.chromium import executable
from corpulyzer.web.fetch.render.gate import Gate
from corpulyzer.web.fetch.render.processes import end, memory_bytes, process_with, tree_of
from corpulyzer.web.fetch.settings import FetchSettings, user_agent

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import CDPSession, Page, Playwright

START_SECONDS = 60.0
CLOSE_SECONDS = 10.0
BUSY_SECONDS = 20.0
"""How long scripts may keep a page from answering."""

QUIET_SECONDS = 1.0
"""A page that is loaded and asks for nothing for so long is done."""

LOOK_SECONDS = 0.1
WATCH_SECONDS = 0.2

_MARK = "--corpulyzer-browser"
_ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-features=MediaRouter,OptimizationHints,AutofillServerCommunication,Translate",
    "--disable-gpu",
    "--mute-audio",
)
# What could open a way past the gate, or another window, is taken from the page before its scripts run.
_WITHOUT = """
for (const name of ["WebSocket", "WebSocketStream", "WebTransport", "EventSource", "RTCPeerConnection",
                    "webkitRTCPeerConnection", "RTCDataChannel", "Worker", "SharedWorker"])
  delete globalThis[name];
globalThis.open = () => null;
if (globalThis.Navigator) Navigator.prototype.sendBeacon = () => false;
"""
# Shadow roots are in no markup unless they are asked for one by one, and closed ones cannot be asked for.
_OPEN = """
if (globalThis.Element) {
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (how) { return attach.call(this, {...how, mode: "open"}) };
}
"""
_STATE = "document.readyState"
_MARKUP = """(() => {
  const page = document.documentElement, shadowRoots = [];
  const gather = (below) => below.querySelectorAll("*").forEach(({shadowRoot}) => {
    if (shadowRoot) { shadowRoots.push(shadowRoot); gather(shadowRoot) }
  });
  gather(page);
  const [start, end] = page.cloneNode().outerHTML.split(/(?=<\\/html>$)/);
  const whole = () => start + page.getHTML({shadowRoots}) + end;
  const html = page.getHTML && shadowRoots.length ? whole() : page.outerHTML;
  return (document.doctype ? "<!DOCTYPE html>" : "") + html;
})()"""


class BrowserError(Exception):
    """A page could not be loaded, in words; the browser is to be closed."""


class Browser:
    """Loads pages one after the other. Use it in `async with`, and `start` it before."""

    def __init__(self, settings: FetchSettings, arguments: tuple[str, ...] = ()) -> None:
        self._settings = settings
        self._arguments = arguments
        self._mark = f"{_MARK}={os.getpid()}-{uuid.uuid4().hex}"
        self._nobody: socket.socket | None = None
        self._driver: Playwright | None = None
        self._chromium: Chromium | None = None
        self._process = 0
        self._why = ""

    async def start(self) -> None:
        """Start Chromium; BrowserError if that cannot be, UserError if there is none."""
        from playwright.async_api import Error, async_playwright

        # Bound and never listened at, so that nobody else can be there.
        self._nobody = socket.socket()
        self._nobody.bind(("127.0.0.1", 0))
        try:
            async with asyncio.timeout(START_SECONDS):
                self._driver = await async_playwright().start()
                path = executable(self._settings, self._driver.chromium.executable_path)
                self._chromium = await self._driver.chromium.launch(
                    executable_path=path,
                    args=[*_ARGUMENTS, self._mark, self._proxy, *self._arguments],
                    # Chromium has no sandbox for the superuser.
                    chromium_sandbox=os.geteuid() != 0,
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                )
        except TimeoutError:
            raise BrowserError(f"it did not start within {START_SECONDS:g} seconds") from None
        except Error as error:
            raise BrowserError(_first_line(error)) from None
        self._process = process_with(self._mark)
        if not self._process:
            raise BrowserError("its process cannot be seen in /proc")

    @property
    def processes(self) -> list[int]:
        """The processes of Chromium."""
        return tree_of(self._process) if self._process else []

    async def load(self, url: str, gate: Gate) -> tuple[bytes, str]:
        """The page as the browser made it, and why it is not whole (`length`, `time`), if it is not.

        BrowserError if it could not be loaded; the browser is to be closed then.
        """
        from playwright.async_api import Error

        watch = asyncio.ensure_future(self._watch(gate))
        self._why = ""
        try:
            return await self._loaded(url, gate)
        except TimeoutError:
            raise BrowserError(f"its scripts did not let go for {self._busy_seconds:g} seconds") from None
        except Error as error:
            raise BrowserError(self._why or _first_line(error)) from None
        finally:
            watch.cancel()
            await gate.close()

    async def _loaded(self, url: str, gate: Gate) -> tuple[bytes, str]:
        if self._chromium is None:
            raise RuntimeError("a Browser is started before it loads")
        async with asyncio.timeout(self._busy_seconds):
            context = await self._chromium.new_context(
                accept_downloads=False,
                service_workers="block",
                user_agent=user_agent(self._settings.contact),
            )
            await context.add_init_script(_WITHOUT + _OPEN)
            await context.route("**/*", gate)
            page = await context.new_page()
            context.on("page", lambda window: asyncio.ensure_future(_shut(window)))
            session = await context.new_cdp_session(page)
            await page.goto(url, wait_until="commit", timeout=0)
        whole = await self._until_quiet(session, gate)
        async with asyncio.timeout(self._busy_seconds):
            html, cut = await self._markup(session, url)
            await context.close()
        return html, cut or ("" if whole else "time")

    async def _until_quiet(self, session: CDPSession, gate: Gate) -> bool:
        """Wait until a page is loaded and asks for nothing more; False if that takes too long."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + self._settings.render_seconds
        gate.quiet_since = loop.time()
        while loop.time() < ends and gate.failure is None:
            async with asyncio.timeout(self._busy_seconds):
                state = await _evaluated(session, _STATE)
            is_quiet = not gate.is_busy and loop.time() - gate.quiet_since >= QUIET_SECONDS
            if is_quiet and state == "complete":
                return True
            await asyncio.sleep(LOOK_SECONDS)
        return False

    async def _markup(self, session: CDPSession, url: str) -> tuple[bytes, str]:
        most = self._settings.max_bytes
        origin = await _evaluated(session, "location.origin")
        if not (canonical(url) or url).startswith(f"{origin}/"):
            raise BrowserError(f"it left for {str(origin)[:200]}")
        markup = str(await _evaluated(session, f"({_MARKUP}).slice(0, {most + 1})"))
        html = markup.encode("utf-8", "replace")
        return html[:most], "length" if len(html) > most else ""

    async def _watch(self, gate: Gate) -> None:
        """End the browser if it takes too much memory, or asks without end."""
        most = self._settings.render_megabytes << 20
        while memory_bytes(processes := self.processes) <= most and not gate.is_flooded:
            await asyncio.sleep(WATCH_SECONDS)
        megabytes = f"it took more than {self._settings.render_megabytes:,} MB"
        self._why = f"its scripts tried {gate.tried:,} requests" if gate.is_flooded else megabytes
        end(processes)

    @property
    def _busy_seconds(self) -> float:
        return min(BUSY_SECONDS, self._settings.render_seconds)

    @property
    def _proxy(self) -> str:
        assert self._nobody is not None
        return f"--proxy-server=http://127.0.0.1:{self._nobody.getsockname()[1]}"

    async def close(self) -> None:
        """End all processes, whatever state they are in."""
        from playwright.async_api import Error

        self._process = self._process or process_with(self._mark)  # a start that was broken off
        end(self.processes)
        with suppress(Error, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                if self._driver is not None:
                    await self._driver.stop()
        self._driver = self._chromium = None
        self._process = 0
        if self._nobody is not None:
            self._nobody.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def _evaluated(session: CDPSession, expression: str) -> Any:
    """The value of an expression in a world of its own, in which a page's scripts have changed nothing."""
    tree = await session.send("Page.getFrameTree")
    frame = tree["frameTree"]["frame"]["id"]
    world = await session.send("Page.createIsolatedWorld", {"frameId": frame})
    asked = {"expression": expression, "contextId": world["executionContextId"], "returnByValue": True}
    found = await session.send("Runtime.evaluate", asked)
    return found["result"].get("value", "")


async def _shut(window: Page) -> None:
    from playwright.async_api import Error

    with suppress(Error):
        await window.close()


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)[:300]
