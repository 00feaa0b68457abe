"""The first page of the report: where documents are from, how good they are, and how to cite them."""

import base64

import pyarrow as pa
import pytest

from corpulyzer.jobs.analyze.run import Measured
from corpulyzer.measure.panels import Panel
from corpulyzer.measure.result import Result
from corpulyzer.measure.sites.origin import _endings, _years, countries, country_of
from corpulyzer.report.about import About
from corpulyzer.report.front import front
from corpulyzer.report.page import CSV_BYTES, page
from corpulyzer.report.summary import summary
from corpulyzer.report.world import timeline, world

ABOUT = About("urduweb", "urd", "Urdu", "اردو", "rtl", "0.1.0", "1 May 2026", tag="ur")
SITES = [
    {"site": "a.pk", "documents": 6, "target_bytes": 60},
    {"site": "b.com.pk", "documents": 2, "target_bytes": 20},
    {"site": "c.co.uk", "documents": 1, "target_bytes": 10},
    {"site": "d.com", "documents": 1, "target_bytes": 10},
    {"site": "10.0.0.1", "documents": 0, "target_bytes": None},
]


def days(counts):
    """Documents by the day of their publication; of ten, the rest have none."""
    rest = {"": 10 - sum(counts.values())}
    return [{"published": day, "documents": count} for day, count in {**rest, **counts}.items()]


def funnel(documents=10):
    facts = {"documents": documents, "tokens": 1234, "records": 20, "sites": 4}
    return Result("funnel", "Funnel", "", "", pa.table({"step": ["all"]}), facts=facts)


@pytest.mark.parametrize(
    "site, code",
    [
        ("a.tk", ""),
        ("a.pk", "pk"),
        ("b.co.uk", "gb"),
        ("c.com", ""),
        ("d.tv", ""),
        ("e.invalid", ""),
        ("f.SI", "si"),
    ],
)
def test_the_ending_of_an_address_tells_its_country_if_it_is_not_sold_to_everybody(site, code):
    assert country_of(site) == code
    assert not code or countries()[code].name


def test_documents_are_counted_by_ending_and_country():
    found = _endings(SITES)
    rows = {row["ending"]: row for row in found.rows.to_pylist()}
    assert (rows[".pk"]["country"], rows[".pk"]["documents"], rows[".pk"]["sites"]) == ("Pakistan", 8, 2)
    assert rows[".com"]["country"] == "" and rows["a number"]["documents"] == 0
    assert found.facts == {"countries": 2, "told_share": 0.9}
    assert found.summary.startswith("90.0% of the documents have addresses of 2 countries")


def test_years_without_documents_stand_in_the_timeline():
    found = _years(days({"2001-03-04": 2, "2001-12-31": 1, "2004-01-01": 1, "1066-10-14": 1, "soon": 1}))
    assert found.rows.to_pylist() == [
        {"year": 2001, "documents": 3},
        {"year": 2002, "documents": 0},
        {"year": 2003, "documents": 0},
        {"year": 2004, "documents": 1},
    ]
    assert found.summary == "40.0% of the documents tell their year, from 2001 to 2004."
    assert _years(days({})).summary == "No document says when it was published."


def test_the_map_has_a_circle_for_each_country_in_its_place():
    drawn = str(world({"pk": 8, "gb": 1}))
    assert drawn.count('class="country"') == 2 and "Pakistan: 8" in drawn and "Britain" in drawn
    karachi = countries()["pk"]
    assert 23 < karachi.latitude < 26 and 65 < karachi.longitude < 69
    assert timeline([]) == "" and str(timeline([(2001, 3), (2002, 0)])).count("<rect") == 2


def test_the_first_page_says_what_is_known_and_what_nobody_has_looked_at():
    results = [funnel(), _endings(SITES), _years(days({"2001-03-04": 3}))]
    found = front(ABOUT, results)
    assert [each.ending for each in found.endings][:2] == [".pk", ".com"]
    assert "Nobody has read a sample" in found.good[0]
    assert "10 documents, 1,234 words" in found.cite and "@misc{urduweb" in found.bibtex
    assert front(ABOUT, [funnel(documents=0)]) is None and front(ABOUT, []) is None


@pytest.mark.parametrize(
    "relatives, sites, near, said",
    [
        ([], 3, 0, None),
        (["zul"], 1, 0, "no close relative has much of the text of the one larger site"),
        (["zul"], 4, 1, "on 1 of 4 larger sites much of the text"),
    ],
)
def test_the_first_page_says_of_look_alikes_what_was_looked_for(relatives, sites, near, said):
    none = pa.table({"site": pa.array([], "string")})
    facts = {"sites": sites, "sites_near": near}
    alike = Result("look_alikes", "", "", "", none, facts=facts, parameters={"relatives": relatives})
    told = [each for each in front(ABOUT, [funnel(), alike]).good if each.startswith("Look-alike")]
    assert told == [] if said is None else said in told[0]


def test_copies_are_those_that_the_corpus_still_has():
    """Of all that was read more was repeated, and copies of documents are left out."""
    read = Result("duplicates", "", "", "", pa.table({"level": ["sentence"]}), facts={"sentence": 0.5})
    kept = {"total_sentences": 200, "unique_sentences": 170}
    basics = Result("basics", "", "", "", pa.table({"what": ["x"]}), facts=kept)
    told = front(ABOUT, [funnel(), read, basics]).good
    assert "Copies: 15.0% of its sentences repeat one that stands before." in told
    verdict = summary(ABOUT, [funnel(), read, basics]).verdict
    assert "Little of it is said twice: 15.0% of the sentences repeat another." in verdict
    assert not any("Copies" in each for each in front(ABOUT, [funnel(), read]).good)


def test_commands_within_sentences_are_code():
    text = page(ABOUT, [Measured(Panel("p", "Section", ""), (funnel(),))], script=str)
    assert '<code dir="ltr">corpulyzer audit</code> draws one.' in text


def test_each_table_of_the_page_can_be_had_as_csv_if_it_is_not_too_long():
    short = _endings(SITES)
    long = Result("long", "Long", "", "", pa.table({"value": ["x" * 100] * (CSV_BYTES // 100)}))
    text = page(ABOUT, [Measured(Panel("p", "Section", ""), (funnel(), short, long))], script=str)
    (link,) = [line for line in text.split('"') if line.startswith("data:text/csv") and len(line) > 200]
    assert base64.b64decode(link.partition("base64,")[2]).decode("utf-8-sig") == short.to_csv()
    assert 'download="countries.csv"' in text and 'download="long.csv"' not in text
    assert 'lang="ur"' in text and "<!--explorer-->" in text
