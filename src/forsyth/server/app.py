"""The application: its routes, what surrounds them, and the store it opens and closes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.asyncexitstack import AsyncExitStackMiddleware
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from forsyth.arguments import require_kind
from forsyth.forms import require_store
from forsyth.server.bounds.compression import Compression
from forsyth.server.bounds.gate import Gate
from forsyth.server.bounds.middleware import Bounds, Outermost
from forsyth.server.bounds.rates import RateLimit
from forsyth.server.bounds.work import Work
from forsyth.server.calls import (
    aliases,
    animations,
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
from forsyth.server.metrics import Metrics
from forsyth.server.openapi import describe
from forsyth.server.problems import HANDLED, answer_problem
from forsyth.server.service_index import open_index
from forsyth.server.service_store import open_keeping
from forsyth.server.settings import Settings
from forsyth.store import Store

ROUTERS = (
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
    aliases.routes,
    operations.routes,
)


class Service(FastAPI):
    """The framework's application with our own description, and with none but our own layers around it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. The framework's own way asks each time whether anybody traces it."""
        await Starlette.__call__(self, scope, receive, send)

    def build_middleware_stack(self) -> ASGIApp:
        """Our layers and the router. What was not foreseen `Outermost` answers: it is the outermost."""
        app: ASGIApp = AsyncExitStackMiddleware(self.router)
        app = ExceptionMiddleware(app, handlers=self.exception_handlers)
        for layer, arguments, options in reversed(self.user_middleware):
            app = layer(app, *arguments, **options)
        return app

    def openapi(self) -> dict[str, Any]:
        """The description of the service, made once."""
        return describe(self)


def create_app(settings: Settings | None = None, store: Store | None = None) -> FastAPI:
    """The application of some settings.

    A `store` that is given stays the caller's to close; without one it is opened when the application starts
    and closed when it ends. One that cannot be opened is said to be so, see `keeping`. Raises `ValueError`
    for an index that is none.
    """
    settings = Settings() if settings is None else settings
    require_kind("the value of settings", settings, Settings, "Settings")
    if store is not None:
        require_store(store)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if store is not None:
            app.state.store = store
            yield
            return
        kept = open_keeping(settings.where)
        app.state.store, app.state.writable = kept.store, kept.problem is None
        with kept.store:
            yield

    app = Service(
        title="Forsyth", version=operations.version(), docs_url=None, redoc_url=None, lifespan=lifespan
    )
    app.state.settings = settings
    app.state.metrics = Metrics()
    app.state.work = Work(settings)
    app.state.writable = True
    app.state.book = open_index(settings.index)
    if store is not None:
        app.state.store = store
    for error in HANDLED:
        app.add_exception_handler(error, answer_problem)
    for routes in ROUTERS:
        app.include_router(routes)
    app.add_api_route("/healthz", operations.health, include_in_schema=False)
    app.add_api_route("/metrics", operations.show_metrics, include_in_schema=False)
    app.mount("/assets", pages.assets())
    app.include_router(embed.routes)
    app.include_router(pages.routes)
    _surround(app, settings)
    return app


def _surround(app: FastAPI, settings: Settings) -> None:
    """Put the middleware around the application, the innermost first."""
    app.add_middleware(validate.Direct, state=app.state)
    app.add_middleware(Compression)
    more = dict.fromkeys(records.PATHS, records.RECORD_BYTES) | {validate.PATH: validate.MANY_TEXTS}
    app.add_middleware(Bounds, settings=settings, more=more)
    if settings.rate_limit:
        app.add_middleware(RateLimit, per_minute=settings.rate_limit)
    if settings.cors:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors),
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["Content-Type", "X-API-Key", "Authorization"],
        )
    app.add_middleware(Gate, settings=settings)
    app.add_middleware(Outermost, metrics=app.state.metrics)


def from_environment() -> FastAPI:
    """The application of a worker process, which finds its settings in the environment."""
    return create_app(Settings.from_environment())
