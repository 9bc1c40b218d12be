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
    """Body of a response, with its ETag and its compressed form."""

    body: bytes
    compressed_body: bytes | None
    """Body compressed with gzip, or None if that is not smaller."""
    etag: str
    """ETag of the body. It is weak, because the compressed body has the same."""


def prepare_content(body: bytes) -> Content:
    """Return a body with its ETag and, if that is smaller, its form compressed with gzip."""
    return Content(body, _compress_if_smaller(body), make_etag(body))


def _compress_if_smaller(body: bytes) -> bytes | None:
    """Return a body compressed with gzip, or None if that would not be smaller.

    Short bodies are not compressed at all.
    """
    if len(body) < MIN_COMPRESSED_SIZE:
        return None
    # The time is left out, so that all worker processes send the same bytes.
    compressed_body = gzip.compress(body, mtime=0)
    return compressed_body if len(compressed_body) < len(body) else None


def make_etag(body: bytes) -> str:
    """Return the ETag of a body, such as ``W/"5d41..."``: a hash of its bytes.

    The prefix ``W/`` marks it as weak.
    """
    digest = sha256(body).hexdigest()[:_TAG_LENGTH]
    return f'W/"{digest}"'


def has_matching_etag(request: Request, etag: str) -> bool:
    """Return whether the client already has the body with this ETag.

    Such a client has sent the ETag in the header ``If-None-Match``, which may contain several, separated by
    commas.
    """
    header = request.headers.get("if-none-match", "")
    client_etags = [client_etag.strip() for client_etag in header.split(",")]
    return etag in client_etags


def make_content_response(
    request: Request, content: Content, media_type: str, headers: Mapping[str, str]
) -> Response:
    """Return the response with a prepared body, compressed if the client accepts gzip.

    If the client has the body already, the response is a 304 without a body.

    Args:
        request: The request, whose headers contain what the client accepts and has.
        content: The body with its ETag and its compressed form.
        media_type: Content type of the body.
        headers: Further headers of the response.
    """
    all_headers = {**headers, "ETag": content.etag}
    if content.compressed_body is not None:
        all_headers["Vary"] = "Accept-Encoding"
    if has_matching_etag(request, content.etag):
        return Response(None, 304, all_headers)
    if content.compressed_body is None or not accepts_gzip(request.scope):
        return Response(content.body, 200, all_headers, media_type)
    # `Compression` leaves a response with this header unchanged.
    all_headers["Content-Encoding"] = "gzip"
    return Response(content.compressed_body, 200, all_headers, media_type)


class _CachedFile(NamedTuple):
    """Content of a file, with the time of its last change and its size, which show a later change."""

    modified_ns: int
    size: int
    content: Content


class FileCache:
    """Cache of the contents of files. A file that has changed is read again."""

    def __init__(self) -> None:
        self._contents: dict[Path, _CachedFile] = {}
        self._lock = threading.Lock()

    def read_file(self, path: Path) -> Content:
        """Return the content of a file, from the cache if the file has not changed since it was read.

        Raise `OSError` if the file cannot be read.
        """
        status = path.stat()
        # One thread at a time, so that a file is compressed once even if many clients request it at once.
        with self._lock:
            cached = self._contents.get(path)
            if cached is not None:
                is_unchanged = (cached.modified_ns, cached.size) == (status.st_mtime_ns, status.st_size)
                if is_unchanged:
                    return cached.content
            content = prepare_content(path.read_bytes())
            if len(self._contents) >= MAX_FILES:
                self._contents.clear()
            self._contents[path] = _CachedFile(status.st_mtime_ns, status.st_size, content)
            return content
