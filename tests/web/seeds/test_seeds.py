"""Seeds: where they come from is kept, and nothing goes in twice."""

import pytest

from corpulyzer.errors import UserError
from corpulyzer.storage import Storage
from corpulyzer.web import seeds
from corpulyzer.web.seeds import Candidate
from corpulyzer.web.seeds.file import from_file


@pytest.fixture
def storage(tmp_path):
    return Storage(tmp_path)


def test_a_seed_keeps_its_source_and_its_round(storage):
    added = seeds.add(storage, [Candidate("HTTPS://A.pk/#top", "by hand")], "command", round=3)
    assert [seed.url for seed in added.new] == ["https://a.pk/"]
    (seed,) = seeds.read(storage)
    assert (seed.source, seed.detail, seed.round) == ("command", "by hand", 3)


def test_a_seed_that_is_known_is_not_added_again(storage):
    seeds.add(storage, [Candidate("https://a.pk/")], "command", round=1)
    before = storage.read(seeds.FILE)
    added = seeds.add(storage, [Candidate("https://a.pk"), Candidate("https://b.pk/")], "file", round=2)
    assert (len(added.new), added.known) == (1, 1)
    assert storage.read(seeds.FILE).startswith(before), "the file only grows"


def test_what_is_no_web_address_is_refused_with_the_reason(storage):
    added = seeds.add(storage, [Candidate("mailto:a@b.pk"), Candidate("http://[")], "command", round=1)
    assert added.refused == (("mailto:a@b.pk", "scheme"), ("http://[", "invalid"))
    assert seeds.read(storage) == []


def test_seeds_can_be_reduced_to_home_pages(storage):
    urls = ["https://a.hr/x/1", "https://a.hr/y", "https://b.hr/z?q=1"]
    added = seeds.add(storage, map(Candidate, urls), "file", round=1, change=seeds.to_homepage)
    assert [seed.url for seed in added.new] == ["https://a.hr/", "https://b.hr/"]


@pytest.mark.parametrize(
    "name, text",
    [
        ("seeds.txt", "# ours\nhttps://a.pk/x\n\nhttp://b.pk  a comment\n"),
        ("seeds.csv", "name,url\nA,https://a.pk/x\nB,http://b.pk\n"),
        ("seeds.tsv", "URL\tname\nhttps://a.pk/x\tA\nhttp://b.pk\tB\n"),
        ("seeds.jsonl", '{"url": "https://a.pk/x"}\n{"url": "http://b.pk", "n": 1}\n'),
    ],
)
def test_files_of_each_form_give_their_urls_and_lines(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    found = list(from_file(path))
    assert [candidate.url for candidate in found] == ["https://a.pk/x", "http://b.pk"]
    assert all(candidate.detail.startswith(f"{name}, line ") for candidate in found)
    assert path.read_text("utf-8") == text


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(UserError, match=r"nowhere\.txt"):
        list(from_file(tmp_path / "nowhere.txt"))
    (tmp_path / "bad.jsonl").write_text('{"link": 1}\n')
    with pytest.raises(UserError, match="line 1"):
        list(from_file(tmp_path / "bad.jsonl"))
