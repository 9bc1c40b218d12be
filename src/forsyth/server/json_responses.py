"""Encode responses as JSON directly, without a model between the data and the bytes.

The JSON is ASCII only, as on the command line, so that every client can read every character. NaN and
infinity are never written: `encode_json` raises `ValueError` for them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from forsyth.server.prepared_content import has_matching_etag, make_etag

_ENCODE: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False).encode

JSON_TYPE: Final = "application/json"


def encode_json(data: Any) -> bytes:
    """Return JSON-ready data as compact ASCII JSON.

    Raise `ValueError` if it contains NaN or infinity.
    """
    return _ENCODE(data).encode("ascii")


def make_json_response(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return an HTTP response with JSON-ready data as its body.

    Args:
        data: Dictionaries, lists, texts, numbers, booleans and None.
        status: HTTP status.
        headers: Further headers, or None for no further ones.
    """
    return Response(encode_json(data), status, headers, JSON_TYPE)


def make_cacheable_response(request: Request, data: Any) -> Response:
    """Return a response with `data` as JSON, which a client may keep until the data changes.

    The header ``ETag`` contains a hash of the data. If the client sent the same hash in ``If-None-Match``, it
    has the data already. The response is then a 304 without a body.
    """
    body = encode_json(data)
    etag = make_etag(body)
    # With "no-cache", the client may keep the body, but must ask with the ETag before each use.
    headers = {"ETag": etag, "Cache-Control": "no-cache"}
    if has_matching_etag(request, etag):
        return Response(None, 304, headers)
    return Response(body, 200, headers, JSON_TYPE)
