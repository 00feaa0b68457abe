"""The addresses of the desk: its own pages, and each corpus below `/corpora/NAME`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from corpulyzer.corpus.settings.config import preset_names
from corpulyzer.errors import UserError
from corpulyzer.serve.answering import choose_interface, endpoint, not_found
from corpulyzer.serve.app import routed
from corpulyzer.serve.desk import new
from corpulyzer.serve.desk.corpora import cards, named
from corpulyzer.serve.explorer import HERE, Asked, Explorer, NotFoundError
from corpulyzer.serve.pages import environment
from corpulyzer.serve.security import App, Gate, Guarded, Receive, Scope, Send
from corpulyzer.serve.work.reachable import reachable
from corpulyzer.web.seeds.search.known import KNOWN

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.responses import Response

CORPORA = "/corpora/"


@dataclass
class Desk:
    """The desk of a folder: its corpora, each with an explorer."""

    folder: Path
    gate: Gate = field(default_factory=Gate)
    flags: Mapping[str, Any] = field(default_factory=dict)
    _apps: dict[str, App] = field(default_factory=dict)

    @cached_property
    def templates(self) -> Environment:
        return environment()

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """A page of the desk itself."""
        from starlette.responses import HTMLResponse

        given: dict[str, Any] = {"secret": self.gate.secret, "base": "", "here": "", "corpus": None}
        given |= {"languages": [], "language": "", "stale": [], **values}
        return HTMLResponse(self.templates.get_template(template).render(**given), status)

    def app_of(self, name: str) -> App:
        """The explorer of a corpus of the desk; NotFoundError if there is none of that name."""
        folder = named(self.folder, name)
        if name not in self._apps:
            explorer = Explorer(str(folder), self.gate, self.flags, base=CORPORA + quote(name))
            self._apps[name] = routed(explorer)  # type: ignore[assignment]
        return self._apps[name]


def application(desk: Desk) -> Guarded:
    """The desk as an ASGI application, guarded."""
    from starlette.applications import Starlette
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    def answers(handler: Callable[[Desk, Asked], Response]) -> Callable[..., object]:
        return endpoint(desk, lambda asked: handler(desk, asked))

    routes = [
        Route("/", answers(overview), methods=["GET"]),
        Route("/desk", answers(overview), methods=["GET"]),
        Route("/new", answers(begin), methods=["POST"]),
        Route("/new", answers(form), methods=["GET"]),
        Route("/reachable", answers(reachable), methods=["POST"]),
        Route("/interface", answers(choose_interface), methods=["GET"]),
        Mount("/static", StaticFiles(directory=HERE / "static")),
    ]
    own = Starlette(routes=routes, exception_handlers={404: not_found(desk)})

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(CORPORA):
            await own(scope, receive, send)  # type: ignore[arg-type]
            return
        name, _, rest = scope["path"].removeprefix(CORPORA).partition("/")
        base = CORPORA + quote(name)
        try:
            inner = desk.app_of(name)
        except NotFoundError:
            await own(scope, receive, send)  # type: ignore[arg-type]
            return
        raw = scope.get("raw_path", b"").decode("latin-1").partition("?")[0]
        below = "/" + raw.removeprefix(CORPORA).partition("/")[2]
        inside = {**scope, "path": f"/{rest}", "raw_path": below.encode("latin-1")}
        await inner(inside, receive, _redirected(send, base))

    return Guarded(answer, desk.gate)


def overview(desk: Desk, _asked: Asked) -> Response:
    """The corpora of the folder."""
    return desk.page("desk.html", cards=cards(desk.folder), folder=str(desk.folder))


def form(desk: Desk, asked: Asked) -> Response:
    """The choice of a language, and then the form of a new corpus."""
    query = asked.query.get("q", "")
    chosen = new.chosen_languages(asked.query.get("language", ""))
    if chosen:
        return _form(desk, new.filled({"language": ",".join(each.language.code for each in chosen)}), chosen)
    found = new.found_languages(query)
    return desk.page("new_language.html", query=query, found=found, no_code=new.OF_NO_CODE)


def begin(desk: Desk, asked: Asked) -> Response:
    """Make a corpus; a mistake in the form is told beside it."""
    from starlette.responses import RedirectResponse

    try:
        name = new.begin(desk.folder, asked.form)
    except UserError as error:
        chosen = new.chosen_languages(asked.form.get("language", ""))
        if not chosen:
            raise
        return _form(desk, new.filled(asked.form), chosen, error)
    return RedirectResponse(f"{CORPORA}{quote(name)}/work", 303)


def _form(
    desk: Desk, values: Mapping[str, str], chosen: list[new.Found], error: UserError | None = None
) -> Response:
    return desk.page(
        "new.html",
        400 if error else 200,
        form=values,
        chosen=chosen,
        presets=preset_names(),
        providers=tuple(KNOWN),
        problem=error,
        folder=str(desk.folder),
    )


def _redirected(send: Send, base: str) -> Send:
    """Redirects of a corpus lead below its own address, unless they do so already."""

    def placed(name: bytes, value: bytes) -> tuple[bytes, bytes]:
        text = value.decode("latin-1")
        outside = name == b"location" and text.startswith("/") and not text.startswith(CORPORA)
        return (name, (base + text).encode("latin-1")) if outside else (name, value)

    async def send_on(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [placed(*header) for header in message["headers"]]
        await send(message)

    return send_on
