"""A crawl for one language of a web that others wrote, against what was put in and what the servers saw."""

import shutil
import sys

import pytest
from servers import missing

WANT = 0.98
F1 = 0.95
# A small site has a homepage, sitemaps and lists as a large one has, and they weigh more there.
MOST_WASTE = {"full": 0.12, "short": 0.38}
MOST_WASTE_OF_A_HOST = {"full": 0.15, "short": 0.46}
MAPPED = ("novice.example", "zapiski.example", "wiki.example", "prirocnik.example")
HEAD = (
    "",
    "articles",
    "found",
    "requests",
    "waste",
    "maps",
    "traps",
    "forbidden",
    "documents",
    "copies",
    "titles",
    "dates",
    "F1",
)


@pytest.fixture(scope="module")
def crawled(shared_data, scale, tmp_path_factory):
    """What a crawl of the whole web came to; the servers have ended."""
    if absent := missing():
        pytest.skip(
            f"a web that others wrote needs {', '.join(absent)}: `make realweb` installs it where it may"
        )
    from score import crawl, score

    from web import real_web

    lid, folder = shared_data("lid.tar.gz"), tmp_path_factory.mktemp("real_web")
    with real_web(folder / "web", lid, *scale((0, 0), (8, 2), (27, 14))) as web:
        corpus, ended = crawl(folder / "corpus", web.homepages, web.servers.proxy)
        result = score(corpus, ended.reason, web, web.servers.requests())
    yield result
    shutil.rmtree(folder)


@pytest.mark.endurance
def test_the_articles_of_the_language_are_found_once_each_and_little_else_is_asked_for(
    crawled, scale, capsys
):
    from web import SOFTWARE

    total = crawled.all
    with capsys.disabled():
        sys.stdout.write(f"\n{crawled.reason}\n{table(crawled, SOFTWARE)}\n")
    asked = "\n".join(f"{host}{path}" for host, scored in crawled.hosts.items() for path in scored.outside)
    assert total.traps == 0, asked
    assert total.wrong == 0, "robots.txt forbids it"
    assert total.found >= WANT * total.articles
    assert total.repeated == 0, "an article stands in the corpus twice"
    assert total.words.f1 >= F1
    size = scale("", "short", "full")
    assert total.waste <= MOST_WASTE[size], asked
    assert max(scored.waste for scored in crawled.hosts.values()) <= MOST_WASTE_OF_A_HOST[size], asked
    assert all(crawled.hosts[host].maps for host in MAPPED), "sitemaps are read"


@pytest.mark.endurance
def test_titles_and_dates_that_pages_declare_are_those_of_the_articles(crawled):
    """DokuWiki declares its file's name as title, and both wikis say only in words when a page was changed."""
    for host, scored in crawled.hosts.items():
        assert scored.titles == scored.found, host
        assert scored.dates == scored.found, host


def table(crawled, software) -> str:
    """The result by program, and in all."""
    rows = [HEAD]
    for name, scored in [
        *((software[host], scored) for host, scored in crawled.hosts.items()),
        ("all", crawled.all),
    ]:
        counts = (
            scored.maps,
            scored.traps,
            scored.wrong,
            scored.documents,
            scored.repeated,
            scored.titles,
            scored.dates,
        )
        shares = (f"{scored.waste:.1%}", *map(str, counts), f"{scored.words.f1:.3f}")
        rows.append((name, *map(str, (scored.articles, scored.found, scored.requests)), *shares))
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
    )
