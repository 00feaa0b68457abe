"""Derived tables: what is stale is made, and nothing else, whatever happened before."""

import json
import shutil
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from subprocess import PIPE, Popen

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from s3_server import environment, make_bucket, requests

from corpulyzer.engine import Source
from corpulyzer.engine.derived import Entry, Part, differs_at, holds, made_of, orphans, stale
from corpulyzer.engine.derived import log as derived_log
from corpulyzer.engine.derived.log import Log
from corpulyzer.engine.derived.table import Table, bring_up_to_date
from corpulyzer.engine.units import run_here
from corpulyzer.storage import ParquetSink, Storage

ROWS = pa.schema([("text", pa.string())])


@dataclass(frozen=True)
class Shout:
    """Map: texts in, the same texts in capitals and with a mark out."""

    mark: str = "!"

    @property
    def outputs(self):
        return {"loud": ROWS}

    def __call__(self, batch, at):
        said = [f"{text.upper()}{self.mark}" for text in batch.column("text").to_pylist()]
        return {"loud": pa.RecordBatch.from_pydict({"text": said}, ROWS)}


@dataclass
class Corpus:
    """Some parts of texts in a folder, and a table that is made of them; `made` says what was, and when."""

    storage: Storage
    mark: str = "!"
    parts: dict = field(default_factory=dict)
    made: list = field(default_factory=list)
    dies_after: int = 99

    @property
    def table(self):
        return Table(self.storage, "loud")

    def give(self, name, *texts):
        with ParquetSink(self.storage.path(f"given/{name}"), ROWS, "given") as sink:
            sink.write(pa.RecordBatch.from_pydict({"text": list(texts)}, ROWS))
        (self.parts[name],) = [part for part in Table(self.storage, "given").parts() if part.name == name]

    def wanted(self):
        return {name: made_of([part.version], self.mark) for name, part in self.parts.items()}

    def bring(self):
        """Bring the table up to date; return the names of the parts that were made."""
        self.made = []
        bring_up_to_date({"loud": self.table}, self.wanted(), self._source, self._run)
        return self.made

    def said(self):
        return {
            name: pq.read_table(self.table.path(name)).column("text").to_pylist()
            for name in sorted(self.table.entries())
        }

    def _source(self, name):
        return Source(path=self.storage.path(f"given/{name}"))

    def _run(self, units):
        for unit in units:
            if len(self.made) == self.dies_after:
                raise KeyboardInterrupt
            run_here(Shout(self.mark), [unit])
            self.made.append(unit.targets["loud"].rpartition("/")[2])


@pytest.fixture
def corpus(tmp_path):
    found = Corpus(Storage(tmp_path / "c"))
    for name in "abc":
        found.give(f"{name}.parquet", name, name * 2)
    found.bring()
    return found


ALL = ["a.parquet", "b.parquet", "c.parquet"]


def test_a_part_is_stale_if_it_is_missing_or_was_made_of_something_else():
    wanted = {"a": "1.x", "b": "2.x", "c": "3.x"}
    assert stale({"a": "1.x", "b": "2.y", "old": "9.x"}, wanted) == ["b", "c"]
    assert orphans({"a": "1.x", "b": "2.y", "old": "9.x"}, wanted) == ["old"]
    assert not holds("", "")


def test_a_mark_of_an_earlier_format_holds_where_it_means_the_same():
    assert holds("then", "now", {"then": "now"})
    assert not holds("then", "now", {"then": "another"})
    assert not holds("then", "now")


def test_where_two_parts_differ_is_the_first_stage_that_does():
    assert differs_at(made_of(["v"], "e", "i", "f"), made_of(["v"], "e", "j", "g")) == 2
    assert differs_at(made_of(["w"], "e"), made_of(["v"], "e")) == 0
    assert made_of(["v", "w"], "e") != made_of(["w", "v"], "e")


def test_what_is_up_to_date_is_not_made_again(corpus):
    assert corpus.made == ALL and corpus.bring() == []
    assert corpus.said() == {
        f"{name}.parquet": [f"{name.upper()}!", f"{name.upper() * 2}!"] for name in "abc"
    }


def test_a_changed_input_makes_its_part_stale_and_no_other(corpus):
    corpus.give("b.parquet", "new")
    assert corpus.bring() == ["b.parquet"]
    assert corpus.said()["b.parquet"] == ["NEW!"]


def test_an_input_that_was_made_again_with_the_same_rows_makes_nothing_stale(corpus):
    corpus.give("b.parquet", "b", "bb")
    assert corpus.bring() == []


def test_a_changed_setting_makes_all_parts_stale(corpus):
    corpus.mark = "?"
    assert corpus.bring() == ALL
    assert corpus.said()["a.parquet"] == ["A?", "AA?"]


def test_the_part_of_an_input_that_is_gone_is_removed_with_and_without_an_entry(corpus):
    shutil.copy(corpus.table.path("c.parquet"), corpus.table.path("stray.parquet"))
    del corpus.parts["a.parquet"]
    assert corpus.bring() == []
    assert corpus.table.files() == sorted(corpus.table.entries()) == ["b.parquet", "c.parquet"]


def test_a_copied_folder_is_as_fresh_as_the_first(corpus, tmp_path):
    shutil.copytree(tmp_path / "c", tmp_path / "d", copy_function=shutil.copyfile)
    copied = Corpus(Storage(tmp_path / "d"))
    copied.parts = {part.name: part for part in Table(copied.storage, "given").parts()}
    assert copied.bring() == []


def test_whoever_is_killed_before_the_log_is_written_loses_nothing(tmp_path):
    corpus = Corpus(Storage(tmp_path), dies_after=2)
    for name in "abc":
        corpus.give(f"{name}.parquet", name)
    with pytest.raises(KeyboardInterrupt):
        corpus.bring()
    assert [entry.version for entry in corpus.table.log.read().values()] == ["", "", ""]
    assert sorted(corpus.table.entries()) == ["a.parquet", "b.parquet"], "what is not there is no part"
    assert len(corpus.table.dataset(ROWS).files) == 2
    corpus.dies_after = 99
    assert corpus.bring() == ["c.parquet"]


def test_a_part_that_was_replaced_before_a_kill_is_made_again_when_settings_go_back(corpus):
    corpus.mark, corpus.dies_after = "?", 1
    with pytest.raises(KeyboardInterrupt):
        corpus.bring()
    corpus.mark, corpus.dies_after = "!", 99
    assert corpus.bring() == ["a.parquet"], "the log cannot say so, but the file does"
    assert corpus.said()["a.parquet"] == ["A!", "AA!"]


def test_the_state_of_a_table_is_one_read_and_no_footer(corpus, tmp_path):
    before = corpus.table.parts()
    shutil.rmtree(tmp_path / "c" / "loud")
    assert corpus.table.parts() == before


def test_a_damaged_file_is_made_again_when_its_log_is_lost(corpus):
    corpus.storage.write("loud/b.parquet", b"PAR1 and no more")
    corpus.table.log.commit((), ["b.parquet"], dict)
    assert corpus.bring() == ["b.parquet"]


def test_a_lost_file_is_made_again(corpus):
    corpus.storage.delete("loud/b.parquet")
    assert corpus.bring() == ["b.parquet"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1]\n", b'{"parts": 0}\n{"name": "a"}\n', b"\xff\xfe", "cut"]
)
def test_a_damaged_log_is_written_anew_from_the_files(corpus, content):
    before = corpus.table.entries()
    if content == "cut":
        content = corpus.storage.read(corpus.table.log.file).rpartition(b"{")[0]
    corpus.storage.write(corpus.table.log.file, content)
    assert corpus.table.entries() == before
    assert corpus.bring() == []
    assert corpus.table.log.read() == before


def test_a_log_that_was_deleted_is_written_anew_from_the_files(corpus):
    before = corpus.table.entries()
    corpus.table.log.delete()
    assert corpus.table.entries() == before and corpus.bring() == []
    assert corpus.table.log.read() == before


def test_a_log_that_is_lost_while_parts_are_added_keeps_the_others(corpus):
    corpus.table.log.delete()
    corpus.table.rewrite("b.parquet", lambda batch: batch.slice(0, 1))
    assert sorted(corpus.table.log.read()) == ALL


def test_a_part_that_is_rewritten_has_another_version_and_is_not_stale(corpus):
    before = {part.name: part.version for part in corpus.table.parts()}
    corpus.table.rewrite("b.parquet", lambda batch: batch.slice(0, 1))
    after = {part.name: part.version for part in corpus.table.parts()}
    assert [name for name in after if after[name] != before[name]] == ["b.parquet"]
    assert corpus.table.entries()["b.parquet"].rows == 1 and corpus.bring() == []


def test_whoever_is_killed_while_a_part_is_rewritten_leaves_a_log_that_is_right(corpus, monkeypatch):
    before = corpus.table.entries()["b.parquet"]
    monkeypatch.setattr(Table, "note", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        corpus.table.rewrite("b.parquet", lambda batch: batch.slice(0, 1))
    monkeypatch.undo()
    found = corpus.table.entries()["b.parquet"]
    assert found.version != before.version and (found.made_of, found.rows) == (before.made_of, 1)
    assert corpus.bring() == []


def test_a_file_of_others_is_known_by_its_rows(tmp_path):
    (tmp_path / "given").mkdir()
    pq.write_table(pa.table({"text": ["a"]}), tmp_path / "given" / "a.parquet")
    (part,) = Table(Storage(tmp_path), "given").parts()
    assert part == Part("a.parquet", "given/a.parquet", part.version, 1) and part.version
    pq.write_table(pa.table({"text": ["b"]}), tmp_path / "given" / "a.parquet")
    assert Table(Storage(tmp_path), "given").parts() != [part]


def entry(number):
    ranges = f'{{"site": ["{number}", "{number + 1}"]}}'
    return Entry(f"{number:05d}.parquet", f"made {number}", f"{number:x}", number, 10 * number, ranges)


@pytest.fixture
def log(tmp_path, monkeypatch):
    monkeypatch.setattr(derived_log, "FEW", 10)
    return Log(Storage(tmp_path), "parts/t.jsonl")


def test_a_log_with_checkpoints_says_the_same_as_its_commits(log):
    wanted = {}
    for number in range(300):
        put, drop = [entry(number), entry(number // 2)._replace(rows=-1)], [f"{number - 7:05d}.parquet"]
        log.commit(put, drop, dict)
        wanted |= {each.name: each for each in put}
        wanted.pop(drop[0], None)
        assert log.read() == wanted
    assert 1 <= len(log.storage.list("parts", ".json")) <= 2, "older checkpoints are removed"
    log.delete()
    assert log.storage.list("parts") == [] and log.read() is None


@pytest.mark.parametrize("parts", [3, 100])
def test_a_log_forgets_what_its_entries_were_before(log, parts):
    log.commit([entry(number)._replace(ranges="a.example") for number in range(parts)], (), dict)
    log.commit([entry(2)], [f"{number:05d}.parquet" for number in range(parts) if number != 2], dict)
    assert b"a.example" in b"".join(map(log.storage.read, log.storage.list("parts")))
    log.forget_past()
    assert b"a.example" not in b"".join(map(log.storage.read, log.storage.list("parts")))
    assert log.read() == {"00002.parquet": entry(2)}
    log.commit((), ["00002.parquet"], dict)
    log.forget_past()
    assert log.read() == {}


def test_checkpoints_that_kills_have_left_go_with_the_next_and_those_that_others_write_stay(log):
    for begun in (0, 100):
        log.commit(map(entry, range(begun, begun + 100)), (), dict)
    log.storage.write("parts/t.checkpoint-000000.json", b"left")
    log.storage.write("parts/t.checkpoint-000009.json", b"of a command whose log will name it")
    log.storage.write("parts/t2.checkpoint-000001.json", b"of another table")
    log.commit(map(entry, range(200, 300)), (), dict)
    left = [f"parts/t.checkpoint-{number:06d}.json" for number in (2, 3, 9)]
    assert log.storage.list("parts", ".json") == [*left, "parts/t2.checkpoint-000001.json"]
    assert len(log.read()) == 300
    log.forget_past()
    assert not log.storage.exists("parts/t.checkpoint-000009.json") and len(log.read()) == 300


def test_checkpoints_of_a_table_that_shrinks_go_when_it_has_grown_again(log):
    for begun in (0, 100, 200):
        log.commit(map(entry, range(begun, begun + 100)), (), dict)
    log.commit((), [entry(number).name for number in range(300)], dict)
    log.storage.write("parts/t.checkpoint-000001 (copy).json", b"of somebody's tool")
    assert len(log.read()) == 0
    for begun in (0, 100):
        log.commit(map(entry, range(begun, begun + 100)), (), dict)
    left = [file for file in log.storage.list("parts", ".json") if "copy" not in file]
    assert left == [f"parts/t.checkpoint-{number:06d}.json" for number in (4, 5)]
    assert len(log.read()) == 200


def test_a_small_table_has_one_file_and_a_commit_to_a_large_one_writes_few_bytes(log):
    log.commit(map(entry, range(5)), (), dict)
    assert log.storage.list("parts") == ["parts/t.jsonl"]
    log.commit(map(entry, range(5_000)), (), dict)
    for number in range(20):
        log.commit([entry(5_000 + number)], (), dict)
    assert len(log.storage.read("parts/t.jsonl")) < 2_000 and len(log.read()) == 5_020


def test_a_reader_that_comes_between_the_log_and_its_checkpoint_reads_both_again(log, monkeypatch):
    log.commit(map(entry, range(100)), (), dict)
    usual, late = Storage.read, []

    def read(storage, file):
        if "checkpoint" in file and not late:
            late.append(file)
            for number in range(100, 200):  # several checkpoints on
                log.commit([entry(number)], (), dict)
        return usual(storage, file)

    monkeypatch.setattr(Storage, "read", read)
    assert len(log.read()) == 200 and late


@pytest.mark.parametrize("damage", [None, b"", b"{}", b'{"name": []}', b"[1]"])
def test_a_log_without_its_checkpoint_is_made_anew_from_the_files(corpus, monkeypatch, damage):
    monkeypatch.setattr(derived_log, "FEW", 2)
    before = corpus.table.entries()
    corpus.table.log.commit(list(before.values()), (), dict)
    (checkpoint,) = corpus.storage.list("parts", "loud.checkpoint-000001.json")
    monkeypatch.setattr(derived_log, "FEW", 1_000)  # so that what is mended fits behind the damaged one
    corpus.storage.delete(checkpoint)
    if damage is not None:
        corpus.storage.write(checkpoint, damage)
    assert corpus.table.entries() == before and corpus.bring() == []
    assert corpus.table.log.read() == before


def test_a_log_of_the_earlier_form_is_read_and_replaced_at_the_next_commit(corpus):
    before = corpus.table.entries()
    old = ("name", "made_of", "version", "rows")
    entries = [{name: getattr(each, name) for name in old} for each in before.values()]
    lines = [{"parts": len(before)}, *entries]
    corpus.storage.write(corpus.table.log.file, "".join(json.dumps(line) + "\n" for line in lines).encode())
    assert {name: each[:4] for name, each in corpus.table.entries().items()} == {
        name: each[:4] for name, each in before.items()
    }
    assert corpus.bring() == []
    corpus.give("b.parquet", "new")
    assert corpus.bring() == ["b.parquet"]
    assert b'"changes"' in corpus.storage.read(corpus.table.log.file)
    assert sorted(corpus.table.entries()) == ALL


def test_a_checkpoint_of_a_version_without_ranges_is_read(log):
    log.commit(map(entry, range(50)), (), dict)
    (checkpoint,) = log.storage.list("parts", ".json")
    columns = json.loads(log.storage.read(checkpoint))
    del columns["ranges"]
    log.storage.write(checkpoint, json.dumps(columns).encode())
    assert log.read() == {each.name: each._replace(ranges="") for each in map(entry, range(50))}


def test_the_log_says_between_which_values_columns_are(tmp_path):
    table = Table(Storage(tmp_path), "t")
    rows = {
        "language": ["xho", "afr", "hrv"],
        "site": ["b.example", "a.example", "c.example"],
        "n": [1, 2, 3],
    }
    with ParquetSink(table.path("a.parquet"), schema := pa.table(rows).schema, "made") as sink:
        for batch in pa.table(rows, schema=schema).to_batches(1):
            sink.write(batch)
            sink.rest()  # a row group each
    with ParquetSink(table.path("b.parquet"), schema, "made"):
        pass
    table.note(["a.parquet", "b.parquet"])
    ranges = {"language": ["afr", "xho"], "site": ["a.example", "c.example"]}
    assert [json.loads(part.ranges or "{}") for part in table.parts()] == [ranges, {}]


COMMITS = """
import sys
from corpulyzer.engine.derived import Entry, log
from corpulyzer.storage import Storage

log.FEW = 6
found = log.Log(Storage(sys.argv[1]), "parts/t.jsonl")
found.read()
print("ready", flush=True)
sys.stdin.readline()
for number in range(15):
    found.commit([Entry(f"{sys.argv[2]}{number:02d}", "made", "1", number)], (), dict)
"""


def test_of_two_commands_that_commit_to_one_log_in_a_store_none_loses_anything(object_store):
    """They should run one after the other, but an object store has no lock that says so."""
    with environment(object_store), ExitStack() as running:
        bucket = make_bucket(object_store, "committed")
        both = []
        for name in "ab":
            command = [sys.executable, "-c", COMMITS, bucket, name]
            both.append(running.enter_context(Popen(command, stdin=PIPE, stdout=PIPE, text=True)))
        for each in both:
            assert each.stdout.readline() == "ready\n"
        for each in both:
            each.stdin.write("go\n")
            each.stdin.flush()
        assert [each.wait(180) for each in both] == [0, 0]
        log = Log(Storage(bucket), "parts/t.jsonl")
        assert sorted(log.read()) == sorted(f"{name}{number:02d}" for name in "ab" for number in range(15))


def test_a_commit_takes_two_requests_of_a_store(object_store):
    with environment(object_store):
        log = Log(Storage(make_bucket(object_store, "commits")), "parts/t.jsonl")
        log.commit([entry(1)], (), dict)
        with requests(object_store) as asked:
            log.commit([entry(2)], (), dict)
    assert [each.split()[0] for each in asked] == ["GET", "PUT"]
