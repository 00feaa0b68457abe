"""The addresses of the explorer, and how a request becomes a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from corpulyzer.serve import audits, documents, languages, overview, sites, story
from corpulyzer.serve.answering import choose_interface, endpoint, not_found
from corpulyzer.serve.explorer import HERE, Asked, Explorer
from corpulyzer.serve.search import company, concordance, keywords, subcorpora, words
from corpulyzer.serve.security import Guarded
from corpulyzer.serve.work import crawling
from corpulyzer.serve.work import page as work
from corpulyzer.serve.work.reachable import reachable

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.responses import Response

Handler = Callable[[Explorer, Asked], "Response"]
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
    "/work": work.work,
    "/work/panel": work.panel,
    "/exports/{version}/{file:path}": work.download,
    "/interface": choose_interface,
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
    "/work/start": work.start,
    "/work/stop": work.stop,
    "/work/resume": work.go_on,
    "/work/settings": work.set_limits,
    "/work/seeds": work.add_seeds,
    "/work/train": work.train,
    "/reachable": reachable,
}


def application(explorer: Explorer) -> Guarded:
    """The explorer as an ASGI application, guarded."""
    return Guarded(routed(explorer), explorer.gate)  # type: ignore[arg-type]


def routed(explorer: Explorer) -> Starlette:
    """The explorer's addresses, for whoever guards them."""
    from starlette.applications import Starlette
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    def answers(handler: Handler) -> Callable[..., object]:
        return endpoint(explorer, lambda asked: _answered(explorer, handler, asked))

    own = ("/audit/", "/subcorpora/")
    below = [path for path in {*PAGES, *ACTIONS} if path in OF_LANGUAGE or path.startswith(own)]
    routes = [
        *(
            Route(f"/languages/{{language}}{path}", answers(those[path]), methods=[method])
            for method, those in (("POST", ACTIONS), ("GET", PAGES))
            for path in below
            if path in those
        ),
        *(Route(path, answers(ACTIONS[path]), methods=["POST"]) for path in ACTIONS),
        *(Route(path, answers(PAGES[path]), methods=["GET"]) for path in PAGES),
        Mount("/static", StaticFiles(directory=HERE / "static")),
    ]
    return Starlette(routes=routes, exception_handlers={404: not_found(explorer)})


def _answered(explorer: Explorer, handler: Handler, asked: Asked) -> Response:
    """The answer of a handler, given the explorer of the language and subcorpus that the address names."""
    code = asked.path.get("language", "")
    found = explorer.of_language(code) if code else explorer
    name = "" if handler is subcorpora.delete else asked.path.get("subcorpus", "")
    return handler(found.of_subcorpus(name) if name else found, asked)
