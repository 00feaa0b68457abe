"""`corpulyzer analyze`, `report` and `compare` as a person meets them."""

import json

from command_line import attempt, run


def test_analyze_prints_a_table_with_its_definition_and_the_next_command(corpora):
    done = run("analyze", "top_sites", "--project", corpora["one_site"].storage.root)
    assert done.returncode == 0, done.stderr
    assert "akhbar.example" in done.stdout and "Tahir & Mehmood" in done.stdout
    assert "100.0%" in done.stdout, "shares are written as in the report"
    assert "Next: corpulyzer report" in done.stderr


def test_analyze_prints_json_for_other_programs(corpora):
    done = run("analyze", "concentration", "--json", "--project", corpora["one_site"].storage.root)
    (found,) = json.loads(done.stdout)
    assert found["name"] == "concentration" and found["rows"] and found["definition"] and done.stderr == ""


def test_a_measure_that_is_none_is_named_with_what_was_meant(corpora):
    done = attempt("analyze", "top_site", "--project", corpora["one_site"].storage.root)
    assert done.returncode == 1 and "top_sites" in done.stderr and "Traceback" not in done.stderr


def test_report_prints_where_the_page_is(corpora):
    done = run("report", "--project", corpora["one_site"].storage.root)
    assert done.returncode == 0 and done.stdout.strip().endswith("report/index.html")


def test_compare_writes_a_page_with_the_figures(corpora, tmp_path):
    one, other = (corpora[name].storage.root for name in ("one_site", "no_fonts"))
    done = run("compare", one, other, "--out", tmp_path / "compare.html")
    assert done.returncode == 0, done.stderr
    assert "Side by side" in done.stdout
    text = (tmp_path / "compare.html").read_text("utf-8")
    assert "Comparison with a corpus" in text and 'data-figure="jaccard_pages"' in text
