"""Five levels, each counted for itself; what the policy drops, what it never loses, and who says so."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import run
from made_corpora import add_part, corpus_of, document, edited, everything, label_rows, prose

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.dedup.settings import LEVELS
from corpulyzer.jobs.dedup.run import deduplicate, stored_labels
from corpulyzer.jobs.why import history
from corpulyzer.measure.pages.duplicates import cluster_sizes
from corpulyzer.records import KEEP, drop

FOOTER = "سب حقوق محفوظ ہیں اور یہ سطر ہر صفحے پر ہے"


def a_corpus():
    """Copies of every kind: payloads, texts, near-duplicates, paragraphs on a site, sentences anywhere."""
    a, b, c = prose(1), prose(2), prose(3)
    return [
        document("https://a.pk/1", a, raw="same"),
        document("https://a.pk/1x", a, raw="same", day=1),
        document("https://b.pk/1", a, day=2),
        document("https://a.pk/2", f"{edited(b, 1, 3)}\n{FOOTER}", day=3),
        document("https://a.pk/3", f"{c}\n{FOOTER}", day=4),
        document("https://b.pk/3", f"{prose(4)}\n{FOOTER}", day=5),
        document("https://c.pk/2", f"{b}\n{FOOTER}", day=6),
        document("https://c.pk/9", "One sentence here. Another one there. " + prose(5), day=7),
        document("https://d.pk/9", "ONE SENTENCE HERE. Something else. " + prose(6), day=8),
        document("https://d.pk/0", prose(7), kept=False, raw="same", day=9),
    ]


def key(url, documents):
    return next(d.id for d in documents if d.url == url)


@pytest.fixture(scope="module")
def made(tmp_path_factory, engine):
    documents = a_corpus()
    corpus = corpus_of(tmp_path_factory.mktemp("levels") / "c", documents, parts=2)
    return corpus, documents, deduplicate(corpus, engine)


def test_each_level_counts_its_units_and_their_copies(made):
    found = made[2]
    counts = {c.level: (c.units, c.duplicates, c.clusters, c.largest) for c in found.levels}
    assert counts["raw"] == (10, 2, 1, 3)
    assert counts["document"] == (9, 2, 1, 3)
    assert counts["near"] == (7, 1, 1, 2)
    assert counts["paragraph"] == (13, 2, 2, 2)  # the footer twice on a.pk, and a whole page of it
    assert counts["sentence"] == (17, 6, 3, 4)


def test_copies_on_one_site_are_told_from_those_of_other_sites(made):
    found = made[2]
    assert (found["document"].within_site, found["document"].across_sites) == (1, 1)
    assert (found["near"].within_site, found["near"].across_sites) == (0, 1)
    assert (found["paragraph"].within_site, found["paragraph"].across_sites) == (2, 0)
    assert found["sentence"].within_site + found["sentence"].across_sites == found["sentence"].duplicates


def test_a_label_names_cluster_representative_size_and_weight(made):
    corpus, documents, _ = made
    rows = {row["id"]: row for row in label_rows(corpus, "document")}
    first = key("https://a.pk/1", documents)
    assert {row["representative"] for row in rows.values()} == {first}
    assert {row["cluster"] for row in rows.values()} == {min(rows)}
    assert [
        (rows[key(u, documents)]["place"], rows[key(u, documents)]["scope"])
        for u in ("https://a.pk/1", "https://a.pk/1x", "https://b.pk/1")
    ] == [(1, "kept"), (2, "within"), (3, "across")]
    assert all(row["size"] == 3 and row["sites"] == 2 for row in rows.values())
    assert {row["weight"] for row in label_rows(corpus, "near")} == {2}


def test_sentences_are_copies_whatever_their_case_and_stand_where_they_say(made):
    corpus, documents, _ = made
    texts = {d.id: d.text for d in documents}
    rows = [
        row
        for row in label_rows(corpus, "sentence")
        if row["id"] in (key("https://c.pk/9", documents), key("https://d.pk/9", documents))
    ]
    assert {texts[row["id"]][row["begins"] : row["stops"]] for row in rows} == {
        "One sentence here.",
        "ONE SENTENCE HERE.",
    }


def test_sizes_of_clusters_are_kept_for_weighting(made, engine):
    assert cluster_sizes(engine, stored_labels(made[0], "document")) == {3: 1}


def test_the_view_drops_copies_for_the_first_level_and_names_the_one_that_stays(made):
    corpus, _, found = made
    assert found.dropped_at == ("raw", "document", "near", "paragraph")
    verdicts = {d.url: d.verdict for d in corpus.documents}
    assert {url: v.reason for url, v in verdicts.items() if v.reason} == {
        "https://a.pk/1x": "duplicate_raw",
        "https://b.pk/1": "duplicate",
        "https://c.pk/2": "near_duplicate",
        "https://d.pk/0": "length",
    }
    assert verdicts["https://b.pk/1"].detail == "copy of https://a.pk/1"
    assert verdicts["https://b.pk/1"].facts == {"copies": 3}


def test_the_funnel_has_a_step_for_each_reason_and_ends_with_the_corpus(made, engine):
    corpus = made[0]
    steps = corpus.funnel(engine=engine).steps
    assert [step.name for step in steps[-3:]] == ["duplicate_raw", "duplicate", "near_duplicate"]
    assert steps[-1].pages == len(corpus.documents.kept()) == 6
    assert sum(sum(step.dropped.values()) for step in steps) + steps[-1].pages == steps[0].pages


def test_under_hrwac_payloads_are_compared_before_their_text_is_looked_at_hr_4_hr_11(engine, tmp_path):
    """The rows of its Table 1: crawled, after de-duplication, extracted, language, filters; whoever goes, goes once."""
    fates = {  # payload: the verdicts of its copies, in the order of their dates
        "kept": ["", ""],
        "foreign": ["main_language"] * 3,
        "empty": ["no_text"] * 2,
        "odd": ["mime", "length", "length"],  # the first was sent as another type, so it is not compared
        "film": ["mime"] * 2,
        "alone": ["encoding"],
    }
    documents = []
    for payload, reasons in fates.items():
        for day, reason in enumerate(reasons):
            page = document(
                f"https://{payload}.pk/{day}", "" if payload == "empty" else prose(1), raw=payload, day=day
            )
            documents.append(replace(page, verdict=drop(reason) if reason else KEEP))
    create("hrv", tmp_path / "c", "hrwac")
    corpus = corpus_of(tmp_path / "c", documents, parts=2, filter__length__min_words=1)
    deduplicate(corpus, engine, ["raw"])
    expected = Counter()
    for reasons in fates.values():
        accepted = [reason for reason in reasons if reason != "mime"]
        expected += Counter(mime=len(reasons) - len(accepted), duplicate_raw=max(len(accepted) - 1, 0))
        expected[accepted[0] if accepted else "mime"] += bool(accepted)
    assert Counter(d.verdict.reason for d in corpus.documents) == expected
    found = corpus.funnel(engine=engine)
    assert [(step.name, step.pages) for step in found.steps] == [
        ("records", 13),
        ("fetched", 13),
        ("accepted", 10),
        ("duplicate_raw", 5),
        ("extracted", 4),
        ("main_language", 3),
        ("encoding", 2),
        ("punctuation", 2),
        ("length", 1),
    ]
    assert found.balance() == {
        "records": 13, "not_fetched": 0, "filtered": 7, "copies": 5, "gone": 0, "kept": 1
    }  # fmt: skip
    assert [d.url for d in corpus.documents.kept()] == ["https://kept.pk/0"]


def test_documents_stay_as_they_are(made):
    corpus, documents, _ = made
    from corpulyzer.corpus.documents import Documents

    stored = Documents(corpus.storage, tuple(corpus.storage.list("documents", ".parquet")))
    assert {d.url: (d.text, d.verdict) for d in stored} == {d.url: (d.text, d.verdict) for d in documents}


def test_a_repeated_paragraph_stays_once_on_its_site_and_nothing_said_is_lost_hr_7(made):
    corpus = made[0]
    by_site = {}
    for d in corpus.documents.kept():
        for line in d.text.split("\n"):
            by_site.setdefault(d.site, []).append(line)
    assert by_site["a.pk"].count(FOOTER) == 1 and by_site["b.pk"].count(FOOTER) == 1
    kept = {line for lines in by_site.values() for line in lines}
    assert {prose(1), prose(3), prose(4)} < kept
    changed = next(d for d in corpus.documents.kept() if "without 1 of 2 paragraphs" in d.verdict.detail)
    assert changed.verdict.facts["dropped_paragraphs"] == 1
    assert changed.text_bytes == len(changed.text.encode()) == changed.target_bytes


def test_why_names_the_copy_that_was_kept_and_shows_the_difference(made, engine):
    corpus = made[0]
    event = next(e for e in history(corpus, "https://c.pk/2", engine) if e.get("kept_copy"))
    assert event["kept_copy"] == "https://a.pk/2" and "https://a.pk/2" in event["what"]
    assert len(event["difference"]) == 3 and all(
        "[-" in line and "{+" in line for line in event["difference"]
    )
    equal = next(e for e in history(corpus, "https://b.pk/1", engine) if e.get("kept_copy"))
    assert equal["difference"] == ["the texts are equal"]


def test_a_document_too_short_without_what_it_repeats_is_dropped_and_says_so(engine, tmp_path):
    page, few = prose(1, words=80), prose(2, words=45)
    documents = [
        document("https://a.pk/1", f"{page}\n{prose(3)}"),
        document("https://a.pk/2", f"{page}\n{few}", day=1),
    ]
    corpus = corpus_of(tmp_path / "c", documents)
    deduplicate(corpus, engine)
    verdict = next(d for d in corpus.documents if d.url.endswith("2")).verdict
    assert (verdict.kept, verdict.reason, verdict.facts["found"]) == (False, "length", 45)
    assert "without 1 of 2 paragraphs" in verdict.detail
    assert [step.dropped for step in corpus.funnel(engine=engine).steps if step.name == "length"] == [
        {"length": 1}
    ]


NOTICE = "Piši nam ako vidiš pogrešku na ovoj stranici"


def a_site(name, pages, noticed):
    """Pages of their own text each, the first `noticed` of them with a notice below."""
    for n in range(pages):
        end = f"\n{NOTICE}" if n < noticed else ""
        yield document(f"https://{name}.hr/{n}", f"{prose(1000 * len(name) + n)}{end}", day=n)


def test_site_memory_takes_out_what_a_site_repeats_the_first_time_too_and_says_so(engine, tmp_path):
    pages = [*a_site("a", 5, 4), *a_site("bb", 5, 2), *a_site("ccc", 20, 3)]
    pages.append(document("https://a.hr/none", NOTICE))
    corpus = corpus_of(tmp_path / "c", pages, parts=2, dedup__policy=[], dedup__site_memory=True)
    deduplicate(corpus, engine)
    found = {d.url: d for d in corpus.documents}
    with_notice = {url for url, d in found.items() if NOTICE in d.text.split("\n") and d.verdict.kept}
    assert with_notice == {
        *(f"https://bb.hr/{n}" for n in range(2)),
        *(f"https://ccc.hr/{n}" for n in range(3)),
    }
    assert found["https://a.hr/0"].text == prose(1000)
    assert found["https://a.hr/0"].verdict.facts["site_paragraphs"] == 1
    assert "1 of them on page after page" in found["https://a.hr/0"].verdict.detail
    assert found["https://a.hr/none"].verdict.reason == "site_paragraphs"
    last = corpus.funnel(engine=engine).steps[-1]
    assert (last.name, last.dropped) == ("site_paragraphs", {"site_paragraphs": 1})


def test_site_memory_comes_on_top_of_the_policy_and_can_be_turned_off_again(engine, tmp_path):
    pages = [*a_site("a", 5, 4), *a_site("bb", 5, 2)]

    def notices(**flags):
        corpus = corpus_of(tmp_path / "c", pages, **flags)
        deduplicate(corpus, engine)
        return sorted(d.site for d in corpus.documents.kept() if NOTICE in d.text)

    assert notices(dedup__site_memory=True) == ["bb.hr"]
    assert notices() == ["a.hr", "bb.hr"]


def test_imported_text_has_no_payload_and_the_raw_level_says_so(engine, tmp_path):
    documents = [document(f"https://a.pk/{n}", prose(n), raw="same") for n in range(4)]
    kinds = {"https://a.pk/0": "conversion", "https://a.pk/1": "conversion"}
    found = deduplicate(corpus_of(tmp_path / "c", documents, kinds=kinds), engine, ["raw"])["raw"]
    assert (found.units, found.duplicates) == (2, 1)
    assert found.note == "2 documents were imported as text and have no payload"


@pytest.mark.parametrize(("keep", "url"), [("longest", "3"), ("earliest", "1"), ("best", "2")])
def test_the_copy_that_stays_is_the_longest_the_earliest_or_the_best(engine, tmp_path, keep, url):
    text = prose(1, words=300)
    documents = [
        document("https://a.pk/1", text, day=1, scores={"fluency": 0.1}),
        document("https://a.pk/2", edited(text, 1, 2), day=2, scores={"fluency": 0.9}),
        document("https://a.pk/3", text + " and more words", day=3),
    ]
    corpus = corpus_of(
        tmp_path / "c", documents, dedup__keep=keep, dedup__score="fluency", dedup__policy=["near"]
    )
    deduplicate(corpus, engine, ["near"])
    assert [d.url for d in corpus.documents.kept()] == [f"https://a.pk/{url}"]


def test_with_no_policy_copies_are_labelled_and_stay(engine, tmp_path):
    corpus = corpus_of(tmp_path / "c", a_corpus(), dedup__policy=[])
    found = deduplicate(corpus, engine, ["raw", "document"])
    assert found.dropped_at == () and found["document"].duplicates == 2
    assert len(corpus.documents.kept()) == 9


def test_documents_that_change_void_the_view_until_dedup_runs_again(engine, tmp_path):
    from corpulyzer.corpus.without_copies import forget_view

    corpus = corpus_of(tmp_path / "c", a_corpus())
    before = deduplicate(corpus, engine)
    kept = len(corpus.documents.kept())
    forget_view(corpus.storage)
    assert len(corpus.documents.kept()) == 9 > kept
    assert deduplicate(corpus, engine) == before
    assert len(corpus.documents.kept()) == kept


def test_a_new_part_is_compared_with_all_and_no_other_signature_is_made_again(engine, tmp_path):
    documents = a_corpus()
    corpus = corpus_of(tmp_path / "c", documents[:6])
    deduplicate(corpus, engine)
    tables = ("units", "minhash_signatures", "minhash_buckets", "paragraphs", "sentences")
    files = [tmp_path / "c" / f for t in tables for f in corpus.storage.list(f"duplicates/{t}", ".parquet")]
    assert len(files) == 5
    times = {file: file.stat().st_mtime_ns for file in files}
    add_part(tmp_path / "c", "a-2", [_in(d, "a-2") for d in documents[6:]])
    deduplicate(corpus, engine)
    assert {file: file.stat().st_mtime_ns for file in files} == times
    whole = corpus_of(tmp_path / "whole", documents)
    deduplicate(whole, engine)
    assert everything(corpus) == everything(whole)


def test_a_view_follows_the_one_before_and_judges_anew_what_is_decided_otherwise(engine, tmp_path):
    """Parts of sites a and b; what comes is on b: it is longer, a copy, and has the footer of the site."""
    first = {
        site: [document(f"https://{site}.pk/{n}", f"{prose(20 + n)}\n{FOOTER} {site}", day=n) for n in start]
        for site, start in (("a", range(12)), ("b", range(12, 24)))
    }
    news = [
        document("https://b.pk/long", f"{prose(60)} {prose(61)} {prose(62)}\n{FOOTER} b", day=50),
        document("https://b.pk/copy", first["b"][3].text, day=51),
    ]
    corpus = corpus_of(tmp_path / "c", [_in(each, "a-1") for each in first["a"]])
    add_part(tmp_path / "c", "a-2", [_in(each, "a-2") for each in first["b"]])
    deduplicate(corpus, engine)
    before = corpus.storage.list("duplicates/view", ".parquet")
    old = {file.rpartition("/")[2]: (tmp_path / "c" / file).read_bytes() for file in before}
    assert len(old) == 2
    add_part(tmp_path / "c", "a-3", [_in(each, "a-3") for each in news])
    deduplicate(corpus, engine)
    now = {file.rpartition("/")[2]: file for file in corpus.storage.list("duplicates/view", ".parquet")}
    taken_over = {
        name for name, content in old.items() if (tmp_path / "c" / now[name]).read_bytes() == content
    }
    assert len(taken_over) == 1 and "a-1" in min(taken_over), "the other part has lost a footer"
    whole = corpus_of(tmp_path / "whole", [*first["a"], *first["b"], *news])
    deduplicate(whole, engine)
    assert everything(corpus) == everything(whole)
    assert not corpus.storage.list("duplicates/work")
    deduplicate(replace(corpus, config=with_min_words(corpus.config, 200)), engine)
    deduplicate(replace(whole, config=with_min_words(whole.config, 200)), engine)
    assert everything(corpus) == everything(whole), "other filters judge all of it anew"


def with_min_words(config, words):
    return replace(
        config, filter=replace(config.filter, length=replace(config.filter.length, min_words=words))
    )


def _in(document, archive):
    from dataclasses import replace

    return replace(document, archive=archive)


@pytest.mark.parametrize("method", ["minhash", "simhash", "text_profile"])
def test_order_and_partitioning_make_no_difference(engine, tmp_path, method):
    documents = a_corpus() + [document(f"https://e.pk/{n}", edited(prose(8), n, 4), day=n) for n in range(20)]
    results = []
    for number, parts in enumerate((1, 3)):
        random.Random(number).shuffle(documents)
        corpus = corpus_of(tmp_path / str(number), documents, parts=parts, dedup__method=method)
        found = deduplicate(corpus, engine, ["near"] if method != "minhash" else LEVELS)
        results.append((found, everything(corpus)))
    assert results[0] == results[1]


def test_empty_and_one_word_documents_are_handled(engine, tmp_path):
    documents = [
        document(f"https://a.pk/{n}", text, day=n)
        for n, text in enumerate(["", "", "ہاں", "ہاں", "نہیں", " "])
    ]
    for method in ("minhash", "simhash", "text_profile"):
        corpus = corpus_of(
            tmp_path / method, documents, dedup__method=method, dedup__policy=["raw", "document", "near"]
        )
        found = deduplicate(
            corpus, engine, ["document", "near", *(["sentence"] if method == "minhash" else [])]
        )
        assert (found["document"].units, found["document"].duplicates) == (4, 1)
        assert found["near"].duplicates == 0
        assert method != "minhash" or found["sentence"].units == 3


def test_a_corpus_without_documents_has_no_duplicates(engine, tmp_path):
    from corpulyzer.api.corpus import create

    found = deduplicate(create("urd", tmp_path / "c"), engine)
    assert [(c.units, c.duplicates, c.rate) for c in found.levels] == [(0, 0, None)] * 5


@pytest.mark.slow
def test_thousands_of_equal_pages_cost_no_comparisons(engine, tmp_path):
    text = f"{prose(1)}\n{FOOTER}"
    documents = [document(f"https://s{n % 7}.pk/{n}", text, raw="same", day=n % 3) for n in range(5000)]
    corpus = corpus_of(tmp_path / "c", documents, parts=2)
    begin = time.process_time()
    found = deduplicate(corpus, engine)
    assert time.process_time() - begin < 60
    for level in ("raw", "document"):
        assert (found[level].duplicates, found[level].largest, found[level].across_sites) == (4999, 5000, 6)
    assert (found["near"].units, found["near"].duplicates, found["near"].unresolved) == (1, 0, 0)
    assert found["paragraph"].duplicates == 10_000 - 14
    assert len(corpus.documents.kept()) == 1


def test_pages_that_differ_in_layout_alone_are_collapsed_before_they_are_compared(engine, tmp_path):
    base = prose(1).split(" ")
    chance = random.Random(1)
    documents = [
        document(f"https://a.pk/{n}", "".join(w + chance.choice([" ", "  ", "\n"]) for w in base), day=n)
        for n in range(500)
    ]
    found = deduplicate(corpus_of(tmp_path / "c", documents), engine, ["near"])["near"]
    assert (found.units, found.duplicates, found.largest, found.unresolved) == (500, 499, 500, 0)


KILLED = """
import sys
from corpulyzer.api.corpus import open_corpus
from corpulyzer.dedup.settings import LEVELS
from corpulyzer.jobs.dedup.run import deduplicate
corpus = open_corpus(sys.argv[1], {"engine.workers": 2})
with corpus.engine() as engine:
    deduplicate(corpus, engine)
"""


@pytest.mark.slow
@pytest.mark.scaled
def test_killed_at_any_point_and_repeated_the_result_is_the_same(engine, tmp_path, scale):
    documents = a_corpus() + [document(f"https://e.pk/{n}", edited(prose(8), n, 4), day=n) for n in range(40)]
    unbroken = corpus_of(tmp_path / "unbroken", documents, parts=4)
    begin = time.monotonic()
    run_script(tmp_path / "unbroken").wait()
    took = time.monotonic() - begin
    expected = everything(unbroken)
    broken = corpus_of(tmp_path / "broken", documents, parts=4)
    kept_at_first, lasted = 9 + 40, 0
    shares = (0.2, 0.3, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)
    for share in scale(shares[1::3], shares, shares * 5):
        process = run_script(tmp_path / "broken")
        time.sleep(share * took)
        if process.poll() is None:
            lasted += 1
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert len(broken.documents.kept()) in (kept_at_first, sum(row[2] for row in expected[1]))
    assert lasted, "none of the kills came in the middle"
    deduplicate(broken, engine)
    assert everything(broken) == expected
    assert not list((tmp_path / "broken" / "duplicates" / "work").glob("*.parquet"))


def run_script(folder: Path):
    return subprocess.Popen([sys.executable, "-c", KILLED, str(folder)], start_new_session=True)


def test_the_command_prints_the_levels_as_json(tmp_path):
    corpus_of(tmp_path / "c", a_corpus())
    done = run("dedup", "--level", "raw", "--level", "near", "--json", "--project", tmp_path / "c")
    levels = json.loads(done.stdout)["levels"]
    assert [level["level"] for level in levels] == ["raw", "near"]
    assert {"level", "method", "units", "duplicates", "clusters", "largest"} <= set(levels[0])
    assert levels[1]["method"] == "minhash" and levels[1]["duplicates"] == 1
    corpus = open_corpus(tmp_path / "c")
    assert len(corpus.documents.kept()) == 6  # near needs the level of texts, and so that is applied too
