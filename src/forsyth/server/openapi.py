"""The description of the service (OpenAPI): every call, and the refusals that each may answer."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from forsyth import registry
from forsyth.abilities import PositionData
from forsyth.server.answer_models import ProblemData
from forsyth.server.problems import PROBLEM_TYPE
from forsyth.server.reading_schema import reading_schemas

_REFUSALS: Final = {
    "400": "The request or its text is not valid.",
    "401": "The call needs the API key.",
    "403": "A page of another origin may not send this.",
    "404": "There is nothing of this name or identifier.",
    "408": "The client took too long.",
    "413": "The body is too large.",
    "415": "The body is not JSON.",
    "421": "The service does not answer to this name.",
    "429": "Too many requests.",
    "501": "An extra is not installed.",
    "503": "The store cannot be used, the answer took too long, or too many wait.",
}
_COMPONENT: Final = "#/components/schemas/{model}"
_ANY_STATE: Final = "AnyState"
"""The description of a position as data of a game that describes none."""

_WITHOUT_BODY: Final = ("400", "401", "404", "421", "429", "501", "503")

DESCRIPTION: Final = """Position texts (FEN) of board games: read, explained, repaired, played, kept.

Every call serves every game. White space around a text is removed; `game` is detected where it is left out.
A refusal is `application/problem+json` with a code in capitals.
"""


def describe(app: FastAPI) -> dict[str, Any]:
    """The description, made once: with our refusals in place of the framework's."""
    if app.openapi_schema is None:
        app.openapi_schema = _described(app)
    return app.openapi_schema


def _described(app: FastAPI) -> dict[str, Any]:
    schema = get_openapi(
        title=app.title,
        version=app.version,
        description=DESCRIPTION,
        routes=app.routes,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )
    schemas = schema["components"]["schemas"]
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["Problem"] = _without_definitions(ProblemData.model_json_schema(ref_template=_COMPONENT))
    schemas.update(reading_schemas(schemas))
    _add_states(schemas)
    for path in schema["paths"].values():
        for operation in path.values():
            _add_refusals(operation)
    return schema


def _add_states(schemas: dict[str, Any]) -> None:
    """A position as data is one of those that the installed games describe, or has only what all have."""
    common = {**schemas["GameState"], "title": _ANY_STATE}
    schemas[_ANY_STATE] = common
    described = [_ANY_STATE]
    for name in registry.games():
        game = registry.game(name)
        if not isinstance(game, PositionData):
            continue
        own = {**game.data_schema, "properties": {**game.data_schema["properties"], "game": {"const": name}}}
        schemas[f"{name}State"] = {
            "title": f"{name}State",
            "description": f"A position of {game.title} as data.",
            "allOf": [_reference(_ANY_STATE), own],
        }
        described.insert(-1, f"{name}State")
    schemas["GameState"] = {
        "title": "GameState",
        "description": common["description"],
        "anyOf": [_reference(state) for state in described],
    }


def _without_definitions(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema whose definitions stand among the components already."""
    return {key: value for key, value in schema.items() if key != "$defs"}


def _reference(name: str) -> dict[str, str]:
    return {"$ref": _COMPONENT.format(model=name)}


def _add_refusals(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    responses.pop("422", None)
    content = {PROBLEM_TYPE: {"schema": _reference("Problem")}}
    for status, words in _REFUSALS.items():
        if "requestBody" in operation or status in _WITHOUT_BODY:
            responses[status] = {"description": words, "content": content}
