"""The bounds on one request by themselves: bodies at and beyond the limit, clocks of bodies and answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from starlette.requests import ClientDisconnect

from forsyth.server.bounds.middleware import (
    DEFAULT_HEADERS,
    SECURITY_HEADERS,
    STREAM_PATHS,
    OutermostLayer,
    RequestLimits,
)
from forsyth.server.metrics import Metrics
from forsyth.server.problems import Problem
from forsyth.server.settings import Settings

PATH = "/somewhere"
STREAM = sorted(STREAM_PATHS)[0]
Handler = Callable[[Any, Any, Any], Awaitable[None]]


async def _reads_all(scope: Any, receive: Any, send: Any) -> None:
    while (await receive()).get("more_body", False):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"done"})


def _exchange(
    handler: Handler, parts: Sequence[bytes], path: str = PATH, head: Sequence[Any] = (), **given: Any
) -> list[dict[str, Any]]:
    """What is sent to a client whose body comes in these parts, and who then sends nothing more."""
    settings = {"body_limit": 1024, "time_limit": 30.0, **given}
    sent: list[dict[str, Any]] = []
    left = [*parts]
    answered = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if not left:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            answered.set()

    async def run() -> None:
        bounds: Any = RequestLimits(handler, Settings(**settings), {"/larger": 4})
        scope = {"type": "http", "path": path, "headers": list(head), "test.answered": answered}
        await bounds(scope, receive, send)

    asyncio.run(run())
    return sent


@pytest.mark.parametrize(("path", "most"), [(PATH, 1024), ("/larger", 1028)])
def test_a_body_may_have_as_many_bytes_as_its_path_allows(path: str, most: int) -> None:
    for parts in ([b"x" * most], [b"x" * (most - 1), b"x"], [b"x" * most, b""]):
        assert _exchange(_reads_all, parts, path)[-1]["body"] == b"done"
    for parts in ([b"x" * (most + 1)], [b"x" * most, b"x"]):
        with pytest.raises(Problem) as caught:
            _exchange(_reads_all, parts, path)
        assert (caught.value.status_code, caught.value.code) == (413, "TOO_LARGE")
        assert caught.value.detail == f"the body has more than {most} bytes; send less in one request"
        assert caught.value.headers == {"Connection": "close"}


@pytest.mark.parametrize(
    ("length", "refused"),
    [(b"1024", False), (b"1025", True), (b"9" * 30, True), (b"x", False), (b"-9999", False)],
)
def test_the_length_that_a_head_declares_is_believed(length: bytes, refused: bool) -> None:
    head = [(b"host", b"x"), (b"content-length", length)]
    if refused:
        with pytest.raises(Problem) as caught:
            _exchange(_reads_all, [b"x"], head=head)
        assert caught.value.status_code == 413
    else:
        assert _exchange(_reads_all, [b"x"], head=head)[-1]["body"] == b"done"


def test_a_stream_has_no_bound_on_its_body() -> None:
    parts = [b"x" * 1000, b"x" * 1000]
    assert _exchange(_reads_all, parts, STREAM, [(b"content-length", b"2000")])[-1]["body"] == b"done"


def test_a_client_that_does_not_send_its_body_is_told_so() -> None:
    async def waits(scope: Any, receive: Any, send: Any) -> None:
        body = asyncio.ensure_future(receive())
        await scope["test.answered"].wait()
        body.cancel()
        # A late answer is dropped.
        await send({"type": "http.response.start", "status": 200, "headers": []})

    sent = _exchange(waits, [], time_limit=0.1)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in [(name.lower(), value) for name, value in sent[0]["headers"]]
    assert b"the client needed more than 0.1 s" in sent[1]["body"]


def test_a_service_that_does_not_answer_says_so() -> None:
    async def computes(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await scope["test.answered"].wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})

    sent = _exchange(computes, [b"x"], time_limit=0.1)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert sent[0]["status"] == 503
    assert b"the service needed more than 0.1 s" in sent[1]["body"]


def test_an_answer_that_stalls_is_broken_off_and_not_made_to_look_complete() -> None:
    ended: list[str] = []

    async def stalls(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    assert [one["type"] for one in _exchange(stalls, [b"x"], time_limit=0.1)] == ["http.response.start"]
    assert ended == ["cancelled"]


def test_who_cancels_a_request_is_not_held_up() -> None:
    async def cancelled(scope: Any, receive: Any, send: Any) -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        _exchange(cancelled, [b"x"])


def test_what_is_no_request_is_passed_on() -> None:
    seen: list[Any] = []

    async def takes(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope, receive, send))

    bounds: Any = RequestLimits(takes, Settings(), {})
    asyncio.run(bounds({"type": "lifespan"}, 1, 2))
    assert seen == [({"type": "lifespan"}, 1, 2)]


# --- what stands around all others --------------------------------------------------------------------


def _counted(handler: Handler) -> tuple[list[dict[str, Any]], list[tuple[str, str, int]], list[int]]:
    """What is sent, what is counted, and how many requests there were meanwhile and are afterwards."""
    metrics = Metrics()
    counted: list[tuple[str, str, int]] = []
    flying: list[int] = []
    sent: list[dict[str, Any]] = []

    def count(method: str, route: str, status: int, seconds: float) -> None:
        assert 0 <= seconds < 60
        counted.append((method, route, status))

    metrics.count_request = count  # type: ignore[method-assign]

    async def watched(scope: Any, receive: Any, send: Any) -> None:
        flying.append(metrics.in_flight)
        await handler(scope, receive, send)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    outermost: Any = OutermostLayer(watched, metrics)
    try:
        asyncio.run(outermost({"type": "http", "path": PATH, "method": "GET", "headers": []}, receive, send))
    finally:
        flying.append(metrics.in_flight)
    return sent, counted, flying


def test_every_request_is_counted_with_its_status() -> None:
    sent, counted, flying = _counted(_reads_all)
    assert [(method, status) for method, _, status in counted] == [("GET", 200)]
    assert flying == [1, 0]
    assert sent[0]["headers"] == [*DEFAULT_HEADERS, *SECURITY_HEADERS]


def test_who_went_away_is_counted_as_such() -> None:
    async def gone(scope: Any, receive: Any, send: Any) -> None:
        raise ClientDisconnect

    sent, counted, flying = _counted(gone)
    assert (sent, [status for *_, status in counted], flying) == ([], [499], [1, 0])


def test_an_error_before_the_answer_is_the_answer() -> None:
    async def refuses(scope: Any, receive: Any, send: Any) -> None:
        raise Problem(418, "NOT_FOUND", "no tea")

    sent, counted, _ = _counted(refuses)
    assert (sent[0]["status"], [status for *_, status in counted]) == (418, [418])
    assert b"no tea" in sent[1]["body"]


def test_an_error_within_the_answer_is_raised() -> None:
    async def breaks(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200})
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        _counted(breaks)
