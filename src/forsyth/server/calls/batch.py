"""Many texts in one request: NDJSON in, NDJSON out, line by line as they arrive.

Accepts lines of UTF-8, each a JSON string or an object with a string ``text``; empty lines are skipped and
count. A line that is neither is answered like a text that is none (`fen.type`), and the batch continues.

Written: for each line, in order, one object with the fields of `forsyth check --json`, or of `forsyth fix
--json`.

Limits: a line has at most so many bytes as the settings say, the batch any number of lines. Nothing is held
but the part that is being read: the answers to it are sent before the next part is taken. A client therefore
reads answers while it sends, as curl does.
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
from forsyth.diagnostics import Confidence, Mode, Reading, Span
from forsyth.findings import SHARED
from forsyth.resolver import Choice, chosen_game
from forsyth.server.answers import encoded
from forsyth.server.bodies import parsed
from forsyth.server.bounds.rates import charge, paced
from forsyth.server.bounds.work import Work, require_wanted
from forsyth.server.problems import Problem
from forsyth.server.routing import BASE, Chosen
from forsyth.server.settings import Settings
from forsyth.server.texts import read_with
from forsyth.store import Store

routes = APIRouter(prefix=BASE, tags=["batch"])

NDJSON: Final = "application/x-ndjson"

_EXAMPLE: Final = '"8/8/8/4k3/8/8/8/4K3 w - - 0 1"\n{"text": "8/8/8/4k3/8/8/8/8 w - - 0 1"}\n'
_LINES: Final = {"schema": {"type": "string"}, "example": _EXAMPLE}
_BODY: Final = {"requestBody": {"required": True, "content": {NDJSON: _LINES}}}
_ANSWER: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {NDJSON: {"schema": {"type": "string"}}}}}


Numbered = tuple[int, bytes | None]
"""A line and its number; None in place of one that was too long."""


class Lines:
    """Cuts parts of a body into numbered lines; of a line that is too long only the fact is kept."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = b""
        self._cut = False
        self._number = 0

    def feed(self, part: bytes) -> Iterator[Numbered]:
        """The lines that end in this part, each with its number; None for one that was too long."""
        *ended, rest = (self._rest + part).split(b"\n")
        for line in ended:
            yield self._line(line)
        self._rest = rest
        if len(rest) > self._limit:
            self._rest = b""
            self._cut = True

    def end(self) -> Iterator[Numbered]:
        """The last line, where it had no end."""
        if self._rest or self._cut:
            yield self._line(self._rest)

    def _line(self, line: bytes) -> Numbered:
        self._number += 1
        whole = not self._cut and len(line) <= self._limit
        self._cut = False
        return self._number, line if whole else None


class Reader:
    """Answers the lines of one batch: `read` makes a reading of a text, `told` says what is said of it."""

    def __init__(
        self,
        read: Callable[[str], Reading[Any]],
        told: Callable[[Reading[Any]], dict[str, Any]],
        limit: int,
    ) -> None:
        self._read = read
        self._told = told
        self._limit = limit

    def answer(self, lines: Sequence[Numbered]) -> bytes:
        """The answers to some lines, each on its own line."""
        answers = []
        for number, line in lines:
            require_wanted()
            answers.append(encoded({"line": number, **self._told(self._reading(line))}) + b"\n")
        return b"".join(answers)

    def _reading(self, line: bytes | None) -> Reading[Any]:
        if line is None:
            return _no_text(f"the line has more than {self._limit} bytes")
        try:
            given = parsed(line)
        # Of a line that is hostile enough Python says so in other ways than by JSONDecodeError.
        except (ValueError, RecursionError):
            return _no_text("the line is not JSON")
        text = given.get("text") if isinstance(given, dict) else given
        if not isinstance(text, str):
            return _no_text("the line is neither a JSON string nor an object with a text")
        return self._read(text)


class Streamed(Response):
    """An answer in parts. The framework's own would look for the client's end in the body being read."""

    def __init__(self, parts: AsyncIterator[bytes]) -> None:
        super().__init__(media_type=NDJSON)
        self._parts = parts
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the head, each part as it comes, and the end."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for part in self._parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _no_text(message: str) -> Reading[Any]:
    return Reading("", None, None, (SHARED.finding("fen.type", Span(0, 0), message),))


def checker(choice: Choice, mode: Mode, store: Store, limit: int) -> Reader:
    """Answers lines as `forsyth check` does."""

    def read(text: str) -> Reading[Any]:
        return read_with(reading.check, text, choice, store=store, mode=mode).reading

    return Reader(read, Reading.to_dict, limit)


def repairer(choice: Choice, least: Confidence | None, store: Store, limit: int) -> Reader:
    """Answers lines as `forsyth fix` does."""

    def read(text: str) -> Reading[Any]:
        return read_with(reading.repair, text, choice, store=store, least=least).reading

    return Reader(read, repaired, limit)


@routes.post("/batch/check", responses=_ANSWER, openapi_extra=_BODY, response_class=Response)
async def check_batch(
    request: Request,
    choice: Chosen,
    mode: Literal["strict", "default", "lenient"] = "default",
) -> Response:
    """Check a text per line, and answer a JSON object per line, in order, while the lines arrive."""
    settings: Settings = request.app.state.settings
    reader = checker(choice, mode, request.app.state.store, settings.line_limit)
    return _streamed(request, choice, reader)


@routes.post("/batch/fix", responses=_ANSWER, openapi_extra=_BODY, response_class=Response)
async def fix_batch(
    request: Request,
    choice: Chosen,
    least: Literal["certain", "likely", "guess"] | None = None,
) -> Response:
    """Repair a text per line as `/fix` does, and answer a JSON object per line, while the lines arrive."""
    settings: Settings = request.app.state.settings
    sure = None if least is None else Confidence(least)
    return _streamed(request, choice, repairer(choice, sure, request.app.state.store, settings.line_limit))


def repaired(read: Reading[Any]) -> dict[str, Any]:
    """What is said of a repair; `fixed` is null where no position could be made out."""
    return {
        "text": read.text,
        "game": read.game,
        "ok": read.ok,
        "fixed": None if read.position is None else str(read.position),
        "diagnostics": [found.to_dict() for found in read.diagnostics],
    }


def _streamed(request: Request, choice: Choice, reader: Reader) -> Response:
    if chosen_game(choice, plays=False) is None and choice.variant is not None:
        # Each line might be of another game, and the answer has begun when that is found out.
        raise Problem(400, "MISSING_FIELD", "a variant is one of a game: name the game as well")
    settings: Settings = request.app.state.settings
    work: Work = request.app.state.work
    work.require_room()
    lines = Lines(settings.line_limit)
    return Streamed(answers_to(request.stream(), reader, lines, work, request.scope))


class Answering(Protocol):
    """Answers lines of a batch."""

    def answer(self, lines: Sequence[Numbered]) -> bytes:
        """The answers to some lines, each on its own line."""


async def answers_to(
    parts: AsyncIterator[bytes], checker: Answering, lines: Lines, work: Work, scope: Scope
) -> AsyncIterator[bytes]:
    """The answers to the lines of a body, as its parts come."""
    # The request was counted as one before its lines are.
    charge(scope, 0)
    try:
        async for part in parts:
            async for answers in _answered(lines.feed(part), checker, work, scope):
                yield answers
    except ClientDisconnect:
        return
    async for answers in _answered(lines.end(), checker, work, scope):
        yield answers


async def _answered(
    lines: Iterator[Numbered], checker: Answering, work: Work, scope: Scope
) -> AsyncIterator[bytes]:
    """The answers to the lines of one part, each part in its own computing slot."""
    found = [(number, line) for number, line in lines if line is None or line.strip()]
    async for some in paced(scope, found):
        async with work.place(scope):
            answers = await run_in_threadpool(checker.answer, some)
        yield answers
