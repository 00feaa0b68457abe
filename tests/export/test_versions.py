"""Exports have numbers, manifests and lists of changes; selections leave out what they say; nothing is half done."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from made_documents import RIGHT_TO_LEFT, document
from processes import wait_for
from typer.testing import CliRunner

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.cli import app
from corpulyzer.errors import UserError
from corpulyzer.export import FORMATS, Options
from corpulyzer.export.select import Selection, splits_of
from corpulyzer.jobs.export import export
from corpulyzer.records import Document, Paragraph
from corpulyzer.records.columns import batch_of, schema_of


def in_english(document):
    """The same without a paragraph in the target language, of which no score is made."""
    spans = [(p.start, p.end, p.kind) for p in document.paragraphs]
    return replace(document, paragraphs=tuple(Paragraph(*span, "eng", 0.9, {"eng": 9}) for span in spans))


def made(folder, documents):
    """A corpus of these documents."""
    if not (folder / "corpulyzer.toml").exists():
        create("urd", folder)
    path = folder / "documents" / "round=00000" / "a-1.00000.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_batches([batch_of(documents, Document)]).cast(schema_of(Document)), path)
    return open_corpus(folder, {"engine.workers": 1})


def rows(exported):
    found = []
    for file in sorted(Path(exported.path).glob("*.jsonl.zst")):
        with zstandard.open(file, "rt", encoding="utf-8", newline="\n") as opened:
            found += [json.loads(line) for line in opened]
    return found


def test_a_version_has_the_next_number_and_tells_what_has_changed(engine, tmp_path):
    one, two, three = (document(f"https://a.pk/{n}") for n in (1, 2, 3))
    first = export(made(tmp_path, [one, two]), engine, "jsonl")
    export(made(tmp_path, [one, two]), engine, "frequency")
    second = export(made(tmp_path, [replace(one, text="x", text_digest="y"), three]), engine, "jsonl")
    assert (first.version, second.version) == ("v001-jsonl", "v003-jsonl")
    assert first.manifest["changes"] == {"since": "", "added": 2, "removed": 0, "changed": 0}
    assert second.manifest["changes"] == {"since": "v001-jsonl", "added": 1, "removed": 1, "changed": 1}
    changes = [json.loads(line) for line in (Path(second.path) / "changes-00000.jsonl").open()]
    ids = {row["url"]: row["id"] for row in [*rows(first), *rows(second)]}
    assert {(c["id"], c["change"]) for c in changes} == {
        (ids["https://a.pk/1"], "changed"), (ids["https://a.pk/2"], "removed"), (ids["https://a.pk/3"], "added"),
    }  # fmt: skip


def test_the_manifest_has_the_checksum_of_every_file(engine, tmp_path):
    exported = export(made(tmp_path, [document("https://a.pk/1")]), engine, "hf")
    stored = json.loads((Path(exported.path) / "manifest.json").read_text("utf-8"))
    assert stored["documents"] == 1 and stored["settings"]["corpus"]["language"] == "urd"
    files = {str(f.relative_to(exported.path)) for f in Path(exported.path).rglob("*") if f.is_file()}
    assert {file["path"] for file in stored["files"]} == files - {"manifest.json"}
    for file in stored["files"]:
        content = (Path(exported.path) / file["path"]).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file["bytes"], file["sha256"])


def test_what_a_selection_leaves_out_is_counted_by_its_reason(engine, tmp_path):
    documents = [
        document("https://a.pk/1", license="cc-by", scores={"quality": 0.9}),
        document("https://www2.a.pk/2", license="cc0", scores={"quality": 0.8}),
        document("https://b.pk/3", license="cc-by", scores={"quality": 0.9}),
        document("https://a.pk/4"),
        document("https://a.pk/5", license="cc-by", scores={"quality": 0.1}),
        in_english(document("https://a.pk/6", license="cc-by")),
        document("https://a.pk/7", kept=False),
    ]
    corpus = made(tmp_path, documents)
    exported = export(corpus, engine, "jsonl", selection=Selection(("cc",), ("a.pk",), 0.5))
    assert {row["url"] for row in rows(exported)} == {"https://a.pk/1", "https://www2.a.pk/2"}
    left = {"license": 1, "site": 1, "quality": 1, "no quality score": 1}
    assert exported.manifest["left_out"] == left
    none = export(corpus, engine, "jsonl", selection=Selection(("none",)))
    assert [row["url"] for row in rows(none)] == ["https://a.pk/4"]


def test_the_score_of_the_measure_decides_where_documents_carry_none(corpus, engine):
    everything = export(corpus, engine, "jsonl", selection=Selection(min_quality=0.0))
    scores = {row["url"]: row["scores"]["quality"] for row in rows(everything)}
    assert len(scores) == len(corpus.documents.kept()) and len(set(scores.values())) > 3
    middle = sorted(scores.values())[len(scores) // 2]
    better = export(corpus, engine, "jsonl", selection=Selection(min_quality=middle))
    assert {row["url"] for row in rows(better)} == {url for url, score in scores.items() if score >= middle}
    mean = next(r for r in corpus.analyze("quality", engine=engine) if r.name == "quality").rows.to_pylist()
    below = sum(row["documents"] for row in mean if float(row["score"]) < 0.5)
    assert below == sum(score < 0.5 for score in scores.values()), "the report counts the same"
    assert not list((Path(corpus.storage.root) / "exports").glob("work/*")), (
        "nothing is left, no folder either"
    )


def test_splits_are_files_of_their_own_and_stay_the_same(engine, tmp_path):
    corpus = made(tmp_path, [document(f"https://a.pk/{n}") for n in range(400)])
    splits = splits_of("train,validation=0.25,test=0.25")
    first = export(corpus, engine, "jsonl", splits=splits)
    counts = first.manifest["splits"]
    assert set(counts) == {"train", "validation", "test"} and 160 < counts["train"] < 240
    again = export(corpus, engine, "jsonl", splits=splits)
    assert rows(again) == rows(first)
    hf = export(corpus, engine, "hf", splits=splits)
    assert {f.name for f in Path(hf.path).glob("data/*")} == {f"{s}-00000.parquet" for s in counts}


@pytest.mark.parametrize("text", ["train=0.5", "a,b", "a=x", "", "a=0.5,a=0.5", "a=0.9,b=0.9"])
def test_a_split_that_divides_nothing_is_refused(text):
    with pytest.raises(UserError, match="divides nothing"):
        splits_of(text)


@pytest.mark.parametrize("format", FORMATS.ours)
def test_a_corpus_without_kept_documents_gives_an_empty_export(engine, tmp_path, format):
    create("urd", tmp_path / "empty")
    for corpus in (
        open_corpus(tmp_path / "empty", {"engine.workers": 1}),
        made(tmp_path / "none", [document("https://a.pk/", kept=False)]),
    ):
        content = "text" if format == "warc" else "page"
        exported = export(corpus, engine, format, options=Options(content=content))
        assert exported.manifest["documents"] == 0
        assert (Path(exported.path) / "manifest.json").exists()


def test_an_empty_dataset_has_its_columns(engine, tmp_path):
    import polars

    exported = export(made(tmp_path / "c", [document("https://a.pk/", kept=False)]), engine, "hf")
    frame = polars.read_parquet(f"{exported.path}/data/train-00000.parquet")
    assert frame.height == 0 and {"id", "url", "text"} <= set(frame.columns)


def test_markup_and_marks_of_direction_come_through(engine, tmp_path):
    from xml.etree import ElementTree

    corpus = made(tmp_path, [document("https://a.pk/1?a=1&b=2")])
    vertical = (Path(export(corpus, engine, "vertical").path) / "train-00000.vrt").read_text("utf-8")
    doc = ElementTree.fromstring(vertical)
    assert doc.attrib["url"] == "https://a.pk/1?a=1&b=2" and doc.attrib["title"] == 'A "title" with marks'
    lines = [line.strip() for line in "".join(doc.itertext()).splitlines() if line.strip()]
    assert "<" in lines and "&" in lines and "\u200f" not in lines
    html = (Path(export(corpus, engine, "html").path) / "train-00000.html").read_text("utf-8")
    assert "&lt;b&gt; &amp;" in html and "<b>" not in html


def test_a_folder_that_has_files_is_not_written_to(engine, tmp_path):
    corpus = made(tmp_path / "c", [document("https://a.pk/1")])
    export(corpus, engine, "text", to=str(tmp_path / "out"))
    assert (tmp_path / "out" / "train-00000.txt").exists()
    with pytest.raises(UserError, match="not empty"):
        export(corpus, engine, "text", to=str(tmp_path / "out"))
    assert export(corpus, engine, "text").version == "v002-text"


def test_an_unknown_format_or_option_is_named_with_those_there_are(engine, tmp_path):
    corpus = made(tmp_path, [document("https://a.pk/1")])
    with pytest.raises(UserError, match="jsonl"):
        export(corpus, engine, "tei")
    with pytest.raises(UserError, match="gzip"):
        export(corpus, engine, "text", options=Options(compress="rar"))
    with pytest.raises(UserError, match="html"):
        export(corpus, engine, "warc", options=Options(content="pdf"))
    with pytest.raises(UserError, match="The format hf takes no --unit"):
        export(corpus, engine, "hf", options=Options(unit="paragraph"))
    with pytest.raises(UserError, match="no license 'gpl'"):
        export(corpus, engine, "hf", selection=Selection(licenses=("cc-by", "gpl")))
    for quality in (7, -0.1, float("nan")):
        with pytest.raises(UserError, match="no quality of"):
            Selection(min_quality=quality)


def test_documents_whose_pages_are_gone_are_left_out_and_counted_together(engine, tmp_path, web):
    import shutil

    archive = tmp_path / "web.warc.gz"
    shutil.copy(web, archive)
    create("urd", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {"engine.workers": 1})
    corpus.import_(str(archive), engine=engine)
    content = bytearray(archive.read_bytes())
    first, second, *others = corpus.documents.kept()
    for victim in (first, second):
        content[victim.offset + 40 : victim.offset + 60] = bytes(20)
    archive.write_bytes(content)
    exported = export(corpus, engine, "warc")
    assert exported.manifest["documents"] == len(others)
    assert exported.manifest["left_out"] == {"failed": 2}


def test_the_command_prints_json(engine, tmp_path):
    made(tmp_path, [document("https://a.pk/1")])
    result = CliRunner().invoke(app, ["export", "jsonl", "--project", str(tmp_path), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["version"] == "v001-jsonl"


@pytest.mark.scaled
def test_a_killed_export_leaves_no_version_and_is_done_again(engine, tmp_path, scale):
    texts = [
        document(f"https://a.pk/{n}", f"{n} {RIGHT_TO_LEFT}" * 20) for n in range(scale(300, 1500, 1500))
    ]
    corpus = made(tmp_path, texts)
    command = [sys.executable, "-m", "corpulyzer", "export", "conllu", "--project", str(tmp_path), "--quiet"]
    for seconds in scale((0.1,), (0.0, 0.5, 1.0), (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)):
        run = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        wait_for(lambda run=run: list((tmp_path / "exports").glob("work/*")) or run.poll() is not None)
        time.sleep(seconds)
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    done = len(list((tmp_path / "exports").glob("v*/manifest.json")))
    exported = export(corpus, engine, "conllu")
    assert exported.version == f"v{done + 1:03d}-conllu"
    assert not list((tmp_path / "exports").glob("work/**/*.parquet"))
    fresh = export(made(tmp_path / "fresh", list(corpus.documents)), engine, "conllu")
    name = "train-00000.conllu"
    assert (Path(exported.path) / name).read_bytes() == (Path(fresh.path) / name).read_bytes()


def test_a_file_is_no_folder_to_write_to(corpus, engine, tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(UserError, match="is a file"):
        export(corpus, engine, "jsonl", to=str(tmp_path / "taken"))


def test_lemmas_are_counted_only_where_there_are_some(engine, tmp_path):
    create("urd", tmp_path / "c")
    with pytest.raises(UserError, match="no lemmas to count"):
        export(open_corpus(tmp_path / "c"), engine, "frequency", options=Options(unit="lemma"))
