"""Common Crawl over HTTP with byte ranges, out of a bucket, and out of a folder: the same rows, the same pages."""

import json
import os
import shutil
import time
from collections import Counter
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import run
from local_services import Reply, serve
from small_release import TABLE, Mirror, pages_of

from corpulyzer.api.corpus import open_corpus
from corpulyzer.engine import Dataset
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.progress import silent
from corpulyzer.jobs.analyze.inputs import index_rows
from corpulyzer.records.columns import schema_of
from corpulyzer.storage import Storage
from corpulyzer.web.commoncrawl import FOLDER, IndexRow, mirror
from corpulyzer.web.commoncrawl.index import filter_index
from corpulyzer.web.commoncrawl.plan import plan, planned
from corpulyzer.web.commoncrawl.wanted import Wanted

NEW, OLD = "CC-MAIN-2024-10", "CC-MAIN-2023-50"


def urdu(release, count, rank="any"):
    """The pages that a filter must let through, told without any filter of ours."""
    tests = {
        "any": lambda codes: "urd" in codes,
        "first": lambda codes: codes[0] == "urd",
        "only": lambda codes: codes == ["urd"],
    }
    pages = pages_of(release, count)
    return {page.url for page in pages if page.status == 200 and tests[rank](page.languages.split(","))}


@pytest.fixture
def project(tmp_path):
    run("init", "Urdu", str(tmp_path / "urd"))
    with open(tmp_path / "urd" / "corpulyzer.toml", "a", encoding="utf-8") as file:
        file.write(
            "\n[commoncrawl]\npause_seconds = 0.0\nlongest_pause_seconds = 0.2\n\n[engine]\nworkers = 1\n"
        )
    return tmp_path / "urd"


@pytest.fixture
def server(mirror_folder):
    service = Mirror(mirror_folder, [])
    with serve(service) as running:
        running.service = service
        yield running


def cc(project, place, command, *options, code=0):
    done = run(
        *("commoncrawl", command, "--project", str(project), "--mirror", str(place), "--json"),
        *options,
        code=code,
        CORPULYZER_COMMONCRAWL_API=str(place) if str(place).startswith("http") else "",
    )
    return json.loads(done.stdout) if not code else done.stderr


def next_second():
    """Moments are told apart by seconds."""
    time.sleep(1.01 - time.time() % 1)


def rows_on_hand(project):
    storage = Storage(project)
    return Dataset(tuple(map(storage.path, storage.list(FOLDER, ".parquet"))), schema_of(IndexRow))


def test_releases_are_listed_newest_first_over_http_and_in_a_folder(project, server, mirror_folder):
    for place in (server.url, mirror_folder):
        assert [release["id"] for release in cc(project, place, "list")] == [NEW, OLD]


@pytest.mark.parametrize("rank", ["any", "first", "only"])
def test_the_language_is_looked_for_at_any_rank_first_or_alone(project, server, rank):
    told = cc(project, server.url, "estimate", "--release", NEW, "--rank", rank)
    assert told["total"]["pages"] == len(urdu(NEW, 60, rank))
    assert told["total"]["bytes"] > 0 and told["total"]["sites"] == 5
    kept = LocalEngine(1).query("select p.url from pages as p", {"pages": rows_on_hand(project)})
    assert set(kept.column("url").to_pylist()) == urdu(NEW, 60, rank)


def test_without_a_release_the_newest_is_taken_and_rows_are_read_once(project, server):
    first = cc(project, server.url, "estimate")
    asked = len(server.asked)
    assert cc(project, server.url, "estimate", "--release", NEW) == first
    assert len(server.asked) == asked, "the index is not read again"


def test_two_releases_have_rows_of_their_own_and_a_total_without_repetition(project, mirror_folder):
    told = cc(project, mirror_folder, "estimate", "--release", NEW, "--release", OLD)
    by_release = {row["release"]: row["pages"] for row in told["releases"]}
    assert by_release == {NEW: len(urdu(NEW, 60)), OLD: len(urdu(OLD, 40))}
    assert told["total"]["pages"] == sum(by_release.values())
    assert told["total"]["urls"] == len(urdu(NEW, 60) | urdu(OLD, 40)) < told["total"]["pages"]


def test_only_the_row_groups_and_columns_that_are_needed_are_read(project, mirror_folder, tmp_path):
    place = tmp_path / "wide"
    shutil.copytree(mirror_folder, place)
    files = sorted(place.glob(f"{TABLE}/crawl={NEW}/subset=warc/*"))
    for file in files:
        table = pq.read_table(file, partitioning=None)
        ballast = pa.array([os.urandom(20_000).hex() for _ in range(table.num_rows)])
        place_of = table.column_names.index("url_query")
        pq.write_table(table.set_column(place_of, "url_query", ballast), file, row_group_size=10)
    with serve(Mirror(place, [])) as server:
        told = cc(project, server.url, "estimate", "--tld", "pk", "--all-languages")
    wanted = {page.url for page in pages_of(NEW, 60) if ".pk/" in page.url and page.status == 200}
    assert told["total"]["pages"] == len(wanted)
    parquet = [asked for asked in server.asked if asked.path.endswith(".parquet")]
    read = sum(_size(asked.headers["range"]) for asked in parquet)
    assert not any("robotstxt" in asked.path for asked in parquet)
    assert read < sum(file.stat().st_size for file in files) / 4, "no column that is not needed"
    units = plan([str(file) for file in files], Wanted(tlds=("pk",)), Storage(tmp_path / "none"), ("url",))
    groups, size = planned(units)
    assert groups == 3, "of six row groups, three have .pk"
    assert 0 < size < read


def _size(span: str) -> int:
    first, _, last = span.removeprefix("bytes=").partition("-")
    return int(last) + 1 - int(first)


def test_a_host_is_found_with_all_below_it_and_nothing_beside_it(project, mirror_folder):
    told = cc(project, mirror_folder, "estimate", "--host", "example.com", "--all-languages")
    wanted = {page.url for page in pages_of(NEW, 60) if ".example.com/" in page.url and page.status == 200}
    assert told["total"]["pages"] == len(wanted) and told["total"]["sites"] == 2


def test_the_index_server_gives_the_same_rows(project, server, tmp_path):
    by_table = cc(project, server.url, "estimate", "--release", NEW, "--tld", "pk")
    shutil.rmtree(project / "commoncrawl")
    by_cdx = cc(project, server.url, "estimate", "--release", NEW, "--tld", "pk", "--cdx")
    index, _, restriction = index_rows(Storage(project), "urd")
    assert restriction == "below .pk" and index.files
    assert by_cdx == by_table and by_cdx["total"]["pages"] > 4
    none = cc(project, server.url, "estimate", "--release", NEW, "--host", "nowhere.pk", "--cdx")
    assert none["total"]["pages"] == 0
    assert "--host" in cc(project, server.url, "estimate", "--release", NEW, "--cdx", code=1)
    wrong = cc(
        project, server.url, "estimate", "--release", "CC-MAIN-1999-01", "--tld", "pk", "--cdx", code=1
    )
    assert "CC-MAIN-1999-01" in wrong


def test_the_share_of_the_language_counts_the_whole_release(project, mirror_folder):
    told = cc(project, mirror_folder, "estimate", "--release", NEW, "--totals")
    good = [page for page in pages_of(NEW, 60) if page.status == 200]
    share = told["shares"][NEW]
    assert share["pages"] == len(good) and share["of_the_language"] == len(urdu(NEW, 60))


@pytest.mark.parametrize("where, ending", [("--tld pk", ".pk"), ("--host example.com", ".example.com")])
def test_the_share_within_a_domain_is_of_the_pages_there_hr_12(project, mirror_folder, where, ending):
    asked = ("estimate", "--release", NEW, "--totals")
    told = cc(project, mirror_folder, *asked, *where.split())
    there = [p for p in pages_of(NEW, 60) if p.status == 200 and urlsplit(p.url).hostname.endswith(ending)]
    own = [page for page in there if "urd" in page.languages.split(",")]
    share = told["shares"][NEW]
    assert 0 < share["of_the_language"] == told["total"]["pages"] == len(own) < share["pages"] == len(there)
    whole = cc(project, mirror_folder, *asked)["shares"][NEW]
    assert whole["pages"] > share["pages"], "the counts of the whole release are kept apart"


@pytest.mark.parametrize("rank", ["any", "first", "only"])
def test_the_share_of_a_rank_is_that_of_its_own_pages(project, mirror_folder, rank):
    """The numerator of the share is what the same command counts at that rank."""
    told = cc(project, mirror_folder, "estimate", "--release", NEW, "--totals", "--rank", rank)
    fits = {
        "any": lambda codes: "urd" in codes,
        "first": lambda codes: codes[0] == "urd",
        "only": lambda codes: codes == ["urd"],
    }
    own = [p for p in pages_of(NEW, 60) if p.status == 200 and fits[rank](p.languages.split(","))]
    assert told["shares"][NEW]["of_the_language"] == told["total"]["pages"] == len(own) > 0


def test_an_estimate_says_on_which_top_level_domains_the_pages_are_hr_12(project, mirror_folder):
    told = cc(project, mirror_folder, "estimate", "--release", NEW)
    expected = Counter(urlsplit(url).hostname.rpartition(".")[2] for url in urdu(NEW, 60))
    assert {row["tld"]: row["urls"] for row in told["tlds"]} == expected
    assert [row["share"] for row in told["tlds"]] == sorted(
        (n / expected.total() for n in expected.values()), reverse=True
    )


def test_the_report_takes_all_pages_of_the_language_whatever_else_was_looked_for_hr_12(
    mirror_folder, tmp_path
):
    """By hand: all pages are those that the release has, however the filters are called."""
    whole, storage, place = urdu(NEW, 60), Storage(tmp_path), mirror.Mirror(str(mirror_folder))
    national = {url for url in whole if urlsplit(url).hostname.endswith(".pk")}

    def taken():
        index, _, restriction = index_rows(storage, "urd")
        return {url for file in index.files for url in pq.read_table(file)["url"].to_pylist()}, restriction

    with LocalEngine(1) as engine:
        filter_index(place, NEW, Wanted(tlds=("pk",)), storage, engine, silent)
        assert index_rows(storage, "urd")[0] is None
        filter_index(place, NEW, Wanted("urd", tlds=("pk",)), storage, engine, silent)
        assert taken() == (national, "below .pk")
        filter_index(place, NEW, Wanted("urd", "first"), storage, engine, silent)
        assert taken() == (urdu(NEW, 60, "first"), "with the language in the first place")
        filter_index(place, NEW, Wanted("urd"), storage, engine, silent)
        assert taken() == (whole, "") and whole > national


def test_seeds_are_ranked_by_site_and_keep_release_and_languages(project, server):
    cc(project, server.url, "seeds", "--release", NEW, "--per-site", "2", "--block", "example.org")
    found = json.loads(run("seeds", "list", "--json", "--project", str(project)).stdout)
    assert {seed["source"] for seed in found} == {"commoncrawl"} and len(found) == 8
    assert all("urd" in seed["language"] and seed["detail"] == NEW for seed in found)
    assert [seed["rank"] for seed in found] == sorted(seed["rank"] for seed in found)


def test_records_become_documents_of_the_corpus_and_truncated_ones_are_marked(project, server):
    told = cc(project, server.url, "fetch", "--release", NEW)
    assert told["records"] == len(urdu(NEW, 60)) and told["missing"] == {}
    run("process", "--project", str(project), "--quiet")
    documents = list(open_corpus(project).documents)
    assert {document.url for document in documents} == urdu(NEW, 60)
    assert all(document.verdict.kept for document in documents)
    assert {document.url for document in documents if document.truncated} == {pages_of(NEW, 60)[2].url}


def test_a_second_fetch_asks_for_nothing_and_a_larger_one_only_for_the_rest(project, server):
    cc(project, server.url, "fetch", "--release", NEW, "--limit", "5")
    asked = len(server.asked)
    again = cc(project, server.url, "fetch", "--release", NEW, "--limit", "5")
    assert (again["records"], again["known"]) == (0, 5) and len(server.asked) == asked
    rest = cc(project, server.url, "fetch", "--release", NEW)
    assert (rest["records"], rest["known"]) == (len(urdu(NEW, 60)) - 5, 5)
    run("process", "--project", str(project), "--quiet")
    assert len(list(open_corpus(project).documents)) == len(urdu(NEW, 60)), "no record twice"


def test_a_second_fetch_leaves_what_the_corpus_was_before_it(project, server):
    def pages_then():
        said = run("status", "--as-of", before, "--json", "--project", str(project))
        return json.loads(said.stdout)["kept"]

    cc(project, server.url, "fetch", "--release", NEW, "--limit", "5")
    run("process", "--project", str(project), "--quiet")
    (note,) = (project / "imports").glob("*.json")
    noted = note.read_bytes()
    before = json.loads(noted)["noted"]
    next_second()
    assert cc(project, server.url, "fetch", "--release", NEW, "--limit", "5")["records"] == 0
    assert note.read_bytes() == noted and pages_then() == 5
    cc(project, server.url, "fetch", "--release", NEW)
    run("process", "--project", str(project), "--quiet")
    assert pages_then() == 5
    assert len(list(open_corpus(project).documents)) == len(urdu(NEW, 60)), "and the rest is in it today"


def test_a_note_that_says_no_times_of_its_archives_is_of_the_time_that_it_says(project, server):
    """As earlier versions have left it."""
    cc(project, server.url, "fetch", "--release", NEW, "--limit", "5")
    (note,) = (project / "imports").glob("*.json")
    said = json.loads(note.read_bytes())
    said.pop("came", None)
    note.write_text(json.dumps({**said, "noted": "2020-01-02T00:00:00+00:00"}))
    cc(project, server.url, "fetch", "--release", NEW)
    day_before = run("status", "--as-of", "2020-01-01", "--project", str(project), code=1)
    assert "Nothing was in the corpus" in day_before.stderr
    (archive,) = said["archives"]
    run("status", "--as-of", "2020-01-02", "--project", str(project))
    (then,) = (project / "as_of").glob("*/imports/*.json")
    assert json.loads(then.read_bytes())["archives"] == [archive]


def test_a_killed_fetch_goes_on_behind_its_last_whole_record(project, server):
    cc(project, server.url, "fetch", "--release", NEW, "--limit", "6")
    (archive,) = (project / "imports").glob("*.warc.gz")
    torn = archive.with_name(archive.name + ".open")
    torn.write_bytes(archive.read_bytes()[:-40])
    archive.unlink()
    again = cc(project, server.url, "fetch", "--release", NEW, "--limit", "6")
    assert (again["records"], again["known"]) == (1, 5)


SLOW = Reply(503, b"<Error><Code>SlowDown</Code></Error>", {"Retry-After": "0"})


def test_a_busy_server_and_cut_connections_are_waited_for(project, server, mirror_folder):
    content = next(mirror_folder.glob(f"{TABLE}/crawl={NEW}/subset=warc/*")).read_bytes()
    cut = Reply(206, content[:100], {"Content-Range": f"bytes 0-99/{len(content)}"}, cut=10)
    server.service.trouble += [("collinfo", SLOW), (".parquet", cut), (".parquet", SLOW), (".warc.gz", SLOW)]
    server.service.trouble += [(".warc.gz", Reply(206, b"\x1f\x8b" * 50, cut=20)), (".warc.gz", SLOW)]
    told = cc(project, server.url, "fetch")
    assert told["records"] == len(urdu(NEW, 60)) and server.service.trouble == []


def test_a_server_that_stays_busy_stops_the_fetch_and_loses_nothing(project, server):
    cc(project, server.url, "estimate", "--release", NEW)
    server.service.always = ((".warc.gz", SLOW),)
    said = cc_code_1(project, server.url, "fetch", "--release", NEW)
    assert "status 503" in said and "run the same command" in said
    server.service.always = ()
    assert cc(project, server.url, "fetch", "--release", NEW)["records"] == len(urdu(NEW, 60))


def cc_code_1(project, place, command, *options):
    done = run(
        *("commoncrawl", command, "--project", str(project), "--mirror", str(place), "--json", *options),
        code=1,
    )
    return done.stderr


def test_forbidden_places_are_told_with_what_helps(project, server):
    server.service.always = (("crawl-data", Reply(403, b"<Error><Code>AccessDenied</Code></Error>")),)
    said = cc_code_1(project, server.url, "estimate", "--release", NEW)
    assert "403" in said and "https://data.commoncrawl.org" in said


def test_a_missing_archive_is_noted_and_not_asked_for_again(project, server):
    server.service.trouble.append(("00000.warc.gz", Reply(404, b"")))
    told = cc(project, server.url, "fetch", "--release", NEW, "--limit", "9")
    assert told["missing"] == {"the archive is not there": 1} and told["records"] == 8
    asked = len(server.asked)
    again = cc(project, server.url, "fetch", "--release", NEW, "--limit", "9")
    assert again["known"] == 9 and len(server.asked) == asked
    run("process", "--project", str(project), "--quiet")
    funnel = run("status", "--project", str(project), "--json").stdout
    assert "not_archived" in funnel


def test_a_damaged_record_and_another_one_are_told_apart_and_left_out(project, mirror_folder, tmp_path):
    place = tmp_path / "damaged"
    shutil.copytree(mirror_folder, place)
    cc(project, place, "estimate", "--release", NEW)
    rows = (
        LocalEngine(1)
        .query(
            "select p.filename, p.offset as place, p.length as size, p.url from pages as p order by p.offset nulls last",
            {"pages": rows_on_hand(project)},
        )
        .to_pylist()
    )
    archive = bytearray((place / rows[0]["filename"]).read_bytes())
    first, second, third = rows[:3]
    archive[first["place"] + 60 : first["place"] + 90] = bytes(30)
    archive[second["place"] : second["place"] + second["size"]] = _padded(archive, third, second["size"])
    (place / rows[0]["filename"]).write_bytes(archive)
    told = cc(project, place, "fetch", "--release", NEW)
    assert told["records"] == len(urdu(NEW, 60)) - 2
    assert sum(told["missing"].values()) == 2 and any("broken" in why for why in told["missing"])


def _padded(archive, row, size):
    """Another record where one is looked for, cut or filled to its length."""
    return bytes(archive[row["place"] : row["place"] + row["size"]])[:size].ljust(size, b"\0")


def test_a_server_without_byte_ranges_stops_the_fetch_and_marks_nothing(project, server):
    cc(project, server.url, "estimate", "--release", NEW)
    server.service.always = (("00000.warc.gz", Reply(200, b"everything")),)
    assert "status 200" in cc_code_1(project, server.url, "fetch", "--release", NEW)
    server.service.always = ()
    assert cc(project, server.url, "fetch", "--release", NEW)["records"] == len(urdu(NEW, 60))


def test_a_wrong_release_is_named_with_those_that_are_like_it(project, server, mirror_folder):
    for place in (server.url, mirror_folder):
        said = cc(project, place, "estimate", "--release", "CC-MAIN-2024-11", code=1)
        assert "CC-MAIN-2024-11" in said and NEW in said


def test_an_index_without_the_columns_says_which_are_missing(project, mirror_folder, tmp_path):
    place = tmp_path / "changed"
    shutil.copytree(mirror_folder, place)
    files = sorted(place.glob(f"{TABLE}/crawl={NEW}/subset=warc/*"))
    table = pq.read_table(files[0], partitioning=None)
    for file in files:
        pq.write_table(table.drop_columns(["content_languages"]), file)
    said = cc(project, place, "estimate", "--release", NEW, code=1)
    assert "content_languages" in said and "--all-languages" in said
    renamed = table.rename_columns([name.replace("warc_record_", "record_") for name in table.column_names])
    for file in files:
        pq.write_table(renamed, file)
    said = cc(project, place, "estimate", "--release", NEW, code=1)
    assert "warc_record_length, warc_record_offset" in said


def test_an_old_release_without_optional_columns_is_read_by_place(project, mirror_folder, tmp_path):
    place = tmp_path / "old"
    shutil.copytree(mirror_folder, place)
    for file in place.glob(f"{TABLE}/crawl={OLD}/subset=warc/*"):
        table = pq.read_table(file, partitioning=None)
        pq.write_table(
            table.drop_columns(["content_languages", "content_truncated", "content_charset"]), file
        )
    told = cc(project, place, "estimate", "--release", OLD, "--tld", "pk", "--all-languages")
    assert told["total"]["pages"] == sum(
        ".pk/" in page.url and page.status == 200 for page in pages_of(OLD, 40)
    )


def test_an_index_is_found_by_its_folder_where_no_list_of_it_is_there(project, mirror_folder, tmp_path):
    shutil.copytree(mirror_folder / TABLE, tmp_path / "bare" / TABLE)
    with serve(Mirror(tmp_path / "bare", [])) as server:
        told = cc(project, server.url, "estimate", "--release", NEW)
    assert told["total"]["pages"] == len(urdu(NEW, 60))
    shutil.rmtree(project / "commoncrawl")
    table_alone = tmp_path / "bare" / TABLE
    assert [release["id"] for release in cc(project, table_alone, "list")] == [NEW, OLD]
    assert cc(project, table_alone, "estimate") == told


def test_a_damaged_part_of_the_index_stops_the_estimate_and_is_read_again(project, mirror_folder, tmp_path):
    place = tmp_path / "damaged"
    shutil.copytree(mirror_folder, place)
    file = sorted(place.glob(f"{TABLE}/crawl={NEW}/subset=warc/*"))[1]
    good = file.read_bytes()
    file.write_bytes(good[:8] + b"\0" * 2000 + good[2008:])
    said = cc(project, place, "estimate", "--release", NEW, code=1)
    assert file.name in said and "run" in said.lower()
    file.write_bytes(good)
    assert cc(project, place, "estimate", "--release", NEW)["total"]["pages"] == len(urdu(NEW, 60))


def test_a_filter_says_of_one_row_what_it_says_of_a_batch():
    hosts = ["a.pk", "b.example.com", "example.com", "myexample.com", "pk"]
    languages = ["urd", "eng,urd", "urd,eng", "", "eng", "nor,eng"]
    rows = [(status, spoken, host) for status in (200, 301) for spoken in languages for host in hosts]
    batch = pa.RecordBatch.from_pydict(
        {
            "fetch_status": pa.array([status for status, _, _ in rows], pa.int16()),
            "content_languages": pa.array([spoken or None for _, spoken, _ in rows]),
            "url_host_name": [host for _, _, host in rows],
            "url_host_tld": [host.rpartition(".")[2] for _, _, host in rows],
        }
    )
    for rank in ("any", "first", "only"):
        for places in (
            {},
            {"hosts": ("example.com",)},
            {"tlds": ("pk",)},
            {"hosts": ("a.pk",), "tlds": ("com",)},
        ):
            for language in ("urd", "", "eng+urd", "nob+urd"):
                wanted = Wanted(language, rank, **places)
                assert wanted.mask(batch).to_pylist() == [wanted.takes(*row) for row in rows]


def test_several_languages_are_looked_for_in_one_reading_of_the_index(tmp_path, mirror_folder):
    run("init", "--languages", "urd,eng", str(tmp_path / "two"))
    pages = [page for page in pages_of(NEW, 60) if page.status == 200]
    spoken = {code: {p.url for p in pages if code in p.languages.split(",")} for code in ("urd", "eng")}
    assert spoken["urd"] - spoken["eng"] and spoken["eng"] - spoken["urd"]
    told = cc(tmp_path / "two", mirror_folder, "estimate", "--release", NEW)
    assert told["total"]["urls"] == len(spoken["urd"] | spoken["eng"])
    told = cc(tmp_path / "two", mirror_folder, "estimate", "--release", NEW, "--language", "eng")
    assert told["total"]["urls"] == len(spoken["eng"])
    said = cc(tmp_path / "two", mirror_folder, "estimate", "--language", "hrv", code=1)
    assert "not for hrv" in said


def test_norwegian_is_found_under_the_name_that_the_index_has_for_it():
    assert Wanted("nob").takes(200, "nor,eng", "a.no") and not Wanted("nno").takes(200, "nor", "a.no")
