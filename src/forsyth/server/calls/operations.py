"""For operators: health, version, metrics."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

import forsyth
from forsyth import registry
from forsyth.server.answer_models import Health, VersionAnswer
from forsyth.server.answers import answer
from forsyth.server.metrics import CONTENT_TYPE, Metrics
from forsyth.server.routing import BASE

routes = APIRouter(prefix=BASE, tags=["operations"])

_TEXT: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}}
}


def version() -> str:
    """The version of the package."""
    return str(forsyth.build_info()["version"])


@routes.get("/healthz", response_model=Health)
async def health() -> Response:
    """That the service answers."""
    return answer({"status": "healthy", "version": version()})


@routes.get("/version", response_model=VersionAnswer)
async def show_version() -> Response:
    """Which version answers, whether its hot modules are compiled, and which games it has."""
    build = forsyth.build_info()
    return answer(
        {
            "version": build["version"],
            "compiled": bool(build["compiled"]),
            "games": list(registry.games()),
        }
    )


@routes.get("/metrics", responses=_TEXT, response_class=Response)
async def show_metrics(request: Request) -> Response:
    """Counts of requests and their times, as Prometheus reads them."""
    metrics: Metrics = request.app.state.metrics
    return Response(metrics.text(version()), 200, None, CONTENT_TYPE)
