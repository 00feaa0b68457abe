"""What owners of pages ask for is recorded, and obeyed as the policy says."""

from __future__ import annotations

import pytest

from corpulyzer.page.extract import Extract
from corpulyzer.page.extract.parse import parse
from corpulyzer.page.label.opt_outs import LABEL, OptOutPolicy, header_facts, label_opt_outs
from corpulyzer.records import Page


def page(html="", **headers):
    return Extract()(parse(Page("https://a.pk/", headers=headers, decoded=html)))


@pytest.mark.parametrize(
    "value, facts",
    [
        ("noindex", {"noindex"}),
        ("NoIndex, NOFOLLOW", {"noindex", "nofollow"}),
        ("none", {"noindex", "nofollow"}),
        ("all", set()),
        ("googlebot: noindex", set()),
        ("googlebot: noindex, nofollow, corpulyzer: noai", {"noai"}),
        ("robots: noarchive", {"noarchive"}),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST, noindex", {"noindex"}),
        ("max-snippet: 5, nofollow", {"nofollow"}),
        ("", set()),
    ],
)
def test_the_header_is_read(value, facts):
    assert header_facts({"x-robots-tag": value}) == facts


@pytest.mark.parametrize(
    "html, label",
    [
        ('<meta name="robots" content="noindex,nofollow">', "nofollow noindex"),
        ('<META NAME=Robots CONTENT="NONE">', "nofollow noindex"),
        ('<meta name="corpulyzer" content="noarchive">', "noarchive"),
        ('<meta name="googlebot" content="noindex">', ""),
        ('<meta name="tdm-reservation" content="1">', "tdm_reserved"),
        ('<meta name="tdm-reservation" content="0">', ""),
        ('<meta name="robots" content="noai, noimageai">', "noai"),
        ("<meta name=robots>", ""),
        ("<meta name=robots content=noai><p>a</p><meta name=' robots ' content=noindex>", "noai noindex"),
        ("<p>noindex</p>", ""),
    ],
)
def test_meta_tags_are_read(html, label):
    assert label_opt_outs(page(html)).labels.get(LABEL, "") == label


def test_header_and_page_add_up():
    headers = {"x-robots-tag": "noindex", "tdm-reservation": "1"}
    labelled = label_opt_outs(page("<meta name=robots content=nofollow>", **headers))
    assert labelled.labels[LABEL] == "nofollow noindex tdm_reserved"


def test_the_policy_decides_what_is_obeyed():
    reserved = label_opt_outs(page("<meta name=tdm-reservation content=1><meta name=robots content=noindex>"))
    verdict = OptOutPolicy()(reserved)
    assert (verdict.kept, verdict.reason, verdict.detail) == (False, "opted_out", "tdm_reserved")
    assert OptOutPolicy(tdm_reserved=False)(reserved).kept
    assert OptOutPolicy(tdm_reserved=False, noindex=True)(reserved).detail == "noindex"
    assert OptOutPolicy()(page()).kept


def test_links_are_followed_as_the_policy_says():
    policy = OptOutPolicy()
    assert policy.follows(()) and not policy.follows(("nofollow",)) and policy.follows((), "nofollow")
    assert OptOutPolicy(nofollow=False).follows(("nofollow",))
    assert not OptOutPolicy(rel_nofollow=True).follows((), "ugc NoFollow")
