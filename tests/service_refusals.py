"""What the service refuses, and its pages, as it is kept: tests/golden/answers/README.md says what for.

`python -m tests.service_refusals` writes it anew, for a change that is meant; read the difference before it
is kept.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.testclient import TestClient
from tests.answers import BASE, FOLDER, kept

import forsyth
from forsyth.diagnostics import FenError, MoveError
from forsyth.registry import UnknownGameError
from forsyth.server import Settings, create_app
from forsyth.server.metrics import Metrics
from forsyth.server.problems import TITLES, Problem, make_body_too_large_problem, to_problem
from forsyth.store import MemoryStore, StoreError

FILE: Final = FOLDER / "service_refusals.jsonl"

_START: Final = forsyth.game("chess").start
_BROKEN: Final = "8/8/8/8/8/8/8/9 w - - 0 1"
_CHANGING: Final = ("content-length", "content-encoding", "etag", "last-modified", "date", "server-timing")
_FOREIGN: Final = {"Origin": "https://elsewhere.example"}
_KEY: Final = {"X-API-Key": "right"}


def _errors() -> Iterator[Exception]:
    yield from (Problem(400, code, "a sentence") for code in (*TITLES, "BOARD_DIGIT"))
    yield from (HTTPException(status) for status in (400, 404, 405, 406, 413, 415))
    yield make_body_too_large_problem(64)
    yield UnknownGameError("go")
    yield MoveError("illegal", "e5", "e5 is not legal", ("e4",))
    yield FenError(_BROKEN, forsyth.read(_BROKEN, "chess").diagnostics)
    yield StoreError("a place on this machine")
    yield RuntimeError("a secret")


def _settings() -> Iterator[str]:
    for given in (
        {"port": -1},
        {"port": 65536},
        {"workers": 0},
        {"rate_limit": -1},
        {"body_limit": 0},
        {"time_limit": 0},
        {"line_limit": 0},
        {"head_limit": 0},
        {"head_time": 0},
        {"connections": 0},
        {"computing": 0},
        {"waiting": -1},
        {"api_key": ""},
        {"api_key": "a b"},
        {"cors": ("elsewhere",)},
        {"allow_host": ("x:5",)},
        {"trust_proxy": ("here",)},
    ):
        try:
            Settings(**given)
            yield "taken"
        except ValueError as error:
            yield str(error)
    for variable, value in (("FORSYTH_API_KEY", ""), ("FORSYTH_PORT", "x"), ("FORSYTH_WORKERS", "0")):
        try:
            yield str(Settings.from_environment({variable: value}))
        except ValueError as error:
            yield f"{variable}: {error}"
    yield json.dumps(Settings(cors=("https://a.example",), api_key="k").to_environment())


_ASKED: Final[tuple[tuple[str, str, dict[str, str], Any], ...]] = (
    ("GET", "/nothing.html", {}, None),
    ("GET", "/nothing", {}, None),
    ("GET", "/robots.txt", {}, None),
    ("GET", "/assets/nothing.js", {}, None),
    ("GET", f"/embed?text={_START.replace('/', '%2F').replace(' ', '_')}", {}, None),
    ("GET", "/embed?text=nonsense", {}, None),
    ("GET", "/embed?text=start&game=chess&theme=dark", {}, None),
    ("GET", "/embed?text=start&game=chess&theme=light", {}, None),
    ("GET", "/healthz", {"Host": "elsewhere.example"}, None),
    ("GET", BASE + "/games/go", _FOREIGN, None),
    ("OPTIONS", BASE + "/read", {**_FOREIGN, "Access-Control-Request-Method": "POST"}, None),
    ("POST", BASE + "/read", _FOREIGN, {"text": _START}),
    ("POST", BASE + "/read", {"Sec-Fetch-Site": "cross-site"}, {"text": _START}),
    ("POST", BASE + "/read", {"Content-Type": "text/plain"}, b"{}"),
    ("POST", BASE + "/read", {"Content-Type": "application/json"}, b"{"),
    ("POST", BASE + "/read", {"Content-Type": "application/json"}, b""),
    ("POST", BASE + "/read", {"Content-Type": "application/json"}, b"\xff"),
    ("POST", BASE + "/read", {}, {"text": "x" * 5000}),
    ("POST", BASE + "/read", {}, {"text": _START, "flip": "maybe"}),
    ("POST", BASE + "/read", {}, {"text": _START, "mode": 5}),
    ("PUT", BASE + "/states", {}, {"text": _START}),
    ("PUT", BASE + "/states", {"X-API-Key": "wrong"}, {"text": _START}),
    ("PUT", BASE + "/states", _KEY, {"text": _START}),
    ("PUT", BASE + "/states", {"Authorization": "Bearer right"}, {"text": _START}),
    ("POST", BASE + "/convert", {}, {"text": _START, "to": "state"}),
    ("POST", BASE + "/convert", _KEY, {"text": _START, "to": "state"}),
    ("POST", BASE + "/library", {}, {"text": _START, "name": "x"}),
    ("POST", BASE + "/library", _KEY, {"text": _START, "name": "x", "tags": ["x"] * 500}),
    ("POST", BASE + "/library", _KEY, {"text": _START, "name": 5}),
    ("DELETE", BASE + "/library/nothing", {}, None),
    ("GET", BASE + "/draw.svg?text=start&game=chess&arrow=e2", {}, None),
    ("GET", BASE + "/draw.svg?text=start&game=chess&circle=z9", {}, None),
    ("GET", BASE + "/draw.svg?text=start&game=chess&look=clouds", {}, None),
    ("GET", BASE + "/draw.svg?text=start&game=chess&board=clouds", {}, None),
    ("GET", BASE + "/draw.svg?text=start&game=chess&size=1", {}, None),
    ("GET", BASE + "/draw.svg?text=nonsense", {}, None),
    ("POST", BASE + "/explain", {}, {"text": _START, "from": "e2", "to": "e5"}),
    ("POST", BASE + "/explain", {}, {"text": _START, "from": "z9", "to": "e5"}),
    ("POST", BASE + "/reach", {}, {"text": _START, "square": "z9"}),
    ("POST", BASE + "/partial", {}, {"text": _BROKEN}),
    ("POST", BASE + "/partial", {}, {"text": f"{_START} 5 x"}),
    ("POST", BASE + "/partial", {}, {"text": "rnbqkbnr/pppppppp/8/8/4X3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}),
    ("POST", BASE + "/partial", {}, {"text": "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR x KQkx - 0 1 1"}),
    ("POST", BASE + "/partial", {}, {"text": "", "game": "chess"}),
    ("POST", BASE + "/partial", {}, {"text": "nonsense", "game": "xiangqi"}),
    ("POST", BASE + "/forms", {}, {"text": _START}),
    ("POST", BASE + "/forms", _KEY, {"text": _START}),
    ("POST", BASE + "/diff", {}, {"a": _START, "b": forsyth.game("azul").start}),
)


def _requests(client: TestClient) -> Iterator[list[Any]]:
    usual = client.get(BASE + "/games").headers
    yield sorted((name, value) for name, value in usual.items() if name not in _CHANGING)
    for method, path, headers, body in _ASKED:
        sent: dict[str, Any] = {"content": body} if isinstance(body, bytes) else {"json": body}
        answer = client.request(method, path, headers=headers, **(sent if body is not None else {}))
        told = {
            name: value
            for name, value in sorted(answer.headers.items())
            if name not in _CHANGING and usual.get(name) != value
        }
        told |= dict.fromkeys(sorted({*usual} - {*answer.headers} - {*_CHANGING}), "")
        said: Any = answer.json() if "json" in answer.headers.get("content-type", "") else answer.text
        yield [method, path, headers, answer.status_code, told, kept(said)]


def _metrics() -> str:
    metrics = Metrics()
    metrics.in_flight = 2
    for route, status, seconds in (("/a", 200, 0.001), ("/a", 404, 0.3), ("/b", 500, 99.0)):
        metrics.count_request("GET", route, status, seconds)
    return metrics.format_metrics("1.0")


def refusals() -> Iterator[str]:
    """Every refusal and page, a line of JSON each."""
    log = logging.getLogger("forsyth.server")
    log.disabled = True
    try:
        for error in _errors():
            found = to_problem(error)
            yield json.dumps([type(error).__name__, found.phrase, found.headers, found.to_dict()])
    finally:
        log.disabled = False
    yield from map(json.dumps, _settings())
    yield json.dumps(_metrics())
    how = Settings(api_key="right", body_limit=4096, cors=("https://page.example",))
    with TestClient(create_app(how, MemoryStore()), base_url="http://localhost") as client:
        yield from map(json.dumps, _requests(client))
    with TestClient(create_app(Settings(rate_limit=2), MemoryStore()), base_url="http://localhost") as client:
        said = [client.post(BASE + "/read", json={"text": _START}) for _ in range(3)]
        # How long to wait depends on how fast the three were sent.
        yield json.dumps([[one.status_code for one in said], re.sub(r"in \d+ s", "in … s", said[-1].text)])


if __name__ == "__main__":
    FILE.write_text("\n".join(refusals()) + "\n", encoding="utf-8", newline="\n")
