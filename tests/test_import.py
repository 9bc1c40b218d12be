"""What importing loads: as little as possible, and every public name when it is used."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import forsyth

SOURCE = Path(forsyth.__file__)
HEAVY = {
    "importlib.metadata",
    "xml.sax",
    "email",
    "dataclasses",
    "sqlite3",
    "json",
    "pathlib",
    "inspect",
}


def loaded(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after some code, beside those that it starts with."""
    ask = "found = sorted(set(sys.modules) - before); import json; print(json.dumps(found))"
    script = f"import sys; before = set(sys.modules)\n{code}\n{ask}"
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_the_package_loads_nothing_but_itself() -> None:
    found = loaded("import forsyth")
    assert {name for name in found if name.startswith("forsyth")} == {"forsyth", "forsyth.build"}
    assert not found & HEAVY


def test_naming_a_game_loads_no_other() -> None:
    found = loaded("import forsyth; forsyth.game('chess').parse('4k3/8/8/8/8/8/8/4K3 w - - 0 1')")
    games = {name.split(".")[2] for name in found if name.startswith("forsyth.games.")}
    rooms = {name.split(".")[1] for name in found if name.startswith("forsyth.")}
    assert games == {"chess"}
    assert not rooms & {"draw", "store", "bulk", "server", "cli", "record"}
    assert not found & {"importlib.metadata", "xml.sax", "email", "sqlite3"}


def test_asking_for_the_version_loads_no_command_and_no_game() -> None:
    found = loaded("import forsyth.cli; forsyth.cli.main(['--version'])")
    rooms = {name for name in found if name.startswith("forsyth.")}
    assert rooms == {
        "forsyth.arguments",
        "forsyth.build",
        "forsyth.cli",
        "forsyth.cli.app",
        "forsyth.cli.arguments",
        "forsyth.cli.output",
    }
    assert "rich" not in found


def test_the_names_for_type_checkers_are_those_that_are_loaded() -> None:
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    (block,) = [one for one in tree.body if isinstance(one, ast.If) and isinstance(one.test, ast.Name)]
    homes = {
        alias.name: str(found.module)
        for found in block.body
        if isinstance(found, ast.ImportFrom)
        for alias in found.names
    }
    assert homes.pop("installed_version") == "forsyth.build"
    assert sorted(homes) == sorted(forsyth.__all__)
    modules = {"azul", "chess", "cotulenh", "draw", "games", "shogi", "xiangqi"}
    for name, home in homes.items():
        value = getattr(forsyth, name)
        expected = sys.modules[f"forsyth.{name}"] if name in modules else getattr(sys.modules[home], name)
        assert value is expected, name


def test_the_function_stays_where_a_module_has_its_name() -> None:
    script = "import forsyth.game, forsyth.match; import forsyth; print(forsyth.game('chess').name)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "chess\n"


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'forsyth' has no attribute 'chekc'"):
        _ = forsyth.chekc  # type: ignore[attr-defined]
    assert set(forsyth.__all__) <= set(dir(forsyth))
    assert forsyth.__version__ == forsyth.build_info()["version"]
