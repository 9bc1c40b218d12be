"""The plies of a block of records from the columns of a record kernel, without a Python object for a ply.

What the kernel leaves to the record reader is read by it; games have their numbers in the order of the block.
A kernel is for games of two players who move in turn.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from operator import mul
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.index.parts import games_schema, rating_tags, tag_columns
from forsyth.bulk.index.plies import (
    SAYING,
    MaterialPlies,
    Plies,
    Skipped,
    day_of,
    material_plies,
    plies_of,
    rating_of,
    results_of,
    strength_of,
)
from forsyth.bulk.index.tallies import PLY
from forsyth.bulk.verbs.material import label_of, letters_of
from forsyth.game import Game
from forsyth.record import read_records
from forsyth.record_columns import RESULTS, TAKEN, RecordKernel

WANTED: Final = ("keys",)
"""What the kernel is asked for."""
MEN: Final = "PNBRQKpnbrqk"
"""The men that the numbers of a kernel's boards mean, from 1 on."""
PAWNS: Final = (1, 7)
SQUARES: Final = 64
_KEY: Final = np.dtype(">u8")


def plies_of_block(
    text: bytes, game: Game, kernel: RecordKernel | None, *, material: bool = False
) -> Iterator[Plies]:
    """The plies of a block of whole records; without a kernel the record reader reads all of them."""
    if kernel is None:
        yield from _read(text, game, material)
        return
    at = 0
    while (end := kernel.read(text, at, True)) > at:
        yield from _in_order(text, game, kernel, material)
        at = end


def _read(text: bytes, game: Game, material: bool) -> Iterator[Plies]:
    source = io.StringIO(text.decode("utf-8", "surrogateescape"), newline="")
    return plies_of(read_records(source, game), game, material=material)


def _in_order(text: bytes, game: Game, kernel: RecordKernel, material: bool) -> Iterator[Plies]:
    """What the kernel took, and between it what the reader says of the stretches it did not take."""
    starts, ends = (_numbers(kernel, name, np.int64) for name in ("start", "end"))
    verdicts = _numbers(kernel, "verdict", np.uint8)
    taken = _Taken(game, kernel)
    row = 0
    for asked in [*np.flatnonzero(verdicts != TAKEN).tolist(), kernel.games]:
        if row < asked:
            yield taken.plies(row, asked, material)
        if asked < kernel.games:
            yield from _read(text[starts[asked] : ends[asked]], game, material)
        row = asked + 1


class _Taken:
    """The rows of one call of a kernel."""

    def __init__(self, game: Game, kernel: RecordKernel) -> None:
        self._game = game
        self._kernel = kernel
        self._first_ply = _numbers(kernel, "first_ply", np.int32)
        self._first_position = _numbers(kernel, "first_position", np.int32)
        self._results = _numbers(kernel, "result", np.uint8)
        self._keys = _numbers(kernel, "key", _KEY)
        texts = _strings(*kernel.san_texts()).dictionary_encode()
        self._moves = texts.indices.to_numpy().astype(np.uint32) + np.uint32(1)
        self._texts = pa.concat_arrays([pa.array([""]), texts.dictionary])
        self._tags = {name: self._tag(name) for name in (*tag_columns(game), "UTCDate")}
        self._is_of = _numbers(kernel, "variant", np.uint8) == game.variants.index(game.variant)
        self._ratings = np.array([self._ratings_of(tag) for tag in rating_tags(game)], np.uint16)
        self._beginners = self._who_begins()

    def plies(self, begin: int, end: int, material: bool) -> Plies:
        """The plies of the games from row `begin` on and before `end`, all of which were taken."""
        rows = begin + np.flatnonzero(self._is_of[begin:end])
        counts = np.diff(self._first_ply)[rows] + 1
        game = np.repeat(np.arange(len(rows)), counts)
        of_row = rows[game]
        ply = np.arange(len(game)) - np.repeat(np.cumsum(counts) - counts, counts)
        place = self._first_position[of_row] + ply
        player = (self._beginners[of_row] + ply) % 2
        plies = np.zeros(len(game), PLY)
        plies["high"], plies["low"] = self._keys[::2][place], self._keys[1::2][place]
        plies["game"] = game + 1
        is_last = ply == counts[game] - 1
        plies["move"][~is_last] = self._moves[(self._first_ply[of_row] + ply)[~is_last]]
        plies["rating"] = self._ratings[player, of_row]
        plies["result"] = _VIEWS[self._results[of_row], player]
        skipped = Skipped(others=end - begin - len(rows))
        men = self._material(game, place, _VIEWS[self._results[rows], 0]) if material else None
        return Plies(plies, self._texts, self._table(rows, counts - 1), skipped, men)

    def _material(self, game: np.ndarray, place: np.ndarray, results: np.ndarray) -> MaterialPlies:
        """What men the games have, whose positions are at these places."""
        boards = _numbers(self._kernel, "board", np.uint8).reshape(-1, SQUARES)[place]
        # Most moves change neither how many men there are nor how many of them are pawns.
        totals = np.count_nonzero(boards, axis=1) * SQUARES + np.isin(boards, PAWNS).sum(axis=1)
        changed = np.ones(len(game), bool)
        changed[1:] = (totals[1:] != totals[:-1]) | (game[1:] != game[:-1])
        boards, game = boards[changed], game[changed]
        counts = np.stack([(boards == kind).sum(axis=1) for kind in range(1, len(MEN) + 1)], axis=1)
        found = np.unique(np.column_stack((game, counts)), axis=0)
        letters = letters_of(self._game)
        names: dict[bytes, str] = {}
        rows: list[tuple[str, int, int]] = []
        for number, *kinds in found.tolist():
            known = bytes(kinds)
            if known not in names:
                names[known] = label_of("".join(map(mul, MEN, kinds)), letters)
            rows.append((names[known], number + 1, int(results[number])))
        return material_plies(rows)

    def _table(self, rows: np.ndarray, counts: np.ndarray) -> pa.RecordBatch:
        chosen = pa.array(rows)
        tags = {name: self._tags[name].take(chosen) for name in self._tags}
        tags["Date"] = pc.coalesce(tags["Date"], tags.pop("UTCDate"))
        ratings = self._ratings[:, rows].T.tolist()
        columns = [
            pa.array(np.arange(1, len(rows) + 1, dtype=np.int32)),
            *(pc.if_else(_says(tags[name]), tags[name], None) for name in tag_columns(self._game)),
            pa.array([RESULTS[result] for result in self._results[rows].tolist()], pa.string()),
            pa.array(counts.astype(np.int32)),
            pa.array([strength_of(both) for both in ratings], pa.int32()),
            pa.array([day_of(date or "") for date in tags["Date"].to_pylist()], pa.int32()),
        ]
        return pa.record_batch(columns, schema=games_schema(self._game))

    def _tag(self, name: str) -> pa.Array:
        offsets, chars, bits, missing = self._kernel.tag_texts(name)
        there = pa.py_buffer(bits) if missing else None
        return pa.StringArray.from_buffers(
            self._kernel.games, pa.py_buffer(offsets), pa.py_buffer(chars), there, missing
        )

    def _ratings_of(self, tag: str) -> list[int]:
        return [rating_of(text) for text in self._tags[tag].to_pylist()]

    def _who_begins(self) -> np.ndarray:
        """Which player moves first in each game."""
        game = self._game
        found = np.full(self._kernel.games, game.move_number(game.parse(game.start))[1], np.int64)
        rows = np.flatnonzero(_numbers(self._kernel, "setup", np.uint8))
        if len(rows):
            known: dict[str, int] = {}
            for row, text in zip(
                rows.tolist(), self._tag("FEN").take(pa.array(rows)).to_pylist(), strict=True
            ):
                if text not in known:
                    position = game.read(text).position
                    known[text] = 0 if position is None else game.move_number(position)[1]
                found[row] = known[text]
        return found


_VIEWS: Final = np.array([results_of(result, 2) for result in RESULTS], np.uint8)
"""Each result from the view of each player."""


def _says(texts: pa.Array) -> pa.Array:
    return pc.match_substring_regex(texts, SAYING)


def _strings(offsets: memoryview, chars: memoryview) -> pa.Array:
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(chars))


def _numbers(kernel: RecordKernel, name: str, kind: Any) -> np.ndarray:
    return np.frombuffer(kernel.column(name), kind)
