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
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.index.files import (
    get_material,
    hash_material,
    list_rating_tags,
    list_tag_columns,
    make_games_schema,
)
from forsyth.bulk.index.tallies import DRAW, LOSS, MAX_RANK, PLY, UNFINISHED, WIN
from forsyth.bulk.sources.pgn import make_string_array, make_tag_array
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.bulk.verbs.material import format_material, list_piece_letters
from forsyth.game import Game
from forsyth.record import Record, RecordReading, read_records
from forsyth.record.encoding import decode_records
from forsyth.record.kernels import record_kernel
from forsyth.record_bytes.columns import ASK, FAULTY, RESULTS, RecordKernel
from forsyth.record_bytes.words import COMPILED

BATCH_PLIES: Final = 1 << 16
"""Approximate number of plies that are yielded at once."""

KNOWN_VALUE: Final = r"[^?.\- ]"
"""Pattern of a character that only the value of a tag with a known value contains."""
_DATE: Final = re.compile(r"(\d{4})[./-](\d\d|\?\?)[./-](\d\d|\?\?)")
_RATING: Final = re.compile(r"0*([0-9]{1,5})")
_PLY_COLUMNS: Final = ("game", "move", "rating", "result")
"""The columns of PLY besides the key."""
_KEY_HALF: Final = np.dtype(">u8")
_MAX_RATING: Final = 65535
_HALF_POINTS: Final = {"0": 0, "1/2": 1, "1": 2}
"""For each score of a player in a result such as ``1-0``, twice the points."""
_WHOLE_POINT: Final = 2
_YEAR_UNIT: Final = 10000
_MONTH_UNIT: Final = 100
"""Factors of the year and of the month in a date as a number, such as 20240131."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Counts of the records that are left out of an index, or only partly in it."""

    others: int = 0
    """Number of records of another game or variant, or without a position."""
    faulty: int = 0
    """Number of records with an error. Their positions before the error count."""

    def __add__(self, other: Skipped) -> Skipped:
        """Return the sums of the counts of two sets of records."""
        return Skipped(self.others + other.others, self.faulty + other.faulty)


class GameMaterial(NamedTuple):
    """A combination of pieces that was on the board in a game."""

    material: str
    """The pieces of both sides, such as ``KRPvKR``."""
    game: int
    """The number of the game."""
    result: int
    """The result for the first player, such as WIN."""


@dataclass(frozen=True, slots=True)
class MaterialPlies:
    """The materials of some games, in the form of plies, so that they can be counted like positions.

    There is one ply for each game and each combination of pieces that it had on the board.
    """

    plies: np.ndarray
    """The plies, of type PLY. Their keys are those of the materials."""
    texts: pa.Array
    """The materials, such as ``KRPvKR``. In the plies, a move is an index into this array."""


@dataclass(frozen=True, slots=True)
class Plies:
    """The plies of some games, which are numbered from 1, and their rows of the table of games."""

    plies: np.ndarray
    """The plies, of type PLY: each position with the move that followed."""
    moves: pa.Array
    """The texts of moves. In the plies, a move is an index into this array."""
    games: pa.RecordBatch
    skipped: Skipped = field(default_factory=Skipped)
    material: MaterialPlies | None = None
    """The materials of the games, or None if they were not requested."""


def collect_plies(
    readings: Iterable[RecordReading[Any, Any]], game: Game, *, material: bool = False
) -> Iterator[Plies]:
    """Yield the plies of records: each position with the move that followed.

    About BATCH_PLIES plies are yielded at once.

    Args:
        readings: The records, as the record reader has read them.
        game: The game. Records of other games are counted as skipped.
        material: Whether to collect the combinations of pieces on the board too.
    """
    builder = _PliesBuilder(game, material)
    for reading in readings:
        builder.add_reading(reading)
        if len(builder) >= BATCH_PLIES:
            yield builder.build_plies()
            builder = _PliesBuilder(game, material)
    yield builder.build_plies()


class _PliesBuilder:
    """Collects the plies of records that the record reader has read."""

    def __init__(self, game: Game, material: bool) -> None:
        """Prepare to collect the plies of `game`, and with `material` also the pieces on the board."""
        self._game = game
        self._letters = list_piece_letters(game) if material else ""
        self._materials: list[GameMaterial] | None = [] if material else None
        self._keys: list[str] = []
        """The key of the position of each ply, in hexadecimal digits."""
        self._ply_rows: list[tuple[int, int, int, int]] = []
        """The values of _PLY_COLUMNS of each ply."""
        self._number_by_move: dict[str, int] = {"": 0}
        """The number of each text of a move. The empty text stands for no move."""
        self._game_rows: list[list[Any]] = []
        self._skipped = Skipped()

    def __len__(self) -> int:
        """Return the number of plies that have been added."""
        return len(self._keys)

    def add_reading(self, reading: RecordReading[Any, Any]) -> None:
        """Add all positions of a record, or count the record as skipped if it is of another game."""
        record = reading.record
        if record is None or not _belongs_to(reading, record, self._game):
            self._skipped += Skipped(others=1)
            return
        if not reading.ok:
            self._skipped += Skipped(faulty=1)
        self._add_record(record)

    def _add_record(self, record: Record[Any, Any]) -> None:
        """Add the positions of a record, its materials, and its row of the table of games."""
        game = record.game
        number = len(self._game_rows) + 1
        tags = dict(record.tags)
        ratings = [parse_rating(tags.get(tag)) for tag in list_rating_tags(game)]
        results = split_result(record.result, len(game.players))
        self._add_plies(record, number, ratings, results)
        if self._materials is not None:
            first_result, *_ = results
            texts = map(game.write, record.positions())
            # Each material counts once for each game.
            distinct_materials = dict.fromkeys(get_material(text, self._letters) for text in texts)
            self._materials += [
                GameMaterial(material, number, first_result) for material in distinct_materials
            ]
        tags.setdefault("Date", tags.get("UTCDate", ""))
        tag_values = [_drop_unknown_value(tags.get(name)) for name in list_tag_columns(game)]
        move_count = len(record.line)
        self._game_rows.append(
            [
                number,
                *tag_values,
                record.result,
                move_count,
                compute_average_rating(ratings),
                parse_day(tags["Date"]),
            ]
        )

    def _add_plies(
        self, record: Record[Any, Any], number: int, ratings: Sequence[int], results: Sequence[int]
    ) -> None:
        """Add one ply for each position of a record: its key, and the move that followed.

        Args:
            record: The record.
            number: The number of its game.
            ratings: The rating of each player; 0 if it is unknown.
            results: The result for each player, such as WIN.
        """
        game = record.game
        # No move follows the last position.
        next_moves = [*record.moves, ""]
        for position, move in zip(record.positions(), next_moves, strict=True):
            _, player = game.move_number(position)
            self._keys.append(game.key(position))
            move_number = self._number_by_move.setdefault(move, len(self._number_by_move))
            self._ply_rows.append((number, move_number, ratings[player], results[player]))

    def build_plies(self) -> Plies:
        """Return all plies that have been added, with the moves and games that they refer to."""
        plies = np.zeros(len(self._keys), PLY)
        _set_keys(plies, _split_keys(bytes.fromhex("".join(self._keys))))
        ply_rows = np.array(self._ply_rows, np.int64).reshape(-1, len(_PLY_COLUMNS))
        for name, values in zip(_PLY_COLUMNS, ply_rows.T, strict=True):
            plies[name] = values
        moves = pa.array(list(self._number_by_move), pa.string())
        materials = None if self._materials is None else make_material_plies(self._materials)
        return Plies(plies, moves, self._build_game_rows(), self._skipped, materials)

    def _build_game_rows(self) -> pa.RecordBatch:
        """Return the rows of the table of games for all records that have been added."""
        schema = make_games_schema(self._game)
        columns = zip(*self._game_rows, strict=True) if self._game_rows else [()] * len(schema)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
        return pa.record_batch(arrays, schema=schema)


def make_material_plies(materials: Sequence[GameMaterial]) -> MaterialPlies:
    """Convert materials to the form of plies, so that they can be counted like positions.

    The key of such a ply is the key of the material, and its move is the index of the material in a list of
    all of them.
    """
    index_by_material: dict[str, int] = {}
    for game_material in materials:
        index_by_material.setdefault(game_material.material, len(index_by_material))
    plies = np.zeros(len(materials), PLY)
    plies["move"] = [index_by_material[game_material.material] for game_material in materials]
    plies["game"] = [game_material.game for game_material in materials]
    plies["result"] = [game_material.result for game_material in materials]
    keys = _split_keys(bytes.fromhex("".join(map(hash_material, index_by_material))))
    _set_keys(plies, keys, plies["move"])
    return MaterialPlies(plies, pa.array(list(index_by_material), pa.string()))


class _Keys(NamedTuple):
    """Keys of 16 bytes, as two arrays: the first and the last 64 bits of each key."""

    high: np.ndarray
    low: np.ndarray


def _split_keys(data: Any) -> _Keys:
    """Return the halves of the keys in a buffer of 16 bytes per key, without copying them."""
    halves = np.frombuffer(data, _KEY_HALF)
    return _Keys(high=halves[::2], low=halves[1::2])


def _set_keys(plies: np.ndarray, keys: _Keys, indices: np.ndarray | None = None) -> None:
    """Write the keys of all `plies`, an array of type PLY, in place.

    The ply at index i gets the key at index ``indices[i]``, or if `indices` is None, the key at index i.
    """
    plies["high"] = keys.high if indices is None else keys.high[indices]
    plies["low"] = keys.low if indices is None else keys.low[indices]


def _belongs_to(reading: RecordReading[Any, Any], record: Record[Any, Any], game: Game) -> bool:
    """Return whether a record is one of `game`, in the same variant.

    If not even the first move can be read, the record is taken for one of another game.

    Args:
        reading: The result of reading the record, with its errors.
        record: The record.
        game: The game in its variant.
    """
    is_same_game = (record.game.name, record.game.variant) == (game.name, game.variant)
    has_readable_moves = reading.ok or bool(record.line)
    return is_same_game and has_readable_moves


def _drop_unknown_value(value: str | None) -> str | None:
    """Return the value of a tag, or None if it is missing (None) or unknown, such as ``?``."""
    is_known = value is not None and re.search(KNOWN_VALUE, value) is not None
    return value if is_known else None


def split_result(result: str, player_count: int) -> list[int]:
    """Return the result of a game for each player: ``1-0`` gives ``[WIN, LOSS]``.

    With more than two players, only a whole point is a WIN, and everything else is a LOSS. Return UNFINISHED
    for all players if `result` is ``*`` or does not have one score for each player.
    """
    scores = [_HALF_POINTS.get(score) for score in result.split("-")]
    if len(scores) != player_count or None in scores:
        return [UNFINISHED] * player_count
    if player_count > 2:
        return [WIN if score == _WHOLE_POINT else LOSS for score in scores]
    first_score, second_score = (score or 0 for score in scores)
    if first_score == second_score:
        return [DRAW, DRAW]
    return [WIN, LOSS] if first_score > second_score else [LOSS, WIN]


def parse_rating(text: str | None) -> int:
    """Return the rating in the value of a tag, such as ``2714``, or 0 if there is none.

    A higher rating than 65535, which a ply cannot hold, gives 65535.
    """
    match = _RATING.fullmatch(text.strip()) if text else None
    if match is None:
        return 0
    return min(int(match[1]), _MAX_RATING)


def compute_average_rating(ratings: Iterable[int]) -> int | None:
    """Return the average of the known ratings, rounded down, or None if all are unknown (0)."""
    known_ratings = [rating for rating in ratings if rating]
    return sum(known_ratings) // len(known_ratings) if known_ratings else None


def parse_day(text: str) -> int:
    """Return a PGN date as a number: ``2024.01.31`` gives 20240131, ``2024.??.??`` gives 20240000.

    A text that is not a date gives 0.
    """
    match = _DATE.match(text)
    if match is None:
        return 0
    year, month, day = (0 if digits == "??" else int(digits) for digits in match.groups())
    # The decimal digits are those of the date.
    return year * _YEAR_UNIT + month * _MONTH_UNIT + day


_MONTH_VALUES: Final = 13
"""Number of values of a month in a date such as 20240131: 0, which is unknown, to 12."""
_DAY_VALUES: Final = 32
"""Number of values of a day in a date: 0, which is unknown, to 31."""


def rank_days(days: np.ndarray) -> np.ndarray:
    """Return a small number for each date that is higher for a later date, at most MAX_RANK.

    `days` has dates as numbers such as 20240131, which `parse_day` returns.
    """
    years, days_of_year = np.divmod(days, _YEAR_UNIT)
    months, days_of_month = np.divmod(days_of_year, _MONTH_UNIT)
    ranks = (years * _MONTH_VALUES + months) * _DAY_VALUES + days_of_month
    bounded_ranks: np.ndarray = np.minimum(ranks, MAX_RANK).astype(np.uint32)
    return bounded_ranks


# --- reading with a kernel --------------------------------------------------------------------------


KERNEL_COLUMNS: Final = ("keys",)
"""The optional columns that the kernel has to fill."""
BOARD_PIECES: Final = "PNBRQKpnbrqk"
"""The pieces that the numbers in a kernel's boards stand for, from 1 on."""
PAWN_NUMBERS: Final = (1, 7)
"""The numbers of both pawns in a kernel's boards."""
SQUARE_COUNT: Final = 64


def read_block_plies(
    text: bytes, game: Game, kernel: RecordKernel | None, *, material: bool = False
) -> Iterator[Plies]:
    """Yield the plies of a block of records: each position with the move that followed.

    Args:
        text: The block, as UTF-8. Its records must be complete.
        game: The game. Records of other games are counted as skipped.
        kernel: The compiled reader of records; None reads all of them with the slower record reader.
        material: Whether to collect the combinations of pieces on the board too.
    """
    if kernel is None:
        yield from _collect_with_reader(text, game, material)
        return
    offset = 0
    ends_with_record = True
    # The kernel reads as many records at once as it has space for.
    while (end := kernel.read(text, offset, ends_with_record)) > offset:
        yield from _collect_from_kernel(text, game, kernel, material)
        offset = end


def _collect_with_reader(text: bytes, game: Game, material: bool) -> Iterator[Plies]:
    """Yield the plies of all records in `text`, parsed with the slower record reader in Python.

    With `material`, the combinations of pieces on the board are collected too.
    """
    source = io.StringIO(decode_records(text), newline="")
    return collect_plies(read_records(source, game), game, material=material)


def _collect_from_kernel(text: bytes, game: Game, kernel: RecordKernel, material: bool) -> Iterator[Plies]:
    """Yield the plies of all records that the last call of `kernel.read` found in `text`, in order.

    Records that the kernel could not parse are read with the record reader. With `material`, the combinations
    of pieces on the board are collected too.
    """
    starts = _view_column(kernel, "start", np.int64)
    ends = _view_column(kernel, "end", np.int64)
    is_parsed = _view_column(kernel, "verdict", np.uint8) != ASK
    kernel_plies = _KernelPlies(game, kernel)
    next_record = 0
    for unparsed_record in np.flatnonzero(~is_parsed).tolist():
        if next_record < unparsed_record:
            yield kernel_plies.collect_plies(next_record, unparsed_record, material)
        record_text = text[starts[unparsed_record] : ends[unparsed_record]]
        yield from _collect_with_reader(record_text, game, material)
        next_record = unparsed_record + 1
    if next_record < kernel.games:
        yield kernel_plies.collect_plies(next_record, kernel.games, material)


class _KernelPlies:
    """Converts the records that one call of a kernel, the compiled reader, has read to plies."""

    def __init__(self, game: Game, kernel: RecordKernel) -> None:
        """Store the results of the last call of `kernel.read`, which the next call overwrites."""
        self._game = game
        self._kernel = kernel
        self._first_ply = _view_column(kernel, "first_ply", np.int32)
        self._first_position = _view_column(kernel, "first_position", np.int32)
        self._results = _view_column(kernel, "result", np.uint8)
        self._keys = _split_keys(kernel.column("key"))
        moves = make_string_array(kernel.san_texts()).dictionary_encode()
        # Number 0 stands for no move, so the others are counted from 1.
        self._move_numbers = moves.indices.to_numpy().astype(np.uint32) + np.uint32(1)
        self._move_texts = pa.concat_arrays([pa.array([""]), moves.dictionary])
        self._tags = {
            name: make_tag_array(self._kernel, name) for name in (*list_tag_columns(game), "UTCDate")
        }
        variant_index = game.variants.index(game.variant)
        self._is_faulty = _view_column(kernel, "verdict", np.uint8) == FAULTY
        # A record whose first move cannot be read is taken for one of another game.
        has_readable_moves = ~self._is_faulty | (np.diff(self._first_ply) > 0)
        self._belongs = (_view_column(kernel, "variant", np.uint8) == variant_index) & has_readable_moves
        self._ratings = np.array([self._read_ratings(tag) for tag in list_rating_tags(game)], np.uint16)
        self._first_players = self._find_first_players()

    def collect_plies(self, begin: int, end: int, material: bool) -> Plies:
        """Return the plies of the records with the indices from `begin` to before `end`.

        The kernel must have parsed all of them. Records of another variant are counted as skipped. With
        `material`, the combinations of pieces on the board are collected too.
        """
        records = begin + np.flatnonzero(self._belongs[begin:end])
        move_counts = np.diff(self._first_ply)[records]
        position_counts = move_counts + 1
        # All arrays with a name in the singular have one entry for each ply.
        game = np.repeat(np.arange(len(records)), position_counts)
        record = records[game]
        # The number of moves before the position: its index among all plies, counted from its game's first.
        first_index_of_game = np.cumsum(position_counts) - position_counts
        ply = np.arange(len(game)) - np.repeat(first_index_of_game, position_counts)
        position = self._first_position[record] + ply
        player = (self._first_players[record] + ply) % _KERNEL_PLAYERS
        has_move = ply < move_counts[game]

        plies = np.zeros(len(game), PLY)
        _set_keys(plies, self._keys, position)
        plies["game"] = game + 1
        move = self._first_ply[record] + ply
        plies["move"][has_move] = self._move_numbers[move[has_move]]
        plies["rating"] = self._ratings[player, record]
        plies["result"] = _PLAYER_RESULTS[self._results[record], player]

        faulty_count = int(self._is_faulty[records].sum())
        skipped = Skipped(others=end - begin - len(records), faulty=faulty_count)
        materials = None
        if material:
            first_player_results = _PLAYER_RESULTS[self._results[records], 0]
            materials = self._collect_materials(game, position, first_player_results)
        return Plies(plies, self._move_texts, self._make_game_rows(records, move_counts), skipped, materials)

    def _collect_materials(
        self, game: np.ndarray, position: np.ndarray, results: np.ndarray
    ) -> MaterialPlies:
        """Return the combinations of pieces that were on the board in some games, each once per game.

        Args:
            game: For each ply, the index of its game.
            position: For each ply, the index of its position among the kernel's boards.
            results: For each game, the first player's result.
        """
        kernel_boards = _view_column(self._kernel, "board", np.uint8).reshape(-1, SQUARE_COUNT)
        all_boards = kernel_boards[position]
        # Counting all kinds of pieces is slow, and most moves leave the material as it was.
        is_new = _may_have_new_material(all_boards, game)
        boards = all_boards[is_new]
        piece_numbers = range(1, len(BOARD_PIECES) + 1)
        counts_by_piece = [(boards == number).sum(axis=1) for number in piece_numbers]
        distinct_rows = np.unique(np.column_stack((game[is_new], *counts_by_piece)), axis=0)
        letters = list_piece_letters(self._game)
        label_by_counts: dict[bytes, str] = {}
        materials: list[GameMaterial] = []
        for game_index, *piece_counts in distinct_rows.tolist():
            counts_key = bytes(piece_counts)
            # Many games have the same material, which is formatted once.
            if counts_key not in label_by_counts:
                pieces = "".join(map(mul, BOARD_PIECES, piece_counts))
                label_by_counts[counts_key] = format_material(pieces, letters)
            materials.append(
                GameMaterial(
                    material=label_by_counts[counts_key],
                    game=game_index + 1,
                    result=int(results[game_index]),
                )
            )
        return make_material_plies(materials)

    def _make_game_rows(self, records: np.ndarray, move_counts: np.ndarray) -> pa.RecordBatch:
        """Return the rows of the table of games for some records of the kernel.

        `records` has the indices of these records, and `move_counts` the number of moves of each of them.
        """
        record_indices = pa.array(records)
        tags = {name: values.take(record_indices) for name, values in self._tags.items()}
        tags["Date"] = pc.coalesce(tags["Date"], tags.pop("UTCDate"))
        numbers = np.arange(1, len(records) + 1, dtype=np.int32)
        results = [RESULTS[result] for result in self._results[records].tolist()]
        ratings_by_game = self._ratings[:, records].T.tolist()
        columns = [
            pa.array(numbers),
            *(_drop_unknown_values(tags[name]) for name in list_tag_columns(self._game)),
            pa.array(results, pa.string()),
            pa.array(move_counts.astype(np.int32)),
            pa.array([compute_average_rating(ratings) for ratings in ratings_by_game], pa.int32()),
            pa.array([parse_day(date or "") for date in tags["Date"].to_pylist()], pa.int32()),
        ]
        return pa.record_batch(columns, schema=make_games_schema(self._game))

    def _read_ratings(self, tag: str) -> list[int]:
        """Return the rating in the tag `tag`, such as ``WhiteElo``, of each record; 0 if there is none."""
        return [parse_rating(text) for text in self._tags[tag].to_pylist()]

    def _find_first_players(self) -> np.ndarray:
        """Return the number of the player who moves first in each record, 0 or 1.

        A record with the tag ``FEN`` may begin with the move of either player.
        """
        game = self._game
        _, usual_player = game.move_number(game.parse(game.start))
        first_players = np.full(self._kernel.games, usual_player, np.int64)
        records_with_fen = np.flatnonzero(_view_column(self._kernel, "setup", np.uint8))
        if not len(records_with_fen):
            return first_players
        fens = make_tag_array(self._kernel, "FEN").take(pa.array(records_with_fen)).to_pylist()
        # Many records may have the same start position, which is parsed once.
        player_by_fen: dict[str, int] = {}
        for record, fen in zip(records_with_fen.tolist(), fens, strict=True):
            if fen not in player_by_fen:
                player_by_fen[fen] = self._find_player_to_move(fen)
            first_players[record] = player_by_fen[fen]
        return first_players

    def _find_player_to_move(self, fen: str) -> int:
        """Return the number of the player to move in a position, 0 or 1; 0 if the text is not valid."""
        position = self._game.read(fen).position
        if position is None:
            return 0
        _, player = self._game.move_number(position)
        return player


_KERNEL_PLAYERS: Final = 2
"""Number of players of all games that have a kernel."""
_PLAYER_RESULTS: Final = np.array([split_result(result, _KERNEL_PLAYERS) for result in RESULTS], np.uint8)
"""For each result of RESULTS the result for each of the two players."""


def _may_have_new_material(boards: np.ndarray, game: np.ndarray) -> np.ndarray:
    """Return an array that is true where the pieces may differ from those of the position before.

    They can only differ if the number of pieces or of pawns has changed, or if a game begins.

    Args:
        boards: One row for each position, with the number of the piece on each square; 0 for none.
        game: The index of the game of each position.
    """
    piece_counts = np.count_nonzero(boards, axis=1)
    pawn_counts = np.isin(boards, PAWN_NUMBERS).sum(axis=1)
    # Both counts in one number: there are fewer pawns than squares.
    totals = piece_counts * SQUARE_COUNT + pawn_counts
    is_new = np.ones(len(game), bool)
    is_new[1:] = (totals[1:] != totals[:-1]) | (game[1:] != game[:-1])
    return is_new


def _drop_unknown_values(values: pa.Array) -> pa.Array:
    """Return the values of a tag, with null for unknown ones, such as ``?`` and ``????.??.??``."""
    is_known = pc.match_substring_regex(values, KNOWN_VALUE)
    return pc.if_else(is_known, values, None)


def _view_column(kernel: RecordKernel, name: str, dtype: Any) -> np.ndarray:
    """Return a column of a kernel, such as ``start``, as an array of type `dtype`.

    The array is not a copy, so the next call of `kernel.read` overwrites it.
    """
    return np.frombuffer(kernel.column(name), dtype)


def read_shard_plies(shard: Shard, game: Game, *, material: bool = False) -> Iterator[Plies]:
    """Yield the plies of all records of a shard: each position with the move that followed.

    The plies of some hundred games are yielded at once.

    Args:
        shard: A part of the input: a range of a file, or some files.
        game: The game. Records of other games are counted as skipped.
        material: Whether to collect the combinations of pieces on the board too.
    """
    columns = (*KERNEL_COLUMNS, "boards") if material else KERNEL_COLUMNS
    can_use_kernel = COMPILED and len(game.players) == _KERNEL_PLAYERS
    kernel = record_kernel(game, columns) if can_use_kernel else None
    for file in shard.files:
        with open_shard(file) as blocks:
            for batch in blocks:
                for text in batch.column("text").to_pylist():
                    yield from read_block_plies(text, game, kernel, material=material)
