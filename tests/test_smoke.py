"""A small corpus from the crawl to report and exports: what dependencies are needed for is done once."""

import io
import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from typer.testing import CliRunner
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import corpulyzer
from corpulyzer.api.corpus import open_corpus
from corpulyzer.cli import app
from corpulyzer.export.formats import FORMATS
from corpulyzer.jobs.export import export
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.page.extract import EXTRACTORS

pytestmark = pytest.mark.smoke
KINDS = (
    "crawl.warc.gz",
    "page.html",
    "paper.pdf",
    "news.jsonl",
    "news.jsonl.zst",
    "more.parquet",
    "book.txt",
)
# Extractors of packages that nothing here depends on.
OTHER_PACKAGES = {"boilerpy3", "justext_package", "readability", "trafilatura", "resiliparse"}
PDF = b"""%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Count 1/Kids[5 0 R]>> endobj
3 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
4 0 obj <</Length 44>>
stream
BT /F 10 Tf 50 700 Td (A line of text.) Tj ET

endstream
endobj
5 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>>> endobj
trailer<</Root 1 0 R/Size 6>>
%%EOF"""


def command(*arguments):
    """What a command prints."""
    done = CliRunner(env={"CORPULYZER_ENGINE_WORKERS": "1"}).invoke(app, [str(each) for each in arguments])
    assert done.exit_code == 0, f"{done.output}\n{done.exception}"
    return done.stdout


def told(*arguments):
    """What a command tells other programs."""
    return json.loads(command(*arguments, "--json"))


def article(seed):
    return Prose("urd").article(random.Random(seed), paragraphs=4, sentences=4).text


def page(seed):
    paragraphs = "".join(f"<p>{line}</p>" for line in article(seed).splitlines())
    return f"<html lang=ur><title>{seed}</title><body><article>{paragraphs}</article></body></html>".encode()


def archive(seed):
    sink = io.BytesIO()
    head = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
    writer, payload = WARCWriter(sink, gzip=True), io.BytesIO(page(seed))
    url = f"https://warc.example/{seed}"
    writer.write_record(writer.create_warc_record(url, "response", payload=payload, http_headers=head))
    return sink.getvalue()


@pytest.fixture(scope="module")
def inbox(tmp_path_factory):
    """A file of each kind that can be imported."""
    folder = tmp_path_factory.mktemp("inbox")
    rows = [{"url": f"https://rows.example/{n}", "text": article(n)} for n in range(8)]
    lines = "".join(json.dumps(row) + "\n" for row in rows[:4]).encode()
    pq.write_table(pa.Table.from_pylist(rows[4:]), folder / "more.parquet")
    contents = (archive(20), page(21), PDF, lines, zstandard.compress(lines), None, article(22).encode())
    for name, content in zip(KINDS, contents, strict=True):
        if content is not None:
            (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory, inbox):
    """A corpus that was crawled and imported."""
    folder = tmp_path_factory.mktemp("smoke") / "urduweb"
    web = BuiltInWeb("urd", sites=12, pages=200)
    command("init", "urd", folder)
    command("seeds", "add", *web.seeds(6, 0.5), "--project", folder)
    with web.serve() as server:
        here = ["--proxy", server.proxy_url, "--allow-private", "--delay", 0, "--contact", "a@b.example"]
        command("crawl", "--pages", 30, *here, "--project", folder)
    command("import", inbox, "--project", folder)
    return folder


@pytest.fixture(scope="module")
def corpus(project):
    return open_corpus(project, {"engine.workers": 1})


def test_a_crawl_and_files_of_every_kind_become_documents(corpus):
    urls = corpus.documents.arrow(["url"])["url"].to_pylist()
    kept = corpus.documents.kept().arrow(["url"])["url"].to_pylist()
    assert sum(url.startswith("http://") for url in urls) >= 20, "the crawl"
    for start in ("https://warc.example/20", "https://rows.example/0", "https://rows.example/7"):
        assert any(url.startswith(start) for url in kept), start
    for end in ("page.html", "paper.pdf", "book.txt"):
        assert any(url.endswith(end) for url in urls), end
    (paper,) = (each for each in corpus.documents if each.url.endswith("paper.pdf"))
    assert paper.text == "A line of text."


def test_the_rows_that_came_twice_are_copies(project):
    levels = {level["level"]: level for level in told("dedup", "--project", project)["levels"]}
    assert levels["document"]["duplicates"] >= 4 and levels["near"]["method"] == "minhash"


def test_documents_are_annotated_and_found(project):
    assert told("annotate", "--project", project)["morphs"]
    assert told("search", "ہے", "--project", project)["lines"]


def test_the_report_has_figures_and_measures_are_frames_and_charts(corpus, engine):
    corpus.report(engine=engine)
    assert "vega" in corpus.storage.read("report/index.html").decode()
    result = corpus.analyze("funnel")["funnel"]
    assert result.table.height == result.rows.num_rows
    assert result.figure().to_dict()["data"] and result.svg().startswith("<svg") and result.png()


@pytest.mark.parametrize("format", FORMATS.ours)
def test_the_corpus_is_exported_in_every_format(corpus, engine, format):
    assert export(corpus, engine, format).manifest["documents"] > 0


@pytest.mark.parametrize("name", sorted(EXTRACTORS.ours.keys() - OTHER_PACKAGES))
def test_every_extractor_finds_the_text(name):
    assert article(1).splitlines()[0] in corpulyzer.extract(page(1), extractor=name).text


def test_the_language_of_a_text_is_told():
    assert corpulyzer.identify(article(1)).language == "urd"


def test_documents_are_read_by_other_libraries(corpus):
    documents = corpus.documents.kept()
    assert len(documents) == documents.polars().height == len(documents.duckdb().fetchall())
