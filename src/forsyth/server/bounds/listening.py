"""How the service listens: uvicorn, with bounds on the heads of requests and on connections.

Limits, of each process:

- A head, the line and the headers of a request, has at most `Settings.head_limit` bytes, and so have the
  trailers after a body: more is a 431. It is complete within `Settings.head_time` seconds: else it is a 408,
  or a silent end where nothing was sent at all.
- There are at most `Settings.connections` connections, or as many as the system allows files. When all places
  are taken the one that has been without a request longest gives way to the next; when each of them has a
  request, the next is a 503.
- A connection without a request is kept for `IDLE_SECONDS`. One that is closed while its client does not read
  is broken off after as long.

Either of uvicorn's readers of HTTP is used, httptools where it is installed and h11 where it is not.
"""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from forsyth.server.problems import Problem
from forsyth.server.settings import Settings

try:
    import resource
except ImportError:  # Windows bounds no files.
    resource = None  # type: ignore[assignment]

STOP_SECONDS: Final = 30
"""How long requests in flight may take to finish when the service is stopped."""

IDLE_SECONDS: Final = 15
"""How long a connection without a request is kept open."""

WORKER_SECONDS: Final = 20
"""How long a worker process may take to answer the process that watches it.

A worker imports the service before it can answer. On a slow or busy machine that may take longer than
uvicorn's default of 5 s: then each worker is killed before it serves, and so is each that replaces it.
"""

BACKLOG: Final = 512
"""Connections that wait to be accepted; as many may be accepted at once before any of them gives way."""

OWN_FILES: Final = 64
"""Files the process needs for itself: its store, the page, pipes."""

_END: Final = re.compile(rb"\n\r?\n")


class Config(uvicorn.Config):
    """uvicorn's configuration for some settings, which it carries along to the connections and workers."""

    def __init__(self, app: Any, settings: Settings, **options: Any) -> None:
        super().__init__(
            app,
            http=reader(),
            ws="none",
            workers=settings.workers,
            log_level="warning",
            access_log=False,
            server_header=False,
            backlog=BACKLOG,
            h11_max_incomplete_event_size=settings.head_limit,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
            timeout_worker_healthcheck=WORKER_SECONDS,
            proxy_headers=bool(settings.trust_proxy),
            forwarded_allow_ips=list(settings.trust_proxy),
            **options,
        )
        self.head_limit = settings.head_limit
        self.head_time = settings.head_time
        self.connections = allowed_connections(settings.connections)


def allowed_connections(wanted: int) -> int:
    """As many connections as are wanted, or as the system allows; asks it for more files where it may."""
    if resource is None:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + BACKLOG + OWN_FILES
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    # With so few files that not even the backlog fits, half of them are better than none.
    return max(1, min(wanted, soft - BACKLOG - OWN_FILES), min(wanted, soft // 2 - OWN_FILES))


class Bounded(ABC):
    """What both kinds of connection add to uvicorn's: it comes before them in the order of classes."""

    config: Config
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    connections: set[Any]
    cycle: Any

    _clock: asyncio.TimerHandle | None = None
    _begun = False
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Take a place, if need be that of another."""
        super().connection_made(transport)  # type: ignore[misc]
        self._since = self.loop.time()
        self._clock = self.loop.call_later(self.config.head_time, self._head_is_late)
        if len(self.connections) > self.config.connections:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_clock()
        super().connection_lost(exc)  # type: ignore[misc]

    def data_received(self, data: bytes) -> None:
        """Read what came; the head that it belongs to must be complete in time."""
        self._begun = True
        super().data_received(data)  # type: ignore[misc]
        if self.is_busy:
            self._stop_clock()
        elif self._clock is None and not self.transport.is_closing():
            self._clock = self.loop.call_later(self.config.head_time, self._head_is_late)

    def on_response_complete(self) -> None:
        """Wait for the next request; a client that does not read the answer is not waited for."""
        self._begun = False
        self._since = self.loop.time()
        super().on_response_complete()  # type: ignore[misc]
        self._break_off_if_closing()

    def timeout_keep_alive_handler(self) -> None:
        """End a connection that has been without a request for too long."""
        super().timeout_keep_alive_handler()  # type: ignore[misc]
        self._break_off_if_closing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, or too much of it."""
        if self.is_too_long:
            message = f"the line and headers of the request have more than {self.config.head_limit} bytes"
            self.refuse(Problem(431, "HEAD_TOO_LARGE", message))
            return
        self.refuse(Problem(400, "BAD_REQUEST", "the request is not HTTP"))

    @property
    def is_busy(self) -> bool:
        """Whether there is a request without its whole answer."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    @abstractmethod
    def is_too_long(self) -> bool:
        """Whether it is the length of the head that is wrong with it."""

    def refuse(self, problem: Problem) -> None:
        """Answer with a refusal, unless another answer has begun, and end the connection."""
        if not self.is_busy:
            self.transport.write(written(problem))
        self.transport.close()
        self._break_off_if_closing()

    def _head_is_late(self) -> None:
        self._clock = None
        if not self._begun:
            self.transport.close()
            return
        message = f"the head of the request was not complete after {self.config.head_time:g} s"
        self.refuse(Problem(408, "TIMEOUT", message))

    def _make_room(self) -> None:
        waiting = [one for one in self.connections if one is not self and not one.is_busy]
        if waiting:
            longest = min(waiting, key=lambda one: one._since)
            self.connections.discard(longest)
            longest.transport.abort()
            return
        message = f"all {self.config.connections} connections have a request; try again in 1 s"
        self.refuse(Problem(503, "BUSY", message, headers={"Retry-After": "1"}))

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _break_off_if_closing(self) -> None:
        if self.transport.is_closing():
            self.loop.call_later(IDLE_SECONDS, self.transport.abort)


def written(problem: Problem) -> bytes:
    """A refusal as a whole answer, for where no application is asked."""
    response = problem.response()
    lines = [f"HTTP/1.1 {response.status_code} {problem.phrase}".encode(), b"connection: close"]
    lines += [name + b": " + value for name, value in response.raw_headers]
    return b"\r\n".join((*lines, b"", bytes(response.body)))


class H11Connection(Bounded, H11Protocol):  # type: ignore[misc]
    """A connection read by h11, which bounds what is incomplete, and takes any head that is complete."""

    def data_received(self, data: bytes) -> None:
        """Read what came, unless a head has no end where it should have one."""
        if self.conn.their_state is h11.IDLE and not _ends_within(
            self._unread + data, self.config.head_limit
        ):
            self.conn.receive_data(data)
            self.send_400_response("")
            return
        super().data_received(data)

    @property
    def is_too_long(self) -> bool:
        """Whether more is waiting to be understood than a head may have."""
        return len(self._unread) > self.config.head_limit

    @property
    def _unread(self) -> bytes:
        found: bytes = self.conn.trailing_data[0]
        return found


def _ends_within(head: bytes, limit: int) -> bool:
    return len(head) <= limit or _END.search(head, 0, limit) is not None


def reader() -> type[asyncio.Protocol]:
    """The kind of connection that is fastest here."""
    return HttpToolsConnection if find_spec("httptools") else H11Connection


if TYPE_CHECKING or find_spec("httptools"):
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    class HttpToolsConnection(Bounded, HttpToolsProtocol):  # type: ignore[misc]
        """A connection read by httptools, which bounds nothing: bytes that lead nowhere are counted."""

        _unread = 0

        def data_received(self, data: bytes) -> None:
            """Read what came, and refuse it when it continues without becoming a head or a part of a body."""
            self._unread += len(data)
            super().data_received(data)
            if self.is_too_long and not self.transport.is_closing():
                self.send_400_response("")

        @property
        def is_too_long(self) -> bool:
            """Whether more has come since the last head or part of a body than a head may have."""
            return self._unread > self.config.head_limit

        def on_headers_complete(self) -> None:
            """Begin to answer, unless a head that came in one piece is too long as a whole."""
            # Only the bytes of this head count: those after it may be its body.
            if self.is_too_long:
                self._unread = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
                if self.is_too_long:
                    raise ValueError("the head is too long")
            self._unread = 0
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            """Take a part of a body."""
            self._unread = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            """Take the end of a body."""
            self._unread = 0
            super().on_message_complete()
