"""`forsyth doctor`: what is installed and where things are kept.

Writes version, Python, which modules are compiled, the extras found with their versions, the store and the
games. With ``--json`` one object with the fields ``version python compiled modules extras store games``.
"""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Any, Final

import click

import forsyth
from forsyth import registry, store
from forsyth.cli.arguments import example
from forsyth.cli.output import echo, write_json

EXTRAS: Final[dict[str, tuple[str, ...]]] = {
    "cli": ("click", "rich"),
    "server": ("fastapi", "uvicorn"),
    "bulk": ("pyarrow", "polars"),
    "duckdb": ("duckdb",),
    "ray": ("ray",),
    "spark": ("pyspark",),
    "postgres": ("psycopg",),
    "png": ("resvg_py",),
    "pydantic": ("pydantic",),
    "pandas": ("pandas",),
}
"""The extras of the package and what each brings."""


@click.command(epilog=example("forsyth doctor", "forsyth doctor --json"))
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def doctor(as_json: bool) -> None:
    """Say what is installed: version, compiled or pure, extras, store, games."""
    facts = _facts()
    if as_json:
        write_json(facts)
    else:
        echo(_words(facts))


def _facts() -> dict[str, Any]:
    build = forsyth.build_info()
    path = store.default_path()
    return {
        "version": build["version"],
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiled": build["compiled"],
        "modules": build["modules"],
        "extras": {extra: {name: _installed(name) for name in names} for extra, names in EXTRAS.items()},
        "store": {"path": str(path), "exists": path.exists()},
        "games": [_game(name) for name in registry.games()],
    }


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _game(name: str) -> dict[str, Any]:
    # A game of a third party may fail in any way at import; that is what a doctor is asked about.
    try:
        found = registry.game(name)
        return {"name": name, "title": found.title, "variants": list(found.variants), "problem": None}
    except Exception as error:
        return {"name": name, "title": None, "variants": [], "problem": f"{type(error).__name__}: {error}"}


def _words(facts: dict[str, Any]) -> str:
    kept = "exists" if facts["store"]["exists"] else "not made yet"
    rows = [
        ("version", facts["version"]),
        ("python", facts["python"]),
        ("build", _build(facts)),
        *(("extra", _extra(extra, found)) for extra, found in facts["extras"].items()),
        ("store", f"{facts['store']['path']} ({kept})"),
        *(("game", _game_words(game)) for game in facts["games"]),
    ]
    return "\n".join(f"{name:<8} {value}" for name, value in rows)


def _build(facts: dict[str, Any]) -> str:
    pure = sorted(name for name, compiled in facts["modules"].items() if not compiled)
    if not facts["compiled"]:
        return "pure Python"
    return f"compiled, except {', '.join(pure)}" if pure else "compiled"


def _extra(extra: str, found: dict[str, str | None]) -> str:
    parts = [f"{name} {version}" if version else f"{name} missing" for name, version in found.items()]
    remedy = "" if all(found.values()) else f": pip install 'forsyth[{extra}]'"
    return f"{extra} ({', '.join(parts)}){remedy}"


def _game_words(game: dict[str, Any]) -> str:
    if game["problem"]:
        return f"{game['name']} cannot be loaded ({game['problem']}); reinstall or remove its package"
    return f"{game['name']}: {game['title']} ({', '.join(game['variants'])})"
