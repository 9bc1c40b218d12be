"""JSON Schemas of everything that Forsyth writes as JSON.

`schema/reading.schema.json` describes a reading and its diagnostics, `schema/answers.schema.json` all other
answers. `schema` returns each of them as a self-contained schema (draft 2020-12). Later versions may add
fields: programs should ignore fields that they do not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final

from forsyth.arguments import unknown_choice_error

_READING: Final = "reading"
_DIAGNOSTIC: Final = "diagnostic"
_DEFINITION_PREFIX: Final = "#/$defs/"
"""The beginning of a reference to a definition in the same schema."""


def schema_names() -> tuple[str, ...]:
    """Return the names of all JSON schemas, such as ``reading``, that `schema` accepts."""
    return (_READING, _DIAGNOSTIC, *_load_schema_file("answers")["properties"])


def schema(name: str) -> dict[str, Any]:
    """Return the JSON schema with this name, with all definitions that it refers to.

    Raise `ValueError` if there is no schema with this name; `schema_names` lists them.
    """
    if name not in schema_names():
        raise unknown_choice_error("schema", name, schema_names())
    reading = _load_schema_file(_READING)
    answers = _load_schema_file("answers")
    definitions = {**answers["$defs"], **reading["$defs"]}
    if name == _READING:
        source = reading
    elif name == _DIAGNOSTIC:
        source = definitions[_DIAGNOSTIC]
    else:
        source = answers["properties"][name]

    header = {"$schema": reading["$schema"], "$id": f"urn:forsyth:schema:{name}", "title": name.capitalize()}
    replaced_keys = (*header, "$defs")
    body = {key: value for key, value in source.items() if key not in replaced_keys}
    return {**header, **body, "$defs": _select_definitions(body, definitions)}


def _select_definitions(body: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions that a schema refers to, directly or through other definitions.

    `body` is the schema, and `definitions` are all definitions by name. The result is sorted by name.
    """
    selected: dict[str, Any] = {}
    pending = list(_find_references(body))
    while pending:
        name = pending.pop()
        if name not in selected:
            selected[name] = definitions[name]
            pending += _find_references(definitions[name])
    return {name: selected[name] for name in sorted(selected)}


def _find_references(value: Any) -> Iterator[str]:
    """Yield the name in each reference such as ``{"$ref": "#/$defs/span"}`` in a JSON schema.

    `value` is the schema or a part of it: an object, an array, or a plain value, which has no references.
    """
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"].removeprefix(_DEFINITION_PREFIX)
        for member in value.values():
            yield from _find_references(member)
    elif isinstance(value, list):
        for element in value:
            yield from _find_references(element)


@cache
def _load_schema_file(name: str) -> dict[str, Any]:
    """Return the JSON schema in the package's file ``schema/NAME.schema.json``, parsed."""
    text = files("forsyth").joinpath(f"schema/{name}.schema.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content
