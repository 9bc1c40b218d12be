"""Checks of bulk functions: whole columns of texts give the values of the reader, or `BulkError`.

A game without columns is checked too: commands such as `forsyth pack` must work for it, or refuse it with one
sentence. The checks need pyarrow, which is optional. Without it they are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from forsyth.arguments import quoted
from forsyth.game import Game
from forsyth.reading import read
from forsyth.testing.promise import call_or_none, require


def require_bulk_columns(game: Game, texts: Sequence[str]) -> None:
    """Check the functions of `forsyth.bulk.arrow` on a column of texts, valid or not.

    Raise `AssertionError` if a function raises another error than `BulkError`, or if a key, canonical text or
    packed form differs from that of the reader.
    """
    if find_spec("pyarrow") is None or find_spec("numpy") is None:
        return
    from forsyth.bulk import arrow
    from forsyth.bulk.errors import BulkError

    # Arrow cannot hold a lone surrogate.
    encodable_texts = [text for text in texts if text.isprintable()]
    # Columns may contain texts of every form, such as ``fenz_…``.
    readings = [read(text, game) for text in encodable_texts]
    positions: list[Any] = [reading.position if reading.ok else None for reading in readings]
    # A packed form of a position has at least one byte, its version.
    width = max((len(game.pack(position)) for position in positions if position is not None), default=1)

    for function in (arrow.scan, arrow.material, arrow.features, arrow.planes, arrow.pack):
        description = f"calling forsyth.bulk.arrow.{function.__name__}"
        call_or_none(game, description, BulkError, function, encodable_texts, game)
    columns: dict[str, tuple[Any, Callable[[Any], object]]] = {
        "key": (arrow.key(encodable_texts, game), lambda position: bytes.fromhex(game.key(position))),
        "normalise": (arrow.normalise(encodable_texts, game), str),
        "pack": (
            arrow.pack(encodable_texts, game, width=width),
            lambda position: game.pack(position).ljust(width, b"\0"),
        ),
    }
    for name, (column, compute) in columns.items():
        expected_values = [None if position is None else compute(position) for position in positions]
        for text, value, expected_value in zip(
            encodable_texts, column.to_pylist(), expected_values, strict=True
        ):
            require(
                value == expected_value,
                game,
                f"forsyth.bulk.arrow.{name} gives {quoted(value)} for {quoted(text)}, "
                f"expected {quoted(expected_value)}",
            )
