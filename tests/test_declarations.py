"""What a .pxd file declares is what its .py file says: the numbers and tables that the two builds share."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from forsyth.build import HOT

SOURCES = Path(__file__).parent.parent / "src"
DECLARED = [name for name in HOT if SOURCES.joinpath(*name.split(".")).with_suffix(".pxd").exists()]
_ENUM = re.compile(r"^cp?def enum.*:\n((?: {4}.*\n|\n)+)", re.MULTILINE)
_MEMBER = re.compile(r"^ +(\w+) *= *(.+)$", re.MULTILINE)
_LITERAL = re.compile(r'^ +\w+ ([A-Z_]\w*) "(\w+?)U?L*"$', re.MULTILINE)
_TABLE = re.compile(r"^cdef [\w ]+?((?:\[\d+\])+) (\w+)$", re.MULTILINE)
_REPORT = """
import importlib, json, sys
def shape(value):
    return [len(value), *(shape(value[0]) if value else [])] if isinstance(value, (list, bytearray)) else []
def told(value):
    return value if type(value) is int else shape(value) or None
print(json.dumps({
    name: {key: told(value) for key, value in vars(importlib.import_module(name)).items()}
    for name in sys.argv[1:]
}))
"""


@cache
def values() -> dict[str, dict[str, Any]]:
    """Numbers, and the lengths of tables, by module and name, as the pure build has them."""
    done = subprocess.run(
        [sys.executable, "-c", _REPORT, *DECLARED],
        env={**os.environ, "FORSYTH_PURE": "1"},
        capture_output=True,
        check=True,
        text=True,
    )
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


def declaration(module: str) -> str:
    return SOURCES.joinpath(*module.split(".")).with_suffix(".pxd").read_text(encoding="utf-8")


def numbers(module: str) -> Iterator[tuple[str, int]]:
    """Every named number of a declaration."""
    text = declaration(module)
    for block in _ENUM.findall(text):
        known: dict[str, int] = {}
        for name, value in _MEMBER.findall(block):
            known[name] = eval(value, {}, known)  # noqa: S307 - our own declarations
            yield name, known[name]
    for name, value in _LITERAL.findall(text):
        yield name, int(value, 0)


def tables(module: str) -> Iterator[tuple[str, list[int]]]:
    """Every table of a declaration, and its lengths."""
    for lengths, name in _TABLE.findall(declaration(module)):
        yield name, [int(length) for length in re.findall(r"\d+", lengths)]


@pytest.mark.parametrize("module", DECLARED)
def test_the_two_builds_share_their_numbers(module: str) -> None:
    told = values()[module]
    for name, number in numbers(module):
        assert told.get(name) == number, name


@pytest.mark.parametrize("module", DECLARED)
def test_the_two_builds_share_the_lengths_of_their_tables(module: str) -> None:
    told = values()[module]
    for name, lengths in tables(module):
        if isinstance(told.get(name), list):
            assert told[name] == lengths, name


def test_something_is_compared() -> None:
    assert sum(1 for module in DECLARED for _ in numbers(module)) > 150
    assert sum(1 for module in DECLARED for _ in tables(module)) > 40
