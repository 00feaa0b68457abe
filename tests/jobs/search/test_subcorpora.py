"""Subcorpora are chosen once and used as corpora: in searches, lists, measures, exports."""

import json

import pytest
from command_line import run
from lasting import engine_of

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.audit.labels import Label, write_label
from corpulyzer.corpus.subcorpora import storage_of
from corpulyzer.errors import UserError

TEXT = "Abantu baseMzantsi Afrika bathetha isiXhosa kwaye bayasifunda esikolweni. "


def rows(*names):
    return "".join(
        json.dumps(
            {"url": f"https://{name}.example/1", "text": f"{TEXT * 12} {f'igama{name} ' * 4} igamaelinye"}
        )
        + "\n"
        for name in names
    )


@pytest.fixture
def corpus(tmp_path):
    create("xho", tmp_path / "c")
    corpus = open_corpus(tmp_path / "c", {"engine.workers": 1, "filter.document": []})
    (tmp_path / "one.jsonl").write_text(rows("a", "b", "c"), "utf-8")
    corpus.import_(str(tmp_path / "one.jsonl"), engine=engine_of(corpus))
    return corpus


def sites(found):
    return {line.site for line in found.search("abantu")}


def test_a_subcorpus_is_searched_counted_and_measured_as_a_corpus(corpus):
    made = corpus.save_subcorpus("two", query="igamaa|igamab", note="for a test")
    assert (made.documents, made.asked, made.note) == (2, {"query": "igamaa|igamab"}, "for a test")
    assert corpus.subcorpora == {"two": made}
    found = corpus.in_subcorpus("two", engine=engine_of(corpus))
    assert sites(found) == {"a.example", "b.example"} and sites(corpus) == {f"{n}.example" for n in "abc"}
    counts = {row.value: row.count for row in found.words().rows}
    assert (counts["igamaa"], counts.get("igamac")) == (4, None)
    (funnel,) = [each for each in found.analyze("funnel", engine=engine_of(corpus)) if each.name == "funnel"]
    assert funnel.facts["documents"] == 2
    assert found.subcorpora == {} and found.home == corpus.storage


def test_each_way_to_choose_leaves_other_documents(corpus):
    ids = {line.site: line.id for line in corpus.search("abantu")}
    write_label(corpus.storage, "first", "ann", Label(ids["c.example"], "WL", ("MT",)))
    corpus.storage.write("audit/first/sample.jsonl", b"")
    choices = {
        "site": {"site": "a.example"},
        "day": {"since": "2999-01-01", "site": "a.example"},
        "flag": {"label": "MT"},
    }
    found = {}
    for name, choice in choices.items():
        try:
            found[name] = corpus.save_subcorpus(name, **choice).documents
        except UserError as error:
            found[name] = error.message
    assert found == {"site": 1, "day": "No document meets that.", "flag": 1}
    assert sites(corpus.in_subcorpus("flag", engine=engine_of(corpus))) == {"c.example"}


@pytest.mark.parametrize(
    "name, choice, says",
    [
        ("a/b", {"site": "a.example"}, "cannot name"),
        ("..", {"site": "a.example"}, "cannot name"),
        ("news.parquet", {"site": "a.example"}, "cannot name"),
        ("all", {}, "is the corpus"),
        ("x", {"topic": "sport"}, "no topic"),
        ("x", {"label": "XX"}, "no label"),
    ],
)
def test_what_makes_no_sense_is_refused(corpus, name, choice, says):
    with pytest.raises(UserError, match=says):
        corpus.save_subcorpus(name, **choice)
    assert not corpus.subcorpora


def test_a_subcorpus_stays_as_it_is_while_the_corpus_grows(corpus, tmp_path):
    corpus.save_subcorpus("with", query="igamaelinye")
    (tmp_path / "two.jsonl").write_text(rows("d"), "utf-8")
    corpus.import_(str(tmp_path / "two.jsonl"), engine=engine_of(corpus))
    assert corpus.search("igamaelinye").documents == 4
    assert corpus.in_subcorpus("with", engine=engine_of(corpus)).search("igamaelinye").documents == 3
    corpus.save_subcorpus("with", query="igamaelinye")
    assert corpus.in_subcorpus("with", engine=engine_of(corpus)).search("igamaelinye").documents == 4


def test_what_is_removed_from_the_corpus_leaves_no_trace_in_a_subcorpus(corpus):
    corpus.save_subcorpus("all", query="igamaelinye")
    found = corpus.in_subcorpus("all", engine=engine_of(corpus))
    found.search("igamab"), found.thesaurus("abantu")
    corpus.remove("b.example", engine=engine_of(corpus))
    left = [corpus.storage.read(f) for f in corpus.storage.list("subcorpora/all") if not f.endswith("lock")]
    assert not any(b"b.example" in each for each in left)
    corpus = corpus.reopened()
    assert sites(corpus.in_subcorpus("all", engine=engine_of(corpus))) == {"a.example", "c.example"}


def test_copies_that_a_killed_command_left_are_removed_with_the_page(corpus):
    corpus.save_subcorpus("all", query="igamaelinye")
    corpus.in_subcorpus("all", engine=engine_of(corpus))
    corpus.storage.delete("subcorpora/all.json")  # as a kill leaves it while it is deleted
    assert corpus.storage.list("subcorpora/all", ".parquet")
    corpus.remove("b.example", engine=engine_of(corpus))
    assert not corpus.storage.list("subcorpora/all", ".parquet")


def test_who_is_killed_while_a_subcorpus_is_saved_leaves_no_mixture(corpus):
    corpus.save_subcorpus("one", site="a.example")
    said = corpus.storage.read("subcorpora/one.json")
    corpus.in_subcorpus("one", engine=engine_of(corpus))
    corpus.save_subcorpus("one", site="b.example")
    corpus.storage.write("subcorpora/one.json", said)  # as a kill between the two files leaves it
    assert sites(corpus.in_subcorpus("one", engine=engine_of(corpus))) == {"b.example"}


def test_an_export_takes_the_documents_of_a_subcorpus_alone(corpus, tmp_path):
    corpus.save_subcorpus("one", site="c.example")
    made = corpus.in_subcorpus("one", engine=engine_of(corpus)).export(
        "jsonl", tmp_path / "out", engine=engine_of(corpus)
    )
    assert made.manifest["documents"] == 1 and "subcorpus one" in json.dumps(made.manifest)
    with pytest.raises(UserError, match="no subcorpus"):
        corpus.export("jsonl", tmp_path / "no", subcorpus="other", engine=engine_of(corpus))


def test_keywords_of_a_subcorpus_against_its_corpus_and_the_other_way(corpus):
    corpus.save_subcorpus("one", site="a.example")
    one = corpus.in_subcorpus("one", engine=engine_of(corpus))
    assert {row.word for row in corpus.keywords("one")} == {"igamab", "igamac"}
    first, *_ = one.keywords(corpus.storage.root)
    assert (first.word, first.count, first.reference_count) == ("igamaa", 4, 4)
    assert one.keywords(corpus)[0] == first


def test_the_command_line_saves_lists_uses_and_deletes(corpus):
    at = ("--project", corpus.storage.root)
    assert "1 documents (site a.example)" in run("subcorpus", "one", "--site", "a.example", *at).stdout
    assert run("subcorpus", *at).stdout.startswith("one\t1 documents\tsite a.example")
    found = json.loads(run("search", "abantu", "--in", "one", "--json", *at).stdout)
    assert found["documents"] == 1
    assert "There is no subcorpus 'x'" in run("search", "abantu", "--in", "x", *at, code=1).stderr
    run("subcorpus", "one", "--delete", *at)
    assert "no subcorpora yet" in run("subcorpus", *at).stdout
    assert not storage_of(corpus.storage, "one").list("documents")


def test_the_command_line_shows_company_and_keywords(corpus, tmp_path):
    at = ("--project", corpus.storage.root, "--json")
    sketch = json.loads(run("search", "bathetha", "--show", "sketch", *at).stdout)
    assert sketch["by"] == "positions" and {row["relation"] for row in sketch["sketch"]} >= {"1 before"}
    near = json.loads(run("search", "bathetha", "--show", "thesaurus", *at).stdout)["thesaurus"]
    assert near and near[0]["shared"]
    compared = json.loads(run("search", "bathetha", "--compare", "kwaye", *at).stdout)["compared"]
    assert {row["word"] for row in compared} >= {"isixhosa"}
    (tmp_path / "list.tsv").write_text("abantu\t1\nlist\t1000\n")
    found = json.loads(run("search", "--keywords", tmp_path / "list.tsv", *at).stdout)["keywords"]
    assert {row["word"] for row in found} >= {"isixhosa"}
    lines = [json.loads(run("search", "abantu", "--sort", "random", "--seed", 3, *at).stdout) for _ in "ab"]
    assert lines[0] == lines[1] and len(lines[0]["lines"]) == 20


def test_two_words_are_compared_in_the_documents_that_are_asked_for(corpus):
    found = json.loads(
        run(
            *("search", "bathetha", "--compare", "kwaye", "--site", "a.example"),
            *("--json", "--project", corpus.storage.root),
        ).stdout
    )["compared"]
    every = {row.word: row.first_together for row in corpus.compare_words("bathetha", "kwaye").rows}
    assert found and all(3 * row["first_together"] == every[row["word"]] for row in found)
