"""Limit how many requests compute at once and how many wait, and stop those that nobody waits for.

Python computes in one thread at a time. Requests that compute side by side do not finish sooner, and each of
them slows down everything else. Therefore `Settings.computing` requests compute at once, up to
`Settings.waiting` others wait in order, and further ones are refused at once. Pictures have slots and a
queue of their own. A batch takes a slot for each
of its parts. A validate-fen request with a single text needs no slot, because it takes less time than getting
one.

A request is abandoned when its time limit is over or its client has disconnected. An abandoned request stops
between two moves, texts or lines, where `stop_if_abandoned` is called. A single step is always finished, such
as the list of the moves of one position, or one drawing. A disconnected client of a batch is noticed at the
next part.
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

REQUEST_STATUS_KEY: Final = "forsyth.call"
"""Key of the `RequestStatus` in the ASGI scope of a request."""


PICTURE_SLOTS: Final = 1
"""Number of pictures that one process draws at once.

Pictures have slots of their own, so that a queue of them does not delay other requests. A second thread would
draw no more pictures in the same time.
"""


class RequestStatus:
    """Status of one request: `is_abandoned` becomes True when nobody waits for its response any more."""

    __slots__ = ("is_abandoned",)

    def __init__(self) -> None:
        self.is_abandoned = False


_CURRENT_STATUS: Final[ContextVar[RequestStatus | None]] = ContextVar("forsyth_call", default=None)


def stop_if_abandoned() -> None:
    """Raise a 503 `Problem` if nobody waits for the response of the current request any more.

    Its client has disconnected, or its time limit is over. Call this between the steps of every loop that
    computes.
    """
    status = _CURRENT_STATUS.get()
    if status is not None and status.is_abandoned:
        raise Problem(503, "TIMEOUT", "the request was stopped because nobody waits for its response")


class ComputeSlots:
    """Slots for the requests that compute, with a queue of limited length.

    More threads at once would slow each other down. Requests that find the queue full are refused.
    """

    def __init__(self, settings: Settings, slot_count: int | None = None) -> None:
        """Create free slots, as many as the settings allow, or `slot_count` if it is not None."""
        self._slots = asyncio.Semaphore(settings.computing if slot_count is None else slot_count)
        self._max_waiting = settings.waiting
        self._waiting_count = 0

    def refuse_if_full(self) -> None:
        """Raise a 503 `Problem` if no slot is free and too many requests wait already.

        The settings limit how many may wait.
        """
        has_no_free_slot = self._slots.locked()
        is_queue_full = self._waiting_count >= self._max_waiting
        if has_no_free_slot and is_queue_full:
            message = (
                f"the service is busy: {self._waiting_count} requests are already waiting; try again in 1 s"
            )
            raise Problem(503, "BUSY", message, headers={"Retry-After": "1"})

    @asynccontextmanager
    async def hold_slot(self, scope: Scope) -> AsyncIterator[None]:
        """Wait for a slot, and hold it until the ``async with`` block ends.

        Raise a 503 `Problem` if the client disconnected, or the time limit was over, while the request
        waited. `scope` is the ASGI scope of the request.
        """
        status: RequestStatus = scope.setdefault(REQUEST_STATUS_KEY, RequestStatus())
        _CURRENT_STATUS.set(status)
        self._waiting_count += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting_count -= 1
        try:
            stop_if_abandoned()
            yield
        finally:
            self._slots.release()

    @asynccontextmanager
    async def hold_slot_while_connected(self, scope: Scope, receive: Receive) -> AsyncIterator[None]:
        """Wait for a slot, and hold it until the ``async with`` block ends.

        If the client disconnects meanwhile, the request is marked as abandoned, so that `stop_if_abandoned`
        ends it. Raise a 503 `Problem` if the queue is full.

        Args:
            scope: ASGI scope of the request.
            receive: ASGI function that returns the next message of the client. The body of the request must
                have been read already.
        """
        self.refuse_if_full()
        status: RequestStatus = scope.setdefault(REQUEST_STATUS_KEY, RequestStatus())
        watcher = asyncio.create_task(_mark_when_disconnected(receive, status))
        try:
            async with self.hold_slot(scope):
                yield
        finally:
            watcher.cancel()


async def _mark_when_disconnected(receive: Receive, status: RequestStatus) -> None:
    """Wait until the client disconnects, and then mark the request as abandoned.

    `status.is_abandoned` becomes True, so that the request stops computing. `receive` is the ASGI function
    that returns the next message of the client. The body of the request must have been read already, because
    all messages before the disconnection are dropped.
    """
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            status.is_abandoned = True
            return
