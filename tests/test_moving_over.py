"""The pages for those who come from another library: every line of Forsyth and of python-chess is run."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import chess.svg
import chess.variant
import pytest
from tests.test_readme import ROOT, blocks

PAGES = {"from-python-chess.md": 3, "from-javascript.md": 4}
"""The pages, and how many columns their tables have; the last two are the line of Forsyth and its value."""
CELL = re.compile(r"`(.*)`")


def rows(page: Path, columns: int) -> list[list[str]]:
    """The cells of the rows of code, without their backticks."""
    lines = page.read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]
    told = [[found[1] if (found := CELL.fullmatch(cell)) else "" for cell in row] for row in cells]
    table = [row for row in told if any(row)]
    assert {len(row) for row in table} == {columns}
    return table


def run(line: str, names: dict[str, Any]) -> Any:
    """The value of a line; nothing where it is a statement."""
    try:
        code = compile(line, "<page>", "eval", dont_inherit=True)
    except SyntaxError:
        exec(compile(line, "<page>", "exec", dont_inherit=True), names)  # noqa: S102
        return None
    return eval(code, names)  # noqa: S307


def given(page: Path) -> dict[str, Any]:
    """What the block of the page defines."""
    names: dict[str, Any] = {}
    for block in blocks(page, "python"):
        exec(block.source, names)  # noqa: S102
    return names


@pytest.mark.parametrize("name", PAGES)
def test_every_line_of_forsyth_gives_what_is_shown(name: str) -> None:
    page = ROOT / "docs" / name
    names = given(page)
    table = rows(page, PAGES[name])
    assert len(table) > 20
    for *_, ours, shown in table:
        assert ours, "every row has a line of Forsyth"
        value = run(ours, names)
        assert not shown or repr(value) == shown, ours


def test_every_line_of_python_chess_runs() -> None:
    page = ROOT / "docs" / "from-python-chess.md"
    names = given(page) | {"chess": chess, "io": io}
    for theirs, *_ in rows(page, 3):
        assert theirs, "every row has a line of python-chess"
        run(theirs, names)
