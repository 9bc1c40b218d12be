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
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk import arrow
from forsyth.bulk.arrow import KEY_BYTES
from forsyth.bulk.errors import require_columns
from forsyth.bulk.sources.pgn import (
    BlockRows,
    MainLines,
    NumberedReading,
    build_record_rows,
    make_parsed_mask,
    make_string_array,
    make_tag_array,
)
from forsyth.bulk.verbs.record_table import (
    DERIVED,
    ERROR,
    OTHER_FORM,
    RATING,
    Form,
    RecordTable,
    make_form_field,
)
from forsyth.bulk.where import list_columns, match_rows
from forsyth.diagnostics import Diagnostic
from forsyth.game import Game, PackedMoves, read_record_move
from forsyth.record import Node, Record, RecordReading
from forsyth.record.kernel_errors import KernelErrors
from forsyth.record.kernels import record_kernel
from forsyth.record_bytes.columns import NO_CLOCK, NO_EVAL, RESULTS, RecordKernel
from forsyth.record_bytes.comment_commands import read_commands
from forsyth.record_bytes.words import COMPILED

_RATING_PATTERN: Final = "^[1-9][0-9]{0,8}$"
"""Pattern of a rating that is the same text again if it is written as a number."""


class BlockLocation(NamedTuple):
    """The location of a block of text: its file, and the number of lines of the file before it.

    A block may consist of several small files.
    """

    file: str
    lines: int
    next_files: tuple[tuple[int, str], ...] = ()
    """The other files of the block, each with the number of lines of the block before it, and its name."""

    def skip(self, lines: int) -> BlockLocation:
        """Return the location of the text behind the first `lines` lines of the block."""
        next_files = tuple((start - lines, file) for start, file in self.next_files)
        return BlockLocation(self.file, self.lines + lines, next_files)

    def locate_line(self, line: int) -> tuple[str, int]:
        """Return the name of the file with line number `line` of the block, and its number in that file.

        Lines are counted from 1.
        """
        file_index = bisect_left(self.next_files, line, key=_get_first)
        if file_index == 0:
            return self.file, self.lines + line
        start, file = self.next_files[file_index - 1]
        return file, line - start


def _get_first(pair: tuple[int, str]) -> int:
    """Return the number of a pair."""
    return pair[0]


def convert_readings(
    table: RecordTable, readings: Sequence[NumberedReading], location: BlockLocation
) -> pa.RecordBatch:
    """Convert records that the record reader in Python has read to rows of a table.

    Args:
        table: The table, of games or of positions.
        readings: The records with their findings. Their numbers become the column ``game``.
        location: The file, and the number of its lines before the text of the readings.
    """
    selected = _select_readings(table, readings)
    if table.kind == "games":
        rows = _make_game_rows(table, selected, location)
    else:
        rows = _make_position_rows(table, selected)
    schema = table.schema()
    empty_columns: list[tuple[Any, ...]] = [()] * len(schema)
    # Without rows, `zip` yields no columns.
    columns = list(zip(*rows, strict=True)) or empty_columns
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _select_readings(table: RecordTable, readings: Sequence[NumberedReading]) -> list[NumberedReading]:
    """Return the records that meet the condition of the table, such as ``WhiteElo > 2400``.

    If the table has no condition, return all of them. A reading that has only errors, and no record, never
    meets a condition.
    """
    condition = table.parse_condition()
    if condition is None:
        return list(readings)
    candidates: list[NumberedReading] = []
    records: list[Record] = []
    for candidate in readings:
        if candidate.reading.record is not None:
            candidates.append(candidate)
            records.append(candidate.reading.record)
    names = list_columns(condition)
    columns = []
    for name in names:
        values = [_get_condition_value(record, name) for record in records]
        columns.append(pa.array(values, pa.string()))
    is_met = match_rows(condition, pa.RecordBatch.from_arrays(columns, names)).to_pylist()
    return [candidate for candidate, is_kept in zip(candidates, is_met, strict=True) if is_kept]


def _get_condition_value(record: Record, name: str) -> str | None:
    """Return the value that a name in a condition, such as ``WhiteElo``, has in one record.

    `name` is ``variant``, ``result``, ``plies`` or the name of a PGN tag. A missing tag gives None.
    """
    if name == "variant":
        return record.game.variant
    if name == "plies":
        return str(len(record.line))
    if name in ("result", "Result"):
        return record.result
    return record.tag(name)


# --- games ----------------------------------------------------------------------------------------


def _make_game_rows(
    table: RecordTable, readings: list[NumberedReading], location: BlockLocation
) -> Iterator[list[Any]]:
    """Yield one row for each record, as a list of values by column.

    A record without a start position has only its number and its first error.

    Args:
        table: The table of games.
        readings: The records with their findings and numbers.
        location: The file, and the number of its lines before the text of the readings.
    """
    _, *inner_names, _ = table.schema().names
    no_values = [None] * len(inner_names)
    write_move = _make_move_writer(table)
    for number, reading in readings:
        record = reading.record
        error = _describe_first_error(reading, location)
        if record is None:
            yield [number, *no_values, error]
            continue
        main_line = _play_main_line(record, write_move)
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
    """Return the values of the tag columns in order, such as ``["Carlsen, Magnus", 2830]``.

    If the table has a column for all other tags, a list of these tags follows.
    """
    tags = dict(record.tags)
    value_by_column = {name: _convert_tag(name, tags.get(name)) for name in table.tag_columns}
    if not table.has_rest:
        return list(value_by_column.values())
    # A rating that is not a valid number is null in its column, and stays in the list.
    other_tags = [(name, value) for name, value in record.tags if value_by_column.get(name) is None]
    return [*value_by_column.values(), other_tags]


def _convert_tag(name: str, value: str | None) -> str | int | None:
    """Return the value of a tag for its column: a number for ``WhiteElo``, a text for ``Event``.

    A rating that is not a valid number gives None, and so does a missing tag (`value` is None).
    """
    if value is None or not name.endswith(RATING):
        return value
    return int(value) if re.fullmatch(_RATING_PATTERN, value) else None


def _none_if_empty(values: list[int | None]) -> list[int | None] | None:
    """Return the list itself, or None instead if all of its values are None."""
    has_values = any(value is not None for value in values)
    return values if has_values else None


def _describe_first_error(reading: RecordReading, location: BlockLocation) -> dict[str, Any] | None:
    """Return the code, message and place of the first error of a record, or None if it has none.

    `location` is the file, and the number of its lines before the text that was read.
    """
    if not reading.errors:
        return None
    error = reading.errors[0]
    line_of_block, column = reading.place(error)
    file, line = location.locate_line(line_of_block)
    return _make_error_value(error, file, line, column)


def _make_error_value(error: Diagnostic, file: str, line: int, column: int) -> dict[str, Any]:
    """Return an error of a record as a value of type ERROR. `line` and `column` are its place in `file`."""
    return {
        "code": error.code,
        "message": error.message,
        "file": file,
        "line": line,
        "column": column,
        "start": error.span.start,
        "end": error.span.end,
    }


# --- positions ------------------------------------------------------------------------------------


def _make_position_rows(table: RecordTable, readings: list[NumberedReading]) -> Iterator[list[Any]]:
    """Yield one row for each position of the main lines, as a list of values by column.

    The table may select positions: those from the ply `from_ply` on, in steps of `every` plies.
    """
    game = table.load_game()
    form_writers = [_make_form_writer(form, game) for form in table.forms]
    write_move = _make_move_writer(table)
    for number, reading in readings:
        record = reading.record
        if record is None:
            continue
        main_line = _play_main_line(record, write_move)
        tags = dict(record.tags)
        tag_values = [_convert_tag(name, tags.get(name)) for name in table.tag_columns]
        for ply in range(table.from_ply, len(main_line.positions), table.every):
            position = main_line.positions[ply]
            is_start = ply == 0
            is_last = ply == len(record.line)
            yield [
                number,
                ply,
                *(write_form(record.game, position) for write_form in form_writers),
                None if is_last else main_line.moves[ply],
                None if is_last else main_line.clocks[ply],
                # An evaluation is written behind the move that led to the position.
                None if is_start else main_line.evals[ply - 1],
                record.result,
                *tag_values,
            ]


def _make_form_writer(form: Form, game: Game) -> Callable[[Game, Any], Any]:
    """Return a function that converts a position to one form: text, key, packed bytes or planes.

    Args:
        form: The form, such as ``fen``.
        game: The game of the table.

    Returns:
        A function of two arguments: the game of the record, in its variant, and the position. It returns
        None if the packed bytes do not fit into the column.
    """
    if form == "fen":
        return lambda record_game, position: record_game.write(position)
    if form == "key":
        return lambda record_game, position: bytes.fromhex(record_game.key(position))
    if form == "planes":
        columnar = require_columns(game, "planes", OTHER_FORM)
        return lambda record_game, position: columnar.planes(position)
    width = require_columns(game, "packed columns", OTHER_FORM).packed_width

    def pack_padded(record_game: Game, position: Any) -> bytes | None:
        """Return the packed bytes of a position, padded with zeros, or None if they do not fit."""
        packed = record_game.pack(position)
        return packed.ljust(width, b"\0") if len(packed) <= width else None

    return pack_padded


# --- the main line --------------------------------------------------------------------------------


class _MainLine(NamedTuple):
    """The main line of a record: its positions, the start first, and a value for each move."""

    positions: list[Any]
    moves: list[Any]
    clocks: list[int | None]
    evals: list[int | None]


def _play_main_line(record: Record, write_move: Callable[[str, Any], Any]) -> _MainLine:
    """Play the moves of a record without variations, and return its positions and moves.

    `write_move` returns the value to store for a move. Its arguments are the text of the move and the move.
    """
    game = record.game
    position = record.start
    main_line = _MainLine(positions=[position], moves=[], clocks=[], evals=[])
    for node in record.line:
        move = read_record_move(game, position, node.text)
        position = game.play(position, move)
        clock, evaluation = _read_clock_and_eval(node)
        main_line.positions.append(position)
        main_line.moves.append(write_move(node.text, move))
        main_line.clocks.append(clock)
        main_line.evals.append(evaluation)
    return main_line


def _read_clock_and_eval(node: Node) -> tuple[int | None, int | None]:
    """Return the clock in milliseconds and the evaluation in the comments after a move.

    They are the values of the first commands ``[%clk 0:05:00]`` and ``[%eval 0.31]``, or None without such a
    command.
    """
    commands = [read_commands(comment) for comment in node.after if "[%" in comment]
    clock = next((command.clock for command in commands if command.clock is not None), None)
    evaluation = next((command.eval for command in commands if command.eval is not None), None)
    return clock, evaluation


def _make_move_writer(table: RecordTable) -> Callable[[str, Any], Any]:
    """Return a function that converts a move to the form of the table: SAN, UCI or a number.

    The arguments of the function are the text of the move in SAN, and the move.
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


def list_kernel_columns(table: RecordTable) -> tuple[str, ...]:
    """Return the names of the optional columns that a compiled reader has to fill for a table.

    For a table of positions as text, for example, they are ``clocks``, ``evals`` and ``fens``.
    """
    forms = () if table.kind == "games" else tuple(KERNEL_COLUMNS[form] for form in table.forms)
    return ("clocks", "evals", *forms)


class KernelRows:
    """Makes the rows of a table for the records that a compiled reader (kernel) has read."""

    def __init__(self, table: RecordTable, kernel: RecordKernel) -> None:
        """Store the table, and the kernel with the results of its last call of `read`.

        The next call of `read` overwrites these results.
        """
        self._table = table
        self._kernel = kernel
        self._games = kernel.games
        self._is_read = make_parsed_mask(kernel)
        self._first_ply = self._view_column("first_ply", np.int32)

    def make_rows(self, numbers: np.ndarray, errors: pa.Array) -> pa.RecordBatch:
        """Return the rows of the table for the records that the kernel has parsed.

        Records that do not meet the condition of the table are left out.

        Args:
            numbers: The number of each record that the kernel found, which becomes the column ``game``.
            errors: The first error of each record, for the column ``error`` of a table of games.
        """
        is_kept = self._select_rows()
        if self._table.kind == "games":
            batch = pa.RecordBatch.from_arrays(
                list(self._make_game_columns(numbers, errors)), schema=self._table.schema()
            )
            return batch if is_kept.all() else batch.filter(pa.array(is_kept))
        return self._make_positions(numbers, is_kept)

    def _select_rows(self) -> np.ndarray:
        """Return an array that is true for each record that was read and meets the table's condition."""
        is_read: np.ndarray = self._is_read
        condition = self._table.parse_condition()
        if condition is None:
            return is_read
        names = list_columns(condition)
        columns = [self._make_condition_column(name) for name in names]
        values = pa.RecordBatch.from_arrays(columns, names)
        is_met: np.ndarray = match_rows(condition, values).to_numpy(zero_copy_only=False)
        is_kept: np.ndarray = is_met & is_read
        return is_kept

    def _make_condition_column(self, name: str) -> pa.Array:
        """Return the value that a name in a condition, such as ``WhiteElo``, has in each record.

        `name` is ``variant``, ``result``, ``plies`` or the name of a PGN tag.
        """
        if name == "plies":
            return self._count_moves()
        if name in ("variant", "result", "Result"):
            return self._make_label_column(name.lower())
        return make_tag_array(self._kernel, name)

    def _count_moves(self) -> pa.Array:
        """Return the number of moves (plies) of each record."""
        return pa.array(np.diff(self._first_ply))

    # --- games -------------------------------------------------------------------------------------

    def _make_game_columns(self, numbers: np.ndarray, errors: pa.Array) -> Any:
        """Yield the columns of a table of games, in their order.

        `numbers` has the number of each record, and `errors` its first error.
        """
        yield pa.array(numbers, pa.int64())
        tag_columns = {name: self._make_tag_column(name) for name in self._table.tag_columns}
        yield from tag_columns.values()
        if self._table.has_rest:
            yield self._make_other_tags(tag_columns)
        yield self._make_label_column("variant")
        yield self._make_label_column("result")
        yield self._count_moves()
        yield pa.ListArray.from_arrays(pa.array(self._first_ply), self._make_moves())
        yield self._make_list_column("clock", NO_CLOCK)
        yield self._make_list_column("eval", NO_EVAL)
        yield self._make_start_column()
        yield self._make_bytes_column("end_key", KEY_BYTES, self._games)
        yield errors

    def _make_list_column(self, name: str, missing_value: int) -> pa.Array:
        """Return the clocks or the evaluations of each game as a list, or null if the game has none.

        `name` is ``clock`` or ``eval``, a column of the kernel with one number per move. There
        `missing_value` marks a move without a clock or evaluation.
        """
        values = self._view_column(name, np.int32)
        is_present = values != missing_value
        # The number of values before each move. It does not change during a game without values.
        counts_before = np.concatenate([[0], np.cumsum(is_present)])
        starts, ends = self._first_ply[:-1], self._first_ply[1:]
        has_no_value = counts_before[starts] == counts_before[ends]
        nullable_values = self._add_nulls(name, values)
        return pa.ListArray.from_arrays(
            pa.array(self._first_ply), nullable_values, mask=pa.array(has_no_value)
        )

    def _add_nulls(self, name: str, values: np.ndarray) -> pa.Array:
        """Return the numbers `values` of a column of the kernel, with null for missing numbers.

        `name` is the column: ``clock`` or ``eval``. The kernel has noted which of its numbers are missing.
        """
        validity, null_count = self._kernel.validity(name)
        buffers = [pa.py_buffer(validity) if null_count else None, pa.py_buffer(values)]
        return pa.Array.from_buffers(pa.int32(), len(values), buffers, null_count)

    def _make_tag_column(self, name: str) -> pa.Array:
        """Return the values of the tag `name`, as numbers if it is a rating such as ``WhiteElo``."""
        texts = make_tag_array(self._kernel, name)
        is_rating = name.endswith(RATING)
        return _parse_ratings(texts) if is_rating else texts

    def _make_other_tags(self, tag_columns: Mapping[str, pa.Array]) -> pa.Array:
        """Return for each game a map of the tags that have no column of their own.

        `tag_columns` has the other tags. Ratings in them that are not valid numbers, such as ``2500?``, are
        in the map too, because they are null in their columns.
        """
        invalid_ratings = [
            name
            for name, column in tag_columns.items()
            if name.endswith(RATING) and column.null_count > make_tag_array(self._kernel, name).null_count
        ]
        names_in_columns = (name for name in tag_columns if name not in invalid_ratings)
        first_tags, name_texts, value_texts = self._kernel.tag_table((*DERIVED, *names_in_columns))
        names = make_string_array(name_texts)
        values = make_string_array(value_texts)
        if not invalid_ratings:
            return pa.MapArray.from_arrays(_as_int32(first_tags), names, values)

        # Leave out the valid ratings of tags that also have invalid ones.
        may_be_in_column = pc.is_in(names, pa.array(invalid_ratings))
        is_valid_rating = pc.fill_null(pc.match_substring_regex(values, _RATING_PATTERN), False)
        is_kept = ~pc.and_(may_be_in_column, is_valid_rating).to_numpy(zero_copy_only=False)
        # The first tag of each game, counted without the tags that are left out.
        kept_before = np.concatenate([[0], np.cumsum(is_kept)])
        new_first_tags = kept_before[np.frombuffer(first_tags, np.int32)].astype(np.int32)
        mask = pa.array(is_kept)
        return pa.MapArray.from_arrays(pa.array(new_first_tags), names.filter(mask), values.filter(mask))

    def _make_label_column(self, name: str) -> pa.Array:
        """Return the column `name`, which is ``result`` or ``variant``, as a dictionary array of texts."""
        labels = RESULTS if name == "result" else self._table.load_game().variants
        return _make_labels(self._view_column(name, np.int8), labels)

    def _make_start_column(self) -> pa.Array:
        """Return the canonical text of the start position of each game, or null if it is the usual one."""
        game = self._table.load_game()
        games_with_fen = np.flatnonzero(self._view_column("setup", np.uint8))
        if not len(games_with_fen):
            return pa.nulls(self._games, pa.string())
        fens = make_tag_array(self._kernel, "FEN")
        variants = self._view_column("variant", np.uint8)[games_with_fen]
        starts: list[str | None] = [None] * self._games
        for variant_index in np.unique(variants).tolist():
            rules = game.with_variant(game.variants[variant_index])
            games_of_variant = games_with_fen[variants == variant_index]
            texts = arrow.normalise(fens.take(pa.array(games_of_variant)), rules).to_pylist()
            for game_index, text in zip(games_of_variant.tolist(), texts, strict=True):
                starts[game_index] = None if text == rules.start else text
        return pa.array(starts, pa.string())

    # --- positions ---------------------------------------------------------------------------------

    def _make_positions(self, numbers: np.ndarray, is_kept: np.ndarray) -> pa.RecordBatch:
        """Return the rows of a table of positions.

        Args:
            numbers: The number of each record of the kernel, for the column ``game``.
            is_kept: True for each record of the kernel that is in the table.
        """
        table = self._table
        lines = MainLines(self._kernel)
        games, ply = lines.games, lines.ply
        is_after_move = ply != 0
        results = self._view_column("result", np.int8)[games]
        columns = {
            "game": pa.array(numbers[games], pa.int64()),
            "ply": pa.array(ply),
            **{form: self._make_form_column(form, len(games)) for form in table.forms},
            "move": self._align_moves(lines),
            "clock": self._align_numbers("clock", NO_CLOCK, lines.has_next_move),
            # An evaluation is written behind the move that led to the position.
            "eval": self._align_numbers("eval", NO_EVAL, is_after_move),
            "result": _make_labels(results, RESULTS),
            **{name: self._make_tag_column(name).take(pa.array(games)) for name in table.tag_columns},
        }
        batch = pa.RecordBatch.from_arrays(list(columns.values()), schema=table.schema())
        row_indices = self._choose_rows(games, ply, is_kept)
        return batch if row_indices is None else batch.take(pa.array(row_indices))

    def _align_moves(self, lines: MainLines) -> pa.Array:
        """Return the move that follows each position, or null for the last position of a game.

        `lines` has the main lines of the records, with all their positions.
        """
        if self._table.move_form != "packed":
            return lines.align_next_moves(self._make_moves())
        has_move = lines.has_next_move
        values = np.zeros(len(has_move), np.uint16)
        values[has_move] = self._view_column("move", np.uint16)
        return pa.array(values, mask=~has_move)

    def _align_numbers(self, name: str, missing_value: int, has_move: np.ndarray) -> pa.Array:
        """Return for each position the clock or evaluation of the move that belongs to it, or null.

        Args:
            name: ``clock`` or ``eval``, a column of the kernel with one number per move.
            missing_value: The number that stands for a move without a clock or evaluation.
            has_move: True for each position that a move belongs to. The moves belong to these positions in
                their order.
        """
        values = np.full(len(has_move), missing_value, np.int32)
        values[has_move] = self._view_column(name, np.int32)
        return pa.array(values, mask=values == missing_value)

    def _choose_rows(self, games: np.ndarray, ply: np.ndarray, is_kept: np.ndarray) -> np.ndarray | None:
        """Return the indices of the positions that are in the table, or None if all of them are.

        Args:
            games: The index of the game of each position.
            ply: The number of moves before each position.
            is_kept: True for each game that is in the table.
        """
        table = self._table
        has_all_plies = table.every == 1 and table.from_ply == 0
        has_all_games = np.array_equal(is_kept, self._is_read)
        if has_all_plies and has_all_games:
            return None
        plies_after = ply - table.from_ply
        is_chosen_ply = (plies_after >= 0) & (plies_after % table.every == 0)
        return np.flatnonzero(is_chosen_ply & is_kept[games])

    def _make_form_column(self, form: Form, position_count: int) -> pa.Array:
        """Return all positions in one form, such as text or keys, without copying them."""
        if form == "fen":
            return make_string_array((self._kernel.column("fen_offsets"), self._kernel.column("fen_chars")))
        width = make_form_field(form, self._table.load_game()).type.byte_width
        return self._make_bytes_column(form, width, position_count)

    # --- buffers -----------------------------------------------------------------------------------

    def _make_moves(self) -> pa.Array:
        """Return the moves of all main lines, one line after the other, as texts or packed numbers."""
        move_form = self._table.move_form
        if move_form == "packed":
            moves = self._kernel.column("move")
            return pa.Array.from_buffers(pa.uint16(), self._kernel.plies, [None, pa.py_buffer(moves)])
        move_texts = self._kernel.san_texts() if move_form == "san" else self._kernel.uci_texts()
        return make_string_array(move_texts)

    def _make_bytes_column(self, name: str, width: int, row_count: int) -> pa.Array:
        """Return the column `name` of the kernel, with values of `width` bytes, without copying it."""
        data = pa.py_buffer(self._kernel.column(name))
        return pa.Array.from_buffers(pa.binary(width), row_count, [None, data])

    def _view_column(self, name: str, dtype: Any) -> np.ndarray:
        """Return the column `name` of the kernel as a NumPy array of type `dtype`, not copied."""
        return np.frombuffer(self._kernel.column(name), dtype)


def _make_labels(indices: np.ndarray, labels: Sequence[str]) -> pa.Array:
    """Return a dictionary array: the indices ``[1, 0]`` and the labels ``[a, b]`` give ``[b, a]``."""
    return pa.DictionaryArray.from_arrays(pa.array(indices), pa.array(labels))


def _parse_ratings(texts: pa.Array) -> pa.Array:
    """Return the ratings in an array of texts as numbers: ``2500`` gives 2500, and ``?`` gives null."""
    is_valid = pc.match_substring_regex(texts, _RATING_PATTERN)
    return pc.if_else(is_valid, texts, pa.scalar(None, pa.string())).cast(pa.int32())


def _as_int32(values: memoryview) -> pa.Array:
    """Return numbers of 32 bits as an Arrow array, without copying them."""
    return pa.Array.from_buffers(pa.int32(), len(values), [None, pa.py_buffer(values)])


# --- rows of a block ------------------------------------------------------------------------------


_MAX_GAMES: Final = 1 << 12
_MAX_PLIES: Final = 1 << 16
"""Space of one call of a kernel, in games and moves. A block of records with clocks has fewer of both."""

_kernels = threading.local()


def read_block_rows(table: RecordTable, text: memoryview, location: BlockLocation) -> BlockRows:
    """Read the records in a block of text, and return their rows in a table and their counts.

    Args:
        table: The table, of games or of positions.
        text: The block of whole records, as UTF-8.
        location: The file of the block, and the number of its lines before the block.
    """
    kernel = _get_kernel(table) if COMPILED else None
    parts = list(build_record_rows(text, table.load_game(), TableRows(table, location), kernel))
    if len(parts) == 1:
        return parts[0]
    if not parts:
        no_rows = convert_readings(table, [], location)
        return BlockRows(no_rows, games=0, read_by_fallback=0, errors=0)
    return BlockRows(
        rows=pa.concat_batches([part.rows for part in parts]),
        games=sum(part.games for part in parts),
        read_by_fallback=sum(part.read_by_fallback for part in parts),
        errors=sum(part.errors for part in parts),
    )


class TableRows:
    """Makes the rows of a table for one block of text."""

    def __init__(self, table: RecordTable, location: BlockLocation) -> None:
        """Store the table, and the location of the block in its file, for the places of errors."""
        self._table = table
        self._location = location

    def make_kernel_rows(
        self, kernel: RecordKernel, numbers: np.ndarray, errors: KernelErrors
    ) -> pa.RecordBatch:
        """Return the rows of the records that the kernel has parsed.

        `numbers` has the number of each record that the kernel found, and `errors` the first error of each
        parsed record that has one.
        """
        return KernelRows(self._table, kernel).make_rows(numbers, self._make_error_column(kernel, errors))

    def _make_error_column(self, kernel: RecordKernel, errors: KernelErrors) -> pa.Array:
        """Return the first error of each record of the kernel, or null.

        A table of positions has no such column, so all values are null.
        """
        if not len(errors) or self._table.kind != "games":
            return pa.nulls(kernel.games, ERROR)
        values: list[dict[str, Any] | None] = [None] * kernel.games
        for error in errors:
            file, line = self._location.locate_line(error.line)
            values[error.row] = _make_error_value(error.diagnostic, file, line, error.column)
        return pa.array(values, ERROR)

    def make_reading_rows(self, readings: Sequence[NumberedReading], lines_before: int) -> pa.RecordBatch:
        """Return the rows of records that the record reader has read.

        `lines_before` is the number of lines of the block before the text of these records.
        """
        return convert_readings(self._table, readings, self._location.skip(lines_before))


def _get_kernel(table: RecordTable) -> RecordKernel | None:
    """Return the compiled reader of the records of a table, or None if the game has none.

    Each thread has a kernel of its own, for the last table that it has read, because two threads must not use
    one kernel at the same time.
    """
    cache: dict[Any, Any] = _kernels.__dict__.setdefault("cache", {})
    cache_key = (table.game, table.variant, list_kernel_columns(table))
    if cache_key not in cache:
        cache.clear()
        cache[cache_key] = record_kernel(
            table.load_game(), list_kernel_columns(table), games=_MAX_GAMES, plies=_MAX_PLIES
        )
    kernel: RecordKernel | None = cache[cache_key]
    return kernel
