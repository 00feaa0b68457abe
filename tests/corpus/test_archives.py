"""Every archive of a corpus, each with where it came from."""

import json
from pathlib import Path

import pytest
import regex

from corpulyzer.corpus.archives import Archive, CrawlPlaces, archives, check, round_folder, stem
from corpulyzer.corpus.folder import CorpusFolder
from corpulyzer.errors import UserError
from corpulyzer.jobs.importing import register
from corpulyzer.warc.compose import failure
from corpulyzer.warc.write import ArchiveWriter


@pytest.fixture
def storage(tmp_path):
    """The folder of a corpus with a file imported, an archive imported, and one round crawled."""
    storage = CorpusFolder.create("ur", tmp_path / "c").storage
    (tmp_path / "texts.jsonl").write_text(json.dumps({"url": "http://a.test/", "text": "one"}))
    for folder, name in ((tmp_path, "own"), (storage.path(round_folder(3)), stem(3))):
        with ArchiveWriter(folder, name) as archive:
            archive.write(failure("http://a.test/", "dns", "no such host"))
    register(storage, [str(tmp_path / "texts.jsonl"), str(tmp_path / "own-00000.warc.gz")])
    return storage


def test_imported_archives_name_their_source_and_crawled_ones_their_round(storage, tmp_path):
    own, made, crawled = archives(storage)
    assert (own.round, own.source, own.path) == (0, str(tmp_path / "own-00000.warc.gz"), own.source)
    assert (made.round, made.source) == (0, str(tmp_path / "texts.jsonl"))
    assert Path(made.path).parent == Path(storage.path("imports"))
    assert crawled == Archive("crawl-00003-00000", CrawlPlaces(storage)["crawl-00003-00000"], 3)
    check([own, made, crawled])


@pytest.mark.parametrize(
    "number, said, hint",
    [
        (0, "is no longer there.$", "import it from its new place"),
        (1, r"is no longer there. It was made of .*texts.jsonl.$", "import it from its new place"),
        (2, "is no longer there. Round 3 of the crawl had fetched it.$", "^Put it back.$"),
    ],
    ids=["imported", "made of what was imported", "crawled"],
)
def test_an_archive_that_is_gone_is_named_with_where_it_came_from(storage, number, said, hint):
    found = archives(storage)
    Path(found[number].path).unlink()
    with pytest.raises(UserError) as caught:
        check(found)
    assert regex.search(said, caught.value.message) and regex.search(hint, caught.value.hint)
