"""Middleware for every request: counts, security headers, time limit and size limit.

The classes are plain ASGI, because they run for every request and partly for every part of a stream.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forsyth.server.bounds.compute_slots import REQUEST_STATUS_KEY, RequestStatus
from forsyth.server.bounds.log_limit import client_address, read_client_address
from forsyth.server.metrics import UNMATCHED, Metrics
from forsyth.server.problems import Problem, make_body_too_large_problem, to_problem
from forsyth.server.settings import Settings

STREAM_PATHS: Final = frozenset(("/api/v1/batch/check", "/api/v1/batch/fix", "/api/v1/batch/library"))
"""Paths whose bodies may have any length, because their handlers hold one part of the body at a time."""

CSP: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
"""Content-Security-Policy: only files and scripts of the service. Drawings contain their own styles."""

SECURITY_HEADERS: Final = (
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)

DEFAULT_HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""Headers of a response that does not set them: no cache keeps it, and no page of another origin shows it.

Files and descriptions have a ``Cache-Control`` of their own. Pictures may be shown by every page.
"""

EMBED_PATH: Final = "/embed"
"""The one page that other sites may show in a frame: it has no script and no navigation."""

EMBED_CSP: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *"
)
_EMBED_HEADERS: Final = (
    (b"content-security-policy", EMBED_CSP.encode()),
    *(
        (name, value)
        for name, value in SECURITY_HEADERS
        if name not in (b"content-security-policy", b"x-frame-options")
    ),
)

_NO_RESPONSE: Final = 0
"""Status of a request whose response has not begun."""

_CLIENT_CLOSED_REQUEST: Final = 499
"""Status that is counted for a client that disconnected before the response, as proxies do."""

_MAX_LENGTH_DIGITS: Final = 20
"""Digits of Content-Length that are read. A number with more digits is above every limit anyway."""


class OutermostLayer:
    """Middleware that counts requests, adds security headers, and answers unexpected errors with a 500."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, add security headers to its response, and count it with its duration.

        An unexpected error is answered with a 500, unless the response has begun.
        """
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client_address.set(read_client_address(scope.get("client")))
        status = _NO_RESPONSE
        security_headers = _EMBED_HEADERS if scope["path"] == EMBED_PATH else SECURITY_HEADERS

        async def send_with_headers(message: Message) -> None:
            """Send a part of the response; add the security headers to its first part."""
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = message.get("headers", ())
                set_names = {name for name, _ in headers}
                defaults = [header for header in DEFAULT_HEADERS if header[0] not in set_names]
                message["headers"] = [*headers, *defaults, *security_headers]
            await send(message)

        started_at = time.perf_counter()
        self.metrics.in_flight += 1
        try:
            await self.app(scope, receive, send_with_headers)
        except ClientDisconnect:
            # No response is needed, and this is not an error of the service.
            pass
        except Exception as error:
            if status != _NO_RESPONSE:
                raise
            await to_problem(error).send(scope, receive, send_with_headers)
        finally:
            self.metrics.in_flight -= 1
            self.metrics.count_request(
                scope["method"],
                find_route_template(scope),
                status=_CLIENT_CLOSED_REQUEST if status == _NO_RESPONSE else status,
                seconds=time.perf_counter() - started_at,
            )


def find_route_template(scope: Scope) -> str:
    """Return the path template of the matching route, such as ``/api/v1/library/{id}``.

    Return `UNMATCHED` if the path of the request belongs to no route. `scope` is the ASGI scope of the
    request, in which the router has set the route.
    """
    route: Any = scope.get("route")
    return getattr(route, "path", None) or UNMATCHED


class RequestLimits:
    """Middleware that stops a request whose body is too long or whose response takes too long.

    For a stream the time limit starts again with each part that arrives or leaves, so that the whole stream
    may take any time. When the time limit of a request is over, it is marked as abandoned, so that its
    handler stops (see `stop_if_abandoned`), and a late response is dropped. A response that has begun but
    stalls because the client does not read it is cut off, so that it does not look complete.

    Args:
        app: The application to protect.
        settings: The settings with the limits.
        extra_body_bytes: By path, how many bytes above `Settings.body_limit` a body may have.
    """

    def __init__(self, app: ASGIApp, settings: Settings, extra_body_bytes: Mapping[str, int]) -> None:
        self.app = app
        self.body_limit = settings.body_limit
        self.body_limits = {
            path: settings.body_limit + byte_count for path, byte_count in extra_body_bytes.items()
        }
        self.time_limit = settings.time_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, and refuse it if its body is too long or its response takes too long."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = _LimitedRequest(self, scope, receive, send)
        try:
            await self.app(scope, request.receive, request.send)
        except asyncio.CancelledError:
            # The timer cancels the request to cut its response off. The server then closes the connection.
            if not request.is_cut_off:
                raise
        finally:
            request.timer.cancel()
        if request.refusal is not None:
            await request.refusal


def _read_declared_length(scope: Scope) -> int:
    """Return the number of bytes in the header ``Content-Length`` of a request.

    Return 0 if the header is absent or not a number. `scope` is the ASGI scope of the request.
    """
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value[:_MAX_LENGTH_DIGITS]) if value.isdigit() else 0
    return 0


class _LimitedRequest:
    """One request with its timer, and ASGI functions `receive` and `send` that apply the limits."""

    __slots__ = (
        "_body_limit",
        "_bytes_left",
        "_declared_length",
        "_has_whole_body",
        "_is_stream",
        "_loop",
        "_receive",
        "_response_started",
        "_scope",
        "_send",
        "_status",
        "_task",
        "_time_limit",
        "is_cut_off",
        "refusal",
        "timer",
    )

    def __init__(self, limits: RequestLimits, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._is_stream = scope["path"] in STREAM_PATHS
        self._body_limit = limits.body_limits.get(scope["path"], limits.body_limit)
        self._bytes_left = self._body_limit
        self._declared_length = _read_declared_length(scope)
        self._time_limit = limits.time_limit
        self._response_started = False
        self._has_whole_body = False
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._status = RequestStatus()
        scope[REQUEST_STATUS_KEY] = self._status
        self.is_cut_off = False
        self.refusal: asyncio.Task[None] | None = None
        self.timer = self._loop.call_later(self._time_limit, self._stop_request)

    async def receive(self) -> Message:
        """Return the next part of the body (the ASGI interface).

        Raise a 413 `Problem` if the body is too long. For a stream, each part starts the time limit again.
        """
        # If the declared length is too long, refuse at once instead of reading the body.
        if not self._is_stream and self._declared_length > self._body_limit:
            raise make_body_too_large_problem(self._body_limit)

        message = await self._receive()
        if self._is_stream:
            self._restart_timer()
        elif message["type"] == "http.request":
            self._bytes_left -= len(message.get("body", b""))
            if self._bytes_left < 0:
                raise make_body_too_large_problem(self._body_limit)
        is_last_part = not message.get("more_body", False)
        if is_last_part:
            self._has_whole_body = True
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the response (the ASGI interface).

        Drop it if the time limit is over, because an error response is sent instead. For a stream, each part
        starts the time limit again.
        """
        if self.refusal is not None:
            return
        self._response_started = True
        if self._is_stream:
            self._restart_timer()
        await self._send(message)

    def _restart_timer(self) -> None:
        """Start the time limit again, unless the request has timed out."""
        self.timer.cancel()
        if self.refusal is None:
            self.timer = self._loop.call_later(self._time_limit, self._stop_request)

    def _stop_request(self) -> None:
        """Stop the request, because its time limit is over.

        If the response has not begun, send an error response. Otherwise cut the response off, so that it does
        not look complete.
        """
        self._status.is_abandoned = True
        if not self._response_started:
            self.refusal = self._loop.create_task(self._send_refusal())
        elif self._task is not None:
            self.is_cut_off = True
            self._task.cancel()

    async def _send_refusal(self) -> None:
        """Send an error response because the time limit is over.

        The status is 408 if the client has not sent its whole body, and otherwise 503.
        """
        if self._has_whole_body:
            status = 503
            message = f"the service needed more than {self._time_limit:g} s; try again, or send less"
        else:
            status = 408
            message = f"the client needed more than {self._time_limit:g} s to send the request; try again"
        refusal = Problem(status, "TIMEOUT", message, headers={"Connection": "close"})
        await refusal.send(self._scope, self._receive, self._send)
