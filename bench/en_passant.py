"""Who writes the en-passant field correctly: a quick writer of a wrong square is no rival.

Three conventions are in use and each of them is right: the square after every double step (`fen`), only
with an enemy pawn beside the pushed one (`xfen`), only where a capture is legal (`legal`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bench.adapters import Adapter
from bench.corpus import Row
from bench.peers import PYTHON_CHESS

CONVENTIONS: Final = ("fen", "xfen", "legal")
FIELD: Final = 3


def conventions(adapters: Sequence[Adapter], rows: Sequence[Row]) -> dict[str, str | None]:
    """The convention each writer keeps to on all rows; None for one that keeps to none."""
    expected = _expected(adapters, rows)
    return {
        adapter.name: convention_of(_written(adapter, rows), expected)
        for adapter in adapters
        if adapter.write is not None
    }


def convention_of(written: Sequence[str], expected: dict[str, list[str]]) -> str | None:
    """The first convention under which every field is as expected."""
    for name, fields in expected.items():
        if list(written) == fields:
            return name
    return None


def _written(adapter: Adapter, rows: Sequence[Row]) -> list[str]:
    assert adapter.write is not None
    return [_field(adapter.write(adapter.parse(row.fen))) for row in rows]


def _expected(adapters: Sequence[Adapter], rows: Sequence[Row]) -> dict[str, list[str]]:
    """The right fields by convention. The corpus is written in `fen`; the others are python-chess's word."""
    expected = {"fen": [_field(row.fen) for row in rows]}
    judge = next((adapter for adapter in adapters if adapter.name == PYTHON_CHESS), None)
    if judge is not None:
        for name in CONVENTIONS[1:]:
            expected[name] = [_field(judge.parse(row.fen).fen(en_passant=name)) for row in rows]
    return expected


def _field(fen: str) -> str:
    """The en-passant field; a text too short to have one has a wrong one."""
    fields = fen.split(" ")
    return fields[FIELD] if len(fields) > FIELD else ""
