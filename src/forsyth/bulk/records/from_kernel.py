"""Rows of what a record kernel read: its columns as Arrow arrays, without a Python object for a row.

The rows are those of the records that the kernel took. Its buffers are not copied where Arrow allows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk import arrow
from forsyth.bulk.arrow import KEY_BYTES
from forsyth.bulk.records.table import DERIVED, ERROR, FACTS, RATING, Form, RecordTable, form_field
from forsyth.bulk.sources.record_rows import MainLines, is_taken, strings
from forsyth.bulk.where import columns_in, kept_rows
from forsyth.record_columns import NO_CLOCK, NO_EVAL, RESULTS, RecordKernel

WANTED: Final[Mapping[Form, str]] = {"fen": "fens", "key": "keys", "packed": "packed", "planes": "planes"}
"""What a kernel is asked for to write each form of positions."""
_NUMBER: Final = "^[1-9][0-9]{0,8}$"


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
            return self._tag(name)
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
        texts = self._tag(name)
        return _ratings(texts) if name.endswith(RATING) else texts

    def _tag(self, name: str) -> pa.Array:
        offsets, chars, bits, missing = self._kernel.tag_texts(name)
        there = pa.py_buffer(bits) if missing else None
        return pa.StringArray.from_buffers(
            self._games, pa.py_buffer(offsets), pa.py_buffer(chars), there, missing
        )

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
        texts, variants = self._tag("FEN"), self._numbers("variant", np.uint8)
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
