"""Every measure of tables gives equal rows on one machine and on Spark, in however many parts."""

from dataclasses import replace
from datetime import timedelta

import pytest
from benches import EDGE, bench, fetch_of, page, stored

from corpulyzer.dedup.passages import Passage
from corpulyzer.measure.compare.overlap import overlap
from corpulyzer.measure.compare.side_by_side import churn, jaccard, overlaps
from corpulyzer.measure.crawl import results
from corpulyzer.measure.licenses import by_language
from corpulyzer.measure.pages import as_files, duplicates, funnel_panel, language_richness
from corpulyzer.measure.sites import overview, ranks
from corpulyzer.records import EPOCH, drop

pytestmark = pytest.mark.slow
PANELS = (funnel_panel, overview, as_files, language_richness, ranks, duplicates, by_language, results)


def documents():
    """A crawl of 120 pages on seven sites in three rounds, some dropped, some licensed, in two languages."""
    made = []
    for n in range(120):
        kept = {} if n % 4 else {"verdict": drop(("content_size", "length", "mime")[n % 3])}
        license_ = {"license": "cc-by", "license_basis": "text"} if n % 5 == 0 else {}
        url = f"http://s{n % 7}.example/{'x/' * (n % 5)}{n}"
        date = EPOCH + timedelta(seconds=n // 2)
        made.append(
            page(
                url,
                round=1 + n % 3,
                date=date,
                raw_bytes=37 * n**2,
                text_bytes=100 + n,
                target_bytes=n,
                language=("urd", "eng")[n % 2],
                languages={"urd": n + 1, "eng": 9},
                **kept,
                **license_,
            )
        )
    return made


def measured(engine, folder, parts):
    found = documents()
    links = [
        replace(EDGE, source_id=a.id, target_id=b.url_id)
        for a, b in zip(found, found[7:] + found[:7], strict=True)
    ]
    sentences = [Passage(each.id, 0, 0, 1, 1, n % 50, 0, 0) for n, each in enumerate(found)]
    (folder / "ranks.csv").write_text("".join(f"{n},s{n}.example\n" for n in (3, 1, 2, 6)))
    made = bench(
        engine,
        folder,
        found,
        [fetch_of(each) for each in found],
        links,
        parts,
        ranks={"list": str(folder / "ranks.csv")},
        labels={"sentences": stored(folder, "sentences", sentences, Passage)},
        rounds=({"round": 1, "seconds": 3.0},),
    )
    results = [result for panel in PANELS for result in panel.measure(made)]
    sets = {str(n): (made.documents, f"verdict.kept and round >= {n}") for n in (1, 2, 3)}
    urls, hosts = overlap(engine, sets, "url_id"), overlap(engine, sets, "site")
    return [
        each.to_json() for each in (*results, overlaps(urls, "pages"), jaccard(hosts, "sites"), churn(hosts))
    ]


def test_both_engines_give_equal_results(engine, spark, tmp_path):
    for name in ("local", "spark"):
        (tmp_path / name).mkdir()
    local = measured(engine, tmp_path / "local", 1)
    assert len(local) > 20 and all(result["rows"] or result["name"] in EMPTY for result in local)
    assert local == measured(spark, tmp_path / "spark", 3)


EMPTY = {"duplicates", "large_pages"}
