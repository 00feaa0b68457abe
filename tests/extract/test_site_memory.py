"""Site memory: what a site says on page after page is boilerplate."""

import pyarrow as pa
import pytest

from corpulyzer.engine import Dataset, Limits, Source, Unit
from corpulyzer.engine.local import LocalEngine
from corpulyzer.engine.sql import lint
from corpulyzer.extract.site_memory import FindLines, repeated_query, site_boilerplate

NOTICE = "Piši nam ako si vidio pogrešku."


def documents(*pages):
    """Pages as (site, paragraphs)."""
    rows = []
    for number, (site, paragraphs) in enumerate(pages):
        spans, start = [], 0
        for text in paragraphs:
            spans.append({"start": start, "end": start + len(text)})
            start += len(text) + 1
        rows.append({"id": number, "site": site, "text": "\n".join(paragraphs), "paragraphs": spans})
    return pa.Table.from_pylist(rows)


PAGES = documents(
    *(("a.example", (f"Članak broj {n}.", NOTICE if n % 2 else NOTICE.upper())) for n in range(5)),
    *(("b.example", (f"Drugi članak {n}.", NOTICE)) for n in range(2)),
    *(("c.example", (f"Treći članak {n}.", *((NOTICE,) if n < 3 else ()))) for n in range(40)),
)


def found_by(engine, folder, **limits):
    target = str(folder / "lines.parquet")
    engine.map(FindLines(), [Unit(Source(table=PAGES), {"lines": target})])
    return site_boilerplate(engine, Dataset((target,), FindLines().outputs["lines"]), **limits)


def test_a_paragraph_on_many_pages_of_a_site_is_boilerplate_on_all_of_them(tmp_path):
    assert found_by(LocalEngine(1), tmp_path) == {number: {1} for number in range(5)}


def test_two_pages_or_a_small_share_of_the_site_do_not_suffice_by_default_but_can(tmp_path):
    found = found_by(LocalEngine(1), tmp_path, min_pages=2, min_percent=5)
    assert set(found) == {*range(7), 7, 8, 9}


def test_the_query_is_portable():
    lint(repeated_query())


def test_a_document_that_cannot_be_read_has_nothing_to_forget():
    assert FindLines().failed(PAGES.to_batches()[0], "why")["lines"].num_rows == 0


@pytest.mark.slow
def test_both_engines_find_the_same(tmp_path):
    pytest.importorskip("pyspark")
    from corpulyzer.engine.spark import SparkEngine

    with SparkEngine("local[1]", Limits()) as engine:
        assert found_by(engine, tmp_path) == {number: {1} for number in range(5)}
