"""Whoever changes a corpus holds its lock; two commands never change it at once."""

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading

import pytest
from command_line import run

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.audit.labels import Label, read_labels, write_label
from corpulyzer.corpus.folder import write_settings
from corpulyzer.jobs.search.refresh import index_of
from corpulyzer.storage import Storage
from corpulyzer.storage.lock import HeldError, changing, editing
from corpulyzer.web.seeds import Candidate, add, read

HOLDS = """
import sys
from corpulyzer.storage import Storage
from corpulyzer.storage.lock import changing, editing

with {0}(Storage(sys.argv[1]), "crawl"):
    print("held", flush=True)
    sys.stdin.read()
"""
CHANGING = {
    "import": ["import", "{0}/in.txt"],
    "process": ["process"],
    "dedup": ["dedup"],
    "analyze": ["analyze", "funnel"],
    "report": ["report"],
    "annotate": ["annotate"],
    "export": ["export", "jsonl"],
    "remove": ["remove", "a.example"],
    "search": ["search", "word"],
    "compare": ["compare", "{0}", "{0}"],
    "run": ["run", "--contact", "me@example.org"],
    "crawl": ["crawl", "--contact", "me@example.org"],
}


def holder(folder, lock="changing"):
    command = [sys.executable, "-c", HOLDS.format(lock), str(folder)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """A corpus that another process is changing."""
    folder = tmp_path_factory.mktemp("held") / "c"
    create("eng", folder)
    (folder / "in.txt").write_text("Some words to take in.")
    add(Storage(folder), [Candidate("https://a.example/")], "command", round=1)
    process = holder(folder)
    yield folder, process
    process.communicate("")


@pytest.mark.parametrize("name", CHANGING)
def test_a_second_command_is_refused_and_told_who_holds_the_corpus(held, name):
    from typer.testing import CliRunner

    from corpulyzer.cli import app

    folder, process = held
    arguments = [each.format(folder) for each in CHANGING[name]]
    where = [] if name == "compare" else ["--project", str(folder)]
    done = CliRunner().invoke(app, [*arguments, *where])
    assert isinstance(done.exception, HeldError), done.output
    assert f"`corpulyzer crawl` (process {process.pid})" in done.exception.message
    assert " since 20" in done.exception.message


def test_commands_that_only_read_need_no_lock(held):
    folder, _ = held
    run("status", "--project", folder)


def test_the_command_line_says_it_in_words_with_exit_code_1(held):
    folder, process = held
    done = run("process", "--project", folder, code=1)
    assert f"process {process.pid}" in done.stderr and "Wait" in done.stderr
    assert "Traceback" not in done.stderr


def test_seeds_settings_and_labels_are_changed_while_a_crawl_runs(held):
    folder, _ = held
    storage = Storage(folder)
    add(storage, [Candidate("https://b.example/")], "command", round=1)
    write_settings(storage, {"crawl.pages": 7})
    write_label(storage, "first", "me", Label(1, "CC"))
    assert [seed.url for seed in read(storage)] == ["https://a.example/", "https://b.example/"]
    assert open_corpus(folder).config.crawl.pages == 7
    assert [label.id for label in read_labels(storage, "first", "me")] == [1]


def test_a_killed_process_leaves_the_lock_free(tmp_path):
    process = holder(tmp_path)
    with pytest.raises(HeldError), changing(Storage(tmp_path), "dedup"):
        pass
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with changing(Storage(tmp_path), "dedup"):
        pass


def test_within_a_thread_the_lock_is_taken_once_and_another_thread_is_refused(tmp_path):
    storage, refused = Storage(tmp_path), []

    def other():
        try:
            with changing(storage, "process"):
                pass
        except HeldError as error:
            refused.append(error.message)

    with changing(storage, "run"):
        with changing(storage, "dedup"):
            pass
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert f"`corpulyzer run` (process {os.getpid()})" in refused[0]
        command = [sys.executable, "-c", HOLDS.format("changing"), str(tmp_path)]
        inner = subprocess.run(command, input="", capture_output=True, text=True, check=False)
        assert "HeldError" in inner.stderr, "leaving an inner context does not free the lock"
    other()
    assert len(refused) == 1


def test_an_edit_waits_for_the_one_before_it(tmp_path):
    process = holder(tmp_path, "editing")
    begun, done = threading.Event(), threading.Event()

    def edit():
        begun.set()
        with editing(Storage(tmp_path), "seeds"):
            done.set()

    thread = threading.Thread(target=edit)
    thread.start()
    assert begun.wait(10) and not done.wait(0.3)
    process.communicate("")
    assert done.wait(30)
    thread.join()


def test_seeds_added_by_many_processes_at_once_are_all_there(tmp_path):
    create("eng", tmp_path / "c")
    code = """
import sys
from corpulyzer.web.seeds import Candidate, add
from corpulyzer.storage import Storage
for number in range(5):
    add(Storage(sys.argv[1]), [Candidate(f"https://{sys.argv[2]}.example/{number}")], "command", round=1)
"""
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "c"), name]) for name in ("a", "b", "c")
    ]
    assert [process.wait() for process in started] == [0, 0, 0]
    assert len(read(Storage(tmp_path / "c"))) == 15


def without_rights():
    """Take from a child of root the right to write where permissions forbid it (CAP_DAC_OVERRIDE)."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)


@pytest.mark.parametrize(
    "command", [["process"], ["seeds", "add", "https://a.example/"], ["export", "jsonl"]]
)
def test_a_folder_that_cannot_be_written_is_said_in_words(tmp_path, command):
    folder = tmp_path / "c"
    create("eng", folder)
    folder.chmod(0o555)
    line = [sys.executable, "-m", "corpulyzer", *command, "--project", str(folder)]
    try:
        done = subprocess.run(line, capture_output=True, text=True, check=False, preexec_fn=without_rights)
    finally:
        folder.chmod(0o755)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert f"{folder} cannot be changed: Permission denied." in done.stderr and "copy" in done.stderr


def test_a_folder_that_cannot_be_made_is_said_in_words(tmp_path):
    tmp_path.chmod(0o555)
    line = [sys.executable, "-m", "corpulyzer", "init", "urd", str(tmp_path / "c")]
    try:
        done = subprocess.run(line, capture_output=True, text=True, check=False, preexec_fn=without_rights)
    finally:
        tmp_path.chmod(0o755)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "Permission denied" in done.stderr and str(tmp_path / "c") in done.stderr


def test_status_of_a_folder_that_cannot_be_written_works(tmp_path):
    folder = tmp_path / "c"
    create("eng", folder)
    folder.chmod(0o555)
    line = [sys.executable, "-m", "corpulyzer", "status", "--json", "--project", str(folder)]
    try:
        done = subprocess.run(line, capture_output=True, text=True, check=False, preexec_fn=without_rights)
    finally:
        folder.chmod(0o755)
    assert done.returncode == 0 and json.loads(done.stdout)["kept"] == 0


@pytest.mark.parametrize("command", [["status"], ["search", "farmers"]])
def test_an_index_that_cannot_be_written_is_read(tmp_path, command):
    folder = tmp_path / "c"
    corpus = create("eng", folder)
    with index_of(corpus).writing():
        pass
    places = (folder, folder / "index")
    for place in places:
        place.chmod(0o555)
    line = [sys.executable, "-m", "corpulyzer", *command, "--project", str(folder)]
    try:
        done = subprocess.run(line, capture_output=True, text=True, check=False, preexec_fn=without_rights)
    finally:
        for place in places:
            place.chmod(0o755)
    assert done.returncode == 0, done.stderr


def test_a_corpus_in_an_object_store_has_no_lock():
    with changing(Storage("s3://bucket/c"), "process"):
        pass
