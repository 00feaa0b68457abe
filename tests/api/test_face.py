"""A corpus made in Python is the one that the command line makes."""

import json
from dataclasses import asdict, replace

import pytest
from typer.testing import CliRunner

import corpulyzer
from corpulyzer.cli import app
from corpulyzer.corpus.tables import silent
from corpulyzer.errors import UserError
from corpulyzer.lab.demo.web import BuiltInWeb

ROUNDS, CONTACT = 2, "me@example.org"
ONE = {"CORPULYZER_ENGINE_WORKERS": "1"}


def told(*arguments):
    """What a command prints as JSON."""
    done = CliRunner(env=ONE).invoke(app, [*map(str, arguments), "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def plain(value):
    """A value as the command line writes it."""
    return json.loads(json.dumps(value, default=str))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The same small web crawled by Python and by commands: the corpus, the other's folder, and events."""
    folder, web, events = tmp_path_factory.mktemp("face"), BuiltInWeb("urd", sites=8, pages=200), []
    seeds, commands = web.seeds(4, rich=1.0), folder / "commands"
    (folder / "seeds.txt").write_text("\n".join(seeds[1:]))
    corpulyzer.create("urd", commands)
    told("seeds", "add", *seeds, "--project", commands)
    with web.serve() as server:
        settings = {"crawl.contact": CONTACT, "crawl.rounds": ROUNDS, "fetch.proxy": server.proxy_url}
        settings |= {"fetch.delay_seconds": 0.0, "fetch.allow_private": True, "engine.workers": 1}
        corpulyzer.create("urd", folder / "python").add_seeds(seeds[0], folder / "seeds.txt")
        corpus = corpulyzer.open(folder / "python", settings)
        ended = corpus.crawl(on_event=lambda name, _numbers: events.append(name))
        flags = ("--rounds", ROUNDS, "--contact", CONTACT, "--proxy", server.proxy_url, "--delay", 0)
        arguments = ["crawl", *flags, "--allow-private", "--project", commands, "--quiet"]
        crawled = CliRunner(env=ONE).invoke(app, [*map(str, arguments)])
    assert ended.as_asked and crawled.exit_code == 0, crawled.output
    told_of = told("status", "--project", commands)  # before any test changes one of them
    assert corpus.funnel().to_json() == {key: told_of[key] for key in ("steps", "kept", "tokens", "balance")}
    return corpus, commands, events


@pytest.fixture(scope="module")
def corpus(made):
    return made[0]


def test_both_crawl_the_same_pages(made):
    corpus, commands, events = made
    pages = [{each.url for each in it.documents} for it in (corpus, corpulyzer.open(commands))]
    assert pages[0] == pages[1] and len(pages[0]) > 10
    assert events.count("commit") == ROUNDS and "page" in events


def test_both_find_the_same_copies_and_words(made):
    corpus, commands, _ = made
    heard = []
    found = corpus.dedup(progress=lambda what, _done, _total: heard.append(what))
    assert plain(found.to_json()) == told("dedup", "--project", commands) and heard
    word = next(corpus.documents.kept().texts()).split()[0]
    lines = corpus.search(word, width=20, limit=5)
    same = told("search", word, "--width", 20, "--limit", 5, "--project", commands)
    assert len(lines) and sorted(line.url for line in lines) == sorted(line["url"] for line in same["lines"])
    assert lines.hits == same["hits"] == corpus.matches(word).found.hits
    with pytest.raises(UserError, match="no level 'nera'"):
        corpus.dedup("nera")
    with pytest.raises(UserError, match="is no day"):
        corpus.search(word, since="yesterday")


def test_both_export_the_same_documents_and_tell_the_same_story(made):
    corpus, commands, _ = made
    exported = corpus.export("jsonl", progress=silent)
    assert exported.manifest["documents"] == len(corpus.documents.kept())
    assert told("export", "jsonl", "--project", commands)["documents"] == exported.manifest["documents"]
    url = next(iter(corpus.documents.kept())).url
    assert plain(corpus.why(url)) == told("why", url, "--project", corpus.storage.root)
    planned = told("remove", url, "--dry-run", "--project", corpus.storage.root)
    assert plain(corpus.would_remove(url).counts) == planned["counts"]


def test_what_is_shown_is_short_and_escaped(corpus):
    assert repr(corpus) == f"<Corpus python: Urdu (urd), {corpus.storage.root}>"
    assert "<td>Urdu (urd)</td>" in corpus._repr_html_()
    kept = corpus.documents.kept().filter(site="<b>")
    assert repr(kept).startswith("<Documents: kept=True, site='<b>'; in ")
    assert "<b>" not in kept._repr_html_() and "&lt;b&gt;" in kept._repr_html_()
    assert corpus.documents.kept()._repr_html_().count("<tr>") > 2
    assert repr(corpus.funnel()).startswith("<Funnel: ") and "<table>" in corpus.funnel()._repr_html_()
    found = corpus.analyze("funnel")
    assert repr(found) == "<Results: funnel>" and "From the web" in found._repr_html_()
    assert repr(found["funnel"]).startswith("<Result funnel: Of ")


def test_a_new_corpus_shows_itself_too(tmp_path):
    corpus = corpulyzer.create("urd", tmp_path / "<i>new")
    assert "0, kept and dropped" in corpus._repr_html_() and "<i>" not in corpus._repr_html_()
    assert "The first 0" in corpus.documents._repr_html_()


def test_an_audit_is_drawn_scored_and_said_as_by_commands(corpus):
    project = ("--project", corpus.storage.root)
    drawn = corpus.audit.sample(5, "python", seed=1)
    same = told("audit", "sample", "--size", 5, "--name", "commands", "--seed", 1, *project)
    assert same["strata"] == drawn.strata() and same["size"] == 5
    (scored,) = corpus.audit.score("python")
    assert [plain(scored.to_json())] == told("audit", "score", "--name", "python", *project)["audits"]
    first, *others = corpus.audit.labelling("python").items
    corpus.audit.label(first.id, "WL", ["MT"], name="python")
    typed = CliRunner(env=ONE).invoke(app, ["audit", "label", "--name", "python", "--annotator", "me", *project],
                                      input="m4\nq\n")  # fmt: skip
    assert typed.exit_code == 0, typed.output
    given = corpus.audit.labelling("python").given
    assert {key: (label.label, label.flags) for key, label in given.items()} == dict.fromkeys(
        (first.id, others[0].id), ("WL", ("MT",))
    )
    with pytest.raises(UserError, match="not of the sample"):
        corpus.audit.label(0, "CC", name="python")
    corpus.audit.label_site("a.example", category="news")
    corpus.audit.label_site("a.example", decision="block")
    assert corpus.audit.sites()["a.example"].category == "news"
    assert corpus.audit.apply()["scope.block"] == ["a.example"]


def test_seeds_settings_and_stop_words_are_those_of_the_commands(corpus):
    project = ("--project", corpus.storage.root)
    assert plain([asdict(seed) for seed in corpus.seeds.all()]) == told("seeds", "list", *project)
    assert plain(asdict(corpus.seeds.report(5))) == told("seeds", "report", "--limit", 5, *project)
    assert corpus.stop_words(0.3) == told("stop-words", "--share", 0.3, *project)
    explained = corpus.explain("filter.content_size")
    same = told("config", "--explain", "filter.content_size", *project)
    assert [each.key for each in explained] == [each["key"] for each in same] and len(same) > 1
    with pytest.raises(UserError, match="There is no setting 'filtre'"):
        corpus.explain("filtre")


def test_a_threshold_that_is_used_is_that_of_the_corpus_from_then_on(corpus):
    table = replace(corpus.calibrate(), chosen=512)
    now = corpus.use_threshold(table, progress=silent)
    assert now.config.filter.content_size.min_bytes == 512
    assert now.config.crawl.contact == CONTACT, "what was given to open still holds"
    assert min(document.target_bytes for document in now.documents.kept()) >= 512
