"""Agreement with rankings from outside (CZ-22, CZ-45)."""

import gzip
import random

import pytest
from benches import bench, page

from corpulyzer.errors import UserError
from corpulyzer.measure.sites.ranks import load, measure
from corpulyzer.measure.statistics.correlation import spearman

SITES = {"a.example": 100, "b.example": 80, "c.example": 60}
DOCUMENTS = [page(f"http://{site}/", target_bytes=share) for site, share in SITES.items()]


def written(folder, text, name="list.csv"):
    (folder / name).write_text(text, "utf-8")
    return str(folder / name)


def test_three_forms_of_rank_files_are_read_cz_22(tmp_path):
    tranco = written(tmp_path, "1,google.com\n2,a.example\n", "tranco.csv")
    own = written(tmp_path, "site;x,site,rank\n-,a.example,7\n", "own.csv")
    graph = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n5\t1e7\t9\t0.1\texample.a\n"
    harmonic = written(tmp_path, graph, "harmonic.txt")
    assert [load(file, {"a.example"}) for file in (tranco, own, harmonic)] == [
        {"a.example": 2}, {"a.example": 7}, {"a.example": 5}
    ]  # fmt: skip


def test_packed_files_are_read_too(tmp_path):
    path = tmp_path / "list.csv.gz"
    path.write_bytes(gzip.compress(b"3,a.example\n"))
    assert load(str(path), {"a.example"}) == {"a.example": 3}


def test_a_line_that_is_no_rank_is_named(tmp_path):
    with pytest.raises(UserError, match="line 2"):
        load(written(tmp_path, "1,a.example\nfirst,b.example\n"), set())


def test_agreement_is_positive_and_what_the_list_does_not_know_is_counted_cz_45(engine, tmp_path):
    good = written(tmp_path, "10,a.example\n20,c.example\n", "good.csv")
    bad = written(tmp_path, "1,c.example\n2,b.example\n3,a.example\n", "bad.csv")
    (found,) = measure(bench(engine, tmp_path, DOCUMENTS, ranks={"good": good, "bad": bad}))
    rows = {each["ranking"]: each for each in found.rows.to_pylist()}
    assert rows["good"]["spearman"] == pytest.approx(1) and rows["good"]["missing"] == 1
    assert rows["bad"]["spearman"] == pytest.approx(-1) and rows["bad"]["known"] == 3


def test_a_host_is_looked_up_by_its_domain_where_the_list_knows_that_alone(engine, tmp_path):
    documents = [page("http://ur.a.example/"), page("http://b.example/", target_bytes=50)]
    (found,) = measure(
        bench(engine, tmp_path, documents, ranks={"l": written(tmp_path, "1,a.example\n2,b.example\n")})
    )
    assert found.rows.to_pylist()[-1]["known"] == 2


def test_the_correlation_is_that_of_textbooks_with_ties_averaged():
    """Hand-computed: ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4 give 4.5 / sqrt(4.5 * 5)."""
    assert spearman([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)
    assert spearman([1, 1], [1, 2]) is None and spearman([], []) is None
    with pytest.raises(ValueError, match="compared"):
        spearman([1], [])


def test_the_correlation_is_symmetric_and_knows_order_alone():
    draw = random.Random(4)
    x, y = [draw.random() for _ in range(50)], [draw.random() for _ in range(50)]
    assert spearman(x, y) == pytest.approx(spearman(y, x))
    assert spearman([value**3 for value in x], y) == pytest.approx(spearman(x, y))
    assert spearman([-value for value in x], y) == pytest.approx(-spearman(x, y))


def test_without_files_or_sites_there_is_nothing_to_say(engine, tmp_path):
    assert measure(bench(engine, tmp_path, DOCUMENTS)) == []
    (found,) = measure(bench(engine, tmp_path / "empty", [], ranks={"l": written(tmp_path, "1,a.example\n")}))
    assert found.rows.num_rows == 0 and found.summary == "There are no sites to rank."
