"""A row that hangs, crashes, raises or eats memory costs itself, and nothing else."""

import os
import signal
import threading
import time
from pathlib import Path

import pyarrow as pa
import pytest
from processes import processes_below, wait_for
from row_steps import PAGES, Echo, Encode, Forgets, LongRow, Patient, Prepared, rows

from corpulyzer.engine import Limits, Map, StepError
from corpulyzer.engine.guarded import Guarded

LIMITS = Limits(page_seconds=0.3, page_megabytes=200)
BY_THE_CLOCK = "took more than 3 s by the clock"
"""What is said of a row that gets so little of a busy machine that its time passes before it is used up."""


def run(step: Map, *deeds: str, limits: Limits = LIMITS) -> list[str]:
    """What the step says of rows with these deeds, one batch."""
    with Guarded(step, limits) as guarded:
        parts = [part["pages"] for part in guarded(rows(*deeds).to_batches()[0])]
    table = pa.Table.from_batches(parts, PAGES)
    assert table.column("id").to_pylist() == list(range(len(deeds)))
    return table.column("said").to_pylist()


@pytest.mark.parametrize(
    ("deed", "why"),
    [
        ("loop", "took more than 0.3 s"),
        ("crash", "crashed: SIGSEGV"),
        ("abort", "crashed: SIGABRT"),
        ("exit", "crashed: exit code 7"),
        ("eat 400", "needed more than 200 MB"),
        ("raise it", "ValueError: cannot read it"),
    ],
)
def test_a_bad_row_fails_alone_and_says_why(deed: str, why: str) -> None:
    said = [
        words.replace(BY_THE_CLOCK, "took more than 0.3 s")
        for words in run(Echo(), "first", "second", deed, "last")
    ]
    assert said == ["did: first", "did: second", f"failed ({why}): {deed}", "did: last"]


def test_many_bad_rows_in_one_batch_cost_themselves_alone() -> None:
    bad = {3: "loop", 4: "crash", 5: "eat 400", 50: "raise it", 51: "abort", 98: "loop", 99: "crash"}
    said = run(Echo(), *(bad.get(number, "well") for number in range(100)))
    assert {number for number, words in enumerate(said) if words.startswith("failed")} == set(bad)


def test_rows_that_are_all_bad_all_say_why() -> None:
    assert run(Echo(), *["crash"] * 5) == ["failed (crashed: SIGSEGV): crash"] * 5


def test_several_outputs_keep_the_order_of_their_rows_around_a_bad_one() -> None:
    with Guarded(Echo(), LIMITS) as guarded:
        parts = list(guarded(rows("a b", "crash", "c d").to_batches()[0]))
    words = pa.Table.from_batches([part["words"] for part in parts])
    assert words.column("word").to_pylist() == ["a", "b", "crash", "c", "d"]


def test_a_row_killed_once_from_outside_is_not_lost(tmp_path: Path) -> None:
    deed = f"die-once {tmp_path / 'died'}"
    assert run(Echo(), "a", deed, "b") == ["did: a", f"did: {deed}", "did: b"]


def test_a_row_within_its_memory_is_done_however_many_came_before() -> None:
    patient = Limits(page_seconds=30, page_megabytes=200)
    assert run(Echo(), *["eat 120"] * 20, limits=patient) == ["did: eat 120"] * 20


def test_a_row_that_sleeps_is_ended_by_the_clock() -> None:
    limits = Limits(page_seconds=0.2)
    assert run(Echo(), "sleep 60", limits=limits) == ["failed (took more than 2 s by the clock): sleep 60"]


def test_a_row_that_waits_is_not_blamed_for_time_that_it_did_not_use() -> None:
    assert run(Echo(), "sleep 0.6", limits=Limits(page_seconds=0.5)) == ["did: sleep 0.6"]


def test_a_long_row_that_gets_on_is_not_ended() -> None:
    step = LongRow(parts=6, part_seconds=0.1)
    assert run(step, "archive") == ["whole"]
    assert run(LongRow(parts=1, part_seconds=3600), "archive")[0] in ("took more than 0.3 s", BY_THE_CLOCK)


def test_a_row_that_breaks_the_building_of_the_batch_is_found() -> None:
    said = run(Encode(), *("surrogate" if number == 30 else "well" for number in range(100)))
    assert said[30].startswith("UnicodeEncodeError: 'utf-8' codec can't encode")
    assert said[:30] + said[31:] == ["well"] * 99


def test_outputs_are_bound_by_name_and_cast_to_the_declared_types() -> None:
    with Guarded(Encode(), LIMITS) as guarded:
        assert guarded(rows("a").to_batches()[0])[0]["pages"].schema == PAGES


def test_a_step_that_forgets_a_column_ends_the_run() -> None:
    with pytest.raises(StepError, match="output 'pages' of Forgets has no column said"):
        run(Forgets(), "a")


def test_a_step_that_cannot_even_fail_ends_the_run() -> None:
    with pytest.raises(StepError, match=r"Echo.failed did not work: RuntimeError: cannot even fail"):
        run(Echo(), "raise stubborn")


def test_what_a_step_prepares_is_loaded_once_and_shared_by_all_children() -> None:
    said = run(Prepared(200), "a", "crash", "b", limits=Limits(page_seconds=1, page_megabytes=100))
    assert said == ["prepared once", "crashed: SIGSEGV", "prepared once"]


def test_prints_of_a_step_do_not_disturb_its_outputs() -> None:
    assert run(Echo(), "print", "b") == ["did: print", "did: b"]


def run_and_kill(which: int, *deeds: str) -> tuple[list[str], int]:
    """What is said of rows when the guard (0) or its child (1) is killed meanwhile, and the child that was."""
    before, seen = set(processes_below(os.getpid())), []

    def kill() -> None:
        def both() -> bool:
            seen[:] = [pid for pid in processes_below(os.getpid()) if pid not in before]
            return len(seen) == 2

        wait_for(both)
        os.kill(seen[which], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    said = run(Echo(), *deeds)
    thread.join()
    return said, seen[1]


def test_a_guard_killed_from_outside_is_replaced_and_its_child_is_gone() -> None:
    said, child = run_and_kill(0, "a", "sleep 2", "b")
    assert said == ["did: a", "did: sleep 2", "did: b"]
    wait_for(lambda: not Path(f"/proc/{child}").exists())


def test_a_child_killed_from_outside_costs_no_row() -> None:
    said, child = run_and_kill(1, "a", "sleep 2", "b")
    assert said == ["did: a", "did: sleep 2", "did: b"]
    assert not Path(f"/proc/{child}").exists()


def test_nothing_lives_on_when_the_guard_is_closed() -> None:
    before = set(processes_below(os.getpid()))
    guarded = Guarded(Echo(), Limits())
    thread = threading.Thread(target=lambda: guarded.close() if time.sleep(1.5) is None else None)
    thread.start()
    with pytest.raises(StepError):
        guarded(rows("loop").to_batches()[0])
    thread.join()
    wait_for(lambda: set(processes_below(os.getpid())) <= before)


def test_another_step_runs_in_the_same_process() -> None:
    others = set(processes_below(os.getpid()))
    batch = rows("a", "crash").to_batches()[0]
    with Guarded(Encode(), LIMITS) as guarded:
        assert guarded(batch)[0].keys() == Encode().outputs.keys()
        guard = min(set(processes_below(os.getpid())) - others)
        guarded.take(Echo())
        said = [word for part in guarded(batch) for word in part["pages"].column("said").to_pylist()]
        assert said == ["did: a", "failed (crashed: SIGSEGV): crash"]
        assert guard in processes_below(os.getpid())


def test_a_step_may_ask_for_more_than_a_page_may_take() -> None:
    assert run(Patient(parts=1, part_seconds=0.6), "archive") == ["whole"]


def test_a_guard_that_was_closed_starts_nothing() -> None:
    before = set(processes_below(os.getpid()))
    guarded = Guarded(Echo(), LIMITS)
    guarded.close()
    with pytest.raises(StepError, match="were ended"):
        guarded(rows("a").to_batches()[0])
    assert set(processes_below(os.getpid())) <= before
