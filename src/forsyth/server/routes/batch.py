"""Routes that check or repair many texts in one request: NDJSON in, NDJSON out, line by line as they arrive.

Each line of the body is UTF-8 and contains a JSON string or an object with a string ``text`` or
``fen_string``; its other fields are ignored. Empty lines get no answer, but they are numbered. A line that
contains no text is answered with the diagnostic `fen.type`, and the batch continues. For each line, in order,
the response has one object with its number and the fields of `forsyth check --json` or `forsyth fix --json`.

A line has at most `Settings.line_limit` bytes; the number of lines is not limited. Only the part of the body
that is being read is held in memory: its answers are sent before the next part is received. Therefore a
client must read answers while it sends, as curl does.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Final, Literal, Protocol

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from forsyth import reading
from forsyth.arguments import quoted
from forsyth.diagnostics import Confidence, Mode, Reading, Span
from forsyth.findings import SHARED
from forsyth.resolver import GameChoice, resolve_game
from forsyth.server.bounds.compute_slots import ComputeSlots, stop_if_abandoned
from forsyth.server.bounds.rates import charge_texts, pace_items
from forsyth.server.json_responses import encode_json
from forsyth.server.problems import Problem
from forsyth.server.request_models import FEN_FIELD
from forsyth.server.routing import BASE, GameQuery
from forsyth.server.settings import Settings
from forsyth.server.strict_json import parse_json
from forsyth.server.texts import resolve_and_read
from forsyth.store import Store

routes = APIRouter(prefix=BASE, tags=["batch"])

NDJSON: Final = "application/x-ndjson"

_EXAMPLE: Final = '"8/8/8/4k3/8/8/8/4K3 w - - 0 1"\n{"text": "8/8/8/4k3/8/8/8/8 w - - 0 1"}\n'
_LINES: Final = {"schema": {"type": "string"}, "example": _EXAMPLE}
_BODY: Final = {"requestBody": {"required": True, "content": {NDJSON: _LINES}}}
_ANSWER: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {NDJSON: {"schema": {"type": "string"}}}}}


NumberedLine = tuple[int, bytes | None]
"""Number of a line, counted from 1, and the line, or None if it was too long."""


class LineSplitter:
    """Splitter of a body, received in parts, into numbered lines.

    The content of a line that is longer than `limit` is dropped.

    Args:
        limit: Maximum length of a line in bytes.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._incomplete_line = b""
        # Whether the content of the incomplete line was dropped.
        self._is_too_long = False
        self._line_number = 0

    def split_part(self, part: bytes) -> Iterator[NumberedLine]:
        """Yield the lines that end in the next part of the body.

        An incomplete line at the end of the part is kept until the next call.
        """
        received = self._incomplete_line + part
        *complete_lines, incomplete_line = received.split(b"\n")
        for line in complete_lines:
            yield self._number_line(line)

        if len(incomplete_line) > self._limit:
            # Drop the content, so that a line of any length takes no memory.
            self._is_too_long = True
            self._incomplete_line = b""
        else:
            self._incomplete_line = incomplete_line

    def flush(self) -> Iterator[NumberedLine]:
        """Yield the last line after the end of the body, unless it has ended with a line feed."""
        if self._incomplete_line or self._is_too_long:
            yield self._number_line(self._incomplete_line)

    def _number_line(self, line: bytes) -> NumberedLine:
        """Count a complete line, and return its number and the line, or None if the line is too long."""
        self._line_number += 1
        is_too_long = self._is_too_long or len(line) > self._limit
        self._is_too_long = False
        return self._line_number, None if is_too_long else line


class LineAnswerer:
    """Reader of the lines of a batch that returns an answer, a JSON object, for each of them.

    Args:
        read_text: Function that reads a text.
        build_answer: Function that converts the result of reading to the fields of the answer.
        limit: Maximum length of a line in bytes, for the message about a line that is longer.
    """

    def __init__(
        self,
        read_text: Callable[[str], Reading[Any]],
        build_answer: Callable[[Reading[Any]], dict[str, Any]],
        limit: int,
    ) -> None:
        self._read_text = read_text
        self._build_answer = build_answer
        self._limit = limit

    def answer_group(self, lines: Sequence[NumberedLine]) -> bytes:
        """Return the answers to some numbered lines as NDJSON, one JSON object per line.

        Raise a `Problem` between two lines if nobody waits for the response any more.
        """
        answers = []
        for number, line in lines:
            stop_if_abandoned()
            answer = self._build_answer(self._read_line(line))
            answers.append(encode_json({"line": number, **answer}) + b"\n")
        return b"".join(answers)

    def _read_line(self, line: bytes | None) -> Reading[Any]:
        """Return the result of reading the text in a line of the body.

        The line is a JSON string, or a JSON object with a string ``text``. None stands for a line that was
        too long. If the line contains no text, the result is an error with the reason.
        """
        if line is None:
            return _make_error_reading(f"the line has more than {self._limit} bytes; send a shorter one")
        try:
            data = parse_json(line)
        # Python raises other errors than JSONDecodeError for some hostile lines.
        except (ValueError, RecursionError):
            return _make_error_reading("the line is not JSON")
        text = find_text(data)
        if not isinstance(text, str):
            return _make_error_reading("the line is neither a JSON string nor an object with a text")
        return self._read_text(text)


def find_text(data: Any) -> Any:
    """Return the value that should be the position text in the JSON data of a line.

    It is the field ``text`` or else ``fen_string`` of an object, or None if the object has neither. Data that
    is not an object is returned itself. The value need not be a text, so the caller must check its type.
    """
    if not isinstance(data, dict):
        return data
    return data.get("text", data.get(FEN_FIELD))


class StreamedResponse(Response):
    """Response sent in parts, as NDJSON (a JSON object per line).

    Starlette's own streaming response cannot be used: to notice that the client disconnects, it reads from
    the request, and would take parts of the body that is still being read.
    """

    def __init__(self, parts: AsyncIterator[bytes]) -> None:
        super().__init__(media_type=NDJSON)
        self._parts = parts
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the status and headers, each part of the body as soon as it is available, and its end."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for part in self._parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _make_error_reading(message: str) -> Reading[Any]:
    """Return the result for a line without a text: a reading with `message` as its error."""
    diagnostic = SHARED.make_diagnostic("fen.type", Span(0, 0), message)
    return Reading("", game=None, position=None, diagnostics=(diagnostic,))


def make_checker(choice: GameChoice, mode: Mode, store: Store, limit: int) -> LineAnswerer:
    """Return an object that checks the text in each line of a batch, like `forsyth check`.

    Args:
        choice: Names of the game, variant and profile. None means that each text determines it.
        mode: Reading mode: ``strict``, ``default`` or ``lenient``.
        store: Store for looking up identifiers (``state_...``).
        limit: Maximum length of a line in bytes, for the message about a line that is longer.
    """

    def check_text(text: str) -> Reading[Any]:
        """Read a text, and report all errors and warnings, including those of an illegal position."""
        return resolve_and_read(reading.check, text, choice, store=store, mode=mode).reading

    return LineAnswerer(check_text, Reading.to_dict, limit)


def make_repairer(
    choice: GameChoice, min_confidence: Confidence | None, store: Store, limit: int
) -> LineAnswerer:
    """Return an object that repairs the text in each line of a batch, like `forsyth fix`.

    Args:
        choice: Names of the game, variant and profile. None means that each text determines it.
        min_confidence: Lowest confidence of the proposed fixes that are tried. None tries none of them.
        store: Store for looking up identifiers (``state_...``).
        limit: Maximum length of a line in bytes, for the message about a line that is longer.
    """

    def repair_text(text: str) -> Reading[Any]:
        """Repair a text, and return the result with a diagnostic for each repair."""
        resolved = resolve_and_read(reading.repair, text, choice, store=store, min_confidence=min_confidence)
        return resolved.reading

    return LineAnswerer(repair_text, build_repair_answer, limit)


@routes.post("/batch/check", responses=_ANSWER, openapi_extra=_BODY, response_class=Response)
async def check_batch(
    request: Request,
    choice: GameQuery,
    mode: Literal["strict", "default", "lenient"] = "default",
) -> Response:
    """Check one text per line.

    The response has one JSON object per line, in order, sent while lines arrive.
    """
    settings: Settings = request.app.state.settings
    checker = make_checker(choice, mode, request.app.state.store, settings.line_limit)
    return _stream_answers(request, choice, checker)


@routes.post("/batch/fix", responses=_ANSWER, openapi_extra=_BODY, response_class=Response)
async def fix_batch(
    request: Request,
    choice: GameQuery,
    least: Literal["certain", "likely", "guess"] | None = None,
) -> Response:
    """Repair one text per line, as `/fix` does.

    `least` is the lowest confidence of the fixes that are applied. The response has one JSON object per line,
    in order, sent while lines arrive.
    """
    settings: Settings = request.app.state.settings
    min_confidence = None if least is None else Confidence(least)
    repairer = make_repairer(choice, min_confidence, request.app.state.store, settings.line_limit)
    return _stream_answers(request, choice, repairer)


def build_repair_answer(repaired: Reading[Any]) -> dict[str, Any]:
    """Return the result of repairing a text as JSON-ready data, with the fields of `FixAnswer`.

    ``fixed`` is the repaired text, or None if the text cannot be repaired.
    """
    return {
        "text": repaired.text,
        "game": repaired.game,
        "variant": repaired.variant,
        "ok": repaired.ok,
        "fixed": None if repaired.position is None else str(repaired.position),
        "diagnostics": [diagnostic.to_dict() for diagnostic in repaired.diagnostics],
    }


def require_game_for_variant(choice: GameChoice) -> None:
    """Raise a `Problem` if the query of a batch names a variant, but neither a game nor a profile.

    Each line of such a batch may be of another game, so whether the game has the variant would only be known
    after the response has begun. Also raise an error if the game, variant or profile is unknown.
    """
    game = resolve_game(choice)
    if game is None and choice.variant is not None:
        message = f"the query has the variant {quoted(choice.variant)} but no game; add the parameter game"
        raise Problem(400, "MISSING_FIELD", message)


def _stream_answers(request: Request, choice: GameChoice, answerer: LineAnswerer) -> Response:
    """Return a response that answers the lines of a request while they arrive.

    Raise a `Problem` if too many requests are waiting, or `choice` names a variant without a game.
    """
    require_game_for_variant(choice)
    settings: Settings = request.app.state.settings
    compute_slots: ComputeSlots = request.app.state.compute_slots
    compute_slots.refuse_if_full()
    splitter = LineSplitter(settings.line_limit)
    return StreamedResponse(answer_lines(request.stream(), answerer, splitter, compute_slots, request.scope))


class AnswersLines(Protocol):
    """Object that answers the lines of a batch, such as a `LineAnswerer`."""

    def answer_group(self, lines: Sequence[NumberedLine]) -> bytes:
        """Return the answers to some lines as NDJSON."""


async def answer_lines(
    parts: AsyncIterator[bytes],
    answerer: AnswersLines,
    splitter: LineSplitter,
    compute_slots: ComputeSlots,
    scope: Scope,
) -> AsyncIterator[bytes]:
    """Yield the answers to the lines of a body, as its parts arrive.

    The iterator ends when the client disconnects.

    Args:
        parts: Parts of the body. A part may end in the middle of a line.
        answerer: Object that answers the lines.
        splitter: Splitter of the parts into lines.
        compute_slots: Slots for the requests that compute. Each group of lines takes one.
        scope: ASGI scope of the request, with the rate limit of its client.

    Yields:
        The answers to one or more lines as NDJSON.
    """
    # The request has taken one token from the rate limit. Put it back, because each line takes one.
    charge_texts(scope, 0)
    try:
        async for part in parts:
            async for answers in _answer_part(splitter.split_part(part), answerer, compute_slots, scope):
                yield answers
    except ClientDisconnect:
        return
    async for answers in _answer_part(splitter.flush(), answerer, compute_slots, scope):
        yield answers


async def _answer_part(
    lines: Iterator[NumberedLine], answerer: AnswersLines, compute_slots: ComputeSlots, scope: Scope
) -> AsyncIterator[bytes]:
    """Yield the answers to the lines of one part of the body, in groups, as NDJSON.

    The rate limit of the client determines how many lines are answered at once. Each group waits for a
    compute slot and is computed in a thread. Empty lines get no answer.
    """
    # None stands for a line that was too long. It is answered with an error.
    answered_lines = [(number, line) for number, line in lines if line is None or line.strip()]
    async for group in pace_items(scope, answered_lines):
        async with compute_slots.hold_slot(scope):
            answers = await run_in_threadpool(answerer.answer_group, group)
        yield answers
