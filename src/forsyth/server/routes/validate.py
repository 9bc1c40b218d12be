"""Route validate-fen of the source document, for every game (spec/azul 10.2).

validate-fen answers every text with status 200, because an invalid text is a valid question. A game with
words of its own (`Reporting`) provides the format and the details; the other games use common ones. A name
without a game is a named position of Azul, the game of the source document.
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
from forsyth.abilities import as_reporting
from forsyth.diagnostics import Reading
from forsyth.game import Game
from forsyth.identity import state_id, stored_text
from forsyth.limits import MAX_WRAPPED
from forsyth.server.answer_models import Validation, Validations
from forsyth.server.bounds.compute_slots import ComputeSlots, stop_if_abandoned
from forsyth.server.bounds.rates import charge_texts
from forsyth.server.issues import add_issue_fields
from forsyth.server.json_responses import encode_json, make_json_response
from forsyth.server.problems import Problem, make_body_too_large_problem, make_missing_field_problem
from forsyth.server.request_models import MAX_TEXTS, ValidateRequest
from forsyth.server.routing import BASE, make_router, require_json_type
from forsyth.server.settings import Settings
from forsyth.server.strict_json import require_valid_numbers
from forsyth.server.texts import default_to_document_game, resolve_and_read, trim_text
from forsyth.store import Store

routes = make_router("the two calls of the source document")

PATH: Final = f"{BASE}/validate-fen"

_ROUTE: Final = SimpleNamespace(path=PATH)
"""Object in place of the route if `ValidateFastPath` answers a request. The metrics need the path only."""

FORMATS: Final = {"state": "hash", "base64": "base64", "fenz": "compressed", "name": "special"}
"""Names of the forms in spec/azul 6.1. A plain text is ``standard``."""

_JSON_ITEM_BYTES: Final = len('"", ')
"""Bytes of the quotes, comma and space around a text in a JSON list."""

MAX_TEXTS_BYTES: Final = MAX_TEXTS * (MAX_WRAPPED + _JSON_ITEM_BYTES)
"""Bytes of the longest list of texts that one request may contain."""

_BODY: Final = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": ValidateRequest.model_json_schema()}},
    }
}


@routes.post("/validate-fen", response_model=Validation | Validations, openapi_extra=_BODY)
async def validate_fen(request: HttpRequest) -> Response:
    """Check whether a text is valid, and return all its errors and warnings. The status is always 200.

    With `fen_strings` in place of `fen_string`, many texts are checked.
    """
    return make_json_response(await _answer_request(await request.body(), request.scope, request.app.state))


async def _answer_request(body: bytes, scope: Scope, state: State) -> dict[str, Any]:
    """Check the text or texts in the body of a request, and return the results as JSON-ready data.

    Args:
        body: The body: JSON with the fields of `ValidateRequest`.
        scope: ASGI scope of the request, for the rate limit.
        state: State of the application, with its store and settings.

    Returns:
        The fields of `Validation` for one text, or of `Validations` for many.

    Raises:
        Problem: If the body is too large, or no text was sent.
        RequestValidationError: If a field of the body has a wrong value.
    """
    request = _parse_request(body)
    store: Store = state.store
    if request.fen_strings is not None:
        return {"results": await _validate_in_thread(request, request.fen_strings, scope, state)}
    settings: Settings = state.settings
    if len(body) > settings.body_limit:
        raise make_body_too_large_problem(settings.body_limit)

    text = _require_text(request)
    # Looking up an identifier or a name may wait for a disk or a server, so it runs in a thread. A plain text
    # is checked in less time than starting a thread takes.
    needs_lookup = text.startswith("state_") or text == reading.INITIAL
    if needs_lookup:
        return await run_in_threadpool(_validate_text, text, request, store)
    return _validate_text(text, request, store)


async def _validate_in_thread(
    request: ValidateRequest, texts: list[str], scope: Scope, state: State
) -> list[dict[str, Any]]:
    """Check many texts in a thread, and return the result for each, in order.

    The number of requests that compute at once is limited: all texts together take one slot. For the rate
    limit of the client, each text counts as a request.

    Args:
        request: Fields of the request, such as the level of the checks.
        texts: The texts.
        scope: ASGI scope of the request, for the rate limit.
        state: State of the application, with its store and compute slots.
    """
    compute_slots: ComputeSlots = state.compute_slots
    compute_slots.refuse_if_full()
    charge_texts(scope, len(texts))
    async with compute_slots.hold_slot(scope):
        return await run_in_threadpool(_validate_all, request, texts, state.store)


class ValidateFastPath:
    """Middleware that answers validate-fen, the most frequent request, without FastAPI.

    FastAPI's route of the same path describes the request, and answers it in an application without this
    middleware.
    """

    def __init__(self, app: ASGIApp, state: State) -> None:
        self.app = app
        self.state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a POST request to validate-fen directly, and pass all other requests on."""
        is_validation = scope["type"] == "http" and scope["path"] == PATH and scope["method"] == "POST"
        if not is_validation:
            await self.app(scope, receive, send)
            return
        # For the metrics, which count requests by the path of their route.
        scope["route"] = _ROUTE
        require_json_type(_read_content_type(scope))
        request_body = await _receive_body(receive)
        response_data = await _answer_request(request_body, scope, self.state)
        await _send_json(send, encode_json(response_data))


def _read_content_type(scope: Scope) -> str:
    """Return the header ``Content-Type`` of a request, or an empty text if the request has none.

    `scope` is the ASGI scope of the request.
    """
    for name, value in scope["headers"]:
        if name == b"content-type":
            return str(value, "latin-1")
    return ""


async def _send_json(send: Send, body: bytes) -> None:
    """Send a response with status 200 and a JSON body, with the ASGI function `send`."""
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _receive_body(receive: Receive) -> bytes:
    """Return the whole body of a request.

    Raise `ClientDisconnect` if the client disconnects before its end. `receive` is the function of ASGI that
    returns the next part of the body.
    """
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _parse_request(body: bytes) -> ValidateRequest:
    """Return the fields in the body of a request, which must be JSON.

    Raise a `Problem` if the body is not JSON. Raise `RequestValidationError`, as FastAPI does, if a field has
    a wrong value.
    """
    try:
        require_valid_numbers(body)
        return ValidateRequest.model_validate_json(body)
    except ValidationError as error:
        first_error = error.errors(include_url=False, include_input=False)[0]
        # The path of the field, after the part of the request, such as ("body", "level").
        location = ("body", *first_error["loc"])
        raise RequestValidationError([{**first_error, "loc": location}]) from None
    except ValueError:
        raise Problem(400, "BAD_JSON", "the body is not JSON, expected a JSON object") from None


def _require_text(request: ValidateRequest) -> str:
    """Return the field `fen_string` of a request, without white space around it.

    Raise a `Problem` if the field is missing or null.
    """
    if request.fen_string is not None:
        return trim_text(request.fen_string, request.choice)
    is_null = "fen_string" in request.model_fields_set
    if is_null:
        raise Problem(400, "BAD_TYPE", "fen_string is null, expected text")
    raise make_missing_field_problem("fen_string")


def _validate_all(request: ValidateRequest, texts: list[str], store: Store) -> list[dict[str, Any]]:
    """Check many texts, and return the result for each as JSON-ready data, in order.

    Raise a `Problem` between two texts if nobody waits for the response any more.
    """
    validations = []
    for text in texts:
        stop_if_abandoned()
        trimmed_text = trim_text(text, request.choice)
        validations.append(_validate_text(trimmed_text, request, store))
    return validations


def _validate_text(text: str, request: ValidateRequest, store: Store) -> dict[str, Any]:
    """Check one text, and return the result as JSON-ready data with the fields of `Validation`.

    `request.level` selects the checks. The level ``format`` only reads the text. ``content`` also checks
    whether the position is legal. ``strict`` also turns all warnings into errors. `store` is for looking up
    identifiers (``state_...``).
    """
    read_function = reading.read if request.level == "format" else reading.check
    choice = default_to_document_game(text, request.choice)
    result, game = resolve_and_read(read_function, text, choice, store=store)
    if request.level == "strict":
        result = result.as_strict()

    canonical = None if result.position is None else str(result.position)
    diagnostics = [diagnostic.to_dict() for diagnostic in result.diagnostics]
    errors, warnings = _split_issues(result, game, diagnostics)
    validation = {
        "valid": not errors,
        "format": _name_format(result, game),
        "level": request.level,
        "game": result.game,
        "variant": result.variant,
        "details": _build_details(result, game),
        "errors": errors,
        "warnings": [] if errors else warnings,
        "diagnostics": diagnostics,
        "canonical": canonical,
        "state_id": None if canonical is None else state_id(stored_text(result.position)),
    }
    if errors:
        validation["error"] = errors[0]["message"]
    return validation


def _split_issues(
    result: Reading[Any], game: Game | None, diagnostics: list[dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the errors and the warnings of a text as two lists.

    They are in the form of the HTTP specification: the code in capitals, and more fields for the place.

    Args:
        result: The text that was read, with its diagnostics.
        game: The game of the text, or None if it is unknown.
        diagnostics: The diagnostics of `result` as JSON-ready data, in the same order.
    """
    errors: list[dict[str, Any]] = []
    warnings: list[dict[str, Any]] = []
    if not diagnostics:
        return errors, warnings
    for diagnostic, diagnostic_data in zip(result.diagnostics, diagnostics, strict=True):
        issue = add_issue_fields(diagnostic, diagnostic_data, game)
        if diagnostic.is_error:
            errors.append(issue)
        else:
            warnings.append(issue)
    return errors, warnings


def _build_details(result: Reading[Any], game: Game | None) -> dict[str, Any] | None:
    """Return details of a position as JSON-ready data, or None if the text contains no position.

    Some games have details of their own. For the others, the details are the number of players, the side to
    move and the move number.
    """
    if game is None or result.position is None:
        return None
    reporting = as_reporting(game)
    if reporting is not None:
        return reporting.details_of(result.position)
    move_number, _ = game.move_number(result.position)
    return {
        "players": len(game.players),
        "side_to_move": game.side_to_move(result.position),
        "move_number": move_number,
    }


def _name_format(result: Reading[Any], game: Game | None) -> str:
    """Return the name of the format of a text that was read, such as ``standard`` or ``base64``.

    Some games have names of their own. The others use those of the specification of Azul: ``hash`` is an
    identifier of a stored position (``state_...``), ``special`` the name of a position, ``compressed`` the
    form ``fenz_...``, and ``standard`` any other text of a known game.
    """
    reporting = None if game is None else as_reporting(game)
    if reporting is not None:
        return reporting.type_of(result)
    if not result.text:
        return "empty"
    if result.form in FORMATS:
        return FORMATS[result.form]
    return "unknown" if result.game is None else "standard"
