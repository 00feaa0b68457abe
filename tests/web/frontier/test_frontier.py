"""The frontier: what links add to it, what fetches change in it, and what the strategies make of it."""

import random
from dataclasses import replace

import pyarrow as pa
import pytest
from rounds_by_hand import READER, Made

from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.sql import lint
from corpulyzer.lab.experiment.in_process import InProcessEngine
from corpulyzer.records import int64_hash
from corpulyzer.records.columns import schema_of
from corpulyzer.url import site_of, url_id
from corpulyzer.web.frontier import Situation
from corpulyzer.web.frontier.generate import Generate
from corpulyzer.web.frontier.reschedule import Reschedule
from corpulyzer.web.frontier.state import DAY, Recrawl
from corpulyzer.web.frontier.store.behind import COUNT_SQL, PROMISE, SOME_SQL, SOONEST_SQL, WAITING_SQL
from corpulyzer.web.frontier.strategies.anchor import Anchor
from corpulyzer.web.frontier.strategies.breadth import Breadth
from corpulyzer.web.frontier.strategies.focus import Focus
from corpulyzer.web.frontier.strategies.lrl import Lrl
from corpulyzer.web.frontier.strategies.opic import Opic
from corpulyzer.web.frontier.tables import MICRO, NEVER, Known
from corpulyzer.web.frontier.traps import Traps

STRATEGIES = [Breadth(), Opic(), Anchor(), Lrl(), Lrl("referrer"), Focus()]


@pytest.fixture
def made(tmp_path):
    return lambda *seeds: Made(tmp_path, seeds)


@pytest.fixture
def made_here(tmp_path):
    """The same in this process, which takes less time."""
    return lambda *seeds: Made(tmp_path, seeds, InProcessEngine())


def test_every_link_adds_its_evidence(made):
    frontier = made("http://a.pk/", "http://b.pk/")
    frontier.list()
    links = [("http://c.pk/1", "target"), ("http://a.pk/2", "in Urdu"), ("http://a.pk/3", "hreflang ur")]
    frontier.fetch(
        {"http://a.pk/": (1000, 500, links), "http://b.pk/": (1000, 0, [("http://c.pk/1", "other")])}
    )
    rows = frontier.rows()
    one = rows["http://c.pk/1"]
    assert (one["links"], one["outside"], one["from_target"], one["share"]) == (2, 2, 1, 500_000)
    assert (one["anchors_target"], one["anchors_other"], one["hops"], one["round"]) == (1, 1, 1, 1)
    assert one["referrer"] == url_id("http://a.pk/"), "the referrer with the larger target share"
    assert rows["http://a.pk/2"]["anchors_named"] == 1 and rows["http://a.pk/2"]["outside"] == 0
    assert rows["http://a.pk/3"]["alternates_target"] == 1
    assert rows["http://a.pk/"]["seed"] == 1 and rows["http://a.pk/"]["fetches"] == 1


def test_what_may_not_be_fetched_is_known_with_its_reason_and_never_listed(made):
    frontier = made("http://a.pk/")
    frontier.list()
    links = [("http://x.blocked.pk/", "x"), ("http://a.pk/a.jpg", "x"), ("http://a.pk/no", "nofollow")]
    frontier.fetch({"http://a.pk/": (1000, 500, links)})
    rows = frontier.rows()
    assert rows["http://x.blocked.pk/"]["refused"] == "scope: blocked host"
    assert rows["http://a.pk/a.jpg"]["refused"] == "scope: kind of file"
    assert "http://a.pk/no" not in rows
    assert frontier.list() == []


def test_a_redirect_to_another_site_becomes_a_url_of_the_frontier(made):
    frontier = made("http://a.pk/")
    frontier.list()
    frontier.fetch({"http://a.pk/": "http://b.pk/"})
    assert frontier.rows()["http://b.pk/"]["seed"] == 1
    assert frontier.list() == ["http://b.pk/"]


@pytest.mark.parametrize("first", ["http://b.pk/", "disallowed", 404])
def test_a_url_that_gives_a_page_only_later_counts_as_a_page_with_its_bytes_and_once_cz_7(made, first):
    """Eq. 3 by hand: 900 target bytes on one page of a.pk, and none on its other, which has no text at all."""
    frontier = made("http://a.pk/", "http://a.pk/empty")
    frontier.list()
    frontier.fetch({"http://a.pk/": first, "http://a.pk/empty": (0, 0, [], "")})
    pages = {"http://a.pk/": (1000, 900, []), "http://a.pk/empty": (0, 0, [], "")}
    for _ in range(2):
        frontier.list(now=frontier.now() + 100 * DAY)
        frontier.fetch(pages, urls=[*pages])
    site = frontier.site("a.pk")
    assert (site["pages"], site["target_bytes"]) == (2, 900)


def test_of_all_spellings_the_one_of_the_lowest_round_hops_and_text_is_kept(made):
    frontier = made("http://a.pk/?s&b", "http://b.pk/?z&y")
    frontier.list()
    far = [(f"http://c.pk/{path}", "x") for path in ("1?c&b", "2?c&b", "2?b&c", "3?d&c&b", "3?c&d&b")]
    frontier.fetch({"http://a.pk/?b&s": (1000, 500, far), "http://b.pk/?y&z": "http://b.pk/?x&%61"})
    frontier.list()
    # The pages of this round are nearer to a seed, and come too late.
    nearer = [("http://c.pk/1?%62&c", "x"), ("http://c.pk/4?b&a", "x")]
    frontier.fetch({"http://b.pk/?a&x": (1000, 500, nearer), "http://c.pk/1?b&c": (1000, 500, nearer[1:])})
    spellings = {url: row["spelling"].partition(".pk")[2] for url, row in frontier.rows().items()}
    assert spellings == {
        "http://a.pk/?b&s": "/?s&b",
        "http://b.pk/?y&z": "/?z&y",
        "http://b.pk/?a&x": "/?x&%61",
        "http://c.pk/1?b&c": "/1?c&b",
        "http://c.pk/2?b&c": "",
        "http://c.pk/3?b&c&d": "/3?c&d&b",
        "http://c.pk/4?a&b": "/4?b&a",
    }


def test_within_a_round_the_spelling_nearest_to_a_seed_is_kept(made):
    frontier = made("http://a.pk/", "http://b.pk/")
    frontier.list()
    frontier.fetch({"http://a.pk/": (1000, 500, [("http://a.pk/1", "x")]), "http://b.pk/": 503})
    frontier.list(now=frontier.now() + DAY)
    pages = {"http://a.pk/1": (1000, 500, [("http://c.pk/?b&a", "x")])}
    frontier.fetch(pages | {"http://b.pk/": (1000, 500, [("http://c.pk/?b&%61", "x")])})
    assert frontier.rows()["http://c.pk/?a&b"]["spelling"] == "http://c.pk/?b&%61"


def test_a_second_page_with_the_same_text_is_a_copy_and_not_good(made):
    frontier = made("http://a.pk/", "http://b.pk/")
    frontier.list()
    frontier.fetch(
        {url: (1000, 1000, [("http://c.pk/", "x")], "same") for url in ("http://a.pk/", "http://b.pk/")}
    )
    assert (frontier.sums["kept"], frontier.sums["good"], frontier.sums["copies"]) == (2, 1, 1)
    frontier.list()
    frontier.fetch({"http://c.pk/": (1000, 1000, [], "same")})
    assert (frontier.sums["kept"], frontier.sums["good"], frontier.sums["copies"]) == (1, 0, 1)


def test_pages_fall_due_by_what_became_of_them(made):
    frontier = made("http://a.pk/good", "http://a.pk/other", "http://a.pk/gone")
    frontier.list()
    frontier.fetch({"http://a.pk/good": (1000, 1000, []), "http://a.pk/other": (1000, 0, [])})
    assert frontier.list() == [], "nothing is fetched twice in a row"
    later = frontier.now() + DAY
    assert frontier.list(now=later) == ["http://a.pk/gone"]
    frontier.fetch({})
    gone = frontier.rows()["http://a.pk/gone"]
    assert (gone["failures"], gone["status"], gone["due"]) == (2, 404, NEVER), "dead after the second 404"
    assert frontier.list(now=later + 8 * DAY) == ["http://a.pk/good"]
    assert set(frontier.list(now=later + 91 * DAY)) == {"http://a.pk/good", "http://a.pk/other"}


def test_the_schedule_follows_how_often_a_page_changes():
    recrawl = Recrawl()
    week = recrawl.interval(0, changed=True, kept=True)
    assert week == 7 * DAY
    assert (
        recrawl.interval(week, changed=True, kept=True)
        < week
        < recrawl.interval(week, changed=False, kept=True)
    )
    assert recrawl.interval(2, changed=True, kept=True) == DAY


NEW_INTERVALS = Recrawl(first_days=2, min_days=0.5, max_days=30, dead_after=3, give_up_after=1)


def test_new_intervals_hold_for_what_was_fetched_before_as_if_they_had_always_been_there(made, tmp_path):
    """The same rounds under the new settings from the start are the other way to the right answer."""
    pages = {
        "http://a.pk/good": (1000, 1000, []),
        "http://a.pk/other": (1000, 0, []),
        "http://a.pk/busy": 503,
    }
    urls = [*pages, "http://a.pk/gone", "http://a.pk/refused.jpg"]
    old, new = made(*urls), Made(tmp_path / "new", urls, recrawl=NEW_INTERVALS)
    for frontier in (old, new):
        frontier.list()
        frontier.fetch(pages)
    assert schedule(old) != schedule(new)
    old.update = replace(old.update, recrawl=NEW_INTERVALS)
    old.frontier = old.update.reschedule(old.frontier, "00002.1", Recrawl())
    assert schedule(old) == schedule(new)
    assert old.rows()["http://a.pk/busy"]["due"] == NEVER, "one failure is enough now"
    assert old.list(now=old.now() + 3 * DAY) == new.list(now=new.now() + 3 * DAY) != []


def test_an_interval_that_has_adapted_keeps_its_ratio_within_the_new_bounds():
    """Twice unchanged: 7 days became 10.5 and 15.75; of a first interval of 2 days the same is 4.5."""
    for settings, days in (
        (Recrawl(first_days=2), 4.5),
        (Recrawl(max_days=10), 10),
        (Recrawl(min_days=20), 20),
    ):
        found = rescheduled(settings, fetches=3, kept=1, pause=int(15.75 * DAY))
        assert (found["pause"], found["due"]) == (days * DAY, 100 + days * DAY)


def test_a_page_that_counted_as_dead_is_tried_again_if_more_failures_are_asked_for():
    dead = {"fetches": 2, "failures": 2, "status": 404, "due": NEVER}
    assert rescheduled(Recrawl(dead_after=3), **dead)["due"] == 100 + 36 * 3600
    assert rescheduled(Recrawl(first_days=1), **dead)["due"] == NEVER


def rescheduled(settings, **row):
    """A row of the frontier that was last fetched at second 100, made under the defaults, under other settings."""
    names = schema_of(Known).names
    row = dict.fromkeys(names, 0) | {"url": "", "spelling": "", "refused": "", "fetched": 100} | row
    batch = pa.RecordBatch.from_pylist([row], schema_of(Known))
    return Reschedule(Recrawl(), settings)(batch, lambda _: None)["frontier"].to_pylist()[0]


def schedule(frontier):
    return {url: (row["pause"], row["due"]) for url, row in frontier.rows().items()}


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: type(s).__name__)
def test_a_list_is_bounded_in_all_and_by_site(made, strategy):
    frontier = made("http://a.pk/")
    frontier.list(strategy)
    links = [(f"http://{host}.pk/p{n}", "target") for host in "bc" for n in range(20)]
    frontier.fetch({"http://a.pk/": (1000, 1000, links)})
    listed = frontier.list(strategy, size=12, per_site=5)
    assert len(listed) == len(set(listed)) <= 10
    assert all(sum(site_of(url) == site for url in listed) <= 5 for site in ("b.pk", "c.pk"))
    assert len(frontier.list(strategy, size=3)) == 3


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: type(s).__name__)
def test_the_queries_of_every_strategy_are_portable(strategy):
    lint(Generate(strategy, LocalEngine()).due_sql(1))


def test_the_queries_behind_the_front_are_portable():
    lint(WAITING_SQL.replace("<promise>", PROMISE).format(now=1, most=2))
    for sql in (SOME_SQL, COUNT_SQL, SOONEST_SQL):
        lint(sql.format(now=1))


def test_sites_that_want_to_be_left_alone_are_left_out(made):
    frontier = made("http://a.pk/", "http://b.pk/")
    assert frontier.list(shut=(int64_hash("a.pk"),)) == ["http://b.pk/"]


def test_breadth_takes_what_is_nearest_to_the_seeds(made):
    frontier = made("http://a.pk/")
    frontier.list()
    frontier.fetch({"http://a.pk/": (1000, 0, [("http://a.pk/1", "x"), ("http://b.pk/", "x")])})
    frontier.list(size=1)
    first = frontier.list(size=1)[0]
    frontier.fetch({first: (1000, 1000, [("http://c.pk/", "target")])}, [first])
    assert frontier.list()[-1] == "http://c.pk/"


def test_opic_hands_on_cash_and_takes_the_richest_first(made):
    frontier = made("http://a.pk/", "http://b.pk/")
    frontier.list()
    many = [(f"http://m.pk/{n}", "x") for n in range(9)]
    frontier.fetch({"http://a.pk/": (9, 0, [("http://r.pk/", "x")]), "http://b.pk/": (9, 0, many)})
    rows = frontier.rows()
    assert rows["http://r.pk/"]["cash"] == 9 * rows["http://m.pk/1"]["cash"] + 1
    assert rows["http://a.pk/"]["cash"] == 0
    assert frontier.list(Opic())[0] == "http://r.pk/"


def test_anchor_follows_target_pages_and_anchors_and_nothing_else(made):
    frontier = made("http://a.pk/", "http://b.pk/")
    frontier.list()
    plain, named = ("http://c.pk/plain", "x"), ("http://c.pk/named", "the Urdu page")
    from_target = ("http://d.pk/", "x")
    frontier.fetch({"http://a.pk/": (1000, 0, [plain, named]), "http://b.pk/": (1000, 9, [from_target])})
    assert frontier.list(Anchor()) == ["http://c.pk/named", "http://d.pk/"]


def test_anchor_follows_a_redirect_to_another_site_as_it_followed_the_link_to_it_xh_6(made):
    frontier = made("http://a.pk/", "http://b.pk/")
    frontier.list()
    named, from_target = ("http://c.pk/named", "the Urdu page"), ("http://d.pk/", "x")
    frontier.fetch({"http://a.pk/": (1000, 0, [named]), "http://b.pk/": (1000, 9, [from_target])})
    assert frontier.list(Anchor()) == ["http://c.pk/named", "http://d.pk/"]
    frontier.fetch({"http://c.pk/named": "http://e.pk/", "http://d.pk/": "http://f.pk/"})
    assert frontier.list(Anchor()) == ["http://e.pk/", "http://f.pk/"], "that by its name first"
    rows = frontier.rows()
    said = [
        [rows[url][name] for name in ("from_target", "anchors_named", "anchors_other", "links")]
        for url in ("http://e.pk/", "http://f.pk/")
    ]
    assert said == [[0, 1, 1, 1], [1, 0, 1, 1]]


def test_lrl_ranks_sites_by_mean_target_bytes_and_unseen_ones_as_told(made):
    frontier = made("http://rich.pk/", "http://poor.pk/")
    frontier.list()
    links = [("http://rich.pk/1", "x"), ("http://poor.pk/1", "x"), ("http://new.pk/", "x")]
    frontier.fetch({"http://rich.pk/": (1000, 900, links), "http://poor.pk/": (1000, 10, links)})
    rich, poor, new = (url for url, _ in links)
    assert frontier.list(Lrl(unseen="mean")) == [rich, new, poor]
    assert frontier.list(Lrl(unseen="zero")) == [rich, poor, new]
    assert frontier.list(Lrl(unseen="first")) == [new, rich, poor]


def test_anchor_follows_all_links_of_a_page_with_a_target_sentence_xh_6(made):
    """One sentence in an English paragraph is enough; target bytes alone are not, where sentences are counted."""
    frontier = made("http://a.pk/", "http://b.pk/", "http://c.pk/")
    frontier.list()
    frontier.fetch(
        {
            "http://a.pk/": (1000, 0, [("http://x.pk/", "x")], "one", 1),
            "http://b.pk/": (1000, 900, [("http://y.pk/", "x"), ("http://y.pk/t", "target")], "none", 0),
            "http://c.pk/": (1000, 900, [("http://z.pk/", "x")], "uncounted"),
        }
    )
    assert frontier.list(Anchor()) == ["http://y.pk/t", "http://x.pk/", "http://z.pk/"]


def test_lrl_learns_of_unseen_sites_from_the_best_page_that_links_there(made):
    """Half of 2,000 bytes beats the 900 of a site that was read, half of 1,200 does not."""
    frontier = made("http://a.pk/", "http://b.pk/", "http://c.pk/")
    frontier.list()
    frontier.fetch(
        {
            "http://a.pk/": (2000, 2000, [("http://x.pk/", "x")]),
            "http://b.pk/": (1200, 1200, [("http://x.pk/", "x"), ("http://y.pk/", "x")]),
            "http://c.pk/": (900, 900, [("http://c.pk/1", "x")]),
        }
    )
    assert frontier.list(Lrl(unseen="referrer")) == ["http://x.pk/", "http://c.pk/1", "http://y.pk/"]


def test_a_page_that_comes_at_the_second_try_counts_for_its_site(made):
    """Algorithm 1 asks whether a page was fetched, not at which try; its bytes are the site's score then."""
    frontier = made("http://a.pk/1", "http://b.pk/")
    frontier.list()
    frontier.fetch({"http://a.pk/1": 503, "http://b.pk/": (600, 600, [("http://a.pk/2", "x")])})
    assert [row["score"] for row in frontier.listed(Lrl())] == [0]
    frontier.list(now=frontier.now() + DAY)
    frontier.fetch({"http://a.pk/1": (500, 500, [("http://a.pk/3", "x")])})
    assert [row["score"] for row in frontier.listed(Lrl()) if "a.pk" in row["url"]] == [500 * MICRO]


def test_focus_learns_which_section_of_a_site_is_in_the_language(made):
    frontier = made("http://a.pk/")
    frontier.list()
    links = [(f"http://a.pk/{section}/{n}", "x") for section in ("news", "khabar") for n in range(30)]
    pages = {url: (1000, 1000 * ("khabar" in url), []) for url, _ in links}
    frontier.fetch({"http://a.pk/": (1000, 0, links)})
    listed = frontier.list(Focus(trial=6), size=12)
    assert any("news" in url for url in listed) and any("khabar" in url for url in listed), "both are tried"
    frontier.fetch(pages)
    assert all("khabar" in url for url in frontier.list(Focus(), size=10))


def test_focus_leaves_second_views_of_pages_that_it_has(made):
    frontier = made("http://a.pk/")
    frontier.list()
    links = [(f"http://a.pk/{view}/{n}", "target") for n in range(100, 140) for view in ("story", "print")]
    pages = {url: (1000, 1000, [], url.rpartition("/")[2]) for url, _ in links}
    frontier.fetch({"http://a.pk/": (1000, 1000, links)})
    for _ in range(3):
        frontier.list(Focus(trial=10), size=8)
        frontier.fetch(pages)
    known = {url.rpartition("/")[2] for url, row in frontier.rows().items() if row["fetches"]}
    listed = frontier.list(Focus(), size=10)
    assert listed and all(url.rpartition("/")[2] not in known for url in listed)


def test_focus_tries_a_new_site_with_a_few_pages_before_it_takes_more(made):
    frontier = made("http://a.pk/")
    frontier.list()
    links = [(f"http://new.pk/p{n}", "target") for n in range(50)]
    frontier.fetch({"http://a.pk/": (1000, 1000, links)})
    first = frontier.list(Focus(), size=50)
    assert len(first) == Focus().trial
    frontier.fetch({url: (1000, 1000, []) for url, _ in links})
    assert len(frontier.list(Focus(), size=50)) > 2 * len(first)


def test_what_an_open_round_took_is_not_taken_again_and_counts_for_its_site_and_stem(made):
    frontier = made("http://a.pk/", "http://b.pk/")
    frontier.list()
    links = [(f"http://new.pk/p{n}", "target") for n in range(50)]
    frontier.fetch({"http://a.pk/": (1000, 1000, links), "http://b.pk/": (1000, 1000, [])})
    first = frontier.list(Focus(trial=4), size=2)
    rest = frontier.list(Focus(trial=4), size=50, taken=tuple(map(url_id, first)))
    assert (len(first), len(rest)) == (2, 2), "the site is on trial with four in all"
    assert not set(first) & set(rest)
    wide = frontier.list(size=50, taken=tuple(map(url_id, first)), per_site=20)
    assert len(wide) == 20, "what a round may take of a site at most is for each round"


def test_a_list_made_before_the_last_round_was_worked_in_hands_on_the_cash_of_both(made):
    """The cash that the last round gave to a page of an older list is not lost when that page is fetched."""
    frontier = made("http://a.pk/", "http://b.pk/")
    (first,) = frontier.list(size=1)
    (second,) = {"http://a.pk/", "http://b.pk/"} - {first}
    before = frontier.rows()[second]["cash"]
    older = frontier.folder / "older.parquet"
    frontier.list(taken=(url_id(first),))
    (frontier.folder / "list1.parquet").rename(older)
    frontier.list(size=1)
    frontier.fetch({first: (9, 0, [(second, "x")])})
    older.rename(frontier.folder / "list2.parquet")
    frontier.fetch({second: (9, 0, [("http://c.pk/", "x")])})
    assert frontier.rows()["http://c.pk/"]["cash"] == 2 * before


def test_focus_reads_the_sitemap_of_a_good_site_that_runs_out_of_urls(made):
    frontier = made("http://a.pk/")
    frontier.list()
    links = [(f"http://a.pk/p{n}", "target") for n in range(30)] + [("http://a.pk/map.xml", "sitemap")]
    pages = {url: (1000, 1000, []) for url, _ in links}
    frontier.fetch({"http://a.pk/": (1000, 1000, links)})
    assert "http://a.pk/map.xml" not in frontier.list(Breadth()), "other strategies read no sitemaps"
    asked = []
    for _ in range(4):
        asked.append(frontier.list(Focus(trial=8), size=12))
        frontier.fetch(pages | {"http://a.pk/map.xml": (10, 0, [("http://a.pk/old/1", "loc")])})
    reading = [number for number, urls in enumerate(asked) if "http://a.pk/map.xml" in urls]
    assert reading and reading[0] > 0, "not before the site has shown what it is worth"
    assert frontier.rows()["http://a.pk/old/1"]["listed"] == 1


def test_a_site_without_other_pages_is_known_by_its_sitemap(made_here):
    frontier = made_here("http://a.pk/")
    frontier.list()
    frontier.fetch({"http://a.pk/": (1000, 0, [("http://a.pk/map.xml", "sitemap")])})
    assert frontier.list(Focus()) == ["http://a.pk/map.xml"]


def test_a_sitemap_waits_for_pages_of_other_sites_that_are_about_as_good(made_here):
    frontier = made_here("http://a.pk/", "http://a.pk/p")
    frontier.list()
    links = [(f"http://{host}.pk/", "x") for host in "bcdef"]
    good, poor = (1000, 1000, [("http://a.pk/map.xml", "sitemap")]), (1000, 300, links)
    frontier.fetch({"http://a.pk/": good, "http://a.pk/p": poor})
    assert "http://a.pk/map.xml" not in frontier.list(Focus(), size=5)
    assert "http://a.pk/map.xml" in frontier.list(Focus(), size=6)


def test_lists_wait_for_pages_and_end_where_they_lead_to_nothing_new(made_here):
    frontier = made_here("http://a.pk/")
    frontier.list()
    months = {f"http://a.pk/2023/{month:02d}/" for month in range(1, 13)}
    pages = {"http://a.pk/one", "http://a.pk/uno"}
    links = [(url, "target") for url in sorted(pages | months)]
    web = {url: (1000, 1000, []) for url in (*pages, "http://a.pk/two")}
    web |= {month: (1000, 1000, [("http://a.pk/two", "target")]) for month in months}
    frontier.fetch({"http://a.pk/": (1000, 1000, links)})
    slow = Focus(trial=1, growth=1)
    assert set(frontier.list(slow)) < pages, "no list, as there are pages enough"
    asked = set()
    for _ in range(7):
        frontier.fetch(web)
        asked |= set(frontier.list(slow))
    assert "http://a.pk/two" in asked, "what a list leads to is fetched"
    assert 4 <= len(asked & months) < len(months)
    held = Generate(slow, frontier.engine).held_back(frontier.frontier, frontier.now(), Situation(9))
    assert held == {"that list pages which are known": len(months - asked)}


def test_at_which_second_of_a_round_lists_were_read_says_nothing_of_what_is_fetched_next(tmp_path):
    """Whether the last four lists led to nothing new is told by rounds: how fast these were differs each time."""
    months = [f"http://a.pk/2023/{month:02d}/" for month in range(1, 8)]
    leads = dict.fromkeys(months, (1000, 1000, [])) | {months[0]: (1000, 1000, [("http://a.pk/one", "x")])}
    left = []
    for number, order in enumerate((months, months[::-1], sorted(months, key=url_id))):
        frontier = Made(tmp_path / str(number), ["http://a.pk/"], InProcessEngine())
        frontier.list()
        frontier.fetch({"http://a.pk/": (1000, 1000, [(url, "target") for url in months])})
        frontier.list()
        frontier.seconds = {url: second for second, url in enumerate(order)}
        frontier.fetch(leads, months[:5])
        frontier.list()
        frontier.fetch({"http://a.pk/one": (1000, 1000, [])}, ["http://a.pk/one"])
        left.append(set(frontier.list()))
        assert {row["fetch_round"] for row in frontier.rows().values()} == {0, 1, 2, 3}
    assert left[0] == left[1] == left[2]


def test_lists_are_left_where_a_sitemap_names_the_pages(made_here):
    frontier = made_here("http://a.pk/", "http://a.pk/map.xml")
    frontier.list()
    named = [(f"http://a.pk/p{n}", "loc") for n in range(9)]
    frontier.fetch(
        {"http://a.pk/": (1000, 1000, [("http://a.pk/tag/x/", "x")]), "http://a.pk/map.xml": (9, 0, named)}
    )
    assert set(frontier.list()) == {url for url, _ in named}


def test_a_seed_is_fetched_whatever_its_address_looks_like(made_here):
    odd = {"http://a.pk/?action=edit", "http://a.pk/tag/x/"}
    assert set(made_here(*odd).list()) == odd


def test_a_site_that_asks_not_to_follow_its_own_links_is_heard(made_here):
    frontier = made_here("http://a.pk/")
    frontier.update = replace(frontier.update, reader=replace(READER, follow_nofollow=True))
    frontier.list()
    frontier.fetch(
        {"http://a.pk/": (1000, 500, [("http://a.pk/no", "nofollow"), ("http://b.pk/", "nofollow")])}
    )
    assert frontier.list() == ["http://b.pk/"]


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [Breadth(), Focus()], ids=lambda s: type(s).__name__)
def test_a_trap_costs_a_bounded_number_of_fetches(made, strategy):
    frontier = made("http://trap.pk/", "http://a.pk/")
    fetched = 0
    for _ in range(12):
        listed = frontier.list(strategy, size=20)
        trapped = [url for url in listed if "trap.pk" in url]
        fetched += len(trapped)
        number = len(frontier.rows())
        pages = {
            url: (10, 0, [(f"http://trap.pk/day?n={number * 100 + 7 * k + m}", "x") for m in range(5)])
            for k, url in enumerate(trapped)
        }
        frontier.fetch(pages)
    assert len(frontier.rows()) > fetched + 50, "the trap has more to offer"
    assert fetched <= Traps().barren_pages + 20


def test_sessions_cost_a_bounded_number_of_fetches_and_no_page(made):
    """Sixty pages of a site, and on each of them links to others under a session that is its own."""
    frontier = made("http://a.pk/")
    asked = []
    for number in range(6):
        listed = frontier.list(Lrl(), size=40)
        asked += listed
        pages = {}
        for k, url in enumerate(listed):
            session = f"sid={number}a{k}"
            links = [(f"http://a.pk/story/{100 + (7 * k + n) % 60}?{session}", "x") for n in range(12)]
            pages[url] = (1000, 900, links, url.partition("?")[0])
        frontier.fetch(pages)
    read = {url.partition("?")[0] for url in asked}
    assert len(frontier.rows()) > 400, "there is more of it"
    assert len(read) == 61
    assert len(asked) <= len(read) + 40 + Traps().barren_pages


@pytest.mark.slow
def test_both_engines_make_the_same_lists_and_the_same_frontier(spark, tmp_path):
    chance = random.Random(2)
    urls = [
        f"http://{host}.pk/{section}/{n}" for host in "abcdef" for section in ("ur", "en") for n in range(15)
    ]
    spelled = [*urls, *(url.replace("/ur/", "/%75r/").replace("/en/", "/e%6e/") for url in urls)]
    pages = {
        url: (
            1000,
            900 * ("ur" in url),
            [(chance.choice(spelled), chance.choice(("target", "x"))) for _ in range(8)],
        )
        for url in urls
    }
    ends = []
    for number, runner in enumerate((LocalEngine(workers=2), spark)):
        (tmp_path / str(number)).mkdir()
        made = Made(tmp_path / str(number), ["http://a.pk/ur/0", "http://b.pk/en/1"], runner)
        lists = [made.list(Breadth(), size=12)]
        made.fetch(pages)
        lists += [made.list(strategy, size=12) for strategy in (Lrl(), Focus())]
        made.fetch(pages)
        ends.append((lists, made.rows(), made.sums))
    assert ends[0] == ends[1]
    assert len(ends[0][1]) > 50 and any(row["spelling"] for row in ends[0][1].values())
