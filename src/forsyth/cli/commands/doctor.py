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
    installation = _describe_installation()
    if as_json:
        write_json(installation)
    else:
        echo(_format_installation(installation))


def _describe_installation() -> dict[str, Any]:
    """Return the versions, compiled modules, extras, store and games as a dictionary for JSON.

    An extra, such as ``cli``, maps each of its packages to the installed version, or to None if the package
    is not installed.
    """
    build = forsyth.build_info()
    store_path = store.default_path()
    return {
        "version": build["version"],
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiled": build["compiled"],
        "modules": build["modules"],
        "extras": {
            extra: {package: _get_version(package) for package in packages}
            for extra, packages in EXTRAS.items()
        },
        "store": {"path": str(store_path), "exists": store_path.exists()},
        "games": [_describe_game(name) for name in registry.games()],
    }


def _get_version(package: str) -> str | None:
    """Return the version of a package, such as ``8.1.7``, or None if the package is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _describe_game(name: str) -> dict[str, Any]:
    """Return the name, title and variants of a game as a dictionary for JSON.

    If the package of the game cannot be loaded, the field ``problem`` has the error.
    """
    # Importing a game of a third party can raise any exception, and this command must report it.
    try:
        game = registry.game(name)
        return {"name": name, "title": game.title, "variants": list(game.variants), "problem": None}
    except Exception as error:
        return {"name": name, "title": None, "variants": [], "problem": f"{type(error).__name__}: {error}"}


def _format_installation(installation: dict[str, Any]) -> str:
    """Format the result of `_describe_installation` as lines such as ``python   CPython 3.12.1``."""
    store_path = installation["store"]["path"]
    store_state = "exists" if installation["store"]["exists"] else "not created yet"
    extras = [_format_extra(extra, versions) for extra, versions in installation["extras"].items()]
    games = [_format_game(game) for game in installation["games"]]
    rows = [
        ("version", installation["version"]),
        ("python", installation["python"]),
        ("build", _format_build(installation)),
        *(("extra", extra) for extra in extras),
        ("store", f"{store_path} ({store_state})"),
        *(("game", game) for game in games),
    ]
    return "\n".join(f"{heading:<8} {value}" for heading, value in rows)


def _format_build(installation: dict[str, Any]) -> str:
    """Return ``pure Python``, ``compiled``, or ``compiled, except`` and the modules that are not compiled."""
    if not installation["compiled"]:
        return "pure Python"
    modules = installation["modules"].items()
    pure_modules = sorted(name for name, is_compiled in modules if not is_compiled)
    return f"compiled, except {', '.join(pure_modules)}" if pure_modules else "compiled"


def _format_extra(extra: str, versions: dict[str, str | None]) -> str:
    """Format the packages of an extra with their versions: ``cli (click 8.1.7, rich 13.7.0)``.

    If a package is missing, the command that installs it follows. `versions` has the version of each package,
    or None if it is missing.
    """
    packages = [f"{package} {version or 'missing'}" for package, version in versions.items()]
    is_complete = all(versions.values())
    remedy = "" if is_complete else f": pip install 'forsyth[{extra}]'"
    return f"{extra} ({', '.join(packages)}){remedy}"


def _format_game(game: dict[str, Any]) -> str:
    """Format the name, title and variants of a game, or the reason why its package cannot be loaded.

    `game` is the result of `_describe_game`.
    """
    if game["problem"]:
        return f"{game['name']} cannot be loaded ({game['problem']}); reinstall or remove its package"
    return f"{game['name']}: {game['title']} ({', '.join(game['variants'])})"
