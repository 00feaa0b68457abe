"""PDF, DOCX and EPUB files become documents: in folders, in archives, at the terminal."""

import textwrap
from datetime import UTC, datetime
from io import BytesIO
from random import Random
from zipfile import ZipFile

import pytest
from lasting import engine_of
from typer.testing import CliRunner

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.cli import app
from corpulyzer.lab.demo.prose import Prose
from corpulyzer.warc import compose

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def prose(seed, count=4):
    rng = Random(seed)
    return [Prose("hrv").paragraph(rng, 5) for _ in range(count)]


def pdf_of(paragraphs):
    """A PDF file of one page with a page number: any letters, in a font of its own whose glyphs are boxes."""
    lines, y = [], 780
    for paragraph in paragraphs:
        for line in textwrap.wrap(paragraph, 95):
            lines.append((line, 40, y))
            y -= 11
        y -= 11
    lines.append(("17", 300, 20))
    codes = {
        letter: 33 + number for number, letter in enumerate(sorted({c for line, _, _ in lines for c in line}))
    }
    shown = "".join(
        f"BT /F 9 Tf {x} {y} Td <{''.join(f'{codes[c]:02x}' for c in line)}> Tj ET\n" for line, x, y in lines
    )
    first, last = min(codes.values()), max(codes.values())
    names = "".join(f"/g{code}" for code in codes.values())
    glyphs = "".join(f"/g{code} {6 if letter == ' ' else 7} 0 R" for letter, code in codes.items())
    unicode = "".join(f"<{code:02x}> <{ord(letter):04x}>\n" for letter, code in codes.items())
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Count 1/Kids[5 0 R]>>",
        f"<</Type/Font/Subtype/Type3/FontBBox[0 -200 500 800]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<{glyphs}>>"
        f"/Encoding<</Type/Encoding/Differences[{first}{names}]>>/FirstChar {first}/LastChar {last}"
        f"/Widths[{' 500' * len(codes)}]/Resources<<>>/ToUnicode 8 0 R>>",
        stream(shown),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>>>",
        stream("500 0 d0"),
        stream("500 0 0 0 450 700 d1 0 0 450 700 re f"),
        stream(
            "/CIDInit /ProcSet findresource begin begincmap /CMapType 2 def 1 begincodespacerange <00> <ff> "
            f"endcodespacerange {len(codes)} beginbfchar\n{unicode}endbfchar endcmap end"
        ),
    ]
    body = "".join(f"{number} 0 obj\n{each}\nendobj\n" for number, each in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer<</Root 1 0 R/Size {len(objects) + 1}>>\n%%EOF".encode("ascii")


def stream(content):
    return f"<</Length {len(content)}>>\nstream\n{content}\nendstream"


def zipped(members):
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def docx_of(paragraphs):
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    document = f"<w:document {WORD}><w:body>{body}</w:body></w:document>"
    return zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": document})


def epub_of(paragraphs):
    container = '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
    package = '<package><metadata/><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>'
    page = f"<html><body>{''.join(f'<p>{text}</p>' for text in paragraphs)}</body></html>"
    members = {"mimetype": "application/epub+zip", "META-INF/container.xml": container}
    return zipped({**members, "book.opf": package, "a.xhtml": page})


MAKERS = {"zakon.pdf": pdf_of, "diplomski.docx": docx_of, "knjiga.epub": epub_of, "bez-imena": pdf_of}


def squeezed(text):
    return " ".join(text.split())


def made(folder, *paths, preset="default"):
    create("hrv", folder, preset)
    corpus = open_corpus(folder, {"engine.workers": 1})
    engine = engine_of(corpus)
    registered = corpus.import_(*paths, engine=engine)
    return corpus, registered


def test_files_in_a_folder_become_documents_with_their_paragraphs(tmp_path):
    (tmp_path / "in").mkdir()
    for seed, (name, make) in enumerate(MAKERS.items()):
        (tmp_path / "in" / name).write_bytes(make(prose(seed)))
    corpus, _ = made(tmp_path / "c", tmp_path / "in")
    found = {document.url.rpartition("/")[2]: document for document in corpus.documents}
    assert set(found) == set(MAKERS)
    for seed, name in enumerate(MAKERS):
        document = found[name]
        assert document.verdict.kept, (name, document.verdict)
        assert [squeezed(text) for text in document.text.split("\n")] == [
            squeezed(text) for text in prose(seed)
        ]
        assert len(document.paragraphs) == 4 and document.language == "hrv"
    assert {document.mime for document in found.values()} == {
        "application/pdf",
        "application/epub+zip",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    }


@pytest.mark.parametrize("preset, kept", [("default", True), ("corpulyzer", False), ("hrwac", False)])
def test_a_pdf_in_an_archive_is_a_document_unless_the_preset_takes_web_pages_alone(tmp_path, preset, kept):
    archive = tmp_path / "crawl.warc.gz"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"
    identity = compose.stable_record_id("crawl", 1)
    draft = compose.response(
        "https://zakon.example/1.pdf",
        head,
        pdf_of(prose(5)),
        date=datetime(2026, 1, 1, tzinfo=UTC),
        record_id=identity,
    )
    archive.write_bytes(draft.packed())
    corpus, _ = made(tmp_path / "c", archive, preset=preset)
    (document,) = corpus.documents
    assert document.verdict.reason == ("" if kept else "mime")
    assert (squeezed(prose(5)[1]) in squeezed(document.text)) is kept


def test_a_broken_file_says_why_it_has_no_text(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing more")
    (tmp_path / "in" / "broken.docx").write_bytes(b"PK\x03\x04nothing more")
    corpus, _ = made(tmp_path / "c", tmp_path / "in")
    verdicts = {document.url.rpartition("/")[2]: document.verdict for document in corpus.documents}
    assert {name: verdict.reason for name, verdict in verdicts.items()} == {
        "broken.pdf": "no_text",
        "broken.docx": "no_text",
    }
    assert "pdf" in verdicts["broken.pdf"].detail


def test_extract_prints_the_paragraphs_of_a_pdf_and_minimal_html(tmp_path):
    (tmp_path / "a.pdf").write_bytes(pdf_of(prose(9)))
    plain = CliRunner().invoke(app, ["extract", str(tmp_path / "a.pdf")])
    assert [squeezed(line) for line in plain.stdout.splitlines()] == [squeezed(text) for text in prose(9)]
    html = CliRunner().invoke(app, ["extract", str(tmp_path / "a.pdf"), "--html"])
    assert html.stdout.count("<p>") == 4 and html.stdout.startswith("<p>")
