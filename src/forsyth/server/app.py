"""Build the application: its routes, its middleware and its store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI
from fastapi.middleware.asyncexitstack import AsyncExitStackMiddleware
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from forsyth.arguments import require_type
from forsyth.forms import require_store
from forsyth.server.bounds.compression import Compression
from forsyth.server.bounds.compute_slots import PICTURE_SLOTS, ComputeSlots
from forsyth.server.bounds.log_limit import limit_logs
from forsyth.server.bounds.middleware import OutermostLayer, RequestLimits
from forsyth.server.bounds.origin_check import OriginCheck
from forsyth.server.bounds.rates import RateLimit
from forsyth.server.metrics import Metrics
from forsyth.server.openapi import Description, build_openapi
from forsyth.server.problems import HANDLED_EXCEPTIONS, answer_problem
from forsyth.server.routes import (
    animations,
    azul_routes,
    batch,
    embed,
    explore,
    game_state,
    games,
    library,
    library_batches,
    matches,
    operations,
    pages,
    pictures,
    positions,
    records,
    states,
    validate,
)
from forsyth.server.service_index import open_index
from forsyth.server.service_store import open_service_store
from forsyth.server.settings import Settings
from forsyth.store import Store

ROUTERS: Final = (
    validate.routes,
    game_state.routes,
    games.routes,
    positions.routes,
    pictures.routes,
    animations.routes,
    matches.routes,
    records.routes,
    states.routes,
    library.routes,
    library_batches.routes,
    batch.routes,
    explore.routes,
    azul_routes.routes,
    operations.routes,
)


class Service(FastAPI):
    """FastAPI application with its own OpenAPI description and only the middleware that is added to it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (the ASGI interface).

        FastAPI's own method is skipped, because it checks for telemetry in each request.
        """
        await Starlette.__call__(self, scope, receive, send)

    def build_middleware_stack(self) -> ASGIApp:
        """Return the router, wrapped in the exception handlers and the middleware.

        Starlette's own layer for unexpected errors is left out, because `OutermostLayer` answers them.
        """
        router: ASGIApp = AsyncExitStackMiddleware(self.router)
        wrapped_app: ASGIApp = ExceptionMiddleware(router, handlers=self.exception_handlers)
        # The list begins with the outermost layer, so the last one is put around the router first.
        for middleware_class, arguments, options in reversed(self.user_middleware):
            wrapped_app = middleware_class(wrapped_app, *arguments, **options)
        return wrapped_app

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI description of the service. Only the first call builds it."""
        return build_openapi(self)


def create_app(settings: Settings | None = None, store: Store | None = None) -> FastAPI:
    """Create the application: its routes, its middleware with the limits, and its store.

    Args:
        settings: Settings of the service; None uses the defaults.
        store: Store of positions, which the caller must close. With None, the application opens the store of
            the settings when it starts and closes it when it ends. If that store cannot be opened or written,
            the service starts anyway and refuses the requests that need it (see `open_service_store`).

    Returns:
        The application.

    Raises:
        TypeError: If `settings` or `store` is of the wrong type.
        ValueError: If the settings name a directory that contains no valid index.
        ImportError: If the settings name an index, and a library for reading it is missing.
    """
    settings = Settings() if settings is None else settings
    require_type("the value of settings", settings, Settings, "Settings")
    if store is not None:
        require_store(store)

    limit_logs()
    app = Service(
        title="Forsyth",
        version=operations.get_version(),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=_make_lifespan(settings, store),
    )
    _initialise_state(app, settings, store)
    for exception_class in HANDLED_EXCEPTIONS:
        app.add_exception_handler(exception_class, answer_problem)
    _add_routes(app)
    _add_middleware(app, settings)
    return app


def _make_lifespan(
    settings: Settings, store: Store | None
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """Return the context manager in which the application runs. It provides the store.

    If `store` is None, the store of the settings is opened at the start and closed at the end. Otherwise
    `store` is used, and stays open.
    """

    @asynccontextmanager
    async def provide_store(app: FastAPI) -> AsyncIterator[None]:
        """Set `app.state.store`, and close it at the end if it was opened here."""
        if store is not None:
            app.state.store = store
            yield
            return
        opened = open_service_store(settings.store_location)
        app.state.store = opened.store
        app.state.writable = opened.problem is None
        with opened.store:
            yield

    return provide_store


def _initialise_state(app: FastAPI, settings: Settings, store: Store | None) -> None:
    """Set the attributes of `app.state`, such as the settings, which the routes read.

    If `store` is None, the attribute `store` is set when the application starts.
    """
    app.state.description = Description(app)
    app.state.settings = settings
    app.state.metrics = Metrics()
    app.state.compute_slots = ComputeSlots(settings)
    app.state.picture_slots = ComputeSlots(settings, slot_count=PICTURE_SLOTS)
    app.state.writable = True
    app.state.book = open_index(settings.index)
    if store is not None:
        app.state.store = store


def _add_routes(app: FastAPI) -> None:
    """Add all routes to the application: those of the HTTP API, then those of the web page.

    The order matters: the web page has a route for any file name, which must come last.
    """
    for router in ROUTERS:
        app.include_router(router)
    app.add_api_route("/healthz", operations.show_health, include_in_schema=False)
    app.add_api_route(
        "/metrics", operations.show_metrics, include_in_schema=False, dependencies=[operations.API_KEY]
    )
    app.include_router(embed.routes)
    app.include_router(pages.routes)


def _add_middleware(app: FastAPI, settings: Settings) -> None:
    """Add the middleware to the application, the innermost layer first.

    Two layers depend on the settings: the rate limit (`Settings.requests_per_minute`), and the headers that
    allow requests from pages of other origins (`Settings.cors`).
    """
    app.add_middleware(validate.ValidateFastPath, state=app.state)
    app.add_middleware(Compression)
    # Records and lists of texts may be longer than other bodies.
    extra_body_bytes = dict.fromkeys(records.PATHS, records.RECORD_BYTES)
    extra_body_bytes[validate.PATH] = validate.MAX_TEXTS_BYTES
    app.add_middleware(RequestLimits, settings=settings, extra_body_bytes=extra_body_bytes)
    if settings.requests_per_minute:
        app.add_middleware(RateLimit, per_minute=settings.requests_per_minute)
    if settings.cors:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors),
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["Content-Type", "X-API-Key", "Authorization"],
        )
    app.add_middleware(OriginCheck, settings=settings)
    app.add_middleware(OutermostLayer, metrics=app.state.metrics)


def create_app_from_environment() -> FastAPI:
    """Create the application of a worker process from its environment variables.

    Their names begin with ``FORSYTH_``, such as ``FORSYTH_PORT``.
    """
    return create_app(Settings.from_environment())
