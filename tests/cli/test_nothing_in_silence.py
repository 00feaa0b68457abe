"""A command that keeps nothing, or cannot do what was asked, says so in words, also when quiet."""

import json
import sys
from pathlib import Path

import pytest
from lasting import engine_of
from typer.testing import CliRunner

sys.path.append(str(Path(__file__).parents[1] / "web" / "seeds"))
from local_services import Reply, serve

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.cli import app
from corpulyzer.errors import UserError
from corpulyzer.web.seeds import read

ENGLISH = (
    "The farmers of the valley bring their wheat to the market in the morning, and the people who live by "
    "the river come to see what the harvest of the year has given to them. Nobody in the village remembers "
    "a summer as dry as this one, when the wheat stood so low that children could look over the whole field."
)
SWISS = (
    "De Bueb isch hüt is Dorf gange und het dert sini Grossmueter gseh, wo uf em Bänkli vor em Huus gsässe "
    "isch und Erdöpfel gschellt het. Är het ere ghulfe und si hei lang mitenand gredt über früecher, wo "
    "no kei Strass dür ds Tal gange isch und me im Winter het müesse z Fuess übere Bärg."
)


def run(*arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments])


def jsonl(folder, *texts):
    (folder / "in.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in texts))
    return folder / "in.jsonl"


def test_a_language_that_no_identifier_knows_is_warned_of_with_the_command_that_trains_one(tmp_path):
    done = run("init", "gsw", tmp_path / "c", "--quiet")
    assert done.exit_code == 0
    assert "No identifier here knows Swiss German (gsw)" in done.stderr
    assert f"corpulyzer identify train gsw SENTENCES.txt --project {tmp_path / 'c'}" in done.stderr
    assert "No identifier" not in run("init", "urd", tmp_path / "d").stderr


def test_a_language_that_only_another_identifier_knows_is_warned_of_with_its_name(tmp_path):
    warned = run("init", "urd", tmp_path / "c", "--preset", "hrwac", "--quiet").stderr
    assert "The identifier markov does not know Urdu (urd)" in warned
    assert 'identify.method = "ensemble"' in warned
    assert not run("init", "slv", tmp_path / "d", "--preset", "hrwac", "--quiet").stderr


def test_pages_of_such_a_language_are_not_dropped_in_silence(tmp_path):
    run("init", "gsw", tmp_path / "c", "--quiet")
    done = run("import", jsonl(tmp_path, SWISS), "--quiet", "--project", tmp_path / "c")
    assert done.exit_code == 0
    assert "Nothing was kept of 1 page: content_size 1." in done.stderr
    assert "corpulyzer identify train gsw" in done.stderr


def test_what_is_not_imported_is_named_also_when_quiet_and_nothing_at_all_is_a_failure(tmp_path, monkeypatch):
    monkeypatch.setattr("corpulyzer.corpus.indexing.PAUSE_SECONDS", (0.0, 0.0))
    monkeypatch.setenv("CORPULYZER_ENGINE_WORKERS", "1")
    run("init", "urd", tmp_path / "c", "--quiet")
    jsonl(tmp_path, ENGLISH)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    done = run(
        "import", tmp_path / "in.jsonl", tmp_path / "picture.png", "--quiet", "--project", tmp_path / "c"
    )
    assert done.exit_code == 0
    assert f"not imported: {tmp_path / 'picture.png'}" in done.stderr
    with serve(lambda _asked: Reply(404)) as server:
        (tmp_path / "list").write_text(f"{server.url}/1.warc.gz\n")
        done = run("import", "--paths", tmp_path / "list", "--quiet", "--project", tmp_path / "c")
    assert done.exit_code == 1
    assert f"not imported: {server.url}/1.warc.gz" in done.stderr


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """A corpus of which every page was too short."""
    folder = tmp_path_factory.mktemp("short")
    create("eng", folder / "c")
    corpus = open_corpus(folder / "c")
    engine = engine_of(corpus)
    corpus.import_(str(jsonl(folder, "Too short.", "This too.")), engine=engine)
    return folder / "c"


@pytest.mark.parametrize(
    "command",
    [["process"], ["dedup", "--level", "document"], ["export", "jsonl"], ["status"]],
    ids=lambda c: c[0],
)
def test_a_command_that_keeps_nothing_says_so_even_if_quiet(short, command):
    done = run(*command, "--quiet", "--project", short)
    assert done.exit_code == 0
    assert "Nothing was kept of 2 pages" in done.stderr or "Nothing was exported" in done.stderr
    assert f"{short}" in done.stderr, "with the next step"


@pytest.mark.parametrize("preset", ["default", "corpulyzer", "hrwac", "isixhosa", "c4corpus"])
def test_text_without_a_type_is_judged_by_what_it_says_under_every_preset(tmp_path, preset):
    create("eng", tmp_path / "c", preset)
    corpus = open_corpus(tmp_path / "c", {"engine.workers": 1})
    (tmp_path / "page.txt").write_text(ENGLISH * 2)
    engine = engine_of(corpus)
    corpus.import_(str(jsonl(tmp_path, ENGLISH)), str(tmp_path / "page.txt"), engine=engine)
    assert [document.verdict.reason for document in corpus.documents] == ["", ""]


def test_a_host_is_taken_for_an_address_of_https(tmp_path):
    create("eng", tmp_path / "c")
    done = run("seeds", "add", "example.com", "b.example:8080/x", "mailto:a@b.example", "-p", tmp_path / "c")
    assert "2 had no scheme and are taken as https, such as https://example.com" in done.stdout
    (tmp_path / "seeds.txt").write_text("c.example/news?id=1\nhttp://d.example/\nnonsense\n")
    told = json.loads(run("seeds", "file", tmp_path / "seeds.txt", "--json", "-p", tmp_path / "c").stdout)
    assert told["completed"] == ["c.example/news?id=1"] and told["refused"] == {"nonsense": "invalid"}
    assert [seed.url for seed in read(open_corpus(tmp_path / "c").storage)] == [
        "https://example.com/",
        "https://b.example:8080/x",
        "https://c.example/news?id=1",
        "http://d.example/",
    ]


@pytest.mark.parametrize(
    "setting, words",
    [
        ('[extract]\nmethod = "foo"', "extract.method: There is no extractor 'foo'"),
        ('[filter]\ndocument = ["foo"]', "filter.document: There is no filter 'foo'"),
        ('[identify]\nmethod = "foo"', "identify.method: There is no identifier 'foo'"),
        ('[frontier]\nstrategy = "foo"', "frontier.strategy = 'foo' is not possible"),
    ],
)
def test_a_name_that_is_none_is_told_with_its_line(tmp_path, setting, words):
    (tmp_path / "corpulyzer.toml").write_text(f'[corpus]\nlanguage = "eng"\n{setting}\n')
    with pytest.raises(UserError, match=r"corpulyzer\.toml, line 4") as told:
        open_corpus(tmp_path)
    assert words in told.value.message and told.value.hint


def test_what_a_worker_finds_missing_is_told_in_words(tmp_path):
    create("eng", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {"engine.workers": 1, "identify.model": "nowhere.bin"})
    engine = engine_of(corpus)
    with pytest.raises(UserError, match=r"There is no model nowhere\.bin"):
        corpus.import_(str(jsonl(tmp_path, ENGLISH)), engine=engine)


@pytest.mark.parametrize(
    "command",
    [
        ["search", "x", "--width"],
        ["search", "x", "--limit"],
        ["audit", "sample", "--size"],
        ["seeds", "ranks", "x", "--limit"],
    ],
    ids=" ".join,
)
def test_numbers_beyond_all_bounds_are_wrong_usage(short, command):
    for number in ("99999999999999999999", "-1", "many"):
        done = run(*command, number, "--project", short)
        assert done.exit_code == 2 and "Invalid value" in done.stderr, number


@pytest.mark.parametrize(
    "command", [["demo"], ["compare", "a", "b", "--out"], ["annotate", "train", "x", "--to"]]
)
def test_what_is_written_to_this_machine_is_never_a_folder_named_after_a_scheme(
    tmp_path, monkeypatch, command
):
    monkeypatch.chdir(tmp_path)
    done = run(*command, "s3://bucket/x")
    assert isinstance(done.exception, UserError) and "not on this machine" in done.exception.message
    assert list(tmp_path.iterdir()) == []
