"""A corpus of several languages: copies within each, files and configurations by language, both engines."""

import json
import shutil
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus.settings.explain import settings_of_language
from corpulyzer.errors import UserError
from corpulyzer.jobs.status.funnels import funnel_of, languages_of
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.measure.pages.learned_thresholds import LearnedThresholds

CODES = ("hrv", "slv", "xho")


def text(code, seed, paragraphs=4):
    random = Random(seed)
    return "\n".join(Prose(code).paragraph(random) for _ in range(paragraphs))


def world():
    """Texts by address: two of each language, copies of one, and two near-copies in two languages."""
    found = {f"https://{code}.example/{n}": text(code, n) for code in CODES for n in range(2)}
    for n in range(2, 5):
        found[f"https://hrv.example/{n}"] = found["https://hrv.example/0"]
    both = text("hrv", 7), text("slv", 7)
    size = min(map(len, both))
    shared = "\n".join(each[: each.rindex(" ", 0, size)] for each in both)
    for code in ("hrv", "slv"):
        found[f"https://both.example/{code}"] = shared + "\n" + text(code, 8, 1)
    found["https://eng.example/0"] = text("eng", 0)
    return found


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("several") / "pages.jsonl"
    path.write_text("".join(json.dumps({"url": url, "text": it}) + "\n" for url, it in world().items()))
    return path


def imported(folder, file, engine, **flags):
    create(languages=CODES, folder=folder)
    corpus = open_corpus(folder, {"engine.workers": 1, **flags})
    corpus.import_(file, engine=engine)
    return corpus


def made(folder, file, engine, **flags):
    corpus = imported(folder, file, engine, **flags)
    corpus.dedup(engine=engine)
    return corpus


@pytest.fixture(scope="module")
def several(file, engine, tmp_path_factory):
    return made(tmp_path_factory.mktemp("corpus") / "web", file, engine)


def kept(corpus):
    return {it.url: it.language for it in corpus.documents.kept()}


def test_near_copies_stay_in_both_languages_unless_they_are_looked_for_across(
    several, file, engine, tmp_path
):
    both = {f"https://both.example/{code}": code for code in ("hrv", "slv")}
    assert both.items() <= kept(several).items()
    across = kept(made(tmp_path / "web", file, engine, **{"dedup.across_languages": True}))
    assert len(both.keys() & across.keys()) == 1
    assert kept(several).keys() - across.keys() == both.keys() - across.keys(), "and nothing else goes"


def test_copies_within_a_language_go_and_exports_say_how_many_there_were(several, engine, tmp_path):
    found = several.export("hf", tmp_path / "hf", engine=engine)
    rows = pq.read_table(tmp_path / "hf" / "data" / "hrv" / "train-00000.parquet").to_pylist()
    sizes = {row["url"].rpartition("/")[2]: row["copies"] for row in rows}
    texts = list(world().values())
    assert sizes == {row["url"].rpartition("/")[2]: texts.count(world()[row["url"]]) for row in rows}
    assert sorted(sizes.values()) == [1, 1, 4]
    assert found.manifest["languages"] == {"hrv": 3, "slv": 3, "xho": 2}


@pytest.mark.parametrize("log", [True, False])
def test_copies_are_told_though_the_keys_of_duplicates_were_deleted(several, engine, tmp_path, log):
    shutil.copytree(several.storage.root, tmp_path / "web")
    shutil.rmtree(tmp_path / "web" / "duplicates" / "units")
    if not log:
        (tmp_path / "web" / "parts" / "duplicates" / "units.jsonl").unlink()
    open_corpus(tmp_path / "web", {"engine.workers": 1}).export("hf", tmp_path / "hf", engine=engine)
    rows = pq.read_table(tmp_path / "hf" / "data" / "hrv" / "train-00000.parquet").to_pylist()
    assert sorted(row["copies"] for row in rows) == [1, 1, 4]


def test_the_hub_gets_a_configuration_for_each_language(several, engine, tmp_path):
    several.export("hf", tmp_path / "hf", split="train,test=0.4", engine=engine)
    files = {str(it.relative_to(tmp_path / "hf")) for it in (tmp_path / "hf").rglob("*.parquet")}
    card = (tmp_path / "hf" / "README.md").read_text()
    named = [line.split()[-1] for line in card.splitlines() if "config_name" in line]
    paths = [line.split()[-1] for line in card.splitlines() if "path: data" in line]
    assert named == list(CODES)
    assert {path.replace("*", "00000") for path in paths} == files
    described = json.loads((tmp_path / "hf" / "croissant.json").read_text())
    assert {it["@id"] for it in described["distribution"]} == files
    assert len({it["@id"] for it in described["recordSet"]}) == len(files)
    assert described["inLanguage"] == ["hr", "sl", "xh"]


def test_files_are_by_language_license_and_boilerplate_c4_10(several, engine, tmp_path):
    several.export("warc", tmp_path / "warc", content="text", engine=engine)
    assert sorted(it.name for it in (tmp_path / "warc").glob("*.gz")) == [
        f"{code}_no-license_text-00000.warc.gz" for code in CODES
    ]
    several.export("text", tmp_path / "text", engine=engine)
    assert sorted(it.name for it in (tmp_path / "text").glob("*.txt")) == [
        f"{code}_train-00000.txt" for code in CODES
    ]


def test_paragraphs_are_filed_under_their_own_languages(several, engine, tmp_path):
    several.export("paragraphs", tmp_path / "filed", compress="none", engine=engine)
    stated = set()
    for path in (tmp_path / "filed").glob("*.jsonl"):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        assert {row["language"] for row in rows} == {path.name.partition("_")[0]}
        stated |= {(row["language"], row["site"]) for row in rows}
    assert {("hrv", "both.example"), ("slv", "both.example")} <= stated
    documents = {it.url: it for it in several.documents.kept()}
    mixed = documents["https://both.example/slv"]
    assert {it.language for it in mixed.paragraphs} == {"hrv", "slv"}, "so a document is in two files"


def test_one_language_can_be_taken_out_and_a_list_of_words_must_be_of_one(several, engine, tmp_path):
    with pytest.raises(UserError, match="for one language"):
        several.export("frequency", tmp_path / "all", engine=engine)
    with pytest.raises(UserError, match="not for eng"):
        several.export("jsonl", tmp_path / "all", language="eng", engine=engine)
    found = several.export("frequency", tmp_path / "xho", language="xho", engine=engine)
    assert (found.manifest["documents"], found.manifest["left_out"]) == (2, {"language": 6})
    assert found.manifest["language"] == "xho"


def test_learned_thresholds_are_kept_and_judge_the_language_that_they_are_of(file, engine, tmp_path):
    corpus = imported(tmp_path / "web", file, engine)
    assert corpus.learn_thresholds() == [], "there are not enough documents"
    values = {"filter.length.min_words": 1000}
    now = corpus.use_learned([LearnedThresholds("xho", 100, values, {})], engine=engine)
    assert {code for code in CODES if code in kept(now).values()} == {"hrv", "slv"}
    dropped = now.documents.filter(reason="length")
    assert {it.language for it in dropped} == {"xho"}
    settings = {it.key: it for it in settings_of_language(now.config.corpus, now.settings, "xho")}
    assert settings["filter.length.min_words"].origin == "calibration.json [language.xho]"
    (shown,) = now.rejects(1, engine=engine)
    assert (shown.language, shown.filter, shown.wanted) == ("xho", "length", 1000)
    assert (shown.dropped, shown.documents, len(shown.sample)) == (2, 2, 1)
    drawn = {now.rejects(1, seed, engine=engine)[0].sample[0].url for seed in range(40)}
    assert drawn == {it.url for it in dropped}, "the seed decides which are shown"


def test_learned_filters_are_in_use_unless_somebody_has_named_the_filters(several, file, engine, tmp_path):
    from corpulyzer.jobs import calibrate

    usual = several.config.filter.document
    assert calibrate._judging(several) == (*usual, "repetition", "prose")
    named = open_corpus(several.storage.root, {"filter.document": ["length"]})
    assert calibrate._judging(named) == ("length",)
    values = {"filter.document": [*usual, "prose"], "filter.prose.min_share": 1.0}
    corpus = imported(tmp_path / "web", file, engine)
    now = corpus.use_learned([LearnedThresholds("xho", 100, values, {})], engine=engine)
    assert now.config.filters_of("xho").document[-1] == "prose"
    assert now.config.filters_of("hrv").document == usual


def test_what_is_made_for_one_language_says_so(several):
    for job in (several.calibrate,):
        with pytest.raises(UserError, match="works for a corpus of one language as yet"):
            job()


def test_the_report_begins_with_what_there_is_of_each_language(several, engine):
    found, *_ = several.analyze("languages", engine=engine)
    rows = {row["code"]: row["kept"] for row in found.rows.to_pylist()}
    assert rows == {"hrv": 3, "slv": 3, "xho": 2, "eng": 0}
    written = Path(several.report(engine=engine)).read_text()
    assert "What there is of each language" in written and "Croatian" in written
    assert several.status(engine=engine).stale == []


@pytest.mark.slow
def test_both_engines_make_and_count_the_same_rows_of_several_languages(file, engine, spark, tmp_path):
    found = []
    for name, each in (("here", engine), ("there", spark)):
        corpus = imported(tmp_path / name, file, each)
        rows = sorted((replaced(it) for it in corpus.documents), key=lambda it: it["url"])
        own = corpus.in_language("hrv", engine=each).documents
        measured = [it.rows.to_pylist() for it in corpus.analyze("languages", engine=each)]
        assert [it.id for it in own] == [it.id for it in corpus.documents if it.language == "hrv"]
        found.append((rows, measured, languages_of(corpus, each), funnel_of(corpus, each, "hrv")))
    assert found[0] == found[1]
    assert [it["language"] for it in found[0][0]].count("hrv") == 6


def replaced(document):
    """A document but for the archive that an import makes, whose name is another in each corpus."""
    names = (
        name for name in document.__slots__ if name not in ("id", "archive", "record_id", "date", "offset")
    )
    return {name: getattr(document, name) for name in names}
