"""What a service is started with: from the command line, or from the environment of a worker process.

Accepts, from the environment, ``FORSYTH_`` and the name of a field in capitals, such as ``FORSYTH_PORT``;
lists such as ``FORSYTH_CORS`` have commas between their values. What is not there, or empty, has its default;
an empty key is refused, because who sets one wants to be protected by it. Raises `ValueError` with a sentence
for a value that cannot be meant.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from ipaddress import ip_address, ip_network
from math import inf
from typing import Any, Final

from forsyth.arguments import quoted, require_text, several, type_of, whole_number
from forsyth.store import default_where

PREFIX: Final = "FORSYTH_"

ANY: Final = "*"
"""Every name, or every origin."""

KEY_VARIABLE: Final = "FORSYTH_API_KEY"

_LEAST: Final[Mapping[str, float]] = {
    "port": 0,
    "workers": 1,
    "rate_limit": 0,
    "body_limit": 1024,
    "time_limit": 0.1,
    "line_limit": 1024,
    "head_limit": 1024,
    "head_time": 0.1,
    "connections": 1,
    "computing": 1,
    "waiting": 0,
}
_SECONDS: Final = ("time_limit", "head_time")
_TEXTS: Final = ("store", "index", "api_key")
"""Settings that are a text or nothing."""
_LISTS: Final = ("cors", "allow_host", "trust_proxy")

_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#@\s,]+", re.ASCII | re.IGNORECASE)
_NAME: Final = re.compile(r"[0-9a-z._-]+", re.ASCII | re.IGNORECASE)
_KEY: Final = re.compile(r"[!-~]+", re.ASCII)
_USUAL_PORTS: Final = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True)
class Settings:
    """How a service listens, what it keeps, and what it puts up with."""

    host: str = "127.0.0.1"
    """The address it listens on; by default nobody outside this machine can reach it."""
    port: int = 8000
    store: str | None = None
    """A path, ``:memory:`` or a ``postgresql://`` address; None is the store of the user."""
    index: str | None = None
    """The directory of an index, to say what was played in a position; None for none."""
    workers: int = 1
    api_key: str | None = None
    """What a call that changes the store has to show; None asks for nothing."""
    cors: tuple[str, ...] = ()
    """Origins whose pages may call the service; none by default."""
    allow_host: tuple[str, ...] = ()
    """Names it answers to beside those of this machine and the address it listens on."""
    trust_proxy: tuple[str, ...] = ()
    """Addresses of proxies whose ``X-Forwarded-For`` is believed; nobody's by default."""
    rate_limit: int = 0
    """Most requests of one client address in a minute; 0 does not count them."""
    body_limit: int = 64 * 1024
    """Most bytes of a request body (spec/azul 10.1); a batch has no such limit."""
    time_limit: float = 30.0
    """Seconds until a request that has no answer is given up, and between two parts of a batch."""
    line_limit: int = 16 * 1024
    """Most bytes of one line of a batch: four times the longest text of any form, escapes included."""
    head_limit: int = 32 * 1024
    """Most bytes of a request's line and headers: browsers and proxies send a tenth of it."""
    head_time: float = 10.0
    """Seconds until a head must be complete, from the opening of the connection or its first byte."""
    connections: int = 1000
    """Most connections of one process; fewer where the system lets it open fewer files."""
    computing: int = 4
    """Most calls of one process that compute at once: more would only make each other wait."""
    waiting: int = 512
    """Most calls that wait to compute; at a few milliseconds each they are answered within the time limit."""

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if name in _SECONDS:
                _require_seconds(name, getattr(self, name), least)
            else:
                whole_number(name, getattr(self, name), int(least))
        if self.port > 65535:
            raise ValueError(f"port is {self.port}, expected at most 65535")
        require_text("host", self.host)
        for name in _TEXTS:
            if getattr(self, name) is not None:
                require_text(name, getattr(self, name))
        for name in _LISTS:
            values = several(name, getattr(self, name), "texts")
            for value in values:
                require_text(f"a value of {name}", value)
            object.__setattr__(self, name, values)
        if self.api_key is not None and not _KEY.fullmatch(self.api_key):
            found = "has characters that no header holds" if self.api_key.strip() else "is empty"
            raise ValueError(
                f"the API key {found}, expected letters, digits and signs of ASCII without spaces"
            )
        for origin in self.cors:
            if origin != ANY and not _ORIGIN.fullmatch(origin):
                raise ValueError(f"cors is {origin!r}, expected an origin such as https://page.example, or *")
        object.__setattr__(self, "cors", tuple(map(_as_sent, self.cors)))
        for host in self.allow_host:
            if host != ANY and not _NAME.fullmatch(host) and not _is_address(host):
                expected = "a name without its port, such as chess.example, or *"
                raise ValueError(f"allow_host is {host!r}, expected {expected}")
        for address in self.trust_proxy:
            _require_address(address)

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
        if given.get(KEY_VARIABLE) == "":
            raise ValueError(f"{KEY_VARIABLE} is empty, expected a key; unset it to ask for none")
        return cls(**{name: _value(name, text) for name, text in found.items()})

    def to_environment(self) -> dict[str, str]:
        """The variables from which `from_environment` makes these settings again."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {PREFIX + name.upper(): _written(value) for name, value in values.items() if value is not None}


def _require_seconds(name: str, value: object, least: float) -> None:
    if not isinstance(value, int | float):
        raise TypeError(f"{name} is of type {type_of(value)}, expected a number of seconds")
    if not least <= value < inf:
        raise ValueError(f"{name} is {quoted(value)}, expected {least} or more")


def _as_sent(origin: str) -> str:
    """An origin as browsers send it: in small letters, without the port that its scheme has by itself."""
    scheme, _, rest = origin.lower().partition("://")
    return origin.lower().removesuffix(_USUAL_PORTS.get(scheme, "")) if rest else origin


def _is_address(host: str) -> bool:
    """Whether a host is an address without a port; one with colons may have brackets around it."""
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        ip_address(bare)
    except ValueError:
        return False
    return bare == host or ":" in bare


def _require_address(address: str) -> None:
    try:
        ip_network(address)
    except ValueError:
        expected = "the address of a proxy such as 10.0.0.1, or of a network such as 10.0.0.0/8"
        raise ValueError(f"trust_proxy is {address!r}, expected {expected}") from None


def _value(name: str, text: str) -> Any:
    if name in _LISTS:
        return tuple(one.strip() for one in text.split(",") if one.strip())
    if name not in _LEAST:
        return text
    try:
        return float(text) if name in _SECONDS else int(text)
    except ValueError:
        raise ValueError(f"{PREFIX}{name.upper()} is {text!r}, expected a number") from None


def _written(value: Any) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)
