"""Build the OpenAPI schemas of readings, diagnostics and issues.

The schemas of readings and diagnostics come from `schema/reading.schema.json`, their only definition. An
*issue* is a diagnostic in the form of the HTTP specification: its code in capitals, and more fields for its
place (see `forsyth.server.issues`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

_COMPONENTS: Final = {"span": "Span", "fix": "Fix", "diagnostic": "Diagnostic"}
"""Names of the OpenAPI components, by the names of the definitions in the schema file."""

_PLACES: Final = ("index", "player", "row", "col")
"""Fields for a place that a game's own report may add to an issue."""


def reading_schemas(schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schemas of readings, diagnostics and issues by their names in OpenAPI.

    An issue is a diagnostic in the form of the HTTP specification. `schemas` are the OpenAPI components that
    FastAPI made. They are not changed.
    """
    file = files("forsyth").joinpath("schema/reading.schema.json")
    reading = _replace_references(json.loads(file.read_text(encoding="utf-8")))
    definitions = {name: {"title": name, **reading["$defs"][key]} for key, name in _COMPONENTS.items()}
    properties = {name: value for name, value in reading["properties"].items() if name != "line"}
    answer = {
        **schemas["ReadAnswer"],
        "properties": {**properties, "position": schemas["ReadAnswer"]["properties"]["position"]},
        "required": [*reading["required"], "position"],
    }
    issue = _build_issue_schema(definitions["Diagnostic"])
    return {**definitions, "Issue": issue, "ReadAnswer": answer}


def _replace_references(value: Any) -> Any:
    """Return a part of a JSON Schema, in which each ``$ref`` points to an OpenAPI component.

    ``#/$defs/span`` becomes ``#/components/schemas/Span``.
    """
    if isinstance(value, list):
        return [_replace_references(element) for element in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        _, _, definition = value["$ref"].rpartition("/")
        return {"$ref": f"#/components/schemas/{_COMPONENTS[definition]}"}
    return {key: _replace_references(element) for key, element in value.items()}


def _build_issue_schema(diagnostic: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of an issue, a diagnostic in the form of the HTTP specification.

    `diagnostic` is the schema of a diagnostic. An issue has its properties, and more for the place.
    """
    own_properties = {
        "code": {"description": "Code in capitals.", "type": "string", "pattern": "^[A-Z0-9_]+$"},
        "component": {"description": "Name of the field of the text.", "type": "string"},
        "inside": {**diagnostic["properties"]["inside"], "items": {"$ref": "#/components/schemas/Issue"}},
        **{place: {"type": ["integer", "null"]} for place in _PLACES},
    }
    return {
        "title": "Issue",
        "description": "Diagnostic in the form of the specification: its code in capitals, and its place.",
        "type": "object",
        "required": [*diagnostic["required"], "component"],
        "properties": {**diagnostic["properties"], **own_properties},
    }
