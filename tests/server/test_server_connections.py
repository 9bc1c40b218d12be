"""Heads, connections and what is sent over them, with raw sockets, on both readers of HTTP."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import uvicorn
from tests.polling import TIMEOUT, wait_until
from tests.server.skipping_loop import SkippingLoop

from forsyth.server import Settings, create_app
from forsyth.server.bounds import listening as listening_module
from forsyth.server.bounds import log_limit
from forsyth.server.bounds.listening import (
    BACKLOG,
    OWN_FILES,
    Config,
    H11Connection,
    HttpToolsConnection,
    reserve_connections,
    select_connection_class,
)
from forsyth.server.bounds.log_limit import LINES_PER_MINUTE, LogLimit, client_address
from forsyth.store import MemoryStore

HEAD = 2048
HEAD_TIME = 600.0
"""Seconds that a head may take. A busy machine needs far fewer, and the tests of this limit skip them."""
PLACES = 4
ASKED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
ENDED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

KINDS = [HttpToolsConnection, H11Connection]
both = pytest.mark.parametrize("live", KINDS, indirect=True)
both_clocked = pytest.mark.parametrize("clocked", KINDS, indirect=True)


def test_the_faster_reader_is_used_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert select_connection_class() is HttpToolsConnection
    monkeypatch.setattr(listening_module, "find_spec", {}.get)
    assert select_connection_class() is H11Connection


def server_of(kind: Any, **given: Any) -> uvicorn.Server:
    settings = Settings(**{"head_limit": HEAD, "head_time": HEAD_TIME, "connections": PLACES, **given})
    config = Config(create_app(settings, MemoryStore()), settings, port=0, lifespan="off")
    config.http = kind
    return uvicorn.Server(config)


@contextmanager
def on_a_thread(server: uvicorn.Server, run: Callable[[], None]) -> Iterator[int]:
    """Run a service on a thread of this process, and yield its port."""
    thread = threading.Thread(target=run)
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        assert server.started
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(TIMEOUT)
        assert not thread.is_alive()


@contextmanager
def listening(kind: Any, **given: Any) -> Iterator[int]:
    """A service on a thread of this process; its port."""
    server = server_of(kind, **given)
    with on_a_thread(server, server.run) as port:
        yield port


@pytest.fixture
def live(request: pytest.FixtureRequest) -> Iterator[int]:
    with listening(request.param) as port:
        yield port


class Clocked:
    """A service with a clock that a test puts forward, and with a count of the bytes it has read."""

    def __init__(self) -> None:
        self.port = 0
        self.bytes_read = 0
        self.loop = SkippingLoop()

    def wait_until_read(self, count: int) -> None:
        wait_until(lambda: self.bytes_read >= count)

    def skip(self, seconds: float) -> None:
        self.loop.call_soon_threadsafe(self.loop.skip, seconds)


@pytest.fixture
def clocked(request: pytest.FixtureRequest) -> Iterator[Clocked]:
    kind: Any = request.param
    service = Clocked()

    def data_received(connection: Any, data: bytes) -> None:
        kind.data_received(connection, data)
        service.bytes_read += len(data)

    server = server_of(type(kind.__name__, (kind,), {"data_received": data_received}))

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: service.loop) as runner:
            runner.run(server.serve())

    with on_a_thread(server, run) as service.port:
        yield service


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)


def everything(connection: socket.socket) -> bytes:
    parts = []
    with suppress(ConnectionResetError):
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def said(port: int, data: bytes) -> tuple[int, dict[str, Any], bytes]:
    """The status, the JSON and the head of the first answer to some bytes, which also end the connection."""
    with connected(port) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(data)
        return parts_of(everything(connection))


def parts_of(answer: bytes) -> tuple[int, dict[str, Any], bytes]:
    """Return the status, the JSON and the head of an answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head[9:12]), json.loads(body), head.lower()


def answers(port: int) -> bool:
    return bool(said(port, ENDED)[1]["status"] == "healthy")


# --- heads ----------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize(
    "head",
    [
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 300_000,
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 100_000,
        b"GET /" + b"a" * 300_000,
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 3000 + b"\r\n\r\n",
    ],
    ids=["one header", "many headers", "the path", "in one piece"],
)
def test_a_head_that_is_too_long(live: int, head: bytes) -> None:
    status, problem, lines = said(live, head)
    assert (status, problem["code"]) == (431, "HEAD_TOO_LARGE")
    assert f"more than {HEAD} bytes" in problem["detail"]
    assert b"connection: close" in lines
    assert b"content-type: application/problem+json" in lines
    assert answers(live)


@both
def test_a_head_of_the_size_allowed_and_a_body_behind_it(live: int) -> None:
    body = json.dumps({"text": "start", "game": "chess"}).encode() + b" " * 50_000
    lines = [b"POST /api/v1/moves HTTP/1.1", b"Host: localhost", b"Content-Type: application/json"]
    lines += [b"Connection: close", b"X: " + b"a" * 1700, b"Content-Length: %d" % len(body)]
    status, found, _ = said(live, b"\r\n".join((*lines, b"", body)))
    assert (status, len(found["moves"])) == (200, 20)


@both
def test_trailers_are_bounded_too(live: int) -> None:
    lines = b"POST /api/v1/batch/check HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connected(live) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(lines + b"0\r\n" + b"X: a\r\n" * 200_000 + b"\r\n")
        # The answer had begun: it is broken off, and not made to look complete.
        assert not everything(connection).endswith(b"0\r\n\r\n")
    assert answers(live)


@both_clocked
def test_a_head_that_is_not_finished(clocked: Clocked) -> None:
    begun = b"GET /healthz HTTP/1.1\r\nHost: loc"
    with connected(clocked.port) as connection:
        connection.sendall(begun)
        clocked.wait_until_read(len(begun))
        clocked.skip(HEAD_TIME)
        status, problem, _ = parts_of(everything(connection))
    assert (status, problem["code"]) == (408, "TIMEOUT")
    assert f"{HEAD_TIME:g} s" in problem["detail"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_connection_over_which_nothing_is_sent(kind: Any) -> None:
    with listening(kind, head_time=0.1) as port, connected(port) as silent:
        assert everything(silent) == b""


@both_clocked
def test_a_head_that_comes_in_drops(clocked: Clocked) -> None:
    """Each byte is in time; the head as a whole is not."""
    begun = b"GET "
    with connected(clocked.port) as connection:
        for number, byte in enumerate(begun, start=1):
            connection.sendall(bytes((byte,)))
            clocked.wait_until_read(number)
            clocked.skip(HEAD_TIME / len(begun))
        assert b" 408 " in everything(connection).split(b"\r\n")[0]
        with pytest.raises(OSError):
            while True:
                connection.sendall(b"X")
    assert answers(clocked.port)


@both_clocked
def test_a_second_head_that_is_not_finished(clocked: Clocked) -> None:
    begun = b"GET /hea"
    with connected(clocked.port) as connection:
        connection.sendall(ASKED)
        first = b""
        while b"healthy" not in first:
            part = connection.recv(65536)
            assert part, first
            first += part
        connection.sendall(begun)
        clocked.wait_until_read(len(ASKED + begun))
        clocked.skip(HEAD_TIME)
        assert b" 408 " in everything(connection).split(b"\r\n")[0]


@both
def test_what_is_not_http(live: int) -> None:
    for data in (b"\x00\x01\x02\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"):
        status, problem, _ = said(live, data)
        assert (status, problem["code"]) == (400, "BAD_REQUEST"), data


# --- names on the wire ----------------------------------------------------------------------------------


@both
def test_hosts_on_the_wire(live: int) -> None:
    def status(line: bytes, *hosts: bytes) -> int:
        lines = (line, *(b"Host: " + host for host in hosts), b"Connection: close", b"", b"")
        return said(live, b"\r\n".join(lines))[0]

    get = b"GET /healthz HTTP/1.1"
    assert status(get, b"[::1]:8000") == 200
    assert status(get, b"LOCALHOST.:1") == 200
    assert status(get, b"elsewhere.example") == 421
    assert status(get, b"") in (400, 421)
    assert status(get) == 400
    assert status(get, b"localhost", b"localhost") == 400
    assert status(get, b"localhost", b"elsewhere.example") == 400
    assert status(b"GET /healthz HTTP/1.0") == 200
    assert status(b"GET /healthz HTTP/1.0", b"elsewhere.example") == 421
    assert status(b"GET http://elsewhere.example/healthz HTTP/1.1", b"elsewhere.example") == 421
    assert status(b"GET http://localhost/healthz HTTP/1.1", b"localhost") in (200, 404)


@both
def test_an_absolute_target_of_another_host_was_answered(live: int) -> None:
    def status(target: bytes, method: bytes = b"GET") -> int:
        lines = (method + b" " + target + b" HTTP/1.1", b"Host: localhost", b"Connection: close", b"", b"")
        return said(live, b"\r\n".join(lines))[0]

    for target in (
        b"http://evil/",
        b"http://evil/healthz",
        b"HTTP://evil:80/healthz?x=1",
        b"http://localhost@evil/healthz",
        b"http://evil@localhost/healthz",
        b"https://evil/healthz",
        b"ftp://evil/healthz",
        b"http://evil",
    ):
        assert status(target) in (400, 421), target
        assert status(target, b"OPTIONS") in (400, 421), target
    assert status(b"//evil/healthz") in (200, 404), "a path"
    assert status(b"http://localhost:8000/healthz") in (200, 404)


# --- connections ----------------------------------------------------------------------------------------


@both
def test_connections_without_a_request_give_way(live: int) -> None:
    """Five times as many half-sent heads as there are places do not keep anybody from being answered."""
    half = [connected(live) for _ in range(5 * PLACES)]
    try:
        for connection in half:
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(b"GET / HTTP/1.1\r\n")
        assert answers(live)
    finally:
        for connection in half:
            connection.close()


@pytest.mark.parametrize("kind", KINDS)
def test_when_every_connection_has_a_request_the_next_is_refused(kind: Any) -> None:
    begun = b"POST /api/v1/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    begun += b"Content-Length: 9\r\n\r\n"
    with listening(kind, time_limit=HEAD_TIME) as port:
        held: list[socket.socket] = []
        try:
            # Each begins at once: one that says nothing yet gives up its place where there is none left, and
            # the one that asked whether the service listens may not be gone.
            for _ in range(PLACES):
                held.append(connected(port))
                held[-1].sendall(begun)
            # Each has been read when the last is answered that waits for its body.
            held[0].sendall(b"{}       ")
            assert b" 400 " in held[0].recv(65536)
            held[0].sendall(begun)
            while (found := said(port, ENDED))[0] != 503:
                held.append(connected(port))
                held[-1].sendall(begun)
                assert len(held) < 100
            assert found[1]["code"] == "BUSY"
            assert b"retry-after: 1" in found[2]
        finally:
            for connection in held:
                connection.close()
        assert answers(port)


def test_connections_are_as_many_as_the_system_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    limits = [1024, 1024]
    monkeypatch.setattr(resource, "getrlimit", lambda _: tuple(limits))
    monkeypatch.setattr(resource, "setrlimit", lambda _, given: limits.__setitem__(slice(None), given))
    assert reserve_connections(100) == 100
    assert reserve_connections(1000) == 1024 - BACKLOG - OWN_FILES
    limits[:] = [256, 4096]
    assert reserve_connections(1000) == 1000
    assert limits == [1000 + BACKLOG + OWN_FILES, 4096]
    limits[:] = [256, 256]
    assert reserve_connections(1000) == 256 // 2 - OWN_FILES
    limits[:] = [20, 20]
    assert reserve_connections(1000) == 1

    def refuse(*_: Any) -> None:
        raise ValueError

    limits[:] = [700, 4096]
    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert reserve_connections(1000) == 286
    monkeypatch.setattr("forsyth.server.bounds.listening.resource", None)
    assert reserve_connections(1000) == 1000


@both
@pytest.mark.parametrize("length", [b"70000", b"9" * 15], ids=["a little", "by far"])
def test_a_body_that_is_said_to_be_too_long_is_not_waited_for(live: int, length: bytes) -> None:
    head = b"POST /api/v1/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    status, problem, lines = said(live, head + b"Content-Length: " + length + b"\r\n\r\n{}")
    assert (status, problem["code"]) == (413, "TOO_LARGE")
    assert b"connection: close" in lines
    assert answers(live)


@pytest.mark.parametrize("path", ["/api/v1/validate-fen", "/api/v1/read"])
def test_a_client_that_goes_away_amid_its_body_is_no_error_of_the_service(
    path: str, caplog: pytest.LogCaptureFixture
) -> None:
    parts = iter(({"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}))
    sent: list[Any] = []

    async def receive() -> Any:
        return next(parts)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {"headers": headers, "scheme": "http", "http_version": "1.1", "client": ("127.0.0.1", 5)}
    asyncio.run(create_app(Settings(), MemoryStore())(scope, receive, send))
    assert sent == []
    assert caplog.records == []


# --- clients that end their side ------------------------------------------------------------------------


READ = json.dumps({"text": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}).encode()
POSTED = (
    b"POST /api/v1/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n" % len(READ)
) + READ


@both
@pytest.mark.parametrize("sent", [ASKED, ENDED, POSTED, ASKED + POSTED, ASKED.replace(b"1.1", b"1.0")])
def test_a_client_that_ends_its_side_got_no_answer(
    live: int, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However slow the machine is, the request is quick.
    monkeypatch.setattr(listening_module, "PROBE_SECONDS", 3600.0)
    with connected(live) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        received = everything(connection)
    assert received.count(b" 200 OK\r\n") == sent.count(b"HTTP/1."), received
    assert received.startswith(b"HTTP/1.1 200 OK"), "no interim response to a quick request"
    assert received.endswith(b"}")


@both
@pytest.mark.parametrize("sent", [b"", ASKED[:30], POSTED[:-9], b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_client_that_ends_its_side_amid_a_request_is_let_go(live: int, sent: bytes) -> None:
    with connected(live) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        assert b" 200 " not in everything(connection)
    assert answers(live)


class Waiting:
    """An application that answers when it is told to, and notes when its client is gone."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.gone = threading.Event()
        self.finish = threading.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.begun.set()
        message = await receive()
        waiting = asyncio.ensure_future(receive())
        while not self.finish.is_set() and not waiting.done():
            await asyncio.wait([waiting], timeout=0.01)
        if waiting.done():
            self.gone.set()
            return
        waiting.cancel()
        assert message["type"] == "http.request"
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


@contextmanager
def waiting_service(kind: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Waiting, int]]:
    monkeypatch.setattr(listening_module, "PROBE_SECONDS", 0.02)
    app = Waiting()
    config = Config(app, Settings(), port=0, lifespan="off")
    config.http = kind
    server = uvicorn.Server(config)
    with on_a_thread(server, server.run) as port:
        yield app, port


@pytest.mark.parametrize("kind", KINDS)
def test_a_client_that_is_gone_is_noticed_while_its_answer_is_computed(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with waiting_service(kind, monkeypatch) as (app, port):
        with connected(port) as connection:
            connection.sendall(ASKED)
            assert app.begun.wait(TIMEOUT)
        assert app.gone.wait(TIMEOUT)


@pytest.mark.parametrize("kind", KINDS)
def test_a_client_that_waits_skips_the_probes(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with waiting_service(kind, monkeypatch) as (app, port), connected(port) as connection:
        connection.sendall(ASKED)
        connection.shutdown(socket.SHUT_WR)
        assert app.begun.wait(TIMEOUT)
        assert connection.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        app.finish.set()
        received = everything(connection)
        *probes, answer = received.split(b"HTTP/1.1 ")
        assert set(probes) <= {b"", b"100 Continue\r\n\r\n"}
        assert answer.startswith(b"200 OK") and answer.endswith(b"\r\n\r\nok")
        assert not app.gone.is_set()


# --- the log --------------------------------------------------------------------------------------------


@both
def test_a_client_wrote_as_many_lines_into_the_log_as_it_liked(
    live: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_limit._LOG_LIMIT, "_clients", OrderedDict())
    logger = logging.getLogger("uvicorn.error")
    logger.addHandler(caplog.handler)
    try:
        for _ in range(4 * LINES_PER_MINUTE):
            assert said(live, b"\x00\r\n\r\n")[0] == 400
    finally:
        logger.removeHandler(caplog.handler)
    lines = [record for record in caplog.records if "Invalid HTTP" in record.getMessage()]
    assert LINES_PER_MINUTE <= len(lines) < 3 * LINES_PER_MINUTE


def test_a_line_of_the_log_counts_those_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("forsyth.server.bounds.rates.time.monotonic", lambda: now)
    limit = LogLimit()

    def written(address: str) -> list[str]:
        lines = []
        for number in range(3 * LINES_PER_MINUTE):
            record = logging.LogRecord("x", logging.ERROR, "x", 1, "line %d", (number,), None)
            token = client_address.set(address)
            if limit.filter(record):
                lines.append(record.getMessage())
            client_address.reset(token)
        return lines

    assert written("10.0.0.1") == [f"line {number}" for number in range(LINES_PER_MINUTE)]
    assert len(written("10.0.0.2")) == LINES_PER_MINUTE, "another client"
    assert len(written("")) == 3 * LINES_PER_MINUTE, "what no client has caused"
    now += 61.0
    first, *rest = written("10.0.0.1")
    assert first == f"line 0 ({2 * LINES_PER_MINUTE} records about 10.0.0.1 were left out)"
    assert len(rest) == LINES_PER_MINUTE - 1
    monkeypatch.setattr("forsyth.server.bounds.log_limit.MAX_CLIENTS", 2)
    written("10.0.0.3")
    assert len(limit._clients) == 2
