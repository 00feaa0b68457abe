"""What is older than the documents says so wherever it is used, and `corpus/` is the corpus."""

import json
import shutil
import subprocess
import sys

import duckdb
import polars
import pytest
from lasting import engine_of
from typer.testing import CliRunner

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.cli import app
from corpulyzer.corpus.folder import MANIFEST, REPORT
from corpulyzer.corpus.kept_documents import kept_parts, write_kept
from corpulyzer.corpus.rounds import Round
from corpulyzer.errors import UserError
from corpulyzer.export.select import Selection
from corpulyzer.jobs.analyze.follows import made_of
from corpulyzer.jobs.analyze.run import analyze
from corpulyzer.jobs.crawl.rebuild import why_stale
from corpulyzer.jobs.dedup.run import deduplicate
from corpulyzer.jobs.export import export
from corpulyzer.jobs.search.refresh import index_of, refresh, wanted_index
from corpulyzer.jobs.stale import stale
from corpulyzer.jobs.status.funnels import FUNNEL
from corpulyzer.storage import Storage

WORDS = (
    "The farmers of the valley bring their {0} to the market on the morning of day {1}, and the people who "
    "live by the river come to see what the harvest of the year has given to all of them.\n"
    "Nobody in the village number {1} remembers a summer as dry as this one, when the {0} stood so low that "
    "children could look over the whole field to the houses on the other side of the road."
)


def rows(numbers, site="a"):
    """Rows of JSONL, each a document of its own by its number."""
    things = (
        "wheat",
        "barley",
        "apples",
        "onions",
        "grapes",
        "melons",
        "pepper",
        "garlic",
        "tomatoes",
        "dates",
    )
    for number in numbers:
        text = WORDS.format(things[number % 10], number * 7919)
        yield json.dumps(
            {"url": f"https://{site}.example/{number}", "text": f"{text} {things[number % 10] * 3} {number}"}
        )


def take_in(corpus, folder, name, lines):
    (folder / f"{name}.jsonl").write_text("\n".join(lines))
    engine = engine_of(corpus)
    corpus.import_(str(folder / f"{name}.jsonl"), engine=engine)


def run(*arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments])


FLAGS = {"engine.workers": 1, "dedup.policy": ["raw", "document"]}


@pytest.fixture(scope="module")
def grown_once(tmp_path_factory):
    """A corpus of 8 documents and 2 copies, deduplicated, into which 4 more documents and 3 copies came."""
    folder = tmp_path_factory.mktemp("stale")
    create("eng", folder / "c")
    settings = (folder / "c" / "corpulyzer.toml").read_text()
    (folder / "c" / "corpulyzer.toml").write_text(settings + '\n[dedup]\npolicy = ["document"]\n')
    corpus = open_corpus(folder / "c")
    take_in(corpus, folder, "first", [*rows(range(8)), *rows(range(2), "b")])
    engine = engine_of(corpus)
    deduplicate(corpus, engine, ["document"])
    assert corpus.funnel(engine=engine).kept == 8 and stale(corpus) == []
    analyze(corpus, engine, ["funnel"])
    corpus.storage.write(REPORT, b"<p>as of now")
    corpus.storage.write(MANIFEST, json.dumps({"made_of": made_of(corpus)}).encode())
    assert run("search", "farmers", "-p", folder / "c", "-q").exit_code == 0
    assert stale(corpus) == []
    # Times of files are not copied: nothing may hang on them.
    shutil.copytree(folder / "c", folder / "fresh", copy_function=shutil.copyfile)
    take_in(corpus, folder, "second", [*rows(range(8, 12)), *rows(range(3), "d")])
    return folder / "c"


@pytest.fixture
def grown(grown_once, tmp_path):
    """A copy of that corpus: some commands bring it up to date."""
    return shutil.copytree(grown_once, tmp_path / "grown")


@pytest.fixture
def fresh(grown_once, tmp_path):
    """A copy of the corpus as it was when all was up to date, open with one worker."""
    shutil.copytree(grown_once.parent / "fresh", tmp_path / "c", copy_function=shutil.copyfile)
    return open_corpus(tmp_path / "c", {"engine.workers": 1})


def stamps(folder, *tables):
    """What tells that a file was written."""
    found = (file for table in tables for file in sorted((folder / table).rglob("*.parquet")))
    return {file: (file.stat().st_ino, file.stat().st_mtime_ns) for file in found}


def corpus_rows(folder):
    return duckdb.sql(f"select url from read_parquet('{folder}/corpus/**/*.parquet')").fetchall()


def test_a_copied_corpus_is_as_fresh_as_the_first(fresh, tmp_path):
    before = stamps(tmp_path / "c", "fetches", "documents", "links", "duplicates", "corpus")
    assert stale(fresh) == []
    engine = engine_of(fresh)
    assert fresh.process(engine=engine) == 0
    deduplicate(fresh, engine, ["document"])
    assert stamps(tmp_path / "c", "fetches", "documents", "links", "duplicates", "corpus") == before


def test_documents_made_again_with_the_same_rows_make_nothing_else_stale(fresh):
    engine = engine_of(fresh)
    assert fresh.process("extract", engine=engine) == 1
    assert stale(fresh) == []


def test_lost_logs_cost_no_document(fresh, tmp_path):
    shutil.rmtree(tmp_path / "c" / "parts")
    assert stale(fresh) == []
    before = stamps(tmp_path / "c", "documents", "links", "corpus")
    engine = engine_of(fresh)
    assert fresh.process(engine=engine) == 0
    assert stamps(tmp_path / "c", "documents", "links", "corpus") == before
    assert stale(fresh) == []


def test_a_lost_file_is_missed_and_made_again(fresh, tmp_path):
    for table, what in (("links", "documents"), ("corpus", "corpus")):
        (lost,) = (tmp_path / "c" / table).rglob("*.parquet")
        lost.unlink()
        assert len(stale(fresh, what)) == 1
        engine = engine_of(fresh)
        fresh.process(engine=engine)
        assert stale(fresh) == [] and lost.exists()


@pytest.mark.parametrize("table", ["fetches", "documents"])
def test_a_damaged_file_is_named_with_the_next_step(fresh, tmp_path, table):
    (file,) = (tmp_path / "c" / table).rglob("*.parquet")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UserError, match=f"{file.name} is damaged") as caught:
        fresh.status()
    assert "corpulyzer process" in caught.value.hint
    file.unlink()
    with pytest.raises(UserError, match=f"{file.name} is missing"):
        fresh.status()
    engine = engine_of(fresh)
    fresh.process(engine=engine)
    assert fresh.status().stale == []


def test_a_damaged_state_of_duplicates_is_named_with_the_next_step(fresh, tmp_path):
    (tmp_path / "c" / "duplicates" / "state.json").write_text('{"levels')
    with pytest.raises(UserError, match=r"duplicates/state\.json is damaged") as caught:
        stale(fresh)
    assert "corpulyzer dedup" in caught.value.hint


def test_documents_of_other_settings_are_stale(fresh, tmp_path):
    other = open_corpus(tmp_path / "c", {"filter.content_size.min_bytes": 300})
    (found,) = stale(other, "documents")
    assert found.why == "Older than the settings: 1 part of the documents."
    assert str(found).endswith(f"`corpulyzer process --project {tmp_path / 'c'}` brings this up to date.")


@pytest.mark.parametrize("setting", ["reference", "topic_names", "lemma_pairs"])
def test_a_file_of_the_settings_that_was_replaced_makes_measures_stale(fresh, tmp_path, setting):
    (tmp_path / "words.tsv").write_text("farmers\t10\n")
    flags = {"engine.workers": 1, f"analyze.{setting}": str(tmp_path / "words.tsv")}
    corpus = open_corpus(tmp_path / "c", flags)
    engine = engine_of(corpus)
    analyze(corpus, engine, ["funnel"])
    assert stale(corpus, "analysis") == []
    (tmp_path / "words.tsv").write_text("farmers\t11\n")
    (found,) = stale(corpus, "analysis")
    assert found.why.startswith("Older than the documents or settings: the measures funnel")


def test_a_removal_changes_the_parts_that_it_touches_and_makes_none_stale(fresh, tmp_path):
    take_in(fresh, tmp_path, "second", list(rows(range(8, 12))))
    engine = engine_of(fresh)
    fresh.dedup("document", engine=engine)
    refresh(fresh)
    versions = {part.name: part.version for part in kept_parts(fresh.storage)}
    engine = engine_of(fresh)
    fresh.remove("https://a.example/9", engine=engine)
    assert fresh.process(engine=engine) == 0, "what is left need not be made again"
    after = {part.name: part.version for part in kept_parts(fresh.storage)}
    (touched,) = [name for name in versions if versions[name] != after[name]]
    assert "second" in touched
    assert index_of(fresh).stale(wanted_index(fresh)) == ([], []), "it has lost the same document"


def test_all_that_is_older_than_the_documents_is_named_with_its_command(grown):
    found = {each.what: each.command for each in stale(open_corpus(grown))}
    assert found == {
        "duplicates": f"corpulyzer dedup --project {grown}",
        "index": f"corpulyzer search WORD --project {grown}",
        "analysis": f"corpulyzer analyze --project {grown}",
        "report": f"corpulyzer report --project {grown}",
    }


@pytest.mark.parametrize(
    "command",
    [
        ["status", "-q"],
        ["search", "farmers", "-q"],
        ["why", "https://a.example/1", "-q"],
        ["analyze", "funnel", "-q"],
        ["calibrate", "-q"],
        ["process", "-q"],
        ["audit", "sample", "--size", "2", "-q"],
        ["seeds", "report", "-q"],
        ["stop-words", "-q"],
    ],
    ids=lambda command: command[0],
)
def test_a_command_that_uses_stale_duplicates_says_so_even_if_quiet(grown, command):
    done = run(*command, "--project", grown)
    assert done.exit_code == 0, done.stderr
    assert "The duplicates (" in done.stderr and "`corpulyzer dedup" in done.stderr


def test_status_as_json_lists_what_is_stale(grown):
    told = json.loads(run("status", "--json", "--project", grown).stdout)
    assert "duplicates" in [each["what"] for each in told["stale"]]


def test_changed_settings_make_duplicates_stale_instead_of_letting_copies_back_in_silence(tmp_path):
    create("eng", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", FLAGS)
    take_in(corpus, tmp_path, "first", [*rows(range(4)), *rows(range(2), "b")])
    engine = engine_of(corpus)
    deduplicate(corpus, engine, ["document"])
    assert corpus.funnel(engine=engine).kept == 4
    other = open_corpus(tmp_path / "c", {**FLAGS, "filter.content_size.min_bytes": 300})
    engine = engine_of(other)
    other.process(engine=engine)
    assert [each.what for each in stale(other)] == ["duplicates"]


def test_flags_of_the_last_dedup_count_as_asked_for(tmp_path):
    create("eng", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", FLAGS)
    take_in(corpus, tmp_path, "first", [*rows(range(4)), *rows(range(2), "b")])
    engine = engine_of(corpus)
    deduplicate(corpus, engine, ["document"])
    plain = open_corpus(tmp_path / "c", {"engine.workers": 1})
    assert stale(plain) == [], "the policy was a flag, and still holds"
    take_in(plain, tmp_path, "second", list(rows([0], "e")))
    engine = engine_of(plain)
    made = export(plain, engine, "jsonl", selection=Selection())
    assert made.manifest["documents"] == 4 and made.refreshed == ("duplicates",)
    assert stale(plain, "duplicates") == []


def test_an_export_without_the_flags_of_the_last_dedup_leaves_its_keys_as_they_are(tmp_path):
    create("eng", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {**FLAGS, "dedup.keep": "earliest"})
    take_in(corpus, tmp_path, "first", [*rows(range(4)), *rows(range(2), "b")])
    deduplicate(corpus, engine_of(corpus), ["document"])
    plain = open_corpus(tmp_path / "c", {"engine.workers": 1})
    before = stamps(tmp_path / "c", "duplicates/units")
    export(plain, engine_of(plain), "jsonl")
    assert stamps(tmp_path / "c", "duplicates/units") == before != {}


def test_an_export_brings_duplicates_up_to_date_first_and_says_so(grown):
    before = open_corpus(grown)
    engine = engine_of(before)
    assert before.funnel(engine=engine).kept == 15, "three copies are not labelled yet"
    done = run("export", "jsonl", "--project", grown)
    assert done.exit_code == 0, done.stderr
    assert "12 documents" in done.stdout and "duplicates were older" in done.stdout
    engine = engine_of(before)
    assert before.funnel(engine=engine).kept == 12
    assert "duplicates" not in [each.what for each in stale(before)]
    assert len(corpus_rows(grown)) == 12, "`corpus/` followed"


def test_the_folder_corpus_is_the_corpus_for_duckdb_and_polars(tmp_path):
    create("eng", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", FLAGS)
    take_in(corpus, tmp_path, "first", [*rows(range(6)), *rows(range(2), "b"), json.dumps({"text": "short"})])
    engine = engine_of(corpus)
    deduplicate(corpus, engine, ["document"])
    wanted = sorted(document.url for document in corpus.documents.kept())
    assert len(wanted) == 6
    assert sorted(url for (url,) in corpus_rows(tmp_path / "c")) == wanted
    frame = polars.read_parquet(tmp_path / "c" / "corpus")
    assert sorted(frame["url"]) == wanted and frame["round"].dtype == polars.Int64
    assert frame["verdict"].struct.field("kept").all()


def test_only_parts_that_changed_are_written_again(tmp_path):
    create("eng", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", FLAGS)
    take_in(corpus, tmp_path, "first", list(rows(range(3))))
    (first,) = (tmp_path / "c" / "corpus").iterdir()
    written = first.stat().st_mtime_ns
    take_in(corpus, tmp_path, "second", list(rows(range(3, 5))))
    assert len(corpus_rows(tmp_path / "c")) == 5
    assert first.stat().st_mtime_ns == written
    first.unlink()
    engine = engine_of(corpus)
    assert write_kept(corpus.storage, engine) == 1
    assert write_kept(corpus.storage, engine) == 0
    assert len(corpus_rows(tmp_path / "c")) == 5


def test_the_numbers_of_status_add_up(grown):
    told = json.loads(run("status", "--json", "--project", grown).stdout)
    balance = told["balance"]
    assert balance.pop("records") == sum(balance.values())
    stored = duckdb.sql(f"select count(*) from read_parquet('{grown}/documents/**/*.parquet')").fetchall()[0][
        0
    ]
    assert stored == sum(balance.values()) - balance["not_fetched"]
    assert balance["kept"] == told["kept"] == len(corpus_rows(grown))


@pytest.mark.parametrize("command", ["status", "process"])
def test_where_nothing_is_new_nothing_is_imported_that_reads_tables(fresh, command):
    with fresh.engine() as engine:
        fresh.process(engine=engine)
        fresh.funnel(engine=engine)
    code = (
        "import sys, corpulyzer.cli as cli\n"
        "try: cli.main()\n"
        "finally: print([name for name in ('numpy', 'pyarrow', 'duckdb', 'pandas') if name in sys.modules])"
    )
    told = [sys.executable, "-c", code, command, "--project", fresh.storage.root]
    assert subprocess.run(told, capture_output=True, text=True, check=True).stdout.endswith("[]\n")


def test_the_funnel_is_counted_anew_when_documents_or_settings_are_others(fresh, tmp_path):
    def told():
        corpus = open_corpus(fresh.storage.root, {"engine.workers": 1})
        kept = corpus.funnel()
        assert kept == corpus.funnel(), "read as it was written"
        corpus.storage.delete(FUNNEL)
        assert kept == corpus.funnel(), "as if it had never been kept"
        return kept

    before = told()
    take_in(fresh, tmp_path, "more", rows(range(20, 23)))
    grown = told()
    assert (grown.steps[0].pages, grown.kept) == (before.steps[0].pages + 3, before.kept + 3)
    settings = tmp_path / "c" / "corpulyzer.toml"
    settings.write_text(settings.read_text() + "\n[filter.length]\nmin_words = 10000\n")
    assert [step.name for step in told().steps if "length" in step.name] == ["length"]
    fresh.storage.write(FUNNEL, b"{")
    assert told().steps[0].pages == grown.steps[0].pages


def test_of_many_rounds_only_the_last_says_whether_the_frontier_is_stale(tmp_path, monkeypatch):
    corpus, asked = create("urd", tmp_path / "c"), []
    usual = Storage.path
    monkeypatch.setattr(Storage, "path", lambda *args: asked.append(args) or usual(*args))
    counts = set()
    for last in (3, 30):
        for number in range(1, last + 1):
            Round(corpus.storage, number).write("commit", {"version": "1", "requests": 1, "good": 1})
        asked.clear()
        assert "The frontier is damaged" in why_stale(corpus)
        counts.add(len(asked))
    assert len(counts) == 1
