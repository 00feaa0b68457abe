"""The audit: samples that can be weighted back, labels that are kept, estimates that a hand can check."""

import json
import math
from collections import Counter

import pytest
from lasting import engine_of
from typer.testing import CliRunner

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.audit.agreement import cohen_kappa, krippendorff_alpha
from corpulyzer.audit.estimate import effective_size, estimates, wilson
from corpulyzer.audit.labels import Label, all_labels, by_keys, read_labels, write_label
from corpulyzer.audit.sample import Item, allocate, draw, read_sample, write_sample
from corpulyzer.audit.sites import SiteLabel, read_sites, write_site
from corpulyzer.cli import app
from corpulyzer.errors import UserError
from corpulyzer.jobs.analyze.inputs import site_labels
from corpulyzer.lab.demo.archive import write_archive
from corpulyzer.measure.quality.audit import results, score
from corpulyzer.storage import Storage


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit")
    create("urd", folder / "c")
    write_archive(folder / "web.warc.gz")
    corpus = open_corpus(folder / "c", {"engine.workers": 1})
    engine = engine_of(corpus)
    corpus.import_(str(folder / "web.warc.gz"), engine=engine)
    return corpus


def item(number, stratum="s", weight=1.0, site="a.example"):
    return Item(number, f"https://{site}/{number}", site, "", stratum, weight, "text")


def test_wilson_as_computed_by_hand():
    """18 of 20: centre (0.9 + z²/40) / (1 + z²/20), half width z √(.09/20 + z²/1600) / (1 + z²/20)."""
    z = 1.959963984540054
    centre, scale = 0.9 + z * z / 40, 1 + z * z / 20
    half = z * math.sqrt(0.0045 + z * z / 1600)
    assert wilson(0.9, 20) == pytest.approx(((centre - half) / scale, (centre + half) / scale))
    assert wilson(0.9, 20) == pytest.approx((0.6990, 0.9721), abs=1e-4)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(0.5, 0) == (0.0, 1.0)


def test_estimates_are_weighted_back_to_the_corpus():
    """A large stratum that is good and a small one that is bad: 900 of 1,000 documents are good."""
    items = [item(n, "big", 450.0) for n in (1, 2)] + [item(n, "small", 50.0) for n in (3, 4)]
    labels = {"a": [Label(1, "CC"), Label(2, "CC"), Label(3, "WL"), Label(4, "NL", ("OF",))]}
    found = {row.code: row for row in estimates(items, labels)}
    assert found["C"].share == pytest.approx(0.9)
    assert found["WL"].share == found["NL"].share == found["OF"].share == pytest.approx(0.05)
    size = 1000**2 / (2 * 450**2 + 2 * 50**2)
    assert effective_size([450, 450, 50, 50]) == pytest.approx(size)
    assert (found["C"].low, found["C"].high) == pytest.approx(wilson(0.9, size))


def test_a_stratum_counts_by_its_population_however_few_of_it_are_labelled():
    items = [item(n, "big", 300.0) for n in (1, 2, 3)] + [item(4, "small", 100.0)]
    labels = {"a": [Label(1, "CC"), Label(4, "WL")]}
    assert estimates(items, labels)[0].share == pytest.approx(0.9)


def test_annotators_who_differ_count_by_halves():
    found = {row.code: row for row in estimates([item(1)], {"a": [Label(1, "CC")], "b": [Label(1, "WL")]})}
    assert found["CC"].share == found["WL"].share == 0.5


def test_kappa_and_alpha_of_published_examples():
    """Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, example C: nominal alpha .743."""
    coders = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    units = [[str(row[n]) for row in coders if row[n] is not None] for n in range(12)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)
    both = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    first, second = ({n: pair[side] for n, pair in enumerate(both)} for side in (0, 1))
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa({1: "a"}, {2: "a"}) is None
    assert krippendorff_alpha([["a"], ["b"]]) is None


def test_strata_are_served_in_proportion_and_none_is_left_out():
    assert allocate({"a": 900, "b": 90, "c": 10}, 20) == {"a": 17, "b": 2, "c": 1}
    assert sum(allocate({"a": 3, "b": 2}, 100).values()) == 5, "no more than there are"
    assert allocate({"a": 3, "b": 9, "c": 5}, 2) == {"b": 1, "c": 1}


def test_a_sample_is_the_same_for_a_seed_and_its_weights_make_up_the_corpus(corpus):
    engine = engine_of(corpus)
    documents = corpus.table("documents")
    one, same, other = (draw(engine, documents, 40, seed=seed) for seed in (1, 1, 2))
    assert one == same and {i.id for i in one.items} != {i.id for i in other.items}
    assert len({i.id for i in one.items}) == 40
    assert sum(i.weight for i in one.items) == pytest.approx(one.population)
    sites = Counter(i.site for i in one.items)
    assert len(sites) >= 10, "every site with a fortieth of the documents is seen"


def test_of_large_strata_a_share_is_looked_at_and_weights_still_make_up_the_corpus(corpus, monkeypatch):
    from corpulyzer.audit import sample

    engine, documents = engine_of(corpus), corpus.table("documents")
    whole = draw(engine, documents, 12, seed=3)
    monkeypatch.setattr(sample, "MOST_FRAMED", 1)
    monkeypatch.setattr(sample, "LEAST_FRAMED", 3)  # ids differ each time, and so does the share that is met
    brought = []

    class Counting:
        def query(self, sql, tables):
            found = engine.query(sql, tables)
            brought.append(found.num_rows)
            return found

    thinned = draw(Counting(), documents, 12, seed=3)
    assert len({i.id for i in thinned.items}) == len(thinned.items) == 12
    assert sum(i.weight for i in thinned.items) == pytest.approx(whole.population)
    assert thinned.strata() == whole.strata() and thinned.population == whole.population
    assert brought[1] < whole.population, "the frame is a share of the documents"


def test_rejects_are_sampled_by_the_reason_why_they_were_dropped(corpus):
    engine = engine_of(corpus)
    sample = draw(engine, corpus.table("documents"), 20, seed=0, rejects=True)
    assert all(not i.stratum.startswith("kept") for i in sample.items)
    assert {i.stratum.split(" · ")[0] for i in sample.items} >= {"content_size"}


def test_labels_are_kept_by_annotator_and_the_last_one_counts(tmp_path):
    storage = Storage(tmp_path)
    write_label(storage, "first", "thandi", Label(1, "CC"))
    write_label(storage, "first", "thandi", Label(2, "WL", ("MT",)))
    write_label(storage, "first", "thandi", Label(1, "CB", note="menus"))
    assert [(label.id, label.label) for label in read_labels(storage, "first", "thandi")] == [
        (1, "CB"),
        (2, "WL"),
    ]
    assert set(all_labels(storage, "first")) == {"thandi"}
    with pytest.raises(UserError, match="no label 'XX'"):
        write_label(storage, "first", "thandi", Label(1, "XX"))
    for name in ("../../evil", "a/b", "", ".."):
        with pytest.raises(UserError, match="cannot name"):
            write_label(storage, "first", name, Label(1, "CC"))
    assert by_keys("1") == ("CC", ()) and by_keys("om5") == ("NL", ("MT", "OF"))
    with pytest.raises(UserError, match="is no label"):
        by_keys("12")


def test_sites_are_labelled_in_a_table_that_people_may_edit(tmp_path):
    storage = Storage(tmp_path)
    write_site(storage, SiteLabel("news.example", "news", "no"))
    file = tmp_path / "sites.csv"
    file.write_text("site,category,owner\nhand.example,religious,a church\n" + "news.example,news,\n")
    write_site(storage, SiteLabel("bad.example", machine_translated="yes", decision="block", note="a, b\nc"))
    assert read_sites(storage)["hand.example"].category == "religious"
    assert read_sites(storage)["bad.example"].note == "a, b c"
    assert "a church" in file.read_text(), "columns of others stay"
    assert site_labels(storage)["bad.example"]["machine_translated"] == "yes", (
        "the report reads the same file"
    )
    file.write_text("site,machine_translated\nx.example,perhaps\n")
    with pytest.raises(UserError, match=r"line 2: 'perhaps' is neither yes nor no"):
        read_sites(storage)


def test_the_commands_draw_label_score_and_decide(corpus):
    def run(*words, text=None):
        done = CliRunner().invoke(app, ["audit", *words, "--project", corpus.storage.root], input=text)
        assert done.exit_code == 0, done.output
        return done.stdout

    assert json.loads(run("sample", "--size", "12", "--json"))["size"] == 12
    assert (
        json.loads(run("label", "--annotator", "a", "--json", text="1\nm4\nnonsense\n2\nq\n"))["labelled"]
        == 3
    )
    assert json.loads(run("label", "--annotator", "a", "--json", text="1\n" * 9))["left"] == 0
    run("label", "--annotator", "b", text="1\n" * 12)
    (told,) = json.loads(run("score", "--json"))["audits"]
    rows = {row["code"]: row for row in told["rows"]}
    assert rows["C"]["low"] < rows["C"]["share"] < rows["C"]["high"]
    assert 0 < rows["MT"]["share"] < 0.2 and told["kappas"][0]["annotators"] == ["a", "b"]
    assert "of the corpus" in run("score")
    found = {result.name: result for result in results(corpus.storage)}
    assert found["audit"].rows.num_rows == 9 and "alpha" in found["audit"].summary
    assert found["audit_sites"].rows.num_rows > 3
    assert corpus.analyze("audit")["audit"].rows.to_pylist() == found["audit"].rows.to_pylist()

    run("sites", "spam.example", "--machine-translated", "yes", "--decision", "block")
    assert "spam.example: machine-translated, block" in run("sites")
    assert "filter.hosts.block" in run("apply")
    again = open_corpus(corpus.storage.root).config
    assert "spam.example" in again.filter.hosts.block and "spam.example" in again.scope.block
    assert "glosbe.com" in again.filter.hosts.block, "what was blocked stays so"
    assert again.filter.machine_translation.sites == ("spam.example",)
    run("sites", "spam.example", "--machine-translated", "no")
    run("apply")
    judged = open_corpus(corpus.storage.root).config.filter.machine_translation
    assert not judged.sites and judged.not_sites == ("spam.example",)
    run("sites", "spam.example", "--decision", "allow")
    run("apply", "--only-allowed")
    again = open_corpus(corpus.storage.root).config
    assert "spam.example" not in again.filter.hosts.block and again.filter.hosts.allow == ("spam.example",)


def test_a_second_sample_of_the_same_name_is_refused(corpus, tmp_path):
    storage = Storage(tmp_path)
    engine = engine_of(corpus)
    sample = draw(engine, corpus.table("documents"), 5, seed=0)
    write_sample(storage, "one", sample)
    assert read_sample(storage, "one") == sample
    with pytest.raises(UserError, match="Name another"):
        write_sample(storage, "one", sample)


def test_a_name_cannot_lead_out_of_the_folder_of_audits(corpus, tmp_path):
    engine = engine_of(corpus)
    sample = draw(engine, corpus.table("documents"), 3, seed=0)
    for name in ("../../x", "a/b", "..", ""):
        with pytest.raises(UserError, match="cannot name an audit"):
            write_sample(Storage(tmp_path / "c"), name, sample)
        with pytest.raises(UserError, match="cannot name an audit"):
            read_sample(Storage(tmp_path / "c"), name)
    assert list(tmp_path.iterdir()) == []


def test_without_labels_nothing_is_estimated(corpus):
    engine = engine_of(corpus)
    sample = draw(engine, corpus.table("documents"), 3, seed=0)
    result = score("new", sample, {})
    assert "nothing is known" in result.summary and "%" not in result.summary
    assert result.rows.num_rows == 0 and result.warnings == ()
