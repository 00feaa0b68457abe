"""Every place where rows of a query come to the driver, and what bounds them: a corpus of 10⁹ documents must fit.

Whoever adds one says here how many rows it may bring. `Workbench.number` brings one, so it is not listed.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import corpulyzer

ROOT = Path(corpulyzer.__file__).parent
OTHERS = {("web.commoncrawl.cdx", "cdx")}
"""Whose `rows` or `query` is nothing of an engine's: a server is asked."""

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
SAMPLE = "the sample of documents, whose size is a setting"
FRAMED = "documents, of large strata a share that is bounded by a constant"
PART = "one part of a table: as many rows as `engine.part_pages`, or as a round has fetched"
GROUP = "one row group of a file"
IDS = "eight bytes for each document that somebody has put into a subcorpus"

BOUNDS = {
    "annotate:_counted": [FEW],
    "audit.sample:draw": [FEW, FRAMED, ASKED],
    "export:Export._about": [LANGUAGES],
    "export.formats.shuffled:_in_order": [ONE],
    "export.versions:write_changes": [FEW],
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
    "measure.licenses.by_language:_tokens": [SITES],
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

IN_ONE_FILE = {
    "jobs.analyze.fits:fit_now": [SAMPLE],
    "measure.compare.words:_ranks_in": [ASKED],
    "measure.pages.rejects:measure": [ASKED],
    "measure.text.counts:sampled": [SAMPLE],
    "measure.words.frequency:top_words": [ASKED],
    "measure.words.topic_words:_nouns": [SAMPLE],
    "web.frontier.store.depth:Levelling._whole": [FRONT],
    "web.frontier.store.depth:Levelling._forward": [FRONT],
}
"""The same for queries whose rows one task writes into one file; what may be large is spread over many."""

OF_FILES = {
    "annotate.follow:_rows": [PART],
    "corpus.documents:Documents.arrow": [ASKED],
    "corpus.indexing:left_out": [ONE],
    "corpus.subcorpora:_ids": [IDS],
    "engine.in_order:rows_in_order": [PART],
    "export.follow:_read": [PART],
    "export.forget:_listed": [PART],
    "jobs.as_of.moment:_last": [PART],
    "jobs.crawl.resume:remaining": [ROUNDS],
    "jobs.crawl.resume:previous": [ROUNDS],
    "jobs.crawl.round_archive:recorded": [ROUNDS],
    "jobs.dead_pages:_read": [PART],
    "jobs.dedup.follow_view:_rows": [PART],
    "jobs.remove.tables:_values": [PART],
    "jobs.search.annotated:_read": [GROUP],
    "jobs.upgrade.to_format_3:Logs._annotated.rows": [PART],
    "measure.text.partial_counts:_rows": [PART],
    "measure.text.pooled_counts:_read_parts": [ARCHIVES],
    "measure.words.topic_fits:fits": [ONE],
    "records.annotation:_places": [GROUP],
    "records.annotation:_row_group": [GROUP],
    "serve.documents:by_url": [PAGE],
    "storage.by_archive:rows_of_archive": [PART],
    "web.commoncrawl.index:_check_parts": [ONE],
    "web.commoncrawl.slices:Slices._read": [ONE],
    "web.frontier.store.arrays:read_file": [FRONT, FRONT],
    "web.frontier.store.wholes:_read": [GROUP],
}
"""The places where a file is read as a whole, by a task or by the driver, and a bound for each."""

NOTHING = "nothing: what follows from a batch is written or handed on before the next one is read"
WINDOW = "as many as are asked for; the others are passed over"
SUMS = "sums by language, by label or by page size"
VALUES = "a row for each word or tag of the concordance, of which there is none above `search.most_documents`"
GONE_IDS = "eight bytes for each document that is removed, or dead in one archive"
DUMP = "what there is of one dump of Wikipedia or of one file of links"
EXPORTED = "an id for each document of an export, while a page is removed, and none above a constant"
# What grows with the corpus is listed in docs/explanation/scale.md too.
WORDS = "growing: a count for each word of the corpus"
LINKING = "growing: an id for each page that links to what is asked for, or that has the label"
SEEDS = "growing: an address for each page that becomes a seed"
ASKED_BEFORE = "growing: a key for each record that `commoncrawl fetch` has asked for"

IN_TURN = {
    "annotate:_texts": [NOTHING],
    "corpus.documents:Documents.__iter__": [NOTHING],
    "corpus.documents:Documents._with": [LINKING],
    "corpus.documents:Documents.batches": [NOTHING],
    "corpus.documents:Documents.duckdb": [NOTHING],
    "corpus.documents:Documents.texts": [NOTHING],
    "corpus.full_stops:_texts": [SAMPLE],
    "export.follow:_contents": [NOTHING],
    "export.follow:_listed": [PART],
    "export.follow:_merged": [PART],
    "export.forget:_published": [EXPORTED],
    "export.forget:_write": [NOTHING],
    "export.formats:batches_of": [NOTHING],
    "jobs.analyze.document_quality:_batches": [NOTHING],
    "jobs.calibrate:_looked_at": [SAMPLE],
    "jobs.dead_pages:_by_archive.rows": [GONE_IDS],
    "jobs.importing.rows:parquet_rows": [NOTHING],
    "jobs.remove.plan:_documents": [GONE_IDS],
    "jobs.remove.plan:_kept": [NOTHING],
    "jobs.remove.plan:_links": [NOTHING],
    "jobs.remove.tables:_rewrite": [NOTHING],
    "jobs.remove.tables:rows": [GONE_IDS],
    "jobs.remove.tables:rows_of": [NOTHING],
    "jobs.search.refresh:_kept": [NOTHING],
    "jobs.seeds.search:_words": [WORDS],
    "jobs.stop_words:_target_texts": [WORDS],
    "jobs.upgrade.columns:_add": [NOTHING],
    "measure.quality.content:_counts": [SITES],
    "measure.text.counts:sampled_texts": [SAMPLE],
    "measure.words.topic_fits:_documents": [SAMPLE],
    "measure.words.topic_words:_nouns": [SAMPLE],
    "search.lexicon:_ranked": [VALUES],
    "search.rows:follow": [PART],
    "serve.documents:_scan": [WINDOW],
    "serve.sites:identified_bytes": [SITES],
    "web.commoncrawl.counts:CountLanguages._counts": [GROUP],
    "web.commoncrawl.fetch:wishes": [ASKED_BEFORE],
    "web.seeds.link_graph:_parquet": [DUMP],
    "web.seeds.link_graph:_scan": [LINKING],
    "web.seeds.rows:from_rows": [SEEDS],
    "web.seeds.wikipedia.linked_sites:_articles": [DUMP],
    "web.seeds.wikipedia.linked_sites:language_names": [DUMP, DUMP],
    "web.seeds.wikipedia.linked_sites:links_in_tables": [DUMP, DUMP],
}
"""The places where rows are read some at a time, by a task or by the driver, and what is held of them, for each."""

OF_SPARK = {"engine.spark.tables:collected", "engine.spark.tables:written"}
"""Where Spark hands rows over: the answers of the queries above, and the numbers of tasks that have written files."""


NOT_OF_SPARK = {"engine.spark:_Task._guarded", "export:Export._written"}
"""Where something else is called by such a name: a guard takes a step, a format collects its files."""


def calls(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """The calls of methods in a module, each with the function in which it stands."""
    for place, each in placed(node):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            yield place, each


def placed(node: ast.AST, place: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Everything that a module is made of, each with the function in which it stands."""
    for child in ast.iter_child_nodes(node):
        inside = place
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = f"{place}.{child.name}" if place else child.name
        yield place, child
        yield from placed(child, inside)


def of_an_engine(call: ast.Call) -> bool:
    """Whether a call brings rows here: a query without a file to write to, or the rows of a workbench."""
    method = name_of(call)
    return method in ("rows", "query") and is_asked(call) and not to_a_file(call)


def into_one_file(call: ast.Call) -> bool:
    """Whether a call has all rows of a query written by one task: a query with a file, or `Workbench.make`."""
    if name_of(call) == "make":
        return ast.unparse(call.func).split(".")[-2] in ("bench", "work")
    return name_of(call) == "query" and to_a_file(call)


def name_of(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def is_asked(call: ast.Call) -> bool:
    """Whether something is asked for: without it, these are rows that are here already."""
    return bool(call.args or call.keywords)


def to_a_file(call: ast.Call) -> bool:
    return len(call.args) > 2 or any(keyword.arg == "target" for keyword in call.keywords)


def of_a_file(call: ast.Call) -> bool:
    """Whether a call reads a Parquet or Arrow file as a whole, or a row group of one."""
    method = call.func
    assert isinstance(method, ast.Attribute)
    whole = ("read_table", "to_table", "read_row_group", "read_row_groups", "read_all", "to_arrow_table")
    owner = ast.unparse(method.value)
    return method.attr in whole or (method.attr == "read" and (owner == "parquet" or "ParquetFile(" in owner))


def in_turn(node: ast.AST) -> bool:
    """Whether rows of files or of a database are read some at a time, or documents one by one."""
    if isinstance(node, ast.For | ast.comprehension):
        read = ("batches", "texts")  # which are calls, and listed as these
        called = node.iter.func if isinstance(node.iter, ast.Call) else None
        is_listed = isinstance(called, ast.Attribute) and called.attr in read
        return "corpus.documents" in ast.unparse(node.iter) and not is_listed
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):  # of one argument, `rows_of` counts the rows of units
        return node.func.id == "rows_in_turn" or (node.func.id == "rows_of" and len(node.args) > 1)
    method = node.func
    if not isinstance(method, ast.Attribute):
        return False
    if method.attr == "to_batches":  # without columns, of a table that is in memory
        return any(keyword.arg == "columns" for keyword in node.keywords)
    if method.attr in ("batches", "texts"):
        owner = ast.unparse(method.value)
        return owner == "self" or any(name in owner for name in ("ocuments", "texts.filter"))
    return method.attr in ("iter_batches", "scanner", "fetchall")


def modules() -> Iterator[tuple[str, str]]:
    """The modules of the package, each with its source."""
    for file in sorted(ROOT.rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), file.read_text("utf-8")


def found(asked: Callable[[ast.Call], bool]) -> Counter[str]:
    places: Counter[str] = Counter()
    for module, source in modules():
        for place, call in calls(ast.parse(source)):
            method = call.func
            assert isinstance(method, ast.Attribute)
            owner = ast.unparse(method.value)
            is_ours = module.startswith(("engine", "lab")) or (module, method.attr, owner) in TO_FILES
            if asked(call) and not is_ours and (module, owner) not in OTHERS:
                places[f"{module}:{place}"] += 1
    return places


TO_FILES = {
    ("export.formats.frequency", "query", "work"),
    ("export.formats.shuffled", "query", "work"),
}
"""`Work.query` of an export, which writes a file and reads it as a stream."""


def test_every_query_whose_rows_come_to_the_driver_says_what_bounds_them():
    assert found(of_an_engine) == {place: len(bounds) for place, bounds in BOUNDS.items()}


def test_every_query_whose_rows_one_task_writes_says_what_bounds_them():
    assert found(into_one_file) == {place: len(bounds) for place, bounds in IN_ONE_FILE.items()}


def test_every_file_that_is_read_as_a_whole_says_what_bounds_it():
    places = Counter(
        f"{module}:{place}"
        for module, source in modules()
        for place, call in calls(ast.parse(source))
        if of_a_file(call) and not module.startswith("lab")  # experiments of few pages
    )
    assert places == {place: len(bounds) for place, bounds in OF_FILES.items()}


def test_every_place_that_reads_rows_in_turn_says_what_it_holds_of_them():
    places = Counter(
        f"{module}:{place}"
        for module, source in modules()
        for place, node in placed(ast.parse(source))
        if in_turn(node) and not module.startswith(("engine", "storage", "lab"))
    )
    assert places == {place: len(held) for place, held in IN_TURN.items()}


TAKING = ("toArrow", "toPandas", "toLocalIterator", "collect", "collectAsMap", "takeOrdered")
TAKING_OF_SPARK = (
    "take",
    "head",
    "first",
    "top",
    "reduce",
    "fold",
    "aggregate",
    "countByKey",
    "countByValue",
)
"""Names that others than Spark use too, so that they are looked for only where Spark is."""


def test_nothing_else_takes_rows_from_spark():
    ours = {
        f"{module}:{place}"
        for module, source in modules()
        for place, call in calls(ast.parse(source))
        if takes_from_spark(call, of_spark="pyspark" in source or "sparkContext" in source)
    }
    assert ours - NOT_OF_SPARK == OF_SPARK


def takes_from_spark(call: ast.Call, *, of_spark: bool) -> bool:
    method = call.func
    assert isinstance(method, ast.Attribute)
    names = (*TAKING, *TAKING_OF_SPARK) if of_spark else TAKING
    return method.attr in names and ast.unparse(method.value) != "gc"
