"""Memory is bounded by the batch, not by the corpus: annotation and exports of many documents."""

import random
import sys
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corpulyzer.api.corpus import create
from corpulyzer.records import Document, int64_hash
from corpulyzer.records.columns import batch_of, schema_of

pytestmark = pytest.mark.endurance
FORMATS = ("conllu", "sentences")
ROWS_PER_PART = 2_000


def write_documents(folder, templates, count):
    """`count` documents like the templates, no two alike, in parts as `process` makes them."""
    create("urd", folder)
    rng = random.Random(0)
    for part in range(0, count, ROWS_PER_PART):
        made = []
        for number in range(part, part + ROWS_PER_PART):
            like = rng.choice(templates)
            url = f"https://s{number % 97}.example/{number}"
            made.append(
                replace(like, id=int64_hash(url), url=url, archive=f"a-{part}", text_digest=f"{number}")
            )
        path = folder / "documents" / "round=00000" / f"a-{part}.00000.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        table = pa.Table.from_batches([batch_of(made, Document)]).cast(schema_of(Document))
        pq.write_table(table, path, compression="zstd", row_group_size=500)


def test_many_documents_take_little_more_memory_than_four_thousand(
    corpus, peak_memory, tmp_path, capsys, scale
):
    templates = sorted(corpus.documents.kept(), key=lambda document: document.tokens)[:20]
    write_documents(tmp_path / "few", templates, 4_000)
    count = scale(None, 10_000, 20_000)
    write_documents(tmp_path / "many", templates, count)
    peaks = {}
    for name in ("few", "many"):
        place = ("--project", str(tmp_path / name))
        peaks[name] = {"annotate": peak_memory("annotate", "--morphs", "never", *place)}
        peaks[name] |= {format: peak_memory("export", format, *place) for format in FORMATS}
    with capsys.disabled():
        for what, few in peaks["few"].items():
            sys.stderr.write(
                f"{what}: {few / 1e6:.0f} MB of 4,000, {peaks['many'][what] / 1e6:.0f} MB of {count:,}\n"
            )
    for what, many in peaks["many"].items():
        assert many < 2 << 30, what
        # Up to a million passages are sorted at once; everything else is a stream.
        assert what == "sentences" or many < 1.35 * peaks["few"][what], what
