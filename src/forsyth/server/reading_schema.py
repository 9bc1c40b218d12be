"""The JSON of a reading and of a finding in the description of the service.

Both are those of the library: `schema/reading.schema.json` is the one place where they are written down. An
*issue* is a finding in the words of the HTTP specification (`issues`): its code in capitals, and more places.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

_COMPONENTS: Final = {"span": "Span", "fix": "Fix", "diagnostic": "Diagnostic"}
"""What the definitions of the schema are called in the description."""

_PLACES: Final = ("index", "player", "row", "col")
"""The places that a game's own report may add to an issue."""


def reading_schemas(schemas: Mapping[str, Any]) -> dict[str, Any]:
    """What to put among the schemas of the description: readings, findings and issues."""
    file = files("forsyth").joinpath("schema/reading.schema.json")
    reading = _with_components(json.loads(file.read_text(encoding="utf-8")))
    found = {name: {"title": name, **reading["$defs"][key]} for key, name in _COMPONENTS.items()}
    properties = {name: value for name, value in reading["properties"].items() if name != "line"}
    answer = {
        **schemas["ReadAnswer"],
        "properties": {**properties, "position": schemas["ReadAnswer"]["properties"]["position"]},
        "required": [*reading["required"], "position"],
    }
    return {**found, "Issue": _issue(found["Diagnostic"]), "ReadAnswer": answer}


def _with_components(part: Any) -> Any:
    """The same with the references of a description."""
    if isinstance(part, list):
        return [_with_components(one) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return {"$ref": f"#/components/schemas/{_COMPONENTS[part['$ref'].rpartition('/')[2]]}"}
    return {key: _with_components(value) for key, value in part.items()}


def _issue(diagnostic: Mapping[str, Any]) -> dict[str, Any]:
    own = {
        "code": {"description": "The code in capitals.", "type": "string", "pattern": "^[A-Z0-9_]+$"},
        "component": {"description": "The name of the field.", "type": "string"},
        "inside": {**diagnostic["properties"]["inside"], "items": {"$ref": "#/components/schemas/Issue"}},
        **{place: {"type": ["integer", "null"]} for place in _PLACES},
    }
    return {
        "title": "Issue",
        "description": "One finding in the words of the specification: its code in capitals, and its places.",
        "type": "object",
        "required": [*diagnostic["required"], "component"],
        "properties": {**diagnostic["properties"], **own},
    }
