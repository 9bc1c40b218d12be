"""Bodies as data: JSON as RFC 8259 has it, which is less than Python's own reader takes.

Not accepted: ``NaN``, ``Infinity`` and ``-Infinity``. They are no JSON, and an answer could not repeat them.
"""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

from starlette.requests import Request


def parsed(body: bytes) -> Any:
    """A body as data; raises `ValueError` for what is not JSON, and `RecursionError` for what is too deep."""
    if body.isascii() and b"\0" not in body:
        return _DECODER.decode(body.decode("ascii"))
    return json.loads(body, parse_constant=_refuse)


def require_numbers(body: bytes) -> None:
    """Raise `ValueError` where a body that some other reader takes holds a number that is not JSON."""
    if b"NaN" in body or b"Infinity" in body:
        parsed(body)


def _refuse(constant: str) -> NoReturn:
    raise json.JSONDecodeError(f"{constant} is not JSON", constant, 0)


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse)
"""Made once: for a line of a batch the making takes as long as the reading."""


class StrictRequest(Request):
    """A request whose body is read so."""

    async def json(self) -> Any:
        """The body as data."""
        return parsed(await self.body())
