"""What a service is started with: from the command line, or from the environment of a worker process.

Accepts, from the environment, ``FORSYTH_`` and the name of a field in capitals, such as ``FORSYTH_PORT``;
``FORSYTH_CORS`` holds origins with commas between them. What is not there has its default. Raises
`ValueError` with a sentence for a number that is none or out of bounds.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from forsyth.store import default_where

PREFIX: Final = "FORSYTH_"

_LEAST: Final[Mapping[str, float]] = {
    "port": 0,
    "workers": 1,
    "rate_limit": 0,
    "body_limit": 1024,
    "time_limit": 0.1,
    "line_limit": 1024,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How a service listens, what it keeps, and what it puts up with."""

    host: str = "127.0.0.1"
    """The address it listens on; by default nobody outside this machine can reach it."""
    port: int = 8000
    store: str | None = None
    """A path, ``:memory:`` or a ``postgresql://`` address; None is the store of the user."""
    workers: int = 1
    api_key: str | None = None
    """What a call that changes the store has to show; None asks for nothing."""
    cors: tuple[str, ...] = ()
    """Origins whose pages may call the service; none by default."""
    rate_limit: int = 0
    """Most requests of one client address in a minute; 0 does not count them."""
    body_limit: int = 64 * 1024
    """Most bytes of a request body (spec/azul 10.1); a batch has no such limit."""
    time_limit: float = 30.0
    """Seconds until a request that has no answer is given up, and between two parts of a batch."""
    line_limit: int = 16 * 1024
    """Most bytes of one line of a batch: four times the longest text of any form, escapes included."""

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)}, expected {least} or more")
        if self.port > 65535:
            raise ValueError(f"port is {self.port}, expected at most 65535")

    @property
    def where(self) -> str:
        """Where the positions are kept, as `open_store` takes it."""
        return str(default_where()) if self.store is None else self.store

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """The settings that variables such as ``FORSYTH_PORT`` describe."""
        given = os.environ if environment is None else environment
        found = {
            f.name: given[PREFIX + f.name.upper()] for f in fields(cls) if given.get(PREFIX + f.name.upper())
        }
        return cls(**{name: _value(name, text) for name, text in found.items()})

    def to_environment(self) -> dict[str, str]:
        """The variables from which `from_environment` makes these settings again; unset ones are empty."""
        return {PREFIX + f.name.upper(): _written(getattr(self, f.name)) for f in fields(self)}


def _value(name: str, text: str) -> Any:
    if name == "cors":
        return tuple(origin.strip() for origin in text.split(",") if origin.strip())
    if name not in _LEAST:
        return text
    try:
        return float(text) if name == "time_limit" else int(text)
    except ValueError:
        raise ValueError(f"{PREFIX}{name.upper()} is {text!r}, expected a number") from None


def _written(value: Any) -> str:
    if value is None:
        return ""
    return ",".join(value) if isinstance(value, tuple) else str(value)
