"""What surrounds every request: counting, security headers, a limit of time and of bytes.

Plain ASGI, because each of these runs for every request and some of them for every part of a stream.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forsyth.server.bounds.work import CALL, Call
from forsyth.server.metrics import UNMATCHED, Metrics
from forsyth.server.problems import Problem, problem_of, too_large
from forsyth.server.settings import Settings

STREAMS: Final = frozenset(("/api/v1/batch/check", "/api/v1/batch/fix", "/api/v1/batch/library"))
"""Calls whose body may be of any length: they hold one part of it at a time."""

CSP: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
"""Nothing from elsewhere and no script but the page's own. The drawings bring their styles with them."""

SECURITY_HEADERS: Final = (
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)

FRAMED: Final = "/embed"
"""The one page that may stand in a frame of somebody else's: it has no script and no navigation."""

FRAMED_CSP: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *"
)
_FRAMED_HEADERS: Final = (
    (b"content-security-policy", FRAMED_CSP.encode()),
    *(
        (name, value)
        for name, value in SECURITY_HEADERS
        if name not in (b"content-security-policy", b"x-frame-options")
    ),
)


class Outermost:
    """Counts each request, adds the security headers, and turns what was not foreseen into a 500."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on and count it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status = 0
        security = _FRAMED_HEADERS if scope["path"] == FRAMED else SECURITY_HEADERS

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *security]
            await send(message)

        begun = time.perf_counter()
        self.metrics.in_flight += 1
        try:
            await self.app(scope, receive, send_with_headers)
        except ClientDisconnect:
            # Nobody is left to be answered, and nothing went wrong here.
            pass
        except Exception as error:
            if status:
                raise
            await problem_of(error).send(scope, receive, send_with_headers)
        finally:
            self.metrics.in_flight -= 1
            # A client that went away got no answer: 499 is what proxies write for that.
            seconds = time.perf_counter() - begun
            self.metrics.count(scope["method"], route_of(scope), status or 499, seconds)


def route_of(scope: Scope) -> str:
    """The template of the route that answered, or one word for all paths that lead nowhere."""
    route: Any = scope.get("route")
    return getattr(route, "path", None) or UNMATCHED


class Bounds:
    """Gives up a request whose body is too long, or that has no answer in time.

    The clock of a stream begins again with each part that arrives or leaves: it may take as long as it goes
    on. A handler that computes is asked to stop, see `work`; its late answer is dropped. An
    answer that has begun and stalls because nobody reads it is broken off: what was sent is not
    made to look complete.
    """

    def __init__(self, app: ASGIApp, settings: Settings, more: Mapping[str, int]) -> None:
        """`more` names the paths whose bodies may have so many bytes more than the others."""
        self.app = app
        self.body_limit = settings.body_limit
        self.body_limits = {path: settings.body_limit + bytes for path, bytes in more.items()}
        self.time_limit = settings.time_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on within the bounds."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = _Bounded(self, scope, receive, send)
        try:
            await self.app(scope, request.receive, request.send)
        except asyncio.CancelledError:
            # Returning without the end of the answer makes the server close the connection.
            if not request.broken_off:
                raise
        finally:
            request.clock.cancel()
        if request.refusal is not None:
            await request.refusal


def _declared_length(scope: Scope) -> int:
    """How many bytes the head of a request says that its body has; 0 where it does not say so."""
    value = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    # More digits than these are too many bytes in any case.
    return int(value[:20]) if value.isdigit() else 0


class _Bounded:
    """One request, its clock, and the two channels with the bounds on them."""

    __slots__ = (
        "_body_done",
        "_call",
        "_declared",
        "_limit",
        "_loop",
        "_receive",
        "_room",
        "_scope",
        "_seconds",
        "_send",
        "_started",
        "_streams",
        "_task",
        "broken_off",
        "clock",
        "refusal",
    )

    def __init__(self, bounds: Bounds, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._streams = scope["path"] in STREAMS
        self._limit = self._room = bounds.body_limits.get(scope["path"], bounds.body_limit)
        self._declared = _declared_length(scope)
        self._seconds = bounds.time_limit
        self._started = False
        self._body_done = False
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._call = scope[CALL] = Call()
        self.broken_off = False
        self.refusal: asyncio.Task[None] | None = None
        self.clock = self._loop.call_later(self._seconds, self._give_up)

    async def receive(self) -> Message:
        """The next part of the body, as long as it is within the limit."""
        # A body that is said to be too long is not waited for.
        if not self._streams and self._declared > self._limit:
            raise too_large(self._limit)
        message = await self._receive()
        if self._streams:
            self._wind_up()
        elif message["type"] == "http.request":
            self._room -= len(message.get("body", b""))
            if self._room < 0:
                raise too_large(self._limit)
        self._body_done = self._body_done or not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """A part of the answer, unless the request has been given up."""
        if self.refusal is not None:
            return
        self._started = True
        if self._streams:
            self._wind_up()
        await self._send(message)

    def _wind_up(self) -> None:
        self.clock.cancel()
        if self.refusal is None:
            self.clock = self._loop.call_later(self._seconds, self._give_up)

    def _give_up(self) -> None:
        self._call.given_up = True
        if not self._started:
            self.refusal = self._loop.create_task(self._refuse())
        elif self._task is not None:
            self.broken_off = True
            self._task.cancel()

    async def _refuse(self) -> None:
        status, who = (503, "the service") if self._body_done else (408, "the client")
        message = f"{who} needed more than {self._seconds:g} s"
        refusal = Problem(status, "TIMEOUT", message, headers={"Connection": "close"})
        await refusal.send(self._scope, self._receive, self._send)
