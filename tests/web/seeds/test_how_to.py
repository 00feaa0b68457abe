"""The how-to documents, command by command, against local servers, for a language given by its name alone."""

import io
import json
import shlex
import sys
import zipfile
from pathlib import Path

import pytest
import regex
from command_line import run
from local_services import Asked, Brave, Google, Reply, SearXng, serve
from small_wiki import write_wiki

sys.path.append(str(Path(__file__).parent.parent / "commoncrawl"))
from small_release import Mirror, write_release

DOCS = Path(__file__).parent.parent.parent.parent / "docs" / "how-to"
XHOSA = "Abantu abaninzi bathetha isiXhosa eMzantsi Afrika, kwaye bafunda iincwadi ezibhalwe ngolwimi lwabo lweenkobe."
ENGLISH = "Many people in South Africa read the news in the English language every day of the week."
PAGES = (("https://iindaba.example/1", "Iindaba", XHOSA), ("https://news.example/", "News", ENGLISH))


def commands(page: str) -> list[str]:
    blocks = regex.findall(r"^```console\n(.*?)^```", (DOCS / page).read_text("utf-8"), regex.M | regex.S)
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


def _here(command: str, places: dict[str, str]) -> str:
    for public, local in places.items():
        command = command.replace(public, local)
    return command


def a_site(asked: Asked) -> Reply:
    base = f"http://{asked.headers['host']}"
    body = f"<urlset><url><loc>{base}/iindaba/1</loc></url></urlset>".encode()
    return Reply(200, body, {"Content-Type": "text/xml"}) if asked.path == "/sitemap.xml" else Reply(404)


@pytest.fixture
def files(tmp_path):
    """What stands for the servers of Wikimedia and of Tranco."""
    write_wiki(tmp_path / "served" / "xhwiki" / "latest")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("top-1m.csv", "1,google.com\n2,news24.co.za\n3,isolezwelesixhosa.co.za\n")
    (tmp_path / "served" / "top-1m.csv.zip").write_bytes(packed.getvalue())
    return Mirror(tmp_path / "served", [])


def test_every_source_gives_seeds_for_a_language_known_by_its_name(tmp_path, monkeypatch, files):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sites.txt").write_text("umhlobo.co.za\nhttps://www.isolezwelesixhosa.co.za/iindaba/1\n")
    keys = {"GOOGLE_API_KEY": "good-key", "GOOGLE_CSE_ID": "engine", "BRAVE_API_KEY": "good-token"}
    with (
        serve(files) as server,
        serve(SearXng(PAGES)) as searxng,
        serve(Google(PAGES)) as google,
        serve(Brave(PAGES)) as brave,
        serve(a_site) as site,
    ):
        places = {
            "https://dumps.wikimedia.org": server.url,
            "https://tranco-list.eu": server.url,
            "http://127.0.0.1:8888": searxng.url,
            "--provider google": f"--provider google --endpoint {google.url}",
            "--provider brave": f"--provider brave --endpoint {brave.url}",
            "sitemap https://www.isolezwelesixhosa.co.za": f"sitemap --allow-private {site.url}",
            # A pause of a second between queries is polite, and long for a test.
            "--queries 100": "--queries 3",
            "--queries 20": "--queries 2",
        }
        for command in commands("seeds.md"):
            last = run(*shlex.split(_here(command, places))[1:], **keys)
    assert "several sources agree on" in last.stdout and "isolezwelesixhosa.co.za" in last.stdout
    found = json.loads(run("seeds", "list", "--json", "--project", "xhoweb").stdout)
    told = json.loads(run("seeds", "report", "--json", "--project", "xhoweb").stdout)
    assert {row["source"]: row["seeds"] for row in told["sources"]} == {
        "command": 1,
        "file": 2,
        "ranks": 2,
        "search brave": 1,
        "search google": 1,
        "search searxng": 1,
        "sitemap": 1,
        "wikipedia": 3,
    }
    assert all(seed["url"] != "https://news.example/" for seed in found), "no seed in another language"


def test_common_crawl_goes_from_a_name_to_documents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mirror = tmp_path / "mirror"
    write_release(mirror, "CC-MAIN-2024-10", pages=30)
    write_release(mirror, "CC-MAIN-2023-50", pages=20)
    with serve(Mirror(mirror, [])) as server:
        environment = {
            "CORPULYZER_COMMONCRAWL_MIRROR": server.url,
            "CORPULYZER_COMMONCRAWL_API": server.url,
            "CORPULYZER_COMMONCRAWL_PAUSE_SECONDS": "0",
        }
        printed = [
            run(*shlex.split(command)[1:], **environment).stdout for command in commands("common-crawl.md")
        ]
    assert printed[1].startswith("CC-MAIN-2024-10")
    assert any("records fetched" in text for text in printed)
    status = json.loads(run("status", "--json", "--project", "urdweb").stdout)
    assert json.dumps(status).count("urd") and (tmp_path / "urdweb" / "seeds.jsonl").exists()
    assert list((tmp_path / "urdweb" / "documents").rglob("*.parquet"))
