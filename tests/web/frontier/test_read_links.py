"""Links read by column say the same of their targets as each of them says alone."""

import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

sys.path.append(str(Path(__file__).parent))

from link_rows import clues_of, link

from corpulyzer.corpus.settings.config import Config
from corpulyzer.corpus.settings.tables import CorpusTable
from corpulyzer.jobs.crawl.link_reader import reader_of
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.page.label.opt_outs import OptOutPolicy
from corpulyzer.records import int64_hash
from corpulyzer.url import site_of, url_id
from corpulyzer.web.frontier.clues import OTHER, SCRIPT, TARGET, UNKNOWN, ReadLinks
from corpulyzer.web.frontier.pattern import pattern_of, stem_of

RELS = ("", "", "nofollow", "NoFollow ugc", "alternate", "stylesheet", "next nofollow", "canonical")
TONGUES = ("", "", "ur", "UR_pk", "en-GB", "x-default", "und", "fa")
ELEMENTS = ("a", "a", "a", "area", "link", "iframe", "loc", "sitemap", "feed", "img", "form")
RELATIONS = {"alternate", "canonical", "next", "prev", "amphtml"}
ODD = (
    "http://a.pk/calendar/?year=2999&month=3", "http://a.pk/x?sid=0123456789abcdef0123", "http://b.pk/tag/reka/",
    "http://b.pk/a/b/a/b/", "http://b.pk/photo.JPG", "https://ur.wikipedia.org/wiki/x", "http://b.pk/ur/1",
    "http://b.pk/wp-login.php", "http://b.pk/?title=Kranj&action=edit", f"http://b.pk/{'x' * 1100}",
)  # fmt: skip


def clue_of(reader, row):
    """What one link says, told row by row; None if it is not followed."""
    rel = row["rel"].lower().split()
    own = row["source_site"] == row["target_site"]
    if "nofollow" in rel and not (reader.follow_own_nofollow if own else reader.follow_nofollow):
        return None
    if row["element"] not in reader.elements or (row["element"] == "link" and not RELATIONS & set(rel)):
        return None
    url, hops = row["target"], row["hops"] + 1
    site, pattern, stem = site_of(url), pattern_of(url), stem_of(url)
    said = reader.anchor(row["anchor"]) if row["anchor"] else UNKNOWN
    code = row["hreflang"].lower().replace("_", "-").split("-")[0]
    is_link = row["element"] not in ("loc", "sitemap", "feed")
    return {
        "id": row["target_id"],
        "url": url,
        "site_id": int64_hash(site),
        "section_id": int64_hash(site, pattern.section),
        "prefix_id": int64_hash(site, pattern.section, pattern.pattern),
        "stem": int64_hash(site, stem) if stem else row["target_id"],
        "hops": hops,
        "words": reader.words(url),
        "refused": reader.refusal(url, hops) or reader.traps.put_off(url),
        "spelling": row["spelling"],
        "seed": 0,
        "links": int(is_link),
        "outside": int(is_link and not own),
        "from_target": int(row["target_text"] > 0),
        "share": row["target_bytes"] * 1_000_000 // row["text_bytes"] if row["text_bytes"] else 0,
        "anchors_target": int(said == TARGET),
        "anchors_script": int(said == SCRIPT),
        "anchors_other": int(said == OTHER),
        "anchors_named": int(reader.words.named(row["anchor"])),
        "alternates_target": int(code in ("ur", "urd")),
        "alternates_other": int(code not in ("ur", "urd", "", "x", "und", "mul")),
        "listed": int(row["element"] == "loc"),
        "maps": int(row["element"] in ("sitemap", "feed")),
        "referrer": row["source_url_id"],
        "referrer_bytes": row["target_bytes"],
        "cash": row["cash"] // row["outlinks"],
    }


@pytest.fixture(scope="module")
def rows():
    """Links of pages of the built-in web, and of pages that nobody made."""
    web, chance = BuiltInWeb("urd", sites=30, pages=600), Random(1)
    found = [(page, each.url, each.anchor) for page in web.seeds(40, 0.5) for each in web.links(page)]
    found += [(page, url, anchor) for page, _, anchor in found[:40] for url in ODD]
    return [
        link(
            target_id=url_id(url), target=url, target_site=site_of(url), anchor=anchor,
            spelling=chance.choice(("", f"{url}#")), rel=chance.choice(RELS), hreflang=chance.choice(TONGUES),
            element=chance.choice(ELEMENTS), source_url_id=url_id(page), source_site=site_of(page),
            target_bytes=chance.randrange(3000), target_text=chance.randrange(2),
            text_bytes=chance.choice((0, 3000, 1 << 40)), hops=chance.choice((0, 1, 7, 49, 50, 60)),
            cash=chance.choice((0, 1_000_000)), outlinks=chance.randrange(1, 90),
        )
        for page, url, anchor in found
    ]  # fmt: skip


@pytest.mark.parametrize("nofollow, own", [(True, True), (False, True), (True, False)])
def test_links_read_by_column_say_what_each_says_alone(rows, nofollow, own):
    opt_outs = OptOutPolicy(rel_nofollow=nofollow, own_nofollow=own)
    reader = reader_of(Config(corpus=CorpusTable(language="urd"), opt_outs=opt_outs))
    alone = [clue for row in rows if (clue := clue_of(reader, row))]
    assert 100 < len(alone) < len(rows)
    assert clues_of(ReadLinks(reader), rows) == alone
    reused = ReadLinks(reader)
    halves = [clues_of(reused, half) for half in (rows[::2], rows[1::2])]
    assert sorted(halves[0] + halves[1], key=str) == sorted(alone, key=str), "in any batches"


def test_no_links_are_no_clues():
    reader = reader_of(Config(corpus=CorpusTable(language="urd")))
    assert clues_of(ReadLinks(reader), []) == []
    assert clues_of(ReadLinks(reader), [link(element="img")]) == []


def test_the_guard_is_told_of_a_row_before_its_anchor_is_read():
    """By the number that it has among all links, those too that are not followed."""
    told = []

    def anchor(words):
        assert told[-1] == int(words)
        return UNKNOWN

    reader = reader_of(Config(corpus=CorpusTable(language="urd")))
    step = ReadLinks(replace(reader, anchor=anchor))
    links = [link(element="img" if n % 3 else "a", anchor=str(n)) for n in range(12)]
    clues_of(step, links, told.append)
