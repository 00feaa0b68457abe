"""How large parts are where nobody says."""

import pytest

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.engine.derived.table import Table


@pytest.mark.parametrize(("engine_name", "parts_made"), [("local", 2), ("spark", 1)])
def test_an_archive_is_one_part_on_a_cluster_and_several_on_one_machine_unless_told(
    tmp_path, engine, engine_name, parts_made
):
    rows = (f'{{"url": "https://a.pk/{number}", "text": "{number}"}}\n' for number in range(2_001))
    (tmp_path / "a.jsonl").write_text("".join(rows))
    create("urd", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {"engine.name": engine_name})
    corpus.import_(tmp_path / "a.jsonl", engine=engine)
    assert len(Table(corpus.storage, "documents").parts()) == parts_made and len(corpus.documents) == 2_001
