"""The shapes of requests and answers that the page's types are made from, as kept in ui/openapi.json.

`python -m tests.openapi` writes them anew; `npm run types` in ui/ then makes the types. What only one game
has is left out, so that a further game changes nothing here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from forsyth import registry
from forsyth.server import Settings, create_app
from forsyth.server.openapi import build_openapi
from forsyth.store import MemoryStore

FILE: Final = Path(__file__).parents[1] / "ui" / "openapi.json"


def shapes() -> str:
    """The components of the service's description, without its calls."""
    description = build_openapi(create_app(Settings(), MemoryStore()))
    schemas: dict[str, Any] = dict(description["components"]["schemas"])
    for game in registry.games():
        schemas.pop(f"{game}State", None)
    schemas["GameState"] = schemas.pop("AnyState")
    kept = {
        "openapi": description["openapi"],
        "info": {"title": description["info"]["title"], "version": "1"},
        "paths": {},
        "components": {"schemas": {name: _bare(schema) for name, schema in sorted(schemas.items())}},
    }
    return json.dumps(kept, ensure_ascii=False, indent=1) + "\n"


def _bare(schema: Any) -> Any:
    """A schema without titles and examples, which say nothing about its type."""
    if isinstance(schema, list):
        return [_bare(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _bare(one) for name, one in value.items()} if key == "properties" else _bare(value)
        for key, value in schema.items()
        if key not in ("title", "examples")
    }


if __name__ == "__main__":
    FILE.write_text(shapes(), encoding="utf-8", newline="\n")
