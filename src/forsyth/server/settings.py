"""Settings of the service, from the command line or from the environment of a worker process.

The name of an environment variable is ``FORSYTH_`` and the name of a field in capitals, such as
``FORSYTH_PORT``. The values of a list such as ``FORSYTH_CORS`` are separated by commas. A variable that is
unset or empty means the default. Only an empty ``FORSYTH_API_KEY`` is an error, because it was probably meant
to protect the service. A value out of range raises `ValueError`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from ipaddress import ip_address, ip_network
from math import inf
from typing import Any, Final

from forsyth.arguments import quoted, require_integer, require_text, to_tuple, type_name
from forsyth.store import default_location

PREFIX: Final = "FORSYTH_"

ANY: Final = "*"
"""Value of `Settings.allow_host` or `Settings.cors` that allows every host name or every origin."""

DEFAULT_RATE_LIMIT: Final = 1200
"""Requests per minute of one client address if other machines can reach the service.

A page sends up to four requests per second while its user types, so this is enough for five users behind one
address.
"""

KEY_VARIABLE: Final = "FORSYTH_API_KEY"

_MINIMUMS: Final[Mapping[str, float]] = {
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
"""Smallest value of each setting that is a number."""

_SECONDS: Final = ("time_limit", "head_time")
"""Numbers that need not be integers."""

_OPTIONAL_NUMBERS: Final = ("rate_limit",)
"""Settings that are a number or None."""

_OPTIONAL_TEXTS: Final = ("store", "index", "api_key")
"""Settings that are a text or None."""

_LISTS: Final = ("cors", "allow_host", "trust_proxy")

_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#@\s,]+", re.ASCII | re.IGNORECASE)
_NAME: Final = re.compile(r"[0-9a-z._-]+", re.ASCII | re.IGNORECASE)
_KEY: Final = re.compile(r"[!-~]+", re.ASCII)
_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}
_MAX_PORT: Final = 65535


@dataclass(frozen=True, slots=True)
class Settings:
    """Addresses, store and limits of a service."""

    host: str = "127.0.0.1"
    """Address to listen on. The default cannot be reached from outside this machine."""
    port: int = 8000
    store: str | None = None
    """Path, ``:memory:`` or ``postgresql://`` URL of the store; None is the user's default store."""
    index: str | None = None
    """Directory of an index of the moves played in each position; None for no index."""
    workers: int = 1
    api_key: str | None = None
    """Key that a request must send to change the store, or to read the library or the metrics.

    None requires no key.
    """
    cors: tuple[str, ...] = ()
    """Origins whose pages may send requests to the service; none by default."""
    allow_host: tuple[str, ...] = ()
    """Host names to answer to, besides those of this machine and the address to listen on."""
    trust_proxy: tuple[str, ...] = ()
    """Addresses of proxies whose header ``X-Forwarded-For`` is trusted; none by default."""
    rate_limit: int | None = None
    """Maximum number of requests per minute of one client address; 0 means no limit.

    None means `DEFAULT_RATE_LIMIT`, or no limit if other machines cannot reach the service.
    """
    body_limit: int = 64 * 1024
    """Maximum size of a request body in bytes (spec/azul 10.1). A batch has no such limit."""
    time_limit: float = 30.0
    """Maximum seconds until the response to a request begins, and between two parts of a batch."""
    line_limit: int = 16 * 1024
    """Maximum size of one line of a batch in bytes: four times the longest text of any form, with escapes."""
    head_limit: int = 32 * 1024
    """Maximum size of the request line and headers in bytes. Browsers and proxies send a tenth of it."""
    head_time: float = 10.0
    """Maximum seconds until a head is complete, from the opening of the connection or its first byte."""
    connections: int = 1000
    """Maximum number of connections of one process; fewer if the system allows fewer open files."""
    computing: int = 4
    """Maximum number of requests of one process that compute at once. More would slow each other down."""
    waiting: int = 512
    """Maximum number of requests that wait to compute. At a few ms each, all are answered in time."""

    def __post_init__(self) -> None:
        """Raise `TypeError` or `ValueError` if a value is not valid, and write lists in one form.

        A list becomes a tuple, and the origins in `cors` are written as browsers send them.
        """
        self._check_numbers()
        self._check_texts()
        self._convert_lists_to_tuples()
        _require_valid_key(self.api_key)
        for origin in self.cors:
            _require_valid_origin(origin)
        for host in self.allow_host:
            _require_valid_host(host)
        for address in self.trust_proxy:
            _require_valid_address(address)
        # A frozen dataclass has no plain assignment to its fields.
        object.__setattr__(self, "cors", tuple(map(_normalise_origin, self.cors)))

    def _check_numbers(self) -> None:
        """Raise `TypeError` or `ValueError` if a number has a wrong type or is out of range."""
        for name, minimum in _MINIMUMS.items():
            value = getattr(self, name)
            if name in _OPTIONAL_NUMBERS and value is None:
                continue
            if name in _SECONDS:
                _require_seconds(name, value, minimum)
            else:
                require_integer(name, value, int(minimum))
        if self.port > _MAX_PORT:
            raise ValueError(f"port is {self.port}, expected at most {_MAX_PORT}")

    def _check_texts(self) -> None:
        """Raise `TypeError` if a setting that must be a text is of another type."""
        require_text("host", self.host)
        for name in _OPTIONAL_TEXTS:
            if getattr(self, name) is not None:
                require_text(name, getattr(self, name))

    def _convert_lists_to_tuples(self) -> None:
        """Convert each setting that is a list to a tuple.

        Raise `TypeError` unless it contains texts only.
        """
        for name in _LISTS:
            values = to_tuple(name, getattr(self, name), "texts")
            for value in values:
                require_text(f"a value of {name}", value)
            # A frozen dataclass has no plain assignment to its fields.
            object.__setattr__(self, name, values)

    @property
    def requests_per_minute(self) -> int:
        """Maximum number of requests per minute of one client address, or 0 for no limit."""
        if self.rate_limit is not None:
            return self.rate_limit
        return 0 if _is_loopback(self.host) else DEFAULT_RATE_LIMIT

    @property
    def store_location(self) -> str:
        """Path or URL of the store, as an argument for `open_store`."""
        return str(default_location()) if self.store is None else self.store

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Return the settings in environment variables such as ``FORSYTH_PORT``.

        Args:
            environment: Values of the variables; None uses those of this process.

        Returns:
            The settings, with defaults for variables that are unset or empty.

        Raises:
            ValueError: If a value is not valid, or ``FORSYTH_API_KEY`` is set but empty.
        """
        variables = os.environ if environment is None else environment
        if variables.get(KEY_VARIABLE) == "":
            raise ValueError(f"{KEY_VARIABLE} is empty, expected a key; unset it to require no key")
        values = {}
        for field in fields(cls):
            text = variables.get(_format_variable_name(field.name))
            if text:
                values[field.name] = _parse_setting(field.name, text)
        return cls(**values)

    def to_environment(self) -> dict[str, str]:
        """Return the settings as environment variables, such as ``{"FORSYTH_PORT": "8000", ...}``.

        They are for worker processes, which make the same settings from them with `from_environment`.
        Settings that are None are left out.
        """
        variables = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                variables[_format_variable_name(field.name)] = _format_setting(value)
        return variables


def _format_variable_name(setting: str) -> str:
    """Return the name of the environment variable for a setting: ``FORSYTH_PORT`` for ``port``."""
    return PREFIX + setting.upper()


def _require_seconds(name: str, value: object, minimum: float) -> None:
    """Raise an error unless a setting is a number of seconds of at least `minimum`.

    The error is `TypeError` if the value is not a number, and `ValueError` if it is too small or infinite.
    `name` is the name of the setting, for the message.
    """
    if not isinstance(value, int | float):
        raise TypeError(f"{name} is of type {type_name(value)}, expected a number of seconds")
    if not minimum <= value < inf:
        raise ValueError(f"{name} is {quoted(value)}, expected {minimum} or more")


def _require_valid_key(key: str | None) -> None:
    """Raise `ValueError` if an API key is empty, or cannot be sent in a header.

    None means that no key is required. The message does not repeat the key, which is secret.
    """
    if key is None or _KEY.fullmatch(key):
        return
    is_blank = not key.strip()
    problem = "is empty" if is_blank else "has characters that a header cannot contain"
    raise ValueError(f"the API key {problem}, expected ASCII letters, digits and signs without spaces")


def _require_valid_origin(origin: str) -> None:
    """Raise `ValueError` if a value of `cors` is neither ``*`` nor an origin.

    An origin is a scheme, a host and perhaps a port, such as ``https://page.example``.
    """
    if origin != ANY and not _ORIGIN.fullmatch(origin):
        raise ValueError(f"cors is {origin!r}, expected an origin such as https://page.example, or *")


def _require_valid_host(host: str) -> None:
    """Raise `ValueError` if a value of `allow_host` is not a host name, an IP address or ``*``.

    It must not contain a port.
    """
    if host == ANY or _NAME.fullmatch(host) or _is_address(host):
        return
    expected = "a name without its port, such as chess.example, or *"
    raise ValueError(f"allow_host is {host!r}, expected {expected}")


def _normalise_origin(origin: str) -> str:
    """Return an origin as browsers send it: in lower case, without the default port of its scheme.

    ``HTTPS://Page.example:443`` becomes ``https://page.example``, and ``*`` stays as it is.
    """
    if origin == ANY:
        return origin
    lower_origin = origin.lower()
    scheme, _, _ = lower_origin.partition("://")
    default_port_suffix = _DEFAULT_PORTS.get(scheme, "")
    return lower_origin.removesuffix(default_port_suffix)


def _is_address(host: str) -> bool:
    """Return whether a host is an IP address without a port. An IPv6 address may be in brackets."""
    has_brackets = host.startswith("[") and host.endswith("]")
    address = host[1:-1] if has_brackets else host
    try:
        ip_address(address)
    except ValueError:
        return False
    # Only IPv6 addresses, which contain colons, may be in brackets.
    return not has_brackets or ":" in address


def _is_loopback(host: str) -> bool:
    """Return whether a host leads to this machine, so that no other machine can reach it."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _require_valid_address(address: str) -> None:
    """Raise `ValueError` if a value of `trust_proxy` is neither an IP address nor a network."""
    try:
        ip_network(address)
    except ValueError:
        expected = "the address of a proxy such as 10.0.0.1, or of a network such as 10.0.0.0/8"
        raise ValueError(f"trust_proxy is {address!r}, expected {expected}") from None


def _parse_setting(name: str, text: str) -> Any:
    """Return the value of a setting from the text of its environment variable.

    For example, ``8000`` is the integer 8000 for the setting `port`. The elements of a list, such as `cors`,
    are separated by commas. Raise `ValueError` if the setting must be a number and `text` is not a number.
    """
    if name in _LISTS:
        elements = (element.strip() for element in text.split(","))
        return tuple(element for element in elements if element)
    is_number = name in _MINIMUMS
    if not is_number:
        return text
    allows_fractions = name in _SECONDS
    try:
        return float(text) if allows_fractions else int(text)
    except ValueError:
        expected = "a number of seconds" if allows_fractions else "an integer"
        raise ValueError(f"{_format_variable_name(name)} is {text!r}, expected {expected}") from None


def _format_setting(value: Any) -> str:
    """Return the value of a setting as text for an environment variable.

    The elements of a list are joined by commas.
    """
    is_list = isinstance(value, tuple)
    return ",".join(value) if is_list else str(value)
