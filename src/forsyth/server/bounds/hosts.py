"""Which names a service answers to, so that no name of a stranger can be made to lead to it (DNS rebinding).

Accepted, in a header ``Host``: ``localhost`` and names below it, addresses of the loopback network, the
address or name the service listens on, and the names that `Settings.allow_host` lists, where ``*`` is every
name. A service that listens on all addresses of its machine accepts every host that is written as an address:
only a name can be made to lead elsewhere. A port, capitals and a dot at the end make no difference.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from forsyth.server.settings import ANY, Settings

MOST_KNOWN: Final = 256
"""Values of the header remembered as accepted: a few names with their ports."""

_HOST: Final = re.compile(r"(?:\[([0-9a-f:.]+)\]|([0-9a-z._-]+))(?::[0-9]{0,5})?", re.ASCII)
_LOCAL: Final = "localhost"


class Hosts:
    """The names and addresses of one service."""

    def __init__(self, settings: Settings) -> None:
        names = {_plain(name) for name in (settings.host, *settings.allow_host)}
        self._any = ANY in settings.allow_host
        self._names = {name for name in names if _address(name) is None}
        self._addresses = {address for name in names if (address := _address(name)) is not None}
        self._any_address = any(address.is_unspecified for address in self._addresses)
        self._known: set[bytes] = set()

    def accepts(self, value: bytes) -> bool:
        """Whether a request for this value of ``Host`` is meant for the service."""
        if value in self._known:
            return True
        accepted = self._accepts(value.decode("latin-1").lower())
        if accepted and len(self._known) < MOST_KNOWN:
            self._known.add(value)
        return accepted

    def _accepts(self, value: str) -> bool:
        found = _HOST.fullmatch(value)
        if found is None:
            return False
        host = _plain(found[1] or found[2])
        address = _address(host)
        if address is not None:
            return self._any or self._any_address or _is_loopback(address) or address in self._addresses
        return self._any or host in self._names or host == _LOCAL or host.endswith(f".{_LOCAL}")


def _plain(name: str) -> str:
    return name.strip("[]").lower().removesuffix(".")


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _is_loopback(address: IPv4Address | IPv6Address) -> bool:
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback
