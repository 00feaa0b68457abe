"""From archive to corpus and back: import, process, funnel, and what an interruption leaves."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import pairwise

import pytest
from lasting import engine_of

import corpulyzer
from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.lab.demo.archive import write_archive
from corpulyzer.records import Document
from corpulyzer.records.columns import batch_of, schema_of
from corpulyzer.storage import ParquetSink


@pytest.fixture(scope="module")
def truths(tmp_path_factory):
    path = tmp_path_factory.mktemp("web") / "web.warc.gz"
    return path, write_archive(path)


@pytest.fixture(scope="module")
def corpus(truths, tmp_path_factory):
    return imported(tmp_path_factory.mktemp("corpus") / "urduweb", truths[0])


def imported(folder, archive, **flags):
    create("urd", folder)
    corpus = open_corpus(folder, {"engine.workers": 2, **flags})
    engine = engine_of(corpus)
    corpus.import_(str(archive), engine=engine)
    return corpus


def rows(corpus, table="documents"):
    """All rows of a table, sorted by what identifies them."""
    import pyarrow.dataset as ds

    files = [corpus.storage.path(file) for file in corpus.storage.list(table, ".parquet")]
    found = ds.dataset(files).to_table().to_pylist()
    return sorted(found, key=lambda row: json.dumps(row, default=str, sort_keys=True))


def test_every_record_is_a_document_or_says_why_not(corpus, truths):
    funnel = corpus.funnel()
    first, last = funnel.steps[0], funnel.steps[-1]
    dropped = sum(sum(step.dropped.values()) for step in funnel.steps)
    assert first.pages == last.pages + dropped
    assert last.pages == len(corpus.documents.kept()) > 0


def test_the_funnel_never_widens(corpus):
    steps = corpus.funnel().steps
    for before, after in pairwise(steps):
        assert after.pages <= before.pages
        assert after.sites <= before.sites
        assert after.target_bytes <= before.target_bytes


def test_rich_urdu_pages_are_kept_and_pages_without_urdu_are_not(corpus, truths):
    verdicts = {document.url: document.verdict for document in corpus.documents}
    rich = [t for t in truths[1] if t.kind == "rich" and t.language == "urd"]
    foreign = [
        t for t in truths[1] if t.language in ("eng", "hrv", "slv", "xho", "zul") and t.url in verdicts
    ]
    assert rich and all(verdicts[t.url].kept for t in rich)
    assert foreign and not any(verdicts[t.url].kept for t in foreign if t.kind == "foreign")


def test_a_document_knows_where_it_came_from(corpus, truths):
    from corpulyzer.warc import ArchiveReader, page_of

    document = next(iter(corpus.documents.kept()))
    fetch = next(row for row in rows(corpus, "fetches") if row["id"] == document.id)
    from corpulyzer.records import Fetch
    from corpulyzer.records.columns import record_of

    with ArchiveReader({document.archive: str(truths[0])}) as reader:
        page = page_of(record_of(Fetch, fetch), reader.read(record_of(Fetch, fetch)))
    import hashlib

    assert hashlib.sha224(page.body).hexdigest() == document.raw_digest
    assert page.url == document.url


def test_paragraphs_are_spans_that_cover_the_text(corpus):
    for document in corpus.documents.kept():
        texts = [document.text[p.start : p.end] for p in document.paragraphs]
        assert "\n".join(texts) == document.text
        assert sum(sum(p.languages.values()) for p in document.paragraphs) <= document.text_bytes
        assert document.target_bytes == document.languages.get("urd", 0)


def test_processing_again_makes_nothing_and_a_lost_table_is_made_again(truths, tmp_path):
    corpus = imported(tmp_path / "c", truths[0])
    before = {table: rows(corpus, table) for table in ("fetches", "documents", "links")}
    engine = engine_of(corpus)
    assert corpus.process(engine=engine) == 0
    for table in before:
        for file in corpus.storage.list(table, ".parquet"):
            corpus.storage.delete(file)
    assert corpus.process(engine=engine) > 0
    assert {table: rows(corpus, table) for table in before} == before


def test_a_changed_threshold_changes_verdicts_alone_and_equals_a_full_run(truths, tmp_path):
    corpus = imported(tmp_path / "c", truths[0])
    links = [corpus.storage.read(file) for file in corpus.storage.list("links")]
    changed = open_corpus(tmp_path / "c", {"filter.content_size.min_bytes": 4000, "engine.workers": 1})
    engine = engine_of(changed)
    assert changed.process(engine=engine) > 0
    assert len(changed.documents.kept()) < len(imported(tmp_path / "before", truths[0]).documents.kept())
    assert [corpus.storage.read(file) for file in corpus.storage.list("links")] == links
    fresh = imported(tmp_path / "fresh", truths[0], **{"filter.content_size.min_bytes": 4000})
    assert rows(changed) == rows(fresh)


@pytest.mark.parametrize("start", ["index", "extract", "identify", "filter"])
def test_processing_from_any_stage_gives_the_same_documents(corpus, truths, tmp_path, start):
    again = imported(tmp_path / "c", truths[0])
    engine = engine_of(again)
    assert again.process(start, engine=engine) > 0
    assert rows(again) == rows(corpus)


def test_an_unknown_stage_is_the_users_error(corpus):
    engine = engine_of(corpus)
    with pytest.raises(UserError, match="polish"):
        corpus.process("polish", engine=engine)


def test_importing_the_same_archive_twice_changes_nothing(truths, tmp_path, corpus):
    again = imported(tmp_path / "c", truths[0])
    engine = engine_of(again)
    again.import_(str(truths[0]), engine=engine)
    assert rows(again) == rows(corpus)


def test_an_archive_that_was_moved_is_named(truths, tmp_path):
    archive = tmp_path / "moving.warc.gz"
    archive.write_bytes(truths[0].read_bytes())
    corpus = imported(tmp_path / "c", archive)
    archive.unlink()
    engine = engine_of(corpus)
    with pytest.raises(UserError, match=r"moving\.warc\.gz"):
        corpus.process("extract", engine=engine)
    assert len(corpus.documents) > 0


@pytest.mark.scaled
def test_killed_at_any_instant_the_same_command_goes_on(truths, tmp_path, corpus, scale):
    """kill -9 of the whole process group, at instants spread over the run; then once to the end."""
    folder = tmp_path / "c"
    create("urd", folder)
    command = [
        sys.executable,
        "-m",
        "corpulyzer",
        "import",
        str(truths[0]),
        "--project",
        str(folder),
        "--quiet",
    ]
    delays = [0.1 * n for n in range(1, 20)]
    for delay in scale((0.6, 1.2), delays[::2], delays * 10):
        process = subprocess.Popen(command, start_new_session=True)
        time.sleep(delay)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert subprocess.run(command, check=False).returncode == 0
    assert rows(open_corpus(folder)) == rows(corpus)


def test_opening_what_is_no_corpus_says_how_to_make_one(tmp_path):
    with pytest.raises(UserError, match="no corpus folder") as caught:
        corpulyzer.open(tmp_path)
    assert "corpulyzer init" in caught.value.hint


def test_a_corpus_is_never_overwritten(tmp_path):
    create("xho", tmp_path / "c")
    with pytest.raises(UserError, match="exists already"):
        create("urd", tmp_path / "c")


def test_an_empty_corpus_has_an_empty_funnel(tmp_path):
    corpus = create("xho", tmp_path / "c")
    assert [step.pages for step in corpus.funnel().steps] == [0] * len(corpus.funnel().steps)
    assert len(corpus.documents) == 0


def test_documents_are_read_as_arrow_duckdb_and_polars(corpus):
    kept = corpus.documents.kept()
    assert kept.arrow(["url"]).num_rows == kept.polars().height == len(kept.duckdb().fetchall()) == len(kept)
    assert len(list(kept.texts())) == len(kept)
    site = next(iter(kept)).site
    assert {d.site for d in kept.filter(site=site)} == {site}
    with pytest.raises(ValueError, match="no column 'sight'"):
        kept.filter(sight="x")


def test_files_that_cannot_have_documents_of_a_site_are_not_opened(tmp_path):
    folder = tmp_path / "c"
    create("xho", folder)
    corpus = open_corpus(folder, {"engine.workers": 2})
    for site in "ab":
        text = "Abantu bathetha isiXhosa eMzantsi Afrika namhlanje."
        (tmp_path / f"{site}.jsonl").write_text(json.dumps({"url": f"http://{site}.example/1", "text": text}))
        corpus.import_(str(tmp_path / f"{site}.jsonl"), engine=engine_of(corpus))
    others = corpus.documents.filter(site="b.example")
    first, _ = corpus.documents.files
    corpus.storage.write(first, b"not Parquet")
    assert [document.url for document in others] == ["http://b.example/1"]


def test_a_selection_that_was_made_before_finds_documents_as_they_are_now(tmp_path):
    create("xho", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {"engine.workers": 2})
    text = "Abantu bathetha isiXhosa eMzantsi Afrika namhlanje."
    (tmp_path / "a.jsonl").write_text(json.dumps({"url": "http://a.example/1", "text": text}))
    corpus.import_(str(tmp_path / "a.jsonl"), engine=engine_of(corpus))
    documents = corpus.documents
    (before,) = documents
    (file,) = documents.files
    with ParquetSink(corpus.storage.path(file), schema_of(Document), "another") as sink:
        sink.write(batch_of([replace(before, site="z.example")], Document))
    Table(corpus.storage, "documents").note([file.removeprefix("documents/")])
    assert [len(documents.filter(site=site)) for site in (before.site, "z.example")] == [0, 1]


def test_the_funnel_shows_itself_in_a_notebook(corpus):
    assert "<table>" in corpus.funnel()._repr_html_()


def test_tables_of_another_version_are_named_with_the_command_that_makes_them_again(truths, tmp_path):
    import pyarrow.parquet as pq

    corpus = imported(tmp_path / "c", truths[0])
    part = corpus.storage.path(corpus.storage.list("documents")[0])
    pq.write_table(pq.read_table(part).drop_columns(["tokens"]).replace_schema_metadata(None), part)
    with pytest.raises(UserError, match="tokens") as caught:
        corpus.funnel()
    assert "corpulyzer process --from index" in caught.value.hint
    engine = engine_of(corpus)
    assert corpus.process("index", engine=engine) > 0
    assert corpus.funnel().tokens > 0
