"""A takedown: gone everywhere, kept out for good, the rest untouched, whenever it is killed."""

import gzip
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.cli import app
from corpulyzer.corpus.takedowns import FILE, Removed, entries, name_of
from corpulyzer.corpus.without_copies import read_state
from corpulyzer.engine.derived import table as derived
from corpulyzer.engine.derived.table import Table
from corpulyzer.errors import UserError
from corpulyzer.jobs.analyze.run import analyze
from corpulyzer.jobs.export import export
from corpulyzer.jobs.remove import planned, remove
from corpulyzer.jobs.remove.tables import blank_samples
from corpulyzer.jobs.stale import stale
from corpulyzer.lab.demo.archive import write_archive
from corpulyzer.storage import Storage
from corpulyzer.warc import index
from corpulyzer.warc.erase import erase, matching
from corpulyzer.warc.index import index as index_of_archive

WORKERS = {"engine.workers": 1}


@pytest.fixture(scope="module")
def rows(engine, tmp_path_factory):
    """Documents of the small web as JSON lines, which an import makes into archives of the corpus."""
    folder = tmp_path_factory.mktemp("rows")
    write_archive(folder / "web.warc.gz")
    create("urd", folder / "c")
    corpus = open_corpus(folder / "c", WORKERS)
    corpus.import_(str(folder / "web.warc.gz"), engine=engine)
    found = sorted(corpus.documents.kept(), key=lambda d: d.url)[:40]
    lines = [json.dumps({"url": d.url, "text": d.text, "title": d.title}, ensure_ascii=False) for d in found]
    (folder / "rows.jsonl").write_text("\n".join(lines), "utf-8")
    return folder / "rows.jsonl"


@pytest.fixture(scope="module")
def whole(engine, rows, tmp_path_factory):
    """A corpus with everything that a document leaves traces in."""
    folder = tmp_path_factory.mktemp("whole") / "c"
    create("urd", folder)
    corpus = open_corpus(folder, WORKERS)
    corpus.import_(str(rows), engine=engine)
    corpus.dedup(engine=engine)
    corpus.annotate(engine=engine)
    from corpulyzer.jobs.search.refresh import refresh

    refresh(corpus)
    export(corpus, engine, "jsonl")
    (folder / "audit" / "first").mkdir(parents=True)
    items = [{"id": d.id, "url": d.url, "title": d.title, "text": d.text} for d in corpus.documents.kept()]
    (folder / "audit" / "first" / "sample.jsonl").write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [{"population": 1}, *items]), "utf-8"
    )
    return folder


@pytest.fixture
def corpus(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "c")
    return open_corpus(tmp_path / "c", WORKERS)


def victim_of(corpus):
    """A kept document with a sentence that no other has."""
    documents = list(corpus.documents.kept())
    return next(d for d in documents if sum(d.text == other.text for other in documents) == 1)


@pytest.fixture(scope="module")
def taken(whole, engine, tmp_path_factory):
    """The whole corpus without one page, which is the victim of it; look at it only."""
    folder = shutil.copytree(whole, tmp_path_factory.mktemp("taken") / "c")
    corpus = open_corpus(folder, WORKERS)
    return corpus, remove(corpus, engine, victim_of(open_corpus(whole)).url, "mail of 3 May")


@pytest.fixture
def without(taken, tmp_path):
    """A copy of the corpus without the page, to be changed."""
    shutil.copytree(taken[0].storage.root, tmp_path / "without")
    return open_corpus(tmp_path / "without", WORKERS)


@pytest.fixture(scope="module")
def victim(whole):
    return victim_of(open_corpus(whole))


def traces(folder, needle):
    """The files that hold a string, unpacked where they are packed; exports that were handed on are left out."""
    found = []
    for path in sorted(Path(folder).rglob("*")):
        handed_on = "exports" in path.parts and "made" not in path.parts
        if not path.is_file() or handed_on:
            continue
        content = path.read_bytes()
        if path.suffix == ".parquet":
            rows = pq.read_table(path, partitioning=None).to_pylist()
            content += json.dumps(rows, default=_written, ensure_ascii=False).encode()
        elif path.suffixes[-2:] == [".warc", ".gz"]:
            content = gzip.decompress(content)
        if needle.encode() in content:
            found.append(str(path.relative_to(folder)))
    return found


def _written(value):
    """A value that JSON has no form for; the text of bytes is in them as it is."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def state(corpus):
    """All tables of a corpus, and the documents as they are read."""
    tables = {}
    for name in ("fetches", "documents", "links", "annotations"):
        files = sorted((Path(corpus.storage.root) / name).rglob("*.parquet"))
        tables[name] = [row for file in files for row in pq.read_table(file, partitioning=None).to_pylist()]
    tables["read"] = sorted((d.id, d.text, d.verdict.kept, d.verdict.reason) for d in corpus.documents)
    return tables


def test_what_a_killed_export_left_goes_and_finished_exports_stay(corpus, engine, victim):
    exports = Path(corpus.storage.root) / "exports"
    finished = [file for file in sorted(exports.rglob("*")) if "made" not in file.parts]
    left = [exports / "work" / "v002-txt" / "rows-000000.parquet", exports / "v002-txt" / "part.txt"]
    for file in left:
        file.parent.mkdir(parents=True)
        file.write_text(victim.text, "utf-8")
    remove(corpus, engine, victim.url)
    assert not any(file.exists() for file in left) and all(file.exists() for file in finished)


def test_a_page_is_gone_from_everything_but_the_note_that_it_was(whole, taken, victim):
    corpus, done = taken
    others = {d.id for d in open_corpus(whole).documents} - {victim.id}
    passage = max(victim.text.split("\n"), key=len)
    before = traces(whole, passage)
    assert {part.partition("/")[0] for part in before} >= {"imports", "documents", "audit", "exports"}
    assert done.counts == {"records": 1, "documents": 1, "kept": 1, "links": 0}
    assert traces(corpus.storage.root, passage) == []
    assert {d.id for d in corpus.documents} == others
    (entry,) = entries(corpus.storage)
    assert entry["why"] == "mail of 3 May" and entry["when"] and passage not in json.dumps(entry)
    assert entry["exports"] == ["v001-jsonl"]


def test_the_archive_stays_valid_and_every_other_record_where_it_was(whole, taken, victim):
    before, after = (
        {entry.uri: entry for entry in index(str(archive))}
        for folder in (whole, Path(taken[0].storage.root))
        for archive in folder.glob("imports/*.warc.gz")
    )
    assert not any(entry.problem for entry in after.values())
    assert after[victim.url].outcome == "removed" and after[victim.url].length == before[victim.url].length
    assert {u: e for u, e in after.items() if u != victim.url} == {
        u: e for u, e in before.items() if u != victim.url
    }
    (archive,) = Path(taken[0].storage.root).glob("imports/*.warc.gz")
    with archive.open("rb") as stream:
        assert sum(1 for _ in ArchiveIterator(stream, check_digests="raise")) == len(before)
    assert subprocess.run(["gzip", "-t", str(archive)], check=False).returncode == 0


def test_what_follows_from_the_rest_is_not_stale(whole, taken):
    """Annotations and index have lost what the documents have lost: nothing of them is to be made again."""
    made_again = {"analysis", "report"}
    assert stale(open_corpus(whole, WORKERS)) == []
    assert [each for each in stale(taken[0]) if each.what not in made_again] == []
    annotated = {row["id"] for row in state(taken[0])["annotations"]}
    assert annotated == {document.id for document in taken[0].documents.kept()}


def test_parts_that_did_not_hold_the_page_are_not_made_again(engine, rows, tmp_path):
    """Keys and counts of the other part are the same files; measures are as if nothing had been kept."""
    create("urd", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", WORKERS)
    lines, own = rows.read_text("utf-8").splitlines(), "باغستانپوری"
    page = json.loads(lines[3])
    lines[3] = json.dumps({**page, "text": f"{page['text']} {own}"}, ensure_ascii=False)
    for name, some in (("first", lines[:20]), ("second", lines[20:])):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(some), "utf-8")
        corpus.import_(str(tmp_path / f"{name}.jsonl"), engine=engine)
    corpus.dedup(engine=engine)
    corpus.annotate(engine=engine)
    analyze(corpus, engine, ["basics", "frequency"])
    (victim,) = (document for document in corpus.documents if document.url == page["url"])
    assert any("counts" in file for file in traces(tmp_path / "c", own))
    (part,) = (name for name in Table(corpus.storage, "documents").files() if victim.archive in name)

    def kept():
        files = [
            *tmp_path.glob("c/duplicates/*/round=*/*"),
            *tmp_path.glob("c/analysis/counts/text/*/round=*/*"),
        ]
        return {file: file.stat().st_ino for file in files if not str(file).endswith(part)}

    before = kept()
    assert {file.parent.parent.name for file in before} >= {"units", "sentences", "words", "read"}
    corpus.storage.write("card.md", own.encode())
    remove(corpus, engine, victim.url)
    assert kept() == before
    assert traces(tmp_path / "c", own) == []
    followed = analyze(corpus, engine, ["basics", "frequency"])
    shutil.rmtree(tmp_path / "c" / "analysis")
    fresh = analyze(corpus, engine, ["basics", "frequency"])
    assert [[r.rows for r in each.results] for each in followed] == [
        [r.rows for r in each.results] for each in fresh
    ]
    assert corpus.annotate(engine=engine).parts_made == 0


def test_keys_view_and_exports_lose_the_page_and_nothing_of_them_is_made_again(
    corpus, engine, victim, tmp_path, monkeypatch
):
    """What is left has the versions that it has when all of it is made from scratch."""

    def versions():
        logs = corpus.storage.list("parts/duplicates", ".jsonl")
        tables = [log.removeprefix("parts/").removesuffix(".jsonl") for log in logs]
        return {name: Table(corpus.storage, name).parts() for name in tables}

    def exported():
        place = Path(export(corpus, engine, "jsonl").path)
        return {file.name: file.read_bytes() for file in place.glob("train*")}

    copied = [document for document in corpus.documents.kept() if document.id != victim.id][:3]
    lines = [{"url": f"https://zz.example/{each.id}", "text": each.text} for each in copied]
    written = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    (tmp_path / "copies.jsonl").write_text(written, "utf-8")
    corpus.import_(str(tmp_path / "copies.jsonl"), engine=engine)
    corpus.dedup(engine=engine)
    exported()
    made, make = [], derived.make
    monkeypatch.setattr(
        derived, "make", lambda tables, units, run: made.extend(units) or make(tables, units, run)
    )
    remove(corpus, engine, victim.url)
    found, files = versions(), exported()
    assert {name.split("/")[1] for name in found} >= {"units", "sentences", "minhash_buckets", "view"}
    assert any(found[name] for name in found if "view" in name)
    assert all("/" not in name for name in made), "parts of `corpus/` alone, which is flat"
    for folder in ("duplicates", "parts/duplicates", "exports/made"):
        shutil.rmtree(Path(corpus.storage.root) / folder)
    corpus.dedup(engine=engine)
    assert versions() == found
    assert files and exported() == files


def test_of_a_large_corpus_a_removal_leaves_nothing_for_the_next_export(engine, rows, tmp_path, monkeypatch):
    """The ids of all its documents would take more memory than a removal may."""
    create("urd", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", WORKERS)
    corpus.import_(str(rows), engine=engine)
    first, *others = corpus.documents.kept()
    export(corpus, engine, "jsonl")
    assert traces(f"{corpus.storage.root}/exports/made", first.text[:40])
    monkeypatch.setattr("corpulyzer.export.forget.MOST_DOCUMENTS", len(others) - 1)
    remove(corpus, engine, first.url)
    assert not corpus.storage.list("exports/made")
    assert export(corpus, engine, "jsonl").manifest["documents"] == len(others)


def test_what_was_published_before_is_exported_after_a_removal(engine, rows, tmp_path):
    """Such a document keeps its id, and a wrong one may be that of another: it goes from what is kept too."""
    lines = [json.loads(line) for line in rows.read_text("utf-8").splitlines()[:8]]
    create("urd", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", WORKERS)
    (tmp_path / "new.jsonl").write_text("\n".join(map(json.dumps, lines[:4])), "utf-8")
    corpus.import_(str(tmp_path / "new.jsonl"), engine=engine)
    first = next(iter(corpus.documents.kept()))
    ids = [f"crp-{first.id & 0xFFFFFFFFFFFFFFFF:016x}", *(f"crp-{number:016x}" for number in range(3))]
    known = [{**line, "id": key} for line, key in zip(lines[4:], ids, strict=True)]
    (tmp_path / "known.jsonl").write_text("\n".join(map(json.dumps, known)), "utf-8")
    corpus.import_(str(tmp_path / "known.jsonl"), engine=engine)
    export(corpus, engine, "jsonl")
    assert any("exports/made" in file for file in traces(corpus.storage.root, lines[4]["text"][:40]))
    remove(corpus, engine, lines[4]["url"])
    assert not traces(corpus.storage.root, lines[4]["text"][:40])
    assert export(corpus, engine, "jsonl").manifest["documents"] == 7


def test_a_copy_that_takes_the_place_of_a_page_is_not_called_annotated(engine, rows, tmp_path):
    first, *_ = lines = [json.loads(line) for line in rows.read_text("utf-8").splitlines()[:6]]
    copy = {**first, "url": "https://zz.example/copy"}
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in [*lines, copy])
    (tmp_path / "rows.jsonl").write_text(text, "utf-8")
    create("urd", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {**WORKERS, "dedup.policy": ["document"]})
    corpus.import_(str(tmp_path / "rows.jsonl"), engine=engine)
    corpus.dedup("document", engine=engine)
    corpus.annotate(engine=engine)
    (kept, dropped) = sorted(
        (each for each in corpus.documents if each.url in (first["url"], copy["url"])),
        key=lambda each: not each.verdict.kept,
    )
    assert kept.verdict.kept and not dropped.verdict.kept
    remove(corpus, engine, kept.url)
    assert dropped.id in {document.id for document in corpus.documents.kept()}
    assert [each.what for each in stale(corpus)] == ["annotations"]


def test_a_removal_that_goes_on_after_a_kill_keeps_to_the_flags_of_dedup(engine, rows, tmp_path, monkeypatch):
    first, *_ = lines = [json.loads(line) for line in rows.read_text("utf-8").splitlines()[:3]]
    copies = [{**first, "url": f"https://zz.example/{number}"} for number in range(2)]
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in [*lines, *copies])
    (tmp_path / "rows.jsonl").write_text(text, "utf-8")
    create("urd", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", WORKERS)
    corpus.import_(str(tmp_path / "rows.jsonl"), engine=engine)
    open_corpus(tmp_path / "c", {**WORKERS, "dedup.policy": []}).dedup("document", engine=engine)
    with monkeypatch.context() as patch:
        patch.setattr(
            "corpulyzer.jobs.dedup.run.deduplicate", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            remove(corpus, engine, copies[0]["url"])
    assert not read_state(corpus.storage), "the flags are in the plan alone"
    remove(corpus, engine, copies[0]["url"])
    assert copies[1]["url"] in {document.url for document in corpus.documents.kept()}, (
        "labels alone were asked for"
    )
    assert read_state(corpus.storage)["flags"] == {"dedup.policy": []}


def test_the_index_and_the_next_export_do_not_have_it(without, engine, victim):
    import sqlite3

    with sqlite3.connect(Path(without.storage.root) / "index" / "concordance.sqlite") as connection:
        urls = {url for (url,) in connection.execute("select url from documents")}
    assert victim.url not in urls and urls
    made = export(without, engine, "jsonl")
    assert made.manifest["changes"]["removed"] == 1
    assert made.manifest["documents"] == len(without.documents.kept())


def test_a_site_goes_with_all_hosts_below_it(corpus, engine):
    first = min(d.site for d in corpus.documents)
    victim = next(d for d in corpus.documents if d.site == first)
    site = [d for d in corpus.documents if d.site == victim.site]
    export(corpus, engine, "hf")
    known = set(traces(corpus.storage.root, victim.site))
    logs = {"parts/corpus.jsonl", "parts/documents.jsonl", "exports/made/hf/parts/rows.jsonl"}
    assert logs <= known, "logs say between which values the sites are"
    done = remove(corpus, engine, f"www.{victim.site}")
    assert done.counts["documents"] == len(site)
    left = {
        file if file.startswith("parts/") else file.partition("/")[0]
        for file in traces(corpus.storage.root, victim.site)
    }
    fetched = {"imports", "fetches", "parts/fetches.jsonl"}
    assert left == {*fetched, "audit", FILE}, "addresses stay, so that nothing is fetched or judged again"
    assert not [d for d in corpus.documents if d.site == victim.site]
    assert Removed((victim.site,))(f"https://blog.{victim.site}/1") and not Removed((victim.site,))(
        f"https://x{victim.site}/1"
    )


def test_it_stays_gone_when_the_tables_are_made_again(without, engine, victim):
    before = state(without)
    ids = {row["id"] for row in before["documents"]}
    for start in (None, "filter", "extract", "index"):
        open_corpus(without.storage.root, WORKERS).process(start, engine=engine)
        after = state(without)
        assert after["fetches"] == before["fetches"], start
        assert {row["id"] for row in after["documents"]} == ids and victim.id not in ids, start


def test_an_import_of_the_same_page_does_not_bring_it_back(without, engine, victim, tmp_path):
    passage = max(victim.text.split("\n"), key=len)
    kept = {"url": "https://new.example/1", "text": victim_of(without).text}
    same = {"url": victim.url.replace("https://", "http://www."), "text": victim.text}
    (tmp_path / "again.jsonl").write_text(
        "\n".join(json.dumps(row, ensure_ascii=False) for row in (same, kept)), "utf-8"
    )
    registered = without.import_(str(tmp_path / "again.jsonl"), engine=engine)
    assert registered.sources[0].reasons == {"removed": 1} and registered.sources[0].rows == 1
    assert traces(without.storage.root, passage) == []


def test_an_archive_of_others_is_left_alone_and_named_and_no_longer_read(engine, tmp_path):
    archive = tmp_path / "web.warc.gz"
    write_archive(archive)
    content = archive.read_bytes()
    create("urd", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", WORKERS)
    corpus.import_(str(archive), engine=engine)
    victim = victim_of(corpus)
    done = remove(corpus, engine, victim.url)
    assert done.outside == {str(archive): done.outside[str(archive)]} and done.counts["records"] == 0
    assert archive.read_bytes() == content
    corpus.process("index", engine=engine)
    assert victim.url not in {d.url for d in corpus.documents}
    outcomes = {row["outcome"] for row in state(corpus)["fetches"] if row["url"] == victim.url}
    assert outcomes == {"removed"}
    assert corpus.funnel(engine=engine).to_json()


def test_a_page_that_left_by_itself_leaves_no_trace_in_what_was_fitted(corpus, engine):
    fitted = [f"analysis/{name}" for name in ("topics.json", "heaps.csv", "fits/topics-1.parquet")]
    for name in (*fitted, "analysis/licenses.json", "report/index.html"):
        corpus.storage.write(name, b"its words")
    remove(corpus, engine, "https://gone.example/")
    left = [*corpus.storage.list("analysis"), *corpus.storage.list("report")]
    assert "analysis/licenses.json" in left and not {*fitted, "report/index.html"} & set(left)


def test_removing_again_changes_nothing_and_says_the_same(taken, without, engine, victim):
    before = state(without)
    assert remove(without, engine, victim.url, "twice") == taken[1]
    assert state(without) == before and len(entries(without.storage)) == 1


def test_what_was_never_there_can_be_kept_out(corpus, engine):
    done = remove(corpus, engine, "https://never.example/")
    assert not any(done.counts.values())
    assert open_corpus(corpus.storage.root).config.scope("https://never.example/") == "removed"
    assert open_corpus(corpus.storage.root).config.scope("https://never.example/other") == ""


def test_a_dry_run_touches_nothing(corpus):
    victim = victim_of(corpus)
    before = sorted(
        (str(p), p.stat().st_mtime_ns) for p in Path(corpus.storage.root).rglob("*") if p.is_file()
    )
    assert planned(corpus, victim.url).counts["documents"] == 1
    assert before == sorted(
        (str(p), p.stat().st_mtime_ns) for p in Path(corpus.storage.root).rglob("*") if p.is_file()
    )


def test_of_parts_without_the_site_only_addresses_are_read(engine, tmp_path):
    """Links and verdicts of the others are not: here they are damaged. Hosts below the site are in two parts."""
    create("urd", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", WORKERS)
    hosts = ("www.a.example", "blog.a.example", "xa.example", "a.example.org")
    for number, host in enumerate(hosts):
        page = f'<p>{"اردو خبریں " * 60}</p><a href="https://b.example/">b</a>'
        row = json.dumps({"url": f"https://{host}/1", "html": page})
        (tmp_path / f"from{number}.jsonl").write_text(row, "utf-8")
        corpus.import_(str(tmp_path / f"from{number}.jsonl"), engine=engine)
    links = corpus.storage.list("links")
    assert len(links) == len(hosts)
    for file in links[2:]:
        corpus.storage.write(file, b"damaged")
    done = planned(corpus, "a.example")
    assert (done.counts["documents"], done.counts["kept"], done.counts["links"]) == (2, 2, 2)
    assert planned(corpus, "https://blog.a.example/1").counts["links"] == 1


@pytest.mark.parametrize("given", ["", "word", "example.org/page", "mailto:a@b.pk", "ftp://a.pk/"])
def test_what_is_neither_address_nor_site_is_refused(given):
    with pytest.raises(UserError):
        name_of(given)


def test_the_command_line_prints_what_was_done(corpus):
    victim = victim_of(corpus)
    arguments = ["remove", victim.url, "--project", corpus.storage.root, "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["counts"]["documents"] == 1


def test_every_length_of_record_can_be_replaced(tmp_path):
    from corpulyzer.warc import compose

    drafts = [compose.warcinfo("x", {})]
    for size in (0, 1, 100, 70_000, 3_000_000):
        url = f"https://a.example/{size}"
        drafts.append(compose.request(url, b"GET / HTTP/1.1\r\n\r\n", concurrent_to="<urn:x>"))
        drafts.append(compose.response(url, b"HTTP/1.1 200 OK\r\n\r\n", os.urandom(size)))
        drafts.append(compose.failure(url, "failed", "dns"))
    drafts.append(compose.resource("https://b.example/", b"stays", "text/plain"))
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(draft.packed() for draft in drafts))
    before = list(index_of_archive(str(path)))
    assert erase(str(path), Removed(("a.example",))) == 15
    assert erase(str(path), Removed(("a.example",))) == 0
    after = list(index_of_archive(str(path)))
    assert [(e.offset, e.length) for e in after] == [(e.offset, e.length) for e in before]
    assert after[-1] == before[-1] and not any(e.problem for e in after)
    assert [e.outcome for e in after[1:4]] == ["", "removed", "removed"]


class Web(BaseHTTPRequestHandler):
    """Two hosts of eight pages that link to each other, behind a proxy."""

    protocol_version = "HTTP/1.1"
    asked: list[str] = []  # noqa: RUF012 - one list for all requests

    def do_GET(self):
        self.asked.append(self.path)
        host, _, path = self.path.removeprefix("http://").partition("/")
        text = (
            "یہ اردو زبان میں لکھا گیا ایک جملہ ہے جس میں خبریں اور مضامین شامل ہیں اور لوگ اسے پڑھتے ہیں۔ "
        )
        links = "".join(f'<a href="http://{h}/p{n}">{n}</a>' for h in ("a.test", "b.test") for n in range(8))
        body = f"<article>{''.join(f'<p>{text * 3}{host}{path}{n}</p>' for n in range(4))}</article>{links}".encode()
        status = 404 if path == "robots.txt" else 200
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def proxy():
    with ThreadingHTTPServer(("127.0.0.1", 0), Web) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        Web.asked.clear()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_a_crawl_never_fetches_it_again(engine, tmp_path, proxy):
    from corpulyzer.jobs.crawl.loop import Crawl
    from corpulyzer.web.seeds import Candidate, add

    create("urd", tmp_path / "c")
    flags = {
        **WORKERS, "crawl.contact": "test@example.org", "crawl.rounds": 2, "fetch.proxy": proxy, "fetch.delay_seconds": 0.01,
        "fetch.allow_private": True, "crawl.round_pages": 3,
    }  # fmt: skip
    corpus = open_corpus(tmp_path / "c", flags)
    add(corpus.storage, [Candidate("http://a.test/p0")], "test", round=1)
    Crawl(corpus, engine).run()
    fetched = {d.url for d in corpus.documents}
    unseen = next(f"http://a.test/p{n}" for n in range(8) if f"http://a.test/p{n}" not in fetched)
    seen = sorted(fetched)[0]
    done = remove(corpus, engine, seen)
    assert done.counts["records"] >= 1 and done.counts["links"] > 0
    remove(corpus, engine, unseen)
    remove(corpus, engine, "b.test")
    Web.asked.clear()
    Crawl(open_corpus(tmp_path / "c", {**flags, "crawl.rounds": 12}), engine).run()
    pages = [url for url in Web.asked if not url.endswith("robots.txt")]
    assert pages and seen not in pages and unseen not in pages
    assert not [url for url in Web.asked if "b.test" in url]
    again = open_corpus(tmp_path / "c", flags)
    again.process("index", engine=engine)
    left = {d.url for d in again.documents}
    assert left and not left & {seen, unseen} and not [url for url in left if "b.test" in url]


@pytest.mark.scaled
def test_a_removal_killed_at_any_time_ends_as_one_that_was_not(whole, engine, tmp_path, scale):
    shutil.copytree(whole, tmp_path / "fresh")
    fresh = open_corpus(tmp_path / "fresh", WORKERS)
    victim = victim_of(fresh)
    expected = remove(fresh, engine, victim.site)
    shutil.copytree(whole, tmp_path / "killed")
    command = [
        sys.executable,
        "-m",
        "corpulyzer",
        "remove",
        victim.site,
        "--project",
        str(tmp_path / "killed"),
        "--quiet",
    ]
    plan, midway = tmp_path / "killed" / "removing.json", 0
    waits = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
    for wait in scale(waits[:2], waits, waits * 5):
        there = plan.exists()
        run = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        while not plan.exists() and run.poll() is None:
            time.sleep(0.005)
        time.sleep(wait + (1.5 if there else 0))  # what goes on with a plan takes a while to start
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        midway += plan.exists()
    assert midway, "none of the kills came in the middle"
    killed = open_corpus(tmp_path / "killed", WORKERS)
    done = remove(killed, engine, victim.site)
    assert (done.name, done.counts) == (expected.name, expected.counts)
    assert state(killed) == state(fresh)
    assert len(entries(killed.storage)) == 1 and not killed.storage.exists("removing.json")


def test_what_a_killed_write_left_goes_too(corpus, engine):
    """A process that is killed while it writes a file leaves it under a hidden name, with the text in it."""
    victim, root = victim_of(corpus), Path(corpus.storage.root)
    passage = max(victim.text.split("\n"), key=len)
    write = (
        "import os, signal, sys; from corpulyzer.storage import AtomicFile; file = AtomicFile(sys.argv[1]);"
        "open(file.temporary, 'w').write(sys.argv[2]); os.kill(os.getpid(), signal.SIGKILL)"
    )
    for place in ("documents/round=00000/other.00000.parquet", "audit/later/sample.jsonl"):
        subprocess.run([sys.executable, "-c", write, root / place, passage], check=False)
    abroad = root / "documents" / ".part.parquet.another-machine.1.tmp"
    abroad.write_text(passage)
    assert len([file for file in traces(root, passage) if file.endswith(".tmp")]) == 3
    remove(corpus, engine, victim.url)
    assert traces(root, passage) == []


@pytest.mark.parametrize("ending", ["", ".open"])
def test_archives_that_no_import_has_noted_yet_are_searched_too(corpus, engine, ending):
    """A fetch that is killed leaves archives in `imports/`, and the next one notes them."""
    victim, root = victim_of(corpus), Path(corpus.storage.root)
    wanted = Removed((name_of(victim.url),))
    noted = next(file for file in sorted((root / "imports").glob("*.warc.gz")) if matching(str(file), wanted))
    left = root / "imports" / f"commoncrawl-1f-00000.warc.gz{ending}"
    shutil.copyfile(noted, left)
    remove(corpus, engine, victim.url)
    assert not matching(str(left), wanted) and not any(entry.problem for entry in index_of_archive(str(left)))


@pytest.fixture
def outside(tmp_path):
    """A corpus of two pages in an archive that is not in its folder."""
    with (tmp_path / "pages.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for name in ("stays", "goes"):
            page = f"<p>{name}: " + "The people of the village came to the market in the morning. " * 30
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            body = io.BytesIO(page.encode())
            url = f"https://a.example/{name}"
            writer.write_record(writer.create_warc_record(url, "response", payload=body, http_headers=head))
    create("eng", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", WORKERS)
    corpus.import_(tmp_path / "pages.warc.gz")
    return corpus


@pytest.mark.parametrize("table", ["fetches", "documents"])
def test_what_a_killed_command_left_without_an_entry_does_not_bring_a_page_back(outside, engine, table):
    there = Table(outside.storage, table)
    there.log.commit((), list(there.made()), dict)
    remove(outside, engine, "https://a.example/goes")
    outside.process(engine=engine)
    assert [document.url for document in outside.documents] == ["https://a.example/stays"]


def test_a_removal_that_was_cut_short_is_said_and_nothing_is_exported(outside, engine, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(
            "corpulyzer.jobs.remove.blank_fetches", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            remove(outside, engine, "https://a.example/goes")
    (said, *_) = stale(outside)
    assert said.what == "removal" and "a.example/goes" in str(said)
    with pytest.raises(UserError, match="cut short") as caught:
        export(outside, engine, "jsonl")
    assert "corpulyzer remove https://a.example/goes" in caught.value.hint
    remove(outside, engine, "https://a.example/goes")
    assert "removal" not in [each.what for each in stale(outside)]
    assert export(outside, engine, "jsonl").manifest["documents"] == 1


def test_reasons_and_samples_may_have_separators_of_unicode_in_them(tmp_path):
    storage = Storage(tmp_path)
    line = {"name": "a.pk", "when": "now", "why": "asked\u2028by mail"}
    storage.write(FILE, (json.dumps(line, ensure_ascii=False) + "\n").encode())
    assert entries(storage) == [line]
    item = {"url": "http://a.pk/1", "text": "one\x85two"}
    storage.write("audit/x/sample.jsonl", (json.dumps(item, ensure_ascii=False) + "\n").encode())
    blank_samples(storage, Removed(("a.pk",)))
    assert json.loads(storage.read("audit/x/sample.jsonl")) == {
        "url": "http://a.pk/1",
        "text": "",
        "title": "",
    }
