"""Parse request bodies as JSON according to RFC 8259, which is stricter than Python's own parser.

``NaN``, ``Infinity`` and ``-Infinity`` are refused: they are not JSON, and a response could not repeat them.
"""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

from starlette.requests import Request


def parse_json(body: bytes) -> Any:
    """Return the data in the body of a request, which must be JSON.

    Raise `ValueError` if the body is not JSON or contains ``NaN`` or ``Infinity``, and `RecursionError` if it
    is nested too deeply.
    """
    # ASCII, the usual case, needs no detection of the encoding. A zero byte is a sign of UTF-16 or UTF-32.
    is_plain_ascii = body.isascii() and b"\0" not in body
    if is_plain_ascii:
        return _DECODER.decode(body.decode("ascii"))
    return json.loads(body, parse_constant=_refuse_constant)


def require_valid_numbers(body: bytes) -> None:
    """Raise `ValueError` if a body contains ``NaN`` or ``Infinity`` as a number.

    Call this before another parser, such as that of pydantic, reads the body: it may accept such numbers.
    """
    # The letters may also be a part of a text, where they are allowed. Only parsing the body shows that.
    may_have_invalid_number = b"NaN" in body or b"Infinity" in body
    if may_have_invalid_number:
        parse_json(body)


def _refuse_constant(constant: str) -> NoReturn:
    """Raise `JSONDecodeError` for a constant such as ``NaN``, which is not JSON.

    Python's parser would accept it.
    """
    raise json.JSONDecodeError(f"{constant} is not a JSON number", constant, 0)


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant)
"""Shared decoder: for one line of a batch, making a decoder takes as long as decoding."""


class StrictRequest(Request):
    """Request whose `json` method accepts valid JSON only."""

    async def json(self) -> Any:
        """Return the parsed body. Raise `ValueError` if it is not JSON."""
        return parse_json(await self.body())
