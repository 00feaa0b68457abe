"""The settings of fetching: the table `fetch` of the settings file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

import regex
from annotated_types import Ge, Gt

import corpulyzer
from corpulyzer.errors import UserError

AGENT = "Corpulyzer"
"""The name that a robots.txt calls us by."""

_CONTACT = regex.compile(r"[^\s@<>()]+@[^\s@<>()]+|https?://[^\s<>()]+")


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How pages are fetched; the delays are those of XH-8."""

    # Asked for as `crawl.contact`: it is about who crawls, not how.
    contact: str = field(default="", metadata={"setting": False})
    delay_seconds: Annotated[float, "Least time between two requests to a site.", Ge(0)] = 3.0
    delay_per_second: Annotated[float, "Wait for each second that a site took to answer.", Ge(0)] = 1.0
    max_delay_seconds: Annotated[float, "Longest wait for a slow site or by crawl-delay.", Ge(0)] = 60.0
    failure_seconds: Annotated[float, "Wait after repeated failures, doubling.", Ge(0)] = 5.0
    backoff_seconds: Annotated[float, "Wait after 429 or 503, doubling; or Retry-After.", Ge(0)] = 30.0
    max_backoff_seconds: Annotated[float, "Longest wait after failures or by Retry-After.", Ge(0)] = 86_400.0
    connections: Annotated[int, "Connections at once to all sites together.", Gt(0)] = 200
    address_connections: Annotated[int, "Connections at once to one IP address.", Gt(0)] = 8
    connect_seconds: Annotated[float, "Time to reach a site, TLS included.", Gt(0)] = 15.0
    first_byte_seconds: Annotated[float, "Time until an answer begins.", Gt(0)] = 30.0
    slow_bytes: Annotated[int, "Bytes that must arrive in each slow_seconds.", Ge(0)] = 4096
    slow_seconds: Annotated[float, "See slow_bytes.", Gt(0)] = 20.0
    total_seconds: Annotated[float, "Time that one request may take as a whole.", Gt(0)] = 120.0
    max_bytes: Annotated[int, "Bytes of a page as received; longer ones are cut.", Gt(0)] = 10 << 20
    max_redirects: Annotated[int, "Redirects within a site that are followed at once.", Ge(0)] = 5
    data_miners: Annotated[bool, "Keep out where robots.txt shuts out GPTBot, CCBot and their like."] = False
    proxy: Annotated[str, "Proxy, http://HOST:PORT; empty: what http_proxy, https_proxy, no_proxy say."] = ""
    allow_private: Annotated[bool, "Connect to private, loopback and other special addresses too."] = False
    allow: Annotated[tuple[str, ...], "Special addresses and networks that may be connected to."] = ()
    accept_language: Annotated[str, "Accept-Language header; empty for none."] = ""
    certificates: Annotated[str, "Trusted certificates (PEM file); empty: the system's."] = ""
    render: Annotated[
        Literal["never", "needed"],
        "`needed`: pages that show no text without their scripts are loaded in Chromium,"
        " with `pip install 'corpulyzer[render]'`.",
    ] = "never"
    render_browsers: Annotated[int, "Browsers at once; each has one page at a time.", Gt(0)] = 1
    render_seconds: Annotated[
        float, "Time of a page in the browser, pauses for its site included.", Gt(0)
    ] = 120.0
    render_megabytes: Annotated[
        int, "Memory of a browser with its page; one that takes more is ended.", Gt(0)
    ] = 1024
    render_requests: Annotated[int, "Requests that the scripts of a page may make.", Ge(0)] = 60
    chromium: Annotated[str, "Chromium to use; empty: the one on the PATH, or Playwright's own."] = ""


def user_agent(contact: str) -> str:
    """The user agent with the contact that every crawl must name; UserError without one.

    >>> user_agent("me@example.org").partition(" ")[2]
    '(web corpus crawler; me@example.org)'
    """
    if not contact:
        raise UserError(
            "A crawl needs a contact, so that the owner of a site can reach you.",
            "Add --contact you@example.org, set CORPULYZER_CRAWL_CONTACT, "
            'or write contact = "you@example.org" under [crawl] in corpulyzer.toml.',
        )
    if not _CONTACT.fullmatch(contact) or not contact.isascii():
        raise UserError(
            f"{contact!r} is neither a mail address nor a web address.",
            "Name a contact such as you@example.org or https://example.org/crawl.",
        )
    return f"{AGENT}/{corpulyzer.__version__} (web corpus crawler; {contact})"
