"""Make the corpus that later versions must be able to open; run with the version before."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import given

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.lab.demo.web.oracle import Oracle
from corpulyzer.web import seeds

ROOT = Path("/tmp/earlier")
FOLDER = ROOT / "corpus"

web = BuiltInWeb("urd", sites=12, pages=200)
created = create("urd", FOLDER)
rich = web.seeds(6, 0.5)
# One page of each kind of trouble: missing, broken, moved, moved in a circle, forbidden by robots.txt.
met = [web.truth(link.url) for url in Oracle(web, lambda _: True)(rich, 600) for link in web.links(url)]
trouble = {truth.status: truth.url for truth in met if truth.status != 200 and not truth.disallowed}
forbidden = next((truth.url for truth in met if truth.disallowed), "")
first = [*rich, *trouble.values(), *([forbidden] if forbidden else [])]
seeds.add(created.storage, [seeds.Candidate(url) for url in first], "demo", round=1)
with web.serve() as server:
    flags = {
        "crawl.contact": "demo@corpulyzer.example",
        "crawl.rounds": 3,
        "crawl.round_pages": 14,
        "fetch.proxy": server.proxy_url,
        "fetch.delay_seconds": 0.0,
        "fetch.allow_private": True,
    }
    corpus = open_corpus(FOLDER, flags)
    with corpus.engine() as engine:
        Crawl(corpus, engine).run()

given.write_folder(ROOT / "given" / "pages")
given.write_jsonl(ROOT / "given" / "rows.jsonl", seed=1)
given.write_wet(ROOT / "given" / "texts.warc.gz", seed=2)


def run(*words: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "corpulyzer", *words, "--project", str(FOLDER), "--quiet"], check=True
    )


run("import", *(str(ROOT / "given" / name) for name in ("pages", "rows.jsonl", "texts.warc.gz")))
run("process")
run("dedup")
run("annotate", "--method", "plain", "--morphs", "never")
# A tape archive keeps whole seconds, and the index tells files by their times.
for file in FOLDER.rglob("*.parquet"):
    os.utime(file, (1_790_000_000, 1_790_000_000))
run("search", "کے")
run("report")
shutil.rmtree(FOLDER / "report")


def packed(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """A file as it goes into the archive: nobody's, and with whole seconds."""
    info.uid, info.gid, info.uname, info.gname, info.mtime = 0, 0, "", "", int(info.mtime)
    passing = "/analysis/work" in info.name or info.name.endswith("crawl.lock")
    return None if passing else info


with tarfile.open(ROOT / "corpus-format-1.tar.xz", "w:xz", preset=9) as archive:
    archive.add(FOLDER, "corpus", filter=packed)
