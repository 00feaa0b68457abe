"""Dates as they are written, in figures and names of many scripts, and in other calendars."""

from datetime import date

import pytest

from corpulyzer.page.extract.dates.calendars import bengali, ethiopic, gregorian, islamic, persian
from corpulyzer.page.extract.dates.reading import dates_in, declared_date

# Days that both calendars of a country's press agree on: new years, and days before and after leap days.
KNOWN = [
    (persian, (1300, 1, 1), "1921-03-21"),
    (persian, (1357, 11, 22), "1979-02-11"),
    (persian, (1399, 12, 30), "2021-03-20"),
    (persian, (1400, 1, 1), "2021-03-21"),
    (persian, (1403, 12, 30), "2025-03-20"),
    (persian, (1404, 7, 15), "2025-10-07"),
    (islamic, (1400, 1, 1), "1979-11-21"),
    (islamic, (1445, 9, 1), "2024-03-11"),
    (ethiopic, (2000, 1, 1), "2007-09-12"),
    (ethiopic, (2007, 13, 6), "2015-09-11"),
    (ethiopic, (2013, 1, 1), "2020-09-11"),
    (bengali, (1426, 1, 1), "2019-04-14"),
    (bengali, (1430, 11, 8), "2024-02-21"),
    (bengali, (1430, 12, 30), "2024-04-13"),
]


@pytest.mark.parametrize(
    "calendar, day, ours", KNOWN, ids=lambda value: getattr(value, "__name__", str(value))
)
def test_days_of_other_calendars_are_days_of_ours(calendar, day, ours):
    assert calendar(*day) == date.fromisoformat(ours)


@pytest.mark.parametrize(
    "calendar, day",
    [
        (persian, (1400, 12, 30)),
        (persian, (1400, 13, 1)),
        (persian, (2021, 3, 4)),
        (islamic, (1445, 1, 31)),
        (ethiopic, (2013, 13, 6)),
        (bengali, (1428, 11, 30)),
        (gregorian, (2021, 2, 29)),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_day_that_a_calendar_has_not_is_none(calendar, day):
    assert calendar(*day) is None


def test_every_day_of_a_persian_year_follows_the_one_before():
    days = [persian(y, m, d) for y in range(1390, 1410) for m in range(1, 13) for d in range(1, 32)]
    there = [day.toordinal() for day in days if day]
    assert there == list(range(there[0], there[0] + len(there)))
    assert len(there) == 20 * 365 + 5


@pytest.mark.parametrize(
    "written, language, day",
    [
        ("4. März 2021", "de", "2021-03-04"),
        ("March 4th, 2021", "en", "2021-03-04"),
        ("4 de marzo de 2021", "es", "2021-03-04"),
        ("Czwartek, 4 marca 2021 r.", "pl", "2021-03-04"),
        ("4. listopada 2021.", "hr", "2021-10-04"),
        ("4. listopadu 2021, 4 listopada 2021", "pl", "2021-11-04"),
        ("2021. március 4.", "hu", "2021-03-04"),
        ("2021 m. kovo 4 d.", "lt", "2021-03-04"),
        ("4 марта 2021 г.", "ru", "2021-03-04"),
        ("Πέμπτη, 4 Μαρτίου 2021", "el", "2021-03-04"),
        ("४ मार्च २०२१", "hi", "2021-03-04"),
        ("۴ مارچ ۲۰۲۱", "ur", "2021-03-04"),
        ("4 آذار 2021", "ar", "2021-03-04"),
        ("4 تشرين الأول 2021", "ar", "2021-10-04"),
        ("4 มีนาคม 2564", "th", "2021-03-04"),
        ("4 มี.ค. 2564", "th", "2021-03-04"),
        ("2021年3月4日", "zh", "2021-03-04"),
        ("令和3年3月4日", "ja", "2021-03-04"),
        ("平成元年3月4日", "ja", "1989-03-04"),
        ("2021년 3월 4일", "ko", "2021-03-04"),
        ("پنجشنبه ۱۴ اسفند ۱۳۹۹", "fa", "2021-03-04"),
        ("۱۳۹۹/۱۲/۱۴", "fa", "2021-03-04"),
        ("20 رجب 1442", "ar", "2021-03-04"),
        ("20 رجــب 1442", "ar", "2021-03-04"),
        ("1 شوّال 1442", "ar", "2021-05-13"),
        ("1 جمادى ثانية 1442", "ar", "2021-01-15"),
        ("دوشنبه ۱۵ دي ۱۳۹۹", "fa", "2021-01-04"),
        ("4 اكتبر 2021", "fa", "2021-10-04"),
        ("۱۵ حمل ۱۴۰۰", "prs", "2021-04-04"),
        ("د ۱۴۰۰ کال د وري ۱۵", "ps", "2021-04-04"),
        ("15 لړم 1400", "ps", "2021-11-06"),
        ("የካቲት 25 2013", "am", "2021-03-04"),
        ("২১ ফাল্গুন ১৪৩০", "bn", "2024-03-05"),
        ("04/03/2021", "fr", "2021-03-04"),
        ("03/04/2021", "en-US", "2021-03-04"),
        ("04.03.2021", "en", "2021-03-04"),
        ("25/03/2021", "", "2021-03-25"),
        ("03-25-2021", "", "2021-03-25"),
        ("Thu Mar 04 12:00:00 UTC 2021", "en", "2021-03-04"),
        ("4/Mar/2021", "en", "2021-03-04"),
        ("2021 წლის 4 მარტი", "ka", "2021-03-04"),
        ("2021 жылғы 4 наурыз", "kk", "2021-03-04"),
        ("2021-жылдын 4-марты", "ky", "2021-03-04"),
        ("2021-yil 4-mart", "uz", "2021-03-04"),
        ("2021-nji ýylyň 4-nji marty", "tk", "2021-03-04"),
        ("2021-ci il 4 mart", "az", "2021-03-04"),
        ("2021. gada 4. martā", "lv", "2021-03-04"),
        ("2021ko martxoaren 4a", "eu", "2021-03-04"),
        ("2021թ. մարտի 4", "hy", "2021-03-04"),
        ("2021 оны 3-р сарын 4", "mn", "2021-03-04"),
        ("Ngày 4 tháng 3 năm 2021", "vi", "2021-03-04"),
        ("ថ្ងៃទី៤ ខែមីនា ឆ្នាំ២០២១", "km", "2021-03-04"),
        ("৪ঠা মার্চ ২০২১", "bn", "2021-03-04"),
        ("4ی ئازاری 2021", "ckb", "2021-03-04"),
        ("4 آذار/مارس 2021", "ar", "2021-03-04"),
        ("4 ga watan Maris 2021", "ha", "2021-03-04"),
        ("4 a viz Meurzh 2021", "br", "2021-03-04"),
        ("4 ta' Marzu 2021", "mt", "2021-03-04"),
        ("Τρίτη 4 Μάρτη 2021", "el", "2021-03-04"),
    ],
)
def test_a_written_date_is_read(written, language, day):
    assert next(dates_in(written, language)).isoformat() == day


@pytest.mark.parametrize(
    "written",
    [
        "04/03/2021",
        "4 gray 2021",
        "1399/12/14",
        "2564-03-04",
        "192.168.2021.1",
        "© 2021",
        "31.02.2021",
        "12:30",
        "3 mayors 2015",
        "from 2009 to 17 of them",
    ],
)
def test_what_may_be_two_dates_or_is_none_is_not_read(written):
    assert list(dates_in(written)) == []


def test_a_year_before_a_date_is_not_its_own():
    assert [day.isoformat() for day in dates_in("from 2009 to 17 March 2011", "en")] == ["2011-03-17"]


def test_a_year_in_figures_that_two_calendars_may_mean_is_left_out():
    assert list(dates_in("1405/02/03", "ar")) == []
    assert list(dates_in("1442/07/20", "ar")) == [date(2021, 3, 4)]


@pytest.mark.parametrize(
    "value", ["yesterday", "04/03/2021", "2021-13-40", "1399-12-14", "", None, 20210304.5]
)
def test_a_declared_date_that_cannot_be_told_is_none(value):
    assert declared_date(value) == ""


def test_a_declared_year_of_another_calendar_is_of_the_language_of_the_page():
    assert declared_date("1399-12-14T10:30:00+03:30", "fa-IR") == "2021-03-04T10:30:00+03:30"
    assert declared_date("1442-07-20", "ar") == "2021-03-04"
    assert declared_date("2564-03-04", "th") == "2021-03-04"
    assert declared_date("1399-12-14", "de") == ""
