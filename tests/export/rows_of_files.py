"""What stands in the files of an export, whichever files it is divided over."""

import io
from pathlib import Path

import pyarrow.parquet as pq
import regex
import zstandard
from fastwarc.warc import ArchiveIterator

BESIDE = ("README.md", "croissant.json", "_delta_log/", "registry/", "documents-", "changes-")
"""What is no data, or has names of files in it, the time, or the version."""
ARTICLES = regex.compile(rb"<article.*?</article>", regex.DOTALL)


def rows_in(exported):
    """The rows of each file by its name without numbers: files follow on each other in the order of their names."""
    found = {}
    for file in sorted(each["path"] for each in exported.manifest["files"]):
        if not file.startswith(BESIDE):
            name = regex.sub(r"-\d+(?=[-.])", "", file) if not file.startswith("corpus/") else "corpus/"
            found.setdefault(name, []).extend(_rows(file, Path(exported.path, file).read_bytes()))
    assert any(found.values())
    return found


def _rows(file, content):
    if file.endswith(".parquet"):
        return pq.ParquetFile(io.BytesIO(content)).read().to_pylist()
    if file.endswith((".warc.gz", ".wet.gz")):
        records = ArchiveIterator(io.BytesIO(content))
        return [each.reader.read() for each in records if "warcinfo" not in str(each.record_type)]
    if file.endswith(".zst"):
        content = zstandard.ZstdDecompressor().decompressobj().decompress(content)
    return ARTICLES.findall(content) if file.endswith(".html") else content.splitlines()
