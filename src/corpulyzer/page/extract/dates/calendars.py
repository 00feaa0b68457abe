"""Dates of other calendars as days of ours, by arithmetic alone.

The Persian calendar is exact from 1300 to 1472 (1921 to 2093). The Islamic one is the tabular calendar, from
which what was announced may differ by a day or two. The Bengali one is that of Bangladesh.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

_PERSIAN_NEW_YEAR = date(1921, 3, 21)
_FIRST_PERSIAN_YEAR, _LAST_PERSIAN_YEAR = 1300, 1472
_PERSIAN_LEAPS = frozenset({1, 5, 9, 13, 17, 22, 26, 30})
_ISLAMIC_EPOCH = date(622, 7, 19)
_ISLAMIC_LEAPS = frozenset({2, 5, 7, 10, 13, 16, 18, 21, 24, 26, 29})
_ETHIOPIC_EPOCH = date(8, 8, 27)


def persian(year: int, month: int, day: int) -> date | None:
    """A day of the Persian calendar.

    >>> persian(1400, 1, 1), persian(1403, 12, 30)
    (datetime.date(2021, 3, 21), datetime.date(2025, 3, 20))
    """
    if not (_FIRST_PERSIAN_YEAR <= year <= _LAST_PERSIAN_YEAR and 1 <= month <= 12):
        return None
    length = 31 if month <= 6 else 30 if month < 12 or _is_persian_leap(year) else 29
    if not 1 <= day <= length:
        return None
    leaps = sum(map(_is_persian_leap, range(_FIRST_PERSIAN_YEAR, year)))
    before = 31 * (month - 1) if month <= 7 else 186 + 30 * (month - 7)
    years = 365 * (year - _FIRST_PERSIAN_YEAR) + leaps
    return _PERSIAN_NEW_YEAR + timedelta(years + before + day - 1)


def _is_persian_leap(year: int) -> bool:
    return year % 33 in _PERSIAN_LEAPS


def islamic(year: int, month: int, day: int) -> date | None:
    """A day of the tabular Islamic calendar.

    >>> islamic(1445, 9, 1)
    datetime.date(2024, 3, 11)
    """
    if not (1300 <= year <= 1500 and 1 <= month <= 12):
        return None
    if not 1 <= day <= 30:
        return None
    cycles, past = divmod(year - 1, 30)
    leaps = 11 * cycles + sum(each <= past for each in _ISLAMIC_LEAPS)
    months = 29 * (month - 1) + month // 2
    return _ISLAMIC_EPOCH + timedelta(354 * (year - 1) + leaps + months + day - 1)


def ethiopic(year: int, month: int, day: int) -> date | None:
    """A day of the Ethiopic calendar.

    >>> ethiopic(2013, 1, 1), ethiopic(2012, 1, 1)
    (datetime.date(2020, 9, 11), datetime.date(2019, 9, 12))
    """
    length = 30 if month <= 12 else 6 if year % 4 == 3 else 5
    if not (1900 <= year <= 2100 and 1 <= month <= 13 and 1 <= day <= length):
        return None
    days = 365 * (year - 1) + year // 4 + 30 * (month - 1) + day - 1
    return _ETHIOPIC_EPOCH + timedelta(days)


def bengali(year: int, month: int, day: int) -> date | None:
    """A day of the Bengali calendar of Bangladesh, as reformed in 1966 and 2019.

    >>> bengali(1428, 1, 1)
    datetime.date(2021, 4, 14)
    """
    if not (1373 <= year <= 1500 and 1 <= month <= 12):
        return None
    lengths = [31] * (6 if year >= 1426 else 5) + [30] * (6 if year >= 1426 else 7)
    if year >= 1426:
        lengths = [*lengths[:10], 29, 30]
    ours = year + 593
    if (ours + 1) % 4 == 0 and ((ours + 1) % 100 != 0 or (ours + 1) % 400 == 0):
        lengths[10] += 1
    if not 1 <= day <= lengths[month - 1]:
        return None
    return date(ours, 4, 14) + timedelta(sum(lengths[: month - 1]) + day - 1)


def gregorian(year: int, month: int, day: int) -> date | None:
    """A day of our own calendar; None if there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def buddhist(year: int, month: int, day: int) -> date | None:
    """A day of the Thai year, which is 543 ahead.

    >>> buddhist(2564, 5, 3)
    datetime.date(2021, 5, 3)
    """
    return gregorian(year - 543, month, day)


Calendar = Callable[[int, int, int], date | None]
CALENDARS: dict[str, Calendar] = {
    "gregorian": gregorian,
    "persian": persian,
    "islamic": islamic,
    "ethiopic": ethiopic,
    "bengali": bengali,
}
# The first year of an era is the year after this one.
ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "民國": 1911, "民国": 1911}
_PERSIAN_LANGUAGES = frozenset("fa fas pes prs ps pus ckb glk mzn lrc azb bal lki luz haz".split())
_ISLAMIC_LANGUAGES = frozenset("ar ara arb ur urd sd snd ug uig pnb skr".split())
# A lower year in figures may be of the Persian calendar, as on Arabic pages of Iran: 1405 is 2026 there.
_FIRST_ISLAMIC_YEAR, _LAST_ISLAMIC_YEAR = 1410, 1500
_BUDDHIST_LANGUAGES = frozenset("th tha lo lao km khm shn nod tts".split())


def by_year(year: int, language: str) -> Calendar | None:
    """The calendar that a year in figures is of, by the declared language; None where it cannot be told."""
    code = language.lower().replace("_", "-").partition("-")[0]
    if 1900 <= year <= 2100:
        return gregorian
    if code in _BUDDHIST_LANGUAGES and 2443 <= year <= 2643:
        return buddhist
    if code in _PERSIAN_LANGUAGES and _FIRST_PERSIAN_YEAR <= year <= _LAST_PERSIAN_YEAR:
        return persian
    may_be = code in _ISLAMIC_LANGUAGES and _FIRST_ISLAMIC_YEAR <= year <= _LAST_ISLAMIC_YEAR
    return islamic if may_be else None
