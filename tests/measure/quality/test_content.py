"""Labels by lists in numbers."""

import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from corpulyzer.measure.quality.content import kept_by_label
from corpulyzer.records import Document
from corpulyzer.records.columns import batch_of

sys.path.append(str(Path(__file__).parents[2] / "export"))
from made_documents import document


def test_a_label_that_no_list_gives_is_told_only_of_documents_that_are_kept(tmp_path):
    """Documents keep the labels of lists that the settings name no longer."""
    labels = {"content.spam": "words", "opt_outs": "tdm"}
    documents = [
        replace(document("https://a.pk/1"), labels=labels),
        replace(document("https://a.pk/2", kept=False), labels={**labels, "content.old": "words"}),
        document("https://a.pk/3"),
    ]
    file = str(tmp_path / "a.parquet")
    pq.write_table(pa.Table.from_batches([batch_of(documents, Document)]), file)
    assert kept_by_label([file], {"adult", "spam"}) == {"adult": 0, "spam": 1}
    assert kept_by_label([file], ()) == {"spam": 1}
