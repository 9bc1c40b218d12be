"""Check the header ``Host`` against the names of the service, as a protection against DNS rebinding.

These values are accepted: ``localhost`` and names below it, loopback addresses, the address or name that the
service listens on, and the names in `Settings.allow_host`, where ``*`` stands for every name. A service that
listens on all addresses of its machine accepts every host that is an IP address: an attacker can make a name
lead elsewhere, but not an address. Ports, upper case and a final dot are ignored.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from forsyth.server.settings import ANY, Settings

MAX_KNOWN_HOSTS: Final = 256
"""Maximum number of accepted header values in the cache. Usually there are a few names with their ports."""

_HOST: Final = re.compile(r"(?:\[([0-9a-f:.]+)\]|([0-9a-z._-]+))(?::[0-9]{0,5})?", re.ASCII)
"""A header value: an IPv6 address in brackets (group 1) or a name or IPv4 address (group 2), with a port."""

_LOCALHOST: Final = "localhost"


class AllowedHosts:
    """Host names and IP addresses that a service answers to, from its settings."""

    def __init__(self, settings: Settings) -> None:
        self._allows_any_host = ANY in settings.allow_host
        self._names: set[str] = set()
        self._addresses: set[IPv4Address | IPv6Address] = set()
        for allowed_host in (settings.host, *settings.allow_host):
            host = _normalise_host(allowed_host)
            address = _parse_address(host)
            if address is None:
                self._names.add(host)
            else:
                self._addresses.add(address)
        # An unspecified address, such as 0.0.0.0, means that the service listens on all addresses.
        self._allows_any_address = any(address.is_unspecified for address in self._addresses)
        self._known_values: set[bytes] = set()

    def accepts(self, header_value: bytes) -> bool:
        """Return whether a header ``Host``, such as ``localhost:8000``, names this service.

        Accepted values are cached, because nearly all requests have the same one.
        """
        if header_value in self._known_values:
            return True
        is_accepted = self._is_own_host(header_value.decode("latin-1").lower())
        if is_accepted and len(self._known_values) < MAX_KNOWN_HOSTS:
            self._known_values.add(header_value)
        return is_accepted

    def _is_own_host(self, host_with_port: str) -> bool:
        """Return whether a host in lower case, such as ``localhost:8000``, names this service.

        ``localhost``, loopback addresses, and the names and addresses in the settings are accepted. The port
        is optional, and any port is accepted.
        """
        match = _HOST.fullmatch(host_with_port)
        if match is None:
            return False
        if self._allows_any_host:
            return True
        bracketed_address, name_or_address = match.groups()
        host = _normalise_host(bracketed_address or name_or_address)
        address = _parse_address(host)
        if address is not None:
            return self._allows_any_address or _is_loopback(address) or address in self._addresses
        is_localhost = host == _LOCALHOST or host.endswith(f".{_LOCALHOST}")
        return is_localhost or host in self._names


def _normalise_host(name: str) -> str:
    """Return a host in lower case, without brackets and a final dot: ``[::1]`` is ``::1``."""
    return name.strip("[]").lower().removesuffix(".")


def _parse_address(host: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address in a text such as ``127.0.0.1``, or None if the text is a host name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _is_loopback(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is this machine itself, such as ``127.0.0.1`` or ``::1``.

    An IPv4 address may be written as an IPv6 address: ``::ffff:127.0.0.1`` is a loopback address too.
    """
    mapped_address = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    if mapped_address is not None:
        return mapped_address.is_loopback
    return address.is_loopback
