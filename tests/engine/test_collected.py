"""Every place where rows of a query come to the driver, and what bounds them: a corpus of 10⁹ documents must fit.

Whoever adds one says here how many rows it may bring. `Workbench.number` brings one, so it is not listed.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import corpulyzer

ROOT = Path(corpulyzer.__file__).parent
ENGINES = ("engine", "bench", "work", "runner")

ONE = "one row: counts and sums"
FEW = "a row for each value of a closed list: reasons, outcomes, licenses, methods, bins, scripts"
ASKED = "as many as the caller asks for, by a limit or by keys"
PAGE = "what there is of one address or one document"
ROUNDS = "a row for each round of the crawl, or for what one round has fetched"
LANGUAGES = "a row for each language, or for each pair of them"
ARCHIVES = "a row for each archive or release"
NUMBERS = "a row for each number that occurs: sizes, frequencies, days"
MIMES = "a row for each media type, charset or ending that servers send"
SITES = "a row for each site"
FRONT = "what stands in the front of the frontier, whose size is a setting"
FRAMED = "documents, of large strata a share that is bounded by a constant"

BOUNDS = {
    "annotate:_counted": [FEW],
    "audit.sample:draw": [FEW, FRAMED, ASKED],
    "export:Export._about": [LANGUAGES],
    "export.formats.shuffled:_in_order": [ONE],
    "jobs.analyze.fits:_changed": [ONE],
    "jobs.audit.learned_lists:_languages": [ASKED],
    "jobs.crawl.rendering:Rendering.wanted": [ROUNDS],
    "jobs.crawl.side_by_side:SideBySide._learn": [ROUNDS],
    "jobs.dedup.counts:counts_of": [ONE],
    "jobs.dedup.follow_view:_changed": [ASKED],
    "jobs.dedup.judge:write_view": [ARCHIVES],
    "jobs.dedup.of_document:copies_of": [PAGE, PAGE],
    "jobs.dedup.of_document:_event": [PAGE],
    "jobs.search.look_up:_query": [ASKED],
    "jobs.why:history": [PAGE, PAGE, FEW],
    "jobs.why:_known": [PAGE],
    "measure.compare.overlap:overlap": [ONE],
    "measure.compare.words:_ranks_in": [ASKED],
    "measure.crawl.commoncrawl:release_results": [ARCHIVES, ONE, LANGUAGES, MIMES],
    "measure.crawl.counts:yield_rate": [ROUNDS],
    "measure.crawl.counts:discovery": [SITES],
    "measure.crawl.counts:count_frontier": [FEW],
    "measure.crawl.results:assortativity": [FEW],
    "measure.crawl.results:cost": [ROUNDS],
    "measure.crawl.stop_now:stop_now": [ONE],
    "measure.crawl.stop_now:_curve": [ASKED],
    "measure.growth.laws:whole_corpus": [ONE, ONE],
    "measure.growth.zipf:spectra_of_all": [NUMBERS, NUMBERS],
    "measure.licenses.by_language:measure": [SITES, LANGUAGES],
    "measure.licenses.vote:licenses": [SITES],
    "measure.pages.as_files:url_depth": [NUMBERS, ONE],
    "measure.pages.as_files:mime": [MIMES],
    "measure.pages.as_files:charset": [MIMES],
    "measure.pages.as_files:html_size": [FEW],
    "measure.pages.as_files:large_pages": [ASKED, ONE],
    "measure.pages.by_language:_rows": [LANGUAGES],
    "measure.pages.duplicates:cluster_sizes": [NUMBERS],
    "measure.pages.funnel:funnel": [FEW, FEW, SITES],
    "measure.pages.funnel:_fetched_sites": [SITES],
    "measure.pages.language_richness:language_share": [FEW],
    "measure.pages.language_richness:presence": [LANGUAGES, ONE],
    "measure.pages.languages:_overview": [ONE],
    "measure.pages.languages:_licensed": [SITES],
    "measure.pages.look_alike_pairs:mixed": [LANGUAGES],
    "measure.pages.look_alike_pairs:matrix": [LANGUAGES],
    "measure.pages.rejects:measure": [FEW, ASKED],
    "measure.pages.strictness:strictness": [LANGUAGES],
    "measure.pages.strictness:_drawn": [ASKED, ASKED],
    "measure.pages.thresholds:threshold_table": [ONE],
    "measure.quality.confusables:measure": [SITES, SITES],
    "measure.quality.documents:_scored": [FEW, SITES],
    "measure.quality.documents:_threshold_rows": [NUMBERS],
    "measure.quality.documents:_broken": [NUMBERS],
    "measure.quality.machine_translation:measure": [FEW, SITES],
    "measure.quality.pii:measure": [ONE, ONE],
    "measure.sites.classifier:measure": [SITES],
    "measure.sites.origin:measure": [SITES, NUMBERS],
    "measure.sites.rows:site_rows": [SITES],
    "measure.statistics.distribution:value_counts": [NUMBERS],
    "measure.text.annotated_share:_rows": [FEW],
    "measure.text.basics:measure": [ONE, ONE, ONE],
    "measure.text.counts:_counted": [ONE, ONE, ONE],
    "measure.words.by_site:_summed": [ASKED],
    "measure.words.frequency:first_words": [ASKED],
    "measure.words.frequency:top_words": [ASKED, ASKED],
    "measure.words.keywords:top_words_of": [ASKED],
    "measure.words.scripts:measure": [NUMBERS],
    "measure.words.scripts:_normalisation": [ONE],
    "measure.words.scripts:_mixed": [ASKED],
    "measure.words.vocabulary:word_classes": [FEW],
    "serve.sites:site": [SITES],
    "serve.sites:_all": [SITES],
    "serve.story:_document": [PAGE],
    "serve.story:_received": [PAGE],
    "serve.story:_copies": [ASKED, ASKED],
    "serve.work.crawling:frontier_by_site.count": [SITES],
    "web.commoncrawl.estimate:estimate": [ONE, ARCHIVES],
    "web.commoncrawl.estimate:by_tld": [SITES],
    "web.commoncrawl.estimate:share": [ONE],
    "web.frontier.generate:Generate._scored": [FRONT],
    "web.frontier.store.asked:_whole_rows": [SITES],
    "web.frontier.store.behind:best_waiting": [ASKED],
    "web.frontier.store.depth:Depth.soonest": [ONE],
    "web.frontier.store.depth:Levelling._merge": [ONE],
    "web.seeds.report:seed_report": [FEW, FEW, ASKED],
}
"""The places, as module and function, and a bound for each query there, in their order."""

OF_SPARK = {"engine.spark.tables:collected", "engine.spark.tables:written"}
"""Where Spark hands rows over: the answers of the queries above, and the numbers of tasks that have written files."""


OF_GUARDS = {"engine.spark.__init__:_Task._guarded"}
"""Where something else is called by such a name: a guard takes a step."""


def calls(node: ast.AST, place: str = "") -> Iterator[tuple[str, ast.Call]]:
    """The calls of methods in a module, each with the function in which it stands."""
    for child in ast.iter_child_nodes(node):
        inside = place
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = f"{place}.{child.name}" if place else child.name
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
            yield place, child
        yield from calls(child, inside)


def of_an_engine(call: ast.Call) -> bool:
    """Whether a call brings rows here: a query without a file to write to, or the rows of a workbench."""
    method = call.func
    assert isinstance(method, ast.Attribute)
    owner = ast.unparse(method.value).rpartition(".")[2]
    to_a_file = len(call.args) > 2 or any(keyword.arg == "target" for keyword in call.keywords)
    return owner in ENGINES and (method.attr == "rows" or (method.attr == "query" and not to_a_file))


def found() -> Counter[str]:
    places: Counter[str] = Counter()
    for file in sorted(ROOT.rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        for place, call in calls(ast.parse(file.read_text("utf-8"))):
            method = call.func
            assert isinstance(method, ast.Attribute)
            is_ours = (
                module.startswith("engine") or (module, method.attr, ast.unparse(method.value)) in TO_FILES
            )
            if of_an_engine(call) and not is_ours:
                places[f"{module}:{place}"] += 1
    return places


TO_FILES = {
    ("export.formats.frequency", "query", "work"),
    ("export.formats.shuffled", "query", "work"),
}
"""`Work.query` of an export, which writes a file and reads it as a stream."""


def test_every_query_whose_rows_come_to_the_driver_says_what_bounds_them():
    assert found() == {place: len(bounds) for place, bounds in BOUNDS.items()}


def test_nothing_else_takes_rows_from_spark():
    ours = {
        f"{'.'.join(file.relative_to(ROOT).with_suffix('').parts)}:{place}"
        for file in sorted((ROOT / "engine" / "spark").rglob("*.py"))
        for place, call in calls(ast.parse(file.read_text("utf-8")))
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in ("toArrow", "toPandas", "toLocalIterator", "collect", "take", "head", "first")
    }
    assert ours - OF_GUARDS == OF_SPARK
