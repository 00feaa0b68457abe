"""Common Crawl out of a bucket, on both engines: the same rows as over HTTP."""

import json
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from command_line import run
from local_services import Reply, serve
from s3_server import environment, make_bucket, requests
from small_release import pages_of

from corpulyzer.api.corpus import open_corpus
from corpulyzer.storage import Storage
from corpulyzer.web.commoncrawl import CommonCrawlSettings, slices
from corpulyzer.web.commoncrawl.fetch import Fetched, Wish
from corpulyzer.web.commoncrawl.mirror import Mirror
from corpulyzer.web.commoncrawl.slices import Slices

NEW = "CC-MAIN-2024-10"


@pytest.fixture(scope="module")
def bucket(mirror_folder, object_store):
    make_bucket(object_store, "commoncrawl")
    with environment(object_store):
        store = Storage("s3://commoncrawl")
        for file in sorted(Path(mirror_folder).rglob("*")):
            if file.is_file():
                store.write(str(file.relative_to(mirror_folder)), file.read_bytes())
        yield "s3://commoncrawl"


@pytest.fixture
def project(tmp_path):
    run("init", "Urdu", str(tmp_path / "urd"))
    return tmp_path / "urd"


def wanted() -> set[str]:
    return {page.url for page in pages_of(NEW, 60) if page.status == 200 and "urd" in page.languages}


def test_a_bucket_is_listed_estimated_and_fetched(project, bucket):
    options = ("--project", str(project), "--mirror", bucket, "--json")
    assert json.loads(run("commoncrawl", "list", *options).stdout)[0]["id"] == NEW
    told = json.loads(run("commoncrawl", "estimate", "--release", NEW, *options).stdout)
    assert told["total"]["pages"] == len(wanted())
    assert json.loads(run("commoncrawl", "fetch", *options).stdout)["records"] == len(wanted())
    run("process", "--project", str(project), "--quiet")
    assert {document.url for document in open_corpus(project).documents} == wanted()


def into_a_bucket(bucket, object_store, name, *options):
    """What a fetch into a corpus in the store tells, and that corpus."""
    place = f"{make_bucket(object_store, name)}/urd"
    run("init", "Urdu", place)
    return place, partial(_fetch, place, bucket, *options)


def _fetch(place, bucket, *options):
    given = ("--project", place, "--mirror", bucket, "--release", NEW, "--json", *options)
    return json.loads(run("commoncrawl", "fetch", *given).stdout)


def test_records_are_fetched_into_a_corpus_in_a_bucket_slice_by_slice(bucket, object_store, monkeypatch):
    monkeypatch.setattr(slices, "SLICE_RECORDS", 7)
    place, fetch = into_a_bucket(bucket, object_store, "records")
    first = fetch("--limit", "9")
    assert (first["records"], first["known"]) == (9, 0)
    stray = Storage(place).list("imports", ".warc.gz")[0]
    Storage(place).write(stray.replace(".warc.gz", "x-00000.warc.gz"), Storage(place).read(stray))
    rest = fetch()
    assert (rest["records"], rest["known"]) == (len(wanted()) - 9, 9)
    assert fetch()["records"] == 0
    run("process", "--project", place, "--quiet")
    urls = [document.url for document in open_corpus(place).documents]
    assert sorted(urls) == sorted(wanted()), "no record twice, and none of an archive that nobody noted"


def test_a_fetch_that_finds_nothing_to_do_reads_each_note_once(bucket, object_store, monkeypatch):
    monkeypatch.setattr(slices, "SLICE_RECORDS", 4)
    _, fetch = into_a_bucket(bucket, object_store, "nothing")
    fetch()
    with requests(object_store) as asked:
        assert fetch()["records"] == 0
    notes = Counter(part for each in asked for part in each.split() if "/commoncrawl-asked/" in part)
    read = {name: count for name, count in notes.items() if name.endswith(".parquet")}
    assert len(read) > 3 and set(read.values()) == {2}, "a note is asked for its size and for its content"


def test_a_server_that_asks_to_wait_is_left_alone_by_the_slices_that_follow(tmp_path, monkeypatch, engine):
    monkeypatch.setattr(slices, "SLICE_RECORDS", 1)
    times = []

    def busy_at_first(asked):
        times.append(time.monotonic())
        return Reply(503, b"", {"Retry-After": "2"}) if len(times) == 1 else Reply(404)

    begun = datetime(2026, 1, 1, tzinfo=UTC)
    some = (Wish(f"https://a.pk/{n}", begun, "a.warc.gz", 0, 9) for n in range(6))
    settings, done = CommonCrawlSettings(connections=2, pause_seconds=0.0), Fetched()
    with serve(busy_at_first) as server:
        Slices(Storage(tmp_path), Mirror(server.url), settings, "cc").fetch(
            engine, some, done, lambda _: None
        )
    assert len(times) == 7 and done.stopped == ""
    assert sum(at < times[0] + 2 for at in times) <= 2, "the one that was told, and one that ran beside it"


def test_what_was_fetched_into_a_folder_stays_when_the_corpus_is_in_a_bucket(project, bucket, object_store):
    options = ("--mirror", bucket, "--release", NEW, "--json")
    run("commoncrawl", "fetch", "--project", str(project), *options, "--limit", "9")
    place = f"{make_bucket(object_store, 'moved')}/urd"
    for file in (each for each in sorted(project.rglob("*")) if each.is_file()):
        Storage(place).write(str(file.relative_to(project)), file.read_bytes())
    before = Storage(place).list("imports", ".warc.gz")
    told = _fetch(place, bucket)
    assert (told["records"], told["known"]) == (len(wanted()) - 9, 9)
    assert set(before) <= set(Storage(place).list("imports", ".warc.gz"))


def test_an_archive_counts_when_its_slice_has_said_what_it_has(mirror_folder, tmp_path):
    storage = Storage(tmp_path)
    found = Slices(storage, Mirror(str(mirror_folder)), CommonCrawlSettings(), "cc")

    class Interrupted:
        def map(self, step, units):
            storage.write("imports/cc-1f-00000.warc.gz", b"what a task has stored")
            raise KeyboardInterrupt

    wish = Wish("https://a.pk/", datetime(2026, 1, 1, tzinfo=UTC), "a.warc.gz", 0, 9)
    with pytest.raises(KeyboardInterrupt):
        found.fetch(Interrupted(), iter([wish]), Fetched(), lambda _: None)
    assert storage.list("imports") == []


def test_all_slices_together_are_as_slow_as_one_connection_would_be(mirror_folder, tmp_path):
    settings = CommonCrawlSettings(connections=3, pause_seconds=0.2)
    found = Slices(Storage(tmp_path), Mirror(str(mirror_folder)), settings, "cc")
    asked = []

    class Running:
        def map(self, step, units):
            asked.append((step.pause_seconds, len(units)))
            raise InterruptedError

    wish = Wish("https://a.pk/", datetime(2026, 1, 1, tzinfo=UTC), "a.warc.gz", 0, 9)
    some = (replace(wish, url=f"https://a.pk/{n}") for n in range(5_000))
    with pytest.raises(InterruptedError):
        found.fetch(Running(), some, Fetched(), lambda _: None)
    assert asked == [(pytest.approx(0.6), 3)]


def test_a_wrong_release_of_a_bucket_is_told(project, bucket):
    options = ("--project", str(project), "--mirror", bucket, "--release", "CC-MAIN-2024-12")
    said = run("commoncrawl", "estimate", *options, code=1).stderr
    assert "CC-MAIN-2024-12" in said and NEW in said


@pytest.mark.slow
def test_tasks_of_a_cluster_fetch_records(bucket, object_store, monkeypatch, spark):
    place, fetch = into_a_bucket(bucket, object_store, "by-tasks", "--master", "local[2]")
    assert fetch()["records"] == len(wanted())
    run("process", "--project", place, "--quiet")
    assert {document.url for document in open_corpus(place).documents} == wanted()


@pytest.mark.slow
def test_spark_reads_the_same_rows_as_this_machine(project, bucket, mirror_folder):
    told = []
    for place, engine in ((bucket, ("--master", "local[2]")), (str(mirror_folder), ("--engine", "local"))):
        options = ("--project", str(project), "--mirror", place, "--json", "--release", NEW, "--totals")
        told.append(json.loads(run("commoncrawl", "estimate", *options, *engine).stdout))
        for folder in ("commoncrawl", "commoncrawl-totals"):
            for file in (project / folder).rglob("*.*"):
                file.unlink()
    assert told[0] == told[1] and told[0]["total"]["pages"] == len(wanted())


DENIED = b"<?xml version='1.0'?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"


def test_a_bucket_that_is_closed_to_us_names_the_open_door(project):
    with serve(lambda _: Reply(403, DENIED, {"Content-Type": "application/xml"})) as server:
        place = f"s3://commoncrawl?endpoint_override={server.url.partition('//')[2]}&scheme=http"
        keys = {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
        options = ("--project", str(project), "--mirror", place, "--release", NEW)
        said = run("commoncrawl", "estimate", *options, code=1, **keys).stderr
    assert "https://data.commoncrawl.org" in said
    assert "secret" not in said
