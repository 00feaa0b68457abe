"""Pages that nobody wrote: real ones cut, doubled, spliced and strewn with what parsers stumble over."""

from random import Random

ODD = (
    *(b"<", b">", b"</", b"<!--", b"-->", b"<a href='", b"<a href=//x:/?%zz&utm_source=1#>", b"<p>", b"<br><br>"),
    *(b"<div class='menu posts' id=", b"<div hidden>", b"<pre>\n\n", b"<table><td>", b"<svg><template>", b"<base href="),
    *(b"<title>", b"<script type=application/ld+json>{", b"<link rel=canonical href=/x>", b"&nbsp;", b"&#x110000;"),
    *(b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", "é́".encode(), "\u2028".encode()),
    *("\U0001f600".encode(), "ہے".encode(), "漢字".encode(), b"\xc3\x83\xc2\xa9", b" " * 70, b"x" * 300, b"a/" * 200),
)  # fmt: skip
MAX_BYTES = 60_000


def mutant(pages: list[bytes], seed: str) -> bytes:
    """A page made of one or two others by some changes; the same for the same pages and seed."""
    rng = Random(seed)
    page = bytearray(rng.choice(pages)[:MAX_BYTES])
    for _ in range(rng.choice((1, 3, 10, 40))):
        rng.choice(CHANGES)(page, rng, pages)
    return bytes(page[:MAX_BYTES])


def _place(page: bytearray, rng: Random) -> int:
    return rng.randrange(len(page) + 1)


def _stretch(page: bytes | bytearray, rng: Random) -> slice:
    start = rng.randrange(len(page) + 1)
    return slice(start, start + rng.choice((1, 8, 100, 2_000)))


def _insert(page: bytearray, rng: Random, pages: list[bytes]) -> None:
    at = _place(page, rng)
    page[at:at] = rng.choice(ODD) * rng.choice((1, 1, 1, 30))


def _cut(page: bytearray, rng: Random, pages: list[bytes]) -> None:
    del page[_stretch(page, rng)]


def _double(page: bytearray, rng: Random, pages: list[bytes]) -> None:
    at = _place(page, rng)
    page[at:at] = page[_stretch(page, rng)] * rng.choice((1, 2, 20))


def _splice(page: bytearray, rng: Random, pages: list[bytes]) -> None:
    other = rng.choice(pages)
    page[_stretch(page, rng)] = other[_stretch(other, rng)]


def _flip(page: bytearray, rng: Random, pages: list[bytes]) -> None:
    if page:
        page[rng.randrange(len(page))] = rng.randrange(256)


CHANGES = (_insert, _cut, _double, _splice, _flip)
