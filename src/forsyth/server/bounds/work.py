"""Computing: how many calls do it at once, how many wait for that, and when one stops.

Python computes in one thread at a time: calls that compute side by side do not get done sooner, and each of
them makes everything else wait a little longer. So only a few may, the next wait in order, and beyond a bound
they are refused at once. A batch waits for each of its parts. One text of validate-fen takes less time than a
place would, and is not counted.

What stops: a call that nobody is waiting for, because its time is over or its client is gone, ends
between two moves, texts or lines (`require_wanted`). A single step, such as the list of the moves of one
position or one drawing, is always finished. That the client of a batch is gone is seen at its next part.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Final

from starlette.types import Receive, Scope

from forsyth.server.problems import Problem
from forsyth.server.settings import Settings

CALL: Final = "forsyth.call"
"""Where a request has its `Call`."""


class Call:
    """One request, and whether anybody still waits for its answer."""

    __slots__ = ("given_up",)

    def __init__(self) -> None:
        self.given_up = False


_CURRENT: Final[ContextVar[Call | None]] = ContextVar("forsyth_call", default=None)


def require_wanted() -> None:
    """Stop here if nobody is waiting for the answer. To be called between the steps of a loop."""
    call = _CURRENT.get()
    if call is not None and call.given_up:
        raise Problem(503, "TIMEOUT", "nobody is waiting for the answer")


class Work:
    """The places for calls that compute."""

    def __init__(self, settings: Settings) -> None:
        self._places = asyncio.Semaphore(settings.computing)
        self._most_waiting = settings.waiting
        self._waiting = 0

    def require_room(self) -> None:
        """Refuse a request where too many wait already."""
        if self._places.locked() and self._waiting >= self._most_waiting:
            message = f"{self._waiting} requests are already waiting; try again in 1 s"
            raise Problem(503, "BUSY", message, headers={"Retry-After": "1"})

    @asynccontextmanager
    async def place(self, scope: Scope) -> AsyncIterator[None]:
        """A place for as long as the block lasts."""
        call: Call = scope.setdefault(CALL, Call())
        _CURRENT.set(call)
        self._waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
        try:
            require_wanted()
            yield
        finally:
            self._places.release()

    @asynccontextmanager
    async def place_while_connected(self, scope: Scope, receive: Receive) -> AsyncIterator[None]:
        """The same for a request whose body has been read: it is given up when its client goes away."""
        self.require_room()
        call: Call = scope.setdefault(CALL, Call())
        watch = asyncio.create_task(_watch(receive, call))
        try:
            async with self.place(scope):
                yield
        finally:
            watch.cancel()


async def _watch(receive: Receive, call: Call) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    call.given_up = True
