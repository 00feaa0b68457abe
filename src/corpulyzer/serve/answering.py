"""How a request becomes a page: its form is checked, its language chosen, and a mistake is told in words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

import regex

from corpulyzer.errors import UserError
from corpulyzer.interface import catalogue
from corpulyzer.serve.explorer import Asked, NotFoundError
from corpulyzer.storage.lock import HeldError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from corpulyzer.serve.security import Gate

MOST_FORM_BYTES = 20_000_000
"""Room for the sentences that a language is learned from, each byte of which a form may write as three."""
MOST_FIELDS = 1_000
# With an end: of a text without spaces the module would otherwise remember every place to go back to.
_QUOTED = regex.compile(rb"(?:%[0-9A-Fa-f]{2}){1,1000}+")
COOKIE = "interface"
A_YEAR = 365 * 24 * 3600


class Place(Protocol):
    """What has pages behind a gate: the explorer of a corpus, and the desk."""

    @property
    def gate(self) -> Gate: ...

    def page(self, template: str, status: int = 200, **values: Any) -> Response: ...


def endpoint(place: Place, answer: Callable[[Asked], Response]) -> Callable[[Request], Awaitable[Response]]:
    """What Starlette calls for a request that `answer` is for."""
    from starlette.concurrency import run_in_threadpool

    async def answered(request: Request) -> Response:
        _choose_language(request)
        form: dict[str, str] = {}
        if request.method == "POST":
            body = await _body(request)
            if body is None:
                most = f"{MOST_FORM_BYTES // 1_000_000} MB"
                return problem(place, 413, f"A form may have {most}.", "Send less at once.")
            form = await run_in_threadpool(fields, body)
            given = form.pop("secret", "") or request.headers.get("x-secret", "")
            if not place.gate.is_ours(given):
                return problem(place, 403, "This form is not from a page of the explorer as it runs now.", "")
        asked = Asked({k: str(v) for k, v in request.path_params.items()}, dict(request.query_params), form)
        try:
            return await run_in_threadpool(answer, asked)
        except NotFoundError as error:
            return problem(place, 404, error.message, error.hint)
        except HeldError as error:
            return problem(place, 409, error.message, error.hint)
        except UserError as error:
            return problem(place, 400, error.message, error.hint)

    return answered


def not_found(place: Place) -> Callable[[Request, Any], Awaitable[Response]]:
    """What Starlette calls where there is no page."""

    async def answer(request: Request, _error: Any) -> Response:
        _choose_language(request)
        return problem(place, 404, "There is no such page.", "")

    return answer


def _choose_language(request: Request) -> None:
    """Answer in the language of the interface that the reader has chosen, or that their browser asks for."""
    cookie = request.cookies.get(COOKIE, "")
    catalogue.choose(catalogue.wanted(cookie, request.headers.get("accept-language", "")))


def problem(place: Place, status: int, message: str, hint: str) -> Response:
    """A page that says what did not work."""
    return place.page("problem.html", status, here="", corpus=None, message=message, hint=hint)


def choose_interface(_place: Any, asked: Asked) -> Response:
    """Keep the language in which a reader wants the interface, and go back to where they were."""
    from starlette.responses import RedirectResponse

    back = asked.query.get("back", "/")
    inside = back.startswith("/") and not back.startswith(("//", "/\\"))
    answer = RedirectResponse(back if inside else "/", 303)
    code = asked.query.get("language", "")
    chosen = code if code in catalogue.LANGUAGES else catalogue.ENGLISH
    answer.set_cookie(COOKIE, chosen, max_age=A_YEAR, httponly=True, samesite="strict")
    return answer


def fields(body: bytes) -> dict[str, str]:
    """The fields of a form; those after the first thousand are left out.

    The standard library takes eighty times the size of a text in a script other than Latin.

    >>> fields(b"a=1&b=%C4%8Daj+100%25&c")
    {'a': '1', 'b': 'čaj 100%', 'c': ''}
    """
    parts = body.split(b"&", MOST_FIELDS)[:MOST_FIELDS]
    pairs = (part.partition(b"=") for part in parts if part)
    return {_unquoted(name): _unquoted(value) for name, _, value in pairs}


def _unquoted(text: bytes) -> str:
    def bytes_of(run: regex.Match[bytes]) -> bytes:
        return bytes.fromhex(run[0].replace(b"%", b"").decode())

    return _QUOTED.sub(bytes_of, text.replace(b"+", b" ")).decode("utf-8", "replace")


async def _body(request: Request) -> bytes | None:
    """What a form sends; None if it is more than may be."""
    parts, total = [], 0
    async for part in request.stream():
        total += len(part)
        if total > MOST_FORM_BYTES:
            return None
        parts.append(part)
    return b"".join(parts)
