"""The built-in web: a page follows from seed and URL, and the truth is true of what is served."""

from collections import Counter
from urllib.parse import parse_qsl

import pycld2
import pytest

from corpulyzer.lab.demo.prose import LANGUAGES
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.sites import LOOK_ALIKES, Place
from corpulyzer.page.extract import Extract, extract
from corpulyzer.page.extract.decode import decode
from corpulyzer.page.extract.parse import parse
from corpulyzer.records import Page
from corpulyzer.url import canonical
from corpulyzer.web.fetch.robots.rules import parse as parse_robots

CLD2_CODES = {"urd": "ur", "fas": "fa", "xho": "xh", "zul": "zu", "hrv": "hr", "slv": "sl", "eng": "en"}


@pytest.fixture(scope="module")
def web():
    return BuiltInWeb("urd", seed=5, sites=40, pages=2_000)


def places(web, view="article"):
    for site in web.plan:
        for edition in site.editions:
            for number in range(edition.size):
                yield Place(site, edition, view, number)


def truths(web):
    return [web.truth(web.addresses.of(place)) for place in places(web)]


def reachable(web, count=1_500):
    found = dict.fromkeys(web.seeds(20, rich=0.5))
    for url in (walk := list(found)):
        for link in web.links(url):
            if link.url not in found and len(found) < count:
                found[link.url] = None
                walk.append(link.url)
    return list(found)


def test_a_page_follows_from_seed_and_url_alone(web):
    urls = reachable(web, 120)
    first = {url: web.page(url).body for url in urls}
    again = BuiltInWeb("urd", seed=5, sites=40, pages=2_000)
    assert {url: again.page(url).body for url in reversed(urls)} == first
    other = BuiltInWeb("urd", seed=6, sites=40, pages=2_000)
    assert [site.editions[0].host for site in other.plan] != [site.editions[0].host for site in web.plan]


def test_an_address_stands_for_the_place_that_it_was_made_for(web):
    for place in places(web):
        assert web.addresses.place(web.addresses.of(place)) == place


def test_canonical_addresses_are_left_as_they_are(web):
    assert [url for url in reachable(web, 800) if canonical(url) != url and "sid=" not in url] == []


def test_every_kind_of_site_is_there_and_sizes_follow_a_power_law():
    web = BuiltInWeb("xho", seed=1)
    kinds = Counter(site.kind for site in web.plan)
    assert len(web.plan) == 240 and len(kinds) == 16 and min(kinds.values()) >= 4
    assert kinds["english"] == max(kinds.values())
    sizes = sorted((site.size for site in web.plan if site.kind == "english"), reverse=True)
    assert sizes[0] > 5 * sizes[len(sizes) // 2] > 5 * sizes[-1]
    assert abs(sum(site.size for site in web.plan) - 30_000) < 1_000
    hosts = [edition.host for site in web.plan for edition in site.editions]
    assert all(host.endswith((".example", ".test")) for host in hosts)


@pytest.mark.parametrize("target", LANGUAGES)
def test_the_text_is_in_the_language_that_the_truth_says(target):
    web = BuiltInWeb(target, seed=2, sites=32, pages=800)
    found = Counter()
    for truth in truths(web)[::3]:
        if truth.status == 200 and len(web.text(truth.url).encode()) >= 256:
            _, _, details = pycld2.detect(web.text(truth.url), bestEffort=True)
            found[details[0][1] == CLD2_CODES[truth.language]] += 1
    assert found[True] > 100 and found[False] <= 0.02 * found[True]
    languages = {truth.language for truth in truths(web)}
    assert {target, LOOK_ALIKES[target]} <= languages


def test_good_pages_are_extracted_as_good(web):
    good = [truth for truth in truths(web) if truth.good][::15]
    for truth in good:
        text = extract(web.page(truth.url).body, url=truth.url).text
        wanted = web.text(truth.url).split("\n")
        assert sum(paragraph in text for paragraph in wanted) >= len(wanted) - 1, truth.url
        assert len(text.encode()) >= 256


def test_a_quarter_of_the_target_pages_is_too_short():
    web = BuiltInWeb("hrv", seed=3, sites=60, pages=4_000)
    target = [t for t in truths(web) if t.language == "hrv" and t.status == 200 and t.kind == "rich"]
    sizes = [len(web.text(truth.url).encode()) for truth in target]
    assert 0.2 < sum(size < 256 for size in sizes) / len(sizes) < 0.3
    assert all((size >= 256) == truth.good for truth, size in zip(target, sizes, strict=True))
    assert min(sizes) > 0


def test_machine_translated_and_foreign_pages_are_not_good(web):
    assert not [t for t in truths(web) if t.good and t.kind in ("translated", "navigation_only", "english")]
    translated = [
        t for t in truths(web) if t.kind == "translated" and t.language == "urd" and t.status == 200
    ]
    assert all(b"ranslat" in web.page(truth.url).body for truth in translated[:20]) and translated


def test_copies_have_the_text_of_the_page_that_they_name(web):
    copies = [t for t in map(web.truth, reachable(web)) if t.duplicate_of and t.status == 200]
    assert {"print", "tag", "date", "article"} >= {t.view for t in copies} >= {"print"}
    for truth in copies:
        first = web.addresses.place(truth.duplicate_of)
        assert web.text(truth.url) == web.content.article(first).text
        assert not web.truth(truth.duplicate_of).duplicate_of
    urls = [t.url for t in copies]
    assert len(set(urls)) == len(urls) > 20


def test_a_mirror_repeats_the_articles_of_another_site():
    web = BuiltInWeb("slv", seed=1, sites=120, pages=3_000)
    (mirror, *_) = [site for site in web.plan if site.mirrors >= 0]
    url = web.addresses.article(mirror, mirror.editions[0], 1)
    first = web.truth(url).duplicate_of
    assert first.split("/")[2] != url.split("/")[2] and web.text(first) == web.text(url)


def test_links_are_those_that_the_html_has(web):
    seen = Counter()
    for url in reachable(web, 700):
        answer = web.page(url)
        if answer.truth.status == 200 and answer.content_type.startswith("text/html"):
            page = Extract()(parse(decode(Page(url, body=answer.body))))
            assert set(page.links) == set(web.links(url)), url
            seen[answer.truth.view] += 1
    assert {"article", "home", "section", "static", "print"} <= seen.keys()


def test_most_links_stay_on_their_site_and_most_others_lead_to_their_like():
    web = BuiltInWeb("urd", seed=4, sites=120, pages=6_000)
    inside, like, unlike = 0, 0, 0
    for truth in truths(web)[::4]:
        if truth.language != "urd" or truth.view != "article":
            continue
        host = truth.url.split("/")[2]
        for link in web.links(truth.url):
            if link.url.split("/")[2] == host:
                inside += 1
            elif web.truth(link.url).language:
                like, unlike = (
                    (like + 1, unlike) if web.truth(link.url).language == "urd" else (like, unlike + 1)
                )
    assert inside > 4 * (like + unlike)
    share = sum(t.language == "urd" for t in truths(web)) / len(truths(web))
    assert like / (like + unlike) > 1.5 * share


def test_hubs_lead_to_the_target(web):
    hubs = [t.url for t in truths(web) if t.kind == "hub" and t.status == 200]
    languages = Counter(web.truth(link.url).language for url in hubs for link in web.links(url))
    assert languages["urd"] > 0 and languages["eng"] > languages["urd"]


def test_robots_txt_says_what_the_truth_says(web):
    closed = Counter()
    for place in places(web):
        url = web.addresses.of(place)
        robots = web.page(f"http://{place.edition.host}/robots.txt")
        rules = parse_robots(robots.body).rules("corpulyzer")
        assert rules.allows(url) is not web.truth(url).disallowed
        closed[web.truth(url).disallowed] += 1
        assert not (web.truth(url).disallowed and web.truth(url).good)
    assert closed[True] > 3


def test_restricted_sites_ask_for_a_delay(web):
    (site, *_) = [site for site in web.plan if site.kind == "restricted"]
    body = web.page(f"http://{site.editions[0].host}/robots.txt").body.decode()
    assert f"Crawl-delay: {site.crawl_delay:g}" in body and site.crawl_delay > 0


@pytest.mark.parametrize("trap", ["calendar", "facets", "deep", "session"])
def test_a_trap_has_no_end(trap):
    web = BuiltInWeb("urd", seed=1, sites=240, pages=4_000)
    site = next(site for site in web.plan if site.trap == trap)
    home = web.addresses.of(Place(site, site.editions[0], "home"))
    found = {home: None}
    for url in (queue := [home]):
        for link in web.links(url):
            new = canonical(link.url)
            if new not in found and web.truth(new).trap and len(found) < 700:
                found[new] = None
                queue.append(new)
    assert len(found) == 700


def test_broken_sites_fail_in_every_way():
    web = BuiltInWeb("xho", seed=1, sites=240, pages=20_000)
    broken = Counter(t.status for t in truths(web) if t.kind == "broken")
    assert set(broken) == {200, 404, 500, 0, 301, 302, 307}
    assert 0.4 < broken[200] / broken.total() < 0.6
    for truth in truths(web):
        if truth.status in (301, 302, 307):
            assert truth.location and web.truth(truth.location).kind != "dead"
            assert (truth.location == truth.url) == (truth.status == 307)
            assert dict(web.page(truth.url).headers)["Location"] == truth.location


def test_mixed_sites_have_the_target_where_they_say(web):
    for site in web.plan:
        if site.kind in ("by_path", "by_subdomain", "by_query"):
            (target,) = [edition for edition in site.editions if edition.text == "urd"]
            url = web.addresses.article(site, target, 0)
            assert web.truth(url).language == "urd"
            assert target.prefix or target.query or target.host != site.editions[0].host
            if site.kind == "by_query":
                assert tuple(target.query.split("=")) in parse_qsl(url.partition("?")[2])
                assert any(link.hreflang == "ur" and link.element == "link" for link in web.links(url))


def test_sitemaps_and_feeds_list_pages(web):
    with_sitemap = next(site for site in web.plan if site.sitemap and site.hreflang)
    robots = web.page(f"http://{with_sitemap.editions[0].host}/robots.txt").body.decode()
    url = robots.split("Sitemap: ")[1].strip()
    links = web.links(url)
    assert {link.hreflang for link in links} == {"en", "ur"}
    assert all(link.url.replace("&", "&amp;") in web.page(url).body.decode() for link in links)
    with_feed = next(site for site in web.plan if site.feed)
    home = web.addresses.of(Place(with_feed, with_feed.editions[0], "home"))
    (feed,) = [link.url for link in web.links(home) if link.element == "feed"]
    assert web.page(feed).content_type.startswith("application/rss+xml") and web.links(feed)


def test_seeds_have_the_wanted_share_of_good_pages(web):
    for rich in (0.0, 0.25, 0.5, 1.0):
        seeds = web.seeds(40, rich)
        assert len(set(seeds)) == 40
        assert all(web.truth(url).good for url in seeds[: round(40 * rich)])
    assert sum(web.truth(url).good for url in web.seeds(40, 0.0)) < 20


def test_a_web_of_millions_keeps_no_pages():
    web = BuiltInWeb("zul", seed=9, sites=3_000, pages=4_000_000)
    assert sum(site.size for site in web.plan) > 3_900_000
    largest = max(web.plan, key=lambda site: site.size)
    url = web.addresses.article(largest, largest.editions[0], largest.editions[0].size - 1)
    assert web.truth(url).kind == largest.kind and web.links(url)


def test_what_is_not_there_is_missing(web):
    host = web.plan[0].editions[0].host
    assert web.truth(f"http://{host}/no/such/page").status == 404
    assert web.truth("http://no-such-host.test/").status == 502
    assert web.links("http://no-such-host.test/") == ()


def test_an_unknown_language_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="urd"):
        _ = BuiltInWeb("deu").plan
