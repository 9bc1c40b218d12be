"""The call validate-fen of the source document, for every game (spec/azul 10.2).

validate-fen answers 200 for every text: the question was answered. A game that has its own words
(`Reporting`) is answered in them; for the others the words are the same, the places those of the diagnostics.
A name without a game is one of Azul's: the call is that of its document.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

from fastapi import Request as HttpRequest
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import State
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from forsyth import reading
from forsyth.abilities import reporting
from forsyth.diagnostics import Reading
from forsyth.game import Game
from forsyth.identity import kept_text, state_id
from forsyth.limits import MAX_WRAPPED
from forsyth.server.answer_models import Validation, Validations
from forsyth.server.answers import answer, encoded
from forsyth.server.bodies import require_numbers
from forsyth.server.bounds.rates import charge
from forsyth.server.bounds.work import Work, require_wanted
from forsyth.server.issues import as_issue
from forsyth.server.problems import Problem, too_large
from forsyth.server.request_models import MOST_TEXTS, ValidateRequest
from forsyth.server.routing import BASE, require_json, router
from forsyth.server.settings import Settings
from forsyth.server.texts import read_with, trimmed, with_document_names
from forsyth.store import Store

routes = router("the two calls of the source document")

_DIRECT_ROUTE: Final = SimpleNamespace(path=f"{BASE}/validate-fen")
"""What the metrics call it."""

FORMATS: Final = {"state": "hash", "base64": "base64", "fenz": "compressed", "name": "special"}
"""The words of spec/azul 6.1 for forms; a plain text is ``standard``."""

PATH: Final = f"{BASE}/validate-fen"

MANY_TEXTS: Final = MOST_TEXTS * (MAX_WRAPPED + 4)
"""Bytes of as many texts as one request may have, the longest there are, with quotes, comma and space."""

_BODY: Final = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": ValidateRequest.model_json_schema()}},
    }
}


@routes.post("/validate-fen", response_model=Validation | Validations, openapi_extra=_BODY)
async def validate_fen(request: HttpRequest) -> Response:
    """Say whether a text is valid, and everything that is wrong with it. Always 200."""
    return answer(await _answer(await request.body(), request.scope, request.app.state))


async def _answer(body: bytes, scope: Scope, state: State) -> dict[str, Any]:
    """What there is to say about the text or texts of a request."""
    given = _given(body)
    store: Store = state.store
    if given.fen_strings is not None:
        return {"results": await _answers(given, given.fen_strings, scope, state)}
    settings: Settings = state.settings
    if len(body) > settings.body_limit:
        raise too_large(settings.body_limit)
    text = _one_text(given)
    # The store waits for a disk or another server; a plain text is checked in less time than a thread takes.
    if text.startswith("state_") or text == reading.INITIAL:
        return await run_in_threadpool(_validate, text, given, store)
    return _validate(text, given, store)


async def _answers(
    given: ValidateRequest, texts: list[str], scope: Scope, state: State
) -> list[dict[str, Any]]:
    work: Work = state.work
    work.require_room()
    charge(scope, len(texts))
    async with work.place(scope):
        return await run_in_threadpool(_validate_all, given, texts, state.store)


class Direct:
    """Answers validate-fen, the call that is made most, before the framework looks at it.

    The framework's route of the same path describes the call, and answers it in an application without this.
    """

    def __init__(self, app: ASGIApp, state: State) -> None:
        self.app = app
        self.state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the one call, pass all others on."""
        if scope["type"] != "http" or scope["path"] != PATH or scope["method"] != "POST":
            await self.app(scope, receive, send)
            return
        scope["route"] = _DIRECT_ROUTE
        kind = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
        require_json(kind.decode("latin-1"))
        data = await _answer(await _body(receive), scope, self.state)
        body = encoded(data)
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


async def _body(receive: Receive) -> bytes:
    """The whole body, which another layer bounds."""
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _given(body: bytes) -> ValidateRequest:
    """The request, parsed once."""
    try:
        require_numbers(body)
        given = ValidateRequest.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise RequestValidationError([{**first, "loc": ("body", *first["loc"])}]) from None
    except ValueError:
        raise Problem(400, "BAD_JSON", "the body is not JSON") from None
    return given


def _one_text(given: ValidateRequest) -> str:
    if given.fen_string is not None:
        return trimmed(given.fen_string, given.choice)
    if "fen_string" in given.model_fields_set:
        raise Problem(400, "BAD_TYPE", "fen_string is null, expected text")
    raise Problem(400, "MISSING_FIELD", "fen_string is missing")


def _validate_all(given: ValidateRequest, texts: list[str], store: Store) -> list[dict[str, Any]]:
    found = []
    for text in texts:
        require_wanted()
        found.append(_validate(trimmed(text, given.choice), given, store))
    return found


def _validate(text: str, given: ValidateRequest, store: Store) -> dict[str, Any]:
    """The answer about one text."""
    how = reading.read if given.level == "format" else reading.check
    read, game = read_with(how, text, with_document_names(text, given.choice), store=store)
    if given.level == "strict":
        read = read.strictly()
    canonical = None if read.position is None else str(read.position)
    diagnostics = [d.to_dict() for d in read.diagnostics]
    errors, warnings = _issues(read, game, diagnostics)
    words = None if game is None else reporting(game)
    found = {
        "valid": not errors,
        "format": format_of(read) if words is None else words.type_of(read),
        "level": given.level,
        "game": read.game,
        "details": _details(read, game),
        "errors": errors,
        "warnings": [] if errors else warnings,
        "diagnostics": diagnostics,
        "canonical": canonical,
        "state_id": None if canonical is None else state_id(kept_text(read.position)),
    }
    return {**found, "error": errors[0]["message"]} if errors else found


def _issues(
    read: Reading[Any], game: Game | None, diagnostics: list[dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The errors and the warnings in the specification's words, with the places the game knows."""
    errors: list[dict[str, Any]] = []
    warnings: list[dict[str, Any]] = []
    if not diagnostics:
        return errors, warnings
    for one, data in zip(read.diagnostics, diagnostics, strict=True):
        (errors if one.is_error else warnings).append(as_issue(one, data, game))
    return errors, warnings


def _details(read: Reading[Any], game: Game | None) -> dict[str, Any] | None:
    if game is None or read.position is None:
        return None
    words = reporting(game)
    if words is not None:
        return words.details_of(read.position)
    return {
        "players": len(game.players),
        "side_to_move": game.side_to_move(read.position),
        "move_number": game.move_number(read.position)[0],
    }


def format_of(read: Reading[Any]) -> str:
    """The type of a text in the words of spec/azul 6.1."""
    if not read.text:
        return "empty"
    if read.form in FORMATS:
        return FORMATS[read.form]
    return "unknown" if read.game is None else "standard"
