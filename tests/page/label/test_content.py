"""Labels by lists: words of the page's own language, and addresses; with the evidence, and never a drop."""

import pytest

from corpulyzer.errors import UserError
from corpulyzer.page.label.content import Content, list_named
from corpulyzer.records import Page
from corpulyzer.text.word_list import WordList, as_text, word_list, words_of

URL = "https://a.example/blog/one.html"


@pytest.fixture
def listed(tmp_path):
    """A function from names and contents of files to the label that they make."""

    def get(files, **settings):
        made = []
        for name, content in files.items():
            (tmp_path / name).write_text(content)
            made.append(list_named(str(tmp_path / name), content))
        return Content(files=tuple(made), **settings)

    return get


def labels_of(page):
    return dict(page.labels), dict(page.scores)


def test_a_text_with_enough_words_of_its_language_has_the_label(listed):
    label = listed({"adult.hrv.txt": "plavo\nzeleno\ncrveno more\t2\n"}, min_score=0.1, min_entries=3)
    page = Page(URL, text="Plavo, zeleno i crveno more.", labels={"opt_outs": "tdm"})
    # Five words; the entries weigh 1, 1 and 2.
    assert labels_of(label(page, "hrv")) == (
        {"opt_outs": "tdm", "content.adult": "words"},
        {"content.adult": 0.8},
    )
    assert labels_of(label(page, "slv")) == ({"opt_outs": "tdm"}, {}), "the list is for Croatian"
    fewer = Page(URL, text="Plavo i zeleno.")
    assert labels_of(label(fewer, "hrv")) == ({}, {"content.adult": round(2 / 3, 6)}), (
        "two entries are too few"
    )


def test_a_list_may_say_its_own_threshold_and_be_for_every_language(listed):
    label = listed({"spam.all.txt": "# threshold: 0.5\nkupi\n"}, min_score=0.0, min_entries=1)
    assert labels_of(label(Page(URL, text="kupi sada"), "hrv"))[0] == {"content.spam": "words"}
    assert labels_of(label(Page(URL, text="kupi odmah sada"), "slv"))[0] == {}


@pytest.mark.parametrize(
    "entry, has",
    [
        ("a.example", True),
        ("example", True),
        ("https://a.example/blog/", True),
        ("a.example/blog/one.html", True),
        ("a.example/blo", False),
        ("b.a.example", False),
        ("# a.example", False),
    ],
)
def test_addresses_are_hosts_domains_and_folders(listed, entry, has):
    label = listed({"spam.urls.txt": f"other.example\n{entry}\n"})
    assert labels_of(label(Page(URL, text="x"), "hrv"))[0] == ({"content.spam": "address"} if has else {})


def test_labels_are_made_anew_and_say_all_that_they_follow_from(listed):
    label = listed({"spam.urls.txt": "a.example", "spam.hr.txt": "kupi"}, min_entries=1)
    before = Page(URL, text="kupi", labels={"content.adult": "words"}, scores={"content.adult": 0.5})
    labels, scores = labels_of(label(before, "hrv"))
    assert (labels, scores) == ({"content.spam": "address words"}, {"content.spam": 1.0})


@pytest.mark.parametrize("name", ["adult.txt", "Adult.hrv.txt", "adult.nolanguage.txt", "adult.hrv.csv"])
def test_a_name_that_says_nothing_is_refused(name):
    with pytest.raises(UserError):
        list_named(name, "")


def test_a_list_is_written_as_it_is_read():
    found = WordList({("plavo",): 2.5, ("crveno", "more"): 1.0}, 0.125)
    assert word_list(as_text(found, ["a remark"]), "a.txt") == found
    with pytest.raises(UserError, match="line 2: 'x' is no number"):
        word_list("plavo\t1\nzeleno\tx", "a.txt")
    assert words_of("Crveno MORE") == ["crveno", "more"]
