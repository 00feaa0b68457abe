"""Fetchers as tasks of Spark: what hangs is replaced, and a machine that loses its power costs no page."""

import os
import signal
from collections import defaultdict
from dataclasses import dataclass, field
from types import SimpleNamespace

import psutil
import pytest
from cluster import Cluster
from processes import wait_for

from corpulyzer.engine.spark import SparkEngine
from corpulyzer.errors import UserError
from corpulyzer.jobs.crawl.shards import fetchers
from corpulyzer.jobs.crawl.shards.share import Place
from corpulyzer.jobs.crawl.shards.spark_tasks import starter_on
from corpulyzer.url import site_of

SITES, PAGES, FETCHERS = 6, 2, 2


@dataclass
class Work:
    """What stands here for a share; all that tasks know of one is where it is, and how to fetch it."""

    fetch: object
    place: Place = field(default_factory=lambda: Place("shards", 0))


@pytest.fixture
def noted():
    """Makes a starter of tasks note those in `started`."""

    def noting(start):
        def begin(work):
            noting.started.append(start(work))
            return noting.started[-1]

        return begin

    noting.started = []
    return noting


@pytest.mark.slow
def test_a_task_that_hangs_is_ended_and_another_begun(spark, tmp_path, noted):
    def hang_once():
        (tmp_path / f"{os.getpid()}.pid").touch()
        if len(list(tmp_path.glob("*.pid"))) == 1:
            os.kill(os.getpid(), signal.SIGSTOP)
        (tmp_path / "done").touch()

    tasks, shares = fetchers.SparkTasks(noted(starter_on(spark))), {0: Work(hang_once)}
    tasks.tend(shares, {})
    wait_for(lambda: list(tmp_path.glob("*.pid")) and noted.started[0].has_begun)
    (hung,) = (int(each.stem) for each in tmp_path.glob("*.pid"))
    tasks.tend(shares, {})
    assert len(noted.started) == 1
    tasks.replace(0)
    tasks.tend(shares, {})
    wait_for((tmp_path / "done").exists)
    tasks.release()
    wait_for(lambda: not psutil.pid_exists(hung))


def test_tasks_that_are_lost_end_the_crawl_only_if_nothing_comes_of_them(noted):
    lost = "Job aborted: org.apache.spark.SparkException:\norg.apache.spark.SparkException: ExecutorLostFailure\n\tat x"
    over = SimpleNamespace(is_over=True, error=lost)
    tasks, shares = fetchers.SparkTasks(noted(lambda _work: over)), {0: Work(None)}
    for sealed in range(12):
        tasks.tend(shares, {0: sealed // 2})
    for _ in range(5):
        tasks.tend(shares, {0: 6})
    with pytest.raises(UserError, match="failed 5 times: SparkException: ExecutorLostFailure"):
        tasks.tend(shares, {0: 6})


def test_a_task_that_is_to_be_replaced_twice_before_another_begins_is_ended_once(noted):
    ended = []
    hung = SimpleNamespace(is_over=False, has_begun=True, error="", cancel=lambda: ended.append("task"))
    tasks, shares = fetchers.SparkTasks(noted(lambda _work: hung)), {0: Work(None)}
    tasks.tend(shares, {})
    tasks.replace(0)
    tasks.replace(0)
    tasks.tend(shares, {})
    assert (len(noted.started), ended) == (2, ["task"])


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
