"""Bodies that many requests receive: compressed once, with an ETag.

A client that sends the ETag of a body in ``If-None-Match`` has the body already and gets a 304 without one.
"""

from __future__ import annotations

import gzip
import threading
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from forsyth.server.bounds.compression import MIN_COMPRESSED_SIZE, accepts_gzip

_TAG_LENGTH: Final = 32
"""Number of hexadecimal digits in an ETag."""

MAX_FILES: Final = 256
"""Maximum number of files in a cache. The page and the interactive description have about ten."""


class Content(NamedTuple):
    """Body of a response, and its compressed form, or None if that is not smaller."""

    body: bytes
    compressed_body: bytes | None
    tag: str
    """ETag of the body. It is weak, because the compressed body has the same."""


def prepare_content(body: bytes) -> Content:
    """Return a body with its ETag and its compressed form."""
    compressed_body = None
    if len(body) >= MIN_COMPRESSED_SIZE:
        # The time is left out, so that all worker processes send the same bytes.
        compressed_body = gzip.compress(body, mtime=0)
    is_smaller = compressed_body is not None and len(compressed_body) < len(body)
    return Content(body, compressed_body if is_smaller else None, make_tag(body))


def make_tag(body: bytes) -> str:
    """Return the weak ETag of a body: a hash of its bytes."""
    digest = sha256(body).hexdigest()[:_TAG_LENGTH]
    return f'W/"{digest}"'


def has_client_tag(request: Request, tag: str) -> bool:
    """Return whether the client has the body with this ETag: it sent the tag in ``If-None-Match``."""
    client_tags = request.headers.get("if-none-match", "").split(",")
    return tag in (client_tag.strip() for client_tag in client_tags)


def content_response(
    request: Request, content: Content, media_type: str, headers: Mapping[str, str]
) -> Response:
    """Return a response with `content`, compressed if the client accepts gzip.

    `headers` are further headers. The response is a 304 without a body if the client has the body already.
    """
    all_headers = {**headers, "ETag": content.tag}
    if content.compressed_body is not None:
        all_headers["Vary"] = "Accept-Encoding"
    if has_client_tag(request, content.tag):
        return Response(None, 304, all_headers)
    if content.compressed_body is None or not accepts_gzip(request.scope):
        return Response(content.body, 200, all_headers, media_type)
    # `Compression` leaves a response with this header unchanged.
    all_headers["Content-Encoding"] = "gzip"
    return Response(content.compressed_body, 200, all_headers, media_type)


class FileCache:
    """Cache of the contents of files. A file that has changed is read again."""

    def __init__(self) -> None:
        self._contents: dict[Path, tuple[tuple[int, int], Content]] = {}
        self._lock = threading.Lock()

    def read(self, path: Path) -> Content:
        """Return the content of a file. Raise `OSError` if it cannot be read."""
        status = path.stat()
        version = (status.st_mtime_ns, status.st_size)
        # One thread at a time, so that a file is compressed once even if many clients request it at once.
        with self._lock:
            cached = self._contents.get(path)
            if cached is not None and cached[0] == version:
                return cached[1]
            content = prepare_content(path.read_bytes())
            if len(self._contents) >= MAX_FILES:
                self._contents.clear()
            self._contents[path] = (version, content)
            return content
