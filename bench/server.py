"""Measure the service: validate-fen beside an empty FastAPI route, and two hundred clients at once.

The service and a bare FastAPI application run in one process, and the clients in this one. First the two
routes take turns of one second over the same connections. Then 200 clients validate, list moves and save for
a while. No answer may be an error, no saved position may be lost, and the memory of the server must not grow.
The exit status is 0 if every requirement is met, else 1.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from bench.report import format_table

MIN_RATIO: Final = 0.6
"""Minimum rate of validate-fen as a share of the rate of the empty route."""
MAX_GROWTH: Final = 1.15
"""Maximum ratio of the server's memory in the last third of the load to that in the first third."""
CONNECTIONS: Final = 8
CLIENTS: Final = 200
START: Final = (
    "BYRK|WBYR|KWBY|RKWB|YRKW/-/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-"
    "/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/0,0/1/0"
)
OVERFULL: Final = START.replace("/-/", "/BYRKW/", 1)
"""A text of the source document that leads to three warnings."""
VALIDATE: Final = "/api/v1/validate-fen"
EMPTY: Final = "empty"
VALID: Final = "validate"
WITH_FINDINGS: Final = "validate with findings"
"""Names of the requests whose rates are compared."""


# --- the server -------------------------------------------------------------------------------------


def _serve(store: str, ready: Any) -> None:
    """Serve both applications on one port, and send the port through the pipe `ready` once it is open.

    `store` is the path of the service's library.
    """
    import uvicorn
    from fastapi import FastAPI

    from forsyth.server.app import create_app
    from forsyth.server.bounds.listening import Config
    from forsyth.server.settings import Settings

    service = create_app(Settings(store=store))
    bare = FastAPI()

    @bare.post("/empty")
    async def empty() -> dict[str, str]:
        return {}

    async def dispatch(scope: Any, receive: Any, send: Any) -> None:
        application = bare if scope.get("path") == "/empty" else service
        await application(scope, receive, send)

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            ready.send(self.servers[0].sockets[0].getsockname()[1])

    Server(Config(dispatch, Settings(), port=0)).run()


# --- clients ----------------------------------------------------------------------------------------


def build_request(method: str, path: str, body: Any = None) -> bytes:
    """Return the bytes of an HTTP request with a JSON body, for a kept-alive connection."""
    data = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data


class Connection:
    """Kept-alive connection that sends prepared bytes and reads the response."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> Connection:
        """Connect to a local port."""
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def send(self, data: bytes) -> tuple[int, bytes]:
        """Send a request, and return the status and the body of the response."""
        self._writer.write(data)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        return int(head[9:12]), await self._reader.readexactly(int(length or 0))

    def close(self) -> None:
        self._writer.close()


async def _measure_rate(connections: list[Connection], data: bytes, seconds: float) -> float:
    """Return the responses per second when every connection repeats the same request for `seconds` seconds.

    Raise RuntimeError if a response has another status than 200.
    """
    end = perf_counter() + seconds

    async def repeat_request(connection: Connection) -> int:
        count = 0
        while perf_counter() < end:
            status, _ = await connection.send(data)
            if status != 200:
                raise RuntimeError(f"the server responded with status {status}, expected 200")
            count += 1
        return count

    return sum(await asyncio.gather(*map(repeat_request, connections))) / seconds


async def measure_throughput(port: int, turns: int, seconds: float) -> dict[str, float]:
    """Return the responses per second of each request by name.

    The requests take turns of `seconds` seconds. Each rate is the median of `turns` turns after a warm-up
    turn.
    """
    connections = [await Connection.open(port) for _ in range(CONNECTIONS)]
    requests = {
        EMPTY: build_request("POST", "/empty", {"fen_string": START}),
        VALID: build_request("POST", VALIDATE, {"fen_string": START}),
        WITH_FINDINGS: build_request("POST", VALIDATE, {"fen_string": OVERFULL}),
    }
    rates: dict[str, list[float]] = {name: [] for name in requests}
    for turn in range(turns + 1):
        for name, data in requests.items():
            rate = await _measure_rate(connections, data, seconds)
            # The first turn is warm-up.
            if turn:
                rates[name].append(rate)
    for connection in connections:
        connection.close()
    return {name: statistics.median(turn_rates) for name, turn_rates in rates.items()}


@dataclass
class LoadResult:
    """Result of the load by two hundred clients: counts, errors and identifiers of the saved positions."""

    answers: int = 0
    errors: list[str] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)
    lost: int = 0
    memory: list[int] = field(default_factory=list)
    """Memory of the server in bytes, one sample per second."""

    @property
    def growth(self) -> float:
        """Ratio of the median memory in the last third of the time to that in the first third."""
        third = max(1, len(self.memory) // 3)
        return statistics.median(self.memory[-third:]) / statistics.median(self.memory[:third])


async def apply_load(port: int, server: int, seconds: float) -> LoadResult:
    """Let all clients validate, list moves and save positions in turn for `seconds` seconds.

    `server` is the process id of the server.
    """
    result = LoadResult()
    end = perf_counter() + seconds
    validate = build_request("POST", VALIDATE, {"fen_string": START})
    moves = build_request("POST", "/api/v1/moves", {"text": "start", "game": "chess"})

    async def run_client(number: int) -> None:
        connection = await Connection.open(port)
        turn = 0
        while perf_counter() < end:
            name = f"client {number} turn {turn}"
            position = {"text": "start", "game": "chess", "name": name}
            for data in (validate, moves, build_request("POST", "/api/v1/library", position)):
                status, body = await connection.send(data)
                result.answers += 1
                if not 200 <= status < 300:
                    result.errors.append(f"{status} {body[:80]!r}")
            result.saved.append(json.loads(body).get("id", ""))
            turn += 1
        connection.close()

    async def sample_memory() -> None:
        while perf_counter() < end:
            result.memory.append(_memory_bytes(server))
            await asyncio.sleep(1)

    await asyncio.gather(sample_memory(), *(run_client(number) for number in range(CLIENTS)))
    await _count_lost(port, result)
    return result


async def _count_lost(port: int, result: LoadResult) -> None:
    """Look up every saved position, and add the number of missing ones to `result.lost`."""
    connection = await Connection.open(port)
    for identifier in result.saved:
        status, _ = await connection.send(build_request("GET", f"/api/v1/library/{identifier}"))
        result.lost += status != 200
    connection.close()


def _memory_bytes(process: int) -> int:
    """Return the resident memory of a process in bytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


# --- the run ----------------------------------------------------------------------------------------


def _run_with_server(run: Callable[[int, int], Awaitable[Any]]) -> Any:
    """Start a server in a new process, and return the result of `run`. End the server afterwards.

    `run` gets the port and the process id of the server.
    """
    receiver, sender = multiprocessing.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "store.sqlite")
        process = multiprocessing.get_context("spawn").Process(target=_serve, args=(store, sender))
        process.start()
        try:
            return asyncio.run(run(receiver.recv(), process.pid or 0))  # type: ignore[arg-type]
        finally:
            process.terminate()
            process.join()


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Return 0 if every requirement is met, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.server", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="Measure three turns and five seconds of load.")
    parser.add_argument("--json", action="store_true", help="Print JSON instead of a table.")
    options = parser.parse_args(arguments)
    turns, seconds = (3, 5.0) if options.quick else (7, 30.0)

    async def run(port: int, server: int) -> tuple[dict[str, float], LoadResult]:
        return await measure_throughput(port, turns, 1.0), await apply_load(port, server, seconds)

    rates, result = _run_with_server(run)
    ratios = {name: rate / rates[EMPTY] for name, rate in rates.items()}
    checks = [
        ratios[VALID] >= MIN_RATIO,
        not result.errors,
        not result.lost,
        result.growth <= MAX_GROWTH,
    ]
    if options.json:
        figures = {
            "per_second": rates,
            "ratios": ratios,
            "clients": CLIENTS,
            "answers": result.answers,
            "errors": len(result.errors),
            "saved": len(result.saved),
            "lost": result.lost,
            "memory_growth": result.growth,
            "met": all(checks),
        }
        print(json.dumps(figures, indent=2))
        return 0 if all(checks) else 1
    verdicts = ["met" if is_met else "NOT MET" for is_met in checks]
    rows = [
        ("service", "figure", "required", "verdict"),
        ("validate-fen against an empty route", f"{ratios[VALID]:.2f}×", f"≥ {MIN_RATIO}×", verdicts[0]),
        ("the same for a text with three findings", f"{ratios[WITH_FINDINGS]:.2f}×", "", ""),
        (
            f"errors in {result.answers:,} answers to {CLIENTS} clients",
            str(len(result.errors)),
            "0",
            verdicts[1],
        ),
        (f"lost of {len(result.saved):,} saved positions", str(result.lost), "0", verdicts[2]),
        ("memory at the end against the beginning", f"{result.growth:.2f}×", f"≤ {MAX_GROWTH}×", verdicts[3]),
    ]
    print(format_table(rows, left={0, 3}))
    print(f"\n{rates[VALID]:,.0f} validate-fen and {rates[EMPTY]:,.0f} empty answers a second")
    for error in sorted(set(result.errors))[:5]:
        print(error)
    return 0 if all(checks) else 1


if __name__ == "__main__":
    sys.exit(main())
