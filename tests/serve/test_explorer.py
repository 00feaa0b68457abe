"""The explorer answers those who may ask, and lets crawled pages do nothing."""

import csv
import http.client
import io
import json
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import urlopen

import pyarrow.parquet as pq
import pytest
import regex
from lasting import engine_of
from selectolax.lexbor import LexborHTMLParser

from corpulyzer.api.corpus import open_corpus
from corpulyzer.audit.sites import read_sites
from corpulyzer.cli.inspect.serve import _shown
from corpulyzer.jobs.dedup.run import deduplicate
from corpulyzer.serve.documents import Wanted, select
from corpulyzer.serve.fetched import harmless
from corpulyzer.serve.security import Gate
from corpulyzer.serve.sites import _all
from corpulyzer.serve.story import side_by_side
from corpulyzer.storage.lock import changing

from .conftest import OUTSIDE, article, hostile, make, serving


def ask(served, path, method="GET", form=None, **headers):
    """Status, headers and text of an answer; the path is sent as it is."""
    parts = urlsplit(served.address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
    connection.putrequest(method, path, skip_host="host" in headers)
    body = urlencode(form).encode() if form is not None else b""
    for name, value in {**headers, "content-length": str(len(body))}.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders(body)
    answer = connection.getresponse()
    found = (
        answer.status,
        {k.lower(): v for k, v in answer.getheaders()},
        answer.read().decode("utf-8", "replace"),
    )
    connection.close()
    return found


def secret(served):
    return served.explorer.gate.secret


def hostile_id(served):
    rows, _ = select(served.corpus, Wanted(words="خطرناک"), 0, 5)
    return rows[0]["id"]


@pytest.mark.smoke
def test_every_page_is_there_and_says_what_it_may_do(urdu):
    for path in ("/", "/sites", "/documents", "/search", "/words", "/audit", "/crawl/panel"):
        status, headers, text = ask(urdu, path)
        assert status == 200, path
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "'unsafe-inline'" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert " style=" not in text and "<style" not in text, "the policy would forbid it"
        assert not regex.search(r"<script(?![^>]*\bsrc=)", text), "no script in a page"
        assert not regex.search(r'(?:src|href|action)="(?:https?:)?//', text), "nothing from outside"


def test_another_name_for_this_machine_is_refused(urdu):
    for host in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", ""):
        assert ask(urdu, "/", host=host)[0] == 403, host
    port = urlsplit(urdu.address).port
    for host in (f"127.0.0.1:{port}", "localhost", f"[::1]:{port}"):
        assert ask(urdu, "/", host=host)[0] == 200, host


def test_a_post_from_elsewhere_changes_nothing(urdu):
    form = {"what": "label", "category": "news"}
    for tried in ({}, {"secret": "guess"}):
        assert ask(urdu, "/sites/a.example", "POST", {**form, **tried})[0] == 403
    status, _, _ = ask(
        urdu, "/sites/a.example", "POST", {**form, "secret": secret(urdu)}, sec_fetch_site="cross-site"
    )
    assert status == 403
    assert "a.example" not in read_sites(urdu.corpus.storage)
    assert ask(urdu, "/crawl/stop", "GET")[0] in (404, 405), "nothing is done by a link"


def test_beyond_this_machine_a_token_is_needed(urdu_folder):
    with serving(urdu_folder, Gate(token="t0ken")) as served:
        assert ask(served, "/")[0] == 403
        assert ask(served, "/?token=wrong")[0] == 403
        status, headers, _ = ask(served, "/sites?token=t0ken&q=a")
        assert (status, headers["location"]) == (303, "/sites?q=a")
        assert "HttpOnly" in headers["set-cookie"] and "SameSite=Strict" in headers["set-cookie"]
        cookie = headers["set-cookie"].split(";")[0]
        assert ask(served, "/", cookie=cookie)[0] == 200
        assert ask(served, "/", cookie=cookie, host="10.1.2.3:80")[0] == 200
        assert ask(served, "/", cookie=cookie, host="evil.example")[0] == 403
        assert ask(served, "//evil.example/?token=t0ken")[1]["location"] == "/"


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2f..%2fconfig.py",
        "/audit/..%2f..%2fevil",
        "/audit/%2e%2e/score",
        "/sites/..%2f..%2fetc",
        "/documents/..%2f1/fetched",
        "/documents/1;drop/fetched",
        "/report/../corpulyzer.toml",
    ],
)
def test_no_address_leads_out_of_the_folder(urdu, path):
    status, _, text = ask(urdu, path)
    assert status in (400, 404), path
    assert "import " not in text and "[corpus]" not in text and "root:" not in text


@pytest.mark.parametrize(
    "number", ["99999999999999999999", "9223372036854775808", "-1", "-", "one", "９", "1" * 5_000]
)
def test_a_document_that_cannot_be_is_not_found(urdu, number):
    for path in (f"/documents/{quote(number)}", f"/documents/{quote(number)}/fetched"):
        status, _, text = ask(urdu, path)
        if number == "-1" and path.endswith("fetched"):
            assert status == 200, "there is no web page to show"
        else:
            assert status == 404 and "There is no document" in text, path
    for path in (
        f"/documents?page={quote(number)}",
        f"/sites?page={quote(number)}",
        f"/search?q=a&page={quote(number)}&n={quote(number)}&window={quote(number)}&show=clusters",
    ):
        assert ask(urdu, path)[0] == 200, path


def test_numbers_beyond_all_bounds_are_refused_in_forms(urdu):
    for field in ("size", "seed"):
        form = {"name": "huge", "size": "3", "seed": "0", "secret": secret(urdu), field: "9" * 5_000}
        assert ask(urdu, "/audit", "POST", form)[0] == 400
    form = {"pages": "9" * 5_000, "secret": secret(urdu)}
    assert ask(urdu, "/crawl/start", "POST", form)[0] == 400
    assert ask(urdu, "/sites/nowhere.example")[0] == 404


def test_every_page_says_that_duplicates_are_older_than_the_documents(tmp_path):
    pages = {f"{n}.html": article("urd", n, f"خبر {n}") for n in range(3)}
    corpus = make(tmp_path / "c", "urd", pages)
    engine = engine_of(corpus)
    deduplicate(corpus, engine, ["document"])
    with serving(tmp_path / "c") as served:
        assert "corpulyzer dedup" not in ask(served, "/")[2]
        (tmp_path / "more.html").write_text(article("urd", 1, "خبر 1"), "utf-8")
        engine = engine_of(corpus)
        corpus.import_(str(tmp_path / "more.html"), engine=engine)
        for path in ("/", "/sites", "/documents", "/search?q=a", "/audit"):
            assert "corpulyzer dedup" in ask(served, path)[2], path
        with changing(corpus.storage, "crawl"):
            assert ask(served, "/documents")[0] == 200
            form = {"what": "label", "category": "news", "secret": secret(served)}
            site = corpus.documents.arrow(["site"]).column("site")[0].as_py()
            assert ask(served, f"/sites/{site}", "POST", form)[0] == 303, "labels do not wait for a crawl"


def test_a_name_cannot_lead_out_of_the_folder_when_something_is_written(urdu):
    form = {"name": "../../evil", "size": "3", "secret": secret(urdu)}
    assert ask(urdu, "/audit", "POST", form)[0] == 400
    form = {"id": "1", "label": "CC", "annotator": "../../evil", "secret": secret(urdu)}
    assert ask(urdu, "/audit/first", "POST", form)[0] == 400


def test_what_a_crawled_page_says_is_text_to_the_explorer(urdu):
    key = hostile_id(urdu)
    for path in (f"/documents/{key}", "/documents?words=%D8%AE%D8%B7%D8%B1"):
        text = ask(urdu, path)[2]
        assert "&lt;script&gt;" in text and "<script>document" not in text
    text = ask(urdu, "/search?q=%3Cscript%3Ealert(1)%3C/script%3E%22onload")[2]
    assert "<script>alert" not in text


def test_the_page_as_fetched_is_sandboxed_and_stripped(urdu):
    _, headers, text = ask(urdu, f"/documents/{hostile_id(urdu)}/fetched")
    policy = headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'") and "form-action 'none'" in policy
    assert "allow-" not in policy
    assert OUTSIDE not in text and "evil.example" not in text
    assert "یہ" in text or "میں" in text, "its text is still there"


def test_harmless_leaves_nothing_that_acts():
    tree = LexborHTMLParser(harmless(hostile()))
    assert not tree.css("script, form, iframe, object, embed, base, link, video, meta[http-equiv]")
    names = {name for node in tree.css("*") for name in node.attributes}
    assert not [name for name in names if name.startswith("on")]
    assert names <= {"charset", "content", "name", "lang", "id", "style", "value"}
    assert "<p" in harmless(
        "<p onclick=x style='color:red;background:URL (//x)'>text"
    ) and "URL" not in harmless("<p style='background:URL (//x)'>text")
    assert "data:image" in harmless('<img src="data:image/png;base64,AAAA">')
    assert "u\\rl" not in harmless("<p style='background:u\\rl(//x)'>")


def test_the_report_has_no_origin_and_no_network(urdu):
    assert ask(urdu, "/report")[0] == 400, "there is none yet"
    urdu.corpus.storage.write("report/index.html", b"<script>draw()</script>")
    status, headers, text = ask(urdu, "/report")
    urdu.corpus.storage.delete("report/index.html")
    assert (status, text) == (200, "<script>draw()</script>")
    policy = headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts") and "allow-same-origin" not in policy
    assert "default-src 'none'" in policy and "connect-src" not in policy


@pytest.mark.smoke
def test_it_says_where_it_is_and_ends_with_an_interrupt(urdu_folder):
    command = [sys.executable, "-m", "corpulyzer", "serve", "--port", "0", "--project", str(urdu_folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = process.stdout.readline()
    address = regex.search(r"http://127\.0\.0\.1:\d+/", said)[0]
    for _ in range(1200):
        try:
            assert urlopen(address).status == 200
            break
        except OSError:
            time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=600)
    assert (process.returncode, rest) == (0, "")


@pytest.mark.parametrize(
    ("host", "shown"),
    [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("192.0.2.7", "192.0.2.7")],
)
def test_the_address_that_is_printed_can_be_opened(host, shown):
    assert _shown(host) == shown


def test_two_texts_stand_side_by_side():
    assert list(side_by_side("a\nb\nc", "a\nx\nc")) == [("a", "a", True), ("b", "x", False), ("c", "c", True)]
    assert list(side_by_side("a", "a\nb")) == [("a", "a", True), ("", "b", False)]


def test_copies_are_none_or_were_never_looked_for(urdu, xhosa_folder):
    assert "No other document is like this one" in ask(urdu, f"/documents/{hostile_id(urdu)}")[2]
    with serving(xhosa_folder) as xhosa:
        first = select(xhosa.corpus, Wanted(), 0, 1)[0][0]["id"]
        assert "Nobody has looked for copies yet" in ask(xhosa, f"/documents/{first}")[2]


def test_the_steps_of_the_funnel_have_the_names_of_the_report(urdu):
    text = ask(urdu, "/")[2]
    assert "enough of the language" in text and 'verdict=content_size">content size</a>' in text


@pytest.mark.parametrize("at_once", [0, 20_000_000])
def test_that_a_corpus_is_too_large_for_a_concordance_is_told(tmp_path, monkeypatch, at_once):
    make(tmp_path / "c", "xho", {f"{n}.html": article("xho", n, f"Indaba {n}") for n in range(2)})
    monkeypatch.setattr("corpulyzer.serve.search.concordance.AT_ONCE_BYTES", at_once)
    monkeypatch.setenv("CORPULYZER_SEARCH_MOST_DOCUMENTS", "1")
    with serving(tmp_path / "c") as served:
        status, _, text = ask(served, "/search?q=ba*")
    assert status == 400 and "2 documents are too many for a concordance" in text


def test_an_index_of_too_many_documents_that_is_there_is_searched_by_quality(tmp_path, monkeypatch):
    make(tmp_path / "c", "xho", {f"{n}.html": article("xho", n, f"Indaba {n}") for n in range(2)})
    monkeypatch.setattr("corpulyzer.serve.search.concordance.AT_ONCE_BYTES", 0)
    corpus = open_corpus(tmp_path / "c")
    hits = corpus.search("ba*").hits
    monkeypatch.setenv("CORPULYZER_SEARCH_MOST_DOCUMENTS", "1")
    with serving(tmp_path / "c") as served:
        status, _, _ = ask(served, "/search?q=ba*&min_quality=0")
    assert status == 200 and hits


def test_a_search_can_ask_for_quality(urdu):
    word = next(iter(urdu.corpus.documents.kept())).text.split()[0]
    everything, best, none = (
        ask(urdu, f"/search?{urlencode({'q': word, 'min_quality': q})}")[2] for q in ("0", "1", "2")
    )
    assert "in no document that meets the filters" in best and "meets the filters" not in everything
    assert "There is no quality of 2.0" in none
    assert "is not in the corpus" in ask(urdu, "/search?q=qqqqq")[2]


@pytest.mark.parametrize("path", ["/words", "/words?list=words&n=2", '/search?q=[word=".*ا"]'])
def test_a_result_is_taken_home_in_three_forms(urdu, path):
    asked = path.replace("[", "%5B").replace("]", "%5D").replace('"', "%22").replace("ا", "%D8%A7")
    more = f"{asked}{'&' if '?' in asked else '?'}as="
    rows = json.loads(fetched(urdu, more + "json"))
    assert rows and {"value", "match"} & set(rows[0])
    table = list(csv.DictReader(io.StringIO(fetched(urdu, more + "csv").decode("utf-8-sig"))))
    assert [list(row.values()) for row in table] == [[str(value) for value in row.values()] for row in rows]
    with zipfile.ZipFile(io.BytesIO(fetched(urdu, more + "xlsx"))) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert sheet.count("<row ") == len(rows) + 1 and "<f>" not in sheet
    assert ask(urdu, more + "exe")[0] in (200, 400) and "no &#39;exe&#39;" in ask(urdu, more + "exe")[2]


def fetched(served, path):
    with urlopen(f"{served.address}{path}") as answer:
        assert answer.headers["content-disposition"].startswith("attachment")
        return answer.read()


def test_a_query_that_is_not_understood_is_shown_with_its_place(urdu):
    text = ask(urdu, "/search?q=%5Blemma=x%5D")[2]
    assert "character 8" in text


def test_a_query_in_a_citation_turns_nothing_around_it(urdu):
    text = ask(urdu, f"/search?q={quote('کے')}")[2]
    assert 'class="cite">Cite: <bdi>کے</bdi>: ' in text


def test_commands_and_patterns_in_a_message_are_code(urdu):
    text = ask(urdu, "/search?q=%5Blemma=x%5D")[2]
    assert '<code dir="ltr">&#34;…&#34;</code>' in text and "`" not in text.partition("<main")[2]


def test_documents_are_filtered(urdu):
    corpus = urdu.corpus
    everything = select(corpus, Wanted(), 0, 100)
    assert everything[1] == 17 and len(everything[0]) == 17
    kept, total = select(corpus, Wanted(verdict="kept"), 0, 5)
    assert len(kept) == 5 and total == 15 and all(row["kept"] for row in kept)
    window = [row["id"] for start in (0, 7, 14) for row in select(corpus, Wanted(), start, 7)[0]]
    assert window == [row["id"] for row in everything[0]]
    assert select(corpus, Wanted(verdict="content_size"), 0, 9)[1] == 1
    assert select(corpus, Wanted(language="eng"), 0, 9)[1] == 1


def test_richness_is_of_the_bytes_that_were_identified(urdu):
    """Line breaks between paragraphs are of no language, so they make no site poorer."""
    documents = Counter()
    for file in urdu.corpus.table("documents").files:
        for row in pq.ParquetFile(file).read(["site", "languages"]).to_pylist():
            for each in row["languages"]:
                documents[row["site"], each["name"]] += each["value"]
    shown = {row["site"]: row["richness"] for row in _all(urdu.explorer, urdu.corpus)}
    for site, richness in shown.items():
        total = sum(size for (own, _), size in documents.items() if own == site)
        assert richness == pytest.approx(documents[site, "urd"] / total)
    assert len(shown) == 2


def test_a_site_is_labelled_blocked_and_allowed(urdu):
    site = select(urdu.corpus, Wanted(), 0, 1)[0][0]["site"]
    path = f"/sites/{site}"
    send = {"secret": secret(urdu)}
    assert (
        ask(urdu, path, "POST", {**send, "category": "news", "machine_translated": "no", "note": ""})[0]
        == 303
    )
    assert ask(urdu, path, "POST", {**send, "what": "block"})[0] == 303
    assert site in urdu.corpus.config.filter.hosts.block and site in urdu.corpus.config.scope.block
    assert read_sites(urdu.corpus.storage)[site].category == "news"
    assert "Allow again" in ask(urdu, path)[2]
    assert ask(urdu, path, "POST", {**send, "what": "allow"})[0] == 303
    assert site not in urdu.corpus.config.filter.hosts.block


def test_a_crawl_that_cannot_start_says_why(urdu):
    status, _, text = ask(urdu, "/crawl/start", "POST", {"secret": secret(urdu), "pages": "5"})
    assert status == 400 and "contact" in text
