"""Answers as bytes: JSON made once, without a model between the data and the wire.

Written: ASCII-only JSON, as on the command line, so that every character survives any reader. A number that
is none is never written: `encoded` raises `ValueError` instead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

_ENCODE: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False).encode

JSON_TYPE: Final = "application/json"


def encoded(data: Any) -> bytes:
    """JSON-ready data as compact ASCII JSON."""
    return _ENCODE(data).encode("ascii")


def answer(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """JSON-ready data as a response."""
    return Response(encoded(data), status, headers, JSON_TYPE)


def tagged(request: Request, data: Any) -> Response:
    """The same for data that seldom changes: its client keeps it, and asks only whether it is still so."""
    body = encoded(data)
    tag = f'W/"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    known = (one.strip() for one in request.headers.get("if-none-match", "").split(","))
    return Response(None, 304, headers) if tag in known else Response(body, 200, headers, JSON_TYPE)
