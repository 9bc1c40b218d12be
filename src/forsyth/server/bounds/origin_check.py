"""Refuse requests for foreign host names, and changing or expensive requests from a foreign page.

A foreign page that is open in a browser on this machine can send requests to a service that nobody outside
the machine can reach. The check uses two headers, neither of which a page can forge:

- ``Host``: the name that the browser connects to, see `forsyth.server.bounds.hosts`. It must occur exactly
  once, except that HTTP/1.0 may omit it, which no browser does. A request target in absolute form, such as
  ``http://localhost/healthz``, must name this service too.
- ``Sec-Fetch-Site``, or ``Origin`` if the browser does not send it: the page that sends the request. Only
  GET, HEAD and OPTIONS are allowed for a page of another origin, unless `Settings.cors` lists its origin, and
  of these not the expensive requests in `EXPENSIVE_PATHS`.
  Programs send neither header and are not refused.

No GET request changes anything, because any page can send one by showing a picture.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from forsyth.server.bounds.hosts import AllowedHosts
from forsyth.server.problems import Problem
from forsyth.server.settings import ANY, Settings

SAFE_METHODS: Final = frozenset(("GET", "HEAD", "OPTIONS"))
"""Methods that change nothing in the service (RFC 9110, 9.2.1)."""

EXPENSIVE_PATHS: Final = frozenset(
    ("/api/v1/animation.svg", "/api/v1/animation.png", "/api/v1/batch/library")
)
"""Paths whose GET requests take so long that any page could slow the service down by showing pictures."""

TARGET_KEY: Final = "forsyth.target"
"""Key of the request target as the client sent it, in the ASGI scope of a request.

Without it, the ``raw_path`` of the scope is the target without its query.
"""

_ABSOLUTE_TARGET: Final = re.compile(rb"[a-z][a-z0-9+.-]*://([^/?#]*)", re.ASCII | re.IGNORECASE)
"""The beginning of a request target in absolute form (RFC 9112, 3.2.2), up to the host with its port."""

MAX_SHOWN_CHARACTERS: Final = 80
"""Maximum number of characters of a header that an error message repeats."""

_OWN_SITES: Final = (b"same-origin", b"none")
"""Values of ``Sec-Fetch-Site`` for the service's own pages, and for requests that the user starts."""

_CLOSE: Final = {"Connection": "close"}


class _OriginHeaders(NamedTuple):
    """Headers of a request that show where it goes and where it comes from. An absent header is empty."""

    host_count: int
    """Number of headers ``Host``; more than one is an error."""
    host: bytes
    """Value of ``Host``, the name that the browser connects to."""
    origin: bytes
    """Value of ``Origin``, the page that sends the request, such as ``https://page.example``."""
    fetch_site: bytes
    """Value of ``Sec-Fetch-Site``: how that page is related to this service, such as ``cross-site``."""


class OriginCheck:
    """Middleware that refuses requests with a foreign host name or from a foreign page."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._allowed_hosts = AllowedHosts(settings)
        self._allowed_origins = frozenset(origin.encode() for origin in settings.cors)
        self._allows_any_origin = ANY in settings.cors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or refuse it if its host name or the page that sends it is foreign."""
        refusal = self._check_headers(scope) if scope["type"] == "http" else None
        if refusal is not None:
            await refusal.send(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _check_headers(self, scope: Scope) -> Problem | None:
        """Return the error response for a request, or None if its headers are accepted.

        The header ``Host`` must occur once and name this service. A request that changes something, or is
        expensive, must not come from a page of another origin. `scope` is the ASGI scope of the request.
        """
        headers = _read_origin_headers(scope)
        may_omit_host = scope["http_version"] == "1.0"
        is_host_missing = headers.host_count == 0 and not may_omit_host
        if is_host_missing or headers.host_count > 1:
            message = f"the request has {headers.host_count} Host headers, expected exactly one"
            return Problem(400, "BAD_REQUEST", message, headers=_CLOSE)
        has_host = headers.host_count == 1
        if has_host and not self._allowed_hosts.accepts(headers.host):
            return _make_foreign_host_problem(headers.host)
        target = _ABSOLUTE_TARGET.match(scope.get(TARGET_KEY) or scope.get("raw_path") or b"")
        if target is not None and not self._allowed_hosts.accepts(target[1]):
            return _make_foreign_host_problem(target[1])
        is_harmless = scope["method"] in SAFE_METHODS and scope["path"] not in EXPENSIVE_PATHS
        if is_harmless or self._is_allowed_origin(headers):
            return None
        return _make_foreign_origin_problem(headers.origin)

    def _is_allowed_origin(self, headers: _OriginHeaders) -> bool:
        """Return whether a request comes from the service's own page, an allowed origin or a program."""
        origin = headers.origin.lower()
        if self._allows_any_origin or (origin and origin in self._allowed_origins):
            return True
        if headers.fetch_site:
            return headers.fetch_site in _OWN_SITES
        # Programs send no origin. A page of this service has an origin that names the same host.
        if not origin:
            return True
        _, _, origin_host = origin.partition(b"://")
        return origin_host == headers.host.lower()


def _read_origin_headers(scope: Scope) -> _OriginHeaders:
    """Return the headers of a request that show where it goes and where it comes from.

    If a header occurs several times, the last one counts. `scope` is the ASGI scope of the request.
    """
    host_count = 0
    host = origin = fetch_site = b""
    for name, value in scope["headers"]:
        if name == b"host":
            host_count += 1
            host = value
        elif name == b"origin":
            origin = value
        elif name == b"sec-fetch-site":
            fetch_site = value
    return _OriginHeaders(host_count, host, origin, fetch_site)


def _make_foreign_host_problem(host: bytes) -> Problem:
    """Return the error response for a request whose ``Host`` or target names another host, `host`."""
    message = (
        f"the service does not answer to the host {_quote_header(host)}; to allow it, start the service with "
        "--allow-host and that name without its port"
    )
    return Problem(421, "HOST_NOT_ALLOWED", message)


def _make_foreign_origin_problem(origin: bytes) -> Problem:
    """Return the error response for a request from a page of another origin, which is not allowed.

    `origin` is the header ``Origin``. It is empty if the browser did not send it, and ``null`` for a page
    that was opened from a file.
    """
    page_origin = _quote_header(origin) if origin else "another origin"
    if origin == b"null":
        remedy = "open it from a web server, and start the service with --cors and the origin of that server"
    else:
        remedy = "to allow it, start the service with --cors and its origin"
    return Problem(403, "FOREIGN_ORIGIN", f"a page of {page_origin} may not send this request; {remedy}")


def _quote_header(value: bytes) -> str:
    """Return the value of a header in quotes, for a message, such as ``'evil.example'``.

    Only the first `MAX_SHOWN_CHARACTERS` characters of a longer value are shown, followed by ``…``.
    """
    text = value.decode("latin-1")
    if len(text) > MAX_SHOWN_CHARACTERS:
        text = f"{text[:MAX_SHOWN_CHARACTERS]}…"
    return repr(text)
