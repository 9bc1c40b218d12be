"""How routes are made: JSON bodies only, the store by dependency, refusals in the description.

A handler that computes is a plain function, which runs in a thread. It gives a finished `Response`: the model
of its answer is in the description of the service and costs nothing when the service runs.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from forsyth.arguments import quoted
from forsyth.resolver import Choice
from forsyth.server.bodies import StrictRequest
from forsyth.server.bounds.work import Work
from forsyth.server.problems import Problem
from forsyth.server.settings import Settings
from forsyth.store import Store

BASE: Final = "/api/v1"

_WITH_BODY: Final = frozenset(("POST", "PUT", "PATCH"))


class JsonRoute(APIRoute):
    """A route whose body, where the method has one, must be JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler with a look at the content type before it."""
        handle = super().get_route_handler()
        has_body = bool(_WITH_BODY & set(self.methods or ()))

        async def checked(request: Request) -> Response:
            if has_body:
                require_json(request.headers.get("content-type", ""))
            return await self.run(handle, StrictRequest(request.scope, request.receive))

        return checked

    async def run(
        self, handle: Callable[[Request], Coroutine[Any, Any, Response]], request: Request
    ) -> Response:
        """What the handler answers."""
        return await handle(request)


class ComputingRoute(JsonRoute):
    """A route whose handler computes for long enough to be counted."""

    async def run(
        self, handle: Callable[[Request], Coroutine[Any, Any, Response]], request: Request
    ) -> Response:
        """What the handler answers when it has found a place."""
        # A client that sends slowly must not hold a place meanwhile; the handler finds the body read.
        await request.body()
        work: Work = request.app.state.work
        async with work.place_while_connected(request.scope, request.receive):
            return await handle(request)


def require_json(content_type: str) -> None:
    """Refuse a body that does not say it is JSON."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        message = (
            f"the content type is {quoted(kind)}, expected application/json"
            if kind
            else "there is no content type"
        )
        raise Problem(415, "UNSUPPORTED_MEDIA", message)


def router(tag: str) -> APIRouter:
    """A router of JSON calls under one heading in the description."""
    return APIRouter(prefix=BASE, tags=[tag], route_class=JsonRoute)


def computing_router(tag: str) -> APIRouter:
    """The same for calls that compute: list moves, play, draw."""
    return APIRouter(prefix=BASE, tags=[tag], route_class=ComputingRoute)


# --- who reads a text ---------------------------------------------------------------------------------


async def _choice(
    game: Annotated[str | None, Query(description="The game; detected from the text by default.")] = None,
    variant: Annotated[str | None, Query(description="A variant of the game, or auto.")] = None,
    profile: Annotated[str | None, Query(description="Read as another reader does, such as seed.")] = None,
) -> Choice:
    return Choice(game, variant, profile)


Chosen = Annotated[Choice, Depends(_choice)]
"""Who reads the text of a call that has it in its address."""


# --- the store ----------------------------------------------------------------------------------------


async def _store(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


async def _kept(request: Request) -> Store | None:
    store: Store = request.app.state.store
    return store if request.app.state.writable and _has_key(request) else None


async def _writable(request: Request) -> Store:
    if not _has_key(request):
        message = "this call changes the store: show the API key in the header X-API-Key"
        raise Problem(401, "UNAUTHORIZED", message, headers={"WWW-Authenticate": "Bearer"})
    if not request.app.state.writable:
        raise Problem(503, "STORE_UNAVAILABLE", "the store of positions cannot be written now")
    store: Store = request.app.state.store
    return store


def _has_key(request: Request) -> bool:
    settings: Settings = request.app.state.settings
    if settings.api_key is None:
        return True
    return secrets.compare_digest(_shown_key(request).encode(), settings.api_key.encode())


def _shown_key(request: Request) -> str:
    """The key that a request shows, or an empty text, which is not a key."""
    if shown := request.headers.get("x-api-key"):
        return shown
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    return credentials.strip() if scheme.lower() == "bearer" else ""


Stored = Annotated[Store, Depends(_store)]
"""The store, to look texts up in."""

Kept = Annotated[Store | None, Depends(_kept)]
"""The store, to keep a text in by the way; None where it cannot be written, or a key was not shown."""

Writable = Annotated[Store, Depends(_writable)]
"""The store, for a call that changes it; refused where a key is needed and was not shown."""
