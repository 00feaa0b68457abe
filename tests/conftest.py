"""What tests share: where the shared data is, and corpora made once."""

import subprocess
import sys
import tarfile
import threading
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data(tmp_path_factory):
    """A function from the name of a shared data file or archive to its path, unpacked; skips where it is absent."""
    folder = tmp_path_factory.mktemp("shared")

    def get(name: str) -> Path:
        source = SHARED / name
        if not source.exists():
            pytest.skip(f"the shared data {name} is not here")
        if not name.endswith(".tar.gz"):
            return source
        target = folder / Path(name).name.removesuffix(".tar.gz")
        if not target.exists():
            with tarfile.open(source) as archive:
                archive.extractall(folder, filter="data")
        return target

    return get


@pytest.fixture(scope="session")
def peak_memory():
    """A function from a command to the largest sum of private memory that it and its workers held at once."""

    def measure(*arguments: str) -> int:
        command = [sys.executable, "-m", "corpulyzer", *arguments, "--quiet"]
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        peaks = [0]

        def watch() -> None:
            while run.poll() is None:
                try:
                    me = psutil.Process(run.pid)
                    peaks.append(sum(p.memory_full_info().uss for p in (me, *me.children(recursive=True))))
                except psutil.Error:
                    continue
                time.sleep(0.02)  # the peak is short: files are completed at the end

        watcher = threading.Thread(target=watch)
        watcher.start()
        assert run.wait() == 0
        watcher.join()
        return max(peaks)

    return measure


def pytest_terminal_summary(terminalreporter):
    """List what was not tested, by reason, so that nothing is skipped unawares."""
    reasons = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", ()))
    if reasons:
        terminalreporter.section("absent, and therefore not tested")
        for reason, count in sorted(reasons.items()):
            terminalreporter.write_line(f"{count:5}  {reason}")


def _reason(report):
    words = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return words.removeprefix("Skipped: ")
