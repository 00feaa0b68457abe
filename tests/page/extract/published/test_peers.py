"""Other extractors behind the same protocol, and full text."""

import sys

import pytest

from corpulyzer.errors import UserError
from corpulyzer.page.extract import extract

SENTENCE = (
    "Ovo je prava rečenica članka, dovoljno duga da je svatko prepozna kao sadržaj, a ne kao izbornik. "
)
HTML = (
    "<html><body><nav><a href=/>Naslovnica</a></nav><article><h1>Naslov članka</h1>"
    + "".join(f"<p>{SENTENCE * 3}{i}.</p>" for i in range(4))
    + "</article><footer><a href=/i>Impressum</a></footer></body></html>"
).encode()


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("trafilatura", "trafilatura"),
        ("resiliparse", "resiliparse"),
        ("readability", "readability"),
        ("justext_package", "justext"),
    ],
)
def test_a_peer_finds_the_article_with_its_own_rules(name, module):
    pytest.importorskip(module)
    found = extract(HTML, extractor=name)
    assert sum(paragraph.startswith(SENTENCE.strip()) for paragraph in found.paragraphs) == 4
    assert "Naslovnica" not in found.text


def test_boilerpy3_drops_what_follows_the_article():
    pytest.importorskip("boilerpy3")
    found = extract(HTML, extractor="boilerpy3")
    assert sum(paragraph.startswith(SENTENCE.strip()) for paragraph in found.paragraphs) == 4
    assert "Impressum" not in found.text


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [
        ("trafilatura", "trafilatura", "trafilatura"),
        ("readability", "readability", "readability-lxml"),
        ("justext_package", "justext", "jusText"),
    ],
)
def test_a_peer_that_is_not_installed_says_how_to_install_it(monkeypatch, name, module, package):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UserError) as error:
        extract(HTML, extractor=name)
    assert f"pip install {package}" in error.value.hint


def test_a_page_that_the_justext_package_cannot_read_is_empty():
    pytest.importorskip("justext")
    assert extract(b"", extractor="justext_package").text == ""
    broken = b"<html><body><p>a<script>x</script>\x01b</p></body></html>"
    assert extract(broken, extractor="justext_package").reason == "no_content"


def test_full_text_keeps_everything_that_can_be_seen_xh_3():
    found = extract(HTML, extractor="full_text").paragraphs
    assert (found[:2], len(found), found[-1]) == (("Naslovnica", "Naslov članka"), 7, "Impressum")
