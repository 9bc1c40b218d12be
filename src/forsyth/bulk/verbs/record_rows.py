"""The rows of a table of games or positions for a block of records.

The reader reads all records of games without a kernel, the records that a kernel leaves to it, and all
records in plain Python. If a record cannot be read to its end, it has the moves and positions before the
error. A record without a start position is a row of the table of games with only its error, and has no row of
positions. The buffers of a kernel become Arrow arrays without a Python object per row, and are not copied if
Arrow allows it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk import arrow
from forsyth.bulk.arrow import KEY_BYTES
from forsyth.bulk.sources.pgn import (
    BlockRows,
    MainLines,
    NumberedReading,
    build_rows,
    string_array,
    tag_array,
    taken_mask,
)
from forsyth.bulk.verbs.record_table import DERIVED, ERROR, FACTS, RATING, Form, RecordTable, form_field
from forsyth.bulk.where import list_columns, matching_rows
from forsyth.game import Game, PackedMoves, read_record_move, require_columnar
from forsyth.record import Node, Record, RecordReading
from forsyth.record.kernels import record_kernel
from forsyth.record_bytes.columns import NO_CLOCK, NO_EVAL, RESULTS, RecordKernel
from forsyth.record_bytes.comment_commands import read_commands
from forsyth.record_bytes.words import COMPILED

_RATING_PATTERN: Final = "^[1-9][0-9]{0,8}$"
"""Pattern of a rating that is the same text again if it is written as a number."""


class BlockLocation(NamedTuple):
    """The location of a block: its file, and the number of lines of the file before it."""

    file: str
    lines: int


def convert_readings(
    table: RecordTable, readings: Sequence[NumberedReading], place: BlockLocation
) -> pa.RecordBatch:
    """Return the rows of a table for records that the reader has read.

    Args:
        table: The table, of games or of positions.
        readings: The records with their findings. Their numbers become the column ``game``.
        place: The file, and the number of its lines before the text of the readings.
    """
    selected = _select_readings(table, readings)
    rows = (
        _make_game_rows(table, selected, place)
        if table.kind == "games"
        else _make_position_rows(table, selected)
    )
    schema = table.schema()
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _select_readings(table: RecordTable, readings: Sequence[NumberedReading]) -> list[NumberedReading]:
    """Return the readings that meet the table's condition, such as ``WhiteElo > 2400``, or all without one.

    A reading without a record, which has errors, never meets a condition.
    """
    condition = table.condition()
    if condition is None:
        return list(readings)
    with_record = [
        (numbered, numbered.reading.record) for numbered in readings if numbered.reading.record is not None
    ]
    names = list_columns(condition)
    values = [
        pa.array([_condition_value(record, name) for _, record in with_record], pa.string()) for name in names
    ]
    is_met = matching_rows(condition, pa.RecordBatch.from_arrays(values, names))
    return [
        numbered for (numbered, _), is_kept in zip(with_record, is_met.to_pylist(), strict=True) if is_kept
    ]


def _condition_value(record: Record, name: str) -> str | None:
    """Return the value of `name` in a condition: ``variant``, ``result``, ``plies`` or a tag."""
    if name in FACTS:
        return {"variant": record.game.variant, "result": record.result, "plies": str(len(record.line))}[name]
    return record.result if name == "Result" else record.tag(name)


# --- games ----------------------------------------------------------------------------------------


def _make_game_rows(
    table: RecordTable, readings: list[NumberedReading], place: BlockLocation
) -> Iterator[list[Any]]:
    """Yield the row of each record in a table of games, as values in the order of the columns.

    A record without a start position has only its number and its first error.
    """
    empty_columns = len(table.schema()) - 2
    write = _make_move_writer(table)
    for number, reading in readings:
        record, error = reading.record, _first_error(reading, place)
        if record is None:
            yield [number, *[None] * empty_columns, error]
            continue
        main_line = _play_main_line(record, write)
        start = record.game.write(record.start)
        yield [
            number,
            *_read_tags(table, record),
            record.game.variant,
            record.result,
            len(record.line),
            main_line.moves,
            _none_if_empty(main_line.clocks),
            _none_if_empty(main_line.evals),
            None if start == record.game.start else start,
            bytes.fromhex(record.game.key(main_line.positions[-1])),
            error,
        ]


def _read_tags(table: RecordTable, record: Record) -> list[Any]:
    """Return the values of the tag columns, followed by the other tags if the table has them."""
    values = dict(record.tags)
    columns = [_convert_tag(name, values.get(name)) for name in table.tag_columns]
    if not table.has_rest:
        return columns
    shown_names = {name for name, value in zip(table.tag_columns, columns, strict=True) if value is not None}
    return [*columns, [(name, value) for name, value in record.tags if name not in shown_names]]


def _convert_tag(name: str, value: str | None) -> str | int | None:
    """Return the value of a tag, or for a rating such as ``WhiteElo`` its number, None if it is invalid."""
    if value is None or not name.endswith(RATING):
        return value
    return int(value) if re.fullmatch(_RATING_PATTERN, value) else None


def _none_if_empty(values: list[int | None]) -> list[int | None] | None:
    """Return the values, or None if all of them are None."""
    return values if any(value is not None for value in values) else None


def _first_error(reading: RecordReading, place: BlockLocation) -> dict[str, Any] | None:
    """Return the first error of a reading as a value of type ERROR, or None if there is none."""
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


# --- positions ------------------------------------------------------------------------------------


def _make_position_rows(table: RecordTable, readings: list[NumberedReading]) -> Iterator[list[Any]]:
    """Yield a row for each position of the main lines, as values in the order of the columns.

    `RecordTable.from_ply` and `RecordTable.every` choose the positions.
    """
    game = table.load_game()
    writers = [_make_form_writer(form, game) for form in table.forms]
    write = _make_move_writer(table)
    for number, reading in readings:
        record = reading.record
        if record is None:
            continue
        main_line = _play_main_line(record, write)
        values = dict(record.tags)
        tags = [_convert_tag(name, values.get(name)) for name in table.tag_columns]
        for ply in range(table.from_ply, len(main_line.positions), table.every):
            position = main_line.positions[ply]
            is_last = ply == len(record.line)
            yield [
                number,
                ply,
                *(form(record.game, position) for form in writers),
                None if is_last else main_line.moves[ply],
                None if is_last else main_line.clocks[ply],
                main_line.evals[ply - 1] if ply else None,
                record.result,
                *tags,
            ]


def _make_form_writer(form: Form, game: Game) -> Callable[[Game, Any], Any]:
    """Return a function that writes a position as `form`: text, key, packed bytes or planes.

    It takes the game of the record in its variant, and the position. It returns None if the packed bytes do
    not fit into the column.
    """
    if form == "fen":
        return lambda rules, position: rules.write(position)
    if form == "key":
        return lambda rules, position: bytes.fromhex(rules.key(position))
    columnar = require_columnar(game, form)
    if form == "planes":
        return lambda rules, position: columnar.planes(position)
    width = columnar.packed_width

    def pack_padded(rules: Game, position: Any) -> bytes | None:
        data = rules.pack(position)
        return data.ljust(width, b"\0") if len(data) <= width else None

    return pack_padded


# --- the main line --------------------------------------------------------------------------------


class _MainLine(NamedTuple):
    """The main line of a record: its positions, the start first, and a value for each move."""

    positions: list[Any]
    moves: list[Any]
    clocks: list[int | None]
    evals: list[int | None]


def _play_main_line(record: Record, write: Callable[[str, Any], Any]) -> _MainLine:
    """Return the positions, moves, clocks and evaluations of the main line of a record.

    `write` returns the value to store for a move. Its arguments are the canonical text and the move.
    """
    game, position = record.game, record.start
    main_line = _MainLine([position], [], [], [])
    for node in record.line:
        move = read_record_move(game, position, node.text)
        position = game.play(position, move)
        main_line.positions.append(position)
        main_line.moves.append(write(node.text, move))
        clock, value = _read_clock_and_eval(node)
        main_line.clocks.append(clock)
        main_line.evals.append(value)
    return main_line


def _read_clock_and_eval(node: Node) -> tuple[int | None, int | None]:
    """Return the first clock in milliseconds and the first evaluation in the comments after a move.

    They are the values of ``[%clk 0:05:00]`` and ``[%eval 0.31]``; None without such a command.
    """
    commands = [read_commands(text) for text in node.after if "[%" in text]
    clock = next((values.clock for values in commands if values.clock is not None), None)
    return clock, next((values.eval for values in commands if values.eval is not None), None)


def _make_move_writer(table: RecordTable) -> Callable[[str, Any], Any]:
    """Return a function that returns a move as the table stores it: in SAN, in UCI or as a number.

    Its arguments are the canonical text of the move and the move.
    """
    game = table.load_game()
    if table.move_form == "san" or not isinstance(game, PackedMoves):
        return lambda text, move: text
    if table.move_form == "uci":
        return lambda text, move: game.uci_move(move)
    return lambda text, move: game.pack_move(move)


# --- rows from a kernel ---------------------------------------------------------------------------


KERNEL_COLUMNS: Final[Mapping[Form, str]] = {
    "fen": "fens",
    "key": "keys",
    "packed": "packed",
    "planes": "planes",
}
"""The optional column of a kernel for each form of positions."""


def kernel_columns(table: RecordTable) -> tuple[str, ...]:
    """Return the optional columns that a kernel has to fill for a table."""
    forms = () if table.kind == "games" else tuple(KERNEL_COLUMNS[form] for form in table.forms)
    return ("clocks", "evals", *forms)


class KernelRows:
    """The rows of a table for the records of one call of a kernel."""

    def __init__(self, table: RecordTable, kernel: RecordKernel) -> None:
        """Take over the records of the last call of `kernel.read`."""
        self._table = table
        self._kernel = kernel
        self._games = kernel.games
        self._is_read = taken_mask(kernel)
        self._first_ply = self._column_array("first_ply", np.int32)

    def rows(self, numbers: np.ndarray) -> pa.RecordBatch:
        """Return the rows of the table for the records that the kernel has read and that meet the condition.

        `numbers` has the number of the record, the value of the column ``game``, for each row of the kernel.
        """
        is_kept = self._select_rows()
        if self._table.kind == "games":
            batch = pa.RecordBatch.from_arrays(
                list(self._make_game_columns(numbers)), schema=self._table.schema()
            )
            return batch if is_kept.all() else batch.filter(pa.array(is_kept))
        return self._make_positions(numbers, is_kept)

    def _select_rows(self) -> np.ndarray:
        """Return for each record whether the kernel has read it and it meets the table's condition."""
        is_read: np.ndarray = self._is_read
        condition = self._table.condition()
        if condition is None:
            return is_read
        names = list_columns(condition)
        values = pa.RecordBatch.from_arrays([self._condition_column(name) for name in names], names)
        is_met: np.ndarray = matching_rows(condition, values).to_numpy(zero_copy_only=False)
        is_kept: np.ndarray = is_met & is_read
        return is_kept

    def _condition_column(self, name: str) -> pa.Array:
        """Return the values of `name` in a condition: ``variant``, ``result``, ``plies`` or a tag."""
        if name not in (*FACTS, "Result"):
            return tag_array(self._kernel, name)
        if name == "plies":
            return pa.array(np.diff(self._first_ply))
        return self._make_label_column(name.lower())

    # --- games -------------------------------------------------------------------------------------

    def _make_game_columns(self, numbers: np.ndarray) -> Any:
        """Yield the columns of a table of games."""
        table, first = self._table, pa.array(self._first_ply)
        yield pa.array(numbers, pa.int64())
        tags = {name: self._make_tag_column(name) for name in table.tag_columns}
        yield from tags.values()
        if table.has_rest:
            yield self._make_other_tags(tags)
        yield self._make_label_column("variant")
        yield self._make_label_column("result")
        yield pa.array(np.diff(self._first_ply))
        yield pa.ListArray.from_arrays(first, self._make_moves())
        yield self._make_lists("clock", NO_CLOCK)
        yield self._make_lists("eval", NO_EVAL)
        yield self._make_starts()
        yield self._fixed_size_column("end_key", KEY_BYTES, self._games)
        yield pa.nulls(self._games, ERROR)

    def _make_lists(self, name: str, missing_value: int) -> pa.Array:
        """Return the clocks or evaluations of each game as a list, null if the game has none.

        `name` is the column of the kernel, in which `missing_value` marks a move without a value.
        """
        values = self._column_array(name, np.int32)
        is_present = values != missing_value
        # The number of values before each move; a game has none if it does not change during the game.
        counts = np.concatenate([[0], np.cumsum(is_present)])
        is_empty = counts[self._first_ply[1:]] == counts[self._first_ply[:-1]]
        return pa.ListArray.from_arrays(
            pa.array(self._first_ply), self._make_nullable(name, values), mask=pa.array(is_empty)
        )

    def _make_nullable(self, name: str, values: np.ndarray) -> pa.Array:
        """Return the numbers `values` of the column ``clock`` or ``eval``, with null for missing numbers."""
        validity, null_count = self._kernel.validity(name)
        buffers = [pa.py_buffer(validity) if null_count else None, pa.py_buffer(values)]
        return pa.Array.from_buffers(pa.int32(), len(values), buffers, null_count)

    def _make_tag_column(self, name: str) -> pa.Array:
        """Return the values of a tag, as numbers if it is a rating."""
        texts = tag_array(self._kernel, name)
        return _parse_ratings(texts) if name.endswith(RATING) else texts

    def _make_other_tags(self, tag_columns: Mapping[str, pa.Array]) -> pa.Array:
        """Return for each game a map of the tags that have no column of their own.

        `tag_columns` are the tags with columns. Their ratings that are not valid numbers are in the map too,
        because these are null in their columns.
        """
        invalid_ratings = [
            name
            for name, column in tag_columns.items()
            if name.endswith(RATING) and column.null_count > tag_array(self._kernel, name).null_count
        ]
        skip = (*DERIVED, *(name for name in tag_columns if name not in invalid_ratings))
        first, names, values = self._kernel.tag_table(skip)
        keys, items = string_array(names), string_array(values)
        if not invalid_ratings:
            return pa.MapArray.from_arrays(_as_int32(first), keys, items)
        is_in_column = pc.and_(
            pc.is_in(keys, pa.array(invalid_ratings)),
            pc.fill_null(pc.match_substring_regex(items, _RATING_PATTERN), False),
        )
        is_kept = ~is_in_column.to_numpy(zero_copy_only=False)
        # The first tag of each game, counted without the tags that are left out.
        offsets = np.concatenate([[0], np.cumsum(is_kept)])[np.frombuffer(first, np.int32)].astype(np.int32)
        mask = pa.array(is_kept)
        return pa.MapArray.from_arrays(pa.array(offsets), keys.filter(mask), items.filter(mask))

    def _make_label_column(self, name: str) -> pa.Array:
        """Return the column ``result`` or ``variant`` as a dictionary array."""
        words = RESULTS if name == "result" else self._table.load_game().variants
        return _make_labels(self._column_array(name, np.int8), words)

    def _make_starts(self) -> pa.Array:
        """Return the canonical text of each start position, null for the usual one."""
        game = self._table.load_game()
        rows = np.flatnonzero(self._column_array("setup", np.uint8))
        if not len(rows):
            return pa.nulls(self._games, pa.string())
        texts, variants = tag_array(self._kernel, "FEN"), self._column_array("variant", np.uint8)
        starts: list[str | None] = [None] * self._games
        for number in np.unique(variants[rows]).tolist():
            rules = game.with_variant(game.variants[number])
            rows_of_variant = rows[variants[rows] == number]
            canonical = arrow.normalise(texts.take(pa.array(rows_of_variant)), rules).to_pylist()
            for row, text in zip(rows_of_variant.tolist(), canonical, strict=True):
                starts[row] = None if text == rules.start else text
        return pa.array(starts, pa.string())

    # --- positions ---------------------------------------------------------------------------------

    def _make_positions(self, numbers: np.ndarray, is_kept: np.ndarray) -> pa.RecordBatch:
        """Return the rows of a table of positions.

        Args:
            numbers: For each row of the kernel the number of the record.
            is_kept: For each row of the kernel whether its positions are wanted.
        """
        table = self._table
        lines = MainLines(self._kernel)
        games, ply, has_move = lines.games, lines.ply, lines.has_next_move
        chosen = self._choose_rows(games, ply, is_kept)
        columns = {
            "game": pa.array(numbers[games], pa.int64()),
            "ply": pa.array(ply),
            **{form: self._make_form_column(form, len(games)) for form in table.forms},
            "move": self._align_moves(lines),
            "clock": self._align_numbers("clock", NO_CLOCK, has_move),
            "eval": self._align_numbers("eval", NO_EVAL, ply != 0),
            "result": _make_labels(self._column_array("result", np.int8)[games], RESULTS),
            **{name: self._make_tag_column(name).take(pa.array(games)) for name in table.tag_columns},
        }
        batch = pa.RecordBatch.from_arrays(list(columns.values()), schema=table.schema())
        return batch if chosen is None else batch.take(pa.array(chosen))

    def _align_moves(self, lines: MainLines) -> pa.Array:
        """Return the move that follows each position, null for the last one of a game."""
        if self._table.move_form != "packed":
            return lines.spread_moves(self._make_moves())
        has_move = lines.has_next_move
        values = np.zeros(len(has_move), np.uint16)
        values[has_move] = self._column_array("move", np.uint16)
        return pa.array(values, mask=~has_move)

    def _align_numbers(self, name: str, missing_value: int, has_move: np.ndarray) -> pa.Array:
        """Return the clock or evaluation of a move in the row of a position, or null if there is none.

        Args:
            name: The column of the kernel, which has one number per move.
            missing_value: The number of a move without a clock or evaluation.
            has_move: For each position whether it gets the number of the next move.
        """
        values = np.full(len(has_move), missing_value, np.int32)
        values[has_move] = self._column_array(name, np.int32)
        return pa.array(values, mask=values == missing_value)

    def _choose_rows(self, games: np.ndarray, ply: np.ndarray, is_kept: np.ndarray) -> np.ndarray | None:
        """Return the indices of the positions that the table asks for, or None for all of them.

        Args:
            games: For each position the row of its game.
            ply: For each position the number of moves before it.
            is_kept: For each game whether it is wanted.
        """
        table = self._table
        if table.every == 1 and not table.from_ply and np.array_equal(is_kept, self._is_read):
            return None
        plies_after = ply - table.from_ply
        return np.flatnonzero((plies_after >= 0) & (plies_after % table.every == 0) & is_kept[games])

    def _make_form_column(self, form: Form, rows: int) -> pa.Array:
        """Return the column of all positions as text, keys, packed bytes or planes, without copying them.

        `rows` is the number of positions.
        """
        if form == "fen":
            return string_array((self._kernel.column("fen_offsets"), self._kernel.column("fen_chars")))
        return self._fixed_size_column(form, form_field(form, self._table.load_game()).type.byte_width, rows)

    # --- buffers -----------------------------------------------------------------------------------

    def _make_moves(self) -> pa.Array:
        """Return the moves of all main lines, one after the other."""
        form = self._table.move_form
        if form == "packed":
            moves = self._kernel.column("move")
            return pa.Array.from_buffers(pa.uint16(), self._kernel.plies, [None, pa.py_buffer(moves)])
        return string_array(self._kernel.san_texts() if form == "san" else self._kernel.uci_texts())

    def _fixed_size_column(self, name: str, width: int, rows: int) -> pa.Array:
        """Return a column of the kernel whose values have `width` bytes, without copying it."""
        data = pa.py_buffer(self._kernel.column(name))
        return pa.Array.from_buffers(pa.binary(width), rows, [None, data])

    def _column_array(self, name: str, dtype: Any) -> np.ndarray:
        """Return a column of the kernel as a NumPy array of type `dtype`, without copying it."""
        return np.frombuffer(self._kernel.column(name), dtype)


def _make_labels(indices: np.ndarray, words: Sequence[str]) -> pa.Array:
    """Return a dictionary array: for each of `indices` the word with this index."""
    return pa.DictionaryArray.from_arrays(pa.array(indices), pa.array(words))


def _parse_ratings(texts: pa.Array) -> pa.Array:
    """Return the texts that are valid ratings as numbers, and null for the others."""
    is_valid = pc.match_substring_regex(texts, _RATING_PATTERN)
    return pc.if_else(is_valid, texts, pa.scalar(None, pa.string())).cast(pa.int32())


def _as_int32(values: memoryview) -> pa.Array:
    """Return numbers as an Arrow array, not copied."""
    return pa.Array.from_buffers(pa.int32(), len(values), [None, pa.py_buffer(values)])


# --- rows of a block ------------------------------------------------------------------------------


_MAX_GAMES: Final = 1 << 12
_MAX_PLIES: Final = 1 << 16
"""Space of one call of a kernel, in games and moves. A block of records with clocks has fewer of both."""

_kernels = threading.local()


def read_block_rows(table: RecordTable, text: memoryview, place: BlockLocation) -> BlockRows:
    """Return the rows of a table for the records in a block of text, with the counts of these records.

    `place` is the file of the block, and the number of its lines before the block.
    """
    kernel = _get_kernel(table) if COMPILED else None
    pieces = list(build_rows(text, table.load_game(), TableRows(table, place), kernel))
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        return BlockRows(convert_readings(table, [], place), 0, 0, 0)
    # All fields after `rows` are counts.
    rows = pa.concat_batches([piece.rows for piece in pieces])
    return BlockRows(rows, *(sum(counts) for counts in zip(*(piece[1:] for piece in pieces), strict=True)))


class TableRows:
    """Makes the rows of a table for one block."""

    def __init__(self, table: RecordTable, place: BlockLocation) -> None:
        """Make rows of `table` for the block at `place`."""
        self._table = table
        self._place = place

    def make_kernel_rows(self, kernel: RecordKernel, numbers: np.ndarray) -> pa.RecordBatch:
        """Return the rows of the records that a kernel has read."""
        return KernelRows(self._table, kernel).rows(numbers)

    def make_reading_rows(self, readings: Sequence[NumberedReading], lines: int) -> pa.RecordBatch:
        """Return the rows of records that the reader has read; `lines` of the block are before them."""
        file, lines_before = self._place
        return convert_readings(self._table, readings, BlockLocation(file, lines_before + lines))


def _get_kernel(table: RecordTable) -> RecordKernel | None:
    """Return the kernel, compiled code, that reads the records of a table, or None if the game has none.

    It is cached for one table per thread, because two threads must not use a kernel at the same time.
    """
    cache: dict[Any, Any] = _kernels.__dict__.setdefault("cache", {})
    cache_key = (table.game, table.variant, kernel_columns(table))
    if cache_key not in cache:
        cache.clear()
        cache[cache_key] = record_kernel(
            table.load_game(), kernel_columns(table), games=_MAX_GAMES, plies=_MAX_PLIES
        )
    kernel: RecordKernel | None = cache[cache_key]
    return kernel
