"""The bounds on input and what a service puts up with by default: a change to one of them is meant."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from forsyth import limits
from forsyth.server.settings import Settings

BOUNDS = {
    "MAX_PLAIN": 1024,
    "MAX_WRAPPED": 4096,
    "MAX_INFLATED": 1024,
    "MAX_DIAGNOSTICS": 64,
    "MAX_MOVES": 20_000,
    "MAX_MOVE_TEXT": 64,
    "MAX_RECORD": 1_048_576,
    "MAX_VARIATION_DEPTH": 64,
    "MAX_COMMIT_SEARCH": 50_000,
    "MAX_MARK_SEARCH": 250_000,
    "MAX_PERFT_DEPTH": 12,
    "MAX_COUNTED_DEPTH": 64,
    "MAX_GAME_NAME": 64,
    "MAX_NAME": 200,
    "MAX_NOTE": 4000,
    "MAX_TAG": 50,
    "MAX_TAGS": 32,
    "MAX_QUERY": 200,
    "MAX_PAGE": 200,
    "MAX_BULK_LINE": 1_048_576,
    "MAX_BULK_PAGE": 67_108_864,
    "MAX_BULK_BATCH": 67_108_864,
    "MAX_BULK_MESSAGE": 268_435_456,
    "MAX_WHERE": 2000,
    "MAX_WHERE_DEPTH": 32,
}
SETTINGS = {
    "host": "127.0.0.1",
    "port": 8000,
    "store": None,
    "workers": 1,
    "api_key": None,
    "cors": (),
    "allow_host": (),
    "trust_proxy": (),
    "rate_limit": None,
    "body_limit": 65_536,
    "time_limit": 30.0,
    "line_limit": 16_384,
    "head_limit": 32_768,
    "head_time": 10.0,
    "connections": 1000,
    "computing": 4,
    "waiting": 512,
}
LEAST: dict[str, Any] = {
    "port": 0,
    "workers": 1,
    "rate_limit": 0,
    "body_limit": 1024,
    "time_limit": 0.1,
    "line_limit": 1024,
    "head_limit": 1024,
    "head_time": 0.1,
    "connections": 1,
    "computing": 1,
    "waiting": 0,
}


def test_the_bounds_on_input() -> None:
    assert {name: getattr(limits, name) for name in BOUNDS} == BOUNDS


def test_the_usual_settings_of_a_service() -> None:
    usual = asdict(Settings())
    assert {name: usual[name] for name in SETTINGS} == SETTINGS


@pytest.mark.parametrize("name", LEAST)
def test_the_least_that_a_setting_can_be(name: str) -> None:
    assert getattr(Settings(**{name: LEAST[name]}), name) == LEAST[name]
    with pytest.raises(ValueError, match=rf"{name} is \S+, expected {LEAST[name]} or more"):
        # Of numbers that are no seconds the next one below is a whole number.
        Settings(**{name: LEAST[name] - (0.01 if isinstance(LEAST[name], float) else 1)})


def test_the_greatest_port() -> None:
    assert Settings(port=65_535).port == 65_535
    with pytest.raises(ValueError, match="port is 65536, expected at most 65535"):
        Settings(port=65_536)
