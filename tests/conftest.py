"""What tests share: where the shared data is, and corpora made once."""

import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

sys.path += [str(Path(__file__).parent / room) for room in ("engine", "cli", "interface")]
SHARED = Path(__file__).parent.parent.parent / "shared" / "data"
# Tests that need one of these run in one process, which has one of it.
GROUPS = {"sparks": "spark", "object_store": "spark", "browser": "browser"}
LONG_NAME = 40
# What takes longest begins first, so that no process waits for another at the end.
FIRST = (
    "spark",
    "browser",
    "tests/jobs/crawl/test_crawl.py",
    "tests/test_docs.py",
    "tests/jobs/test_remove.py",
    "tests/page/test_hostile_pages.py",
    "tests/page/identify/test_floors.py",
    "tests/lab/experiment/test_floors.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    sizes = "only tests of endurance, and those that are larger with it"
    parser.addoption("--endurance", choices=("short", "full"), help=sizes)
    order = "files and their tests in a random order, that of the seed"
    parser.addoption("--shuffle", metavar="SEED", help=order)
    costs = "append what each test took: CPU seconds, seconds, name"
    parser.addoption("--cpu-log", metavar="FILE", help=costs)


def pytest_configure(config: pytest.Config) -> None:
    """Properties are tried on the same examples each time, so that a failure is one of the change; endurance seeks new ones."""
    never_late = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
    settings.register_profile("none", derandomize=True, **never_late)
    settings.register_profile("short", max_examples=300, **never_late)
    settings.register_profile("full", max_examples=2_000, **never_late)
    settings.load_profile(config.getoption("endurance") or "none")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell starts what runs in the background so, and every command that a test interrupts would go on.
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header(config: pytest.Config) -> str | None:
    seed = config.getoption("shuffle")
    return seed and f"order: --shuffle {seed}"


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the markers that name the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep tests of a group, else of a file, together: they go to one process. Clusters come last in theirs."""
    left_out = [item for item in items if not wanted(config, item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if wanted(config, item)]
    order = {item: str(number).zfill(9) for number, item in enumerate(items)}

    def place(item: pytest.Item) -> tuple[int, bool, str, str, str]:
        group, (file, _, name) = group_of(item), item.nodeid.partition("::")
        first = FIRST.index(group) if group in FIRST else len(FIRST)
        last = "cluster" in getattr(item, "fixturenames", ())
        if not seed:
            return first, last, "", "", order[item]
        return first, last, shuffled(group), shuffled(file), shuffled(name)

    def shuffled(name: str) -> str:
        return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()

    seed = config.getoption("shuffle")
    items.sort(key=place)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Long values are named by their argument: noise and files with a time in them differ between processes."""
    return argname if isinstance(val, bytes | str) and len(val) > LONG_NAME else None


def wanted(config: pytest.Config, item: pytest.Item) -> bool:
    """Whether a test belongs to this run: endurance has tests of its own, those that grow with it, and properties."""
    if config.getoption("endurance"):
        larger = any(item.get_closest_marker(name) for name in ("endurance", "scaled"))
        return larger or is_hypothesis_test(getattr(item, "obj", None))
    return item.get_closest_marker("endurance") is None


def group_of(item: pytest.Item) -> str:
    """The group of a test, which pytest-xdist learns by a marker."""
    marker = item.get_closest_marker("xdist_group")
    if marker is not None:
        return marker.args[0]
    names = [GROUPS[name] for name in getattr(item, "fixturenames", ()) if name in GROUPS]
    group = min(names, default=item.nodeid.partition("::")[0])
    item.add_marker(pytest.mark.xdist_group(group))
    return group


def pytest_collection_finish(session: pytest.Session) -> None:
    """Stop where groups are lost: every process would start Spark and a browser, and make each corpus."""
    lost = [item.nodeid for item in session.items if "@" not in item.nodeid]
    if session.config.getoption("loadgroup", False) and lost:
        raise pytest.UsageError(
            f"pytest-xdist does not know the group of {lost[0]}: run `pip install -e '.[dev]'`"
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note the CPU time of each test with its fixtures and processes: on a busy machine seconds tell little."""
    log = item.config.getoption("cpu_log")
    if log is None:
        return (yield)
    cpu, begun = cpu_seconds(), time.monotonic()
    try:
        return (yield)
    finally:
        with open(log, "a") as lines:
            lines.write(f"{cpu_seconds() - cpu:9.2f} {time.monotonic() - begun:9.2f} {item.nodeid}\n")


def cpu_seconds() -> float:
    """What this process, the children that it waited for and all that still run below it have used."""
    total = sum(os.times()[:4])
    for process in psutil.Process().children(recursive=True):
        try:
            total += sum(process.cpu_times()[:4])
        except psutil.Error:
            continue
    return total


@pytest.fixture(scope="session")
def scale(pytestconfig):
    """A function that takes the size for `make test`, for `make endurance SHORT=1`, and for `make endurance`."""
    chosen = ("none", "short", "full").index(pytestconfig.getoption("endurance") or "none")
    return lambda *sizes: sizes[chosen]


@pytest.fixture(scope="session", autouse=True)
def end_of_the_lasting_engine():
    """End the workers that tests have handed on to each other (`engine_of`)."""
    yield
    if "lasting" in sys.modules:
        sys.modules["lasting"].end_engine()


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """A function from a name and a maker to a folder that the maker has filled once for all processes of the run."""
    own = tmp_path_factory.getbasetemp()
    root = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def get(name: str, make: Callable[[Path], object]) -> Path:
        target = root / "made-once" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.with_name(f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not target.exists():
                work = tmp_path_factory.mktemp("making")
                make(work)
                work.rename(target)
        return target

    return get


@pytest.fixture(scope="session")
def shared_data(made_once):
    """A function from the name of a shared data file or archive to its path, unpacked; skips where it is absent."""

    def get(name: str) -> Path:
        source = SHARED / name
        if not source.exists():
            pytest.skip(f"the shared data {name} is not here")
        if not name.endswith(".tar.gz"):
            return source
        whole = Path(name).name.removesuffix(".tar.gz")
        return made_once(whole, lambda folder: unpack(source, folder)) / whole

    return get


def unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")


@pytest.fixture(scope="session")
def engine():
    """An engine with one worker, which stays: to start one costs a second of processor time."""
    from corpulyzer.engine.local import LocalEngine

    with LocalEngine(workers=1) as engine:
        yield engine


@pytest.fixture(scope="session")
def object_store(tmp_path_factory):
    """The environment that leads to a local S3 server, one for all tests of the process."""
    from s3_server import s3_server

    with s3_server(tmp_path_factory.mktemp("s3") / "requests.log") as variables:
        yield variables


@pytest.fixture(scope="session")
def sparks(object_store, tmp_path_factory):
    """The Spark of this process; ask for `spark` or `cluster`."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    from sparks import Sparks

    made = Sparks(tmp_path_factory.mktemp("spark"), object_store)
    yield made
    made.close()


@pytest.fixture
def spark(sparks):
    """An engine on the Spark session of this process."""
    from corpulyzer.engine.spark import SparkEngine

    sparks.use_this_machine()
    with SparkEngine("local[2]") as engine:
        yield engine


@pytest.fixture
def cluster(sparks):
    """A standalone cluster of two workers, to which every Spark engine of the process belongs now."""
    return sparks.use_cluster()


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
