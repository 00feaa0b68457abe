"""Fetchers on a list of hosts, which are reached by a command; here by one that only says which host it was."""

import pickle
import subprocess
import sys

import pytest

from corpulyzer.errors import UserError

SITES = 4

REACH = """
host=$1; shift
echo $host >> {log}
case $host in
dead*) echo "ssh: connect to host $host: No route to host" >&2; exit 255;;
deaf*) exec sleep 600;;
mute*) exit 0;;
esac
exec "$@"
"""


@pytest.fixture
def hosts(web, crawl, tmp_path):
    """Crawls with fetchers on hosts; those called dead cannot be reached. Returns what was fetched, and where."""
    log, reach = tmp_path / "reached", tmp_path / "reach.sh"
    reach.write_text(REACH.format(log=log))
    for site in range(SITES):
        web.page(f"http://s{site}.test/0", f"http://s{site}.test/1")

    def run(*names, **more):
        seeds = [f"http://s{site}.test/0" for site in range(SITES)]
        command = f"sh {reach} {{host}} {sys.executable}"
        flags = {"crawl__fetchers": 2, "crawl__rounds": 2, "crawl__host_command": command}
        _, _, fetches = crawl(*seeds, crawl__hosts=names, **flags | more)
        pages = sorted(fetch.url for fetch in fetches if fetch.purpose == "page")
        return pages, log.read_text().split()

    return run


def test_a_host_that_cannot_be_reached_leaves_its_sites_to_the_next(web, hosts):
    pages, reached = hosts("dead", "anna")
    assert pages == sorted(f"http://s{site}.test/{page}" for site in range(SITES) for page in range(2))
    assert set(web.hits.values()) == {1}
    assert sorted(reached) == ["anna", "anna", "dead"], "one for each round is enough"


def test_a_host_that_takes_nothing_in_leaves_its_sites_to_the_next(web, hosts, monkeypatch):
    monkeypatch.setattr("corpulyzer.jobs.crawl.shards.fetchers.END_SECONDS", 0.1)
    monkeypatch.setattr("corpulyzer.jobs.crawl.shards.sharing.START_SECONDS", 5.0)
    many = tuple(f"other{n}.example" for n in range(6_000))  # more than a pipe holds
    pages, reached = hosts("deaf", "anna", crawl__lease_seconds=1, crawl__rounds=1, scope__block=many)
    assert pages == sorted(f"http://s{site}.test/0" for site in range(SITES))
    assert set(reached) == {"deaf", "anna"}


def test_a_host_on_which_nothing_starts_ends_the_crawl(hosts):
    with pytest.raises(UserError, match="failed 5 times: it said nothing"):
        hosts("mute1", "mute2")


def test_hosts_that_are_all_away_end_the_crawl_with_their_words(hosts):
    with pytest.raises(UserError, match=r"failed 5 times: ssh: connect to host dead\d: No route to host"):
        hosts("dead1", "dead2")


@pytest.mark.parametrize(
    "flags, words",
    [
        ({"crawl__fetchers": 1}, "names 2, for 1 fetchers"),
        ({"crawl__host_command": "ssh python3"}, "does not say where {host} belongs"),
        ({"crawl__host_command": "ssh '{host}"}, "cannot be read: no closing quotation"),
        ({"crawl__host_command": "no-such-command {host}"}, "no-such-command cannot be started"),
    ],
)
def test_settings_that_lead_to_no_host_are_refused(hosts, flags, words):
    with pytest.raises(UserError, match=words):
        hosts("anna", "ben", **flags)


def test_a_host_with_another_version_says_so():
    fetcher = [sys.executable, "-m", "corpulyzer.jobs.crawl.shards"]
    said = subprocess.run(fetcher, input=pickle.dumps("0.0.1"), capture_output=True, check=False)
    assert said.returncode == 1
    assert said.stderr.decode().strip().endswith("and the crawl has 0.0.1")
