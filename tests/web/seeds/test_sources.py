"""Seeds out of Wikipedia's dumps, lists by rank, sitemaps and graphs of links."""

import gzip
import json
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import run
from local_services import Asked, Reply, serve
from small_wiki import write_wiki

from corpulyzer.web.seeds.wikipedia.sql_dump import rows_of


@pytest.fixture
def project(tmp_path):
    run("init", "isiXhosa", str(tmp_path / "xho"))
    return tmp_path / "xho"


def listed(project):
    return json.loads(run("seeds", "list", "--json", "--project", str(project)).stdout)


def seeds(project, *arguments, code=0):
    done = run("seeds", *arguments, "--project", str(project), "--json", code=code)
    return json.loads(done.stdout) if not code else done.stderr


@pytest.mark.parametrize("form", ["new", "old"])
def test_the_links_of_articles_are_ranked_by_site_without_wikimedia(project, tmp_path, form):
    write_wiki(tmp_path / "dumps", form)
    told = seeds(project, "wikipedia", "--dumps", str(tmp_path / "dumps"), "--per-site", "9")
    assert told["links"] == 5 and told["sites"] == 2
    assert told["left_out"] == {"Wikimedia": 1, "catalogue": 1}
    found = [(seed["url"], seed["rank"], seed["source"]) for seed in listed(project)]
    assert found == [
        ("https://www.isolezwelesixhosa.co.za/iindaba/1", 1, "wikipedia"),
        ("https://www.isolezwelesixhosa.co.za/iindaba/2", 1, "wikipedia"),
        ("http://isolezwelesixhosa.co.za/x?a=%27b%27", 1, "wikipedia"),
        ("http://umhlobo.co.za:8080/", 2, "wikipedia"),
        ("http://umhlobo.co.za/old", 2, "wikipedia"),
    ]
    assert listed(project)[0]["detail"] == "xhwiki, 3 links to isolezwelesixhosa.co.za"


def test_the_wikipedia_of_each_language_is_read_or_that_of_one(tmp_path):
    run("init", "--languages", "xho,zul,hrv", str(tmp_path / "three"))
    write_wiki(tmp_path / "dumps")
    write_wiki(tmp_path / "dumps", wiki="zuwiki")
    told = seeds(tmp_path / "three", "wikipedia", "--dumps", str(tmp_path / "dumps"), "--per-site", "9")
    assert (told["links"], told["sites"], told["added"], told["known"]) == (10, 4, 5, 5)
    assert told["left_out"] == {"Wikimedia": 2, "catalogue": 2}
    assert "hrwiki" in told["unread"]["hrv"] and len(told["unread"]) == 1
    asked = ["wikipedia", "--dumps", str(tmp_path / "dumps"), "--language"]
    assert seeds(tmp_path / "three", *asked, "zul")["links"] == 5
    assert "hrwiki" in seeds(tmp_path / "three", *asked, "hrv", code=1)
    xml = str(tmp_path / "dumps" / "xhwiki-latest-pages-articles.xml.bz2")
    assert "--language" in seeds(tmp_path / "three", "wikipedia", "--xml", xml, code=1)


def test_what_the_language_is_called_elsewhere_is_told(project, tmp_path):
    write_wiki(tmp_path / "dumps")
    told = seeds(project, "wikipedia", "--dumps", str(tmp_path / "dumps"))
    assert told["names"] == {"en": "Xhosa language", "pt": "Língua xhosa"}


def test_the_xml_dump_gives_links_and_words(project, tmp_path):
    write_wiki(tmp_path / "dumps")
    xml = str(tmp_path / "dumps" / "xhwiki-latest-pages-articles.xml.bz2")
    words = tmp_path / "words.tsv"
    told = seeds(project, "wikipedia", "--xml", xml, "--words-to", str(words), "--homepages")
    assert (told["links"], told["sites"], told["left_out"]) == (4, 2, {"Wikimedia": 1})
    assert [seed["url"] for seed in listed(project)] == [
        *("https://www.isolezwelesixhosa.co.za/", "http://umhlobo.co.za:8080/"),
    ]
    counted = dict(line.split("\t") for line in words.read_text("utf-8").splitlines())
    assert counted["abantu"] == "2" and counted["isixhosa"] == "2" and "lwabantu" in counted
    assert "cite" not in counted and "ulwimi" not in counted and "https" not in counted
    asked = run(
        "seeds",
        "search",
        "--provider",
        "searxng",
        "--words",
        str(words),
        "--dry-run",
        "--project",
        str(project),
    )
    assert set(asked.stdout.split()) <= set(counted)


def test_dumps_come_from_a_server_with_byte_ranges(project, tmp_path):
    write_wiki(tmp_path / "xhwiki" / "latest")

    def service(asked: Asked) -> Reply:
        file = tmp_path / asked.path.strip("/")
        if not file.is_file():
            return Reply(404)
        first, _, last = asked.headers["range"].removeprefix("bytes=").partition("-")
        content, start = file.read_bytes(), int(first)
        stop = min(int(last) + 1, len(content))
        return Reply(206, content[start:stop], {"Content-Range": f"bytes {start}-{stop - 1}/{len(content)}"})

    with serve(service) as server:
        assert seeds(project, "wikipedia", "--dumps", server.url)["sites"] == 2
        said = seeds(project, "wikipedia", "--dumps", server.url, "--wiki", "qqwiki", code=1)
    assert "qqwiki-latest-page.sql.gz" in said


def test_a_dump_that_is_missing_changed_or_cut_off_is_told(project, tmp_path):
    said = seeds(project, "wikipedia", "--dumps", str(tmp_path), code=1)
    assert "externallinks" in said and "--xml" in said
    write_wiki(tmp_path / "dumps")
    links = tmp_path / "dumps" / "xhwiki-latest-externallinks.sql.gz"
    good = links.read_bytes()
    links.write_bytes(good[:-30])
    said = seeds(project, "wikipedia", "--dumps", str(tmp_path / "dumps"), code=1)
    assert "breaks off" in said and links.name in said
    links.write_bytes(gzip.compress(gzip.decompress(good).replace(b"el_to_path", b"el_way")))
    said = seeds(project, "wikipedia", "--dumps", str(tmp_path / "dumps"), code=1)
    assert "no column el_to_path" in said and "el_way" in said
    assert listed(project) == []


def test_strings_of_a_dump_keep_quotes_brackets_commas_and_nulls(tmp_path):
    file = tmp_path / "t.sql"
    file.write_bytes(
        b"CREATE TABLE `t` (\n  `a` int NOT NULL,\n  `b` blob,\n  `c` blob\n);\n"
        b"INSERT INTO `t` VALUES (1,'a\\'),(b','x\\\\'),(-2,NULL,''),(3,'\xd9\x84\\n',1.5);\n"
    )
    assert list(rows_of(str(file), ("c", "b", "a"))) == [
        *((b"x\\", b"a'),(b", b"1"), (b"", b"", b"-2"), (b"1.5", "ل\n".encode(), b"3")),
    ]


RANKS = "1,google.com\n2,wikipedia.org\n3,news24.co.za\n4,gov.za\n5,kzn.gov.za\n"


@pytest.mark.parametrize("packing", ["csv", "zip", "gz", "table"])
def test_a_list_by_rank_gives_the_home_pages_of_a_countrys_domains(project, tmp_path, packing):
    file = tmp_path / f"top.{packing}"
    if packing == "zip":
        with zipfile.ZipFile(file, "w") as packed:
            packed.writestr("top-1m.csv", RANKS)
    elif packing == "table":
        file.write_text(
            "GlobalRank,TldRank,Domain,TLD\n1,1,google.com,com\n3,1,news24.co.za,za\n4,2,gov.za,za\n"
        )
    else:
        file.write_bytes(gzip.compress(RANKS.encode()) if packing == "gz" else RANKS.encode())
    seeds(project, "ranks", str(file), "--tld", "za", "--limit", "2")
    found = [(seed["url"], seed["rank"]) for seed in listed(project)]
    assert found == [("https://news24.co.za/", 3), ("https://gov.za/", 4)]


def test_a_file_of_domains_is_kept_to_a_top_level_domain(project, tmp_path):
    (tmp_path / "domains.txt").write_text("a.za\nhttps://b.com/x\nc.za/y\n")
    told = seeds(project, "file", str(tmp_path / "domains.txt"), "--tld", "za", "--homepages")
    assert told["refused"] == {"https://b.com/x": "scope: top-level domain"}
    assert [seed["url"] for seed in listed(project)] == ["https://a.za/", "https://c.za/"]


def test_sitemaps_are_found_by_robots_txt_and_followed_to_their_pages(project):
    def service(asked: Asked) -> Reply:
        base = f"http://{asked.headers['host']}"
        files = {
            "/robots.txt": f"User-agent: *\nDisallow: /private\nSitemap: {base}/index.xml\nSitemap: {base}/private.xml\n",
            "/index.xml": f"<sitemapindex><sitemap><loc>{base}/pages.xml</loc></sitemap></sitemapindex>",
            "/pages.xml": f"<urlset><url><loc>{base}/1</loc><xhtml:link rel='alternate' hreflang='xh' href='{base}/xh/1'/></url>"
            "<url><loc>https://elsewhere.example/</loc></url></urlset>",
        }
        if asked.path not in files:
            return Reply(404, b"")
        kind = "text/plain" if asked.path.endswith(".txt") else "application/xml"
        return Reply(200, files[asked.path].encode(), {"Content-Type": kind})

    options = ("--contact", "me@example.org")
    with serve(service) as server:
        seeds(project, "sitemap", server.url, *options, "--allow-private")
        assert "/private.xml" not in {asked.path for asked in server.asked}, "robots.txt is obeyed"
        found = [(seed["url"].removeprefix(server.url), seed["language"]) for seed in listed(project)]
        assert found == [("/1", ""), ("/xh/1", "xh")]
        before = len(server.asked)
        seeds(project, "sitemap", server.url, *options)
        assert len(server.asked) == before, "a local address is asked only if that is allowed"
    assert "contact" in seeds(project, "sitemap", "a.example", code=1)


GRAPH = [
    ("https://a.za/1", "https://creativecommons.org/licenses/by/4.0/"),
    ("https://b.za/", "https://b.za/about"),
    ("https://c.za/x", "http://creativecommons.org/licenses/by-sa/3.0/"),
    ("https://c.za/x", "https://creativecommons.org/licenses/by/4.0/"),
]


@pytest.mark.parametrize("form", ["tsv.gz", "parquet"])
def test_pages_that_link_to_a_license_are_found_in_a_graph(project, tmp_path, form):
    file = tmp_path / f"graph.{form}"
    if form == "parquet":
        pq.write_table(pa.table({"source": [s for s, _ in GRAPH], "target": [t for _, t in GRAPH]}), file)
    else:
        file.write_bytes(gzip.compress("".join(f"{s}\t{t}\n" for s, t in GRAPH).encode()))
    seeds(project, "links", "--to", "creativecommons.org/licenses/", "--graph", str(file))
    found = [(seed["url"], seed["rank"], seed["query"]) for seed in listed(project)]
    pattern = "creativecommons.org/licenses/"
    assert found == [("https://c.za/x", 1, pattern), ("https://a.za/1", 2, pattern)]


def test_pages_of_the_corpus_that_link_to_a_license_are_found_in_its_own_links(project, tmp_path):
    page = "<html><p>Umhlaba uphela uthetha isiXhosa namhlanje. {}</p></html>"
    link = '<a href="https://creativecommons.org/licenses/by/4.0/">CC</a>'
    rows = [
        {"url": "https://a.za/1", "html": page.format(link)},
        {"url": "https://b.za/", "html": page.format("")},
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    run("import", str(tmp_path / "pages.jsonl"), "--project", str(project), "--quiet")
    seeds(project, "links", "--to", "creativecommons.org/licenses/", "--homepages")
    assert [seed["url"] for seed in listed(project)] == ["https://a.za/"]
