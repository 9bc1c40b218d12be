"""Measure the service: validate-fen beside an empty FastAPI route, and two hundred clients at once.

The server runs in a process of its own, with the service and a bare FastAPI application side by side; the
clients run here. First the two routes take turns, a second each, over the same connections. Then 200 clients
work for a while, validating, listing moves and saving: no answer may be an error, no saved position may be
lost, and the memory of the server must stay flat. Exit status 0 when all of that holds, 1 when not.
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

from bench.report import table

LEAST_RATIO: Final = 0.6
MOST_GROWTH: Final = 1.15
"""How much the memory of the server may grow between the first and the last third of the load."""
CONNECTIONS: Final = 8
CLIENTS: Final = 200
START: Final = (
    "BYRK|WBYR|KWBY|RKWB|YRKW/-/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-"
    "/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/0,0/1/0"
)
OVERFULL: Final = START.replace("/-/", "/BYRKW/", 1)
"""The text of the source document, about which there are three warnings."""
VALIDATE: Final = "/api/v1/validate-fen"
EMPTY: Final = "empty"
SOUND: Final = "validate"
ODD: Final = "validate with findings"


# --- the server -------------------------------------------------------------------------------------


def _serve(store: str, ready: Any) -> None:
    """Both applications behind one port; the port goes through `ready` once they listen."""
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

    async def both(scope: Any, receive: Any, send: Any) -> None:
        chosen = bare if scope.get("path") == "/empty" else service
        await chosen(scope, receive, send)

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            ready.send(self.servers[0].sockets[0].getsockname()[1])

    Server(Config(both, Settings(), port=0)).run()


# --- clients ----------------------------------------------------------------------------------------


def request(method: str, path: str, body: Any = None) -> bytes:
    """The bytes of one request over a connection that is kept."""
    data = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data


class Connection:
    """One kept connection that sends prepared bytes and reads the answer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> Connection:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def ask(self, data: bytes) -> tuple[int, bytes]:
        """The status and the body of the answer."""
        self._writer.write(data)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        return int(head[9:12]), await self._reader.readexactly(int(length or 0))

    def close(self) -> None:
        self._writer.close()


async def _rate(connections: list[Connection], data: bytes, seconds: float) -> float:
    """Answers per second when every connection asks the same again and again."""
    end = perf_counter() + seconds

    async def ask(connection: Connection) -> int:
        count = 0
        while perf_counter() < end:
            status, _ = await connection.ask(data)
            if status != 200:
                raise RuntimeError(f"status {status}")
            count += 1
        return count

    return sum(await asyncio.gather(*map(ask, connections))) / seconds


async def throughput(port: int, turns: int, seconds: float) -> dict[str, float]:
    """Answers per second of each call, medians of turns that they take one after the other."""
    connections = [await Connection.open(port) for _ in range(CONNECTIONS)]
    asked = {
        EMPTY: request("POST", "/empty", {"fen_string": START}),
        SOUND: request("POST", VALIDATE, {"fen_string": START}),
        ODD: request("POST", VALIDATE, {"fen_string": OVERFULL}),
    }
    rates: dict[str, list[float]] = {name: [] for name in asked}
    for turn in range(turns + 1):
        for name, data in asked.items():
            rate = await _rate(connections, data, seconds)
            # The first turn is warm-up.
            if turn:
                rates[name].append(rate)
    for connection in connections:
        connection.close()
    return {name: statistics.median(found) for name, found in rates.items()}


@dataclass
class Load:
    """What two hundred clients saw."""

    answers: int = 0
    errors: list[str] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)
    lost: int = 0
    memory: list[int] = field(default_factory=list)
    """Bytes of the server, one sample a second."""

    @property
    def growth(self) -> float:
        """The memory of the last third of the time against that of the first."""
        third = max(1, len(self.memory) // 3)
        return statistics.median(self.memory[-third:]) / statistics.median(self.memory[:third])


async def load(port: int, server: int, seconds: float) -> Load:
    """Every client validates, lists moves and saves positions in turn, for as long as is asked."""
    seen = Load()
    end = perf_counter() + seconds
    validate = request("POST", VALIDATE, {"fen_string": START})
    moves = request("POST", "/api/v1/moves", {"text": "start", "game": "chess"})

    async def client(number: int) -> None:
        connection = await Connection.open(port)
        turn = 0
        while perf_counter() < end:
            name = f"client {number} turn {turn}"
            save = {"text": "start", "game": "chess", "name": name}
            for data in (validate, moves, request("POST", "/api/v1/library", save)):
                status, body = await connection.ask(data)
                seen.answers += 1
                if not 200 <= status < 300:
                    seen.errors.append(f"{status} {body[:80]!r}")
            seen.saved.append(json.loads(body).get("id", ""))
            turn += 1
        connection.close()

    async def watch() -> None:
        while perf_counter() < end:
            seen.memory.append(_memory_of(server))
            await asyncio.sleep(1)

    await asyncio.gather(watch(), *(client(number) for number in range(CLIENTS)))
    await _count_lost(port, seen)
    return seen


async def _count_lost(port: int, seen: Load) -> None:
    connection = await Connection.open(port)
    for id in seen.saved:
        status, _ = await connection.ask(request("GET", f"/api/v1/library/{id}"))
        seen.lost += status != 200
    connection.close()


def _memory_of(process: int) -> int:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


# --- the run ----------------------------------------------------------------------------------------


def _with_server(run: Callable[[int, int], Awaitable[Any]]) -> Any:
    """What a run against a server of its own gives; the server ends with it."""
    ours, theirs = multiprocessing.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "store.sqlite")
        process = multiprocessing.get_context("spawn").Process(target=_serve, args=(store, theirs))
        process.start()
        try:
            return asyncio.run(run(ours.recv(), process.pid or 0))  # type: ignore[arg-type]
        finally:
            process.terminate()
            process.join()


def main(arguments: list[str] | None = None) -> int:
    """Run, print, and answer with the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.server", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three turns and five seconds of load")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args(arguments)
    turns, seconds = (3, 5.0) if options.quick else (7, 30.0)

    async def run(port: int, server: int) -> tuple[dict[str, float], Load]:
        return await throughput(port, turns, 1.0), await load(port, server, seconds)

    rates, seen = _with_server(run)
    ratios = {name: rate / rates[EMPTY] for name, rate in rates.items()}
    met = [
        ratios[SOUND] >= LEAST_RATIO,
        not seen.errors,
        not seen.lost,
        seen.growth <= MOST_GROWTH,
    ]
    if options.json:
        figures = {
            "per_second": rates,
            "ratios": ratios,
            "clients": CLIENTS,
            "answers": seen.answers,
            "errors": len(seen.errors),
            "saved": len(seen.saved),
            "lost": seen.lost,
            "memory_growth": seen.growth,
            "met": all(met),
        }
        print(json.dumps(figures, indent=2))
        return 0 if all(met) else 1
    said = ["met" if one else "NOT MET" for one in met]
    rows = [
        ("service", "figure", "required", "verdict"),
        ("validate-fen against an empty route", f"{ratios[SOUND]:.2f}×", f"≥ {LEAST_RATIO}×", said[0]),
        ("the same for a text with three findings", f"{ratios[ODD]:.2f}×", "", ""),
        (f"errors in {seen.answers:,} answers to {CLIENTS} clients", str(len(seen.errors)), "0", said[1]),
        (f"lost of {len(seen.saved):,} saved positions", str(seen.lost), "0", said[2]),
        ("memory at the end against the beginning", f"{seen.growth:.2f}×", f"≤ {MOST_GROWTH}×", said[3]),
    ]
    print(table(rows, left={0, 3}))
    print(f"\n{rates[SOUND]:,.0f} validate-fen and {rates[EMPTY]:,.0f} empty answers a second")
    for error in sorted(set(seen.errors))[:5]:
        print(error)
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
