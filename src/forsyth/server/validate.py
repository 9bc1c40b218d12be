"""The two calls of the source document, for every game: validate-fen and game_state (spec/azul 10.2, 10.3).

validate-fen answers 200 whatever the text: the question was answered. A game whose package has a report of
its own is answered in its words; for the others the words are the same, the places those of the diagnostics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Annotated, Any, Final

from fastapi import Query
from fastapi import Request as HttpRequest
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import State
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from forsyth import reading
from forsyth.diagnostics import Reading, Severity
from forsyth.game import Game
from forsyth.identity import state_id
from forsyth.server.answers import answer, encoded
from forsyth.server.bodies import require_numbers
from forsyth.server.issues import issue
from forsyth.server.models import (
    FenRequest,
    StateAnswer,
    StateData,
    StatePut,
    ValidateRequest,
    Validation,
    Validations,
)
from forsyth.server.own import own
from forsyth.server.problems import Problem
from forsyth.server.routing import BASE, Kept, Stored, require_json, router
from forsyth.server.texts import Found, legal_position_of, named, read_with
from forsyth.store import Store

routes = router("the two calls of the source document")

_DIRECT_ROUTE: Final = SimpleNamespace(path=f"{BASE}/validate-fen")
"""What the metrics call it."""

FORMATS: Final = {"state": "hash", "base64": "base64", "fenz": "compressed", "name": "special"}
"""The words of spec/azul 6.1 for forms; a plain text is ``standard``."""

PATH: Final = f"{BASE}/validate-fen"

_BODY: Final = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": ValidateRequest.model_json_schema()}},
    }
}


@routes.post("/validate-fen", response_model=Validation | Validations, openapi_extra=_BODY)
async def validate_fen(request: HttpRequest) -> Response:
    """Say whether a text is valid, and everything that is wrong with it. 200 whatever the text."""
    return answer(await _answer(await request.body(), request.app.state.store))


async def _answer(body: bytes, store: Store) -> dict[str, Any]:
    """What there is to say about the text or texts of a request."""
    given = _given(body)
    if given.fen_strings is not None:
        results = await run_in_threadpool(_validate_all, given, given.fen_strings, store)
        return {"results": results}
    text = _one_text(given)
    # The store waits for a disk or another server; a plain text is checked in less time than a thread takes.
    if text.startswith("state_") or text == reading.INITIAL:
        return await run_in_threadpool(_validate, text, given, store)
    return _validate(text, given, store)


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
        data = await _answer(await _body(receive), self.state.store)
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
        return given.fen_string.strip()
    if "fen_string" in given.model_fields_set:
        raise Problem(400, "BAD_TYPE", "fen_string is null, expected text")
    raise Problem(400, "MISSING_FIELD", "fen_string is missing")


def _validate_all(given: ValidateRequest, texts: list[str], store: Store) -> list[dict[str, Any]]:
    return [_validate(text.strip(), given, store) for text in texts]


def _validate(text: str, given: ValidateRequest, store: Store) -> dict[str, Any]:
    """The answer about one text."""
    how = reading.read if given.level == "format" else reading.check
    read, game = read_with(how, text, given.game, given.variant, store=store)
    if given.level == "strict":
        read = replace(read, diagnostics=tuple(d.with_severity(Severity.ERROR) for d in read.diagnostics))
    words = _words(read, game)
    canonical = None if read.position is None else str(read.position)
    found = {
        "valid": read.ok,
        "format": words["format"],
        "level": given.level,
        "game": read.game,
        "details": words["details"],
        "errors": words["errors"],
        "warnings": words["warnings"],
        "diagnostics": [d.to_dict() for d in read.diagnostics],
        "canonical": canonical,
        "state_id": None if canonical is None else state_id(canonical),
    }
    return found if read.ok else {**found, "error": read.errors[0].message}


def _words(read: Reading[Any], game: Game | None) -> dict[str, Any]:
    """What is said in the specification's words, with those of the game's own report where it has one."""
    errors = [issue(d) for d in read.errors]
    warnings = [] if errors else [issue(d) for d in read.warnings]
    report_of = None if game is None else own(game, "report", "report_of")
    if report_of is None:
        return {
            "format": format_of(read),
            "details": _details(read, game),
            "errors": errors,
            "warnings": warnings,
        }
    found = report_of(read)
    return {
        "format": found.type,
        "details": found.details,
        "errors": _with_places(errors, found.errors),
        "warnings": _with_places(warnings, found.warnings),
    }


def _with_places(issues: list[dict[str, Any]], own_issues: Sequence[Any]) -> list[dict[str, Any]]:
    return [{**one, **places.to_dict()} for one, places in zip(issues, own_issues, strict=True)]


def _details(read: Reading[Any], game: Game | None) -> dict[str, Any] | None:
    if game is None or read.position is None:
        return None
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


# --- game_state -----------------------------------------------------------------------------------------


@routes.post("/game_state", response_model=StateAnswer)
def load_state(given: FenRequest, store: Stored, keep: Kept) -> Response:
    """The position of a text as data. The position is kept: its `state_id` can be loaded from now on."""
    return _loaded(given.fen_string, given.game, given.variant, store, keep)


@routes.get("/game_state", response_model=StateAnswer)
def show_state(
    store: Stored,
    fen_string: Annotated[str, Query(description="A text in any form.")] = reading.INITIAL,
    game: str | None = None,
    variant: str | None = None,
) -> Response:
    """The same for a text in the address, which is not kept; without one the game's initial position."""
    return _loaded(fen_string, game, variant, store, None)


@routes.put("/game_state", response_model=StatePut)
def put_state(given: StateData, store: Stored, keep: Kept) -> Response:
    """Data as game_state answers it, back to a text. The data is checked like a text."""
    data = given.game_state
    name = data.get("game", "azul")
    if not isinstance(name, str):
        raise Problem(400, "BAD_TYPE", "game_state.game is not text")
    text_of = own(named(name), "json_state", "text_of_dict")
    try:
        text = data.get("fen_string") if text_of is None else text_of(data)
    except ValueError as error:
        raise Problem(400, "BAD_TYPE", str(error)) from None
    if not isinstance(text, str):
        raise Problem(400, "MISSING_FIELD", "game_state.fen_string is missing")
    one = legal_position_of(text, name, None, store, plays=False)
    id = keep_position(one, keep)
    return answer({"success": True, "fen_string": text, "state_id": id, "game": name})


def _loaded(text: str, game: str | None, variant: str | None, store: Store, keep: Store | None) -> Response:
    one = legal_position_of(text, game, variant, store, plays=False)
    keep_position(one, keep)
    return answer({"success": True, "game_state": state_data(one)})


def keep_position(one: Found, keep: Store | None) -> str:
    """Put a position into the store, where that is allowed; its identifier in any case."""
    canonical = one.game.write(one.position)
    return state_id(canonical) if keep is None else keep.put(canonical, one.game.name)


def state_data(one: Found) -> dict[str, Any]:
    """A position as data: what every game has, and what this one's own data has."""
    game, position, read = one
    canonical = game.write(position)
    text = read.text if read.form == "plain" else canonical
    as_dict = own(game, "json_state", "as_dict")
    return {
        "fen_string": text,
        "state_id": state_id(canonical),
        "game": game.name,
        "key": game.key(position),
        "side_to_move": game.side_to_move(position),
        "move_number": game.move_number(position)[0],
        "canonical": canonical,
        "warnings": [d.to_dict() for d in read.warnings],
        **({} if as_dict is None else as_dict(position, text)),
    }
