"""Plug-ins at work: in workers, in the funnel, in exports, among the seeds and in the report."""

import json
import shutil
from pathlib import Path

import pytest
from own_corpus import PAGES, RULES, folder_with, with_pages
from typer.testing import CliRunner

from corpulyzer.api.corpus import open_corpus
from corpulyzer.cli import app
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.jobs.analyze.follows import report_made_of
from corpulyzer.jobs.analyze.run import analyze, chosen, stale_panels
from corpulyzer.page.extract import extractor_named
from corpulyzer.page.identify.choose import identifier_of
from corpulyzer.page.pipeline import pipeline
from corpulyzer.plugins import PluginError
from corpulyzer.records import Page
from corpulyzer.report.about import about
from corpulyzer.report.page import page

PANEL = """

def loud(bench, name="loud_pages"):
    from corpulyzer import Result

    rows = bench.engine.query("select count(*) as documents from documents", {"documents": bench.documents})
    return [Result(name, "Loud pages", "Their number.", "Mine", rows, summary="As many.")]


def thief(bench):
    return loud(bench, "funnel")
"""
SETTINGS = """
[plugins]
filters = { few_shouts = "my_rules.FewShouts" }
labels = { mood = "my_rules.Mood", shouts = "my_rules.Shouts" }
extractors = { bold = "my_rules.bold" }
identifiers = { urdu = "my_rules.AlwaysUrdu" }
exports = { lines = "my_rules.Lines" }
seeds = { stations = "my_rules.Stations" }
panels = { loud = "my_rules.loud", thief = "my_rules.thief" }

[filter]
document = ["content_size", "few_shouts"]

[label]
more = ["mood", "shouts"]

[export.lines]
end = ";"

[seeds.stations]
hosts = ["one", "two"]
"""


GROUPS = ("extract", "identify", "filter")


# A name in the help of each command that lists what there is.
HELPS = {"export": "lines", "seeds from": "stations", "extract": "web_am"}


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    place = folder_with(tmp_path_factory.mktemp("plugins") / "mine", SETTINGS, RULES + PANEL)
    with_pages(place)
    return place


@pytest.fixture
def folder(made_once, tmp_path):
    """A copy, since some tests change its plug-ins."""
    return shutil.copytree(made_once, tmp_path / "copy")


def by_url(folder):
    return {document.url: document for document in open_corpus(folder).documents}


def test_workers_run_it_and_an_error_costs_the_page(folder):
    found = by_url(folder)
    assert set(found) == set(PAGES)
    quiet, loud, boom = (found[url].verdict for url in PAGES)
    assert quiet.kept
    assert (loud.reason, loud.detail) == ("few_shouts", "shouts: too loud")
    assert loud.facts == {"found": 100, "wanted": 3}
    assert boom.reason == "extract_failed"
    assert "filter 'few_shouts' of my_rules.py raised ZeroDivisionError: no such number" in boom.detail


def test_a_label_stands_in_the_documents_and_selects_them(folder):
    documents = open_corpus(folder).documents
    (loud,) = documents.filter(labels={"mood": "loud"})
    assert (loud.url, loud.scores) == ("https://a.example/loud", {"shouts": 100.0})
    (quiet,) = documents.filter(scores={"shouts": 0.0}, kept=True)
    assert (quiet.url, quiet.labels) == ("https://a.example/quiet", {})


def test_funnel_and_why_know_it_by_its_name_and_its_words(folder):
    corpus = open_corpus(folder)
    steps = {step.name: step for step in corpus.funnel().steps}
    assert (steps["few_shouts"].words, steps["few_shouts"].dropped) == ("quiet enough", {"few_shouts": 1})
    assert steps["content_size"].words == "enough of the language"
    last = corpus.why("https://a.example/loud")[-1]
    assert (last["what"], last["detail"]) == ("document: dropped by few_shouts", "shouts: too loud")
    assert last["labels"] == {"mood": "loud"}


def test_an_export_format_writes_files_from_workers(folder):
    made = open_corpus(folder).export("lines")
    assert made.version.endswith("-lines")
    (file,) = (entry["path"] for entry in made.manifest["files"] if entry["path"].endswith(".lines"))
    assert (folder / "exports" / made.version / file).read_text() == "https://a.example/quiet;"
    assert "def loud" not in json.dumps(made.manifest), "its text is nobody else's"


SHOUT = """

class Shout:
    def __call__(self, options):
        from dataclasses import replace

        from corpulyzer.export.formats import Blocks, by_split
        from corpulyzer.export.formats.plain_text import plain_text

        return replace(plain_text(options), make=Blocks(shout, by_split))


def shout(material):
    return material.published.url.upper().encode()
"""


def test_a_format_is_made_as_a_whole_though_ours_that_it_is_made_of_follows_the_news(folder):
    (folder / "my_rules.py").write_text(RULES + PANEL + SHOUT)
    settings = folder / "corpulyzer.toml"
    lines = 'exports = { lines = "my_rules.Lines"'
    settings.write_text(settings.read_text().replace(lines, f'{lines}, shout = "my_rules.Shout"'))
    made = open_corpus(folder).export("shout")
    texts = [(Path(made.path) / file["path"]).read_text() for file in made.manifest["files"]]
    assert "HTTPS://A.EXAMPLE/QUIET" in texts
    assert not (folder / "exports" / "made").exists()


CONTENTS = """

class Contents:
    def __call__(self, options):
        from corpulyzer.export.formats import Blocks, by_split

        return Format("contents", Blocks(Line("\\n"), by_split), contents)


def contents(work):
    from corpulyzer.export.files import write_file

    written = b"".join(line for batch in work.batches() for line in batch.column("content").to_pylist())
    sql = "select file, count(*) as documents from made group by file order by file nulls last"
    counts = [row for batch in work.batches(work.query("counted", sql)) for row in batch.to_pylist()]
    return [write_file(work.place, "contents.txt", written + str(counts).encode())]
"""


def test_a_format_may_collect_its_rows_itself(folder):
    (folder / "my_rules.py").write_text(RULES + PANEL + CONTENTS)
    settings = folder / "corpulyzer.toml"
    lines = 'exports = { lines = "my_rules.Lines"'
    settings.write_text(settings.read_text().replace(lines, f'{lines}, contents = "my_rules.Contents"'))
    made = open_corpus(folder).export("contents")
    (line,) = (Path(made.path) / "contents.txt").read_text().splitlines()[1:]
    assert line == "[{'file': 'train', 'documents': 1}]"
    assert "contents.txt" in [file["path"] for file in made.manifest["files"]]


def test_help_and_errors_list_the_formats(folder, monkeypatch):
    monkeypatch.chdir(folder)
    shown = {name: CliRunner().invoke(app, [*name.split(), "--help"]).output for name in HELPS}
    assert {name: HELPS[name] in " ".join(text.split()) for name, text in shown.items()} == dict.fromkeys(
        HELPS, True
    )
    with pytest.raises(UserError, match="There is no export format 'line'") as error:
        open_corpus(folder).export("line")
    assert "lines" in error.value.hint


def test_a_source_proposes_seeds_under_its_name(folder):
    done = CliRunner().invoke(app, ["seeds", "from", "stations", "--json", "--project", str(folder)])
    assert json.loads(done.stdout)["added"] == 3
    seeds = [json.loads(line) for line in (folder / "seeds.jsonl").read_text().splitlines()]
    assert [(seed["url"], seed["source"], seed["detail"]) for seed in seeds] == [
        ("https://one.example/urd", "stations", "a station"),
        ("https://two.example/urd", "stations", "a station"),
        ("https://plain.example/", "stations", ""),
    ]
    with pytest.raises(UserError, match="There is no source of seeds 'station'") as error:
        open_corpus(folder).seeds.plugin("station")
    assert "stations" in error.value.hint


def test_a_panel_is_measured_with_ours_and_alone_made_again(folder):
    corpus = open_corpus(folder)
    with corpus.engine() as engine:
        measured = analyze(corpus, engine, ["funnel", "loud"])
    shown = page(about(corpus), measured)
    assert all(words in shown for words in ("quiet enough", "Measures of your own", "Loud pages"))
    found = chosen(measured)
    assert found["loud_pages"].rows.to_pylist() == [{"documents": 3}]
    assert (folder / "analysis" / "loud_pages.csv").exists()
    rows = CliRunner().invoke(app, ["analyze", "--list", "--json", "--project", str(folder)]).stdout
    *_, last, _ = json.loads(rows)
    assert (last["panel"], last["section"], last["from"]) == ("loud", "Measures of your own", "my_rules.py")
    assert stale_panels(corpus) == []
    rules = (folder / "my_rules.py").read_text()
    (folder / "my_rules.py").write_text(rules.replace("As many.", "So many."))
    changed = open_corpus(folder)
    assert stale_panels(changed) == ["loud"]
    assert report_made_of(changed) != report_made_of(corpus)
    assert changed.analyze("loud")["loud_pages"].summary == "So many."
    (folder / "my_rules.py").write_text(rules)
    with pytest.raises(
        UserError, match=r"panel 'thief' of my_rules.py gave .* different names that are not ours"
    ):
        corpus.analyze("thief")


def test_two_panels_cannot_give_results_of_one_name(folder):
    rules = (folder / "my_rules.py").read_text()
    (folder / "my_rules.py").write_text(rules.replace('loud(bench, "funnel")', "loud(bench)"))
    corpus = open_corpus(folder)
    with pytest.raises(
        UserError, match=r"'thief' .* gives a result 'loud_pages', and so does the panel 'loud'"
    ):
        corpus.analyze("loud", "thief")
    assert json.loads((folder / "analysis" / "loud.json").read_text())["results"]
    assert not (folder / "analysis" / "thief.json").exists()
    (folder / "my_rules.py").write_text(rules.replace('loud(bench, "funnel")', "loud(bench) * 2"))
    with pytest.raises(UserError, match=r"'thief' of my_rules.py gave .* different names"):
        open_corpus(folder).analyze("thief")


def marks(folder):
    (made_of,) = Table(open_corpus(folder).storage, "documents").made().values()
    return dict(zip(GROUPS, made_of.split(".")[1:], strict=True))


def test_a_filter_that_changed_judges_again_and_no_page_is_read_again(folder):
    before, rules = marks(folder), (folder / "my_rules.py").read_text()
    assert open_corpus(folder).process() == 0
    changed = rules.replace("version = 1", "version = 2", 1).replace("too loud", "much too loud")
    (folder / "my_rules.py").write_text(changed)
    assert open_corpus(folder).process() == 1
    after = marks(folder)
    assert [group for group in GROUPS if before[group] != after[group]] == ["filter"]
    assert by_url(folder)["https://a.example/loud"].verdict.detail == "shouts: much too loud"
    (folder / "my_rules.py").write_text(rules)


def test_an_extractor_and_an_identifier_take_the_place_of_ours(tmp_path):
    text = (folder_with(tmp_path / "mine", SETTINGS) / "corpulyzer.toml").read_text()
    text = text.replace('method = "default"', 'method = "bold"') + "\n[identify]\nmethod = 'urdu'\n"
    (tmp_path / "mine" / "corpulyzer.toml").write_text(text)
    body = b"<p>Buy it now!<p>A plain line of text."
    page = pipeline(open_corpus(tmp_path / "mine").config)(
        Page("https://a.example/", body=body, mime="text/html")
    )
    assert page.text == "Buy it now!"
    assert page.languages == {"urd": len("Buy it now!")}
    assert page.target_bytes == len("Buy it now!")


ANSWERS = {
    "labels": ("mood", "lambda page: object()", "a text, a finite number or None"),
    "filters": ("few_shouts", "lambda page: True", "a Verdict"),
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_an_answer_that_is_none_names_who_gave_it(tmp_path, kind):
    name, answer, wanted = ANSWERS[kind]
    uses = f"[plugins]\n{kind} = {{ {name} = 'my_rules.answer' }}\n"
    uses += "[label]\nmore = ['mood']\n" if kind == "labels" else "[filter]\ndocument = ['few_shouts']\n"
    config = open_corpus(folder_with(tmp_path / "mine", uses, f"answer = {answer}")).config
    body = b"<p>A sentence of more than a few words."
    with pytest.raises(PluginError, match=f"'{name}' of my_rules.py gave .*, which is not {wanted}"):
        pipeline(config)(Page("https://a.example/", body=body, mime="text/html"))


def test_a_corpus_without_plug_ins_asks_only_packages_for_a_name_that_is_not_ours():
    with pytest.raises(UserError, match="There is no extractor 'bold'") as error:
        extractor_named("bold")
    assert "web_am" in error.value.hint
    with pytest.raises(UserError, match="There is no identifier 'urdu'"):
        identifier_of("urdu")
