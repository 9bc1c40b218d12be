"""Answers as bytes: JSON made once, without a model between the data and the wire.

Written: ASCII-only JSON, as on the command line, so that every character survives any reader. A number that
is none is never written: `encoded` raises `ValueError` instead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from starlette.responses import Response

_ENCODE: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False).encode

JSON_TYPE: Final = "application/json"


def encoded(data: Any) -> bytes:
    """JSON-ready data as compact ASCII JSON."""
    return _ENCODE(data).encode("ascii")


def answer(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """JSON-ready data as a response."""
    return Response(encoded(data), status, headers, JSON_TYPE)
