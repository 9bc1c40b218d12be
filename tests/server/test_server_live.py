"""The service as people run it, over real connections: streams, slow clients, a graceful stop."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sys
import threading
import tracemalloc
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.polling import TIMEOUT, wait_until
from tests.server.serving import Serving, serving

import forsyth
from forsyth.resolver import GameChoice
from forsyth.server.bounds.compute_slots import ComputeSlots
from forsyth.server.routes.batch import LineSplitter, answer_lines, make_checker
from forsyth.server.settings import Settings
from forsyth.store import MemoryStore

CHESS = forsyth.game("chess").start
LINE = json.dumps(CHESS).encode() + b"\n"

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")


@pytest.fixture(scope="module")
def live() -> Iterator[Serving]:
    with serving() as found:
        yield found


@pytest.fixture(scope="module")
def impatient() -> Iterator[Serving]:
    """A service that gives up what takes longer than 1.5 s, also where only this machine is slow."""
    with serving(FORSYTH_TIME_LIMIT="1.5") as found:
        yield found


def connected(live: Serving) -> socket.socket:
    return socket.create_connection(("127.0.0.1", live.port), timeout=TIMEOUT)


def head(path: str, *lines: str, method: str = "POST") -> bytes:
    return "\r\n".join((f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", "")).encode()


def everything(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def received_until(connection: socket.socket, end: bytes) -> bytes:
    """Return what is received up to `end`, or a little more.

    Raise AssertionError if the connection ends before.
    """
    found = b""
    while end not in found:
        part = connection.recv(65536)
        assert part, found
        found += part
    return found


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def unchunked(body: bytes) -> bytes:
    parts = []
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        parts.append(rest[:length])
        body = rest[length + 2 :]
    return b"".join(parts)


def rss(process: int) -> int:
    """Kilobytes of memory in use."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


# --- batches --------------------------------------------------------------------------------------------


def test_a_batch_answers_while_it_is_sent(live: Serving) -> None:
    with connected(live) as connection:
        kind = "Content-Type: application/x-ndjson"
        connection.sendall(head("/api/v1/batch/check", kind, "Transfer-Encoding: chunked"))
        connection.sendall(chunk(LINE))
        assert b"200 OK" in received_until(connection, b'"line":1')
        connection.sendall(chunk(b'{"text": "8/8"}\n') + b"0\r\n\r\n")
        assert b'"line":2' in received_until(connection, b"\r\n0\r\n\r\n")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_batch_of_20000_lines_in_constant_memory() -> None:
    """Ten times as many lines take no more memory: the second batch must not grow the process."""
    before = 0
    with serving() as live:
        for lines in (2_000, 20_000):
            answers = _batch(live, lines)
            assert len(answers) == lines
            assert json.loads(answers[-1])["line"] == lines
            assert json.loads(answers[-1])["ok"] is True
            if not before:
                before = rss(live.process.pid)
        assert rss(live.process.pid) - before < 8_000


def _batch(live: Serving, lines: int) -> list[bytes]:
    body = LINE * lines
    with connected(live) as connection:
        # `sendall` counts the time of the whole batch.
        connection.settimeout(10 * TIMEOUT)
        start = head("/api/v1/batch/check?game=chess", f"Content-Length: {len(body)}", "Connection: close")
        sender = threading.Thread(target=connection.sendall, args=(start + body,))
        sender.start()
        found = everything(connection)
        sender.join()
    return unchunked(found.partition(b"\r\n\r\n")[2]).splitlines()


def test_a_batch_holds_one_part_at_a_time() -> None:
    """The same without a connection, where every allocation can be seen."""

    async def parts() -> AsyncIterator[bytes]:
        for _ in range(400):
            yield LINE * 50

    async def run() -> int:
        reader = make_checker(GameChoice("chess"), "default", MemoryStore(), 16384)
        lines = 0
        async for part in answer_lines(parts(), reader, LineSplitter(16384), ComputeSlots(Settings()), {}):
            lines += part.count(b"\n")
        return lines

    tracemalloc.start()
    try:
        assert asyncio.run(run()) == 20_000
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_lines_that_are_no_texts_are_answered_and_the_batch_goes_on(live: Serving) -> None:
    lines = [
        b"nonsense",
        b"5",
        b'{"text": 5}',
        b"",
        b'"' + b"x" * 20_000 + b'"',
        b"[" * 3000,
        b"\xff",
        LINE[:-1],
    ]
    request = urllib.request.Request(f"{live.address}/api/v1/batch/check", b"\n".join(lines))
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        found = [json.loads(line) for line in answer]
    assert [one["line"] for one in found] == [1, 2, 3, 5, 6, 7, 8]
    assert [one["ok"] for one in found] == [False] * 6 + [True]
    assert {one["diagnostics"][0]["code"] for one in found[:-1]} == {"fen.type"}
    assert list(found[-1]) == ["line", *forsyth.check(CHESS).to_dict()]


# --- slow and rude clients ------------------------------------------------------------------------------


def test_a_client_that_does_not_send_its_body_is_given_up(impatient: Serving) -> None:
    with connected(impatient) as connection:
        connection.sendall(
            head("/api/v1/read", "Content-Type: application/json", "Content-Length: 100") + b'{"text"'
        )
        found = everything(connection)
    assert b" 408 " in found.split(b"\r\n")[0]
    assert b'"code":"TIMEOUT"' in found


def test_a_client_that_goes_away_hurts_nobody(live: Serving) -> None:
    for _ in range(5):
        with connected(live) as connection:
            connection.sendall(head("/api/v1/read", "Content-Type: application/json", "Content-Length: 100"))
        with connected(live) as connection:
            connection.sendall(b"\x00\x01\x02 nonsense\r\n\r\n")
    with urllib.request.urlopen(f"{live.address}/healthz", timeout=TIMEOUT) as answer:
        assert json.load(answer)["status"] == "healthy"


def test_a_long_body_is_refused_before_it_is_all_sent(live: Serving) -> None:
    with connected(live) as connection:
        kind = "Content-Type: application/json"
        # The service may refuse it, and end the connection, before all of this is sent.
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(head("/api/v1/read", kind, "Content-Length: 100000000") + b" " * 70_000)
        found = connection.recv(65536)
    assert b" 413 " in found.split(b"\r\n")[0]


def test_a_client_that_does_not_read_is_given_up(impatient: Serving) -> None:
    """Both would wait for ever: the client to get rid of its lines, the service of its answers."""
    body = LINE * 200_000
    with connected(impatient) as connection:
        connection.settimeout(4)
        start = head("/api/v1/batch/check?game=chess", f"Content-Length: {len(body)}")
        with pytest.raises(OSError):
            connection.sendall(start + body)
        # When it is noticed depends on how fast the lines before it are answered.
        wait_until(lambda: requests_in_flight(impatient) == 1)


def requests_in_flight(live: Serving) -> int | None:
    """Return how many requests the service is working on, this one included.

    Return None if its limit of time is over before it has answered.
    """
    try:
        with urllib.request.urlopen(f"{live.address}/metrics", timeout=TIMEOUT) as answer:
            line = re.search(rb"^forsyth_requests_in_flight (\d+)$", answer.read(), re.MULTILINE)
    except urllib.error.HTTPError as error:
        with error:
            assert error.code == 503
        return None
    assert line is not None
    return int(line[1])


def accepts_connections(live: Serving) -> bool:
    """Return whether the service still listens."""
    try:
        connected(live).close()
    except (ConnectionRefusedError, ConnectionResetError):
        return False
    return True


# --- stopping -------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_in_flight_finishes_when_the_service_is_stopped(number: signal.Signals) -> None:
    body = json.dumps({"text": CHESS}).encode()
    with serving() as live, connected(live) as connection:
        kind = "Content-Type: application/json"
        connection.sendall(head("/api/v1/read", kind, f"Content-Length: {len(body)}") + body[:10])
        wait_until(lambda: requests_in_flight(live) == 2)
        os.kill(live.process.pid, number)
        wait_until(lambda: not accepts_connections(live))
        assert live.process.poll() is None
        connection.sendall(body[10:])
        found = everything(connection)
        assert b" 200 " in found.split(b"\r\n")[0]
        assert b'"ok":true' in found
        assert live.process.wait(TIMEOUT) == 0


@posix
def test_several_processes_share_one_store(tmp_path: Path) -> None:
    store = str(tmp_path / "positions.sqlite")
    with serving("--workers", "2", "--store", store) as live:
        request = urllib.request.Request(
            f"{live.address}/api/v1/states",
            json.dumps({"text": CHESS}).encode(),
            {"Content-Type": "application/json"},
            method="PUT",
        )
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            kept: dict[str, Any] = json.load(answer)
        for _ in range(6):
            with urllib.request.urlopen(
                f"{live.address}/api/v1/states/{kept['state_id']}", timeout=TIMEOUT
            ) as answer:
                assert json.load(answer) == kept
        live.process.terminate()
        assert live.process.wait(TIMEOUT) == 0


def test_what_cannot_be_served_is_said_in_a_sentence(live: Serving) -> None:
    from click.testing import CliRunner

    from forsyth.cli.app import forsyth as command

    run = CliRunner()
    taken = run.invoke(command, ["serve", "--port", str(live.port), "--store", ":memory:"])
    assert taken.exit_code == 2
    assert "cannot listen on" in taken.output
