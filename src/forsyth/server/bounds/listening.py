"""Run the service with uvicorn, with limits on request heads and on connections.

The limits apply to each process:

- A head is the request line with the headers. A head, and the trailers after a body, have at most
  `Settings.head_limit` bytes each; a longer one gets a 431. A head must be complete within
  `Settings.head_time` seconds; otherwise the client gets a 408, or no response if it sent nothing.
- There are at most `Settings.connections` connections, or fewer if the system allows fewer open files. A
  further connection replaces the one that has been without a request for longest. If all connections have a
  request, the further connection gets a 503.
- A client may close its side of the connection after a complete request. It still gets the response.
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

from forsyth.server.bounds.log_limit import client_address, read_client_address
from forsyth.server.bounds.origin_check import TARGET_KEY
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

PROBE_SECONDS: Final = 1.0
"""Seconds between two probes of a client that has closed its side of the connection."""

_PROBE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
"""Interim response, which clients skip. A client that is gone answers it with a reset of the connection."""

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
        self.connections = reserve_connections(settings.connections)


def reserve_connections(max_connections: int) -> int:
    """Raise the limit of open files for the connections, and return how many are possible.

    Each connection is an open file. If the system does not permit enough files for `max_connections`, the
    result is the number of connections that its limit leaves, at least 1.
    """
    if resource is None:
        return max_connections
    file_limit, highest_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed_files = max_connections + BACKLOG + OWN_FILES
    if file_limit == resource.RLIM_INFINITY or file_limit >= needed_files:
        return max_connections

    is_unlimited = highest_limit == resource.RLIM_INFINITY
    new_limit = needed_files if is_unlimited else min(needed_files, highest_limit)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, highest_limit))
        file_limit = new_limit

    files_beside_backlog = file_limit - BACKLOG - OWN_FILES
    # If there are too few files even for the backlog, use half of them for connections.
    half_of_files = file_limit // 2 - OWN_FILES
    possible_connections = max(files_beside_backlog, half_of_files, 1)
    return min(max_connections, possible_connections)


class LimitedConnection(ABC):
    """Mixin for a connection class of uvicorn that limits the size and duration of request heads.

    A subclass names this class before the class of uvicorn.
    """

    config: Config
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    connections: set[Any]
    cycle: Any

    client: tuple[str, int] | None

    _head_timer: asyncio.TimerHandle | None = None
    _probe_timer: asyncio.TimerHandle | None = None
    _has_client_ended = False
    _head_started = False
    _idle_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start the timer for the first request line and headers (the head) of a new connection.

        If there are too many connections now, cut off one that is idle, or refuse this one.
        """
        super().connection_made(transport)  # type: ignore[misc]
        self._idle_since = self.loop.time()
        self._start_head_timer()
        if len(self.connections) > self.config.connections:
            self._replace_idle_connection()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer for the request line and headers, because the connection is closed."""
        self._stop_head_timer()
        self._stop_probe_timer()
        super().connection_lost(exc)  # type: ignore[misc]

    def eof_received(self) -> bool:
        """Return whether to keep the connection, because the client has ended its side of it.

        The connection is kept if the client waits for the response to a complete request. Since a client that
        has gone away ends its side too, probes are sent until the response begins.
        """
        is_waiting = self.is_busy and not self.cycle.more_body
        if is_waiting:
            self._has_client_ended = True
            self._stop_head_timer()
            self._start_probe_timer()
        return is_waiting

    def data_received(self, data: bytes) -> None:
        """Parse `data` from the client, and limit the time for the request line and headers (the head).

        The timer starts when a head begins and stops when it is complete.
        """
        self._head_started = True
        # Tasks that this call starts have the same context.
        client_address.set(read_client_address(self.client))
        super().data_received(data)  # type: ignore[misc]
        if self.is_busy:
            self._stop_head_timer()
        elif self._head_timer is None and not self.transport.is_closing():
            self._start_head_timer()

    def on_response_complete(self) -> None:
        """Make the connection ready for the next request.

        If the connection is closing, cut it off after `IDLE_SECONDS`, in case its client does not read.
        """
        self._head_started = False
        self._idle_since = self.loop.time()
        super().on_response_complete()  # type: ignore[misc]
        if self._has_client_ended and not self.is_busy:
            self.transport.close()
        self._cut_off_if_closing()

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection, because it has been without a request for `IDLE_SECONDS`."""
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
        """Send an error response, unless another response is being sent, and close the connection."""
        if not self.is_busy:
            self.transport.write(encode_http_response(problem))
        self.transport.close()
        self._cut_off_if_closing()

    def _start_head_timer(self) -> None:
        """Start the timer for a request line and headers (a head): `Settings.head_time` seconds."""
        self._head_timer = self.loop.call_later(self.config.head_time, self._close_late_connection)

    def _close_late_connection(self) -> None:
        """Close the connection, because the request line and headers did not arrive in time.

        If some of their bytes have arrived, send an error response with status 408 first.
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
        """Cut off the connection that has been idle for longest, so that this one can be kept.

        A connection without a request is idle. If no other connection is idle, refuse this one with a 503.
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

    def _start_probe_timer(self) -> None:
        """Start the timer for the next probe of a client that has closed its side of the connection."""
        self._probe_timer = self.loop.call_later(PROBE_SECONDS, self._probe_client)

    def _probe_client(self) -> None:
        """Send an interim response, so that a client that is gone is noticed, unless the response has begun.

        HTTP/1.0 has no interim responses.
        """
        self._probe_timer = None
        if not self.is_busy or self.transport.is_closing() or self.cycle.scope["http_version"] == "1.0":
            return
        if not self.cycle.response_started:
            self.transport.write(_PROBE)
        self._start_probe_timer()

    def _stop_probe_timer(self) -> None:
        """Stop the timer for the next probe, if it runs."""
        if self._probe_timer is not None:
            self._probe_timer.cancel()
            self._probe_timer = None

    def _cut_off_if_closing(self) -> None:
        """Cut a closing connection off after `IDLE_SECONDS`, in case its client does not read."""
        if self.transport.is_closing():
            self.loop.call_later(IDLE_SECONDS, self.transport.abort)


def encode_http_response(problem: Problem) -> bytes:
    """Return an error response as bytes: the status line, the headers and the body.

    Call this for an error before a request reaches the application, such as headers that are too long. The
    response has the header ``Connection: close``.
    """
    response = problem.make_response()
    status_line = f"HTTP/1.1 {response.status_code} {problem.phrase}".encode()
    header_lines = [name + b": " + value for name, value in response.raw_headers]
    empty_line = b""
    lines = [status_line, b"connection: close", *header_lines, empty_line, bytes(response.body)]
    return b"\r\n".join(lines)


class H11Connection(LimitedConnection, H11Protocol):  # type: ignore[misc]
    """Connection parsed by h11, which limits the size of incomplete heads only, not of complete ones."""

    def data_received(self, data: bytes) -> None:
        """Parse `data` from the client.

        Refuse it if the request line and headers do not end within `Settings.head_limit` bytes.
        """
        is_in_head = self.conn.their_state is h11.IDLE
        if is_in_head and not _may_end_within(self._unparsed_data + data, self.config.head_limit):
            # Pass the data to h11 without parsing it, so that `is_head_too_long` counts it.
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
    head_end = _HEAD_END.search(received, 0, limit)
    return head_end is not None


def select_connection_class() -> type[asyncio.Protocol]:
    """Return the connection class for httptools if it is installed, otherwise the one for h11."""
    return HttpToolsConnection if find_spec("httptools") else H11Connection


if TYPE_CHECKING or find_spec("httptools"):
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    class HttpToolsConnection(LimitedConnection, HttpToolsProtocol):  # type: ignore[misc]
        """Connection parsed by httptools, which has no limit for heads, so this class counts their bytes."""

        _unparsed_bytes = 0
        """Number of bytes received since the last complete head or the last part of a body."""

        def data_received(self, data: bytes) -> None:
            """Parse `data` from the client.

            Refuse it if the request line and headers have more than `Settings.head_limit` bytes.
            """
            self._unparsed_bytes += len(data)
            super().data_received(data)
            if self.is_head_too_long and not self.transport.is_closing():
                self.send_400_response("")

        @property
        def is_head_too_long(self) -> bool:
            """True if more bytes of the current head have arrived than `Settings.head_limit`."""
            return self._unparsed_bytes > self.config.head_limit

        def on_headers_complete(self) -> None:
            """Begin to answer the request, whose request line and headers (the head) are complete.

            Raise `ValueError` if a head that came in one piece is too long.
            """
            if self.is_head_too_long:
                # The bytes may include the beginning of the body, so count those of the head only.
                header_sizes = (len(name) + len(value) + _HEADER_EXTRA_BYTES for name, value in self.headers)
                self._unparsed_bytes = len(self.url) + sum(header_sizes)
            if self.is_head_too_long:
                # uvicorn catches this error and calls `send_400_response`.
                raise ValueError(f"the head has more than {self.config.head_limit} bytes")
            self._unparsed_bytes = 0
            # The class of uvicorn drops the host of a request target in absolute form.
            self.scope[TARGET_KEY] = self.url  # type: ignore[typeddict-unknown-key]
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            """Receive a part of a body, and reset the count of unparsed bytes."""
            self._unparsed_bytes = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            """Receive the end of a body, and reset the count of unparsed bytes."""
            self._unparsed_bytes = 0
            super().on_message_complete()
