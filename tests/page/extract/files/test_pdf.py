"""PDF files give paragraphs, without what every page repeats."""

from corpulyzer.page.extract import Extract, extract
from corpulyzer.page.extract.decode import decode
from corpulyzer.page.extract.files.pdf import Line, paragraphs_of
from corpulyzer.records import Page


def pdf_of(pages):
    """A PDF file with lines of text at (x, y) on each page, in Helvetica 10."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids = []
    for lines in pages:
        shown = "".join(f"BT /F 10 Tf {x} {y} Td ({text}) Tj ET\n" for text, x, y in lines).encode("latin-1")
        objects.append(b"<</Length %d>>\nstream\n%s\nendstream" % (len(shown), shown))
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>>>"
            % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(kids))
    body = b"%PDF-1.4\n"
    for number, content in enumerate(objects, 1):
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    return body + b"trailer<</Root 1 0 R/Size %d>>\n%%%%EOF" % (len(objects) + 1)


def page(number, *texts):
    lines = [
        ("Zbornik radova", 50, 780),
        *((text, 50, 700 - 12 * i) for i, text in enumerate(texts)),
        (f"- {number} -", 300, 20),
    ]
    return [line for line in lines if line[0]]


LONG = "This line is long enough to reach the right margin of the column of text"


def test_lines_become_paragraphs_and_running_heads_and_page_numbers_go():
    pages = [
        page(
            1,
            f"{LONG} one",
            f"{LONG} two",
            "and ends here.",
            f"{LONG} three",
            "again.",
            "",
            "Apart",
            "",
            f"{LONG} four",
        ),
        page(2, "goes on overleaf.", f"{LONG} five", "the end."),
        page(3, "Last page."),
    ]
    found = extract(pdf_of(pages))
    assert found.paragraphs == (
        f"{LONG} one {LONG} two and ends here.",
        f"{LONG} three again.",
        "Apart",
        f"{LONG} four goes on overleaf.",
        f"{LONG} five the end.",
        "Last page.",
    )


def test_what_stands_at_the_edge_of_two_pages_only_is_text():
    pages = [[("Same first line", 50, 780), (LONG, 50, 700), ("x.", 50, 688)] for _ in range(2)]
    assert extract(pdf_of(pages)).paragraphs.count("Same first line") == 2


def lines(*texts, indent=0):
    return [
        Line(text, 50.0 + (indent if i else 0), 700.0 - 12 * i, 500.0, 710.0 - 12 * i)
        for i, text in enumerate(texts)
    ]


def test_words_parted_at_the_end_of_a_line_are_put_together():
    assert paragraphs_of([lines("sveuči-", "lišta")]) == ["sveučilišta"]
    assert paragraphs_of([lines("kwi-", "Afrika")]) == ["kwi- Afrika"]


def test_an_indented_line_begins_a_paragraph():
    assert paragraphs_of([[*lines("one", "two"), Line("three", 70.0, 676.0, 500.0, 686.0)]]) == [
        "one two",
        "three",
    ]


def test_a_file_that_cannot_be_read_or_has_no_text_says_so():
    assert extract(b"%PDF-1.7 nonsense").reason.startswith("pdf_unreadable")
    assert extract(pdf_of([[]])).reason == "pdf_without_text"


def test_the_stage_reads_a_pdf_whatever_the_server_calls_it():
    page_of_pdf = Page(
        "https://a.example/x", body=pdf_of([[("Text.", 50, 400)]]), mime="application/octet-stream"
    )
    assert Extract()(decode(page_of_pdf)).text == "Text."
