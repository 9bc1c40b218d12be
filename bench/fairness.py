"""Measure how long one client waits for `moves` beside 30 others with expensive or cheap requests.

Run with ``python -m bench.fairness``. It starts a service on a free port of this machine, and prints the 99th
percentile of each case and their ratio. The promise is a ratio of at most 5.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import cycle
from typing import Final
from urllib.parse import urlencode

BASE: Final = "/api/v1"
CLIENTS: Final = 30
SAMPLES: Final = 100
"""Number of `moves` requests in each case."""

MAX_RATIO: Final = 5.0
"""Highest ratio of the two percentiles that is promised."""

TIMEOUT_SECONDS: Final = 120

Request = tuple[str, str, str | None]
"""Method, path and body."""

_START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_TEXT: Final = json.dumps({"text": _START})
_LINE: Final = {"text": _START, "size": 640, "moves": " ".join(["Nf3", "Nf6", "Ng1", "Ng8"] * 15)}
_MOVES: Final[Request] = ("POST", f"{BASE}/moves", _TEXT)
_CHEAP: Final[Sequence[Request]] = (_MOVES,)
_EXPENSIVE: Final[Sequence[Request]] = (
    ("GET", f"{BASE}/animation.png?{urlencode(_LINE)}", None),
    ("GET", f"{BASE}/draw.png?{urlencode({'text': _START, 'size': 640})}", None),
    ("POST", f"{BASE}/read", _TEXT),
    ("POST", f"{BASE}/batch/check", f"{json.dumps(_START)}\n" * 500),
)


def main() -> None:
    """Measure both cases and print them."""
    with _run_service() as port:
        cheap = _measure(port, _CHEAP)
        expensive = _measure(port, _EXPENSIVE)
    ratio = expensive / cheap
    print(f"moves beside {CLIENTS} clients with cheap requests:     p99 {cheap * 1000:.0f} ms")
    print(f"moves beside {CLIENTS} clients with expensive requests: p99 {expensive * 1000:.0f} ms")
    verdict = "kept" if ratio <= MAX_RATIO else "not kept"
    print(f"ratio {ratio:.1f}, at most {MAX_RATIO:g} is promised: {verdict}")


@contextmanager
def _run_service() -> Iterator[int]:
    """Start a service, yield its port, and stop it."""
    command = [sys.executable, "-m", "forsyth", "serve", "--port", "0", "--store", ":memory:"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            first_line = process.stdout.readline()
            match = re.search(r":(\d+) ", first_line)
            assert match is not None, f"the service did not start: {first_line!r}"
            yield int(match[1])
        finally:
            process.terminate()


def _measure(port: int, load: Sequence[Request]) -> float:
    """Return the 99th percentile of the seconds of `moves` while other clients send `load`."""
    stop = threading.Event()
    clients = [
        threading.Thread(target=_send_until, args=(port, load, number, stop)) for number in range(CLIENTS)
    ]
    for client in clients:
        client.start()
    seconds = []
    for _ in range(SAMPLES):
        started_at = time.perf_counter()
        _send(port, _MOVES)
        seconds.append(time.perf_counter() - started_at)
    stop.set()
    for client in clients:
        client.join()
    return sorted(seconds)[SAMPLES * 99 // 100]


def _send_until(port: int, load: Sequence[Request], first: int, stop: threading.Event) -> None:
    """Send the requests of `load` in turn, beginning at one of them, until `stop` is set."""
    for number in cycle(range(len(load))):
        if stop.is_set():
            return
        _send(port, load[(first + number) % len(load)])


def _send(port: int, request: Request) -> None:
    """Send one request and read its response."""
    method, path, body = request
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        connection.getresponse().read()
    finally:
        connection.close()


if __name__ == "__main__":
    main()
