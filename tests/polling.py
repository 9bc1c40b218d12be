"""Wait for a state, never for a duration. No other helper of the tests sleeps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

TIMEOUT: Final = 60.0
"""Seconds after which a state counts as never reached. A busy machine is slow, not wrong."""
INTERVAL: Final = 0.005
"""Seconds between two calls of the condition."""


def wait_until(condition: Callable[[], T], *, timeout: float = TIMEOUT, interval: float = INTERVAL) -> T:
    """Return the first true result of `condition`.

    Raise AssertionError if there is none within `timeout` seconds. An `interval` of 0 only yields to other
    threads.
    """
    deadline = time.monotonic() + timeout
    while not (result := condition()):
        assert time.monotonic() < deadline, f"the state was not reached within {timeout:g} s: {condition}"
        time.sleep(interval)
    return result


async def wait_until_async(condition: Callable[[], T], *, timeout: float = TIMEOUT) -> T:
    """Do the same as `wait_until` without blocking the event loop."""
    deadline = time.monotonic() + timeout
    while not (result := condition()):
        assert time.monotonic() < deadline, f"the state was not reached within {timeout:g} s: {condition}"
        await asyncio.sleep(INTERVAL)
    return result
