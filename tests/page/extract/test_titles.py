"""What a page is called: its declared title, or its heading where that title is but the name of a file."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.extract.metadata import metadata_of
from corpulyzer.page.extract.walk import blocks_of

LOGO = '<h1><a href="/">Home of rivers</a></h1>'
HEADING = "<h1 id=a>The river Sava</h1><p>It is long.</p>"


def title(declared, address="/x", body=LOGO + HEADING):
    html = f"<title>{declared}</title>{body}"
    return metadata_of(blocks_of(LexborHTMLParser(html)), f"https://a.example{address}").title


@pytest.mark.parametrize(
    ("declared", "address"),
    [
        ("rivers:sava [Home of rivers]", "/rivers/sava"),
        ("rivers:sava [Home of rivers]", "/doku.php?id=rivers:sava"),
        ("rivers/sava | Rivers", "/rivers/sava.html"),
        ("river_sava", "/w/River_Sava"),
        ("sava-long - Rivers", "/rivers/sava-long/"),
        ("reka_ščavnica", "/reka_%C5%A1%C4%8Davnica"),
        ("sava.html", "/12"),
        ("Sava.DOCX – Rivers", "/12"),
    ],
)
def test_the_name_of_a_file_gives_way_to_the_heading(declared, address):
    assert title(declared, address) == "The river Sava"


@pytest.mark.parametrize(
    ("declared", "address"),
    [
        ("Sava - Rivers", "/sava"),
        ("sava", "/sava"),
        ("The long river - Rivers", "/the-long-river"),
        ("AC/DC - Tour", "/bands/12"),
        ("Home: rivers", "/home/rivers"),
        ("rivers:sava [Home of rivers]", "/x"),
        ("Guinea-Bissau | Countries", "/guinea-bissau/"),
        ("COVID-19 - Health", "/covid-19"),
    ],
)
def test_other_titles_stay(declared, address):
    assert title(declared, address) == declared


@pytest.mark.parametrize(
    "body",
    [
        LOGO,
        f"{HEADING}<h1>The river Drava</h1>",
        f"{LOGO}<nav><h1>The river Sava</h1></nav>",
        "<h1>sava</h1>",
        "<h2>The river Sava</h2>",
    ],
)
def test_without_one_heading_that_says_something_else_the_declared_title_stays(body):
    assert title("rivers:sava [Rivers]", "/rivers/sava", body) == "rivers:sava [Rivers]"
