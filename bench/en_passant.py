"""Find the libraries that write the en-passant field correctly. The others are no rivals for writing.

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
EN_PASSANT_INDEX: Final = 3
"""Index of the en-passant field in a FEN."""


def find_conventions(adapters: Sequence[Adapter], rows: Sequence[Row]) -> dict[str, str | None]:
    """Return the convention that each library follows on all rows, or None if it follows none.

    Libraries without the operation `write` are left out.
    """
    expected = _expected_fields(adapters, rows)
    return {
        adapter.name: find_convention(_written_fields(adapter, rows), expected)
        for adapter in adapters
        if adapter.write is not None
    }


def find_convention(written: Sequence[str], expected: dict[str, list[str]]) -> str | None:
    """Return the first convention whose `expected` fields are all equal to the `written` ones, else None."""
    for name, fields in expected.items():
        if list(written) == fields:
            return name
    return None


def _written_fields(adapter: Adapter, rows: Sequence[Row]) -> list[str]:
    """Return the en-passant field that a library writes for each row."""
    assert adapter.write is not None
    return [_en_passant_field(adapter.write(adapter.parse(row.fen))) for row in rows]


def _expected_fields(adapters: Sequence[Adapter], rows: Sequence[Row]) -> dict[str, list[str]]:
    """Return the right fields of all rows by convention.

    The corpus follows the convention `fen`. The fields of the other two are those that python-chess writes;
    they are left out if it is not among `adapters`.
    """
    expected = {"fen": [_en_passant_field(row.fen) for row in rows]}
    python_chess = next((adapter for adapter in adapters if adapter.name == PYTHON_CHESS), None)
    if python_chess is not None:
        for name in CONVENTIONS[1:]:
            expected[name] = [
                _en_passant_field(python_chess.parse(row.fen).fen(en_passant=name)) for row in rows
            ]
    return expected


def _en_passant_field(fen: str) -> str:
    """Return the en-passant field of a text, or an empty string if the text is too short."""
    fields = fen.split(" ")
    return fields[EN_PASSANT_INDEX] if len(fields) > EN_PASSANT_INDEX else ""
