"""What arguments are when they are not given, as it is kept: tests/golden/answers/defaults.txt.

`python -m tests.defaults` writes it anew, for a change that is meant; read the difference before it is kept.
"""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, Final

import forsyth
from forsyth.build import HOT

FILE: Final = Path(__file__).parent / "golden" / "answers" / "defaults.txt"
HOT_FILE: Final = FILE.with_name("hot_defaults.txt")
_LEFT_OUT: Final = ("__main__", "spark", "ray", "cython_shadow", "known_fields")
"""Modules that run something, need what is not installed everywhere, or belong to the pure build."""


def _modules() -> Iterator[str]:
    """All modules that are never compiled: compiled ones do not tell their arguments."""
    yield "forsyth"
    for found in walk_packages(forsyth.__path__, "forsyth."):
        if found.name.rpartition(".")[2] not in _LEFT_OUT and found.name not in HOT:
            yield found.name


def _functions(module: ModuleType) -> Iterator[Callable[..., Any]]:
    """The functions and methods that a module defines and others may call."""
    for name, found in vars(module).items():
        if name.startswith("_") or getattr(found, "__module__", "") != module.__name__:
            continue
        if inspect.isfunction(found):
            yield found
        if inspect.isclass(found):
            for own, member in vars(found).items():
                if inspect.isfunction(member) and (own == "__init__" or not own.startswith("_")):
                    yield member


def defaults(modules: Iterable[str] | None = None) -> Iterator[str]:
    """Every argument that need not be given, a line each."""
    for module in map(import_module, _modules() if modules is None else modules):
        for function in _functions(module):
            for parameter in inspect.signature(function).parameters.values():
                usual = repr(parameter.default)
                if parameter.default is not parameter.empty and " at 0x" not in usual:
                    yield f"{module.__name__}.{function.__qualname__}({parameter.name}={usual})"


_FOR_PROGRAMS: Final = re.compile(
    r"forsyth\.(abilities|atomic_write|diagnostics|forms|game|match|reading|registry|scene|bulk\.(arrow|duckdb|polars)|"
    r"draw\.\w+|games\.\w+\.(api|state)|kit\.\w+|record\.\w+|server\.settings|store\.\w+|testing\.\w+)\."
)


def changed(kept: Iterable[str]) -> list[str]:
    """The lines that are no longer so; what only Forsyth itself calls may also be gone."""
    found = set(defaults())
    there = {line.partition("=")[0] for line in found}
    return [
        line
        for line in kept
        if line not in found and (_FOR_PROGRAMS.match(line) or line.partition("=")[0] in there)
    ]


def of_hot_modules() -> list[str]:
    """Those of the modules that may be compiled, which only plain Python tells: a process of its own."""
    program = "from tests import defaults; print(*defaults.defaults(defaults.HOT), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "FORSYTH_PURE": "1"},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.splitlines()


if __name__ == "__main__":
    FILE.write_text("\n".join(dict.fromkeys(defaults())) + "\n", encoding="utf-8", newline="\n")
    HOT_FILE.write_text("\n".join(of_hot_modules()) + "\n", encoding="utf-8", newline="\n")
