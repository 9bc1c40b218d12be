"""Computing is bounded and stops when nobody wants it; requests are counted by what they hold."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest
from starlette.types import ASGIApp, Message
from tests.polling import TIMEOUT, wait_until_async
from tests.server.skipping_loop import SkippingLoop
from tests.server.test_server import BASE, CHESS, SEED, made, post, refused

from forsyth.limits import MAX_WRAPPED
from forsyth.resolver import GameChoice
from forsyth.server import Settings, create_app
from forsyth.server.bounds.compute_slots import ComputeSlots, stop_if_abandoned
from forsyth.server.bounds.rates import BUCKET_KEY, MINUTE, RateLimit, TokenBucket
from forsyth.server.problems import Problem
from forsyth.server.request_models import MAX_TEXTS
from forsyth.server.routes.batch import LineSplitter, answer_lines, make_checker
from forsyth.store import MemoryStore

Answer = tuple[int, dict[str, str], Any]
GONE: Message = {"type": "http.disconnect"}


async def ask(app: ASGIApp, path: str, body: Any = None, gone: asyncio.Event | None = None) -> Answer:
    """One request without a network; `gone` is when its client goes away."""
    data = b"" if body is None else json.dumps(body).encode()
    parts: list[Message] = [{"type": "http.request", "body": data, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        if parts:
            return parts.pop()
        await (asyncio.Event() if gone is None else gone).wait()
        return GONE

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET" if body is None else "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        "client": ("127.0.0.1", 1),
        "root_path": "",
    }
    await app(scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, json.loads(b"".join(part.get("body", b"") for part in sent[1:]))


class Slow:
    """A list of moves that takes as long as the test wants."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.go_on = threading.Event()
        self.stopped = threading.Semaphore(0)

    def moves(self, game: Any, position: Any) -> list[Any]:
        self.begun.release()
        self.go_on.wait(30)
        return []

    def endless(self, game: Any, position: Any) -> list[Any]:
        self.begun.release()
        try:
            while not self.go_on.wait(0.005):
                stop_if_abandoned()
        finally:
            self.stopped.release()
        return []


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    found = Slow()
    monkeypatch.setattr("forsyth.server.routes.positions.build_move_list", found.moves)
    yield found
    found.go_on.set()


MOVES = f"{BASE}/moves"
BODY = {"text": CHESS}
TIME_LIMIT = 30.0
"""Seconds that a request may take. A test skips them, or needs far fewer."""


def run(test: Callable[[], Awaitable[None]]) -> None:
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(asyncio.wait_for(test(), TIME_LIMIT + 2 * TIMEOUT))


def skip(seconds: float) -> None:
    """Put the clock of the running event loop forward."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SkippingLoop)
    loop.skip(seconds)


def test_sixty_long_computations_keep_nobody_else_waiting(slow: Slow) -> None:
    app = create_app(Settings(computing=2), MemoryStore())

    async def test() -> None:
        asked = [asyncio.create_task(ask(app, MOVES, BODY)) for _ in range(60)]
        await wait_until_async(lambda: slow.begun.acquire(blocking=False))
        await wait_until_async(lambda: slow.begun.acquire(blocking=False))
        assert (await ask(app, "/healthz"))[0] == 200
        assert (await ask(app, f"{BASE}/validate-fen", {"fen_string": CHESS}))[2]["valid"] is True
        assert (await ask(app, f"{BASE}/library"))[2]["total"] == 0
        assert not any(task.done() for task in asked)
        assert not slow.begun.acquire(blocking=False)
        slow.go_on.set()
        assert [status for status, _, _ in await asyncio.gather(*asked)] == [200] * 60

    run(test)


def test_when_too_many_wait_the_next_is_refused(slow: Slow) -> None:
    app = create_app(Settings(computing=1, waiting=1), MemoryStore())

    async def test() -> None:
        first = asyncio.create_task(ask(app, MOVES, BODY))
        await wait_until_async(lambda: slow.begun.acquire(blocking=False))
        second = asyncio.create_task(ask(app, MOVES, BODY))
        await wait_until_async(lambda: app.state.compute_slots._waiting_count == 1)
        for path, body in (
            (MOVES, BODY),
            (f"{BASE}/validate-fen", {"fen_strings": [CHESS]}),
            (f"{BASE}/batch/check", CHESS),
        ):
            status, headers, problem = await ask(app, path, body)
            assert (status, problem["code"]) == (503, "BUSY")
            assert headers["retry-after"] == "1"
        slow.go_on.set()
        assert {(await first)[0], (await second)[0]} == {200}
        assert (await ask(app, MOVES, BODY))[0] == 200

    run(test)


@pytest.mark.parametrize("why", ["time", "client"])
def test_computing_stops_when_nobody_waits_for_it(
    slow: Slow, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    monkeypatch.setattr("forsyth.server.routes.positions.build_move_list", slow.endless)
    app = create_app(Settings(computing=1, time_limit=TIME_LIMIT), MemoryStore())

    async def test() -> None:
        gone = asyncio.Event()
        asked = asyncio.create_task(ask(app, MOVES, BODY, gone))
        await wait_until_async(lambda: slow.begun.acquire(blocking=False))
        if why == "client":
            gone.set()
        else:
            skip(TIME_LIMIT)
        await wait_until_async(lambda: slow.stopped.acquire(blocking=False))
        status, _, problem = await asked
        assert (status, problem["code"]) == (503, "TIMEOUT")
        # Its place is free again.
        slow.go_on.set()
        assert (await ask(app, MOVES, BODY))[0] == 200

    run(test)


def test_who_leaves_while_waiting_is_not_computed_for(slow: Slow) -> None:
    app = create_app(Settings(computing=1), MemoryStore())

    async def test() -> None:
        first = asyncio.create_task(ask(app, MOVES, BODY))
        await wait_until_async(lambda: slow.begun.acquire(blocking=False))
        gone = asyncio.Event()
        gone.set()
        second = asyncio.create_task(ask(app, MOVES, BODY, gone))
        await wait_until_async(lambda: app.state.compute_slots._waiting_count == 1)
        await asyncio.sleep(0)
        slow.go_on.set()
        assert (await first)[0] == 200
        assert (await second)[2]["code"] == "TIMEOUT"
        assert not slow.begun.acquire(blocking=False)

    run(test)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/validate-fen", {"fen_strings": [CHESS] * 5}),
        ("/legal_moves", {"fen_string": CHESS}),
        ("/match", {"game": "chess", "moves": ["e4"]}),
        ("/edit", {"text": CHESS}),
        ("/read", {"text": CHESS}),
    ],
)
def test_every_loop_asks_whether_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch, path: str, body: dict[str, Any]
) -> None:
    """The request is given up at the first question."""
    asked = []

    def question() -> None:
        asked.append(path)
        raise Problem(503, "TIMEOUT", "no")

    for module in ("routes.validate", "views", "routes.matches"):
        monkeypatch.setattr(f"forsyth.server.{module}.stop_if_abandoned", question)
    with made() as client:
        refused(client.post(BASE + path, json=body), 503, "TIMEOUT")
    assert len(asked) == 1


def test_every_step_asks_whether_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as there are moves, texts, lines and records."""
    asked: Counter[str] = Counter()

    def question() -> None:
        asked[sys._getframe(1).f_code.co_name] += 1

    for module in ("validate", "matches", "records", "batch", "library_batches"):
        monkeypatch.setattr(f"forsyth.server.routes.{module}.stop_if_abandoned", question)
    monkeypatch.setattr("forsyth.server.views.stop_if_abandoned", question)
    told = {}
    with made() as client:
        for path, body in (
            ("/validate-fen", {"fen_strings": [CHESS] * 5}),
            ("/legal_moves", {"fen_string": CHESS}),
            ("/match", {"game": "chess", "moves": ["e4", "e5", "Nf3"], "at": 2}),
            ("/edit", {"text": CHESS}),
            ("/read", {"text": CHESS}),
            ("/record/read", {"record": "1. e4 e5 (1... c5) 2. Nf3 *", "game": "chess"}),
            ("/record/list", {"record": "1. e4 *\n\n1. d4 *", "game": "chess"}),
            ("/record/write", {"game": "chess", "moves": ["e4", "e5"]}),
            ("/batch/check", f'"{CHESS}"\n"{CHESS}"\n'),
            ("/batch/library", f'"{CHESS}"\n"{CHESS}"\n'),
        ):
            asked.clear()
            sent: dict[str, Any] = {"json": body}
            if isinstance(body, str):
                sent = {"content": body, "headers": {"content-type": "application/x-ndjson"}}
            assert client.post(BASE + path, **sent).status_code == 200
            told[path] = dict(asked)
    assert told == {
        "/validate-fen": {"_validate_all": 5},
        "/legal_moves": {"write_legal_moves": 20},
        "/match": {"play_all": 3, "_build_history": 3, "build_move_list": 29},
        "/edit": {"build_move_list": 20, "_build_palette_entry": 12},
        "/read": {"build_move_list": 20},
        "/record/read": {"build_line_view": 4},
        "/record/list": {"_build_entry": 2},
        "/record/write": {"play_all": 2},
        "/batch/check": {"answer_group": 2},
        "/batch/library": {"answer_group": 2},
    }


def test_a_batch_that_is_given_up_stops_between_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    reader = make_checker(GameChoice("chess"), "default", MemoryStore(), 1024)

    def question() -> None:
        seen.append(1)
        if len(seen) == 3:
            raise InterruptedError

    monkeypatch.setattr("forsyth.server.routes.batch.stop_if_abandoned", question)
    with pytest.raises(InterruptedError):
        reader.answer_group([(number, b'"x"') for number in range(9)])
    assert len(seen) == 3


# --- a limit of requests --------------------------------------------------------------------------------


class Clock:
    """A time that the test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr("forsyth.server.bounds.rates.time", found)
    return found


def test_a_bucket_refills_with_the_minute(clock: Clock) -> None:
    bucket = TokenBucket(30)
    assert bucket.count_tokens() == 30
    bucket.take_tokens(30)
    assert bucket.compute_wait_seconds() == 2
    assert bucket.compute_wait_seconds(3) == 6
    clock.now += 2
    assert (bucket.count_tokens(), bucket.compute_wait_seconds()) == (1, 0)
    clock.now += 10 * MINUTE
    assert bucket.count_tokens() == 30


def test_the_limit_counts_each_address_and_forgets_the_quietest(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forsyth.server.bounds.rates.MAX_CLIENTS", 2)
    limit = RateLimit(lambda *_: None, 1)  # type: ignore[arg-type]
    limit._find_bucket("a").take_tokens(1)
    limit._find_bucket("b").take_tokens(1)
    assert limit._find_bucket("a").compute_wait_seconds() == 60
    limit._find_bucket("c")
    assert set(limit._buckets) == {"a", "c"}
    assert limit._find_bucket("b").compute_wait_seconds() == 0


def test_a_limit_refuses_and_says_when(clock: Clock) -> None:
    with made(rate_limit=2) as client:
        assert [client.get("/healthz").status_code for _ in range(2)] == [200, 200]
        answer = client.get("/healthz")
        assert answer.headers["retry-after"] == "31"
        assert (
            refused(answer, 429, "RATE_LIMITED")["detail"] == "at most 2 requests a minute; try again in 31 s"
        )
        clock.now += 30
        assert client.get("/healthz").status_code == 200


def test_many_texts_count_as_many(clock: Clock) -> None:
    with made(rate_limit=10) as client:
        assert len(post(client, "/validate-fen", {"fen_strings": [CHESS] * 16})["results"]) == 16
        refused(client.get("/healthz"), 429, "RATE_LIMITED")
        # Six are owed, and one is asked for.
        clock.now += 41.9
        assert client.get("/healthz").status_code == 429
        clock.now += 0.2
        assert client.get("/healthz").status_code == 200


def test_the_lines_of_a_batch_count_and_are_answered_as_the_bucket_refills(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.now += seconds

    monkeypatch.setattr("forsyth.server.bounds.rates.asyncio.sleep", sleep)
    bucket = TokenBucket(6)
    bucket.take_tokens(1)

    async def parts() -> AsyncIterator[bytes]:
        yield b'"a"\n\n"b"\n"c"\n'
        yield b'"d"\n"e"\n"f"\n"g"\n"h"'

    async def answers() -> list[bytes]:
        reader = make_checker(GameChoice("chess"), "default", MemoryStore(), 1024)
        work = ComputeSlots(Settings())
        return [
            part
            async for part in answer_lines(parts(), reader, LineSplitter(1024), work, {BUCKET_KEY: bucket})
        ]

    found = asyncio.run(answers())
    assert [part.count(b"\n") for part in found] == [3, 3, 1, 1]
    assert slept == [10, 10]
    with made(rate_limit=3) as client:
        lines = client.post(f"{BASE}/batch/check?game=chess", content='"a"\n"b"\n"c"\n').text.splitlines()
        assert len(lines) == 3
        refused(client.get("/healthz"), 429, "RATE_LIMITED")


def test_only_a_proxy_that_is_trusted_says_who_the_client_is() -> None:
    from forsyth.server.bounds.listening import Config

    async def app(scope: Any, receive: Any, send: Any) -> None:
        clients.append(scope["client"][0])

    clients: list[str] = []
    for trusted in ((), ("10.0.0.0/8",), ("127.0.0.1",)):
        config = Config(app, Settings(trust_proxy=trusted))
        config.load()
        scope = {
            "type": "http",
            "scheme": "http",
            "client": ("127.0.0.1", 5),
            "headers": [(b"x-forwarded-for", b"192.0.2.7")],
            "http_version": "1.1",
            "asgi": {"version": "3.0"},
        }
        asyncio.run(config.loaded_app(scope, None, None))
    assert clients == ["127.0.0.1", "127.0.0.1", "192.0.2.7"]


# --- many texts -----------------------------------------------------------------------------------------


def test_a_thousand_of_the_longest_texts_fit_into_one_request() -> None:
    with made() as client:
        said = post(client, "/validate-fen", {"fen_strings": [SEED] * MAX_TEXTS})
        assert [one["valid"] for one in said["results"]] == [True] * MAX_TEXTS
        longest = "8" * MAX_WRAPPED
        said = post(client, "/validate-fen", {"fen_strings": [longest] * MAX_TEXTS, "game": "azul"})
        assert len(said["results"]) == MAX_TEXTS
        body = json.dumps({"fen_strings": [longest] * (MAX_TEXTS + 50)})
        json_type = {"Content-Type": "application/json"}
        refused(client.post(f"{BASE}/validate-fen", content=body, headers=json_type), 413, "TOO_LARGE")
        one = client.post(f"{BASE}/validate-fen", json={"fen_string": "8" * 70_000})
        assert "more than 65536 bytes" in refused(one, 413, "TOO_LARGE")["detail"]
