"""A limit of requests: each client address has a bucket that refills with the minute.

Counted: a request is one. Of a call with many texts each text is one, and each line of a batch. What a call
with many texts holds beyond what is left is owed, and the next request waits for it; the lines of a batch are
answered as the bucket refills.

Whose address it is: that of the connection, or what a proxy says that `Settings.trust_proxy` names.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from typing import Final, TypeVar

from starlette.types import ASGIApp, Receive, Scope, Send

from forsyth.server.problems import Problem

MINUTE: Final = 60.0
MOST_CLIENTS: Final = 10_000
"""Addresses the rate limit remembers; who has been quiet longest is forgotten first."""

BUCKET: Final = "forsyth.bucket"
"""Where a request has the bucket of its client, when requests are counted."""

T = TypeVar("T")


class Bucket:
    """What one client may still ask."""

    __slots__ = ("_left", "_per_minute", "_since")

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._left = float(per_minute)
        self._since = time.monotonic()

    def left(self) -> float:
        """How much is in it now; less than nothing where something is owed."""
        now = time.monotonic()
        gained = (now - self._since) * self._per_minute / MINUTE
        self._left = min(float(self._per_minute), self._left + gained)
        self._since = now
        return self._left

    def take(self, number: int) -> None:
        """Take out so much, whether it is there or not; a negative number is put back."""
        self._left -= number

    def wait(self, number: int = 1) -> float:
        """Seconds until so much is in it."""
        return max(0.0, number - self.left()) * MINUTE / self._per_minute


class RateLimit:
    """Refuses a client address that asks more often than so many times a minute."""

    def __init__(self, app: ASGIApp, per_minute: int) -> None:
        self.app = app
        self.per_minute = per_minute
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        bucket = self._bucket((scope.get("client") or ("", 0))[0])
        if wait := bucket.wait():
            seconds = str(int(wait) + 1)
            message = f"at most {self.per_minute} requests a minute; try again in {seconds} s"
            refusal = Problem(429, "RATE_LIMITED", message, headers={"Retry-After": seconds})
            await refusal.send(scope, receive, send)
            return
        bucket.take(1)
        scope[BUCKET] = bucket
        await self.app(scope, receive, send)

    def _bucket(self, client: str) -> Bucket:
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = Bucket(self.per_minute)
            if len(self._buckets) > MOST_CLIENTS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(client)
        return bucket


def charge(scope: Scope, texts: int) -> None:
    """Count the texts of a request, which has been counted as one already."""
    bucket: Bucket | None = scope.get(BUCKET)
    if bucket is not None:
        bucket.take(texts - 1)


async def paced(scope: Scope, items: Sequence[T]) -> AsyncIterator[Sequence[T]]:
    """Some lines of a batch, in as many parts as the limit asks for, each when its time has come."""
    bucket: Bucket | None = scope.get(BUCKET)
    if bucket is None:
        yield items
        return
    done = 0
    while done < len(items):
        number = min(len(items) - done, int(bucket.left()))
        if number < 1:
            await asyncio.sleep(bucket.wait())
            continue
        bucket.take(number)
        yield items[done : done + number]
        done += number
