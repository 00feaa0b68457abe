"""libcurl's transfers in an asyncio loop: sockets and timers are the loop's, no thread, nothing global."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pycurl

Done = Callable[[pycurl.Curl, int, str], None]
"""Called with a handle whose transfer has ended, libcurl's error number (0 for none), and its words."""


class Multi:
    """Runs the transfers of handles and reports the end of each to `done`. Belongs to the running loop."""

    def __init__(self, done: Done, kept_connections: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._done = done
        self._watched: dict[int, int] = {}
        self._due: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._on_socket)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)
        self._multi.setopt(pycurl.M_MAXCONNECTS, kept_connections)

    def start(self, easy: pycurl.Curl) -> None:
        """Begin a transfer; its end is reported later, never from within this call."""
        self._multi.add_handle(easy)

    def cancel(self, easy: pycurl.Curl) -> None:
        """End a transfer at once, without a report."""
        self._multi.remove_handle(easy)

    def close(self) -> None:
        """Close all connections. Transfers must have ended or been cancelled."""
        if self._timer is not None:
            self._timer.cancel()
        self._multi.close()
        for handle in list(self._watched):
            self._watch(handle, 0)

    def _on_socket(self, event: int, handle: int, _multi: object, _data: object) -> None:
        self._watch(handle, 0 if event == pycurl.POLL_REMOVE else event)

    def _watch(self, handle: int, event: int) -> None:
        before = self._watched.get(handle, 0)
        if event & pycurl.POLL_IN and not before & pycurl.POLL_IN:
            self._loop.add_reader(handle, self._act, handle, pycurl.CSELECT_IN)
        elif before & pycurl.POLL_IN and not event & pycurl.POLL_IN:
            self._loop.remove_reader(handle)
        if event & pycurl.POLL_OUT and not before & pycurl.POLL_OUT:
            self._loop.add_writer(handle, self._act, handle, pycurl.CSELECT_OUT)
        elif before & pycurl.POLL_OUT and not event & pycurl.POLL_OUT:
            self._loop.remove_writer(handle)
        if event:
            self._watched[handle] = event
        else:
            self._watched.pop(handle, None)

    def _on_timer(self, milliseconds: int) -> None:
        """Note when libcurl wants to be called. A timer that fires too early costs less than a new one."""
        if milliseconds < 0:
            self._due = None
            return
        self._due = self._loop.time() + milliseconds / 1000
        if self._timer is None or self._timer.when() > self._due:
            self._set_timer(self._due)

    def _set_timer(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(when, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._due is None:
            return
        if self._loop.time() < self._due:
            self._set_timer(self._due)
            return
        self._due = None
        self._act(pycurl.SOCKET_TIMEOUT, 0)

    def _act(self, handle: int, event: int) -> None:
        self._multi.socket_action(handle, event)
        left = 1
        while left:
            left, succeeded, failed = self._multi.info_read()
            for easy in succeeded:
                self._ended(easy, 0, "")
            for easy, code, message in failed:
                self._ended(easy, code, message)

    def _ended(self, easy: pycurl.Curl, code: int, message: str) -> None:
        self._multi.remove_handle(easy)
        self._done(easy, code, message)
