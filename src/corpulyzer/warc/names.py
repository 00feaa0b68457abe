"""What the files of an archive are called: `STEM-00000.warc.gz`, with `.open` behind while it is written."""

from __future__ import annotations

ENDING = ".warc.gz"
OPEN = ".open"


def file_name(stem: str, number: int) -> str:
    """The name of a closed file, the `number`th of its stem.

    >>> file_name("crawl", 3)
    'crawl-00003.warc.gz'
    """
    return f"{stem}-{number:05d}{ENDING}"


def archive_name(file: str) -> str:
    """The name under which the tables know a file, wherever it is and whether it is open or not.

    >>> archive_name("warc/round=00001/crawl-00003.warc.gz.open")
    'crawl-00003'
    """
    return file.rpartition("/")[2].removesuffix(OPEN).removesuffix(ENDING)
