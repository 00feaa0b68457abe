"""What is looked for before a slow pattern is found wherever the pattern finds something."""

import pytest
import regex

from corpulyzer.page.extract.dates import reading, words

EVERY = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x20000))))
LINES = (
    "Published on 4 March 2021 by A. Author",
    "2021年3月4日 令和3年3月4日",
    "04/03/2021, 2021. gada 4 and 2021. gada marts 4",
    "3. ožujka 2021. - ۱۴ اسفند ۱۳۹۹ 10:20",
    "12 chapters, 1999 pages, 20 authors",
    "March 42021, March 4 20211",
    "",
)


WORDS = (words.says_published, words.says_changed, words.says_copyright)


def test_letters_that_a_pattern_takes_for_alike_are_folded_to_the_same():
    letters = sorted(set("".join(regex.sub(r"\\(.)", r"\1", each.pattern.pattern) for each in WORDS)) - {"|"})
    like_any = regex.findall(f"(?i)[{''.join(map(regex.escape, letters))}]", EVERY)
    assert len(like_any) > len(letters)
    for letter in letters:
        alike = regex.compile(regex.escape(letter), regex.IGNORECASE)
        assert all(words._folded(each) == words._folded(letter) for each in like_any if alike.match(each))


@pytest.mark.parametrize(
    "line",
    [
        *(
            "YAYIN TARİHİ",
            "Posted by",
            "ΔΗΜΟΣΙΕΎΤΗΚΕ",
            "ДАТА",
            "nothing",
            "no word",
            "(C) 2021",
            "ALL RIGHTS",
        ),
        *("LAST EDITED", "GÜNCELLEME", "ИЗМЕНЕНО", "ΕΝΗΜΈΡΩΣΗ", "Stand: 4.3.", "更新", "a(c", "all right"),
    ],
)
@pytest.mark.parametrize("says", WORDS)
def test_a_line_says_so_where_the_pattern_finds_a_word(says, line):
    assert says(line) == (says.pattern.search(line) is not None)


@pytest.mark.parametrize("line", LINES)
def test_without_the_rest_of_a_date_that_begins_with_its_month_all_others_are_found(line):
    found = [match.span() for match in reading._ANY.finditer(line)]
    assert not reading._REST_OF_MONTH_FIRST.search(line)
    assert [match.span() for match in reading._NO_MONTH_FIRST.finditer(line)] == found


def test_a_date_that_begins_with_its_month_is_found():
    assert [str(day) for day in reading.dates_in("1/2/2020 - March 4th, 2021")] == ["2021-03-04"]
