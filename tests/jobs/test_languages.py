"""Each language of a corpus of several is worked with as a corpus of that language alone would be."""

import json
import shutil
from pathlib import Path
from random import Random

import pytest
import regex
from typer.testing import CliRunner

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.cli import app
from corpulyzer.corpus.language_folders import behind, codes_there, write_languages
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.errors import UserError
from corpulyzer.jobs.stale import stale
from corpulyzer.jobs.status.funnels import LANGUAGES
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.measure.pages.by_language import by_language

CODES = ("hrv", "slv", "xho")
SIZES = {"hrv": 101, "slv": 12, "xho": 3}


def text(code, seed, paragraphs=2):
    random = Random(seed)
    return "\n".join(Prose(code).paragraph(random) for _ in range(paragraphs))


def pages(code):
    """Texts by address; every third page of Croatian and Slovenian is on a site that has both."""
    shared = code in ("hrv", "slv")
    return {
        f"https://{'both' if shared and n % 3 == 0 else code}.example/{code}/{n}": text(code, n)
        for n in range(SIZES[code])
    }


MIXED = {"https://both.example/mixed": text("hrv", 900, 3) + "\n" + text("slv", 900, 1)}


def written(path, texts):
    path.write_text("".join(json.dumps({"url": url, "text": it}) + "\n" for url, it in texts.items()))
    return path


@pytest.fixture(scope="module")
def several(engine, tmp_path_factory):
    folder = tmp_path_factory.mktemp("languages")
    create(languages=CODES, folder=folder / "web")
    corpus = open_corpus(folder / "web", {"engine.workers": 1})
    texts = {url: it for code in CODES for url, it in pages(code).items()}
    corpus.import_(written(folder / "all.jsonl", texts | MIXED), engine=engine)
    return corpus


@pytest.fixture(scope="module")
def alone(engine, tmp_path_factory):
    """A corpus of Croatian alone, of the same Croatian texts."""
    folder = tmp_path_factory.mktemp("alone")
    create("hrv", folder / "hrv")
    corpus = open_corpus(folder / "hrv", {"engine.workers": 1})
    corpus.import_(written(folder / "hrv.jsonl", pages("hrv") | MIXED), engine=engine)
    return corpus


@pytest.fixture(scope="module")
def croatian(several, engine):
    return several.in_language("hrv", engine=engine)


@pytest.fixture
def own(several, croatian, tmp_path):
    """A copy of the corpus, with the folder of a language, for a test that changes it."""
    shutil.copytree(several.storage.root, tmp_path / "c")
    return open_corpus(tmp_path / "c", {"engine.workers": 1})


def test_a_language_has_its_documents_as_the_corpus_has_them(several, croatian):
    of_all = {it.id: it for it in several.documents if it.language == "hrv"}
    assert {it.id: it for it in croatian.documents} == of_all and len(of_all) == SIZES["hrv"] + 1
    assert (croatian.language.code, croatian.name) == ("hrv", "web in Croatian")


def test_nothing_is_copied_again_unless_the_documents_have_changed(several, croatian, engine):
    assert behind(several.storage, ["hrv"]) == [] and behind(several.storage, ["xho"]) == ["xho"]
    assert write_languages(several.storage, engine, ["hrv"]) == 0
    assert codes_there(several.storage) == ["hrv"]


def test_what_is_found_and_counted_is_what_a_corpus_of_the_language_alone_has(croatian, alone, engine):
    lines = [
        sorted((it.url, it.start, it.match) for it in each.search("je", limit=1_000).lines)
        for each in (croatian, alone)
    ]
    assert lines[0] == lines[1] and lines[0]
    assert croatian.stop_words(0.3) == alone.stop_words(0.3)
    for name in ("vocabulary", "words", "quality"):
        found = [each.analyze(name, engine=engine)[name].rows.to_pylist() for each in (croatian, alone)]
        assert found[0] == found[1]


def test_the_funnel_of_a_language_begins_with_the_pages_in_it(croatian, engine):
    found = croatian.analyze("funnel", engine=engine)["funnel"]
    assert found.facts["records"] == SIZES["hrv"] + 1
    with pytest.raises(UserError, match="crawl is of all languages together"):
        croatian.analyze("yield_rate", engine=engine)


def test_who_names_no_language_is_told_which_there_are(several, engine):
    with pytest.raises(UserError, match="one language at a time") as told:
        several.in_language("", engine=engine)
    assert told.value.hint.endswith("hrv, slv, xho.")
    for job in (several.search, several.stop_words):
        with pytest.raises(UserError, match="one language at a time"):
            job("je") if job == several.search else job()
    with pytest.raises(UserError, match="The measure growth takes one language at a time"):
        several.analyze("zipf", engine=engine)
    with pytest.raises(UserError, match="not for eng"):
        several.in_language("eng", engine=engine)


def test_languages_with_a_hundred_documents_are_annotated_each_as_its_settings_say(several, engine):
    asked = open_corpus(several.storage.root, {"language.hrv.annotate.method": "plain", "engine.workers": 1})
    made = asked.annotate_each(engine=engine)
    assert {code: it.documents for code, it in made.items()} == {"hrv": SIZES["hrv"] + 1}
    assert made["hrv"].method == "plain" and several.config.of_language("hrv").annotate.method == "auto"


def test_the_command_line_annotates_each_and_asks_which_to_compare(several):
    folder = several.storage.root
    done = CliRunner().invoke(app, ["annotate", "--method", "plain", "--json", "--project", folder])
    assert {code: it["documents"] for code, it in json.loads(done.stdout).items()} == {
        "hrv": SIZES["hrv"] + 1
    }
    done = CliRunner().invoke(app, ["compare", folder, folder])
    assert done.exit_code == 1 and "Say which with --language: hrv, slv, xho." in str(done.exception)


def test_audits_stand_in_the_folder_of_the_language(croatian, several, engine):
    drawn = croatian.audit.sample(10, engine=engine)
    assert drawn.population == SIZES["hrv"] + 1
    assert several.storage.exists("languages/hrv/audit/first/sample.jsonl")
    assert not several.storage.exists("audit")


@pytest.mark.slow
def test_languages_are_compared_with_each_other_and_with_other_corpora(croatian, alone, engine):
    found = croatian.compare(alone, engine=engine)
    assert found.names == ("web in Croatian", "hrv")
    assert {row["jaccard"] for row in found["jaccard_pages"].rows.to_pylist()} == {1.0}


def test_the_overview_counts_look_alikes_by_hand(several, engine):
    overview, _, pairs = several.analyze("languages", engine=engine)
    rows = {row["code"]: row for row in overview.rows.to_pylist()}
    documents = [it for it in several.documents if it.verdict.kept]
    relatives = {"hrv": {"slv", "bos", "srp", "mkd", "cnr"}}
    mixed = [it for it in documents if it.language == "hrv" and relatives["hrv"] & set(it.languages)]
    assert rows["hrv"]["alike_taken"] == len(mixed) and len(mixed) > 0
    assert rows["slv"]["alike_given"] == sum("slv" in it.languages for it in mixed)
    assert sum(row["archive_share"] for row in rows.values()) == pytest.approx(1)
    both = {(row["codes"]): row for row in pairs.rows.to_pylist()}["hrv slv"]
    of = {code: {it.site for it in documents if it.language == code} for code in ("hrv", "slv")}
    assert both["sites"] == len(of["hrv"] & of["slv"]) == 1
    sure = [
        (paragraph.confidence, paragraph.end - paragraph.start)
        for it in documents
        if it.language == "hrv" and it.site in of["slv"]
        for paragraph in it.paragraphs
        if paragraph.language == "hrv"
    ]
    mean = sum(value * size for value, size in sure) / sum(size for _, size in sure)
    assert both["confidence"] == pytest.approx(mean, abs=1e-3)


def test_thresholds_stand_beside_what_they_drop_in_each_language(own, engine):
    sizes = sorted(it.target_bytes for it in own.documents if it.language == "slv")
    wanted = sizes[len(sizes) // 2]
    with (Path(own.storage.root) / "corpulyzer.toml").open("a") as file:
        file.write(f"\n[language.slv.filter.content_size]\nmin_bytes = {wanted}\n")
    strict = open_corpus(own.storage.root, {"engine.workers": 1})
    strict.process(engine=engine)
    (row,) = strict.analyze("language_thresholds", engine=engine)["language_thresholds"].rows.to_pylist()
    assert (row["codes"], row["filter"], row["threshold"]) == ("slv", "content_size", wanted)
    assert (row["dropped"], row["documents"]) == (sum(size < wanted for size in sizes), len(sizes))
    assert row["dropped"] > 0


def test_each_row_of_the_overview_leads_to_the_page_of_its_language(several, engine):
    page = Path(several.report(engine=engine))
    own = page.parent / ".." / "languages" / "hrv" / "report" / "index.html"
    shown = page.read_text("utf-8")
    assert '<a href="../languages/hrv/report/index.html">Croatian</a>' in shown
    assert "languages/slv/report" not in shown, "it has too few documents"
    said = " ".join(regex.sub(r"<[^>]*>", " ", shown).split())
    assert "languages 3 documents 117" in said and "of the languages" in said
    card = Path(several.storage.path("card.md")).read_text("utf-8")
    assert "bytes of the languages" in card and "| Xhosa | xho | 3 |" in card
    assert 'href="../../../report/index.html"' in own.read_text("utf-8")
    again = own.stat().st_mtime_ns
    several.report(engine=engine)
    assert own.stat().st_mtime_ns == again, "what holds is not written again"
    quality = next(it for it in several.analyze("languages", engine=engine) if it.name == "languages")
    assert [row["quality"] is None for row in quality.rows.to_pylist()] == [False, True, True]


def test_what_is_removed_is_gone_from_the_folder_of_its_language(own, croatian, engine):
    url = "https://hrv.example/hrv/1"
    gone = next(it.id for it in croatian.documents if it.url == url)
    own.remove(url, engine=engine)
    stored = {it.id for it in own.of_language("hrv").documents}
    assert gone not in stored and len(stored) == SIZES["hrv"]
    assert not own.storage.exists("languages/hrv/report/index.html")
    lines = own.in_language("hrv", engine=engine).search("je", limit=1_000).lines
    assert lines and url not in {it.url for it in lines}


@pytest.mark.parametrize("named", ['language = "hrv"', 'languages = ["slv", "srp"]'])
def test_what_is_removed_is_gone_from_folders_of_languages_that_are_no_longer_named(own, engine, named):
    settings = Path(own.storage.path("corpulyzer.toml"))
    settings.write_text(regex.sub(r"(?m)^languages = .*$", named, settings.read_text()))
    corpus = open_corpus(own.storage.root)
    assert "hrv" in codes_there(corpus.storage)
    corpus.remove("https://hrv.example/hrv/2", engine=engine)
    assert "hrv" not in codes_there(corpus.storage) and not corpus.storage.list("languages/hrv")
    assert not stale(corpus, "annotations")


def test_status_says_of_which_languages_the_annotations_are_old(own, engine, tmp_path):
    open_corpus(own.storage.root, {"annotate.method": "plain"}).annotate_each(engine=engine)
    assert not stale(own, "annotations")
    own.import_(
        written(tmp_path / "more.jsonl", {"https://hrv.example/more": text("hrv", 950)}), engine=engine
    )
    (found,) = stale(own, "annotations")
    assert found.why == "The annotations of hrv are older than the documents."


def test_status_counts_languages_once_and_then_starts_no_engine(several, engine):
    several.funnel(engine=engine)
    counted = by_language(engine, several.table("documents"))
    with SparkEngine("spark://127.0.0.1:1") as nowhere:
        assert several.status(engine=nowhere).languages == counted
    several.storage.delete(LANGUAGES)
    assert several.status(engine=engine).languages == counted
