"""Constants that stand in a .pxd file and in the .py file beside it are the same in both.

The compiled build takes the one, the pure build the other. Looked at: the members of every enumeration,
the literals that C is given by name (``u64 ALL "0xFF"``), and the lengths of tables. The values of the .py
files are those that the pure build has.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import forsyth

PACKAGE = Path(forsyth.__file__).parent
ENUM = re.compile(r"^(?:cdef|cpdef|ctypedef)\s+enum\b.*:\s*$")
EXTERN = re.compile(r"^cdef\s+extern\s+from\s+\*.*:\s*$")
LITERAL = re.compile(r'^\s+\w+\s+(\w+)\s+"(0x[0-9A-Fa-f]+|[0-9]+)[uUlL]*"')
TABLE = re.compile(r"^cdef [\w ]+?((?:\[\d+\])+) (\w+)$", re.MULTILINE)
CIMPORT = re.compile(r"^from\s+([\w.]+)\s+cimport\b")


def module_of(path: Path) -> str:
    return ".".join(("forsyth", *path.relative_to(PACKAGE).with_suffix("").parts))


PXD = {module_of(path): path for path in sorted(PACKAGE.rglob("*.pxd"))}


@cache
def constants(module: str) -> dict[str, int]:
    """What the .pxd file of a module says of its constants."""
    lines = PXD[module].read_text(encoding="utf-8").splitlines()
    known: dict[str, int] = {}
    for line in lines:
        found = CIMPORT.match(line)
        if found is not None and found[1] in PXD:
            known |= constants(found[1])
    own: dict[str, int] = {}
    inside, value = "", -1
    for line in lines:
        text = line.partition("#")[0].rstrip()
        if text and not text[0].isspace():
            inside = "enum" if ENUM.match(text) else "extern" if EXTERN.match(text) else ""
            value = -1
        elif inside == "enum" and text:
            name, _, expression = (part.strip() for part in text.partition("="))
            value = _number(expression, known | own) if expression else value + 1
            own[name] = value
        elif inside == "extern" and (literal := LITERAL.match(text)):
            own[literal[1]] = int(literal[2], 0)
    return own


def tables(module: str) -> dict[str, list[int]]:
    """The tables of the .pxd file of a module, and their lengths."""
    found = TABLE.findall(PXD[module].read_text(encoding="utf-8"))
    return {name: [int(length) for length in re.findall(r"\d+", lengths)] for lengths, name in found}


def _number(expression: str, names: dict[str, int]) -> int:
    # Our own files, and nothing but numbers, names and operators in them.
    return int(eval(expression, {"__builtins__": {}}, names))  # noqa: S307


@cache
def pure_values() -> dict[str, dict[str, Any]]:
    """The same names as the pure build has them; a name that a module does not have is left out."""
    wanted = {module: [*constants(module), *tables(module)] for module in PXD}
    program = (
        "import importlib, json, sys\n"
        "def told(value):\n"
        "    if not isinstance(value, (list, bytearray)):\n"
        "        return int(value) if isinstance(value, int) else []\n"
        "    return [len(value), *([] if isinstance(value[0], int) else told(value[0]))]\n"
        "wanted = json.load(sys.stdin)\n"
        "found = {}\n"
        "for name, names in wanted.items():\n"
        "    module = importlib.import_module(name)\n"
        "    found[name] = {one: told(getattr(module, one)) for one in names if hasattr(module, one)}\n"
        "json.dump(found, sys.stdout)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "FORSYTH_PURE": "1"},
    )
    values: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return values


def test_there_are_constants_of_every_game() -> None:
    games = {module.split(".")[2] for module in PXD if constants(module) and ".games." in module}
    assert {"chess", "cotulenh", "azul"} <= games
    assert constants("forsyth.games.chess.rules.legality")["EP_SIDE"] == 1 << 10
    assert constants("forsyth.games.azul.notation.cells")["COLOUR_LANES"] == 0xFFFFFFFFFF


@pytest.mark.parametrize("module", [module for module in PXD if constants(module)])
def test_a_constant_is_the_same_in_both_builds(module: str) -> None:
    found = pure_values()[module]
    assert {name: found[name] for name in constants(module)} == constants(module)


@pytest.mark.parametrize("module", [module for module in PXD if tables(module)])
def test_a_table_is_as_long_in_both_builds(module: str) -> None:
    found = pure_values()[module]
    for name, lengths in tables(module).items():
        # What is no list in the pure build, such as a look-up by text, has no length to compare.
        assert found.get(name, []) in ([], lengths), name


def test_tables_are_compared() -> None:
    compared = [name for module in PXD for name in tables(module) if pure_values()[module].get(name)]
    assert len(compared) > 40
