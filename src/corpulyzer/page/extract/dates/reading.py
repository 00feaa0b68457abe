"""Dates as people and programs write them: figures of any script, names of months in many languages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path
from typing import Any

import regex

from corpulyzer.page.extract.dates.calendars import CALENDARS, ERAS, Calendar, buddhist, by_year

_MONTHS = Path(__file__).with_name("months.tsv")
_MOST_CHARACTERS = 64
_ISO = regex.compile(r"\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_FIGURES_ALONE = regex.compile(r"((?:19|20)\d{6})(\d{6}|\d{4})")
_TIME = regex.compile(r"[T\s]+(\d\d:\d\d(?::\d\d)?(?:[+-]\d\d:?\d\d|Z)?)")
_YEAR_FIRST = r"(?<![\d.:/-])(?P<y>\d{4})\s?[-/.年년]\s?(?P<m>\d{1,2})\s?[-/.月월]\s?(?P<d>\d{1,2})(?![\d:])"
_DAY_FIRST = r"(?<![\d.:/-])(?P<a>\d{1,2})\s?(?P<by>[-/.])\s?(?P<b>\d{1,2})\s?(?P=by)\s?(?P<c>\d{4})(?![\d:])"
_ERA = r"(?P<era>\p{Han}{2})\s?(?P<ey>\d{1,3}|元)\s?年\s?(?P<em>\d{1,2})\s?月\s?(?P<ed>\d{1,2})\s?日"
_WORD = r"[\p{L}\p{M}\u200c\u200d][\p{L}\p{M}.\u200c\u200d’']{1,20}(?:\s\p{Arabic}+)?"
# What may stand behind a day, before the name of a month, and behind a year.
_OF_DAY = "st|nd|rd|th|er|re|ère|º|°|ª|\\.|ማ|ኛ|ης|η|ই|শে|লা|রা|ঠা|eg|ú|mh|-a|-an|ê|ی|-?n[cj][iy]|-(?=\\p{L})"
_OF_MONTH = (
    "de\\s|d['’]\\s?|of\\s|day\\sof\\s|da\\s|o\\s|a\\sviz\\s|am\\s|dhen\\s|ta['’]\\s|ga\\s(?:watan\\s)?|ng\\s"
)
_OF_YEAR = "m\\.|gada|aasta|წლის|წ\\.|жыл\\w*|ж\\.|[yй][iи]l\\w*|йил\\w*|елның|йыл\\w*|ýyl\\w*|il|کال د|ခုနှစ်"
_MARKED_YEAR = rf"(?<!\d)(?P<YEAR>\d{{4}})(?:[.,]|թ\.|ko|-?n[cj][iy]|-c[iı])?[\s-](?:(?:{_OF_YEAR})\s)"
_NAMED = (
    rf"(?<!\d)(?P<nd>\d{{1,2}})(?:{_OF_DAY})?[\s/]?(?:{_OF_MONTH})?"
    rf"(?P<nm>{_WORD})(?:/\p{{L}}+)?[\s.,،/-]{{0,3}}(?:de\s|del\s|พ\.ศ\.\s?|ឆ្នាំ\s?)?(?P<ny>\d{{4}})(?!\d)"
)
_CLOCK = r"\d\d?:\d\d(?::\d\d)?,?\s?(?:[A-Z]{2,4}\s)?"
_MONTH_FIRST = (
    rf"(?P<fm>{_WORD})\.?\s(?P<fd>\d{{1,2}})(?:st|nd|rd|th)?[.,]?\s(?:{_CLOCK})?(?P<fy>\d{{4}})(?!\d)"
)
_YEAR_NAMED = _MARKED_YEAR.replace("YEAR", "yy") + rf"?(?P<ym>{_WORD})(?:\sමස)?[\s-](?P<yd>\d{{1,2}})(?!\d)"
_YEAR_DAY_NAMED = (
    _MARKED_YEAR.replace("YEAR", "gy") + rf"(?P<gd>\d{{1,2}})(?:{_OF_DAY})?[\s-]?(?P<gm>{_WORD})"
)
# Months by number with their own word: Vietnamese, Mongolian.
_NUMBERED = (
    r"(?<!\d)(?P<vd>\d{1,2})\s[Tt]háng\s(?P<vm>\d{1,2}),?\s(?:năm\s)?(?P<vy>\d{4})(?!\d)"
    r"|(?<!\d)(?P<vy>\d{4})\sоны\s(?P<vm>\d{1,2})(?:-р|\s\w+)?\sсарын\s(?P<vd>\d{1,2})(?!\d)"
)
_FIGURES = (_YEAR_FIRST, _DAY_FIRST, _ERA, _NUMBERED, _NAMED)
_ANY = regex.compile("|".join((*_FIGURES, _MONTH_FIRST, _YEAR_DAY_NAMED, _YEAR_NAMED)))
# Dates that begin with the name of the month take far longer to look for than all others, which begin with
# a figure or an era. So they are looked for only in a text that has the rest of one.
_REST_OF_MONTH_FIRST = regex.compile(rf"\s\d{{1,2}}(?:st|nd|rd|th)?[.,]?\s(?:{_CLOCK})?\d{{4}}(?!\d)")
_NEVER = "(?!)(?P<fm>)(?P<fd>)(?P<fy>)"  # the groups of such a date, which match nothing
_OTHERS = "|".join((*_FIGURES, _NEVER, _YEAR_DAY_NAMED, _YEAR_NAMED))
_NO_MONTH_FIRST = regex.compile(rf"(?=[\d\p{{Han}}])(?:{_OTHERS})")
_SHORT_YEAR = regex.compile(r"(?<![\d.:/-])(\d{1,2})([-/.])(\d{1,2})\2(\d\d)(?![\d./:])")
# What stands before the name of a month without a space, as where two elements of a line touch.
_UNSPACED = regex.compile(r"^.*\p{Ll}(?=\p{Lu})")
# Where one of these is declared, 4/3 is the third of April; in English without a region it may be either.
_MONTH_FIRST_TAGS = frozenset({"en-us", "en-ph"})
_LONGEST_ENDING, _SHORTEST_STEM = 3, 4
# In Arabic letters a name is the same with the yeh and kaf of any keyboard, stretched, and with its vowels.
_ONE_SPELLING = str.maketrans({"ي": "ی", "ى": "ی", "ك": "ک", **dict.fromkeys("ـًٌٍَُِّْ")})
_OCTOBER_FALLS = {"listopad": 10, "listopada": 10}
_CROATIAN = frozenset({"hr", "hrv", "bs", "bos", "sr", "srp", "sh", "hbs"})


def declared_date(value: Any, language: str = "") -> str:
    """A declared date in ISO 8601, with its time where there is one; empty if it cannot be told.

    A year of another calendar is of that calendar where the page's declared language uses it.

    >>> declared_date("2021-03-04T05:06:07Z"), declared_date("Thu, 04 Mar 2021 05:06:07 GMT")
    ('2021-03-04T05:06:07+00:00', '2021-03-04T05:06:07+00:00')
    >>> declared_date("1399-12-14 10:30", "fa-IR"), declared_date("1399-12-14"), declared_date("4 mars 2021")
    ('2021-03-04T10:30', '', '2021-03-04')
    """
    if not isinstance(value, str) or not value.strip():
        return ""
    value = value.strip()[:_MOST_CHARACTERS]
    if found := _ISO.match(value):
        year, month, day = map(int, found.groups())
        calendar = by_year(year, language)
        if calendar is None:
            return ""
        if not 1900 <= year <= 2100:
            return _with_time(calendar(year, month, day), value, found.end())
    if stamp := _FIGURES_ALONE.fullmatch(value):
        value = f"{stamp[1]}T{stamp[2]}"
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            when = read(value)
        except ValueError:
            continue
        return when.date().isoformat() if len(value) <= len("2021-03-04") else when.isoformat()
    when_found = next(dates_in(value, language), None)
    return when_found.isoformat() if when_found else ""


def _with_time(day: date | None, value: str, end: int) -> str:
    if day is None:
        return ""
    time = _TIME.match(value, end)
    return f"{day.isoformat()}T{time[1]}" if time else day.isoformat()


def dates_in(text: str, language: str = "") -> Iterator[date]:
    """The dates that a text names, in order; those that could be two are left out.

    >>> [str(day) for day in dates_in("3. ožujka 2021. - 04/03/2021 - ۱۴ اسفند ۱۳۹۹", "hr")]
    ['2021-03-03', '2021-03-04', '2021-03-04']
    """
    pattern = _ANY if _REST_OF_MONTH_FIRST.search(text) else _NO_MONTH_FIRST
    place = 0
    while found := pattern.search(text, place):
        day = _date_of(found, language)
        if day is not None:
            yield day
        # What only looks like a date may hold the beginning of one: from 2009 *to 17 March 2011*.
        place = found.end() if day is not None else found.start() + 1


def short_dates_in(text: str, language: str) -> Iterator[date]:
    """Dates with the last two figures of the year, day first; in English only those that cannot be two days.

    >>> [str(day) for day in short_dates_in("07/11/11-15:20", "el")]
    ['2011-11-07']
    >>> [str(day) for day in short_dates_in("07/11/11, 14.11.24, 11.14.24", "en")]
    ['2024-11-14', '2024-11-14']
    """
    is_english = language[:2].lower() in ("", "en")
    for found in _SHORT_YEAR.finditer(text):
        day, month = int(found[1]), int(found[3])
        if is_english and month > 12:
            day, month = month, day
        when = CALENDARS["gregorian"](2000 + int(found[4]), month, day)
        if when is not None and (not is_english or day > 12 or day == month):
            yield when


def _date_of(found: regex.Match[str], language: str) -> date | None:
    if found["y"]:
        return _in_figures(int(found["y"]), int(found["m"]), int(found["d"]), language)
    if found["c"]:
        day, month = int(found["a"]), int(found["b"])
        if month > 12 or (found["by"] == "/" and _month_comes_first(day, month, language)):
            day, month = month, day
        elif found["by"] == "/" and day <= 12 and day != month and language.lower() in ("", "en"):
            return None
        return _in_figures(int(found["c"]), month, day, language)
    if found["vy"]:
        return _in_figures(int(found["vy"]), int(found["vm"]), int(found["vd"]), language)
    if found["era"]:
        start = ERAS.get(found["era"])
        year = 1 if found["ey"] == "元" else int(found["ey"])
        day_of = CALENDARS["gregorian"]
        return day_of(start + year, int(found["em"]), int(found["ed"])) if start else None
    for of_year, of_month, of_day in (
        ("ny", "nm", "nd"),
        ("fy", "fm", "fd"),
        ("gy", "gm", "gd"),
        ("yy", "ym", "yd"),
    ):
        if found[of_year]:
            return _named(int(found[of_year]), found[of_month], int(found[of_day]), language)
    return None


def _in_figures(year: int, month: int, day: int, language: str) -> date | None:
    calendar = by_year(year, language)
    return calendar(year, month, day) if calendar else None


def _month_comes_first(first: int, second: int, language: str) -> bool:
    return language.lower().replace("_", "-") in _MONTH_FIRST_TAGS and first <= 12


def _named(year: int, name: str, day: int, language: str) -> date | None:
    words = _months()
    key = " ".join(_UNSPACED.sub("", name).lower().translate(_ONE_SPELLING).split())
    found = words.get(key) or words.get(key.rstrip(".")) or words.get(key.partition(" ")[0])
    found = found or _inflected(key, language)
    if found is None:
        return None
    calendar, month = found
    if key in _OCTOBER_FALLS and language[:2].lower() in _CROATIAN:
        month = _OCTOBER_FALLS[key]
    if calendar is CALENDARS["gregorian"] and 2443 <= year <= 2643:
        return buddhist(year, month, day)
    return calendar(year, month, day)


def _inflected(name: str, language: str) -> tuple[Calendar, int] | None:
    """The month whose name a word begins with, where months have endings (*17-марты*, *martxoaren*).

    In English, and where nothing is declared, such a word is another one (*3 mayors 2015*).
    """
    if language[:2].lower() in ("", "en"):
        return None
    ends = range(max(len(name) - _LONGEST_ENDING, _SHORTEST_STEM), len(name))
    return next((found for end in reversed(ends) if (found := _months().get(name[:end]))), None)


@cache
def _months() -> dict[str, tuple[Calendar, int]]:
    """The calendar and number of a month by its name. The line of a name is the number of its month."""
    found: dict[str, tuple[Calendar, int]] = {}
    number: dict[str, int] = {}
    for line in _MONTHS.read_text("utf-8").splitlines()[1:]:
        calendar, names = line.split("\t")
        number[calendar] = number.get(calendar, 0) + 1
        for name in names.split():
            key = name.replace("_", " ").translate(_ONE_SPELLING)
            found.setdefault(key, (CALENDARS[calendar], number[calendar]))
    return found
