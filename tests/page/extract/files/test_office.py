"""DOCX and EPUB files are read like pages."""

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from corpulyzer.page.extract import extract
from corpulyzer.page.extract.files.office import MAX_MEMBER_BYTES

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def zipped(members):
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content, ZIP_DEFLATED if len(content) > 1000 else None)
    return buffer.getvalue()


def docx(body):
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": f"<w:document {WORD}><w:body>{body}</w:body></w:document>",
        }
    )


def test_docx_paragraphs_headings_and_list_items():
    found = extract(
        docx(
            '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Naslov</w:t></w:r></w:p>'
            "<w:p><w:r><w:t>Jedna </w:t></w:r><w:r><w:t>rečenica.</w:t><w:br/><w:t>Druga.</w:t></w:r></w:p>"
            "<w:p/><w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>stavka</w:t></w:r></w:p>"
        )
    )
    assert found.paragraphs == ("Naslov", "Jedna rečenica. Druga.", "stavka")
    assert found.kinds == ("h", "p", "li")


def test_epub_chapters_come_in_reading_order_without_the_table_of_contents():
    package = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
      <dc:title>Incwadi</dc:title><dc:creator>S. E. K. Mqhayi</dc:creator><dc:language>xh</dc:language></metadata>
      <manifest><item id="b" href="b%20c.xhtml"/><item id="a" href="a.xhtml"/><item id="n" href="n.xhtml" properties="nav"/>
      </manifest><spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>"""
    found = extract(
        zipped(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": '<container><rootfiles><rootfile full-path="O/p.opf"/></rootfiles></container>',
                "O/p.opf": package,
                "O/a.xhtml": "<html><body><h1>Isahluko</h1><p>Okokuqala.</p></body></html>",
                "O/b c.xhtml": "<html><body><p>Okwesibini.</p></body></html>",
                "O/n.xhtml": "<html><body><p>Contents</p></body></html>",
            }
        )
    )
    assert found.paragraphs == ("Isahluko", "Okokuqala.", "Okwesibini.")
    assert (found.title, found.author, found.language) == ("Incwadi", "S. E. K. Mqhayi", "xh")


def test_an_epub_whose_media_type_is_compressed_is_a_book_all_the_same():
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml", '<rootfile full-path="p.opf"/>'.join(("<container>", "</container>"))
        )
        archive.writestr(
            "p.opf",
            '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
        )
        archive.writestr("a.xhtml", "<html><body><p>Okokuqala.</p></body></html>")
    assert b"application/epub+zip" not in buffer.getvalue(), "the words are compressed"
    assert extract(buffer.getvalue()).paragraphs == ("Okokuqala.",)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"PK\x03\x04 broken", "docx_unreadable"),
        (zipped({"x.txt": "no document"}), "docx_unreadable"),
        (docx("<w:p/>"), "docx_without_text"),
        (docx("<broken"), "docx_unreadable"),
        (zipped({"mimetype": "application/epub+zip"}), "epub_unreadable"),
    ],
)
def test_a_file_that_gives_no_text_says_why(body, reason):
    assert extract(body).reason.startswith(reason)


def test_a_member_that_unpacks_to_too_much_is_not_unpacked():
    bomb = docx(" " * (MAX_MEMBER_BYTES + 1))
    assert len(bomb) < 1_000_000
    assert "unpacks to more than" in extract(bomb).reason
