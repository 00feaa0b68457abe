"""Who holds a corpus can be asked without disturbing them."""

import subprocess
import sys
import threading

from corpulyzer.storage import Storage
from corpulyzer.storage.lock import CHANGE, WORK, changing, holder, working

HOLD = """
import sys
from corpulyzer.storage import Storage
from corpulyzer.storage.lock import changing
with changing(Storage(sys.argv[1]), "dedup"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_nobody_holds_a_folder_that_was_never_changed(tmp_path):
    assert holder(Storage(tmp_path)) is None


def test_this_process_is_named_and_keeps_its_lock_when_it_is_asked(tmp_path):
    storage = Storage(tmp_path)
    with working(storage, "crawl"):
        assert holder(storage, WORK)["command"] == "crawl"
        found = []
        thread = threading.Thread(target=lambda: found.append(holder(storage, WORK)))
        thread.start()
        thread.join()
        assert found[0]["command"] == "crawl"
        assert holder(storage, CHANGE) is None
    assert holder(storage, WORK) is None


def test_another_process_is_named_until_it_is_killed(tmp_path):
    storage = Storage(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"held\n"
        found = holder(storage)
        assert (found["command"], found["pid"]) == ("dedup", process.pid)
        process.kill()
        process.wait()
    assert holder(storage) is None, "what the file says is no longer true"
    with changing(storage, "report"):
        assert holder(storage)["command"] == "report"
