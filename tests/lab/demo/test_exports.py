"""Samples in the forms that can be imported hold the text that their truths say."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from corpulyzer.lab.demo.exports import write_folder, write_jsonl, write_parquet, write_text, write_wet


def test_a_folder_has_a_file_per_page(tmp_path: Path) -> None:
    truths = write_folder(tmp_path / "site", target="hrv")
    assert len(list((tmp_path / "site").rglob("*.html"))) == len(truths) == 14
    assert sum(truth.keep for truth in truths) == 8
    html = (tmp_path / "site" / "vijesti.example" / "sample" / "1.html").read_text(encoding="utf-8")
    assert truths[0].text.split("\n")[0] in html


def test_json_lines_have_text_or_html(tmp_path: Path) -> None:
    truths = write_jsonl(tmp_path / "a.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["url"] for row in rows] == [truth.url for truth in truths]
    assert {("html" in row, "text" in row) for row in rows} == {(True, False), (False, True)}
    assert rows[0]["text"] == truths[0].text


def test_parquet_has_the_same_texts(tmp_path: Path) -> None:
    truths = write_parquet(tmp_path / "new" / "a.parquet")
    table = pq.read_table(tmp_path / "new" / "a.parquet")
    assert table.column("text").to_pylist() == [truth.text for truth in truths]


def test_wet_has_a_conversion_record_per_page(tmp_path: Path) -> None:
    truths = write_wet(tmp_path / "a.warc.wet.gz", target="xho")
    with open(tmp_path / "a.warc.wet.gz", "rb") as file:
        records = ArchiveIterator(file, record_types=WarcRecordType.conversion)
        assert [record.reader.read().decode() for record in records] == [truth.text for truth in truths]


@pytest.mark.parametrize("target", ["urd", "zul"])
def test_plain_text_has_empty_lines_between_paragraphs(tmp_path: Path, target: str) -> None:
    (truth,) = write_text(tmp_path / "a.txt", target=target)
    assert (tmp_path / "a.txt").read_text(encoding="utf-8").split("\n\n") == [
        *truth.text.split("\n")[:-1], truth.text.split("\n")[-1] + "\n",
    ]  # fmt: skip
