"""The command line as a person meets it: results, errors, exit codes."""

import gzip
import json
import subprocess
import sys

import lz4.frame
import pyarrow.parquet as pq
import pytest
from command_line import attempt

from corpulyzer.lab.demo.archive import write_archive


def process(*arguments):
    """A command in a process of its own, as a shell starts it."""
    command = [sys.executable, "-m", "corpulyzer", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    truths = write_archive(folder / "web.warc.gz")
    assert attempt("init", "ur", folder / "urduweb").returncode == 0
    done = attempt("import", folder / "web.warc.gz", "--project", folder / "urduweb")
    assert done.returncode == 0, done.stderr
    return folder / "urduweb", truths, done


def test_import_prints_the_funnel_and_the_next_command(project):
    _, _, done = project
    assert "content_size" in done.stdout and "The corpus:" in done.stdout
    assert "Next: corpulyzer status" in done.stderr


def test_init_writes_about_a_dozen_lines_and_says_what_it_knows(tmp_path):
    done = attempt("init", "isiXhosa", tmp_path / "x")
    assert done.returncode == 0
    assert "zul" in done.stdout and "xhosa" in done.stdout
    assert 8 <= len((tmp_path / "x" / "corpulyzer.toml").read_text().splitlines()) <= 16
    assert "identified by    cld2, nguni" in done.stdout and "single sentences right" in done.stdout
    assert "seeds wikipedia" in done.stderr and "xhwiki" in done.stderr and "commoncrawl" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("Then: corpulyzer crawl --contact")
    for line in done.stderr.splitlines():
        if line.startswith("  corpulyzer"):
            command = line.split("--project")[0].split("--provider")[0].split("URL")[0].split("PATH")[0]
            assert attempt(*command.split()[1:], "--help").returncode == 0, "each is a command"


def test_a_wrong_language_gets_suggestions_exit_code_1_and_no_traceback(tmp_path):
    done = attempt("init", "urdoo", tmp_path / "x")
    assert done.returncode == 1
    assert "urdoo" in done.stderr and "urd" in done.stderr.replace("urdoo", "")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "x").exists()


def test_status_as_json_is_the_funnel(project):
    answer = json.loads(attempt("status", "--json", "--project", project[0]).stdout)
    assert answer["language"] == "urd"
    assert answer["kept"] == answer["steps"][-1]["pages"] > 0


def test_why_tells_the_verdict_and_its_numbers(project):
    folder, truths, _ = project
    short = next(t for t in truths if t.kind == "other_language" and t.language == "eng")
    done = attempt("why", short.url, "--project", folder)
    assert done.returncode == 0
    assert "dropped by content_size" in done.stdout and "256" in done.stdout
    events = json.loads(attempt("why", short.url, "--json", "--project", folder).stdout)
    assert events[0]["what"].startswith("fetched") and events[1]["numbers"]["wanted"] == 256


def test_why_of_an_unknown_page_says_so(project):
    done = attempt("why", "https://nowhere.example/", "--project", project[0])
    assert done.returncode == 1 and "Nothing is known of https://nowhere.example/" in done.stderr


def test_config_prints_the_origin_of_each_setting(project):
    settings = json.loads(
        attempt("config", "--json", "--project", project[0], CORPULYZER_ENGINE_WORKERS="1").stdout
    )
    by_key = {setting["key"]: setting for setting in settings}
    assert by_key["engine.workers"]["origin"] == "environment" and by_key["engine.workers"]["value"] == 1
    assert by_key["corpus.language"]["origin"].endswith("corpulyzer.toml")


def test_config_explains_a_key_and_suggests_for_a_wrong_one(project):
    done = attempt("config", "--explain", "filter.content_size.min_bytes", "--project", project[0])
    assert "target text" in done.stdout
    wrong = attempt("config", "--explain", "filter.content_size.min_byte", "--project", project[0])
    assert wrong.returncode == 1 and "filter.content_size.min_bytes" in wrong.stderr


def test_a_folder_that_is_no_corpus_is_an_error_with_the_next_step(tmp_path):
    done = process("status", "--project", tmp_path)
    assert done.returncode == 1 and "corpulyzer init" in done.stderr and "Traceback" not in done.stderr


def test_importing_what_is_not_there_is_an_error_and_nothing_is_lost(project):
    before = attempt("status", "--json", "--project", project[0]).stdout
    done = attempt("import", "no-such.warc.gz", "--project", project[0])
    assert done.returncode == 1 and "no-such.warc.gz" in done.stderr and "Traceback" not in done.stderr
    assert attempt("status", "--json", "--project", project[0]).stdout == before


def test_wrong_usage_is_exit_code_2():
    assert attempt("import").returncode == 2
    assert process("no-such-command").returncode == 2


def test_a_full_disk_is_said_in_words_with_the_next_step():
    command = [sys.executable, "-m", "corpulyzer", "languages", "ur"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: the disk is full") and "Make room" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_store_that_cannot_be_reached_is_said_in_words_with_the_next_step():
    store = "s3://key:secret@bucket/c?scheme=http&endpoint_override=127.0.0.1%3A1&region=us-east-1"
    done = attempt("init", "ur", store)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: the object store") and "AWS_ENDPOINT_URL" in done.stderr


def test_extract_reads_a_file_or_standard_input(tmp_path):
    page = (
        "<html><head><title>Naslov</title></head><body><div><p>"
        + "Ovo je dug odlomak teksta. " * 20
        + "</p></div>"
    )
    (tmp_path / "page.html").write_text(page, "utf-8")
    assert "Ovo je dug odlomak" in attempt("extract", tmp_path / "page.html").stdout
    assert json.loads(attempt("extract", "-", "--json", stdin=page).stdout)["title"] == "Naslov"


def test_extract_of_a_missing_file_and_an_unknown_extractor_are_user_errors(tmp_path):
    assert attempt("extract", tmp_path / "none.html").returncode == 1
    done = attempt("extract", "-", "--extractor", "magic", stdin="<p>x</p>")
    assert done.returncode == 1 and "magic" in done.stderr and "web_am" in done.stderr


def test_identify_answers_in_codes_and_bytes():
    answer = json.loads(
        attempt("identify", "-", "--json", stdin="یہ اردو زبان میں لکھا ہوا ایک جملہ ہے۔ " * 5).stdout
    )
    assert answer["language"] == "urd" and answer["script"] == "Arab"


def test_languages_lists_matches_and_suggests_otherwise():
    assert "xho" in attempt("languages", "xhosa").stdout
    none = attempt("languages", "klingonnish")
    assert none.returncode == 1 and "klingonnish" in none.stderr


def test_import_reads_archives_of_every_make(tmp_path):
    page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + "یہ اردو کا ایک جملہ ہے۔ " * 30
    block = page.encode()
    record = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{}.pk/\r\nContent-Length: {}\r\n"
        "Content-Type: application/http; msgtype=response\r\n\r\n"
    )
    warc = {
        name: record.format(name, len(block)).encode() + block + b"\r\n\r\n"
        for name in ("whole", "more", "lz", "cut")
    }
    about = b"1 0 A Test\nURL IP-address Archive-date Content-type Archive-length\n"
    arc = b"filedesc://x 0.0.0.0 20240506070809 text/plain %d\n%s\n" % (len(about), about)
    arc += b"http://arc.pk/ 127.0.0.1 20240506070809 text/html %d\n%s\n" % (len(block), block)
    links = {"HTML-Metadata": {"Links": [{"path": "A@/href", "url": "http://b.pk/"}]}}
    wat = json.dumps({"Envelope": {"Payload-Metadata": {"HTTP-Response-Metadata": links}}}).encode()
    about_page = b"WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: http://wat.pk/\r\n"
    about_page += b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (len(wat), wat)
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "a.arc.gz").write_bytes(gzip.compress(arc))
    (inbox / "b.warc.gz").write_bytes(gzip.compress(warc["whole"] + warc["more"]))
    (inbox / "c.warc.lz4").write_bytes(lz4.frame.compress(warc["lz"]))
    (inbox / "d.warc").write_bytes(warc["cut"][:-500])
    (inbox / "e.warc.wat.gz").write_bytes(gzip.compress(about_page))
    assert attempt("init", "ur", tmp_path / "c").returncode == 0
    done = attempt("import", inbox, "--project", tmp_path / "c")
    assert done.returncode == 0, done.stderr
    documents = pq.read_table(tmp_path / "c" / "documents", partitioning=None).to_pylist()
    assert {row["url"]: row["truncated"] for row in documents if row["verdict"]["kept"]} == {
        "http://arc.pk/": False,
        **dict.fromkeys(("http://whole.pk/", "http://more.pk/", "http://lz.pk/"), False),
        "http://cut.pk/": True,
    }
    assert len(documents) == 5, "a WAT file becomes no document"
    assert [
        row["target"] for row in pq.read_table(tmp_path / "c" / "links", partitioning=None).to_pylist()
    ] == ["http://b.pk/"]
