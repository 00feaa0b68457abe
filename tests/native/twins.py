"""Each compiled part beside its Python twin on one page: they say the same, or an assertion fails."""

from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.annotate.morph_model import learned, learned_by_library
from corpulyzer.lab.demo.archive import samples
from corpulyzer.language import Language
from corpulyzer.measure.text.passage import folded_sentences
from corpulyzer.measure.text.tally import CompiledTally, TallyInPython
from corpulyzer.native import scan
from corpulyzer.page.edges import collected as collected_edges
from corpulyzer.page.edges import compiled_edges
from corpulyzer.page.extract import links, unscripted
from corpulyzer.page.extract.compiled_walk import compiled_walk
from corpulyzer.page.extract.dates import lines
from corpulyzer.page.extract.default import chances
from corpulyzer.page.extract.default.comments import having
from corpulyzer.page.extract.default.main_content import title_of
from corpulyzer.page.extract.walk import blocks_of, walked
from corpulyzer.page.filter.quality import broken_by_pattern
from corpulyzer.page.identify import cld2, told
from corpulyzer.page.identify.ensemble import wide
from corpulyzer.page.identify.group import Decider
from corpulyzer.records import Link, Page, Paragraph, columns
from corpulyzer.records.changed import changed
from corpulyzer.text import clean, sentence
from corpulyzer.text.census import Census, computed, kinds_of_characters
from corpulyzer.text.joined import joined, joined_in_python
from corpulyzer.text.marks import marks_of
from corpulyzer.url import SUSPECT_NAMES, canonical
from corpulyzer.warc import heads
from corpulyzer.web.frontier.pattern import LanguageWords, pattern_of, stem_of, told_by
from corpulyzer.web.frontier.traps import Traps
from corpulyzer.web.frontier.views import is_list, is_plain

OWN = Path(__file__).parent.parent / "data" / "extraction" / "own" / "html"
BASE = "https://a.example/dir/page"
# Sums of floats in another order: the last digits differ.
CLOSE = 1e-3


def real_pages():
    """Pages in the markup of real systems, and those of the demo's web."""
    own = [file.read_bytes() for file in sorted(OWN.iterdir())]
    return own + [sample.body for sample in samples() if b"<" in sample.body]


@contextmanager
def in_python(*objects, name="compiled"):
    """As if nothing had been compiled for some modules or objects."""
    before = [getattr(each, name) for each in objects]
    for each in objects:
        setattr(each, name, None)
    try:
        yield
    finally:
        for each, value in zip(objects, before, strict=True):
            setattr(each, name, value)


def tree_of(html):
    """Parsed as `parse` does it: no parser sees bytes that are no UTF-8."""
    return LexborHTMLParser(html if scan.is_utf8(html) else html.decode("utf-8", "replace"))


def page_of(html):
    return blocks_of(tree_of(html))


def texts_of(html):
    return [block.text for block in page_of(html).blocks]


@cache
def walk_in_c():
    return compiled_walk()


def same_walk(html):
    root = tree_of(html).root
    if root is not None:
        blocks, elements, paths, anchors, facts, _ = walk_in_c()(root)
        assert (blocks, list(elements), list(paths), anchors, facts) == walked(root)[:5]
        for parts in ((b"omment", b"oment", b"isqus"), (b"a", b"-e"), (b"\xef\xbf\xbd",)):
            assert having(paths, parts) == having(list(paths), parts)


def same_content(html):
    page = page_of(html)
    if page.blocks:
        found, words = chances.compiled().chances(page, title_of(page))
        expected, expected_words = chances.computed(page, title_of(page))
        assert np.allclose(found, expected, atol=CLOSE) and np.array_equal(words, expected_words)


def same_looks_at_blocks(html):
    blocks = page_of(html).blocks

    def looked(title):
        years = lines.with_years(blocks, 2, len(blocks), 40, outside=lines.BESIDE)
        return lines.place_of_title(blocks, title), years, unscripted.shows_text(blocks)

    for title in ("", blocks[-1].text if blocks else "", "Example of a title"):
        found = looked(title)
        with in_python(lines, unscripted):
            assert found == looked(title)


def same_fields(html):
    for head in (html, html.replace(b"<", b"\n"), html.replace(b"=", b": "), html.replace(b">", b"\r\n ")):
        found = heads.fields_of(head)
        with in_python(heads):
            assert list(found.items()) == list(heads.fields_of(head).items())


def same_links(html):
    page = page_of(html)
    assert links.compiled_links()(page, BASE) == links.collected(page, BASE)


def same_edges(html):
    pages = [links.links_of(page_of(html), BASE)]
    assert compiled_edges()(pages) == collected_edges(pages)


def same_columns(html):
    page = page_of(html)
    for groups, record in (
        ([joined_in_python(page.blocks)[1]] * 2, Paragraph),
        ([links.links_of(page, BASE)], Link),
    ):
        found = columns._array(groups, tuple[record, ...])
        found.validate(full=True)
        with in_python(columns):
            assert found == columns._array(groups, tuple[record, ...])


def same_records(html):
    blocks = page_of(html).blocks
    assert joined(blocks) == joined_in_python(blocks)
    page, (text, paragraphs) = Page(BASE, body=html), joined(blocks)
    assert changed(page, text=text, paragraphs=paragraphs) == replace(page, text=text, paragraphs=paragraphs)


def same_bytes_seen(html):
    assert scan.is_utf8(html) == scan._is_utf8(html)
    parts = (b"<time", b"\xd8", b"CC BY", b"</x")
    assert scan.has_any(html, parts) == scan._has_any(html, parts)
    assert scan.has_before(html, b"<", b"aXz/") == scan._has_before(html, b"<", b"aXz/")
    for part, most in ((b"<", 5), (b"div", 1000), (b"aa", 1000)):
        assert scan.places(html, part, most) == scan._places(html, part, most)
    for name in (b"a", b"time", b"div"):
        assert scan.tag_count(html, name) == scan._tag_count(html, name)
    for depth in (0, 16, 4096):
        assert scan.may_be_deep(html, depth) == scan._may_be_deep(html, depth)


def same_texts_seen(html):
    for text in texts_of(html):
        assert Census(*scan.counted(text, kinds_of_characters())) == computed(text)
        assert scan.broken(text) == broken_by_pattern(text)
        assert not scan.is_stable(text) or clean(text) == text
    for link in links.links_of(page_of(html), BASE):
        assert not scan.is_canonical(link.url, SUSPECT_NAMES) or canonical(link.url) == link.url


@cache
def decider(script):
    return Decider(wide(script))


def same_scores(html):
    texts = texts_of(html)
    for own in map(decider, ("Latn", "Arab")):
        found = own.scorer(texts).tolist(), own(texts)
        with in_python(own.scorer, name="_compiled"):
            assert found == (own.scorer(texts).tolist(), own(texts))


def same_languages(html):
    text, paragraphs = joined(page_of(html).blocks)
    texts, identify = told.texts_of(text, paragraphs), cld2.Cld2()
    found = identify(texts)
    labelled = told.with_languages(paragraphs, found, "urd")
    with in_python(told, cld2):
        assert texts == told.texts_of(text, paragraphs)
        assert repr(found) == repr(identify(texts))
        assert repr(labelled) == repr(told.with_languages(paragraphs, found, "urd"))


def same_morphs(html):
    counted = Counter(word[:40] for text in texts_of(html) for word in text.split())
    words, counts = list(counted)[:40], list(counted.values())[:40]
    if words:
        cut, expected = (learn(words, counts, 1) for learn in (learned, learned_by_library))
        for word in [*words, words[0][::-1], words[-1] * 3, "\x00"]:
            assert list(cut(word)) == expected(word)


def same_tally(html):
    texts = texts_of(html)
    # Words with marks inside, with joiners, soft hyphens and lines of their own, and some that are too long.
    odd = [
        "a_b__ 'n_ n'go'mbe foo_\u200c x\u200c-y \xada\xadb' \xad'\xadc",
        "d\n e  f\u2028g",
        "_" * 9,
        "x'" * 90,
        "",
    ]
    for language in map(Language.find, ("swa", "fas")):
        ours, theirs = (tally(language, 2) for tally in (CompiledTally, TallyInPython))
        for number, text in enumerate([*odd, *texts]):
            cut = (*folded_sentences(text, language), *odd[: number % 7])
            assert ours.add(cut, number % 3) == theirs.add(cut, number % 3)
            for tally in (ours, theirs):
                tally.count(text, 3 - number % 2)
                tally.add_characters(text)
        assert _listed(ours) == _listed(theirs)


def _listed(tally):
    words, *columns = tally.words()
    words.validate(full=True)
    runs = [(kind, keys.tolist(), counts.tolist()) for kind, (keys, counts) in tally.runs()]
    characters = [column.tolist() for column in tally.characters()]
    return words.to_pylist(), [column.tolist() for column in columns], runs, characters


def same_sentences(html):
    table = marks_of(r"[\p{Lu}\p{M}]")
    for text in texts_of(html):
        assert scan.marked(text, table) == [at for at, c in enumerate(text) if table[ord(c)]]
        for language in map(Language.find, ("deu", "ell", "amh", "urd", "mya")):
            found = sentence.sentences(text, language)
            with in_python(sentence, name="marked"):
                assert found == sentence.sentences(text, language)


TARGET = LanguageWords(
    frozenset({"ur", "urd"}), ("urdu", "اردو"), frozenset({"en", "fa", "zh"}), frozenset({"english"})
)
HOSTS = ("a.pk", "ur.a.pk", "en.b.com:80", "localhost", "x..y.z", "www.Urdu.pk", "1.2.3.4", "")
PIECES = (
    *("a", "ur", "UR-pk", "zh_Hant", "en", "fa-xyz", "urdu", "English", "x" * 20, "12", "2024", "a-b", "a-b-c", "a_b_c"),
    *(".html", ".Php", ".tar.gz", ".x", "%3A", "%D9", "Talk:", "é", "-", "_", ".", ":", "0123456789ab", "12345678-abcd-"),
    *("title-9", "s=1f0c55ab9e", "lang=ur", "HL=fa", "id=5", "q", "q=", "=", "&", "?", "/", "//", "p=urdu", "n=Talk:X"),
)  # fmt: skip


def same_addresses(html):
    chance = Random(len(html) + sum(html[:100]))
    urls = [link.url for link in links.links_of(page_of(html), BASE)]
    for _ in range(40):
        parts = (chance.choice("///&?.") + chance.choice(PIECES) for _ in range(chance.randrange(7)))
        urls.append(f"http{chance.choice(('', 's'))}://{chance.choice(HOSTS)}{''.join(parts)}")
    for url in urls:
        found = pattern_of(url)
        assert told_by(url, TARGET) == (found.section, found.pattern, stem_of(url), TARGET(url)), url


NAMES = (
    *("wp-login.php", "xmlrpc.php", "Trackback", "embed", "comment-page-2", "comments", "feed", "ucp.php", "comment", "reply"),
    *("node", "12", "edit", "users", "login", "_export", "lib", "exe", "detail.php", "tiki-print.php", "Sign_up", "register"),
    *("tag", "reka", "category", "authors", "label", "page", "7", "1899-05", "2024", "05", "2043", "12-1", "calendar", "events"),
    *("wp-sitemap-users-1.xml", "author-sitemap.xml", "sitemap-NS_8-1.xml", "sitemap_collections_1.xml", "Special:X", "s"),
    *("a", "b", "story", "some-title.html", "5f3a91c2d4b7e8f60", "archives", "rss.xml", "atom", "", "sid=5f3a91c2d4b7e8f60"),
)  # fmt: skip


def only_plain_addresses_need_no_look(html):
    chance = Random(len(html) + sum(html[:100]))
    urls = [link.url for link in links.links_of(page_of(html), BASE)]
    for _ in range(100):
        parts = ("/" + chance.choice(NAMES) for _ in range(chance.randrange(8)))
        urls.append(
            f"https://{chance.choice(HOSTS)}{''.join(parts)}{chance.choice(('', '', '/', '?', '?p=1'))}"
        )
    for url in urls:
        if is_plain(url, 12):
            assert not Traps().by_shape(url) and not is_list(url), url


# By C file: what compares it with its twin.
TWINS = {
    "address": (same_addresses, only_plain_addresses_need_no_look),
    "blocks": (same_looks_at_blocks,),
    "columns": (same_columns,),
    "content": (same_content,),
    "edges": (same_edges,),
    "heads": (same_fields,),
    "links": (same_links,),
    "morphs": (same_morphs,),
    "record": (same_records,),
    "scan": (same_bytes_seen, same_texts_seen, same_sentences),
    "score": (same_scores,),
    "tally": (same_tally,),
    "told": (same_languages,),
    "walk": (same_walk,),
}
