"""Routes for operators: health, version, metrics."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

import forsyth
from forsyth import registry
from forsyth.server.answer_models import Health, VersionAnswer
from forsyth.server.json_responses import make_json_response
from forsyth.server.metrics import CONTENT_TYPE, Metrics
from forsyth.server.routing import BASE, require_api_key

routes = APIRouter(prefix=BASE, tags=["operations"])

_PLAIN_TEXT: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}}
}

API_KEY: Final = Depends(require_api_key)
"""Dependency of the metrics: a 401 if the API key is missing or wrong."""


def get_version() -> str:
    """Return the version of Forsyth, such as ``0.3.0``."""
    return str(forsyth.build_info()["version"])


@routes.get("/healthz", response_model=Health, name="health")
async def show_health() -> Response:
    """Return the status `healthy` and the version, to check that the service is running."""
    return make_json_response({"status": "healthy", "version": get_version()})


@routes.get("/version", response_model=VersionAnswer)
async def show_version() -> Response:
    """Return the version, whether the performance-critical modules are compiled, and the installed games."""
    build = forsyth.build_info()
    return make_json_response(
        {
            "version": build["version"],
            "compiled": bool(build["compiled"]),
            "games": list(registry.games()),
        }
    )


@routes.get("/metrics", responses=_PLAIN_TEXT, response_class=Response, dependencies=[API_KEY])
async def show_metrics(request: Request) -> Response:
    """Return counts and durations of requests in the text format of Prometheus."""
    metrics: Metrics = request.app.state.metrics
    return Response(metrics.format_metrics(get_version()), media_type=CONTENT_TYPE)
