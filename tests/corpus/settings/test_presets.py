"""Each published pipeline on the demo archive: page by page what the paper's rules give, and a funnel that adds up.

The rules are written down again here, over the truth of each page, and know nothing of the code that they test.
"""

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pyarrow.dataset as ds
import pytest
from lasting import engine_of
from publicsuffixlist import PublicSuffixList

import corpulyzer
from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus.settings.config import merge, preset_names
from corpulyzer.lab.demo.archive import samples, write_archive
from corpulyzer.page.pipeline import pipeline
from corpulyzer.records import Page
from corpulyzer.url import blocked_by

KEEP, ABSENT = "", "(no document)"
HTML = ("text/html", "application/xhtml+xml")
RELATIVES = {"xho": "zul"}
# Pages that hold no text of their own. Menus, captions and figures may be taken for text, but for a little only.
NO_PROSE = ("home_page", "gallery", "number_table", "empty")
RUNS = {
    "corpulyzer-urd": ("corpulyzer", "urd", {}),
    "hrwac-hrv": ("hrwac", "hrv", {"filter.raw_size.min_bytes": 0}),
    "hrwac-slv": ("hrwac", "slv", {"filter.raw_size.min_bytes": 0}),
    "hrwac-hrv-as-published": ("hrwac", "hrv", {}),
    "isixhosa-xho": ("isixhosa", "xho", {}),
    "c4corpus-eng": ("c4corpus", "eng", {}),
    "c4corpus-hrv": ("c4corpus", "hrv", {}),
}


def media(sample):
    return sample.content_type.partition(";")[0].strip()


def text_size(sample):
    return len(sample.truth.text.encode())


def is_target(sample, target):
    """Whether the main text can be told to be in the target: not signs, and not letters read wrongly."""
    return sample.truth.language == target and sample.truth.kind not in ("mojibake", "signs")


def as_corpulyzer(sample, target):
    """HTML; TLGBytes >= 256 (CZ-4 … CZ-6). No quality filter, no fingerprints, no de-duplication."""
    if media(sample) not in HTML:
        return {"mime"}
    if sample.truth.kind in NO_PROSE:
        return {"no_text", "content_size"}
    if sample.truth.kind == "short" and sample.truth.language == target:
        return {KEEP, "content_size"}  # Boilerpipe takes the block before the text along
    if sample.truth.kind == "signs":
        return {KEEP, "content_size"}  # CLD2 may count signs between words to the words' language
    return {KEEP} if is_target(sample, target) and text_size(sample) >= 256 else {"content_size"}


def as_hrwac(sample, target, smallest=0):
    """text/html of 50 to 500 kB; paragraphs of the target; broken, all signs, or too short (HR-3, 5, 8, 9)."""
    kind, size = sample.truth.kind, unpacked_size(sample)
    if media(sample) != "text/html":
        return {"mime"}
    if not smallest <= size <= 500_000:
        return {"raw_size"}
    if kind in NO_PROSE:
        return {"no_text", "main_language", "length"}
    if sample.truth.language != target:
        return {"main_language"}
    if kind == "mojibake":
        return {"encoding", "main_language"}
    if kind == "replacement_characters":
        return {"encoding"}
    if kind == "signs":
        return {"main_language", "punctuation"}
    if len(sample.truth.text.split()) < 60:
        return {"length", "main_language"}  # a sentence with two names in it can be told wrongly
    return {KEEP}


def as_isixhosa(sample, target):
    """HTML; no GTranslate comment; more than 5 target sentences or more than 40 % of all (XH-2 … XH-5)."""
    kind = sample.truth.kind
    if media(sample) not in HTML:
        return {"mime"}
    if kind == "translated_gtranslate_comment":
        return {"machine_translation"}
    if kind == "empty":
        return {"no_text", "sentences"}
    if kind in NO_PROSE and sample.truth.language == target:
        return {KEEP, "sentences"}  # all visible text counts, and menus are in the target too
    if kind in ("short", "mojibake", "replacement_characters", "signs"):
        return {KEEP, "sentences"}
    if kind == "menu_only":
        return {KEEP, "sentences"}  # the menus are in the target, and nothing takes them away
    if sample.truth.language == RELATIVES.get(target):
        return {KEEP, "sentences"}  # six sentences of a near relative are soon mistaken
    return {KEEP} if sample.truth.language == target else {"sentences"}


def as_c4corpus(sample, target):
    """HTML and XHTML below 10 MB; jusText finds text; its language is told with more than .80 (C4-1, C4-5, C4-21)."""
    kind = sample.truth.kind
    if media(sample) not in HTML:
        return {"mime"}
    if kind == "gallery":
        return {KEEP, "no_text"}  # without stop words, captions in a row are as good as a paragraph
    if kind in NO_PROSE or kind in ("short", "signs"):
        return {"no_text"}
    if sample.truth.language != target or kind == "mojibake":
        return {"main_language"}
    if kind in ("mixed_paragraphs", "replacement_characters"):
        return {KEEP, "main_language"}  # about .80 of the text can be told to be in the target
    return {KEEP}


def unpacked_size(sample):
    coded = {name for name, _ in sample.headers} & {"Content-Encoding", "Transfer-Encoding"}
    if not coded:
        return len(sample.body)
    return 3 * text_size(sample)  # these pages are small: neither bound is near


RULES = {"corpulyzer": as_corpulyzer, "hrwac": as_hrwac, "isixhosa": as_isixhosa, "c4corpus": as_c4corpus}


def expected(sample, run):
    """The verdicts that the rules allow: nearly always one."""
    if sample.record == "revisit" or sample.status != 200 or not sample.body:
        return {ABSENT}
    preset, target, flags = RUNS[run]
    if preset == "hrwac":
        return as_hrwac(sample, target, flags.get("filter.raw_size.min_bytes", 50_000))
    return RULES[preset](sample, target)


def runs(*names):
    """A test for each of these runs; those but the first take a while."""
    marked = [pytest.param(n, marks=() if n == "corpulyzer-urd" else pytest.mark.slow) for n in names or RUNS]
    return pytest.mark.parametrize("run", marked)


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    """A function from a run to its corpus, its funnel, and each response with the document made of it."""

    @cache
    def made(run):
        preset, target, flags = RUNS[run]
        folder = tmp_path_factory.mktemp(run)
        write_archive(folder / "web.warc.gz", target=target)
        create(target, folder / "corpus", preset)
        corpus = open_corpus(folder / "corpus", {"engine.workers": 2, **flags})
        engine = engine_of(corpus)
        corpus.import_(str(folder / "web.warc.gz"), engine=engine)
        funnel = corpus.funnel(engine=engine)
        by_url = {document.url: document for document in corpus.documents}
        documents = [
            None if sample.record == "revisit" else by_url.get(sample.truth.url) for sample in samples(target)
        ]
        return corpus, funnel, list(zip(samples(target), documents, strict=True))

    return made


@runs()
def test_every_page_gets_the_verdict_that_the_papers_rules_give_it(make, run):
    """CZ-4 … CZ-8; HR-3, HR-5, HR-8, HR-9; XH-2 … XH-5; C4-1, C4-5, C4-21."""
    _, _, pairs = make(run)
    wrong = []
    for sample, document in pairs:
        found = ABSENT if document is None else document.verdict.reason
        if found not in expected(sample, run):
            wrong.append((sample.truth.kind, sample.truth.url, found, expected(sample, run)))
    assert wrong == []


@runs()
def test_the_rules_leave_few_verdicts_open(make, run):
    _, _, pairs = make(run)
    answers = [expected(sample, run) for sample, _ in pairs]
    assert sum(len(answer) == 1 for answer in answers) >= 0.85 * len(answers)
    assert {KEEP, ABSENT, "mime"} < set.union(*answers)


@runs()
def test_the_funnel_adds_up_and_counts_what_the_documents_say(make, run):
    corpus, funnel, pairs = make(run)
    dropped = Counter({reason: count for step in funnel.steps for reason, count in step.dropped.items()})
    assert funnel.steps[0].pages == funnel.kept + dropped.total()
    verdicts = Counter(document.verdict.reason for document in corpus.documents)
    assert funnel.kept == verdicts.pop(KEEP)
    assert verdicts == {reason: dropped[reason] for reason in verdicts}
    absent = sum(document is None for _, document in pairs)
    failures = 4  # attempts without a response, which are no samples
    assert sum(funnel.steps[1].dropped.values()) == absent + failures
    for before, after in zip(funnel.steps, funnel.steps[1:], strict=False):
        assert after.pages == before.pages - sum(after.dropped.values())


@runs("corpulyzer-urd", "hrwac-hrv", "hrwac-slv", "c4corpus-eng", "c4corpus-hrv")
def test_target_bytes_of_kept_pages_are_those_of_their_text(make, run):
    """CZ-5: within a tenth, for pages of one language whose extractor has nothing but the text to find.

    Here and there a paragraph is told wrongly, and hrWaC's rule then takes it out.
    """
    _, _, pairs = make(run)
    kinds = ("foreign_site", "split_site", "original", "exact_copy")
    sizes = [
        (text_size(s), d.target_bytes) for s, d in pairs if d and d.verdict.kept and s.truth.kind in kinds
    ]
    off = [(wanted, found) for wanted, found in sizes if abs(found - wanted) > 0.1 * wanted + 150]
    assert len(sizes) >= 20 and len(off) <= len(sizes) // 20, off


@runs("hrwac-hrv", "hrwac-slv")
def test_hrwac_leaves_the_paragraphs_of_the_target_alone(make, run):
    """HR-8: of pages with a foreign paragraph after each of their own, the own ones are left."""
    _, _, pairs = make(run)
    mixed = [(s, d) for s, d in pairs if s.truth.kind == "mixed_paragraphs"]
    assert mixed
    for sample, document in mixed:
        paragraphs = sample.truth.text.split("\n")
        own, foreign = set(paragraphs[::2]), set(paragraphs[1::2])
        left = set(document.text.split("\n"))
        assert own <= left and not left & foreign
        assert document.scores["other_paragraphs"] >= len(foreign)
        assert document.target_bytes >= 0.95 * document.text_bytes


@runs()
def test_licenses_are_labelled_by_c4corpus_alone_and_by_its_regex(make, run):
    """C4-2: what the regex misses (www., //, CC0) has none, and a photo's link counts as the page's."""
    _, _, pairs = make(run)
    found = {s.truth.kind: d.license for s, d in pairs if s.truth.kind.startswith("license_") and d}
    if not run.startswith("c4corpus"):
        assert set(found.values()) == {""}
        return
    assert found["license_footer_by-nc-nd"] == "cc-by-nc-nd" and found["license_two"] == "cc-unspecified"
    assert {found[f"license_{name}"] for name in ("www", "no_scheme", "cc0", "public_domain")} == {""}
    assert found["license_photo_only"] == "cc-by-sa"


@runs("corpulyzer-urd", "isixhosa-xho")
def test_links_of_pages_with_the_gtranslate_comment_lead_nowhere_in_isixhosa_alone(make, run):
    """XH-5; other fingerprints were not known there, and Corpulyzer knows none."""
    corpus, _, pairs = make(run)
    links = ds.dataset(list(corpus.table("links").files)).to_table(columns=["source_id"])
    sources = set(links.column("source_id").to_pylist())
    linked = {s.truth.kind: d.id in sources for s, d in pairs if s.truth.kind.startswith("translated_") and d}
    assert linked.pop("translated_gtranslate_comment") is (run == "corpulyzer-urd")
    assert linked and all(linked.values())


SENTENCES = (
    "Abantwana besikolo bafunda iincwadi ezininzi kwithala leencwadi ledolophu yabo.",
    "Amafama avuna umbona nezinye izityalo ngexesha lasehlotyeni kwiindawo zasemaphandleni.",
    "Urhulumente uthembise ukwakha iindlela ezintsha kunye nezikolo kweli phondo.",
    "Abasebenzi basesibhedlele bafuna imivuzo engcono neemeko zokusebenza ezikhuselekileyo.",
    "Iqela lebhola ekhatywayo laphumelela umdlalo walo wokuqala kule veki iphelileyo.",
)


def judged(body, number):
    """What the preset's pipeline makes of a page."""
    config, _ = merge('preset = "isixhosa"\ncorpus.language = "xho"\n', "x.toml", {}, {})
    html = f"<html><body>{body}</body></html>"
    return pipeline(config)(Page(f"https://a.za/{number}", body=html.encode(), status=200, mime="text/html"))


def test_fifteen_menu_links_and_five_sentences_are_saved_as_by_the_authors_xh_3():
    """By line 5 of 20 would be isiXhosa; of the text joined by spaces the menu is part of the first sentence."""
    menu = "".join(f"<li><a href=/{n}>Item number {n}</a></li>" for n in range(15))
    page = judged(f"<ul>{menu}</ul>" + "".join(f"<p>{each}</p>" for each in SENTENCES), 1)
    assert page.verdict.kept and page.scores["sentences"] <= 7 and page.scores["target_sentences"] >= 4


def test_a_sentence_inside_an_english_paragraph_is_a_target_sentence_xh_6():
    english = "The minister spoke to the people of the town about water and roads for an hour."
    page = judged(f"<p>{english} {english.upper().title()} {SENTENCES[2]} {english} {english}</p>", 2)
    assert page.scores["target_sentences"] == 1 and not page.verdict.kept


@runs()
def test_sites_are_hosts_or_registered_domains_as_the_paper_has_them(make, run):
    """In all rows of the funnel: those of what was fetched are those of the addresses of all documents."""
    corpus, funnel, pairs = make(run)
    level = "host" if run.startswith("corpulyzer") else "registered"
    assert corpus.config.corpus.site == level
    hosts = {urlsplit(document.url).hostname for _, document in pairs if document}
    suffixes = PublicSuffixList()
    names = {
        host.removeprefix("www.") if level == "host" else suffixes.privatesuffix(host) or host
        for host in hosts
    }
    assert funnel.steps[1].sites == len(names) >= funnel.steps[2].sites


@pytest.mark.parametrize("preset", ["corpulyzer", "hrwac", "isixhosa", "c4corpus"])
def test_a_preset_says_where_it_comes_from_and_holds_no_default_by_accident(preset):
    file = Path(corpulyzer.__file__).parent / "corpus" / "settings" / "presets" / f"{preset}.toml"
    text = file.read_text("utf-8")
    assert text.startswith("# ") and tomllib.loads(text)
    config, settings = merge(f'preset = "{preset}"\n', "x.toml", {}, {})
    origins = {setting.key: setting.origin for setting in settings}
    for key in (
        "extract.method",
        "identify.keep",
        "label.license.method",
        "filter.document",
        "filter.received",
        "corpus.site",
    ):
        assert origins[key] == f"preset {preset}", key
    config.filter.chain(config.filter.received + config.filter.document)


def test_the_table_of_presets_is_this_one():
    found = {name: merge(f'preset = "{name}"\n', "x.toml", {}, {})[0] for name in preset_names()}
    assert set(found) == {"default", "corpulyzer", "hrwac", "isixhosa", "c4corpus"}
    extractors = {name: config.extract.method for name, config in found.items()}
    assert extractors == {
        "default": "default", "corpulyzer": "web_am", "hrwac": "path_weight", "isixhosa": "full_text", "c4corpus": "justext"
    }  # fmt: skip
    documents = {name: config.filter.document for name, config in found.items()}
    assert documents["corpulyzer"] == ("content_size",)
    assert documents["hrwac"] == ("main_language", "encoding", "punctuation", "length")
    assert documents["isixhosa"] == ("sentences", "machine_translation")
    assert documents["c4corpus"] == ("main_language",)
    assert documents["default"] == (
        "machine_translation",
        "content_size",
        "encoding",
        "punctuation",
        "length",
    )
    outside = {name for name, config in found.items() if config.opt_outs.rel_nofollow}
    within = {name for name, config in found.items() if config.opt_outs.own_nofollow}
    assert outside == {"corpulyzer"} and within == set(found) - {"isixhosa"}, "links that say nofollow"
    strategies = {name: config.frontier.strategy for name, config in found.items() if name != "c4corpus"}
    assert strategies == {"default": "focus", "corpulyzer": "lrl", "hrwac": "breadth", "isixhosa": "anchor"}
    assert (found["corpulyzer"].crawl.round_pages, found["default"].crawl.round_pages) == (10_000, 2_000)
    sizes = {
        name: (config.filter.raw_size.min_bytes, config.filter.raw_size.max_bytes)
        for name, config in found.items()
    }
    assert (sizes["hrwac"], sizes["c4corpus"]) == ((50_000, 500_000), (0, 9_999_999))
    policies = {name: (config.dedup.policy, config.dedup.method) for name, config in found.items()}
    assert policies["corpulyzer"] == ((), "text_profile") and policies["isixhosa"][0] == ()
    assert policies["hrwac"][0] == ("raw", "paragraph") and policies["c4corpus"] == (
        ("document", "near"),
        "simhash",
    )
    assert found["c4corpus"].filter.main_language.min_confidence == 0.8
    assert found["corpulyzer"].filter.content_size.min_bytes == 256
    lists = {name: (config.scope.lists, config.filter.hosts.lists) for name, config in found.items()}
    assert lists.pop("isixhosa") == (("isixhosa",), ("isixhosa",)) and set(lists.values()) == {((), ())}
    assert len(blocked_by(("isixhosa",))) == 56, "as many as the authors have, Wikimedia apart"
    sentences = found["isixhosa"].filter.sentences
    assert (sentences.min_count, sentences.min_share, sentences.inclusive) == (5, 0.4, False)


@pytest.mark.parametrize("preset", ["default", "corpulyzer", "hrwac", "isixhosa", "c4corpus"])
def test_init_with_a_preset_leaves_its_settings_to_it(tmp_path, preset):
    corpus = create("hrv", tmp_path / "c", preset)
    assert corpus.config.preset == preset
    expected = merge(f'preset = "{preset}"\n[corpus]\nlanguage = "hrv"\nname = "c"\n', "x", {}, {})[0]
    assert corpus.config == expected
