"""When a page was published: which of the dates that it shows is taken."""

from datetime import date

import pytest
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.page.extract.metadata import metadata_of
from corpulyzer.page.extract.walk import blocks_of


def published(html, url="https://a.example/x", **options):
    return metadata_of(blocks_of(LexborHTMLParser(html)), url, **options).published


TITLE = "<title>Bread from rye - The Daily</title>"
TEXT = "<p>Rye is a grass that was grown for a thousand years before anyone thought of 12. May 1999.</p>" * 3


@pytest.mark.parametrize(
    "html",
    [
        '<meta name="parsely-pub-date" content="2021-03-04">',
        '<meta property="article:published_time" content="Thu, 04 Mar 2021">',
        '<meta property="og:regDate" content="20210304030646">',
        '<span itemprop="datePublished" content="2021-03-04">yesterday</span>',
        '<div itemprop="datePublished">4 March 2021</div>',
        '<span property="schema:dateCreated" content="2021-03-04T12:45:46+00:00" class="rdf-meta hidden"></span>',
        '<span property="dc:date dc:created" content="2021-03-04T12:45:46+00:00">Submitted by Ana</span>',
        '<abbr class="published" title="2021-03-04">on Thursday</abbr>',
        '<script>var page = {"publishedAt": "2021-03-04T01:02:03Z"}</script>',
        f"{TITLE}<h1>Bread from rye</h1><p>By Ana Anić | 4 March 2021</p>{TEXT}",
        f"{TITLE}<div class=post-date>04.03.2021</div><h1>Bread from rye</h1>{TEXT}",
        f"{TITLE}<h1>Bread from rye</h1>{TEXT}{TEXT}{TEXT}{TEXT}{TEXT}<p>Published: 4 March 2021</p>",
        f"{TITLE}<h1>Bread from rye</h1>{TEXT}<footer>Last modified: 4 March 2021</footer>",
        f"<html lang=el>{TITLE}<h1>Bread from rye</h1><p>04/03/21-15:20</p>{TEXT}",
        f"{TITLE}<h1>Bread from rye</h1><div>Baking<span class=post-date>March 4. 2021</span>5 minutes</div>{TEXT}",
        f"{TITLE}<h1>Bread from rye</h1><div>Baking<span class=Posted>March 4. 2021</span>5 minutes</div>{TEXT}",
        f"{TITLE}<p>Baking | 4 March 2021</p><h1>Bread from rye</h1>{TEXT}",
        f"{TITLE}<h1>Bread from rye</h1>{TEXT}<footer class=entry-footer><time>4 March 2021</time></footer>",
        f'{TITLE}<h1>Bread from rye</h1><p data-published="2021-03-04T01:02:03Z">Today</p>',
        f"{TITLE}<h1>Bread from rye</h1><p>Baking<span>March 4, 2021</span></p>{TEXT}",
        f"{TITLE}<h1>Bread from rye</h1><p>x</p>{TEXT * 5}<p>x <b class=timeago title=2021-03-04T01:02:03Z></b></p>",
        f"{TITLE}<h1>Bread from rye</h1>{TEXT * 5}<p>Written on 4 March 2021 by <a href=a>Ana</a>{', baker' * 30}</p>",
        f"{TITLE}<h1>Bread from rye</h1><p>BERLIN, 4. März 2021 - {'Rye is a grass. ' * 20}</p>",
    ],
)
def test_a_date_is_found_wherever_it_stands(html):
    assert published(html)[:10] == "2021-03-04"


def test_the_day_of_the_address_is_that_of_the_publisher():
    late = '<meta property="article:published_time" content="2021-03-05T02:10:00Z">'
    same = '<meta property="article:published_time" content="2021-03-04T22:10:00Z">'
    assert published(late, "https://a.example/2021/03/04/rye") == "2021-03-04"
    assert published(same, "https://a.example/2021/03/04/rye") == "2021-03-04T22:10:00+00:00"
    assert published("<p>", "https://a.example/20210304/rye") == "2021-03-04"
    assert published("<p>", "https://a.example/id/20219904") == ""


def test_dates_of_other_pages_and_comments_do_not_count():
    lists = "<aside><time datetime=2021-05-01>1 May</time></aside><ul class=related><li><time datetime=2021-05-02>"
    comment = "<div class=comments><div class=comment-meta>5 May 2021, 10:12</div></div>"
    article = f"{TITLE}<h1>Bread from rye</h1><time datetime=2021-03-04>4 March 2021</time>{TEXT}"
    assert published(lists + "</ul>" + article + comment) == "2021-03-04"
    assert published(f"{TITLE}<h1>Bread from rye</h1>{TEXT}{comment}") == ""


def test_of_many_times_the_one_under_the_title_counts():
    others = "".join(f"<p><time pubdate datetime=2021-06-0{n}>{n} June 2021</time></p>" for n in range(1, 5))
    own = f"{TITLE}{others}<h1>Bread from rye</h1><p><time datetime=2021-03-04>4 March 2021</time></p>{TEXT}"
    assert published(own) == "2021-03-04"


@pytest.mark.parametrize(
    "line",
    [
        "This page was last edited on 4 March 2021, at 10:12.",
        "Čas zadnje spremembe strani: 10:12, 4. marec 2021.",
        "tema/rž.txt · Zadnja sprememba: 2021/03/04 09:30 uporabnika admin",
        "Sayfa en son 10:12, 4 Mart 2021 tarihinde değiştirildi.",
        "最終更新: 2021/03/04 10:12",
        "Última modificação: 04.03.2021",
        "Цю сторінку востаннє відредаговано о 10:12 4 березня 2021 року.",
        "آخر تعديل لهذه الصفحة: ٤ مارس ٢٠٢١",
        "<div id=footer-info-lastmod>Iminap naggudua: 4 March 2021</div>",
    ],
)
def test_a_note_of_the_last_change_counts_where_nothing_else_does(line):
    page = f"{TITLE}<h1>Bread from rye</h1>{TEXT * 2}<footer><ul><li>{line}</li></ul></footer>"
    assert published(page) == "2021-03-04"
    assert published(f'<meta name=date content="2021-01-02">{page}') == "2021-01-02"


def test_a_line_of_the_footer_that_tells_of_no_change_is_no_date():
    page = f"{TITLE}<h1>Bread from rye</h1>{TEXT * 2}<footer><p>Next market: 4 March 2021</p></footer>"
    assert published(page) == ""


def test_what_a_time_element_says_counts_more_than_its_attribute():
    told = "<p><time datetime=2021-03-09T10:18:46Z>Publié le 4 mars 2021</time></p>"
    same = "<p><time datetime=2021-03-04T10:18:46Z>Publié le 4 mars 2021</time></p>"
    assert published(f"{TITLE}<h1>Bread from rye</h1>{told}{TEXT}") == "2021-03-04"
    assert published(f"{TITLE}<h1>Bread from rye</h1>{same}{TEXT}") == "2021-03-04T10:18:46+00:00"


def test_elements_of_many_days_are_those_of_a_list():
    def listed(days):
        return "".join(f"<p>{TEXT} <b class=item-date>{day} March 2021</b></p>" for day in range(1, days + 1))

    assert published(f"{TITLE}<h1>Bread from rye</h1>{TEXT * 5}{listed(1)}") == "2021-03-01"
    assert published(f"{TITLE}<h1>Bread from rye</h1>{TEXT * 5}{listed(5)}") == ""


def test_a_year_of_copyright_is_no_date():
    assert published(f"{TITLE}<h1>Bread from rye</h1>{TEXT}<p>© 4 March 2021 The Daily</p>") == ""


def test_a_date_after_the_fetch_is_refused():
    html = '<meta name=date content="2031-01-01"><meta name=pubdate content="2021-03-04">'
    assert published(html, fetched=date(2022, 1, 1)) == "2021-03-04"
    assert published('<meta name=date content="2031-01-01">', fetched=date(2022, 1, 1)) == ""


def test_the_day_of_the_visit_above_the_title_is_no_date_of_publication():
    html = f"{TITLE}<div class=date>4 March 2021</div><h1>Bread from rye</h1>{TEXT}"
    assert published(html, fetched=date(2021, 3, 4)) == ""
    assert published(html, fetched=date(2021, 3, 9)) == "2021-03-04"


def test_a_persian_date_is_not_stored_as_if_it_were_ours():
    html = '<html lang="fa"><meta property="article:published_time" content="1399-12-14">'
    assert published(html) == "2021-03-04"
    assert published('<meta property="article:published_time" content="1399-12-14">') == ""
