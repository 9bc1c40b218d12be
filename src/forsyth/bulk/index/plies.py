"""Reading records as plies: each position of a main line, with the move that followed, seen by its player.

A record has one ply for each position of its main line; the last one has no move. If a record has an error,
the positions before the error count. Records of another game or variant than the index are skipped, as are
records without a single readable move.

The result of a ply is that of the player to move: win, draw or loss with two players. With more players, a
whole point is a win and everything else a loss. A rating is a number of at most five digits in the player's
tag, such as ``WhiteElo``. The date is ``YYYY.MM.DD`` in the tag ``Date``, or else in ``UTCDate``; its
unknown parts are ``??``.

If a game of two players has a record kernel, the columns of the kernel become plies without a Python object
per ply, and the record reader reads what the kernel leaves out. Games are numbered in the order of records.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.index.files import games_schema, get_material, material_key, rating_tags, tag_columns
from forsyth.bulk.index.tallies import DRAW, LOSS, MAX_RANK, PLY, UNFINISHED, WIN
from forsyth.bulk.sources.pgn import string_array, tag_array
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.bulk.verbs.material import material_label, piece_letters
from forsyth.game import Game
from forsyth.record import Record, RecordReading, read_records
from forsyth.record.kernels import record_kernel
from forsyth.record_bytes.columns import RESULTS, TAKEN, RecordKernel
from forsyth.record_bytes.words import COMPILED

BATCH_PLIES: Final = 1 << 16
"""Approximate number of plies that are yielded at once."""

KNOWN_VALUE: Final = r"[^?.\- ]"
"""Pattern of a character that only the value of a tag with a known value contains."""
_DATE: Final = re.compile(r"(\d{4})[./-](\d\d|\?\?)[./-](\d\d|\?\?)")
_RATING: Final = re.compile(r"0*([0-9]{1,5})")
_MAX_RATING: Final = 65535
_SHARES: Final = {"0": 0, "1/2": 1, "1": 2}


@dataclass(frozen=True, slots=True)
class Skipped:
    """Counts of records that are not in the index, or not completely."""

    others: int = 0
    """Number of records of another game or variant, or without a position."""
    faulty: int = 0
    """Number of records with an error. Their positions before the error count."""

    def __add__(self, other: Skipped) -> Skipped:
        """Return the sum of both counts."""
        return Skipped(self.others + other.others, self.faulty + other.faulty)


@dataclass(frozen=True, slots=True)
class MaterialPlies:
    """One ply for each material of each game, such as ``KRPvKR``; the keys are those of the materials."""

    plies: np.ndarray
    texts: pa.Array
    """The materials; the moves of the plies are indices into this array."""


@dataclass(frozen=True, slots=True)
class Plies:
    """The plies of some games, which are numbered from 1, and their rows of the table of games."""

    plies: np.ndarray
    moves: pa.Array
    """The move texts; the moves of the plies are indices into this array."""
    games: pa.RecordBatch
    skipped: Skipped = field(default_factory=Skipped)
    material: MaterialPlies | None = None
    """The materials of the games, or None if they were not requested."""


def collect_plies(
    readings: Iterable[RecordReading[Any, Any]], game: Game, *, material: bool = False
) -> Iterator[Plies]:
    """Yield the plies of records of `game`, about BATCH_PLIES at once.

    A ply is one position of a game with the move that followed. Records of other games are counted as
    skipped. With `material`, the pieces on the board are collected too.
    """
    builder = _PliesBuilder(game, material)
    for reading in readings:
        builder.add(reading)
        if len(builder) >= BATCH_PLIES:
            yield builder.build()
            builder = _PliesBuilder(game, material)
    yield builder.build()


class _PliesBuilder:
    """Collects the plies of records that the record reader has read."""

    def __init__(self, game: Game, material: bool) -> None:
        """Collect plies of `game`, and with `material` the materials of its games."""
        self._game = game
        self._letters = piece_letters(game) if material else ""
        self._materials: list[tuple[str, int, int]] | None = [] if material else None
        self._keys: list[str] = []
        self._ply_facts: list[tuple[int, int, int, int]] = []
        self._moves: dict[str, int] = {"": 0}
        self._game_rows: list[list[Any]] = []
        self._skipped = Skipped()

    def __len__(self) -> int:
        """Return the number of plies."""
        return len(self._keys)

    def add(self, reading: RecordReading[Any, Any]) -> None:
        """Add a record with all its positions, or count it as skipped if it is of another game."""
        record = reading.record
        if record is None or not _belongs_to(reading, record, self._game):
            self._skipped += Skipped(others=1)
            return
        self._skipped += Skipped(faulty=int(not reading.ok))
        self._add(record)

    def _add(self, record: Record[Any, Any]) -> None:
        """Add one ply for each position of a record, and its row of the table of games."""
        game = record.game
        number = len(self._game_rows) + 1
        tags = dict(record.tags)
        ratings = [parse_rating(tags.get(tag)) for tag in rating_tags(game)]
        results = results_by_player(record.result, len(game.players))
        # No move follows the last position.
        texts = [*record.moves, ""]
        for position, text in zip(record.positions(), texts, strict=True):
            _, player = game.move_number(position)
            self._keys.append(game.key(position))
            move = self._moves.setdefault(text, len(self._moves))
            self._ply_facts.append((number, move, ratings[player], results[player]))
        if self._materials is not None:
            written = map(game.write, record.positions())
            materials = dict.fromkeys(get_material(text, self._letters) for text in written)
            self._materials += [(material, number, results[0]) for material in materials]
        tags.setdefault("Date", tags.get("UTCDate", ""))
        tag_values = [_known_value(tags.get(name)) for name in tag_columns(game)]
        self._game_rows.append(
            [
                number,
                *tag_values,
                record.result,
                len(record.line),
                average_rating(ratings),
                parse_day(tags["Date"]),
            ]
        )

    def build(self) -> Plies:
        """Return all plies that have been added, with the rows of their games."""
        plies = np.zeros(len(self._keys), PLY)
        # A key has 16 bytes, a high and a low half.
        halves = np.frombuffer(bytes.fromhex("".join(self._keys)), ">u8")
        plies["high"], plies["low"] = halves[::2], halves[1::2]
        ply_facts = np.array(self._ply_facts, np.int64).reshape(-1, 4)
        for column, name in enumerate(("game", "move", "rating", "result")):
            plies[name] = ply_facts[:, column]
        schema = games_schema(self._game)
        columns = zip(*self._game_rows, strict=True) if self._game_rows else [()] * len(schema)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
        games = pa.record_batch(arrays, schema=schema)
        material = None if self._materials is None else make_material_plies(self._materials)
        return Plies(plies, pa.array(list(self._moves), pa.string()), games, self._skipped, material)


def make_material_plies(materials: Sequence[tuple[str, int, int]]) -> MaterialPlies:
    """Return one ply for each of `materials`, which stands for a position in the index of materials.

    Each entry has the material, such as ``KRPvKR``, the number of the game, and the first player's result.
    """
    indices: dict[str, int] = {}
    plies = np.zeros(len(materials), PLY)
    plies["move"] = [indices.setdefault(material, len(indices)) for material, _, _ in materials]
    plies["game"] = [number for _, number, _ in materials]
    plies["result"] = [result for _, _, result in materials]
    halves = np.frombuffer(bytes.fromhex("".join(map(material_key, indices))), ">u8")
    plies["high"], plies["low"] = halves[::2][plies["move"]], halves[1::2][plies["move"]]
    return MaterialPlies(plies, pa.array(list(indices), pa.string()))


def _belongs_to(reading: RecordReading[Any, Any], record: Record[Any, Any], game: Game) -> bool:
    """Return whether `record`, which has been read with the result `reading`, is one of `game`.

    Both the game and the variant must be the same. A record whose first move cannot be read is taken for one
    of another game.
    """
    is_same_game = (record.game.name, record.game.variant) == (game.name, game.variant)
    has_readable_moves = reading.ok or bool(record.line)
    return is_same_game and has_readable_moves


def _known_value(value: str | None) -> str | None:
    """Return the value of a tag, or None if it is missing or unknown, such as ``?`` or ``????.??.??``."""
    return value if value is not None and re.search(KNOWN_VALUE, value) else None


def results_by_player(result: str, players: int) -> list[int]:
    """Return WIN, DRAW or LOSS for each player: ``1-0`` gives ``[WIN, LOSS]``.

    Return UNFINISHED for all players if `result` is ``*`` or does not have one share for each player.
    """
    shares = [_SHARES.get(share) for share in result.split("-")]
    if len(shares) != players or None in shares:
        return [UNFINISHED] * players
    if players > 2:
        return [WIN if share == 2 else LOSS for share in shares]
    first, second = (share or 0 for share in shares)
    if first == second:
        return [DRAW, DRAW]
    return [WIN, LOSS] if first > second else [LOSS, WIN]


def parse_rating(text: str | None) -> int:
    """Return the rating in the value of a tag, such as ``2714``, or 0 if there is none; at most 65535."""
    match = _RATING.fullmatch(text.strip()) if text else None
    return min(int(match[1]), _MAX_RATING) if match else 0


def average_rating(ratings: Iterable[int]) -> int | None:
    """Return the average of the ratings that are not 0, or None if all of them are."""
    known = [rating for rating in ratings if rating]
    return sum(known) // len(known) if known else None


def parse_day(text: str) -> int:
    """Return a PGN date as a number: ``2024.01.31`` gives 20240131, ``2024.??.??`` gives 20240000.

    A text that is not a date gives 0.
    """
    match = _DATE.match(text)
    if match is None:
        return 0
    year, month, day = (0 if part == "??" else int(part) for part in match.groups())
    return year * 10000 + month * 100 + day


def rank_days(days: np.ndarray) -> np.ndarray:
    """Return numbers in the order of dates such as 20240131 that are smaller, at most MAX_RANK."""
    years, months = days // 10000, days // 100 % 100
    # Month 0 and day 0 are unknown, so that there are 13 months and 32 days.
    ranks = (years * 13 + months) * 32 + days % 100
    bounded: np.ndarray = np.minimum(ranks, MAX_RANK).astype(np.uint32)
    return bounded


# --- reading with a kernel --------------------------------------------------------------------------


KERNEL_COLUMNS: Final = ("keys",)
"""The optional columns that the kernel has to fill."""
BOARD_PIECES: Final = "PNBRQKpnbrqk"
"""The pieces that the numbers in a kernel's boards stand for, from 1 on."""
PAWN_NUMBERS: Final = (1, 7)
SQUARE_COUNT: Final = 64
_KEY: Final = np.dtype(">u8")


def read_block_plies(
    text: bytes, game: Game, kernel: RecordKernel | None, *, material: bool = False
) -> Iterator[Plies]:
    """Yield the plies of a block of whole records: one for each position, with the move that followed.

    Args:
        text: The block, as UTF-8.
        game: The game. Records of other games are counted as skipped.
        kernel: The compiled reader of records; None reads all of them with the slower record reader.
        material: Whether to collect the pieces on the board too.
    """
    if kernel is None:
        yield from _read_with_reader(text, game, material)
        return
    offset = 0
    while (end := kernel.read(text, offset, True)) > offset:
        yield from _read_with_kernel(text, game, kernel, material)
        offset = end


def _read_with_reader(text: bytes, game: Game, material: bool) -> Iterator[Plies]:
    """Yield the plies of a block of whole records, read with the record reader and not with a kernel."""
    source = io.StringIO(text.decode("utf-8", "surrogateescape"), newline="")
    return collect_plies(read_records(source, game), game, material=material)


def _read_with_kernel(text: bytes, game: Game, kernel: RecordKernel, material: bool) -> Iterator[Plies]:
    """Yield the plies of all records in the part of `text` that the last `kernel.read` went through.

    Records that the kernel could not parse are read with the record reader, at their place in the order.
    """
    starts, ends = (_column_array(kernel, name, np.int64) for name in ("start", "end"))
    verdicts = _column_array(kernel, "verdict", np.uint8)
    kernel_plies = _KernelPlies(game, kernel)
    next_row = 0
    for fallback_row in np.flatnonzero(verdicts != TAKEN).tolist():
        if next_row < fallback_row:
            yield kernel_plies.plies(next_row, fallback_row, material)
        yield from _read_with_reader(text[starts[fallback_row] : ends[fallback_row]], game, material)
        next_row = fallback_row + 1
    if next_row < kernel.games:
        yield kernel_plies.plies(next_row, kernel.games, material)


class _KernelPlies:
    """The plies of the records of one call of a kernel."""

    def __init__(self, game: Game, kernel: RecordKernel) -> None:
        """Take over the columns of the last call of `kernel.read`."""
        self._game = game
        self._kernel = kernel
        self._first_ply = _column_array(kernel, "first_ply", np.int32)
        self._first_position = _column_array(kernel, "first_position", np.int32)
        self._results = _column_array(kernel, "result", np.uint8)
        self._keys = _column_array(kernel, "key", _KEY)
        texts = string_array(kernel.san_texts()).dictionary_encode()
        self._moves = texts.indices.to_numpy().astype(np.uint32) + np.uint32(1)
        self._texts = pa.concat_arrays([pa.array([""]), texts.dictionary])
        self._tags = {name: tag_array(self._kernel, name) for name in (*tag_columns(game), "UTCDate")}
        self._has_variant = _column_array(kernel, "variant", np.uint8) == game.variants.index(game.variant)
        self._ratings = np.array([self._read_ratings(tag) for tag in rating_tags(game)], np.uint16)
        self._first_players = self._find_first_players()

    def plies(self, begin: int, end: int, material: bool) -> Plies:
        """Return the plies of the records `begin` to before `end` of the kernel, which it must have parsed.

        Records of another variant are counted as skipped.
        """
        rows = begin + np.flatnonzero(self._has_variant[begin:end])
        counts = np.diff(self._first_ply)[rows] + 1
        game = np.repeat(np.arange(len(rows)), counts)
        # From here on all arrays have one entry for each ply.
        row = rows[game]
        ply = np.arange(len(game)) - np.repeat(np.cumsum(counts) - counts, counts)
        position = self._first_position[row] + ply
        player = (self._first_players[row] + ply) % 2
        plies = np.zeros(len(game), PLY)
        plies["high"], plies["low"] = self._keys[::2][position], self._keys[1::2][position]
        plies["game"] = game + 1
        is_last = ply == counts[game] - 1
        plies["move"][~is_last] = self._moves[(self._first_ply[row] + ply)[~is_last]]
        plies["rating"] = self._ratings[player, row]
        plies["result"] = _PLAYER_RESULTS[self._results[row], player]
        skipped = Skipped(others=end - begin - len(rows))
        materials = (
            self._make_material(game, position, _PLAYER_RESULTS[self._results[rows], 0]) if material else None
        )
        return Plies(plies, self._texts, self._make_games(rows, counts - 1), skipped, materials)

    def _make_material(self, game: np.ndarray, position: np.ndarray, results: np.ndarray) -> MaterialPlies:
        """Return the materials that were on the board in some games, each once for each game.

        Args:
            game: For each ply, the index of its game.
            position: For each ply, the index of its position among the kernel's boards.
            results: For each game, the first player's result.
        """
        boards = _column_array(self._kernel, "board", np.uint8).reshape(-1, SQUARE_COUNT)[position]
        # Most moves change neither the number of pieces nor the number of pawns: only the other boards count.
        piece_counts = np.count_nonzero(boards, axis=1)
        pawn_counts = np.isin(boards, PAWN_NUMBERS).sum(axis=1)
        totals = piece_counts * SQUARE_COUNT + pawn_counts
        is_changed = np.ones(len(game), bool)
        is_changed[1:] = (totals[1:] != totals[:-1]) | (game[1:] != game[:-1])
        boards, game = boards[is_changed], game[is_changed]
        counts_by_kind = [(boards == kind).sum(axis=1) for kind in range(1, len(BOARD_PIECES) + 1)]
        distinct = np.unique(np.column_stack((game, *counts_by_kind)), axis=0)
        letters = piece_letters(self._game)
        labels: dict[bytes, str] = {}
        materials: list[tuple[str, int, int]] = []
        for game_index, *kind_counts in distinct.tolist():
            signature = bytes(kind_counts)
            if signature not in labels:
                labels[signature] = material_label("".join(map(mul, BOARD_PIECES, kind_counts)), letters)
            materials.append((labels[signature], game_index + 1, int(results[game_index])))
        return make_material_plies(materials)

    def _make_games(self, rows: np.ndarray, counts: np.ndarray) -> pa.RecordBatch:
        """Return rows of the table of games for the records `rows` of the kernel.

        `counts` has the number of moves of each of these records.
        """
        chosen = pa.array(rows)
        tags = {name: self._tags[name].take(chosen) for name in self._tags}
        tags["Date"] = pc.coalesce(tags["Date"], tags.pop("UTCDate"))
        ratings = self._ratings[:, rows].T.tolist()
        columns = [
            pa.array(np.arange(1, len(rows) + 1, dtype=np.int32)),
            *(pc.if_else(_is_known(tags[name]), tags[name], None) for name in tag_columns(self._game)),
            pa.array([RESULTS[result] for result in self._results[rows].tolist()], pa.string()),
            pa.array(counts.astype(np.int32)),
            pa.array([average_rating(pair) for pair in ratings], pa.int32()),
            pa.array([parse_day(date or "") for date in tags["Date"].to_pylist()], pa.int32()),
        ]
        return pa.record_batch(columns, schema=games_schema(self._game))

    def _read_ratings(self, tag: str) -> list[int]:
        """Return the rating in the tag `tag`, such as ``WhiteElo``, of each record; 0 where there is none."""
        return [parse_rating(text) for text in self._tags[tag].to_pylist()]

    def _find_first_players(self) -> np.ndarray:
        """Return for each record the number of the player who moves first, 0 or 1.

        A record with the tag ``FEN`` may begin with the move of either player.
        """
        game = self._game
        _, usual_player = game.move_number(game.parse(game.start))
        first_players = np.full(self._kernel.games, usual_player, np.int64)
        rows = np.flatnonzero(_column_array(self._kernel, "setup", np.uint8))
        if not len(rows):
            return first_players
        fens = tag_array(self._kernel, "FEN").take(pa.array(rows)).to_pylist()
        player_by_fen: dict[str, int] = {}
        for row, fen in zip(rows.tolist(), fens, strict=True):
            if fen not in player_by_fen:
                position = game.read(fen).position
                player_by_fen[fen] = 0 if position is None else game.move_number(position)[1]
            first_players[row] = player_by_fen[fen]
        return first_players


_PLAYER_RESULTS: Final = np.array([results_by_player(result, 2) for result in RESULTS], np.uint8)
"""For each result of RESULTS the result for each of the two players."""


def _is_known(texts: pa.Array) -> pa.Array:
    """Return for each value of a tag whether it is known; ``?`` and ``????.??.??`` are not."""
    return pc.match_substring_regex(texts, KNOWN_VALUE)


def _column_array(kernel: RecordKernel, name: str, dtype: Any) -> np.ndarray:
    """Return the column `name` of the last `kernel.read`, such as ``start``, as an array, not copied."""
    return np.frombuffer(kernel.column(name), dtype)


def read_shard_plies(shard: Shard, game: Game, *, material: bool = False) -> Iterator[Plies]:
    """Yield the plies of all records of a shard, those of some hundred games at once.

    A ply is one position of a game with the move that followed. With `material`, the pieces on the board are
    collected too.
    """
    columns = (*KERNEL_COLUMNS, "boards") if material else KERNEL_COLUMNS
    kernel = record_kernel(game, columns) if COMPILED and len(game.players) == 2 else None
    for file in shard.files:
        with open_shard(file) as blocks:
            for batch in blocks:
                for text in batch.column("text").to_pylist():
                    yield from read_block_plies(text, game, kernel, material=material)
