"""Traces of people in a text: e-mail and IP addresses, phone and card numbers, where they stand.

This is the one definition of them: measures count what is found here, and exports can mask it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import regex

EMAIL, PHONE, IP, CARD = "email", "phone", "ip", "card"
KINDS = {
    EMAIL: "e-mail addresses",
    PHONE: "phone numbers",
    IP: "IP addresses",
    CARD: "card numbers",
}
_EMAIL = regex.compile(r"[\p{L}\p{N}._%+-]{1,64}+@(?:[\p{L}\p{N}-]{1,63}+\.){1,8}\p{L}{2,24}+")
_IPV4 = regex.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?!\d|\.\d)")
_IPV6 = regex.compile(r"(?<![\w:])(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}(?![\w:])")
_CARD = regex.compile(r"(?<![\d.,+-])\d(?:[ -]?\d){12,18}(?![\d-]|[.,]\d)")
# With a country code or a trunk zero, and in groups: other long numbers are prices, dates and counts.
_PHONE = regex.compile(
    r"(?:(?<![\w.,/-])|(?<=[.,/-])(?<!\d[.,/-])(?=\+))"
    r"(?:\+\d{1,3}[ .\-/]?(?:\(\d{1,4}\)[ .\-/]?)?|\(0\d{1,4}\)[ .\-/]?|0\d{1,4}[ .\-/])"
    r"\d{1,4}(?:[ .\-/]?\d{2,4}){1,3}(?![\w]|[.,/-]\d)"
)
# Every phone and card number has eight digits close to each other, and an IPv4 address four groups. Most
# texts have neither, and are done after this one look.
_LONG_NUMBER = regex.compile(r"\d(?:[ .\-/()]{0,3}\d){7}|\d\.\d{1,3}\.\d{1,3}\.\d")
_DIGIT = regex.compile(r"\d", regex.ASCII)
_MIN_PHONE_DIGITS, _MAX_PHONE_DIGITS = 8, 15
_MAX_OCTET = 255
_COLONS_OF_IPV6 = 7


class Trace(NamedTuple):
    """A trace of a kind at `text[start:end]`."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Traces:
    """How many of each kind a text has."""

    emails: int = 0
    phones: int = 0
    addresses: int = 0
    cards: int = 0


_NO_TRACES = Traces()


def traces(text: str) -> Traces:
    """How many traces a text has; digits of every script count as digits.

    >>> traces("a@b.hr, +385 1 234 5678, 4111 1111 1111 1111, 192.168.0.1")
    Traces(emails=1, phones=1, addresses=1, cards=1)
    """
    kinds = [trace.kind for trace in find_traces(text)]
    if not kinds:  # as most texts have none
        return _NO_TRACES
    found = Counter(kinds)
    return Traces(emails=found[EMAIL], phones=found[PHONE], addresses=found[IP], cards=found[CARD])


def find_traces(text: str) -> Iterator[Trace]:
    """The traces in a text, kind by kind. Traces of two kinds may overlap; none goes over the end of a line.

    >>> list(find_traces("od 192.168.0.1 do 999.1.1.1"))
    [Trace(kind='ip', start=3, end=14)]
    """
    if "@" in text:
        yield from (Trace(EMAIL, *found.span()) for found in _EMAIL.finditer(text))
    numbers, colons = _LONG_NUMBER.search(text) is not None, text.count(":") >= _COLONS_OF_IPV6
    latin = _latin_digits(text) if numbers or colons else text
    if numbers:
        yield from (Trace(PHONE, *found.span()) for found in _PHONE.finditer(latin) if _is_phone(found[0]))
        yield from (Trace(IP, *found.span()) for found in _IPV4.finditer(latin) if _is_ipv4(found[0]))
        yield from (Trace(CARD, *found.span()) for found in _CARD.finditer(latin) if luhn(found[0]))
    if colons:
        yield from (Trace(IP, *found.span()) for found in _IPV6.finditer(latin))


def luhn(number: str) -> bool:
    """Whether the check digit of a card number is right, and not all its digits are one.

    >>> luhn("4111 1111 1111 1111"), luhn("4111 1111 1111 1112"), luhn("0000 0000 0000 0000")
    (True, False, False)
    """
    digits = [int(character) for character in number if character.isdecimal()]
    doubled = (2 * digit - 9 * (digit > 4) for digit in digits[-2::-2])
    return len(set(digits)) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _is_phone(found: str) -> bool:
    return _MIN_PHONE_DIGITS <= len(_DIGIT.findall(found)) <= _MAX_PHONE_DIGITS


def _is_ipv4(found: str) -> bool:
    return all(int(part) <= _MAX_OCTET for part in found.split("."))


def _latin_digits(text: str) -> str:
    """The text with the digits of all scripts as 0 to 9, each in its place."""
    import unicodedata

    if text.isascii():
        return text
    return regex.sub(r"(?![0-9])\p{Nd}", lambda found: str(unicodedata.decimal(found[0])), text)
