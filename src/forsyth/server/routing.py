"""Make routes: JSON bodies only, dependencies on the game and the store, refusals in the description.

A handler that computes is a plain function, which runs in a thread. It returns a finished `Response`. The
response model only describes the response in OpenAPI and costs nothing when the service runs.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from forsyth.arguments import quoted
from forsyth.resolver import GameChoice
from forsyth.server.bounds.compute_slots import ComputeSlots
from forsyth.server.problems import Problem, make_missing_field_problem
from forsyth.server.settings import Settings
from forsyth.server.strict_json import StrictRequest
from forsyth.store import Store

BASE: Final = "/api/v1"

_METHODS_WITH_BODY: Final = frozenset(("POST", "PUT", "PATCH"))


class JsonRoute(APIRoute):
    """Route that accepts JSON bodies only. Methods without a body, such as GET, are not checked."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return a function that checks the content type of a request, and then calls the handler."""
        handle = super().get_route_handler()
        route_methods = self.methods or set()
        has_body = not _METHODS_WITH_BODY.isdisjoint(route_methods)

        async def check_and_handle(request: Request) -> Response:
            """Return the response of the handler. Raise a 415 `Problem` for a body that is not JSON."""
            if has_body:
                require_json_type(request.headers.get("content-type", ""))
            return await self.run_handler(handle, StrictRequest(request.scope, request.receive))

        return check_and_handle

    async def run_handler(
        self, handle: Callable[[Request], Coroutine[Any, Any, Response]], request: Request
    ) -> Response:
        """Call the handler of the route with `request`, and return its response.

        Subclasses may wait before they call `handle`.
        """
        return await handle(request)


class ComputingRoute(JsonRoute):
    """Route whose handler computes for so long that it needs a compute slot."""

    async def run_handler(
        self, handle: Callable[[Request], Coroutine[Any, Any, Response]], request: Request
    ) -> Response:
        """Wait for a compute slot, call the handler of the route with `request`, and return its response.

        Only a few requests compute at once. Each of them holds a slot until `handle` returns.
        """
        # Read the body first, so that a client that sends slowly holds no slot meanwhile.
        await request.body()
        async with self.select_slots(request).hold_slot_while_connected(request.scope, request.receive):
            return await handle(request)

    def select_slots(self, request: Request) -> ComputeSlots:
        """Return the slots of which the request takes one."""
        compute_slots: ComputeSlots = request.app.state.compute_slots
        return compute_slots


class PictureRoute(ComputingRoute):
    """Route whose handler draws a picture, which needs a slot for pictures."""

    def select_slots(self, request: Request) -> ComputeSlots:
        """Return the slots for pictures."""
        picture_slots: ComputeSlots = request.app.state.picture_slots
        return picture_slots


def require_json_type(content_type: str) -> None:
    """Raise a 415 `Problem` unless a content type is JSON.

    Accepted are ``application/json`` and ``application/...+json``.
    """
    media_type = content_type.partition(";")[0].strip().lower()
    is_json_dialect = media_type.startswith("application/") and media_type.endswith("+json")
    if media_type == "application/json" or is_json_dialect:
        return
    problem = f"the content type is {quoted(media_type)}" if media_type else "the request has no content type"
    raise Problem(415, "UNSUPPORTED_MEDIA", f"{problem}, expected application/json")


def make_router(tag: str) -> APIRouter:
    """Return a router for JSON routes, which OpenAPI lists under `tag`."""
    return APIRouter(prefix=BASE, tags=[tag], route_class=JsonRoute)


def make_computing_router(tag: str) -> APIRouter:
    """Return a router for JSON routes that compute, such as listing moves, playing and drawing."""
    return APIRouter(prefix=BASE, tags=[tag], route_class=ComputingRoute)


def make_picture_router(tag: str) -> APIRouter:
    """Return a router for routes that draw pictures."""
    return APIRouter(prefix=BASE, tags=[tag], route_class=PictureRoute)


# --- the game of a text -------------------------------------------------------------------------------


async def _read_game_choice(
    game: Annotated[str | None, Query(description="Game of the text (default: detected).")] = None,
    variant: Annotated[
        str | None, Query(description="Variant of the game, or `auto` to detect it from the text.")
    ] = None,
    profile: Annotated[
        str | None, Query(description="Profile of another parser whose rules to apply, such as `seed`.")
    ] = None,
) -> GameChoice:
    """Return the game, variant and profile in the query of a request.

    A profile is the name of another parser whose rules to apply, such as ``seed``.
    """
    return GameChoice(game, variant, profile)


GameQuery = Annotated[GameChoice, Depends(_read_game_choice)]
"""Dependency: the game, variant and profile in the query of a request."""


# --- the text -----------------------------------------------------------------------------------------


async def _read_text(
    text: Annotated[
        str | None, Query(description="Position text in any form. Required, unless `fen_string` is sent.")
    ] = None,
    fen_string: Annotated[str | None, Query(description="Another name of `text`.")] = None,
) -> str:
    """Return the position text in the query of a request, which is named `text` or `fen_string`.

    Raise a 400 `Problem` if the query has both or neither.
    """
    if text is not None and fen_string is not None:
        message = "the query has both text and fen_string, expected one of them; remove the other"
        raise Problem(400, "UNKNOWN_FIELD", message)
    position_text = fen_string if text is None else text
    if position_text is None:
        raise make_missing_field_problem("text")
    return position_text


TextQuery = Annotated[str, Depends(_read_text)]
"""Dependency: the position text in the query of a request; a 400 if it is missing."""


# --- the store ----------------------------------------------------------------------------------------


async def _get_store(request: Request) -> Store:
    """Return the store of the application."""
    store: Store = request.app.state.store
    return store


async def _get_store_if_writable(request: Request) -> Store | None:
    """Return the store of the application, or None if this request cannot or may not write to it.

    The result is None if the store is read-only or closed, or if the request lacks the API key.
    """
    store: Store = request.app.state.store
    can_write = request.app.state.writable and _has_valid_api_key(request)
    return store if can_write else None


async def require_api_key(request: Request) -> None:
    """Raise a 401 `Problem` if the service has an API key and the request does not contain it."""
    if not _has_valid_api_key(request):
        message = "this request needs the API key of the service; send it in the header X-API-Key"
        raise Problem(401, "UNAUTHORIZED", message, headers={"WWW-Authenticate": "Bearer"})


async def _require_private_store(request: Request) -> Store:
    """Return the store of the application, for a request that reads what users saved.

    Raise a 401 `Problem` if the request lacks the API key.
    """
    await require_api_key(request)
    store: Store = request.app.state.store
    return store


async def _require_writable_store(request: Request) -> Store:
    """Return the store of the application, for a request that changes it.

    Raise a 401 `Problem` if the request lacks the API key, and a 503 if the store cannot be written now.
    """
    await require_api_key(request)
    if not request.app.state.writable:
        message = "the store of positions cannot be written now; free disk space, or check its permissions"
        raise Problem(503, "STORE_UNAVAILABLE", message)
    store: Store = request.app.state.store
    return store


def _has_valid_api_key(request: Request) -> bool:
    """Return whether a request contains the API key, or the service requires no key."""
    settings: Settings = request.app.state.settings
    if settings.api_key is None:
        return True
    # The time of this comparison does not reveal how much of a wrong key is right.
    return secrets.compare_digest(_read_api_key(request).encode(), settings.api_key.encode())


def _read_api_key(request: Request) -> str:
    """Return the API key in the headers ``X-API-Key`` or ``Authorization: Bearer`` of a request.

    Without these headers, return an empty text, which is never a valid key.
    """
    if api_key := request.headers.get("x-api-key"):
        return api_key
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    return credentials.strip() if scheme.lower() == "bearer" else ""


ReadableStore = Annotated[Store, Depends(_get_store)]
"""Dependency: the store, for reading positions whose identifier or name the client knows."""

PrivateStore = Annotated[Store, Depends(_require_private_store)]
"""Dependency: the store, for reading what users saved; a 401 if the API key is missing or wrong."""

OptionalStore = Annotated[Store | None, Depends(_get_store_if_writable)]
"""Dependency: the store, for saving a position as a side effect; None if it cannot be written or the key is
missing."""

WritableStore = Annotated[Store, Depends(_require_writable_store)]
"""Dependency: the store, for a request that changes it; a 401 if the API key is missing or wrong."""
