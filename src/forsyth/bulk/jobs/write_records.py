"""Tables of games and positions in memory, or streams of them, as files of PGN and EPD.

`write_pgn` and `write_epd` take a table, a reader or batches; the file is there whole or not at all, and the
ending of its name may give a compression.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import pyarrow as pa

from forsyth import registry
from forsyth.bulk.errors import BulkError
from forsyth.bulk.records.table import game_of_schema, named_schema
from forsyth.bulk.sinks.sink import open_sink
from forsyth.bulk.sources.files import Format, tell_format
from forsyth.game import Game

Rows: TypeAlias = "pa.Table | pa.RecordBatchReader | Iterable[pa.RecordBatch]"


def write_pgn(rows: Rows, target: str | os.PathLike[str], game: Game | str | None = None) -> int:
    """Write a table of games as records; how many rows it has.

    `game` is needed where the table does not say it. Raises `BulkError` for a row that is no legal game.
    """
    return _write(rows, os.fspath(target), Format.PGN, game)


def write_epd(rows: Rows, target: str | os.PathLike[str], game: Game | str | None = None) -> int:
    """Write a table of positions as lines of EPD; how many rows it has."""
    return _write(rows, os.fspath(target), Format.EPD, game)


def _write(rows: Rows, target: str, format: Format, game: Game | str | None) -> int:
    batches = _batches(rows)
    first = next(batches, None)
    schema = rows.schema if isinstance(rows, pa.Table | pa.RecordBatchReader) else first and first.schema
    if schema is None:
        raise BulkError("there are no rows and no columns to write; give a table")
    if game is not None:
        known = registry.game(game)
        schema = named_schema(schema, known.name, known.variant)
    if game_of_schema(schema) is None:
        raise BulkError("the table does not say which game it is of; name the game")
    _, compression = tell_format(target, str(format))
    with open_sink(target, schema, format, compression) as sink:
        if first is not None:
            sink.write_batch(first.replace_schema_metadata(schema.metadata))
        for batch in batches:
            sink.write_batch(batch.replace_schema_metadata(schema.metadata))
        return sink.rows


def _batches(rows: Any) -> Iterator[pa.RecordBatch]:
    return iter(rows.to_batches() if isinstance(rows, pa.Table) else rows)
