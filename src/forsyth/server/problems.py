"""Error responses: every response that is not a success has the same JSON (spec/azul 10.1, RFC 9457).

The fields are ``success error code errors status`` of the specification and ``type title detail`` of RFC
9457. The type is ``application/problem+json``. `code` is in capitals: a key of `TITLES`, or the code of the
first diagnostic of a text. No response contains a stack trace or another detail of an internal error.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from forsyth import registry
from forsyth.arguments import quoted
from forsyth.diagnostics import FenError, MoveError, Reading
from forsyth.move_errors import Hindrance
from forsyth.record import RecordReading
from forsyth.registry import UnknownGameError
from forsyth.resolver import UnknownProfileError, UnknownVariantError
from forsyth.server.issues import make_issue
from forsyth.server.json_responses import encode_json
from forsyth.store import StoreError

PROBLEM_TYPE: Final = "application/problem+json"
TYPE_PREFIX: Final = "https://forsyth.dev/problems/"

TITLES: Final[Mapping[str, str]] = {
    "BAD_JSON": "The body is not JSON",
    "MISSING_FIELD": "A field is missing",
    "UNKNOWN_FIELD": "A field is unknown",
    "BAD_TYPE": "A value is of the wrong type",
    "UNSUPPORTED_MEDIA": "The body must be JSON",
    "TOO_LARGE": "The body is too large",
    "NOT_FOUND": "The address or identifier does not exist",
    "METHOD_NOT_ALLOWED": "The method is not allowed at this address",
    "ILLEGAL_MOVE": "The move is not legal",
    "NOT_EXPRESSIBLE": "The position cannot be written in this form",
    "RATE_LIMITED": "Too many requests",
    "UNAUTHORIZED": "An API key is needed",
    "TIMEOUT": "The request took too long",
    "HEAD_TOO_LARGE": "The head of the request is too large",
    "HOST_NOT_ALLOWED": "The service does not answer to this host name",
    "FOREIGN_ORIGIN": "A page of another origin may not send this request",
    "BUSY": "The service is busy",
    "UNKNOWN_GAME": "The game does not exist",
    "UNKNOWN_LOOK": "The game does not have this look or board",
    "NOT_DRAWABLE": "An arrow, circle or highlight cannot be drawn",
    "UNKNOWN_VARIANT": "The variant does not exist",
    "UNKNOWN_PROFILE": "The profile does not exist",
    "BAD_REQUEST": "The request cannot be answered",
    "STORE_UNAVAILABLE": "The store cannot be used",
    "NO_INDEX": "The service has no index for this game",
    "INDEX_UNAVAILABLE": "The index cannot be used",
    "NOT_INSTALLED": "An extra is not installed",
    "INTERNAL": "The service had an unexpected error",
}
"""Title of each error code of a request. The code of a diagnostic has the title `DIAGNOSTIC_TITLE`."""

DIAGNOSTIC_TITLE: Final = "The text is not a valid position"

_STATUS_CODES: Final[Mapping[int, str]] = {
    400: "BAD_JSON",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    413: "TOO_LARGE",
    415: "UNSUPPORTED_MEDIA",
}
"""Error code for each HTTP status that the framework itself raises."""

_LOG: Final = logging.getLogger("forsyth.server")


class Problem(HTTPException):
    """Error response: a status, a code and one sentence.

    Args:
        status: HTTP status.
        code: Error code in capitals.
        message: Sentence for the user.
        errors: Issues of the text that was refused.
        headers: Headers of the response.
        **extra_fields: Further fields of the JSON.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        errors: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        **extra_fields: Any,
    ) -> None:
        super().__init__(status, message, dict(headers or {}))
        self.code = code
        self.errors = list(errors)
        self.extra_fields = extra_fields

    @property
    def phrase(self) -> str:
        """Name of the HTTP status, such as ``Not Found`` for 404."""
        return HTTPStatus(self.status_code).phrase

    def to_dict(self) -> dict[str, Any]:
        """Return the error as JSON-ready data, with the fields of the specification and of RFC 9457."""
        return {
            "success": False,
            "error": self.detail,
            "code": self.code,
            "errors": self.errors,
            "status": self.status_code,
            "type": TYPE_PREFIX + self.code.lower(),
            "title": TITLES.get(self.code, DIAGNOSTIC_TITLE),
            "detail": self.detail,
            **self.extra_fields,
        }

    def make_response(self) -> Response:
        """Return the error as an HTTP response."""
        return Response(encode_json(self.to_dict()), self.status_code, self.headers, PROBLEM_TYPE)

    async def send(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the error as the response to a request, from middleware outside the application."""
        await self.make_response()(scope, receive, send)


def make_body_too_large_problem(limit: int) -> Problem:
    """Return the error response for a request body of more than `limit` bytes.

    It asks for the connection to be closed, because the rest of the body is not read.
    """
    message = f"the body has more than {limit} bytes; send less in one request"
    return Problem(413, "TOO_LARGE", message, headers={"Connection": "close"})


def make_missing_field_problem(field: str) -> Problem:
    """Return the error response for a request that lacks a required field. `field` is its name."""
    return Problem(400, "MISSING_FIELD", f"{field} is missing; add it to the request")


def make_text_problem(reading: Reading[Any] | RecordReading) -> Problem:
    """Return the error response for a text that is not a legal position, with all its diagnostics.

    The code and the message of the response are those of the first error. The status is 404 if the text is
    the identifier of an unknown position (``state_...``), otherwise 400.
    """
    errors = reading.errors or reading.diagnostics
    first_error = errors[0]
    is_unknown_identifier = first_error.code == "hash.unknown"
    status = 404 if is_unknown_identifier else 400
    game = None if reading.game is None else registry.game(reading.game)
    return Problem(
        status,
        first_error.code_in_capitals,
        first_error.message,
        errors=[make_issue(error, game) for error in errors],
        diagnostics=[diagnostic.to_dict() for diagnostic in reading.diagnostics],
    )


def make_move_problem(error: MoveError, why: Hindrance | None = None, **extra_fields: Any) -> Problem:
    """Return the error response for an illegal move, with the legal moves it might mean.

    Args:
        error: The error that was raised for the move.
        why: Reason why the move is not possible, or None if the game gives none.
        **extra_fields: Further fields of the JSON, such as the index of the move.
    """
    move_fields: dict[str, Any] = {"kind": error.kind, "candidates": list(error.candidates)}
    if why is not None:
        move_fields["why"] = why.to_dict()
    return Problem(400, "ILLEGAL_MOVE", str(error), **move_fields, **extra_fields)


_FIELD: Final = re.compile("(?!(str|int|float|bool)$)[a-z0-9_]+")
"""A field name or list index in the location of a pydantic error.

If a value may have several types, pydantic adds the name of the type that it tried, which this pattern
excludes.
"""


def _make_validation_problem(error: RequestValidationError) -> Problem:
    """Return the error response for a request whose body or query has a wrong value.

    Only the first error that pydantic found is reported, such as a missing field.
    """
    first_error = error.errors()[0]
    error_type = first_error["type"]
    if error_type == "json_invalid":
        return Problem(400, "BAD_JSON", "the body is not JSON, expected a JSON object")

    # For example ("body", "put", "square"): the part of the request, then the path of the field.
    _request_part, *path = map(str, first_error["loc"])
    field_names = [name for name in path if _FIELD.fullmatch(name)]
    field = ".".join(field_names) or "the body"
    if error_type == "missing":
        return make_missing_field_problem(field)
    if error_type == "extra_forbidden":
        unknown_field = path[-1]
        message = f"the field {quoted(unknown_field)} is unknown here, or repeats another field; remove it"
        return Problem(400, "UNKNOWN_FIELD", message)
    return Problem(400, "BAD_TYPE", f"{field}: {_reword_message(first_error['msg'])}")


def _reword_message(message: str) -> str:
    """Return a message of pydantic in words that can follow the name of a field.

    ``Input should be a valid string`` becomes ``it should be a valid string``.
    """
    return message.removeprefix("Value error, ").replace("Input should", "it should")


def to_problem(error: Exception) -> Problem:
    """Return the error response for any exception that was raised while a request was answered.

    An unexpected exception gets status 500. Unexpected exceptions and errors of the store are also logged,
    because the response must not reveal their details.
    """
    match error:
        case Problem():
            return error
        case RequestValidationError():
            return _make_validation_problem(error)
        case HTTPException():
            code = _STATUS_CODES.get(error.status_code, "BAD_REQUEST")
            message = error.detail or HTTPStatus(error.status_code).phrase
            return Problem(error.status_code, code, message, headers=error.headers)
        case UnknownGameError():
            return Problem(400, "UNKNOWN_GAME", str(error))
        case UnknownVariantError():
            return Problem(400, "UNKNOWN_VARIANT", str(error))
        case UnknownProfileError():
            return Problem(400, "UNKNOWN_PROFILE", str(error))
        case MoveError():
            return make_move_problem(error)
        case FenError():
            return make_text_problem(Reading(error.text, None, None, error.diagnostics))
        case StoreError():
            # The message may name a file or a server of this machine, so it is only logged.
            _LOG.error("%s", error)
            message = "the store of positions cannot be used now; try again, or see the log of the service"
            return Problem(503, "STORE_UNAVAILABLE", message)
    _LOG.error("unexpected %s", type(error).__name__, exc_info=error)
    return Problem(500, "INTERNAL", "the service had an unexpected error; see its log")


async def answer_problem(request: Request, error: Exception) -> Response:
    """Return the error response for an exception that a route raised.

    The parameters are those of an exception handler of FastAPI. `request` is not used.
    """
    return to_problem(error).make_response()


HANDLED_EXCEPTIONS: Final[tuple[type[Exception], ...]] = (
    HTTPException,
    RequestValidationError,
    UnknownGameError,
    UnknownVariantError,
    UnknownProfileError,
    MoveError,
    FenError,
    StoreError,
)
"""Exceptions that `answer_problem` is registered for. `OutermostLayer` answers all others."""
