"""Documents: a list with filters, and the way from a URL to its page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from corpulyzer.errors import UserError
from corpulyzer.jobs.status.funnels import funnel_of
from corpulyzer.records import Document
from corpulyzer.records.columns import schema_of
from corpulyzer.serve.takeaway import MOST_ROWS, taken, today
from corpulyzer.url import canonical, url_id

if TYPE_CHECKING:
    from starlette.responses import Response

    from corpulyzer.api.corpus import Corpus
    from corpulyzer.serve.explorer import Asked, Explorer

PER_PAGE = 50
COLUMNS = (
    "id",
    "url",
    "site",
    "title",
    "language",
    "tokens",
    "target_bytes",
    "text_bytes",
    "license",
    "date",
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which documents to list; what is empty limits nothing. `verdict` is kept, dropped or a reason."""

    site: str = ""
    verdict: str = ""
    language: str = ""
    license: str = ""
    words: str = ""

    def expression(self) -> Any:
        """The condition for a scan."""
        import pyarrow.compute as pc

        asked = {name: getattr(self, name) for name in ("site", "language", "license")}
        tests = [pc.field(name) == value for name, value in asked.items() if value]
        if self.verdict in ("kept", "dropped"):
            tests.append(pc.field("verdict", "kept") == (self.verdict == "kept"))
        elif self.verdict:
            tests.append(pc.field("verdict", "reason") == self.verdict)
        if self.words:
            in_url = pc.match_substring(pc.field("url"), self.words, ignore_case=True)
            tests.append(in_url | pc.match_substring(pc.field("title"), self.words, ignore_case=True))
        whole = None
        for test in tests:
            whole = test if whole is None else whole & test
        return whole


def documents(explorer: Explorer, asked: Asked) -> Response:
    """The list."""
    corpus = explorer.corpus()
    names = ("site", "verdict", "language", "license", "words")
    query = {name: asked.query.get(name, "").strip() for name in names}
    if kind := asked.query.get("as", ""):
        rows, _ = select(corpus, Wanted(**query), 0, MOST_ROWS)
        return taken(
            [{**row, "date": row["date"].isoformat()} for row in rows], kind, f"{corpus.name}-documents"
        )
    page = max(1, asked.number("page", 1))
    rows, total = select(corpus, Wanted(**query), (page - 1) * PER_PAGE, PER_PAGE)
    funnel = explorer.remembered("funnel", corpus, partial(funnel_of, corpus))
    reasons = sorted({reason for step in funnel.steps[2:] for reason in step.dropped})
    return explorer.page(
        "documents.html",
        here="documents",
        corpus=corpus,
        rows=rows,
        total=total,
        query=query,
        cited=today(),
        reasons=reasons,
        page=page,
        pages=-(-total // PER_PAGE),
    )


def by_url(explorer: Explorer, asked: Asked) -> Response:
    """From a URL to the story of its latest document."""
    from starlette.responses import RedirectResponse

    url = asked.query.get("url", "").strip()
    corpus = explorer.corpus()
    key = url_id(canonical(url) or url)
    import pyarrow.compute as pc

    rows = _scan(corpus, pc.field("url_id") == key, ["id", "date"]).to_table().to_pylist()
    if not rows:
        raise UserError(f"No document is made of {url}.", "Ask `corpulyzer why URL` what became of it.")
    last = max(rows, key=lambda row: (row["date"], row["id"]))
    return RedirectResponse(f"/documents/{last['id']}", 303)


def select(corpus: Corpus, wanted: Wanted, start: int, most: int) -> tuple[list[dict[str, Any]], int]:
    """A window of the documents that are wanted, and how many there are."""
    import pyarrow.compute as pc

    columns = {name: pc.field(name) for name in COLUMNS}
    columns |= {"kept": pc.field("verdict", "kept"), "reason": pc.field("verdict", "reason")}
    condition = wanted.expression()
    total = _scan(corpus, condition, ["id"]).count_rows()
    rows: list[dict[str, Any]] = []
    seen = 0
    if start < total:
        for batch in _scan(corpus, condition, columns).to_batches():
            first = max(0, start - seen)
            rows += batch.slice(first, most - len(rows)).to_pylist() if first < batch.num_rows else []
            seen += batch.num_rows
            if len(rows) == most:
                break
    return rows, total


def _scan(corpus: Corpus, condition: Any, columns: Any) -> Any:
    import pyarrow.dataset as ds

    files = corpus.documents.files
    filesystem, _ = corpus.storage.filesystem()
    paths = [corpus.storage.inner_path(file) for file in files]
    dataset = ds.dataset(paths, schema=schema_of(Document), format="parquet", filesystem=filesystem)
    return dataset.scanner(columns=columns, filter=condition, batch_size=4_096, fragment_readahead=1)
