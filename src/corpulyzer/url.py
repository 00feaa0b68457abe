"""One form for each address, how it was spelled, the site it belongs to, and how deep it lies.

Parsing and joining follow the WHATWG standard, as browsers do. The canonical form then removes what
never changes the page (fragment, credentials, tracking, session ids) and orders what is left. The spelling
removes the same and orders nothing: servers, and the rules in their robots.txt, know a page by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import ada_url
import regex

from corpulyzer.native.scan import is_canonical
from corpulyzer.records import int64_hash

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

MAX_CHARACTERS = 4096
BlockList = Literal["isixhosa"]
"""Lists of hosts that ship with the package: that of the isiXhosa crawler of Marquard & Suleman (XH-2)."""


@cache
def blocked_by(lists: tuple[BlockList, ...]) -> tuple[str, ...]:
    """The hosts and domains on these lists, in their order."""
    texts = (Path(__file__).with_name("data") / f"blocked-{name}.txt" for name in lists)
    lines = (line for text in texts for line in text.read_text("utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def suspect_names(names: Iterable[str]) -> bytes:
    """A byte for each pair of letters: 1 if some name begins with them. A first, cheap test of parameters."""
    table = bytearray(1 << 16)
    for name in names:
        table[ord(name[0]) << 8 | (ord(name[1]) if len(name) > 1 else 0)] = True
    return bytes(table)


_TRACKING = """
    _branch_match_id _ga _gl _hsenc _hsmi _ke _kx _openstat dclid dm_i ef_id epik fb_action_ids
    fb_action_types fb_ref fb_source fbclid gbraid gclid gclsrc hsctatracking igsh igshid irclickid li_fat_id
    mc_cid mc_eid mkt_tok ml_subscriber ml_subscriber_hash msclkid oly_anon_id oly_enc_id pk_campaign pk_cid
    pk_content pk_keyword pk_kwd pk_medium pk_source rb_clickid s_cid s_kwcid srsltid trk_contact trk_msg
    trk_sid ttclid twclid vero_conv vero_id wbraid wickedid xtor yclid ysclid zanpid"""
_SESSIONS = "jsessionid phpsessid sessionid session_id sessid cfid cftoken zenid oscsid osadminid xtcsid"
_NOISE = frozenset(_TRACKING.split() + _SESSIONS.split())
_NOISE_PREFIXES = (
    *("utm_", "mtm_", "hsa_", "piwik_", "matomo_", "__hs", "__cf_chl_", "wt_mc", "aspsessionid"),
    *("at_bbc_", "at_campaign", "at_custom", "at_format", "at_link_", "at_medium", "at_ptr_"),
)
# Short names that also number stories and sections: only a value that looks random is a session.
_MAYBE_SESSION = frozenset({"sid", "s", "session", "sess"})
SUSPECT_NAMES = suspect_names((*_NOISE, *_NOISE_PREFIXES, *_MAYBE_SESSION))
NOISE = (SUSPECT_NAMES, tuple(_NOISE), _NOISE_PREFIXES, tuple(_MAYBE_SESSION))
"""The parameters that never change the page (tracking, sessions), as the C code takes them."""
_RANDOM = regex.compile(r"(?=[^=]*\d)[0-9a-fA-F]{26,}|(?=[^=]*\d)(?=[^=]*[a-z])[0-9a-z]{26,}")

_SESSION_IN_PATH = regex.compile(
    r"(?i);(?:jsessionid|phpsessid|sessionid|sid)=[^/;]*|/\((?:[a-z]\([^()/]+\))+\)(?=/|$)"
)
# Not after a broken escape (`%` or `%4`), which the decoded character would complete.
_ESCAPES = regex.compile(r"(?<!%|%[0-9A-Fa-f])(?:%[0-9A-Fa-f]{2})++")
_ESCAPED_UNRESERVED = regex.compile(r"%(?:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])")
_MARKS = ("@", ";", "(", "./", ".:")
_FINAL_DOT = regex.compile(r"(?<=[^.])\.(?=:\d+$|$)")
_MOST_OF_ORIGIN = 300
_PLAIN_HOST = regex.compile(r"https?://([a-z0-9._-]+)(?::\d*)?(?:[/?#]|$)")
_ADDRESS = regex.compile(r"[\d.]+|\[.*\]")


@dataclass(frozen=True, slots=True)
class Refused:
    """Given instead of a URL for an address that is no page: false, with the `reason` why.

    The reasons are `invalid` (the standard cannot parse it), `scheme` (not http or https), `too_long`.
    """

    reason: str

    def __bool__(self) -> Literal[False]:
        return False


INVALID = Refused("invalid")


def join(base: str, href: str) -> str | Refused:
    """The absolute URL that `href` means on the page `base`; with an empty base, `href` must be absolute.

    >>> join("http://a.pk/x/y", "../z?q#f")
    'http://a.pk/z?q#f'
    """
    try:
        return str(ada_url.join_url(base, href) if base else ada_url.normalize_url(href))
    except ValueError:
        if href.isascii() and base.isascii():
            return INVALID
    try:
        # The standard replaces lone surrogates; the library refuses to encode them.
        return str(ada_url.URL(_scalar_values(href), _scalar_values(base) or None).href)
    except ValueError:
        return INVALID


def canonical(url: str, base: str = "") -> str | Refused:
    """The one spelling of an http(s) address, the same for every link to it, or why it has none.

    Applying it twice changes nothing. Upper and lower case, trailing slashes and the order of repeated
    parameters are kept, since servers tell them apart.

    >>> canonical("/news?b=2&utm_source=x&a=1#top", "HTTPS://www.Example.com:443/")
    'https://www.example.com/news?a=1&b=2'
    >>> canonical("mailto:editor@example.com") or "no page"
    'no page'
    """
    absolute = join(base, url)
    return canonical_of_joined(absolute) if absolute else absolute


def canonical_of_joined(absolute: str) -> str | Refused:
    """Like `canonical`, of what `join` gave: half the cost, for the hundreds of links of a page."""
    if is_canonical(absolute, SUSPECT_NAMES):
        return absolute
    if not absolute.startswith(("http://", "https://")):
        return Refused("scheme")
    url = absolute.partition("#")[0]
    if "%" in url:
        url = _ESCAPES.sub(_tidy_escapes, url)
    path, _, query = url.partition("?")
    path = _without_credentials_and_sessions(path)
    if query:
        query = _canonical_query(query)
    url = f"{path}?{query}" if query else path
    return url if len(url) <= MAX_CHARACTERS else Refused("too_long")


def spelled(url: str, base: str = "") -> str | Refused:
    """An http(s) address as it was spelled: like `canonical`, with the order and the escapes that it had.

    >>> spelled("/%7Ejoe/?b=2&utm_source=x&a=1#top", "http://a.pk/")
    'http://a.pk/%7Ejoe/?b=2&a=1'
    """
    absolute = join(base, url)
    known = canonical_of_joined(absolute) if absolute else absolute
    return (spelling_of(absolute, known) or known) if absolute and known else known


def spelling_of(absolute: str, known: str) -> str:
    """How an address that `join` gave is spelled where that is not its canonical form `known`; else empty.

    The spelling has the same canonical form. Where a session id in the path is spelled with escapes, the path
    is the canonical one. Empty also for a spelling longer than `MAX_CHARACTERS`.
    """
    url = absolute if absolute is known else absolute.partition("#")[0]
    if url == known:
        return ""
    path, mark, query = url.partition("?")
    wanted = known.partition("?")[0]
    if path != wanted:
        path = _without_credentials_and_sessions(path)
        path = path if _ESCAPES.sub(_tidy_escapes, path) == wanted else wanted
    pairs = query.split("&")
    kept = [pair for pair in pairs if not _is_noise(_ESCAPES.sub(_tidy_escapes, pair))]
    query = "&".join(kept)
    found = f"{path}?{query}" if query or (mark and len(kept) == len(pairs)) else path
    return found if found != known and len(found) <= MAX_CHARACTERS else ""


def _without_credentials_and_sessions(address: str) -> str:
    if not any(mark in address for mark in _MARKS):
        return address
    scheme, _, rest = address.partition("//")
    authority, slash, path = rest.partition("/")
    authority = _FINAL_DOT.sub("", authority.rpartition("@")[2])
    plain = f"{scheme}//{authority}{_SESSION_IN_PATH.sub('', slash + path) or '/'}"
    # What was cut may have hidden a dot segment or another session: parse anew until nothing changes.
    again = plain != address and join("", plain)
    return _without_credentials_and_sessions(again) if again else plain


Level = Literal["host", "registered"]
"""What a site is: a host, or all hosts below a domain that someone registered."""


def site_of(url: str, level: Level = "host") -> str:
    """The web site of a page: its host without `www.`, or the domain that someone registered.

    Registered domains follow the public suffix list, private suffixes (`github.io`) included. Ports do
    not count, IP addresses stay themselves, and a URL without host gives an empty string.

    >>> site_of("https://www.bbc.co.uk/urdu"), site_of("https://ur.wikipedia.org/", level="registered")
    ('bbc.co.uk', 'wikipedia.org')
    """
    return site_of_host(host_of(url), level)


def site_of_host(host: str, level: Level = "host") -> str:
    """The site that a host, with or without `www.`, belongs to.

    >>> site_of_host("sport.bbc.co.uk", "registered")
    'bbc.co.uk'
    """
    return _without_www(host) if level == "host" else _registered(host)


def host_of(url: str) -> str:
    """The host in ASCII and lower case, without port; empty where there is none."""
    end = url.find("/", len("https://"), _MOST_OF_ORIGIN)
    if plain := _known_host(url[: end + 1]) if end > 0 else _plain_host(url):
        return plain
    try:
        return str(ada_url.URL(_scalar_values(url)).hostname).rstrip(".")
    except ValueError:
        return ""


def suffixes(host: str) -> Iterator[str]:
    """A host and every domain above it.

    >>> list(suffixes("xh.eturbonews.com"))
    ['xh.eturbonews.com', 'eturbonews.com', 'com']
    """
    while host:
        yield host
        host = host.partition(".")[2]


def depth(url: str) -> int:
    """The number of non-empty path segments; the home page has none (CZ-19).

    >>> depth("https://a.pk/"), depth("https://a.pk/x//y.html?q=/z")
    (0, 2)
    """
    path = url.partition("#")[0].partition("?")[0]
    return sum(map(bool, path.partition("://")[2].split("/")[1:]))


def raw_depth(url: str) -> int:
    """The number of slashes after the host, wherever they stand: the paper's own count (CZ-19)."""
    return url.count("/") - 2


def url_id(url: str) -> int:
    """The key of a canonical URL in every table."""
    return int64_hash(url)


def _canonical_query(query: str) -> str:
    """The parameters that choose the page, in order of their names."""
    parameters = [pair for pair in query.split("&") if pair and not _is_noise(pair)]
    if len(parameters) > 1:
        parameters.sort(key=_name)
    return "&".join(parameters)


def _name(pair: str) -> str:
    return pair.partition("=")[0]


def _is_noise(pair: str) -> bool:
    name, _, value = pair.partition("=")
    name = name.lower()
    if name in _NOISE or name.startswith(_NOISE_PREFIXES):
        return True
    return name in _MAYBE_SESSION and _RANDOM.fullmatch(value) is not None


def _tidy_escapes(run: regex.Match[str]) -> str:
    """Upper-case escapes, and plain letters instead of escapes that need not be (RFC 3986, 6.2.2)."""
    escapes = run.group().upper()
    return _ESCAPED_UNRESERVED.sub(lambda match: chr(int(match.group()[1:], 16)), escapes)


def _scalar_values(text: str) -> str:
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _plain_host(url: str) -> str:
    """The host, if it is visibly in normal form already; else empty, and the URL has to be parsed."""
    plain = _PLAIN_HOST.match(url)
    if plain and not plain[1][-1].isdigit() and "xn--" not in plain[1]:
        return str(plain[1]).rstrip(".")
    return ""


_known_host = lru_cache(maxsize=1 << 14)(_plain_host)


@lru_cache(maxsize=1 << 14)
def _without_www(host: str) -> str:
    rest = host.removeprefix("www.")
    return rest if "." in rest else host


@lru_cache(maxsize=1 << 14)
def _registered(host: str) -> str:
    if _ADDRESS.fullmatch(host):
        return host
    return _suffixes().privatesuffix(host) or host


@cache
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
