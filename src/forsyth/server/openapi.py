"""Build the OpenAPI description of the service: every route, and the refusals that each may return."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.concurrency import run_in_threadpool

from forsyth import registry
from forsyth.abilities import PositionData
from forsyth.server.answer_models import ProblemData
from forsyth.server.json_responses import encode_json
from forsyth.server.prepared_content import Content, prepare_content
from forsyth.server.problems import PROBLEM_TYPE
from forsyth.server.reading_schema import build_reading_schemas

_REFUSALS: Final = {
    "400": "The request or its text is not valid.",
    "401": "The request needs the API key.",
    "403": "The request comes from a page of another origin, which is not allowed.",
    "404": "The requested name or identifier does not exist.",
    "408": "The client took too long to send the request.",
    "413": "The body is too large.",
    "415": "The body is not JSON.",
    "421": "The service does not answer to the host name of the request.",
    "429": "The client sent too many requests.",
    "501": "An extra that the request needs is not installed.",
    "503": "The store cannot be used, the response took too long, or too many requests are waiting.",
}
"""Description of each refusal, by status."""

_REFUSALS_WITHOUT_BODY: Final = ("400", "401", "404", "421", "429", "501", "503")
"""Refusals that a request without a body can get."""

_COMPONENT_REF: Final = "#/components/schemas/{model}"
_ANY_STATE: Final = "AnyState"
"""Name of the schema for the position data of a game that has no schema of its own."""

DESCRIPTION: Final = """Read, explain, repair, play and store position texts (FEN) of board games.

Every route serves every game. White space around a text is removed. Without `game`, the game is detected from
the text. An error response is `application/problem+json` with a `code` in capitals.
"""


class Description:
    """OpenAPI description of an application as JSON, rendered once, when the first client requests it."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._content: Content | None = None
        self._lock = asyncio.Lock()

    async def load_content(self) -> Content:
        """Return the description as JSON. Only the first call builds it, in a thread.

        Calls during that time wait for the same result.
        """
        async with self._lock:
            if self._content is None:
                self._content = await run_in_threadpool(self._render)
            return self._content

    def _render(self) -> Content:
        """Return the description of the application as JSON, compressed."""
        return prepare_content(encode_json(build_openapi(self._app)))


def build_openapi(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI description of `app`. Later calls return the same one."""
    if app.openapi_schema is None:
        app.openapi_schema = _build_description(app)
    return app.openapi_schema


def _build_description(app: FastAPI) -> dict[str, Any]:
    """Return FastAPI's OpenAPI description of `app`, with this service's error responses.

    The schema `Problem` replaces FastAPI's validation errors. Each operation, such as ``POST /read``, lists
    the error responses that it may return.
    """
    description = get_openapi(
        title=app.title,
        version=app.version,
        description=DESCRIPTION,
        routes=app.routes,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )
    schemas = description["components"]["schemas"]
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["Problem"] = _drop_definitions(ProblemData.model_json_schema(ref_template=_COMPONENT_REF))
    schemas.update(build_reading_schemas(schemas))
    _add_state_schemas(schemas)
    for operations_by_method in description["paths"].values():
        for operation in operations_by_method.values():
            _add_refusals(operation)
    return description


def _add_state_schemas(schemas: dict[str, Any]) -> None:
    """Add a schema for the position data of each game, such as ``azulState``, to `schemas`.

    ``GameState`` becomes the union of the schemas of all games. ``AnyState`` has the properties common to all
    games, and is for games without a schema of their own. `schemas` are the OpenAPI components by name, which
    are changed in place.
    """
    common_schema = {**schemas["GameState"], "title": _ANY_STATE}
    schemas[_ANY_STATE] = common_schema
    state_names = []
    for game_name in registry.games():
        game = registry.game(game_name)
        if not isinstance(game, PositionData):
            continue
        state_name = f"{game_name}State"
        schemas[state_name] = {
            "title": state_name,
            "description": f"Position of {game.title} as data.",
            "allOf": [_make_reference(_ANY_STATE), _restrict_game_name(game.data_schema, game_name)],
        }
        state_names.append(state_name)

    schemas["GameState"] = {
        "title": "GameState",
        "description": common_schema["description"],
        "anyOf": [_make_reference(name) for name in (*state_names, _ANY_STATE)],
    }


def _restrict_game_name(data_schema: Mapping[str, Any], game_name: str) -> dict[str, Any]:
    """Return a JSON Schema of position data in which the property ``game`` must be `game_name`."""
    properties = {**data_schema["properties"], "game": {"const": game_name}}
    return {**data_schema, "properties": properties}


def _drop_definitions(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON Schema without its ``$defs``, which are among the OpenAPI components already."""
    return {key: value for key, value in schema.items() if key != "$defs"}


def _make_reference(schema_name: str) -> dict[str, str]:
    """Return a reference to an OpenAPI schema.

    For example, ``{"$ref": "#/components/schemas/Problem"}``.
    """
    return {"$ref": _COMPONENT_REF.format(model=schema_name)}


def _add_refusals(operation: dict[str, Any]) -> None:
    """Add the error responses to an operation of the OpenAPI description, such as ``POST /read``.

    FastAPI's own error response, 422, is removed. `operation` is changed in place.
    """
    responses = operation["responses"]
    responses.pop("422", None)
    has_body = "requestBody" in operation
    possible_statuses = _REFUSALS if has_body else _REFUSALS_WITHOUT_BODY
    content = {PROBLEM_TYPE: {"schema": _make_reference("Problem")}}
    for status in possible_statuses:
        responses[status] = {"description": _REFUSALS[status], "content": content}
