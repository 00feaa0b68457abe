"""Traces of people in a text, counted and never shown: e-mail and IP addresses, phone and card numbers."""

from __future__ import annotations

from dataclasses import dataclass

import regex

_EMAIL = regex.compile(r"[\p{L}\p{N}._%+-]{1,64}+@(?:[\p{L}\p{N}-]{1,63}+\.){1,8}\p{L}{2,24}+")
_IPV4 = regex.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")
_IPV6 = regex.compile(r"(?<![\w:])(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}(?![\w:])")
_CARD = regex.compile(r"(?<![\d.,+-])\d(?:[ -]?\d){12,18}(?![\d-]|[.,]\d)")
# With a country code or a trunk zero, and in groups: other long numbers are prices, dates and counts.
_PHONE = regex.compile(
    r"(?<![\w.,/-])(?:\+\d{1,3}[ .\-/]?(?:\(\d{1,4}\)[ .\-/]?)?|\(0\d{1,4}\)[ .\-/]?|0\d{1,4}[ .\-/])"
    r"\d{1,4}(?:[ .\-/]?\d{2,4}){1,3}(?![\w]|[.,/-]\d)"
)
_DIGIT = regex.compile(r"\d", regex.ASCII)
_MIN_PHONE_DIGITS, _MAX_PHONE_DIGITS = 8, 15
_MAX_OCTET = 255


@dataclass(frozen=True, slots=True)
class Traces:
    """How many of each kind a text has."""

    emails: int = 0
    phones: int = 0
    addresses: int = 0
    cards: int = 0


def traces(text: str) -> Traces:
    """The traces in a text; digits of every script count as digits.

    >>> traces("a@b.hr, +385 1 234 5678, 4111 1111 1111 1111, 192.168.0.1")
    Traces(emails=1, phones=1, addresses=1, cards=1)
    """
    if "@" not in text and not _has_digits(text):
        return Traces()
    latin = _latin_digits(text)
    cards = [found for found in _CARD.findall(latin) if luhn(found)]
    return Traces(
        emails=len(_EMAIL.findall(text)) if "@" in text else 0,
        phones=sum(1 for found in _PHONE.finditer(latin) if _is_phone(found[0])),
        addresses=sum(1 for found in _IPV4.findall(latin) if _is_ipv4(found)) + len(_IPV6.findall(latin)),
        cards=len(cards),
    )


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


def _has_digits(text: str) -> bool:
    return regex.search(r"\p{Nd}{2}", text) is not None


def _latin_digits(text: str) -> str:
    import unicodedata

    if text.isascii():
        return text
    return regex.sub(r"(?![0-9])\p{Nd}", lambda found: str(unicodedata.decimal(found[0])), text)
