"""Values are frozen dataclasses with slots: who holds one holds it as it was, and adds nothing by mistake."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import forsyth

PACKAGE = Path(forsyth.__file__).parent
CHANGING = {
    "bulk/jobs/run_files.PassResult",
    "cli/commands/play.Session",
    "cli/output.Tally",
    "games/chess/notation/fields.BoardField",
    "games/cotulenh/notation/fields._Rank",
}
"""What is not a value: it changes while something is worked out."""


def dataclasses() -> Iterator[tuple[str, dict[str, object]]]:
    """Every dataclass of the package by module and name, with what its decorator is given."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for decorator in node.decorator_list if isinstance(node, ast.ClassDef) else ():
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if (
                    isinstance(called, ast.Name)
                    and called.id == "dataclass"
                    and isinstance(node, ast.ClassDef)
                ):
                    given = decorator.keywords if isinstance(decorator, ast.Call) else []
                    options = {one.arg or "": ast.literal_eval(one.value) for one in given}
                    yield f"{path.relative_to(PACKAGE).with_suffix('').as_posix()}.{node.name}", options


def test_values_cannot_be_changed() -> None:
    found = dict(dataclasses())
    assert len(found) > 100
    assert [name for name, options in found.items() if options.get("frozen") is False] == []
    assert [name for name, options in found.items() if options.get("slots") is False] == []
    assert {name for name in CHANGING if not found.get(name, {}).get("frozen")} == CHANGING
