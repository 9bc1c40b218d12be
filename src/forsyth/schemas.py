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
_ANSWERS: Final = "answers"
_DIAGNOSTIC: Final = "diagnostic"
_DEFINITION_PREFIX: Final = "#/$defs/"
"""The beginning of a reference to a definition in the same schema."""


def schema_names() -> tuple[str, ...]:
    """Return the names of all JSON schemas, such as ``reading``, that `schema` accepts."""
    answers_schema = _load_schema_file(_ANSWERS)
    return (_READING, _DIAGNOSTIC, *answers_schema["properties"])


def schema(name: str) -> dict[str, Any]:
    """Return the JSON schema `name`, such as ``reading``, with all definitions that it needs.

    Raise `ValueError` if there is no such schema. `schema_names` returns all names.
    """
    if name not in schema_names():
        raise unknown_choice_error("schema", name, schema_names())
    reading_schema = _load_schema_file(_READING)
    answers_schema = _load_schema_file(_ANSWERS)
    definitions = {**answers_schema["$defs"], **reading_schema["$defs"]}
    if name == _READING:
        source = reading_schema
    elif name == _DIAGNOSTIC:
        source = definitions[_DIAGNOSTIC]
    else:
        source = answers_schema["properties"][name]

    header = {
        "$schema": reading_schema["$schema"],
        "$id": f"urn:forsyth:schema:{name}",
        "title": name.capitalize(),
    }
    replaced_keys = (*header, "$defs")
    body = {key: value for key, value in source.items() if key not in replaced_keys}
    return {**header, **body, "$defs": _select_definitions(body, definitions)}


def _select_definitions(body: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return those of `definitions` that the schema `body` refers to, sorted by name.

    A definition may refer to others, which are then returned too.
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
    """Yield the name in each reference of a JSON schema: ``span`` for ``{"$ref": "#/$defs/span"}``.

    `value` is the schema or any part of it. A name may occur several times.
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
    """Return the content of the file ``schema/NAME.schema.json`` of this package as a dict."""
    path = files("forsyth").joinpath(f"schema/{name}.schema.json")
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
