"""Refuse requests for foreign host names, and changing or expensive requests from a foreign page.

A foreign page that is open in a browser on this machine can send requests to a service that nobody outside
the machine can reach. The check uses two headers, neither of which a page can forge:

- ``Host``: the name that the browser connects to, see `forsyth.server.bounds.hosts`. It must occur exactly
  once, except that HTTP/1.0 may omit it, which no browser does. The host of a request line in absolute form
  is ignored.
- ``Sec-Fetch-Site``, or ``Origin`` if the browser does not send it: the page that sends the request. Only
  GET, HEAD and OPTIONS are allowed for a page of another origin, unless `Settings.cors` lists its origin, and
  of these not the expensive requests in `EXPENSIVE_PATHS`.
  Programs send neither header and are not refused.

No GET request changes anything, because any page can send one by showing a picture.
"""

from __future__ import annotations

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from forsyth.server.bounds.hosts import Hosts
from forsyth.server.problems import Problem
from forsyth.server.settings import ANY, Settings

SAFE_METHODS: Final = frozenset(("GET", "HEAD", "OPTIONS"))
"""Methods that change nothing in the service (RFC 9110, 9.2.1)."""

EXPENSIVE_PATHS: Final = frozenset(
    ("/api/v1/animation.svg", "/api/v1/animation.png", "/api/v1/batch/library")
)
"""Paths whose GET requests take so long that any page could slow the service down by showing pictures."""

MAX_SHOWN_CHARACTERS: Final = 80
"""Maximum number of characters of a header that an error message repeats."""

_OWN_SITES: Final = (b"same-origin", b"none")
"""Values of ``Sec-Fetch-Site`` for the service's own pages, and for requests that the user starts."""

_CLOSE: Final = {"Connection": "close"}


class OriginCheck:
    """Middleware that refuses requests with a foreign host name or from a foreign page."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._hosts = Hosts(settings)
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
        expensive, must not come from a page of another origin.
        """
        host_count = 0
        host = origin = site = b""
        for name, value in scope["headers"]:
            if name == b"host":
                host_count += 1
                host = value
            elif name == b"origin":
                origin = value
            elif name == b"sec-fetch-site":
                site = value

        may_omit_host = scope["http_version"] == "1.0"
        is_host_missing = host_count == 0 and not may_omit_host
        if is_host_missing or host_count > 1:
            message = f"the request has {host_count} Host headers, expected exactly one"
            return Problem(400, "BAD_REQUEST", message, headers=_CLOSE)
        if host_count and not self._hosts.accepts(host):
            return _foreign_host_problem(host)
        is_allowed_for_all = scope["method"] in SAFE_METHODS and scope["path"] not in EXPENSIVE_PATHS
        if is_allowed_for_all or self._is_allowed_origin(host, origin, site):
            return None
        return _foreign_origin_problem(origin)

    def _is_allowed_origin(self, host: bytes, origin: bytes, site: bytes) -> bool:
        """Return whether a request comes from the service's own page, an allowed origin or a program.

        The arguments are the values of the headers ``Host``, ``Origin`` and ``Sec-Fetch-Site``; an absent
        header is empty.
        """
        if self._allows_any_origin or (origin and origin.lower() in self._allowed_origins):
            return True
        if site:
            return site in _OWN_SITES
        # Programs send no origin. A page of this service has an origin that names the same host.
        if not origin:
            return True
        _, _, origin_host = origin.lower().partition(b"://")
        return origin_host == host.lower()


def _foreign_host_problem(host: bytes) -> Problem:
    """Return the error response for a request whose header ``Host`` does not name this service."""
    message = (
        f"the service does not answer to the host {_quote_header(host)}; to allow it, start the service with "
        "--allow-host and that name without its port"
    )
    return Problem(421, "HOST_NOT_ALLOWED", message)


def _foreign_origin_problem(origin: bytes) -> Problem:
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
    """Return the value of a header in quotes, for a message.

    A value of more than `MAX_SHOWN_CHARACTERS` characters is cut there.
    """
    text = value.decode("latin-1")
    if len(text) > MAX_SHOWN_CHARACTERS:
        text = f"{text[:MAX_SHOWN_CHARACTERS]}…"
    return repr(text)
