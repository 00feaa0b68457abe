"""`corpulyzer run` on a cluster: from seeds to the report, with the rows of one machine."""

import json

import pytest
from command_line import run

from corpulyzer.api.corpus import open_corpus

OF_THE_FETCH = ("id", "archive", "offset", "record_id", "date", "round")


def came_to(web, place, *engine):
    """What a run tells of its funnel, and its documents, but for where and when they were written down."""
    run("init", "urd", place, "--quiet")
    limits = ("--pages", "8", "--contact", "me@example.org", "--delay", "0", "--allow-private")
    asked = ("--seeds", "http://a.test/", "--proxy", web.proxy, *limits, *engine, "--project", place)
    run("run", *asked, "--quiet")
    corpus = open_corpus(place)
    rows = sorted(corpus.documents.arrow().to_pylist(), key=lambda row: row["url"])
    assert corpus.storage.exists("report/index.html")
    told = json.loads(run("status", "--json", "--project", place).stdout)
    kept = [{name: value for name, value in row.items() if name not in OF_THE_FETCH} for row in rows]
    return {name: told[name] for name in ("steps", "tokens", "balance", "stale")}, kept


@pytest.mark.slow
def test_a_run_on_spark_comes_to_what_it_comes_to_on_one_machine(web, spark, tmp_path):
    pages = [f"http://{host}.test/{number}" for host in "ab" for number in range(3)]
    web.page("http://a.test/", *pages)
    for page in pages:
        web.page(page)
    alone = came_to(web, tmp_path / "alone")
    assert len(alone[1]) == 1 + len(pages) and alone[0]["balance"]["copies"]
    assert came_to(web, tmp_path / "spark", "--engine", "spark", "--master", "local[2]") == alone
