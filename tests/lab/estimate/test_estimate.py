"""What a corpus would cost: units from two sizes, the model on them, and the command."""

import json
from dataclasses import replace

import pytest
from command_line import attempt

import corpulyzer
from corpulyzer.corpus.settings.config import Config
from corpulyzer.corpus.settings.estimate import EstimateTable
from corpulyzer.errors import UserError
from corpulyzer.lab import estimate as lab
from corpulyzer.lab.estimate.model import AT_START, BY_PART, BY_SHARD, cost_of, estimates
from corpulyzer.lab.estimate.pages import cut, write_pages
from corpulyzer.lab.estimate.trial import FITS, Trial
from corpulyzer.lab.estimate.units import Step, Usage, fitted, read_units, write_units
from corpulyzer.warc.index import index

STEPS = ("dedup", FITS, "export")


def taken(way, first, pages, *, start=2.0, each=0.01):
    """What a trial tells whose steps take so much at their start and for each page."""
    usage = Usage(start + each * pages, 1000 * pages, 50 * pages, 300 * pages)
    return [Step(way, name, pages, usage, 10 * (name == "crawl"), pages // 2) for name in (first, *STEPS)]


@pytest.fixture
def units():
    runs = [
        ("batch", "import", 100),
        ("crawl", "crawl", 100),
        ("batch", "import", 500),
        ("crawl", "crawl", 500),
    ]
    return fitted([step for run in runs for step in taken(*run)], [FITS], 20_000)


def config(**settings):
    return Config(estimate=EstimateTable(**settings))


def test_two_sizes_tell_the_start_of_a_step_from_its_pages(units):
    first = units["batch"][0]
    assert (first.name, first.start.cpu_seconds) == ("import", pytest.approx(2.0))
    assert first.page == Usage(pytest.approx(0.01), 1000, 50, 300)
    assert [unit.name for unit in units["crawl"]] == ["crawl", *STEPS]


def test_noise_makes_no_cost_negative():
    few, many = (Step("batch", "report", pages, Usage(spent)) for pages, spent in ((100, 5.0), (500, 4.0)))
    (unit,) = fitted([few, many], [], 1)["batch"]
    assert (unit.start.cpu_seconds, unit.page.cpu_seconds) == (5.0, 0.0)


def test_what_takes_a_sample_costs_no_more_above_it(units):
    fits = next(unit for unit in units["batch"] if unit.name == FITS)
    at_most = fits.of(200_000)  # one page in two is kept, and topics take a tenth of the documents
    assert fits.of(20_000).cpu_seconds < at_most.cpu_seconds == fits.of(10**9).cpu_seconds
    assert fits.of(500).cpu_seconds == pytest.approx(7.0), "what the larger trial took"
    assert cost_of(fits, 10**9, 25, config()).requests.reads < 10_000


@pytest.mark.parametrize("sample", [1_000, 2_000, 20_000, 100_000])
def test_what_a_project_samples_changes_what_fits_cost_and_not_what_trials_took(sample):
    trials = [
        Step("crawl", FITS, pages, Usage(0.001 * lab.units.taken(kept, 20_000)), 0, kept)
        for pages, kept in ((2_000, 1_209), (8_000, 4_837))
    ]
    (unit,) = fitted(trials, [FITS], sample)["crawl"]
    taken_then = 0.001 * lab.units.taken(10**6 * 4_837 / 8_000, sample)
    assert unit.of(10**6).cpu_seconds == pytest.approx(taken_then)


def test_a_step_that_worked_on_as_much_twice_costs_no_more_for_more():
    trials = [Step("batch", FITS, pages, Usage(5.0), 0, 0) for pages in (100, 500)]
    assert fitted(trials, [FITS], 1)["batch"][0].of(10**9).cpu_seconds == 5.0


def test_a_crawl_pays_for_each_of_its_rounds(units):
    crawl = units["crawl"][0]
    assert crawl.of(20_000).cpu_seconds == pytest.approx(202)  # the ten rounds of the trial
    assert crawl.of(200_000).cpu_seconds == pytest.approx(2020)


def test_dollars_follow_prices_and_spark_costs_more(units):
    unit, free = units["batch"][0], {name: 0.0 for name in EstimateTable.__slots__ if "dollars" in name}
    assert cost_of(unit, 10**6, 25, config(**free)).dollars == 0
    cpu = replace(config(**{**free, "core_hour_dollars": 0.36}).estimate, busy=0.5, cores=10)
    one = cost_of(unit, 10**6, 25, Config(estimate=cpu))
    assert one.dollars == pytest.approx(10_002 / 0.5 * 0.0001) and one.hours == pytest.approx(10_002 / 18_000)
    kept = cost_of(unit, 10**6, 25, config(**{**free, "gigabyte_month_dollars": 1.0, "months": 2.0}))
    assert kept.dollars == pytest.approx(0.6)
    many = cost_of(unit, 10**6, 25, Config(estimate=replace(cpu, local_pages=1000, spark_factor=2.0)))
    assert many.usage.cpu_seconds == pytest.approx(2 * one.usage.cpu_seconds)
    assert many.usage.read_bytes == one.usage.read_bytes


def test_requests_follow_the_archives(units):
    few, many = (
        estimates(units, [pages], config())[0].steps["import"].requests for pages in (40_000, 400_000)
    )
    more = BY_PART["import"].writes * 9 + 300 * 360_000 / (8 << 20)
    assert many.writes - few.writes == pytest.approx(more)
    crawled = estimates(units, [40_000], config())[1].steps["dedup"].requests  # in 20 rounds
    assert crawled.reads > AT_START["dedup"].reads + 20 * BY_PART["dedup"].reads
    assert (
        set(AT_START)
        == set(BY_PART)
        == {"import", "crawl", "dedup", "analyze: counts", FITS, "report", "export"}
    )


def test_a_crawl_asks_in_each_round_and_in_each_second(units):
    slow, fast = (estimates(units, [40_000], config(pages_per_second=each))[1] for each in (1.0, 1000.0))
    seconds, asked = 40_000 - 40, (slow.steps["crawl"].requests, fast.steps["crawl"].requests)
    assert asked[0].writes - asked[1].writes == pytest.approx(seconds * (0.5 + 4 * 0.7))
    assert asked[1].reads > 20 * BY_PART["crawl"].reads
    assert slow.steps["crawl"].hours == pytest.approx(40_000 / 3600)
    more = estimates(units, [40_000], config(pages_per_second=1000.0, fetchers=8))[1].steps["crawl"].requests
    assert more.writes - asked[1].writes == pytest.approx(20 * 4 * BY_SHARD.writes + 40 * 4 * 0.7)
    batch = (estimates(units, [40_000], config(pages_per_second=each))[0].total for each in (1.0, 1000.0))
    assert next(batch) == next(batch)


def test_the_whole_is_the_sum_of_its_steps(units):
    found = estimates(units, [10**6, 10**9], config())
    assert [(each.way, each.engine) for each in found] == [
        ("batch", "local"), ("crawl", "local"), ("batch", "spark"), ("crawl", "spark")
    ]  # fmt: skip
    for each in found:
        assert each.total.dollars == pytest.approx(sum(cost.dollars for cost in each.steps.values()))


def test_units_are_kept_and_others_refused(units, tmp_path):
    write_units(tmp_path / "units.json", units)
    assert read_units(tmp_path / "units.json") == units
    (tmp_path / "other.json").write_text('{"batch": []}')
    with pytest.raises(UserError, match="no unit costs"):
        read_units(tmp_path / "other.json")


def test_what_was_measured_once_is_not_measured_again(tmp_path, monkeypatch):
    runs, heard = [], []

    def run(way, first):
        return lambda pages, *_: runs.append((way, pages)) or taken(way, first, pages)

    monkeypatch.setattr(lab, "batch", run("batch", "import"))
    monkeypatch.setattr(lab, "crawl", run("crawl", "crawl"))
    first, again = (
        corpulyzer.estimate(10**6, units=tmp_path / "units.json", progress=lambda *told: heard.append(told))
        for _ in range(2)
    )
    assert runs == [(way, size) for way, sizes in lab.TRIALS.items() for size in sizes]
    assert heard[-1] == ("runs", 4, 4) and first == again
    assert first.estimates[0].total.usage.cpu_seconds > 30_000  # import, dedup and export of a million


def test_the_command_and_python_tell_the_same(units, tmp_path):
    write_units(file := tmp_path / "units.json", units)
    (tmp_path / "corpulyzer.toml").write_text("[estimate]\ncore_hour_dollars = 3.6\n")
    told = attempt("estimate", "1000", "2000000", "--units", file, "--project", tmp_path, "--json")
    found = corpulyzer.estimate(1000, 2_000_000, project=tmp_path, units=file)
    assert json.loads(told.stdout) == json.loads(json.dumps(found.to_json()))
    assert found.config.estimate.core_hour_dollars == 3.6 and len(found.estimates) == 4
    shown = attempt("estimate", "--units", file, "--steps")
    assert shown.returncode == 0 and "1,000,000,000" in shown.stdout and "June 2026" in shown.stdout
    assert shown.stdout.count(FITS) == 6


def test_a_size_that_is_none_and_a_file_that_is_none_are_errors_of_the_user(units, tmp_path):
    write_units(file := tmp_path / "units.json", units)
    with pytest.raises(UserError, match="a page at least"):
        corpulyzer.estimate(0, units=file)
    assert attempt("estimate", "0", "--units", file).returncode == 2
    (tmp_path / "broken.json").write_text("{")
    failed = attempt("estimate", "--units", tmp_path / "broken.json")
    assert failed.returncode == 1 and "no unit costs" in failed.stderr
    (tmp_path / "other.json").write_text(file.read_text("utf-8").replace("export", "expotr"))
    for wrong in (["--units", tmp_path / "other.json"], ["--archive", tmp_path / "none.warc.gz"]):
        assert attempt("estimate", *wrong).returncode == 1
    assert attempt("estimate", "--units", tmp_path / "no folder" / "units.json").returncode == 1
    for text in (
        '{"batch": [], "crawl": []}',
        file.read_text("utf-8").replace('"rounds": 0', '"rounds": 1e400'),
    ):
        (tmp_path / "other.json").write_text(text)
        assert attempt("estimate", "--units", tmp_path / "other.json").returncode == 1
    for archive in (tmp_path, file):
        assert attempt("estimate", "--archive", archive, "--units", file).returncode == 1


def test_an_archive_has_the_pages_that_are_asked_for(tmp_path):
    write_pages(whole := tmp_path / "whole.warc.gz", 12)
    assert sum(entry.kind == "response" for entry in index(str(whole))) == 12
    assert cut(whole, few := tmp_path / "few.warc.gz", 5) == 5
    assert whole.read_bytes().startswith(few.read_bytes()) and len(list(index(str(few)))) == 5
    assert cut(whole, few, 99) == 12 and few.read_bytes() == whole.read_bytes()


def test_trials_of_an_archive_are_of_a_fifth_of_it_and_of_all(tmp_path, monkeypatch):
    write_pages(archive := tmp_path / "own.warc.gz", 60)
    runs = []
    for way in ("batch", "crawl"):
        monkeypatch.setattr(lab, way, lambda pages, *_, way=way: runs.append((way, pages)) or [])
    with pytest.raises(UserError, match="has 60 pages"):
        lab.measured(config(), archive)
    monkeypatch.setattr(lab, "FEWEST", 50)
    lab.measured(config(), archive)
    assert runs[:2] == [("batch", 12), ("batch", 60)] and len(runs) == 4


def test_a_trial_tells_time_and_bytes_of_a_step(tmp_path, capsys):
    (tmp_path / "before").write_bytes(bytes(1000))

    def work():
        sum(range(2_000_000))
        (tmp_path / "stays").write_bytes(bytes(50_000))
        (tmp_path / "goes").write_bytes(bytes(70_000))
        (tmp_path / "goes").unlink()
        (tmp_path / "stays").read_bytes()

    Trial(tmp_path, 10, "batch").measure("import", work)
    told = json.loads(capsys.readouterr().out)
    assert told["usage"]["cpu_seconds"] > 0.005 and told["usage"]["kept_bytes"] == 50_000
    assert 70_000 <= told["usage"]["passed_bytes"] < 80_000 <= told["usage"]["read_bytes"] + 50_000


def test_an_archive_that_is_none_is_refused(tmp_path):
    (tmp_path / "no.warc.gz").write_bytes(b"this is no archive")
    with pytest.raises(UserError, match=r"pages|archive"):
        lab.batch(5, tmp_path / "no.warc.gz")


@pytest.mark.slow
def test_every_step_of_a_batch_is_measured():
    steps = lab.batch(30)
    assert [step.name for step in steps] == ["import", "dedup", "analyze: counts", FITS, "report", "export"]
    assert all(step.usage.cpu_seconds > 0 and step.pages == 30 for step in steps)
    assert steps[0].usage.kept_bytes > 10_000
