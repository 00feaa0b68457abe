"""A corpus of an earlier version opens through `upgrade`, and nothing of it is made again."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass, make_dataclass, replace
from operator import itemgetter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import run
from lasting import engine_of
from s3_server import environment, make_bucket

from corpulyzer.annotate.choose import unloaded_backend
from corpulyzer.annotate.morphs import Morphs
from corpulyzer.annotate.settings import Annotate
from corpulyzer.api.corpus import Corpus, create, open_corpus
from corpulyzer.corpus import format, rounds
from corpulyzer.corpus.settings.config import merge
from corpulyzer.engine.derived.table import Table
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.progress import silent
from corpulyzer.errors import UserError
from corpulyzer.jobs.analyze.run import analyze
from corpulyzer.jobs.dedup.run import deduplicate
from corpulyzer.jobs.search.refresh import refresh, stale
from corpulyzer.jobs.stale import stale as stale_things
from corpulyzer.jobs.upgrade import format_1 as then
from corpulyzer.jobs.upgrade import upgrade
from corpulyzer.jobs.upgrade.columns import COLUMNS, Column, add_columns
from corpulyzer.jobs.upgrade.to_format_3 import Logs
from corpulyzer.lab.experiment.in_process import InProcessEngine
from corpulyzer.page.pipeline import GROUPS, fingerprints
from corpulyzer.records.fingerprint import METHOD_VERSIONS, VERSIONS
from corpulyzer.report import write_report
from corpulyzer.storage import ParquetSink, Storage
from corpulyzer.storage.location import sizes_of
from corpulyzer.web.frontier.store.depth import Depth

sys.path.append(str(Path(__file__).parent.parent.parent / "web" / "frontier"))
from rounds_by_hand import Made

EARLIER = Path(__file__).parent.parent.parent / "data" / "earlier"
SETTINGS = json.loads((EARLIER / "settings.json").read_text("utf-8"))


@pytest.fixture(scope="module", autouse=True)
def methods_of_then():
    """Stages as if their methods were those of format 3: what has changed since is made again, and rightly."""
    with pytest.MonkeyPatch.context() as patch:
        for stage in VERSIONS:
            patch.setitem(VERSIONS, stage, {"frontier": 2, "analysis": 2}.get(stage, 1))
        for method in METHOD_VERSIONS:
            patch.setitem(METHOD_VERSIONS, method, {"identify.markov": 2}.get(method, 1))
        yield


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("earlier")
    with tarfile.open(EARLIER / "corpus-format-1.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "corpus"


@pytest.fixture
def folder(unpacked, tmp_path):
    """The corpus of format 1, as it was left."""
    return Path(shutil.copytree(unpacked, tmp_path / "corpus"))


@pytest.fixture(scope="module")
def upgraded_once(unpacked, tmp_path_factory):
    folder = Path(shutil.copytree(unpacked, tmp_path_factory.mktemp("upgraded") / "corpus"))
    upgrade(Corpus.open_any_format(folder))
    return folder


@pytest.fixture
def upgraded(upgraded_once, tmp_path):
    """The same after the upgrade, copied as people do it: files have other times."""
    return Path(shutil.copytree(upgraded_once, tmp_path / "corpus", copy_function=shutil.copyfile))


def files(folder, *tables):
    """What tells that a file was written: its inode and its time."""
    found = (file for table in tables for file in sorted(Path(folder, table).rglob("*")) if file.is_file())
    return {str(file.relative_to(folder)): (file.stat().st_ino, file.stat().st_mtime_ns) for file in found}


def test_an_earlier_corpus_is_refused_with_the_command_to_run(folder):
    with pytest.raises(UserError, match="earlier version") as caught:
        open_corpus(folder)
    assert f"`corpulyzer upgrade --project {folder}`" in caught.value.hint
    assert "no document is made again" in caught.value.hint


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"format": "x"}'])
def test_a_damaged_number_is_said_in_words(tmp_path, content):
    create("eng", tmp_path / "c")
    (tmp_path / "c" / "format.json").write_text(content)
    with pytest.raises(UserError, match=r"format\.json is damaged"):
        open_corpus(tmp_path / "c")


def test_nothing_is_made_again_but_the_frontier_the_index_and_measures(upgraded):
    """The frontier has a column today that only the links of all rounds can fill; tags are searched by tokens."""
    tables = ("warc", "fetches", "documents", "links")
    made = ("duplicates", *(f"annotations/round={n:05d}" for n in range(4)))
    before = files(upgraded, *tables, *made)
    corpus = open_corpus(upgraded, {"annotate.method": "plain", "annotate.morphs": "never"})
    engine = engine_of(corpus)
    assert corpus.process(engine=engine) == len(rounds.rounds(corpus.storage))
    assert corpus.process(engine=engine) == 0
    assert sum(level.units for level in deduplicate(corpus, engine).levels) > 1000
    done = corpus.annotate(engine=engine)
    assert (done.parts_made, done.documents) == (0, 36)
    refresh(corpus)
    assert stale(corpus).parts == 0
    write_report(corpus, engine)
    assert len(before) > 60
    assert files(upgraded, *tables, *made) == before


def test_only_what_a_changed_setting_concerns_is_made_again(upgraded):
    setting = {"filter.length.min_words": 61}
    before = files(upgraded, "documents", "links", "fetches")
    corpus = open_corpus(upgraded, setting)
    engine = engine_of(corpus)
    corpus.process(engine=engine)
    after = files(upgraded, "documents", "links", "fetches")
    assert {name.split("/")[0] for name in before if before[name] != after[name]} == {"documents"}
    assert corpus.process(engine=engine) == 0
    assert files(upgraded, "documents", "links", "fetches") == after


def test_a_part_that_is_lost_is_made_again_alone(upgraded):
    corpus = open_corpus(upgraded)
    engine = engine_of(corpus)
    analyze(corpus, engine, ["funnel", "sites"])
    lost = next(Path(upgraded, "duplicates/units").rglob("*.parquet"))
    lost.unlink()
    Path(upgraded, "duplicates/labels/raw.parquet").unlink()
    Path(upgraded, "analysis/funnel.json").unlink()
    before = files(upgraded, "duplicates/units", "duplicates/view", "analysis")
    engine = engine_of(corpus)
    deduplicate(corpus, engine)
    analyze(corpus, engine, ["funnel", "sites"])
    after = files(upgraded, "duplicates/units", "duplicates/view", "analysis")
    made = {name for name in after if after[name] != before.get(name)}
    assert made == {str(lost.relative_to(upgraded)), "analysis/funnel.json", "analysis/funnel.csv"}


def test_the_command_says_what_it_did_and_a_second_time_changes_nothing(folder):
    first = json.loads(run("upgrade", "--project", folder, "--json").stdout)
    assert (first["before"], first["after"]) == (1, format.FORMAT)
    written = (folder / "format.json").read_bytes()
    second = json.loads(run("upgrade", "--project", folder, "--json").stdout)
    assert second == {"before": format.FORMAT, "after": format.FORMAT, "files": 0}
    assert (folder / "format.json").read_bytes() == written


def test_what_a_stage_of_another_version_made_is_stale(folder, monkeypatch):
    monkeypatch.setitem(VERSIONS, "identify", VERSIONS["identify"] + 1)
    upgrade(Corpus.open_any_format(folder))
    corpus = open_corpus(folder)
    wanted = fingerprints(corpus.config)
    for part in Table(corpus.storage, "documents").entries().values():
        _, *made = part.made_of.split(".")
        assert [mark == wanted[group] for mark, group in zip(made, GROUPS, strict=True)] == [
            True,
            False,
            False,
        ]


def test_a_column_that_documents_lack_is_named_and_gets_the_default_of_the_record(folder):
    upgrade(Corpus.open_any_format(folder))
    storage = open_corpus(folder).storage
    file = storage.list("documents", ".parquet")[0]
    whole = pq.read_table(storage.path(file), partitioning=None)
    pq.write_table(whole.drop_columns(["license_basis"]), storage.path(file))
    with pytest.raises(UserError, match="it has no license_basis") as told:
        open_corpus(folder).table("documents")
    assert "corpulyzer upgrade" in told.value.hint
    assert upgrade(Corpus.open_any_format(folder)).files == 1
    again = pq.read_table(storage.path(file), partitioning=None)
    assert again.column("license_basis").to_pylist() == [""] * whole.num_rows
    assert again.drop_columns(["license_basis"]).equals(whole.drop_columns(["license_basis"]))
    assert again.schema.metadata == whole.schema.metadata
    assert sorted(again.schema.names) == sorted(whole.schema.names)


HOLDS = """
import sys
from corpulyzer.storage import Storage
from corpulyzer.storage.lock import changing
with changing(Storage(sys.argv[1]), "crawl"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_crawl_that_runs_is_left_alone(folder):
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as crawl:
        assert crawl.stdout.readline() == "held\n"
        with pytest.raises(UserError, match="has been changing"):
            upgrade(Corpus.open_any_format(folder))
        crawl.stdin.close()
    assert upgrade(Corpus.open_any_format(folder)).after == format.FORMAT


@dataclass(frozen=True)
class Longer:
    url_length: int


LENGTH = Column("fetches", "url_length", Longer, lambda batch: map(len, batch.column("url").to_pylist()))


@pytest.fixture
def format_2(tmp_path):
    """The corpus of format 2, as it was left, in files with other times."""
    with tarfile.open(EARLIER / "corpus-format-2.tar.xz") as archive:
        archive.extractall(tmp_path / "packed", filter="data")
    return Path(
        shutil.copytree(tmp_path / "packed" / "corpus", tmp_path / "second", copy_function=shutil.copyfile)
    )


CHANGED_SINCE = ["frontier", "index", "analysis"]
"""What is made in another way today than when the corpus of format 2 was."""


def test_nothing_of_a_corpus_of_format_2_is_made_again_that_is_made_as_then(format_2):
    with pytest.raises(UserError, match="earlier version"):
        open_corpus(format_2)
    tables = ("fetches", "documents", "links", "duplicates", "corpus")
    annotated = [f"annotations/round={number:05d}" for number in range(3)]
    before = files(format_2, *tables, *annotated)
    assert upgrade(Corpus.open_any_format(format_2)).before == 2
    corpus = open_corpus(format_2, {"annotate.method": "plain", "annotate.morphs": "never"})
    assert [each.what for each in stale_things(corpus)] == CHANGED_SINCE
    engine = engine_of(corpus)
    assert corpus.process(engine=engine) == len(rounds.rounds(corpus.storage)), "the frontier alone"
    assert corpus.process(engine=engine) == 0
    assert {level.level: level.duplicates for level in deduplicate(corpus, engine).levels}["document"] == 3
    assert corpus.annotate(engine=engine).parts_made == 0
    analyze(corpus, engine, ["funnel", "licenses"])
    refresh(corpus)
    assert len(before) > 30 and files(format_2, *tables, *annotated) == before
    assert not (format_2 / "corpus.json").exists()


def test_documents_that_are_made_again_after_an_upgrade_make_nothing_else_stale(format_2):
    upgrade(Corpus.open_any_format(format_2))
    corpus = open_corpus(format_2)
    engine = engine_of(corpus)
    assert corpus.process("extract", engine=engine) >= 3, "as pages are read today"
    made, behind = Table(corpus.storage, "documents").parts(), stale_things(corpus)
    assert corpus.process("extract", engine=engine) >= len(made) == 3
    assert Table(corpus.storage, "documents").parts() == made
    assert stale_things(corpus) == behind


def test_an_upgrade_of_the_logs_that_was_killed_is_done_again(format_2, tmp_path, monkeypatch):
    other = Path(shutil.copytree(format_2, tmp_path / "other"))
    for step in ("kept", "annotations", "accepted"):
        monkeypatch.setattr(Logs, step, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            upgrade(Corpus.open_any_format(format_2))
        monkeypatch.undo()
        with pytest.raises(UserError, match="earlier version"):
            open_corpus(format_2)
    for folder in (format_2, other):
        upgrade(Corpus.open_any_format(folder))
    logs = [{p.name: p.read_bytes() for p in (each / "parts").rglob("*.jsonl")} for each in (format_2, other)]
    assert logs[0] == logs[1] and len(logs[0]) > 10
    assert [each.what for each in stale_things(open_corpus(format_2))] == CHANGED_SINCE


def test_a_frontier_of_format_3_gets_its_column_and_nothing_else_is_touched(upgraded):
    corpus = open_corpus(upgraded)
    engine = engine_of(corpus)
    corpus.process(engine=engine)
    rows = frontier_of(corpus, engine)
    as_format_3(upgraded)
    with pytest.raises(UserError, match="earlier version"):
        open_corpus(upgraded)
    tables = ("fetches", "documents", "links", "duplicates", "corpus", "parts")
    before, accepted = files(upgraded, *tables), json.loads((upgraded / "format.json").read_bytes())
    done = upgrade(Corpus.open_any_format(upgraded))
    assert (done.before, done.files) == (3, 1)
    assert len(before) > 30 and files(upgraded, *tables) == before
    assert json.loads((upgraded / "format.json").read_bytes()) == {**accepted, "format": format.FORMAT}
    corpus = open_corpus(upgraded)
    assert max(row["fetch_round"] for row in rows) == 3
    assert frontier_of(corpus, engine) == [{**row, "fetch_round": 0} for row in rows]
    assert corpus.process(engine=engine) == 0


def test_a_file_that_is_not_whole_is_named_and_the_upgrade_goes_on_without_it(upgraded):
    as_format_3(upgraded)
    damaged = next(Path(upgraded, "frontier").rglob("*.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:100])
    with pytest.raises(UserError, match="is damaged") as told:
        upgrade(Corpus.open_any_format(upgraded))
    assert str(damaged) in told.value.message and "Delete it" in told.value.hint
    damaged.unlink()
    assert upgrade(Corpus.open_any_format(upgraded)).after == format.FORMAT
    corpus = open_corpus(upgraded)
    assert corpus.process(engine=engine_of(corpus)) == 3, "the frontier, of three rounds, is made again"


def test_a_list_that_is_not_whole_is_not_to_be_deleted(upgraded):
    as_format_3(upgraded)
    (damaged,) = Path(upgraded, "rounds").glob("round=00002/list.parquet")
    damaged.write_bytes(damaged.read_bytes()[:100])
    with pytest.raises(UserError, match="is damaged") as told:
        upgrade(Corpus.open_any_format(upgraded))
    assert str(damaged) in told.value.message and "from a copy" in told.value.hint


def as_format_3(folder):
    """Make a corpus what it was before rows of the frontier said in which round they were fetched."""
    without_rounds(folder)
    noted = Path(folder, "format.json")
    noted.write_text(json.dumps({**json.loads(noted.read_text()), "format": 3}))


def without_rounds(folder):
    for file in Path(folder, "frontier").rglob("*.parquet"):
        pq.write_table(pq.read_table(file, partitioning=None).drop_columns(["fetch_round"]), file)


def frontier_of(corpus, engine):
    whole = rounds.frontier(corpus.storage).whole()
    return sorted(engine.query("select * from t", {"t": whole}).to_pylist(), key=itemgetter("id"))


def test_a_crawl_goes_on_with_a_deep_frontier_of_format_3(tmp_path):
    shallow = Depth(most=60, kept=30, least=12, rounds=3, run_rows=80)
    old, new = (
        Made(tmp_path / n, ["http://a.pk/"], InProcessEngine(), depth=shallow) for n in ("old", "new")
    )
    for number in range(1, 15):
        listed = old.list(size=20)
        assert listed and new.list(size=20) == listed
        for each in (old, new):
            each.fetch({url: (1000, 900, links_of(url)) for url in listed})
        if number == 7:
            assert old.frontier.manifest.base and old.frontier.manifest.runs
            without_rounds(tmp_path / "old")
            assert add_columns(old.frontier.storage, silent, COLUMNS) > 2
    rows, upgraded = new.rows(), old.rows()
    assert {row["fetch_round"] for row in rows.values()} == set(range(15)), "and 0 for what was not fetched"
    assert upgraded == {
        url: {**row, "fetch_round": row["fetch_round"] * (row["fetch_round"] > 7)}
        for url, row in rows.items()
    }


def links_of(url):
    """Links to pages whose numbers follow from that of the page."""
    number = int("0" + url.rpartition("/")[2])
    return [(f"http://{'abcdef'[n % 6]}.pk/{n}", "target") for n in range(5 * number + 1, 5 * number + 6)]


WAITS = """
import sys
from corpulyzer.api.corpus import Corpus
from corpulyzer.jobs.upgrade import upgrade
sys.path[:0] = sys.argv[2:]
from test_upgrade import COLUMNS, LENGTH

seen = 0

def waits(batch):
    global seen
    seen += batch.num_rows > 0
    if seen == 4:
        print("in the fourth file", flush=True)
        sys.stdin.read()
    return LENGTH.fill(batch)

upgrade(Corpus.open_any_format(sys.argv[1]), columns=[*COLUMNS, LENGTH._replace(fill=waits)])
"""


def columns_of(folder):
    return {file: pq.read_schema(file).names for file in sorted(Path(folder, "fetches").rglob("*.parquet"))}


def test_columns_are_added_to_old_rows_and_nothing_else_is_changed(folder):
    before = {file: pq.read_table(file, partitioning=None) for file in columns_of(folder)}
    assert add_columns(Corpus.open_any_format(folder).storage, silent, [LENGTH]) == len(before) == 6
    for file, rows in before.items():
        after = pq.read_table(file, partitioning=None)
        assert after.drop_columns(["url_length"]).equals(rows, check_metadata=True)
        assert after.column("url_length").to_pylist() == [len(url) for url in rows.column("url").to_pylist()]
    assert add_columns(Corpus.open_any_format(folder).storage, silent, [LENGTH]) == 0


def test_the_log_of_a_table_in_a_store_is_told_of_files_with_more_columns(object_store):
    rows = pa.table({"url": ["http://a.pk/", "http://a.pk/long"] * 999})
    with environment(object_store), LocalEngine(1) as engine:
        table = Table(Storage(make_bucket(object_store, "upgraded")), "fetches")
        for name in ("a.parquet", "b.parquet"):
            with ParquetSink(table.path(name), rows.schema, "then") as sink:
                sink.write(rows.to_batches()[0])
            table.note([name])
        table.restate([table.entries()["b.parquet"]._replace(made_of="restated")])
        before, meanwhile = table.entries(), []

        def fill(batch):
            meanwhile.append(table.log.read())
            return LENGTH.fill(batch)

        assert add_columns(table.storage, silent, [LENGTH._replace(fill=fill)]) == 2
        unsaid = {name: entry._replace(bytes=0) for name, entry in before.items()}
        assert meanwhile == [unsaid, unsaid], "who is killed leaves no size that is wrong, and all else"
        sizes = dict(zip(before, sizes_of(list(map(table.path, before))), strict=True))
        assert sizes != {name: entry.bytes for name, entry in before.items()}
        now = {name: entry._replace(bytes=sizes[name]) for name, entry in before.items()}
        assert table.log.read() == now
        dataset = table.dataset(rows.schema.append(pa.field("url_length", pa.int64())))
        found = engine.query("select sum(url_length) as n from fetches", {"fetches": dataset})
        assert found.to_pylist() == [{"n": 2 * 999 * (12 + 16)}]


@pytest.mark.parametrize("written", [0, 1, 2])
def test_an_upgrade_that_stopped_half_way_leaves_in_the_logs_what_was_restated(tmp_path, written):
    rows = pa.table({"url": ["http://a.pk/", "http://a.pk/long"] * 999})
    tables = [Table(Storage(tmp_path), name) for name in ("fetches", "links")]
    for table in tables:
        for name in ("a.parquet", "b.parquet"):
            with ParquetSink(table.path(name), rows.schema, "then") as sink:
                sink.write(rows.to_batches()[0])
        table.note(["a.parquet", "b.parquet"])
        table.restate([entry._replace(made_of="restated") for entry in table.entries().values()])
    before = [table.entries() for table in tables]
    filled = []

    def fill(batch):
        if len(filled) == written:
            raise OSError("no space left")
        filled.append(batch)
        return LENGTH.fill(batch)

    def columns(fill):
        return [LENGTH._replace(table=table.folder, fill=fill) for table in tables]

    with pytest.raises(OSError, match="no space left"):
        add_columns(tables[0].storage, silent, columns(fill))
    assert [table.made() for table in tables] == [dict.fromkeys(found, "restated") for found in before]
    assert add_columns(tables[0].storage, silent, columns(LENGTH.fill)) == 4 - written
    for table, found in zip(tables, before, strict=True):
        sizes = {name: os.path.getsize(table.path(name)) for name in found}
        assert table.log.read() == {name: entry._replace(bytes=sizes[name]) for name, entry in found.items()}


def test_what_the_detail_of_an_old_fetch_said_stands_in_columns(upgraded):
    rows = [
        row for file in columns_of(upgraded) for row in pq.read_table(file, partitioning=None).to_pylist()
    ]
    moved = [row for row in rows if row["status"] in (301, 302)]
    said = [f"to {row['location']}; took {row['took_ms']} ms" for row in moved]
    assert [row["detail"] for row in moved] == said
    assert len(moved) == 2
    assert {row["purpose"] for row in rows if row["url"].endswith("/robots.txt")} == {"robots"}
    assert {row["retry_after"] for row in rows} == {-1}


def test_tables_have_the_columns_of_today(upgraded):
    corpus = open_corpus(upgraded)
    frontier = rounds.frontier(corpus.storage).whole()
    lists = [each.listed() for each in rounds.rounds(corpus.storage)]
    tables = [*map(corpus.stored, ("fetches", "documents", "links")), frontier, *lists]
    for table in tables:
        assert table.files
        for file in table.files:
            assert set(table.schema.names) <= set(pq.read_schema(file).names)


def test_an_upgrade_that_was_killed_goes_on_where_it_was(folder):
    command = [sys.executable, "-c", WAITS, str(folder), str(Path(__file__).parent), *sys.path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "in the fourth file\n"
        run.kill()
    done = {file: file.stat().st_ino for file, names in columns_of(folder).items() if "url_length" in names}
    assert len(done) == 3
    with pytest.raises(UserError, match="earlier version"):
        open_corpus(folder)
    upgrade(Corpus.open_any_format(folder), columns=[*COLUMNS, LENGTH])
    assert all("url_length" in names for names in columns_of(folder).values())
    assert {file: file.stat().st_ino for file in done} == done, "what was done is not done again"
    assert not list(folder.rglob(".*.tmp"))
    corpus = open_corpus(folder)
    engine = engine_of(corpus)
    assert corpus.process(engine=engine) == len(rounds.rounds(corpus.storage)), "the frontier alone"


def test_a_corpus_of_a_later_version_is_not_touched(tmp_path):
    create("urd", tmp_path / "c")
    (tmp_path / "c" / "format.json").write_text(json.dumps({"format": format.FORMAT + 1}))
    with pytest.raises(UserError, match="later version"):
        open_corpus(tmp_path / "c")
    with pytest.raises(UserError, match="later version"):
        upgrade(Corpus.open_any_format(tmp_path / "c"))


def test_a_new_corpus_has_the_format_of_today(tmp_path):
    created = create("urd", tmp_path / "c")
    assert json.loads(created.storage.read("format.json")) == {"format": format.FORMAT}
    created.storage.write("fetches/round=00000/a.parquet", b"")
    assert open_corpus(tmp_path / "c").accepted == {}


@pytest.mark.parametrize("name", ["defaults", "other"])
def test_the_marks_of_then_are_made_from_the_settings_of_today(name):
    given = SETTINGS["defaults"] | ({"corpus.language": "urd"} if name == "defaults" else SETTINGS["other"])
    config, marks = merge("", "settings", given, {})[0], SETTINGS["marks"][name]
    asked, code = config.dedup, config.corpus.language.partition("-")[0]
    part = then.Part("a", "0123456789abcdef", 3)
    levels = {level: then.level(level, [], asked, code) for level in marks["levels"]}
    assert {
        "documents": then.documents(config),
        "frontier": then.frontier(config),
        "beside_documents": then.beside_documents(part, asked, code),
        "levels": levels,
        "view": then.view(levels, ("raw", "near"), config),
    } == marks


def test_the_marks_of_annotations_of_then_are_made_from_the_annotators_of_today():
    models = {"simplemma": "", "udpipe": "m.udpipe", "classla": "models", "spacy": "models"}
    backends = {name: unloaded_backend(Annotate(name, model), "hrv") for name, model in models.items()}
    found = {
        name: then.annotated(backend, "hrv", Morphs("morphs.txt") if name == "spacy" else None, [])
        for name, backend in backends.items()
    }
    assert found == SETTINGS["annotated"]


def test_a_setting_that_is_newer_than_the_corpus_fits_no_old_mark():
    config = merge("", "settings", {"corpus.language": "urd"}, {})[0]
    longer = make_dataclass("Extract", [("method", str, "default"), ("tables", bool, False)], frozen=True)
    marks = then.documents(config)
    assert then.documents(replace(config, extract=longer())) == marks
    assert then.documents(replace(config, extract=longer(tables=True))) != marks
