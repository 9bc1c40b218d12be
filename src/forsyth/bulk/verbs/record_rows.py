"""The rows of a table in a block of records: of what a record kernel read, or of what the record reader says.

The reader reads all records of games without a kernel, those that a kernel does not take, and everything
where nothing is compiled. Of a record that cannot be read to its end the moves and positions up to the fault
are given. A record without a start to play from is a row of games with nothing but its error, and no row of
positions. The buffers of a kernel become Arrow arrays without a Python object for a row, and are not copied
where Arrow allows it.
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
from forsyth.bulk.sources.pgn import Made, MainLines, Numbered, is_taken, rows_of_text, strings, tag_strings
from forsyth.bulk.verbs.record_table import DERIVED, ERROR, FACTS, RATING, Form, RecordTable, form_field
from forsyth.bulk.where import columns_in, kept_rows
from forsyth.game import Game, PackedMoves, read_recorded, require_columnar
from forsyth.record import Node, Record, RecordReading
from forsyth.record.kernels import record_kernel
from forsyth.record_bytes.columns import NO_CLOCK, NO_EVAL, RESULTS, RecordKernel
from forsyth.record_bytes.comment_commands import read_commands
from forsyth.record_bytes.words import COMPILED

_NUMBER: Final = "^[1-9][0-9]{0,8}$"
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
    return int(value) if re.fullmatch(_NUMBER, value) else None


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


# --- of a kernel ------------------------------------------------------------------------------------


WANTED: Final[Mapping[Form, str]] = {"fen": "fens", "key": "keys", "packed": "packed", "planes": "planes"}
"""What a kernel is asked for to write each form of positions."""


def wanted(table: RecordTable) -> tuple[str, ...]:
    """What a kernel has to make for a table."""
    forms = () if table.kind == "games" else tuple(WANTED[form] for form in table.forms)
    return ("clocks", "evals", *forms)


class KernelRows:
    """The rows of one call of a kernel."""

    def __init__(self, table: RecordTable, kernel: RecordKernel) -> None:
        self._table = table
        self._kernel = kernel
        self._games = kernel.games
        self._taken = is_taken(kernel)
        self._first_ply = self._numbers("first_ply", np.int32)

    def rows(self, numbers: np.ndarray) -> pa.RecordBatch:
        """The rows of the table; `numbers` are those of the records."""
        kept = self._kept()
        if self._table.kind == "games":
            batch = pa.RecordBatch.from_arrays(list(self._game_columns(numbers)), schema=self._table.schema())
            return batch if kept.all() else batch.filter(pa.array(kept))
        return self._positions(numbers, kept)

    def _kept(self) -> np.ndarray:
        """Which rows are taken and meet the condition."""
        taken: np.ndarray = self._taken
        condition = self._table.condition()
        if condition is None:
            return taken
        names = columns_in(condition)
        facts = pa.RecordBatch.from_arrays([self._fact(name) for name in names], names)
        met: np.ndarray = kept_rows(condition, facts).to_numpy(zero_copy_only=False)
        kept: np.ndarray = met & taken
        return kept

    def _fact(self, name: str) -> pa.Array:
        if name not in (*FACTS, "Result"):
            return tag_strings(self._kernel, name)
        if name == "plies":
            return pa.array(np.diff(self._first_ply))
        return self._label(name.lower())

    # --- games --------------------------------------------------------------------------------------

    def _game_columns(self, numbers: np.ndarray) -> Any:
        table, first = self._table, pa.array(self._first_ply)
        yield pa.array(numbers, pa.int64())
        tags = {name: self._tag_column(name) for name in table.tag_columns}
        yield from tags.values()
        if table.has_rest:
            yield self._rest(tags)
        yield self._label("variant")
        yield self._label("result")
        yield pa.array(np.diff(self._first_ply))
        yield pa.ListArray.from_arrays(first, self._moves())
        yield self._listed("clock", NO_CLOCK)
        yield self._listed("eval", NO_EVAL)
        yield self._starts()
        yield self._fixed("end_key", KEY_BYTES, self._games)
        yield pa.nulls(self._games, ERROR)

    def _listed(self, name: str, nothing: int) -> pa.Array:
        """A list for each game, null where all of its values are missing."""
        values = self._numbers(name, np.int32)
        there = values != nothing
        sums = np.concatenate([[0], np.cumsum(there)])
        none = sums[self._first_ply[1:]] == sums[self._first_ply[:-1]]
        return pa.ListArray.from_arrays(
            pa.array(self._first_ply), self._with_nulls(name, values), mask=pa.array(none)
        )

    def _with_nulls(self, name: str, values: np.ndarray) -> pa.Array:
        bits, missing = self._kernel.valid(name)
        buffers = [pa.py_buffer(bits) if missing else None, pa.py_buffer(values)]
        return pa.Array.from_buffers(pa.int32(), len(values), buffers, missing)

    def _tag_column(self, name: str) -> pa.Array:
        texts = tag_strings(self._kernel, name)
        return _ratings(texts) if name.endswith(RATING) else texts

    def _rest(self, shown: Mapping[str, pa.Array]) -> pa.Array:
        """The other tags, and those whose values are no numbers where a column of numbers is."""
        odd = [
            name
            for name, column in shown.items()
            if name.endswith(RATING) and column.null_count > self._kernel.tag_texts(name)[3]
        ]
        skip = (*DERIVED, *(name for name in shown if name not in odd))
        first, names, values = self._kernel.tag_table(skip)
        keys, items = strings(names), strings(values)
        if not odd:
            return pa.MapArray.from_arrays(_int32(first), keys, items)
        is_shown = pc.and_(
            pc.is_in(keys, pa.array(odd)), pc.fill_null(pc.match_substring_regex(items, _NUMBER), False)
        )
        kept = ~is_shown.to_numpy(zero_copy_only=False)
        offsets = np.concatenate([[0], np.cumsum(kept)])[np.frombuffer(first, np.int32)].astype(np.int32)
        mask = pa.array(kept)
        return pa.MapArray.from_arrays(pa.array(offsets), keys.filter(mask), items.filter(mask))

    def _label(self, name: str) -> pa.Array:
        words = RESULTS if name == "result" else self._table.the_game().variants
        return _labels(self._numbers(name, np.int8), words)

    def _starts(self) -> pa.Array:
        """The canonical text of the starts that are not the usual ones."""
        game = self._table.the_game()
        rows = np.flatnonzero(self._numbers("setup", np.uint8))
        if not len(rows):
            return pa.nulls(self._games, pa.string())
        texts, variants = tag_strings(self._kernel, "FEN"), self._numbers("variant", np.uint8)
        found: list[str | None] = [None] * self._games
        for number in np.unique(variants[rows]).tolist():
            rules = game.with_variant(game.variants[number])
            of_variant = rows[variants[rows] == number]
            canonical = arrow.normalise(texts.take(pa.array(of_variant)), rules).to_pylist()
            for row, text in zip(of_variant.tolist(), canonical, strict=True):
                found[row] = None if text == rules.start else text
        return pa.array(found, pa.string())

    # --- positions ----------------------------------------------------------------------------------

    def _positions(self, numbers: np.ndarray, kept: np.ndarray) -> pa.RecordBatch:
        table = self._table
        lines = MainLines(self._kernel)
        games, ply, before = lines.games, lines.ply, lines.before
        chosen = self._chosen(games, ply, kept)
        columns = {
            "game": pa.array(numbers[games], pa.int64()),
            "ply": pa.array(ply),
            **{form: self._form(form, len(games)) for form in table.forms},
            "move": self._spread_moves(lines),
            "clock": self._spread_numbers("clock", NO_CLOCK, before),
            "eval": self._spread_numbers("eval", NO_EVAL, ply != 0),
            "result": _labels(self._numbers("result", np.int8)[games], RESULTS),
            **{name: self._tag_column(name).take(pa.array(games)) for name in table.tag_columns},
        }
        batch = pa.RecordBatch.from_arrays(list(columns.values()), schema=table.schema())
        return batch if chosen is None else batch.take(pa.array(chosen))

    def _spread_moves(self, lines: MainLines) -> pa.Array:
        """The moves in the rows of the positions before them."""
        if self._table.move_form != "packed":
            return lines.spread_moves(self._moves())
        there = lines.before
        values = np.zeros(len(there), np.uint16)
        values[there] = self._numbers("move", np.uint16)
        return pa.array(values, mask=~there)

    def _spread_numbers(self, name: str, nothing: int, there: np.ndarray) -> pa.Array:
        """The numbers of moves in the rows of the positions before or after them."""
        values = np.full(len(there), nothing, np.int32)
        values[there] = self._numbers(name, np.int32)
        return pa.array(values, mask=values == nothing)

    def _chosen(self, games: np.ndarray, ply: np.ndarray, kept: np.ndarray) -> np.ndarray | None:
        """The rows that are asked for; None for all."""
        table = self._table
        if table.every == 1 and not table.from_ply and np.array_equal(kept, self._taken):
            return None
        after = ply - table.from_ply
        return np.flatnonzero((after >= 0) & (after % table.every == 0) & kept[games])

    def _form(self, form: Form, rows: int) -> pa.Array:
        if form == "fen":
            return strings((self._kernel.column("fen_offsets"), self._kernel.column("fen_chars")))
        return self._fixed(form, form_field(form, self._table.the_game()).type.byte_width, rows)

    # --- buffers ------------------------------------------------------------------------------------

    def _moves(self) -> pa.Array:
        form = self._table.move_form
        if form == "packed":
            moves = self._kernel.column("move")
            return pa.Array.from_buffers(pa.uint16(), self._kernel.plies, [None, pa.py_buffer(moves)])
        return strings(self._kernel.san_texts() if form == "san" else self._kernel.uci_texts())

    def _fixed(self, name: str, width: int, rows: int) -> pa.Array:
        data = pa.py_buffer(self._kernel.column(name))
        return pa.Array.from_buffers(pa.binary(width), rows, [None, data])

    def _numbers(self, name: str, kind: Any) -> np.ndarray:
        return np.frombuffer(self._kernel.column(name), kind)


def _labels(indices: np.ndarray, words: Sequence[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(indices), pa.array(words))


def _ratings(texts: pa.Array) -> pa.Array:
    """The texts that are numbers as numbers; null for the others."""
    good = pc.match_substring_regex(texts, _NUMBER)
    return pc.if_else(good, texts, pa.scalar(None, pa.string())).cast(pa.int32())


def _int32(values: memoryview) -> pa.Array:
    return pa.Array.from_buffers(pa.int32(), len(values), [None, pa.py_buffer(values)])


# --- of a block -------------------------------------------------------------------------------------


_GAMES: Final = 1 << 12
_PLIES: Final = 1 << 16
"""The room of one call: a block with clocks has fewer of both, and memory that is not touched is cheap."""

_kernels = threading.local()


def rows_of_block(table: RecordTable, text: memoryview, place: Place) -> Made:
    """The rows of the records in a block of text."""
    kernel = _kernel(table) if COMPILED else None
    made = list(rows_of_text(text, table.the_game(), TableRows(table, place), kernel))
    if len(made) == 1:
        return made[0]
    if not made:
        return Made(rows_of_readings(table, [], place), 0, 0, 0)
    rows = pa.concat_batches([one.rows for one in made])
    return Made(rows, *(sum(counts) for counts in zip(*(one[1:] for one in made), strict=True)))


class TableRows:
    """The rows of a table, of a block that stands somewhere."""

    def __init__(self, table: RecordTable, place: Place) -> None:
        self._table = table
        self._place = place

    def of_kernel(self, kernel: RecordKernel, numbers: np.ndarray) -> pa.RecordBatch:
        """The rows of the records that a kernel took."""
        return KernelRows(self._table, kernel).rows(numbers)

    def of_readings(self, readings: Sequence[Numbered], lines: int) -> pa.RecordBatch:
        """The rows of records that were read."""
        file, before = self._place
        return rows_of_readings(self._table, readings, Place(file, before + lines))


def _kernel(table: RecordTable) -> RecordKernel | None:
    """The kernel of this thread for a table."""
    kept: dict[Any, Any] = _kernels.__dict__.setdefault("kept", {})
    asked = (table.game, table.variant, wanted(table))
    if asked not in kept:
        kept.clear()
        kept[asked] = record_kernel(table.the_game(), wanted(table), games=_GAMES, plies=_PLIES)
    found: RecordKernel | None = kept[asked]
    return found
