"""Pictures that other clients request do not block a client, and other sites cannot request the slow ones."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.test_server import BASE, CHESS, client, made, post, refused

from forsyth.server import Settings
from forsyth.server.bounds.compute_slots import PICTURE_SLOTS
from forsyth.server.bounds.origin_check import EXPENSIVE_PATHS
from forsyth.server.bounds.rates import RateLimit
from forsyth.server.routes import pictures
from forsyth.server.routing import PictureRoute
from forsyth.server.settings import DEFAULT_RATE_LIMIT

__all__ = ["client"]

FOREIGN_IMAGE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
LINE = {"text": CHESS, "moves": "e4 e5"}


def test_pictures_that_are_being_drawn_do_not_block_other_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    drawing, may_end = threading.Event(), threading.Event()
    draw_picture = pictures._draw_picture

    def wait_and_draw(*arguments: Any) -> Any:
        drawing.set()
        assert may_end.wait(60)
        return draw_picture(*arguments)

    monkeypatch.setattr(pictures, "_draw_picture", wait_and_draw)
    computing = Settings().computing
    with made() as client, ThreadPoolExecutor(2 * computing) as pool:
        address = f"{BASE}/draw.svg"
        drawn = [pool.submit(client.get, address, params={"text": CHESS}) for _ in range(2 * computing)]
        try:
            assert drawing.wait(60)
            assert post(client, "/moves", {"text": CHESS})["ok"]
            assert not any(answer.done() for answer in drawn)
        finally:
            may_end.set()
        assert {answer.result(60).status_code for answer in drawn} == {200}


def test_every_picture_takes_a_slot_for_pictures() -> None:
    with made() as client:
        app: Any = client.app
        assert app.state.picture_slots._slots._value == PICTURE_SLOTS
        assert app.state.picture_slots is not app.state.compute_slots
    for path in ("draw.svg", "draw.png", "draw/{name:path}", "animation.svg", "animation.png"):
        assert isinstance(_route(f"{BASE}/{path}"), PictureRoute), path
    assert isinstance(_route("/embed"), PictureRoute)


def _route(path: str) -> Any:
    from forsyth.server.routes import animations, embed

    routers = (pictures.routes, animations.routes, embed.routes)
    return next(route for router in routers for route in router.routes if route.path == path)  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", sorted(EXPENSIVE_PATHS))
def test_a_foreign_page_cannot_request_what_is_expensive(client: TestClient, path: str) -> None:
    asked: dict[str, Any] = {"params": LINE if "animation" in path else None}
    for headers in (FOREIGN_IMAGE, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "same-site"}):
        refused(client.get(path, headers=headers, **asked), 403, "FOREIGN_ORIGIN")
    for headers in ({}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}):
        assert client.get(path, headers=headers, **asked).status_code == 200
    with made(cors=("https://page.example",)) as open_client:
        named = {"Origin": "https://page.example", "Sec-Fetch-Site": "cross-site"}
        assert open_client.get(path, headers=named, **asked).status_code == 200


def test_a_foreign_page_can_still_show_a_picture(client: TestClient) -> None:
    for path in (f"{BASE}/draw.svg", "/embed"):
        assert client.get(path, params={"text": CHESS}, headers=FOREIGN_IMAGE).status_code == 200


@pytest.mark.parametrize(
    ("host", "limit"),
    [
        ("127.0.0.1", 0),
        ("127.1.2.3", 0),
        ("::1", 0),
        ("localhost", 0),
        ("0.0.0.0", DEFAULT_RATE_LIMIT),
        ("::", DEFAULT_RATE_LIMIT),
        ("192.168.1.5", DEFAULT_RATE_LIMIT),
        ("chess.example", DEFAULT_RATE_LIMIT),
    ],
)
def test_a_service_that_others_can_reach_has_a_rate_limit(host: str, limit: int) -> None:
    assert Settings(host=host).requests_per_minute == limit
    assert Settings(host=host, rate_limit=0).requests_per_minute == 0
    assert Settings(host=host, rate_limit=7).requests_per_minute == 7
    assert Settings.from_environment(Settings(host=host).to_environment()).requests_per_minute == limit
    with made(host=host) as client:
        app: Any = client.app
        limits = [layer for layer in app.user_middleware if layer.cls is RateLimit]
        assert [layer.kwargs["per_minute"] for layer in limits] == [limit] * bool(limit)
