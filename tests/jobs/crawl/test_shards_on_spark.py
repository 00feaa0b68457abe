"""Fetchers as tasks of a real cluster: a machine that loses its power costs no page."""

from collections import defaultdict

import pytest
from cluster import Cluster

from corpulyzer.engine.spark import SparkEngine
from corpulyzer.jobs.crawl.shards import fetchers
from corpulyzer.jobs.crawl.shards.spark_tasks import starter_on
from corpulyzer.url import site_of

SITES, PAGES, FETCHERS = 6, 2, 2


@pytest.mark.endurance
def test_tasks_of_a_cluster_fetch_every_page_when_a_worker_is_killed(
    cluster: Cluster, web, crawl, monkeypatch
):
    spark = SparkEngine(cluster.url)
    # The other steps of a round on Spark are tried elsewhere, and would take minutes here.
    monkeypatch.setattr(fetchers, "fetchers_on", lambda *_: fetchers.SparkTasks(starter_on(spark)))
    for site in range(SITES):
        for page in range(PAGES):
            web.page(f"http://s{site}.test/{page}", f"http://s{site}.test/{page + 1}")
    told = []

    def kill(name, numbers):
        if name == "page":
            told.append(numbers["url"])
            if len(told) == SITES + 1:
                cluster.kill_worker()
                cluster.revive()

    seeds = [f"http://s{site}.test/0" for site in range(SITES)]
    _, _, found = crawl(
        *seeds, on_event=kill, crawl__fetchers=FETCHERS, crawl__rounds=PAGES + 2, crawl__lease_seconds=5.0
    )
    asked = defaultdict(list)
    for fetch in found:
        if fetch.purpose == "page":
            asked[site_of(fetch.url)].append(fetch.url)
    assert asked == {
        f"s{site}.test": [f"http://s{site}.test/{page}" for page in range(PAGES + 1)] for site in range(SITES)
    }
    assert sorted(told) == sorted(url for urls in asked.values() for url in urls)
    assert max(web.hits.values()) <= 2
