"""Web archives: find their records, read pages out of them, write new ones."""

from corpulyzer.warc.fetches import fetch_of, page_of
from corpulyzer.warc.index import Entry, index, index_file
from corpulyzer.warc.read import ArchiveReader, Record, read, read_many
from corpulyzer.warc.scan import BrokenRecordError
from corpulyzer.warc.write import ArchiveWriter, close_left_open, repair

__all__ = [
    "ArchiveReader",
    "ArchiveWriter",
    "BrokenRecordError",
    "Entry",
    "Record",
    "close_left_open",
    "fetch_of",
    "index",
    "index_file",
    "page_of",
    "read",
    "read_many",
    "repair",
]
