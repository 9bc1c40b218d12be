"""Refusals: every answer that is not a success has the same JSON (spec/azul 10.1, RFC 9457).

Written: ``success error code errors status`` of the specification and ``type title detail`` of RFC 9457, as
``application/problem+json``. `code` is in capitals: one of `TITLES`, or that of the first finding. No answer
holds a stack trace or a word of what went wrong inside.
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
from forsyth.diagnostics import FenError, MoveError, Reading
from forsyth.hindrances import Hindrance
from forsyth.record import RecordReading
from forsyth.registry import UnknownGameError
from forsyth.resolver import UnknownProfileError, UnknownVariantError
from forsyth.server.answers import encoded
from forsyth.server.issues import issue
from forsyth.store import StoreError

PROBLEM_TYPE: Final = "application/problem+json"
TYPE_PREFIX: Final = "https://forsyth.dev/problems/"

TITLES: Final[Mapping[str, str]] = {
    "BAD_JSON": "The body is not JSON",
    "MISSING_FIELD": "A field is missing",
    "BAD_TYPE": "A value is of the wrong type",
    "UNSUPPORTED_MEDIA": "The body must be JSON",
    "TOO_LARGE": "The body is too large",
    "NOT_FOUND": "There is nothing here",
    "METHOD_NOT_ALLOWED": "The method is not allowed here",
    "ILLEGAL_MOVE": "The move is not legal",
    "NOT_EXPRESSIBLE": "The position cannot be written in this way",
    "RATE_LIMITED": "Too many requests",
    "UNAUTHORIZED": "An API key is needed",
    "TIMEOUT": "The request took too long",
    "HEAD_TOO_LARGE": "The head of the request is too large",
    "HOST_NOT_ALLOWED": "The service does not answer to this name",
    "FOREIGN_ORIGIN": "A page of another origin may not do this",
    "BUSY": "The service has too much to do",
    "UNKNOWN_GAME": "There is no such game",
    "UNKNOWN_LOOK": "There is no such look or board",
    "NOT_DRAWABLE": "An arrow, circle or highlight cannot be drawn",
    "UNKNOWN_VARIANT": "There is no such variant",
    "UNKNOWN_PROFILE": "There is no such profile",
    "BAD_REQUEST": "The request cannot be answered",
    "STORE_UNAVAILABLE": "The store cannot be used",
    "NO_INDEX": "There is no index",
    "INDEX_UNAVAILABLE": "The index cannot be used",
    "NOT_INSTALLED": "An extra is not installed",
    "INTERNAL": "The service failed",
}
"""Every code of a request, with its title. A finding's own code has the title of `FINDING`."""

FINDING: Final = "The text is not a position"

_OF_STATUS: Final[Mapping[int, str]] = {
    400: "BAD_JSON",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    413: "TOO_LARGE",
    415: "UNSUPPORTED_MEDIA",
}

_LOG: Final = logging.getLogger("forsyth.server")


class Problem(HTTPException):
    """A request that is refused: a status, a code and one sentence."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        errors: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(status, message, dict(headers or {}))
        self.code = code
        self.errors = list(errors)
        self.more = more

    @property
    def phrase(self) -> str:
        """The words of its status."""
        return HTTPStatus(self.status_code).phrase

    def to_dict(self) -> dict[str, Any]:
        """The refusal as JSON-ready data."""
        return {
            "success": False,
            "error": self.detail,
            "code": self.code,
            "errors": self.errors,
            "status": self.status_code,
            "type": TYPE_PREFIX + self.code.lower(),
            "title": TITLES.get(self.code, FINDING),
            "detail": self.detail,
            **self.more,
        }

    def response(self) -> Response:
        """The refusal as an answer."""
        return Response(encoded(self.to_dict()), self.status_code, self.headers, PROBLEM_TYPE)

    async def send(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with this refusal, from outside the application."""
        await self.response()(scope, receive, send)


def too_large(limit: int) -> Problem:
    """The refusal of a body; what is left of it is not read."""
    message = f"the body has more than {limit} bytes"
    return Problem(413, "TOO_LARGE", message, headers={"Connection": "close"})


def bad_text(reading: Reading[Any] | RecordReading) -> Problem:
    """The refusal of a text that is not a legal position: 404 for an unknown identifier, else 400."""
    errors = reading.errors or reading.diagnostics
    first = errors[0]
    status = 404 if first.code == "hash.unknown" else 400
    found = [d.to_dict() for d in reading.diagnostics]
    game = None if reading.game is None else registry.game(reading.game)
    issues = [issue(d, game) for d in errors]
    return Problem(status, first.code_in_capitals, first.message, errors=issues, diagnostics=found)


def bad_move(error: MoveError, why: Hindrance | None = None, **more: Any) -> Problem:
    """The refusal of a move: what is in its way where the game says it, and moves it might have meant."""
    told: dict[str, Any] = {} if why is None else {"why": why.to_dict()}
    return Problem(
        400, "ILLEGAL_MOVE", str(error), kind=error.kind, candidates=list(error.candidates), **told, **more
    )


_FIELD: Final = re.compile("(?!(str|int|float|bool)$)[a-z0-9_]+")
"""A field or the place in a list. Where a value may be one of several types, a part names the type tried."""


def _from_validation(error: RequestValidationError) -> Problem:
    """The first thing that is wrong with the shape of a request, in one sentence."""
    first = error.errors()[0]
    kind, place = first["type"], first["loc"]
    if kind == "json_invalid":
        return Problem(400, "BAD_JSON", "the body is not JSON")
    where = ".".join(str(part) for part in place[1:] if _FIELD.fullmatch(str(part)))
    if kind == "missing":
        return Problem(400, "MISSING_FIELD", f"{where or 'the body'} is missing")
    return Problem(400, "BAD_TYPE", f"{where or 'the body'}: {_sentence(first['msg'])}")


def _sentence(message: str) -> str:
    return message.removeprefix("Value error, ").replace("Input should", "it should")


def problem_of(error: Exception) -> Problem:
    """The refusal for an exception."""
    match error:
        case Problem():
            return error
        case RequestValidationError():
            return _from_validation(error)
        case HTTPException():
            code = _OF_STATUS.get(error.status_code, "BAD_REQUEST")
            message = error.detail or HTTPStatus(error.status_code).phrase
            return Problem(error.status_code, code, message, headers=error.headers)
        case UnknownGameError():
            return Problem(400, "UNKNOWN_GAME", str(error))
        case UnknownVariantError():
            return Problem(400, "UNKNOWN_VARIANT", str(error))
        case UnknownProfileError():
            return Problem(400, "UNKNOWN_PROFILE", str(error))
        case MoveError():
            return bad_move(error)
        case FenError():
            return bad_text(Reading(error.text, None, None, error.diagnostics))
        case StoreError():
            # Its words may name a file or a server of this machine: they are for the log alone.
            _LOG.error("%s", error)
            return Problem(503, "STORE_UNAVAILABLE", "the store of positions cannot be used now")
    _LOG.error("unexpected %s", type(error).__name__, exc_info=error)
    return Problem(500, "INTERNAL", "the service had an unexpected error; it was logged")


async def answer_problem(request: Request, error: Exception) -> Response:
    """What the application answers when a handler raises."""
    return problem_of(error).response()


HANDLED: Final[tuple[type[Exception], ...]] = (
    HTTPException,
    RequestValidationError,
    UnknownGameError,
    UnknownVariantError,
    UnknownProfileError,
    MoveError,
    FenError,
    StoreError,
)
"""What `answer_problem` is registered for; the outermost layer answers what is unforeseen."""
