"""`forsyth doctor`: show what is installed and where positions are stored.

Writes the versions of Forsyth and Python, the compiled modules, the extras with the versions of their
packages, the path of the store, and the games. With ``--json`` it writes one object with the fields ``version
python compiled modules extras store games``.
"""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Any, Final

import click

import forsyth
from forsyth import registry, store
from forsyth.cli.arguments import format_examples
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
"""The extras of Forsyth, and the packages that each of them installs."""


@click.command(epilog=format_examples("forsyth doctor", "forsyth doctor --json"))
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
def doctor(as_json: bool) -> None:
    """Show the version, the installed extras, the store and games."""
    facts = _collect_facts()
    if as_json:
        write_json(facts)
    else:
        echo(_format_facts(facts))


def _collect_facts() -> dict[str, Any]:
    """Return the versions, the compiled modules, the extras, the store and the games as JSON-ready data."""
    build = forsyth.build_info()
    path = store.default_path()
    return {
        "version": build["version"],
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiled": build["compiled"],
        "modules": build["modules"],
        "extras": {
            extra: {name: _installed_version(name) for name in names} for extra, names in EXTRAS.items()
        },
        "store": {"path": str(path), "exists": path.exists()},
        "games": [_describe_game(name) for name in registry.games()],
    }


def _installed_version(name: str) -> str | None:
    """Return the version of an installed package, or None if it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _describe_game(name: str) -> dict[str, Any]:
    """Return the title and the variants of a game as JSON-ready data.

    If its package cannot be loaded, the field ``problem`` has the error.
    """
    # Importing a game of a third party can raise any exception, and this command must report it.
    try:
        game = registry.game(name)
        return {"name": name, "title": game.title, "variants": list(game.variants), "problem": None}
    except Exception as error:
        return {"name": name, "title": None, "variants": [], "problem": f"{type(error).__name__}: {error}"}


def _format_facts(facts: dict[str, Any]) -> str:
    """Return the result of `_collect_facts` as lines, each with a name such as ``python`` and a value."""
    store_state = "exists" if facts["store"]["exists"] else "not created yet"
    rows = [
        ("version", facts["version"]),
        ("python", facts["python"]),
        ("build", _format_build(facts)),
        *(("extra", _format_extra(extra, versions)) for extra, versions in facts["extras"].items()),
        ("store", f"{facts['store']['path']} ({store_state})"),
        *(("game", _format_game(game)) for game in facts["games"]),
    ]
    return "\n".join(f"{name:<8} {value}" for name, value in rows)


def _format_build(facts: dict[str, Any]) -> str:
    """Return ``compiled`` or ``pure Python``, and the modules that are not compiled if others are."""
    pure_modules = sorted(name for name, is_compiled in facts["modules"].items() if not is_compiled)
    if not facts["compiled"]:
        return "pure Python"
    return f"compiled, except {', '.join(pure_modules)}" if pure_modules else "compiled"


def _format_extra(extra: str, versions: dict[str, str | None]) -> str:
    """Return the packages of an extra with their versions, and how to install those that are missing.

    `versions` has the version of each package, or None if it is missing.
    """
    parts = [f"{name} {version}" if version else f"{name} missing" for name, version in versions.items()]
    remedy = "" if all(versions.values()) else f": pip install 'forsyth[{extra}]'"
    return f"{extra} ({', '.join(parts)}){remedy}"


def _format_game(game: dict[str, Any]) -> str:
    """Return the name, title and variants of a game, or the reason why its package cannot be loaded.

    `game` is the result of `_describe_game`.
    """
    if game["problem"]:
        return f"{game['name']} cannot be loaded ({game['problem']}); reinstall or remove its package"
    return f"{game['name']}: {game['title']} ({', '.join(game['variants'])})"
