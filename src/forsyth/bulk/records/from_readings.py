"""Rows of what the record reader says: for any game, and for records that no kernel takes.

Of a record that cannot be read to its end the moves and positions up to the fault are given. A record without
a start to play from is a row of games with nothing but its error, and no row of positions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import pyarrow as pa

from forsyth.bulk.records.table import FACTS, RATING, Form, RecordTable
from forsyth.bulk.sources.record_rows import Numbered
from forsyth.bulk.where import columns_in, kept_rows
from forsyth.comment_commands import read_commands
from forsyth.game import Game, PackedMoves, read_recorded, require_columnar
from forsyth.record import Node, Record, RecordReading

NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
"""A rating that is the same text again when it is written."""


class Place(NamedTuple):
    """Where a block stands: its file, and how many lines of the file lie before it."""

    file: str
    lines: int


def rows_of_readings(table: RecordTable, readings: Sequence[Numbered], place: Place) -> pa.RecordBatch:
    """The rows of some readings; ``game`` is their number."""
    kept = _kept(table, readings)
    rows = _games(table, kept, place) if table.kind == "games" else _positions(table, kept)
    schema = table.schema()
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, one.type) for column, one in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _kept(table: RecordTable, readings: Sequence[Numbered]) -> list[Numbered]:
    """The readings that meet the condition; without a record there is nothing that could meet it."""
    condition = table.condition()
    if condition is None:
        return list(readings)
    told = [(one, one.reading.record) for one in readings if one.reading.record is not None]
    names = columns_in(condition)
    facts = [pa.array([_fact(record, name) for _, record in told], pa.string()) for name in names]
    is_met = kept_rows(condition, pa.RecordBatch.from_arrays(facts, names))
    return [one for (one, _), is_kept in zip(told, is_met.to_pylist(), strict=True) if is_kept]


def _fact(record: Record, name: str) -> str | None:
    if name in FACTS:
        return {"variant": record.game.variant, "result": record.result, "plies": str(len(record.line))}[name]
    return record.result if name == "Result" else record.tag(name)


# --- games ------------------------------------------------------------------------------------------


def _games(table: RecordTable, readings: list[Numbered], place: Place) -> Iterator[list[Any]]:
    nothing = len(table.schema()) - 2
    write = _move_writer(table)
    for number, reading in readings:
        record, error = reading.record, _error(reading, place)
        if record is None:
            yield [number, *[None] * nothing, error]
            continue
        walk = _walk(record, write)
        start = record.game.write(record.start)
        yield [
            number,
            *_tags(table, record),
            record.game.variant,
            record.result,
            len(record.line),
            walk.moves,
            _or_none(walk.clocks),
            _or_none(walk.evals),
            None if start == record.game.start else start,
            bytes.fromhex(record.game.key(walk.positions[-1])),
            error,
        ]


def _tags(table: RecordTable, record: Record) -> list[Any]:
    values = dict(record.tags)
    columns = [_tag_value(name, values.get(name)) for name in table.tag_columns]
    if not table.has_rest:
        return columns
    shown = {name for name, value in zip(table.tag_columns, columns, strict=True) if value is not None}
    return [*columns, [(name, value) for name, value in record.tags if name not in shown]]


def _tag_value(name: str, value: str | None) -> str | int | None:
    if value is None or not name.endswith(RATING):
        return value
    return int(value) if NUMBER.fullmatch(value) else None


def _or_none(values: list[int | None]) -> list[int | None] | None:
    return values if any(value is not None for value in values) else None


def _error(reading: RecordReading, place: Place) -> dict[str, Any] | None:
    if not reading.errors:
        return None
    first = reading.errors[0]
    line, column = reading.place(first)
    return {
        "code": first.code,
        "message": first.message,
        "file": place.file,
        "line": place.lines + line,
        "column": column,
        "start": first.span.start,
        "end": first.span.end,
    }


# --- positions --------------------------------------------------------------------------------------


def _positions(table: RecordTable, readings: list[Numbered]) -> Iterator[list[Any]]:
    game = table.the_game()
    writers = [_form_writer(form, game) for form in table.forms]
    write = _move_writer(table)
    for number, reading in readings:
        record = reading.record
        if record is None:
            continue
        walk = _walk(record, write)
        values = dict(record.tags)
        tags = [_tag_value(name, values.get(name)) for name in table.tag_columns]
        for ply in range(table.from_ply, len(walk.positions), table.every):
            position = walk.positions[ply]
            is_last = ply == len(record.line)
            yield [
                number,
                ply,
                *(form(record.game, position) for form in writers),
                None if is_last else walk.moves[ply],
                None if is_last else walk.clocks[ply],
                walk.evals[ply - 1] if ply else None,
                record.result,
                *tags,
            ]


def _form_writer(form: Form, game: Game) -> Callable[[Game, Any], Any]:
    """What writes a position, played by the rules of its record, in a form; None where it has no room."""
    if form == "fen":
        return lambda rules, position: rules.write(position)
    if form == "key":
        return lambda rules, position: bytes.fromhex(rules.key(position))
    columnar = require_columnar(game, form)
    if form == "planes":
        return lambda rules, position: columnar.planes(position)
    width = columnar.packed_width

    def packed(rules: Game, position: Any) -> bytes | None:
        data = rules.pack(position)
        return data.ljust(width, b"\0") if len(data) <= width else None

    return packed


# --- the main line ----------------------------------------------------------------------------------


class _Walk(NamedTuple):
    """The main line of a record: its positions, the start first, and what belongs to each move."""

    positions: list[Any]
    moves: list[Any]
    clocks: list[int | None]
    evals: list[int | None]


def _walk(record: Record, write: Callable[[str, Any], Any]) -> _Walk:
    game, position = record.game, record.start
    walk = _Walk([position], [], [], [])
    for node in record.line:
        move = read_recorded(game, position, node.text)
        position = game.play(position, move)
        walk.positions.append(position)
        walk.moves.append(write(node.text, move))
        clock, value = _commands(node)
        walk.clocks.append(clock)
        walk.evals.append(value)
    return walk


def _commands(node: Node) -> tuple[int | None, int | None]:
    """The clock and the evaluation after a move: of several the first."""
    found = [read_commands(text) for text in node.after if "[%" in text]
    clock = next((one.clock for one in found if one.clock is not None), None)
    return clock, next((one.eval for one in found if one.eval is not None), None)


def _move_writer(table: RecordTable) -> Callable[[str, Any], Any]:
    """What writes a move that has a canonical text."""
    game = table.the_game()
    if table.move_form == "san" or not isinstance(game, PackedMoves):
        return lambda text, move: text
    if table.move_form == "uci":
        return lambda text, move: game.uci_move(move)
    return lambda text, move: game.pack_move(move)
