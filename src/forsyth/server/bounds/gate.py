"""Who may ask: requests for names that are not the service's, and writing by pages of others, are refused.

A foreign page, open in a browser on this machine, can send requests to a service that nobody outside
can reach. Two things are looked at, and no page can forge either of them:

- ``Host``: the name the browser believes to speak to, see `hosts`. One, and not more; HTTP/1.0
  may leave it out, which no browser does. What a request line of the absolute form names is not looked at.
- ``Sec-Fetch-Site``, and where a browser does not send it ``Origin``: whose page it is that asks. Any method
  but GET, HEAD and OPTIONS is refused to a page of another origin that `Settings.cors` does not name.
  Programs send neither and are not refused.

No GET changes anything: a picture on any page can send one.
"""

from __future__ import annotations

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from forsyth.server.bounds.hosts import Hosts
from forsyth.server.problems import Problem
from forsyth.server.settings import ANY, Settings

SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS"))
"""Methods that change nothing here (RFC 9110, 9.2.1)."""

MOST_SHOWN: Final = 80
"""Characters of a header that a refusal repeats."""

_OUR_PAGES: Final = (b"same-origin", b"none")
_CLOSE: Final = {"Connection": "close"}


class Gate:
    """Refuses what no page of the service's own and no program would send."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._hosts = Hosts(settings)
        self._origins = frozenset(origin.encode() for origin in settings.cors)
        self._any_origin = ANY in settings.cors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or refuse it."""
        if scope["type"] == "http" and (refusal := self._refusal(scope)) is not None:
            await refusal.send(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Problem | None:
        hosts = 0
        host = origin = site = b""
        for name, value in scope["headers"]:
            if name == b"host":
                hosts += 1
                host = value
            elif name == b"origin":
                origin = value
            elif name == b"sec-fetch-site":
                site = value
        if hosts > 1 or (not hosts and scope["http_version"] != "1.0"):
            message = f"the request has {hosts} headers Host, expected one"
            return Problem(400, "BAD_REQUEST", message, headers=_CLOSE)
        if hosts and not self._hosts.accepts(host):
            return _not_ours(host)
        if scope["method"] in SAFE or self._is_ours(host, origin, site):
            return None
        return _foreign(origin)

    def _is_ours(self, host: bytes, origin: bytes, site: bytes) -> bool:
        """Whether a page of the service, of an origin that was named, or no page at all asks."""
        if self._any_origin or (origin and origin.lower() in self._origins):
            return True
        if site:
            return site in _OUR_PAGES
        return not origin or origin.lower().partition(b"://")[2] == host.lower()


def _not_ours(host: bytes) -> Problem:
    message = (
        f"the service does not answer to the name {_shown(host)}; if it is yours, start the service with "
        "--allow-host and that name without its port"
    )
    return Problem(421, "HOST_NOT_ALLOWED", message)


def _foreign(origin: bytes) -> Problem:
    who = _shown(origin) if origin else "another origin"
    remedy = "if it is yours, start the service with --cors and its origin"
    if origin == b"null":
        remedy = "open it from a web server, and name the origin that it has then with --cors"
    message = f"a page of {who} may not send this request; {remedy}"
    return Problem(403, "FOREIGN_ORIGIN", message)


def _shown(value: bytes) -> str:
    text = value.decode("latin-1")
    return repr(text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…")
