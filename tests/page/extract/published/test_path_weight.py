"""HR-5: the path with the largest weight, by Eq. 1."""

import pytest

from corpulyzer.page.extract import extract
from corpulyzer.page.extract.published.path_weight import is_well_formed


def chosen(html):
    return list(extract(f"<body>{html}</body>".encode(), extractor="path_weight").paragraphs)


def text(letter, length):
    return letter * (length - 1) + "."


def test_all_paragraphs_of_the_heaviest_path_come_back_hr_5():
    html = f"<p>{text('a', 90)}</p><div><p>{text('b', 200)}</p><p>{text('c', 20)}</p></div>"
    assert chosen(html) == [text("b", 200), text("c", 20)]


def test_the_path_is_tag_id_and_class_hr_5():
    same = f"<div class=x><p>{text('a', 60)}</p></div>"
    assert len(chosen(same + same)) == 2
    assert len(chosen(same + same.replace("class=x", "class=y"))) == 1
    assert len(chosen(same + same.replace("class=x", "class=x id=z"))) == 1
    assert len(chosen(same + f"<div class=x><div>{text('a', 60)}</div></div>")) == 1


def test_a_path_weighs_less_the_more_paths_came_before_it_hr_5():
    # Weights: 100 / 1 for the first path, 190 / 2 for the second, as it is in the map when it is divided.
    assert chosen(f"<p>{text('a', 100)}</p><div>{text('b', 190)}</div>") == [text("a", 100)]
    assert chosen(f"<p>{text('a', 100)}</p><div>{text('b', 210)}</div>") == [text("b", 210)]


def test_later_paragraphs_of_an_early_path_are_divided_by_the_map_as_it_then_is_hr_5():
    # The first path weighs 50 / 1 + 150 / 2 = 125, the second 240 / 2 = 120.
    early, late = text("a", 50), text("c", 150)
    assert chosen(f"<p>{early}</p><div>{text('b', 240)}</div><p>{late}</p>") == [early, late]
    assert chosen(f"<p>{early}</p><div>{text('b', 260)}</div><p>{late}</p>") == [text("b", 260)]


def test_characters_in_links_do_not_weigh_hr_5():
    linked = f"<div>{text('b', 100)}<a href=/>{text('c', 200)}</a></div>"
    assert chosen(f"<p>{text('a', 60)}</p>{linked}") == [text("a", 60)]


def test_lines_parted_by_br_are_paragraphs_hr_5():
    assert chosen(f"<div>{text('a', 90)}<br>menu<br>{text('b', 90)}</div>") == [text("a", 90), text("b", 90)]


@pytest.mark.parametrize(
    "sentence",
    ["یہ جملہ ہے۔", "यह वाक्य है।", "ይህ ዓረፍተ ነገር ነው።", "これは文です。", "„Ja.“", "(Tak!)", "ก" * 80],
)
def test_a_paragraph_of_any_script_can_be_well_formed(sentence):
    assert is_well_formed(sentence)


@pytest.mark.parametrize("label", ["Naslovnica", "© 2020 Portal", "ก" * 79])
def test_labels_are_not_well_formed(label):
    assert not is_well_formed(label)


def test_without_well_formed_paragraphs_the_page_is_empty_and_says_so():
    assert extract(b"<p>menu</p>", extractor="path_weight").reason == "no_content"
