"""The report: one file from results and nothing else, for any corpus, however little there is in it."""

import json
import shutil

import pyarrow as pa
import pytest
import regex
from lasting import engine_of

import corpulyzer
from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.jobs.analyze import run
from corpulyzer.jobs.analyze.run import Measured
from corpulyzer.measure.panels import PANELS, Panel, panels
from corpulyzer.measure.result import Result, restored
from corpulyzer.native import build
from corpulyzer.report.about import About, changed_settings, sources
from corpulyzer.report.card import card
from corpulyzer.report.cells import table_view
from corpulyzer.report.manifest import manifest
from corpulyzer.report.page import MOST_BYTES, page
from corpulyzer.storage import ParquetSink

ABOUT = About("urduweb", "urd", "Urdu", "اردو", "rtl", "0.1.0", "1 January 2026")
OUTSIDE = regex.compile(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//|@import|url\(\s*["']?https?:""")


def result(rows, name="measure", spec=None, **more):
    return Result(
        name,
        "A measure",
        "What it is.",
        "Somebody 2026",
        pa.Table.from_pylist(rows),
        "It is so.",
        spec=spec,
        **more,
    )


def written(*results):
    return page(ABOUT, [Measured(Panel("p", "A section", "p"), results)])


def without_bundle(text):
    """The page as people wrote it: without the library of figures."""
    return regex.sub(r"<script>.*?</script>", "", text, flags=regex.S)


def read(corpus):
    return corpus.storage.read("report/index.html").decode()


@pytest.mark.parametrize("name", ["one_site", "nothing_kept", "empty", "no_fonts"])
def test_any_corpus_gets_a_page_a_card_and_a_manifest(corpora, name):
    text = read(corpora[name])
    assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>")
    assert len(text.encode()) < 5_000_000
    assert not OUTSIDE.search(without_bundle(text)), "a page that asks for something outside"
    card, manifest = (
        corpora[name].storage.read("card.md").decode(),
        corpora[name].storage.read("manifest.json"),
    )
    assert "## Known gaps" in card and "## Citation" in card
    assert json.loads(manifest)["versions"]["corpulyzer"] == corpulyzer.__version__
    assert json.loads(manifest)["native"] == build()


def test_an_empty_corpus_says_so(corpora):
    assert "The corpus is empty" in read(corpora["empty"])
    assert "Nothing was fetched or imported" in corpora["empty"].storage.read("card.md").decode()


def test_a_corpus_with_nothing_kept_says_so_and_what_to_do(corpora):
    text = read(corpora["nothing_kept"])
    assert "None of 1 records became a document" in text and "corpulyzer process" in text


def test_a_single_site_is_named_as_what_it_is(corpora):
    assert "All of it is from a single site" in read(corpora["one_site"])


def test_figures_are_written_where_there_is_no_font_for_the_script(corpora):
    corpus = corpora["no_fonts"]
    engine = engine_of(corpus)
    files = run.write_figures(corpus, run.analyze(corpus, engine, ["funnel", "sites"]))
    assert {file.rpartition(".")[2] for file in files} == {"svg", "png"}
    assert corpus.storage.read("analysis/figures/funnel.png").startswith(b"\x89PNG")
    assert corpus.storage.read("analysis/figures/funnel.svg").startswith(b"<svg")


def test_every_figure_compiles(corpora):
    engine = engine_of(corpora["one_site"])
    for each in corpora["one_site"].analyze(engine=engine):
        svg = each.svg()
        assert svg is None or svg.startswith("<svg"), each.name


def test_results_are_stored_as_json_and_csv_and_read_back_as_they_were(corpora):
    corpus = corpora["one_site"]
    stored = json.loads(corpus.storage.read("analysis/sites.json"))
    first = restored(stored["results"][0])
    assert first.name == "top_sites" and first.rows.to_pylist()[0]["site"] == "akhbar.example"
    assert corpus.storage.read("analysis/top_sites.csv").decode().splitlines()[0].startswith("site,pages")


@pytest.mark.slow
def test_what_is_stored_is_not_measured_again_until_documents_change(corpora, tmp_path, monkeypatch):
    corpus = corpora["one_site"]
    monkeypatch.setattr(
        Panel, "__call__", lambda panel, bench: pytest.fail(f"{panel.name} was measured again")
    )
    engine = engine_of(corpus)
    run.analyze(corpus, engine, ["funnel"])
    (tmp_path / "more.jsonl").write_text('{"url": "https://b.example/", "text": "ایک اور صفحہ"}\n', "utf-8")
    engine = engine_of(corpus)
    with pytest.raises(pytest.fail.Exception):
        run.analyze(corpus, engine, ["funnel"], again=True)


def test_new_documents_are_measured(tmp_path):
    corpus = create("urd", tmp_path / "c")
    engine = engine_of(corpus)
    assert corpus.analyze("funnel", engine=engine)["funnel"].facts["records"] == 0
    (tmp_path / "more.jsonl").write_text('{"url": "https://b.example/", "text": "ایک اور صفحہ"}\n', "utf-8")
    corpus.import_(str(tmp_path / "more.jsonl"), engine=engine)
    assert corpus.analyze("funnel", engine=engine)["funnel"].facts["records"] == 1


def test_labels_by_hand_are_read_from_toml_and_csv(tmp_path):
    corpus = create("urd", tmp_path / "c")
    corpus.storage.write("sites.toml", b'["a.example"]\ncategory = "news"\nmachine_translated = false\n')
    corpus.storage.write("sites.csv", b"site,category\nb.example,religious\n")
    from corpulyzer.jobs.analyze.inputs import site_labels

    assert site_labels(corpus.storage) == {
        "a.example": {"category": "news", "machine_translated": "no"}, "b.example": {"category": "religious"}
    }  # fmt: skip
    corpus.storage.write("sites.toml", b"[a.example]\n")
    with pytest.raises(UserError, match="is no site"):
        site_labels(corpus.storage)


def test_results_are_found_by_name_and_a_wrong_name_is_told(corpora):
    corpus = corpora["one_site"]
    (top,) = corpus.analyze("top_sites")
    assert top.name == "top_sites"
    panel = corpus.analyze("web", "top_sites")
    assert panel["url_depth"].rows.num_rows and [result.name for result in panel].count("top_sites") == 1
    with pytest.raises(KeyError, match=r"nonsense.*there are .*url_depth"):
        panel["nonsense"]
    with pytest.raises(UserError, match="no measure 'nonsense'"):
        corpus.analyze("nonsense")
    with pytest.raises(UserError, match="no measure 'top_site'") as error:
        panels(["top_site"])
    assert "top_sites" in error.value.hint


def test_panels_give_the_results_that_they_name(corpora):
    engine = engine_of(corpora["one_site"])
    for measured in run.analyze(corpora["one_site"], engine):
        named = set(measured.panel.results)
        assert {result.name for result in measured.results} <= named, measured.panel.name
    names = [name for panel in PANELS for name in panel.results]
    assert len(names) == len(set(names))


def test_the_page_has_landmarks_captions_and_a_definition_for_each_measure():
    text = written(result([{"word": "لفظ", "pages": 1}], warnings=("It cannot know all.",)))
    for part in (
        '<nav aria-label="Contents"',
        '<main id="main"',
        "<h1",
        "<caption",
        'scope="col"',
        "It cannot know all.",
    ):
        assert part in text
    assert "What it is." in text and "Somebody 2026" in text
    assert '<td dir="auto">لفظ</td>' in text


def test_sources_are_archives_with_records_and_the_crawl(tmp_path):
    corpus = create("xho", tmp_path)
    table = Table(corpus.storage, "fetches")
    rows = {"round=00000/news.00000": 2, "round=00000/news.00001": 1, "round=00000/empty.00000": 0}
    rows |= {"round=00001/crawl-00001.00000": 3, "round=00002/crawl-00002.00000": 1}
    for name, count in rows.items():
        with ParquetSink(
            table.path(f"{name}.parquet"), (made := pa.table({"n": range(count)})).schema
        ) as sink:
            for batch in made.to_batches():
                sink.write(batch)
    table.note([f"{name}.parquet" for name in rows])
    assert sources(corpus) == {"crawl": 4, "news": 3}


def test_markup_in_data_is_shown_and_not_obeyed():
    evil = "</script><script>alert(1)</script>"
    text = written(result([{"word": evil, "n": 1}], spec={"mark": "bar"}))
    assert "<script>alert(1)" not in text and "&lt;script&gt;alert(1)" in text


@pytest.mark.slow
def test_a_huge_corpus_has_a_small_page():
    rows = [{"x": n, "y": n / 7, "word": "لفظ " * 40} for n in range(20_000)]
    spec = {"mark": "line", "encoding": {"x": {"field": "x", "type": "quantitative"}}}
    results = [result(rows, f"m{n}", spec) for n in range(60)]
    assert [row["x"] for row in results[0].vega_lite(4)["data"]["values"]] == [0, 6666, 13333, 19999]
    text = written(*results)
    assert len(text.encode()) <= MOST_BYTES
    assert 'more are in <bdi dir="ltr">analysis/m1.csv</bdi>' in text


def test_numbers_that_json_does_not_have_become_null():
    text = written(result([{"x": 1.0, "y": float("nan")}], spec={"mark": "point"}))
    specs = json.loads(regex.search(r'id="specs">(.*?)</script>', text, regex.S)[1])
    assert specs["measure"]["data"]["values"] == [{"x": 1.0, "y": None}]


def test_columns_in_which_nothing_stands_are_left_out_of_tables():
    view = table_view(result([{"site": "a", "category": "", "share": 0.25}]))
    assert [column.key for column in view.columns] == ["site", "share"] and view.rows == (("a", "25.0%"),)


def test_passwords_of_proxies_stay_out_of_what_is_published(tmp_path):
    create("urd", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {"fetch.proxy": "http://me:secret@proxy.example:8080"})
    facts = manifest(corpus, ABOUT, [])
    text = card(ABOUT, [], {}, changed_settings(corpus))
    assert "secret" not in json.dumps(facts) + text
    assert facts["config"]["fetch"]["proxy"] == "http://proxy.example:8080" and "proxy.example" in text


def test_the_manifest_hashes_every_table_and_reads_no_part_of_one(corpora, tmp_path):
    folder = shutil.copytree(corpora["one_site"].storage.root, tmp_path / "c")
    for file in (folder / "documents").rglob("*.parquet"):
        file.unlink()
    found = manifest(open_corpus(folder), ABOUT, [])
    files = {file["path"]: file for file in found["files"]}
    for name in ("fetches", "documents", "links"):
        parts = Table(corpora["one_site"].storage, name).parts()
        assert parts and all(files[part.file]["version"] == part.version for part in parts)
        assert all(files[part.file]["bytes"] > 0 for part in parts)
    assert len(files["corpulyzer.toml"]["sha256"]) == 64
    stored = json.loads(corpora["one_site"].storage.read("manifest.json"))
    assert stored["files"] == found["files"] and stored["hash"] == found["hash"]
    assert stored["counts"]["documents"] == 1


def test_two_corpora_are_compared_and_one_is_not_enough(corpora):
    heard = []
    found = corpulyzer.compare(
        corpora["one_site"], corpora["empty"], progress=lambda *step: heard.append(step)
    )
    assert heard == [("comparing", done, 5) for done in range(1, 6)]
    assert "too little text" in found["topic_matches"].summary
    assert found["jaccard_pages"].rows.to_pylist()[1]["jaccard"] == 0.0
    assert found["side_by_side"].rows.to_pylist()[0]["number"] == "documents"
    assert found["compared_site_richness"].rows.num_rows and found["compared_language_share"].rows.num_rows
    with pytest.raises(KeyError):
        found["nonsense"]
    with pytest.raises(UserError, match="only one"):
        corpulyzer.compare(corpora["one_site"])
