"""What annotations have is counted, and no more of them is read than has something."""

import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.append(str(Path(__file__).parent.parent))

from made_corpus import bench_of

from corpulyzer.engine import Dataset
from corpulyzer.measure.text.annotated_share import TOKENS, columns_of, measure
from corpulyzer.records.annotation import Annotation, Sentence, Token, annotation_schema
from corpulyzer.records.columns import batch_of


def annotated(folder, number, tokens):
    """A file of one document with these tokens."""
    file = folder / "annotations" / f"{number}.parquet"
    file.parent.mkdir(exist_ok=True)
    row = Annotation(number, "", "simple", (Sentence(0, 9, 0, tuple(tokens)),))
    pq.write_table(pa.Table.from_batches([batch_of([row], Annotation)]), file)
    return str(file)


def test_fields_that_are_empty_everywhere_are_not_read_and_count_as_none(engine, tmp_path):
    tokens = [Token(0, 1, "a", lemma="a", upos="X"), Token(1, 2, "b", lemma="b")]
    files = (annotated(tmp_path, 1, tokens), annotated(tmp_path, 2, [Token(0, 1, "a")]))
    assert columns_of(files[0]) == ("method", f"{TOKENS}.lemma", f"{TOKENS}.upos")
    assert columns_of(files[1]) == ("method", f"{TOKENS}.lemma"), "one of them, to count the tokens"
    bench = replace(bench_of(tmp_path, engine, ["a"]), annotations=Dataset(files, annotation_schema()))
    ((row,),) = (result.rows.to_pylist() for result in measure(bench))
    counts = {"documents": 2, "sentences": 2, "tokens": 3, "lemma": 2, "upos": 1}
    assert row == {"method": "simple", **counts, "xpos": 0, "feats": 0, "morphs": 0}
