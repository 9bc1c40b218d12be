"""JSON Schemas of everything that Forsyth writes as JSON.

`schema/reading.schema.json` describes a reading and its diagnostics, `schema/answers.schema.json` all the
rest; this gives each of them as a schema that stands alone (draft 2020-12). Fields that a schema does not
name may follow: programs should ignore those that they do not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final

from forsyth.arguments import no_choice

_READING: Final = "reading"
_DIAGNOSTIC: Final = "diagnostic"
_LOCAL: Final = "#/$defs/"


def schema_names() -> tuple[str, ...]:
    """What there are schemas of."""
    return (_READING, _DIAGNOSTIC, *_file("answers")["properties"])


def schema(name: str) -> dict[str, Any]:
    """The schema of one kind of answer; raises `ValueError` for a name that there is none of."""
    if name not in schema_names():
        raise no_choice("schema", name, schema_names())
    reading, answers = _file(_READING), _file("answers")
    known = {**answers["$defs"], **reading["$defs"]}
    found = {**answers["properties"], _DIAGNOSTIC: known[_DIAGNOSTIC], _READING: reading}[name]
    head = {"$schema": reading["$schema"], "$id": f"urn:forsyth:schema:{name}", "title": name.capitalize()}
    parts = {key: value for key, value in found.items() if key not in (*head, "$defs")}
    return {**head, **parts, "$defs": _needed(parts, known)}


def _needed(part: Any, known: dict[str, Any]) -> dict[str, Any]:
    """The definitions that a part of a schema refers to, and those that they refer to."""
    needed: dict[str, Any] = {}
    waiting = list(_references(part))
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = known[name]
            waiting += _references(known[name])
    return {name: needed[name] for name in sorted(needed)}


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].removeprefix(_LOCAL)
        part = list(part.values())
    if isinstance(part, list):
        for one in part:
            yield from _references(one)


@cache
def _file(name: str) -> dict[str, Any]:
    text = files("forsyth").joinpath(f"schema/{name}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
