"""What the archives of a crawl hold, read from them and from nothing else."""

from corpulyzer.corpus.archives import crawled, left_open
from corpulyzer.errors import UserError
from corpulyzer.warc import fetch_of, index


def fetches_in(corpus):
    """The fetches in all archives of the crawl, those that a kill left open included; damage is left out."""
    found = []
    for archive in sorted([*crawled(corpus.storage), *left_open(corpus.storage)], key=lambda it: it.name):
        try:
            rows = [fetch_of(each, archive.name, archive.round) for each in index(archive.path)]
        except UserError:  # a kill within the first record
            continue
        found += [row for row in rows if row is not None and row.outcome != "damaged"]
    return found
