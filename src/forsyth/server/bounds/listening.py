"""Run the service with uvicorn, with limits on request heads and on connections.

The limits apply to each process:

- A head is the request line with the headers. A head, and the trailers after a body, have at most
  `Settings.head_limit` bytes each; a longer one gets a 431. A head must be complete within
  `Settings.head_time` seconds; otherwise the client gets a 408, or no response if it sent nothing.
- There are at most `Settings.connections` connections, or fewer if the system allows fewer open files. A
  further connection replaces the one that has been without a request for longest. If all connections have a
  request, the further connection gets a 503.
- A connection without a request is kept for `IDLE_SECONDS`. A connection that is being closed is cut off
  after the same time if its client does not read.

Both HTTP parsers of uvicorn are supported: httptools if it is installed, otherwise h11.
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
except ImportError:  # Windows does not limit the number of open files.
    resource = None  # type: ignore[assignment]

STOP_SECONDS: Final = 30
"""Seconds that running requests may take to finish when the service is stopped."""

IDLE_SECONDS: Final = 15
"""Seconds that a connection without a request is kept open."""

WORKER_SECONDS: Final = 20
"""Seconds that a worker process may take to answer the process that supervises it.

A worker imports the service before it can answer. On a slow or busy machine that may take longer than
uvicorn's default of 5 s: then each worker is killed before it serves, and so is each that replaces it.
"""

BACKLOG: Final = 512
"""Connections that wait to be accepted. That many may be accepted at once before one of them is replaced."""

OWN_FILES: Final = 64
"""Open files that the process itself needs: its store, the page, pipes."""

_HEADER_EXTRA_BYTES: Final = len(": \r\n")
"""Bytes of a header line besides its name and value."""

_HEAD_END: Final = re.compile(rb"\n\r?\n")


class Config(uvicorn.Config):
    """Configuration of uvicorn, with the limits that its connections and workers read."""

    def __init__(self, app: Any, settings: Settings, **options: Any) -> None:
        super().__init__(
            app,
            http=select_connection_class(),
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
        self.connections = limit_connections(settings.connections)


def limit_connections(max_connections: int) -> int:
    """Return the number of connections that the service can have, from 1 to `max_connections`.

    Each connection is an open file. If the system's limit of open files is too low for `max_connections`,
    this function raises the limit as far as the system permits. The result is the number that fits into it.
    """
    if resource is None:
        return max_connections
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed_files = max_connections + BACKLOG + OWN_FILES
    if soft_limit == resource.RLIM_INFINITY or soft_limit >= needed_files:
        return max_connections

    new_limit = needed_files if hard_limit == resource.RLIM_INFINITY else min(needed_files, hard_limit)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard_limit))
        soft_limit = new_limit

    beside_backlog = soft_limit - BACKLOG - OWN_FILES
    # If there are too few files even for the backlog, use half of them for connections.
    half_of_files = soft_limit // 2 - OWN_FILES
    return max(1, min(max_connections, max(beside_backlog, half_of_files)))


class LimitedConnection(ABC):
    """Mixin that adds the limits to a connection class of uvicorn; it precedes that class in the bases."""

    config: Config
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    connections: set[Any]
    cycle: Any

    _head_timer: asyncio.TimerHandle | None = None
    _head_started = False
    _idle_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start the timer for the first request line and headers (the head) of a new connection.

        If there are too many connections now, cut off one that is idle, or refuse this one.
        """
        super().connection_made(transport)  # type: ignore[misc]
        self._idle_since = self.loop.time()
        self._head_timer = self.loop.call_later(self.config.head_time, self._time_out_head)
        if len(self.connections) > self.config.connections:
            self._replace_idle_connection()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer for the request line and headers, because the connection is closed."""
        self._stop_head_timer()
        super().connection_lost(exc)  # type: ignore[misc]

    def data_received(self, data: bytes) -> None:
        """Parse `data` from the client, and limit the time for the request line and headers (the head).

        The timer starts when a head begins and stops when it is complete.
        """
        self._head_started = True
        super().data_received(data)  # type: ignore[misc]
        if self.is_busy:
            self._stop_head_timer()
        elif self._head_timer is None and not self.transport.is_closing():
            self._head_timer = self.loop.call_later(self.config.head_time, self._time_out_head)

    def on_response_complete(self) -> None:
        """Make the connection ready for the next request.

        If the connection is closing, cut it off after `IDLE_SECONDS`, in case its client does not read.
        """
        self._head_started = False
        self._idle_since = self.loop.time()
        super().on_response_complete()  # type: ignore[misc]
        self._cut_off_if_closing()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that has been without a request for `IDLE_SECONDS`."""
        super().timeout_keep_alive_handler()  # type: ignore[misc]
        self._cut_off_if_closing()

    def send_400_response(self, msg: str) -> None:
        """Refuse data that is not HTTP with a 400, or too many bytes of headers with a 431.

        `msg`, the message of uvicorn, is ignored.
        """
        if not self.is_head_too_long:
            self.refuse(Problem(400, "BAD_REQUEST", "the request is not valid HTTP"))
            return
        message = f"the request line and headers have more than {self.config.head_limit} bytes; send less"
        self.refuse(Problem(431, "HEAD_TOO_LARGE", message))

    @property
    def is_busy(self) -> bool:
        """True if the connection has a request whose response is not complete."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    @abstractmethod
    def is_head_too_long(self) -> bool:
        """True if the current head has more bytes than `Settings.head_limit`."""

    def refuse(self, problem: Problem) -> None:
        """Send a refusal, unless another response has begun, and close the connection."""
        if not self.is_busy:
            self.transport.write(encode_http_response(problem))
        self.transport.close()
        self._cut_off_if_closing()

    def _time_out_head(self) -> None:
        """Close the connection, because the request line and headers did not arrive in time.

        If some of their bytes arrived, send a 408 before.
        """
        self._head_timer = None
        if not self._head_started:
            self.transport.close()
            return
        message = (
            f"the request line and headers were not complete after {self.config.head_time:g} s; try again"
        )
        self.refuse(Problem(408, "TIMEOUT", message))

    def _replace_idle_connection(self) -> None:
        """Cut off the connection that has been without a request for longest, to make room for this one.

        If all other connections have a request, refuse this one with a 503.
        """
        idle_connections = [other for other in self.connections if other is not self and not other.is_busy]
        if not idle_connections:
            message = f"all {self.config.connections} connections are busy with a request; try again in 1 s"
            self.refuse(Problem(503, "BUSY", message, headers={"Retry-After": "1"}))
            return
        longest_idle = min(idle_connections, key=lambda connection: connection._idle_since)
        self.connections.discard(longest_idle)
        longest_idle.transport.abort()

    def _stop_head_timer(self) -> None:
        """Stop the timer for the request line and headers, if it runs."""
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _cut_off_if_closing(self) -> None:
        """Cut a closing connection off after `IDLE_SECONDS`, in case its client does not read."""
        if self.transport.is_closing():
            self.loop.call_later(IDLE_SECONDS, self.transport.abort)


def encode_http_response(problem: Problem) -> bytes:
    """Return a refusal as the bytes of a complete HTTP response, which closes the connection.

    It is for errors before a request reaches the application, such as headers that are too long.
    """
    response = problem.response()
    head_lines = [f"HTTP/1.1 {response.status_code} {problem.phrase}".encode(), b"connection: close"]
    head_lines += [name + b": " + value for name, value in response.raw_headers]
    # An empty line ends the head.
    return b"\r\n".join([*head_lines, b"", bytes(response.body)])


class H11Connection(LimitedConnection, H11Protocol):  # type: ignore[misc]
    """Connection parsed by h11, which limits incomplete heads only, not complete ones."""

    def data_received(self, data: bytes) -> None:
        """Parse `data` from the client.

        Refuse it if the request line and headers do not end within `Settings.head_limit` bytes.
        """
        is_in_head = self.conn.their_state is h11.IDLE
        if is_in_head and not _may_end_within(self._unparsed_data + data, self.config.head_limit):
            # h11 takes the data, so that `is_head_too_long` counts it.
            self.conn.receive_data(data)
            self.send_400_response("")
            return
        super().data_received(data)

    @property
    def is_head_too_long(self) -> bool:
        """True if the data that h11 has not parsed yet is longer than a head may be."""
        return len(self._unparsed_data) > self.config.head_limit

    @property
    def _unparsed_data(self) -> bytes:
        """Data received that h11 has not parsed yet."""
        data: bytes = self.conn.trailing_data[0]
        return data


def _may_end_within(received: bytes, limit: int) -> bool:
    """Return whether the request line and headers (the head) may fit into `limit` bytes.

    `received` are the bytes received so far, from the beginning of the head. The result is True if there are
    at most `limit` of them, or the empty line that ends the head is among the first `limit`.
    """
    if len(received) <= limit:
        return True
    return _HEAD_END.search(received, 0, limit) is not None


def select_connection_class() -> type[asyncio.Protocol]:
    """Return the connection class for httptools if it is installed, otherwise the one for h11."""
    return HttpToolsConnection if find_spec("httptools") else H11Connection


if TYPE_CHECKING or find_spec("httptools"):
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    class HttpToolsConnection(LimitedConnection, HttpToolsProtocol):  # type: ignore[misc]
        """Connection parsed by httptools, which has no limits; so unparsed bytes are counted here."""

        _unparsed_bytes = 0

        def data_received(self, data: bytes) -> None:
            """Parse `data`, and refuse it if too many bytes have remained unparsed."""
            self._unparsed_bytes += len(data)
            super().data_received(data)
            if self.is_head_too_long and not self.transport.is_closing():
                self.send_400_response("")

        @property
        def is_head_too_long(self) -> bool:
            """True if more unparsed bytes have arrived than a head may have."""
            return self._unparsed_bytes > self.config.head_limit

        def on_headers_complete(self) -> None:
            """Begin to answer the request, whose request line and headers (the head) are complete.

            Raise `ValueError` if a head that came in one piece is too long.
            """
            if self.is_head_too_long:
                # The bytes after the head may be its body, so count those of the head only.
                header_sizes = (len(name) + len(value) + _HEADER_EXTRA_BYTES for name, value in self.headers)
                self._unparsed_bytes = len(self.url) + sum(header_sizes)
            if self.is_head_too_long:
                # uvicorn catches this error and calls `send_400_response`.
                raise ValueError(f"the head has more than {self.config.head_limit} bytes")
            self._unparsed_bytes = 0
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            """Receive a part of a body, and reset the count of unparsed bytes."""
            self._unparsed_bytes = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            """Receive the end of a body, and reset the count of unparsed bytes."""
            self._unparsed_bytes = 0
            super().on_message_complete()
