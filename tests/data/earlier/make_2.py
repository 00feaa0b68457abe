"""Make the small corpus of format 2 that later versions must be able to open; run with the version before."""

import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.lab.demo.web import BuiltInWeb
from corpulyzer.web import seeds

ROOT = Path(sys.argv[1])
FOLDER = ROOT / "corpus"

web = BuiltInWeb("urd", sites=4, pages=40)
created = create("urd", FOLDER)
seeds.add(created.storage, [seeds.Candidate(url) for url in web.seeds(2, 0.5)], "demo", round=1)
with web.serve() as server:
    flags = {
        "crawl.contact": "demo@corpulyzer.example",
        "crawl.rounds": 2,
        "crawl.round_pages": 5,
        "fetch.proxy": server.proxy_url,
        "fetch.delay_seconds": 0.0,
        "fetch.allow_private": True,
    }
    corpus = open_corpus(FOLDER, flags)
    with corpus.engine() as engine:
        Crawl(corpus, engine).run()

# The pages once more as rows, so that there are copies.
rows = [{"url": f"{d.url}?copy", "text": d.text} for d in corpus.documents.kept()]
(ROOT / "rows.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
COMMANDS = (
    ["import", str(ROOT / "rows.jsonl")],
    ["dedup"],
    ["annotate", "--method", "plain", "--morphs", "never"],
    ["search", "کے"],
    ["analyze", "funnel", "licenses"],
)
for words in COMMANDS:
    command = [sys.executable, "-m", "corpulyzer", *words, "--project", str(FOLDER), "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
shutil.rmtree(FOLDER / "analysis" / "work", ignore_errors=True)


def packed(info: tarfile.TarInfo) -> tarfile.TarInfo:
    """A file as it goes into the archive: nobody's."""
    info.uid, info.gid, info.uname, info.gname, info.mtime = 0, 0, "", "", int(info.mtime)
    return info


with tarfile.open(ROOT / "corpus-format-2.tar.xz", "w:xz", preset=9) as archive:
    archive.add(FOLDER, "corpus", filter=packed)
