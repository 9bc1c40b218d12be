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


def build_reading_schemas(schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schemas of readings, diagnostics and issues by their names in OpenAPI.

    A reading is the result of reading a text, and a diagnostic is an error or warning in it. An issue is a
    diagnostic in the form of the HTTP specification. `schemas` are the OpenAPI components that FastAPI made.
    They are not changed.
    """
    schema_file = files("forsyth").joinpath("schema/reading.schema.json")
    reading_schema = _replace_references(json.loads(schema_file.read_text(encoding="utf-8")))
    components = {}
    for definition_name, component_name in _COMPONENTS.items():
        definition = reading_schema["$defs"][definition_name]
        components[component_name] = {"title": component_name, **definition}
    components["Issue"] = _build_issue_schema(components["Diagnostic"])
    components["ReadAnswer"] = _add_reading_fields(schemas["ReadAnswer"], reading_schema)
    return components


def _add_reading_fields(
    answer_schema: Mapping[str, Any], reading_schema: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the JSON Schema of the response to ``/read``: a reading and the position.

    Args:
        answer_schema: The schema that FastAPI made, which has the property ``position`` only.
        reading_schema: The schema of a reading.
    """
    # The number of a line is only in the results of a batch.
    reading_properties = {
        name: schema for name, schema in reading_schema["properties"].items() if name != "line"
    }
    return {
        **answer_schema,
        "properties": {**reading_properties, "position": answer_schema["properties"]["position"]},
        "required": [*reading_schema["required"], "position"],
    }


def _replace_references(schema: Any) -> Any:
    """Return a JSON Schema in which each ``$ref`` points to an OpenAPI component.

    ``#/$defs/span`` becomes ``#/components/schemas/Span``.
    """
    if isinstance(schema, list):
        return [_replace_references(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        _, _, definition_name = schema["$ref"].rpartition("/")
        component_name = _COMPONENTS[definition_name]
        return {"$ref": f"#/components/schemas/{component_name}"}
    return {key: _replace_references(element) for key, element in schema.items()}


def _build_issue_schema(diagnostic: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of an issue, a diagnostic in the form of the HTTP specification.

    Args:
        diagnostic: The JSON Schema of a diagnostic. An issue has its properties, with the code in capitals,
            and more properties for the place, such as ``row``.
    """
    properties = diagnostic["properties"]
    issue_properties = {
        **properties,
        "code": {"description": "Code in capitals.", "type": "string", "pattern": "^[A-Z0-9_]+$"},
        "component": {"description": "Name of the field of the text.", "type": "string"},
        "inside": {**properties["inside"], "items": {"$ref": "#/components/schemas/Issue"}},
    }
    for place in _PLACES:
        issue_properties[place] = {"type": ["integer", "null"]}
    return {
        "title": "Issue",
        "description": "Diagnostic in the form of the specification: its code in capitals, and its place.",
        "type": "object",
        "required": [*diagnostic["required"], "component"],
        "properties": issue_properties,
    }
