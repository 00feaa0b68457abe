"""The addresses of the explorer, and how a request becomes a page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from corpulyzer.errors import UserError
from corpulyzer.serve import audits, crawling, documents, languages, overview, sites, story
from corpulyzer.serve.explorer import HERE, Asked, Explorer, NotFoundError
from corpulyzer.serve.search import company, concordance, keywords, subcorpora, words
from corpulyzer.serve.security import Guarded
from corpulyzer.storage.lock import HeldError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

Handler = Callable[[Explorer, Asked], "Response"]
MOST_FORM_BYTES = 100_000
REPORT = f"/{overview.REPORT}"
"""The report under the name of its file, so that links from one report to another hold here too."""

DESK: dict[str, Handler] = {
    "/search": concordance.search,
    "/words": words.words,
    "/sketch": company.sketch,
    "/thesaurus": company.thesaurus,
    "/compare": company.compare,
    "/keywords": keywords.keyness,
}
"""The pages for linguists, which each subcorpus has of its own."""
SUBCORPUS = "/subcorpora/{subcorpus}"
PAGES: dict[str, Handler] = {
    "/": overview.overview,
    "/report": overview.report,
    REPORT: overview.report,
    "/languages": languages.choose,
    "/crawl/panel": crawling.panel,
    "/sites": sites.sites,
    "/sites/{site}": sites.site,
    "/documents": documents.documents,
    "/documents/{id}": story.story,
    "/documents/{id}/fetched": story.fetched,
    "/why": documents.by_url,
    **DESK,
    **{SUBCORPUS + path: handler for path, handler in DESK.items()},
    f"{SUBCORPUS}/report": overview.report,
    "/subcorpora": subcorpora.subcorpora,
    "/audit": audits.audits,
    "/audit/{name}": audits.label_next,
    "/audit/{name}/score": audits.score,
}
OF_LANGUAGE = ("/", "/report", REPORT, "/sites", "/documents", *DESK, "/subcorpora", "/audit")
"""The pages that each language of a corpus of several has of its own; its audits are labelled there too."""
ACTIONS: dict[str, Handler] = {
    "/crawl/start": crawling.start,
    "/crawl/{wish}": crawling.control,
    "/sites/{site}": sites.decide,
    "/subcorpora": subcorpora.save,
    f"{SUBCORPUS}/delete": subcorpora.delete,
    "/audit": audits.draw,
    "/audit/{name}": audits.label,
}


def application(explorer: Explorer) -> Guarded:
    """The explorer as an ASGI application, guarded."""
    from starlette.applications import Starlette
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    below = [
        path
        for path in {*PAGES, *ACTIONS}
        if path in OF_LANGUAGE or path.startswith(("/audit/", "/subcorpora/"))
    ]
    routes = [
        *(
            Route(f"/languages/{{language}}{path}", _endpoint(explorer, those[path]), methods=[method])
            for method, those in (("POST", ACTIONS), ("GET", PAGES))
            for path in below
            if path in those
        ),
        *(Route(path, _endpoint(explorer, ACTIONS[path]), methods=["POST"]) for path in ACTIONS),
        *(Route(path, _endpoint(explorer, PAGES[path]), methods=["GET"]) for path in PAGES),
        Mount("/static", StaticFiles(directory=HERE / "static")),
    ]
    inner = Starlette(routes=routes, exception_handlers={404: _not_found(explorer)})
    return Guarded(inner, explorer.gate)  # type: ignore[arg-type]


def _endpoint(explorer: Explorer, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    from starlette.concurrency import run_in_threadpool

    async def answer(request: Request) -> Response:
        form: dict[str, str] = {}
        if request.method == "POST":
            body = await request.body()
            form = dict(parse_qsl(body[:MOST_FORM_BYTES].decode("utf-8", "replace"), keep_blank_values=True))
            given = form.pop("secret", "") or request.headers.get("x-secret", "")
            if not explorer.gate.is_ours(given):
                return _problem(
                    explorer, 403, "This form is not from a page of the explorer as it runs now.", ""
                )
        asked = Asked({k: str(v) for k, v in request.path_params.items()}, dict(request.query_params), form)
        try:
            return await run_in_threadpool(_answered, explorer, handler, asked)
        except NotFoundError as error:
            return _problem(explorer, 404, error.message, error.hint)
        except HeldError as error:
            return _problem(explorer, 409, error.message, error.hint)
        except UserError as error:
            return _problem(explorer, 400, error.message, error.hint)

    return answer


def _answered(explorer: Explorer, handler: Handler, asked: Asked) -> Response:
    """The answer of a handler, which is given the explorer of the language that the address names."""
    code = asked.path.get("language", "")
    found = explorer.of_language(code) if code else explorer
    name = "" if handler is subcorpora.delete else asked.path.get("subcorpus", "")
    return handler(found.of_subcorpus(name) if name else found, asked)


def _not_found(explorer: Explorer) -> Callable[[Request, Any], Awaitable[Response]]:
    async def answer(_request: Request, _error: Any) -> Response:
        return _problem(explorer, 404, "There is no such page.", "")

    return answer


def _problem(explorer: Explorer, status: int, message: str, hint: str) -> Response:
    return explorer.page("problem.html", status, here="", corpus=None, message=message, hint=hint)
