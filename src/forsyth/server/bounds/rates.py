"""Limit the requests of each client address with a token bucket that refills within a minute.

A request takes one token. A request with many texts takes one token per text, and a batch one token per line.
A request with many texts may take more tokens than are left; the next request then waits until the debt is
paid. The lines of a batch are answered as the bucket refills.

The client address is that of the connection, or the one that a proxy reports if `Settings.trust_proxy` lists
that proxy.
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
"""Seconds in which an empty bucket refills."""

MAX_CLIENTS: Final = 10_000
"""Maximum number of addresses with a bucket. The address that was quiet longest is forgotten first."""

BUCKET_KEY: Final = "forsyth.bucket"
"""Key of the client's `TokenBucket` in the ASGI scope of a request. Absent if there is no rate limit."""

T = TypeVar("T")


class TokenBucket:
    """Token bucket that limits the requests of one client.

    Each request takes a token. The bucket refills evenly, by `per_minute` tokens per minute, and holds at
    most `per_minute` tokens.
    """

    __slots__ = ("_per_minute", "_tokens", "_updated_at")

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._tokens = float(per_minute)
        self._updated_at = time.monotonic()

    def count_tokens(self) -> float:
        """Refill the bucket for the time since the last call, and return the number of tokens.

        A negative number is a debt: more tokens were taken than the bucket had.
        """
        now = time.monotonic()
        passed_seconds = now - self._updated_at
        new_tokens = passed_seconds * self._per_minute / MINUTE
        self._tokens = min(float(self._per_minute), self._tokens + new_tokens)
        self._updated_at = now
        return self._tokens

    def take_tokens(self, count: int) -> None:
        """Take `count` tokens, even if there are fewer; a negative `count` puts tokens back."""
        self._tokens -= count

    def compute_wait_seconds(self, count: int = 1) -> float:
        """Return the number of seconds until the bucket has `count` tokens, or 0 if it has them now."""
        missing_tokens = max(0.0, count - self.count_tokens())
        return missing_tokens * MINUTE / self._per_minute


class RateLimit:
    """Middleware that refuses a client address that sends more than `per_minute` requests per minute."""

    def __init__(self, app: ASGIApp, per_minute: int) -> None:
        self.app = app
        self.per_minute = per_minute
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or refuse it with a 429 if its client has sent too many requests."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        address, _port = scope.get("client") or ("", 0)
        bucket = self._find_bucket(address)
        wait_seconds = bucket.compute_wait_seconds(1)
        if wait_seconds > 0:
            await self._make_refusal(wait_seconds).send(scope, receive, send)
            return
        bucket.take_tokens(1)
        # A route that handles many texts finds the bucket here, and takes a token for each text.
        scope[BUCKET_KEY] = bucket
        await self.app(scope, receive, send)

    def _make_refusal(self, wait_seconds: float) -> Problem:
        """Return the error response for a client that must wait `wait_seconds` before its next request."""
        whole_seconds = int(wait_seconds) + 1
        message = f"at most {self.per_minute} requests a minute; try again in {whole_seconds} s"
        return Problem(429, "RATE_LIMITED", message, headers={"Retry-After": str(whole_seconds)})

    def _find_bucket(self, address: str) -> TokenBucket:
        """Return the token bucket of a client address, and create it if there is none.

        If there are more than `MAX_CLIENTS` buckets, the least recently used one is removed.
        """
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = TokenBucket(self.per_minute)
            self._buckets[address] = bucket
            if len(self._buckets) > MAX_CLIENTS:
                # The buckets are in the order of their last use.
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket


def charge_texts(scope: Scope, text_count: int) -> None:
    """Count each text of a request as one request of its client for the rate limit.

    `scope` is the ASGI scope of the request. Do nothing if the service has no rate limit.
    """
    bucket: TokenBucket | None = scope.get(BUCKET_KEY)
    if bucket is not None:
        # The request itself has taken one token already.
        bucket.take_tokens(text_count - 1)


async def pace_items(scope: Scope, items: Sequence[T]) -> AsyncIterator[Sequence[T]]:
    """Yield the items in groups, as fast as the rate limit of the client allows.

    Each item takes one token. Each group has as many items as the client has tokens now. Without a rate
    limit, all items are one group. `scope` is the ASGI scope of the request.
    """
    bucket: TokenBucket | None = scope.get(BUCKET_KEY)
    if bucket is None:
        yield items
        return

    yielded_count = 0
    while yielded_count < len(items):
        allowed_count = int(bucket.count_tokens())
        if allowed_count < 1:
            await asyncio.sleep(bucket.compute_wait_seconds(1))
            continue
        group = items[yielded_count : yielded_count + allowed_count]
        bucket.take_tokens(len(group))
        yield group
        yielded_count += len(group)
