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

from forsyth.bulk.index.files import games_schema, get_material, material_key, rating_tags, tag_columns
from forsyth.bulk.index.tallies import DRAW, LOSS, MAX_RANK, PLY, UNFINISHED, WIN
from forsyth.bulk.sources.pgn import make_string_array, make_tag_array
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.bulk.verbs.material import format_material, list_piece_letters
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
_PLY_COLUMNS: Final = ("game", "move", "rating", "result")
"""The columns of PLY besides the key."""
_KEY_HALF: Final = np.dtype(">u8")
_MAX_RATING: Final = 65535
_HALF_POINTS: Final = {"0": 0, "1/2": 1, "1": 2}
"""For each score of a player in a result such as ``1-0``, twice the points."""
_WHOLE_POINT: Final = 2


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


class GameMaterial(NamedTuple):
    """A material, such as ``KRPvKR``, that was on the board in a game."""

    material: str
    game: int
    """The number of the game."""
    result: int
    """The result for the first player, such as WIN."""


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
    """Yield the plies of records of a game, about BATCH_PLIES at once.

    A ply is one position of a game with the move that followed.

    Args:
        readings: The records, as the record reader has read them.
        game: The game. Records of other games are counted as skipped.
        material: Whether to collect the pieces on the board too.
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
        self._letters = list_piece_letters(game) if material else ""
        self._materials: list[GameMaterial] | None = [] if material else None
        self._keys: list[str] = []
        """The key of the position of each ply, in hexadecimal digits."""
        self._ply_rows: list[tuple[int, int, int, int]] = []
        """The values of _PLY_COLUMNS of each ply."""
        self._number_by_move: dict[str, int] = {"": 0}
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
        self._add_record(record)

    def _add_record(self, record: Record[Any, Any]) -> None:
        """Add the positions of a record, its materials, and its row of the table of games."""
        game = record.game
        number = len(self._game_rows) + 1
        tags = dict(record.tags)
        ratings = [parse_rating(tags.get(tag)) for tag in rating_tags(game)]
        results = results_by_player(record.result, len(game.players))
        self._add_plies(record, number, ratings, results)
        if self._materials is not None:
            texts = map(game.write, record.positions())
            # Each material counts once for each game.
            distinct_materials = dict.fromkeys(get_material(text, self._letters) for text in texts)
            self._materials += [GameMaterial(material, number, results[0]) for material in distinct_materials]
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

    def _add_plies(
        self, record: Record[Any, Any], number: int, ratings: Sequence[int], results: Sequence[int]
    ) -> None:
        """Add one ply for each position of a record: the position, with the move that followed.

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

    def build(self) -> Plies:
        """Return all plies that have been added, with the rows of their games."""
        plies = np.zeros(len(self._keys), PLY)
        _set_keys(plies, _split_keys(bytes.fromhex("".join(self._keys))))
        ply_rows = np.array(self._ply_rows, np.int64).reshape(-1, len(_PLY_COLUMNS))
        for column, name in enumerate(_PLY_COLUMNS):
            plies[name] = ply_rows[:, column]
        moves = pa.array(list(self._number_by_move), pa.string())
        materials = None if self._materials is None else make_material_plies(self._materials)
        return Plies(plies, moves, self._build_games(), self._skipped, materials)

    def _build_games(self) -> pa.RecordBatch:
        """Return the rows of the table of games for all records that have been added."""
        schema = games_schema(self._game)
        columns = zip(*self._game_rows, strict=True) if self._game_rows else [()] * len(schema)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
        return pa.record_batch(arrays, schema=schema)


def make_material_plies(materials: Sequence[GameMaterial]) -> MaterialPlies:
    """Return one ply for each material of each game.

    In the index of materials, a ply stands for a material, and not for a position. Its move is the index of
    the material, and its key is the key of the material.
    """
    index_by_material: dict[str, int] = {}
    for game_material in materials:
        index_by_material.setdefault(game_material.material, len(index_by_material))
    plies = np.zeros(len(materials), PLY)
    plies["move"] = [index_by_material[game_material.material] for game_material in materials]
    plies["game"] = [game_material.game for game_material in materials]
    plies["result"] = [game_material.result for game_material in materials]
    keys = _split_keys(bytes.fromhex("".join(map(material_key, index_by_material))))
    _set_keys(plies, keys, plies["move"])
    return MaterialPlies(plies, pa.array(list(index_by_material), pa.string()))


class _Keys(NamedTuple):
    """Keys of 16 bytes, as arrays of their high and low halves of 64 bits."""

    high: np.ndarray
    low: np.ndarray


def _split_keys(data: Any) -> _Keys:
    """Return the keys in a buffer, which has 16 bytes for each key, without copying them."""
    halves = np.frombuffer(data, _KEY_HALF)
    return _Keys(high=halves[::2], low=halves[1::2])


def _set_keys(plies: np.ndarray, keys: _Keys, indices: np.ndarray | None = None) -> None:
    """Write keys to `plies`, an array of type PLY, in place.

    Each ply gets the key at its index in `indices`. If `indices` is None, there is one key for each ply.
    """
    plies["high"] = keys.high if indices is None else keys.high[indices]
    plies["low"] = keys.low if indices is None else keys.low[indices]


def _belongs_to(reading: RecordReading[Any, Any], record: Record[Any, Any], game: Game) -> bool:
    """Return whether a record is one of `game`, in the same variant.

    A record whose first move cannot be read is taken for one of another game.

    Args:
        reading: The result of reading the record, with its errors.
        record: The record.
        game: The game in its variant.
    """
    is_same_game = (record.game.name, record.game.variant) == (game.name, game.variant)
    has_readable_moves = reading.ok or bool(record.line)
    return is_same_game and has_readable_moves


def _known_value(value: str | None) -> str | None:
    """Return the value of a tag, or None if it is missing or unknown, such as ``?`` or ``????.??.??``."""
    is_known = value is not None and re.search(KNOWN_VALUE, value) is not None
    return value if is_known else None


def results_by_player(result: str, player_count: int) -> list[int]:
    """Return WIN, DRAW or LOSS for each player: ``1-0`` gives ``[WIN, LOSS]``.

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


def average_rating(ratings: Iterable[int]) -> int | None:
    """Return the average of the ratings that are not 0 (unknown), rounded down, or None if all are 0."""
    known_ratings = [rating for rating in ratings if rating]
    return sum(known_ratings) // len(known_ratings) if known_ratings else None


def parse_day(text: str) -> int:
    """Return a PGN date as a number: ``2024.01.31`` gives 20240131, ``2024.??.??`` gives 20240000.

    A text that is not a date gives 0.
    """
    match = _DATE.match(text)
    if match is None:
        return 0
    year, month, day = (0 if part == "??" else int(part) for part in match.groups())
    # The decimal digits are those of the date.
    return year * 10000 + month * 100 + day


_MONTHS: Final = 13
"""Number of values of a month in a date such as 20240131: 0, which is unknown, to 12."""
_DAYS: Final = 32
"""Number of values of a day in a date: 0, which is unknown, to 31."""


def rank_days(days: np.ndarray) -> np.ndarray:
    """Return the rank of each date: a small number that is higher for a later date, at most MAX_RANK.

    `days` has dates as numbers such as 20240131, which `parse_day` returns.
    """
    year = days // 10000
    month = days // 100 % 100
    day = days % 100
    ranks = (year * _MONTHS + month) * _DAYS + day
    bounded: np.ndarray = np.minimum(ranks, MAX_RANK).astype(np.uint32)
    return bounded


# --- reading with a kernel --------------------------------------------------------------------------


KERNEL_COLUMNS: Final = ("keys",)
"""The optional columns that the kernel has to fill."""
BOARD_PIECES: Final = "PNBRQKpnbrqk"
"""The pieces that the numbers in a kernel's boards stand for, from 1 on."""
PAWN_NUMBERS: Final = (1, 7)
SQUARE_COUNT: Final = 64


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
        yield from _collect_with_reader(text, game, material)
        return
    offset = 0
    # The kernel reads as many records at once as it has space for.
    while (end := kernel.read(text, offset, True)) > offset:
        yield from _collect_from_kernel(text, game, kernel, material)
        offset = end


def _collect_with_reader(text: bytes, game: Game, material: bool) -> Iterator[Plies]:
    """Yield the plies of all records in `text`, parsed with the record reader instead of a kernel.

    With `material`, the pieces on the board are collected too.
    """
    source = io.StringIO(text.decode("utf-8", "surrogateescape"), newline="")
    return collect_plies(read_records(source, game), game, material=material)


def _collect_from_kernel(text: bytes, game: Game, kernel: RecordKernel, material: bool) -> Iterator[Plies]:
    """Yield the plies of all records that the last `kernel.read` found in `text`, in their order.

    Records that the kernel could not parse are read with the record reader. With `material`, the pieces on
    the board are collected too.
    """
    starts = _column_array(kernel, "start", np.int64)
    ends = _column_array(kernel, "end", np.int64)
    is_parsed = _column_array(kernel, "verdict", np.uint8) == TAKEN
    kernel_plies = _KernelPlies(game, kernel)
    next_record = 0
    for unparsed_record in np.flatnonzero(~is_parsed).tolist():
        if next_record < unparsed_record:
            yield kernel_plies.collect(next_record, unparsed_record, material)
        record_text = text[starts[unparsed_record] : ends[unparsed_record]]
        yield from _collect_with_reader(record_text, game, material)
        next_record = unparsed_record + 1
    if next_record < kernel.games:
        yield kernel_plies.collect(next_record, kernel.games, material)


class _KernelPlies:
    """The plies of the records of one call of a kernel."""

    def __init__(self, game: Game, kernel: RecordKernel) -> None:
        """Store the columns of the last call of `kernel.read`, which the next call overwrites."""
        self._game = game
        self._kernel = kernel
        self._first_ply = _column_array(kernel, "first_ply", np.int32)
        self._first_position = _column_array(kernel, "first_position", np.int32)
        self._results = _column_array(kernel, "result", np.uint8)
        self._keys = _split_keys(kernel.column("key"))
        moves = make_string_array(kernel.san_texts()).dictionary_encode()
        # Number 0 stands for no move, so the others are counted from 1.
        self._move_numbers = moves.indices.to_numpy().astype(np.uint32) + np.uint32(1)
        self._move_texts = pa.concat_arrays([pa.array([""]), moves.dictionary])
        self._tags = {name: make_tag_array(self._kernel, name) for name in (*tag_columns(game), "UTCDate")}
        variant_index = game.variants.index(game.variant)
        self._has_variant = _column_array(kernel, "variant", np.uint8) == variant_index
        self._ratings = np.array([self._read_ratings(tag) for tag in rating_tags(game)], np.uint16)
        self._first_players = self._find_first_players()

    def collect(self, begin: int, end: int, material: bool) -> Plies:
        """Return the plies of the records with the indexes from `begin` to before `end`.

        The kernel must have parsed all of them. Records of another variant are counted as skipped. With
        `material`, the pieces on the board are collected too.
        """
        records = begin + np.flatnonzero(self._has_variant[begin:end])
        move_counts = np.diff(self._first_ply)[records]
        position_counts = move_counts + 1
        # All arrays with a name in the singular have one entry for each ply.
        game = np.repeat(np.arange(len(records)), position_counts)
        record = records[game]
        # The number of moves before the position: its index among all plies, counted from its game's first.
        first_index_of_game = np.cumsum(position_counts) - position_counts
        ply = np.arange(len(game)) - np.repeat(first_index_of_game, position_counts)
        position = self._first_position[record] + ply
        player = (self._first_players[record] + ply) % 2
        has_move = ply < move_counts[game]

        plies = np.zeros(len(game), PLY)
        _set_keys(plies, self._keys, position)
        plies["game"] = game + 1
        move = self._first_ply[record] + ply
        plies["move"][has_move] = self._move_numbers[move[has_move]]
        plies["rating"] = self._ratings[player, record]
        plies["result"] = _PLAYER_RESULTS[self._results[record], player]

        skipped = Skipped(others=end - begin - len(records))
        materials = None
        if material:
            first_player_results = _PLAYER_RESULTS[self._results[records], 0]
            materials = self._collect_materials(game, position, first_player_results)
        return Plies(plies, self._move_texts, self._make_games(records, move_counts), skipped, materials)

    def _collect_materials(
        self, game: np.ndarray, position: np.ndarray, results: np.ndarray
    ) -> MaterialPlies:
        """Return the materials that were on the board in some games, each once for each game.

        Args:
            game: For each ply, the index of its game.
            position: For each ply, the index of its position among the kernel's boards.
            results: For each game, the first player's result.
        """
        boards = _column_array(self._kernel, "board", np.uint8).reshape(-1, SQUARE_COUNT)[position]
        # Counting all kinds of pieces is slow, and most moves leave the material as it was.
        is_new = _may_have_new_material(boards, game)
        boards, game = boards[is_new], game[is_new]
        counts_by_kind = [(boards == kind).sum(axis=1) for kind in range(1, len(BOARD_PIECES) + 1)]
        distinct_rows = np.unique(np.column_stack((game, *counts_by_kind)), axis=0)
        letters = list_piece_letters(self._game)
        label_by_counts: dict[bytes, str] = {}
        materials: list[GameMaterial] = []
        for game_index, *kind_counts in distinct_rows.tolist():
            counts_key = bytes(kind_counts)
            if counts_key not in label_by_counts:
                pieces = "".join(map(mul, BOARD_PIECES, kind_counts))
                label_by_counts[counts_key] = format_material(pieces, letters)
            result = int(results[game_index])
            materials.append(GameMaterial(label_by_counts[counts_key], game_index + 1, result))
        return make_material_plies(materials)

    def _make_games(self, records: np.ndarray, move_counts: np.ndarray) -> pa.RecordBatch:
        """Return the rows of the table of games for some records of the kernel.

        `records` has the indexes of these records, and `move_counts` the number of moves of each of them.
        """
        record_indices = pa.array(records)
        tags = {name: values.take(record_indices) for name, values in self._tags.items()}
        tags["Date"] = pc.coalesce(tags["Date"], tags.pop("UTCDate"))
        numbers = np.arange(1, len(records) + 1, dtype=np.int32)
        results = [RESULTS[result] for result in self._results[records].tolist()]
        ratings_by_game = self._ratings[:, records].T.tolist()
        columns = [
            pa.array(numbers),
            *(pc.if_else(_is_known(tags[name]), tags[name], None) for name in tag_columns(self._game)),
            pa.array(results, pa.string()),
            pa.array(move_counts.astype(np.int32)),
            pa.array([average_rating(ratings) for ratings in ratings_by_game], pa.int32()),
            pa.array([parse_day(date or "") for date in tags["Date"].to_pylist()], pa.int32()),
        ]
        return pa.record_batch(columns, schema=games_schema(self._game))

    def _read_ratings(self, tag: str) -> list[int]:
        """Return for each record the rating in `tag`, such as ``WhiteElo``; 0 where there is none."""
        return [parse_rating(text) for text in self._tags[tag].to_pylist()]

    def _find_first_players(self) -> np.ndarray:
        """Return for each record the number of the player who moves first, 0 or 1.

        A record with the tag ``FEN`` may begin with the move of either player.
        """
        game = self._game
        _, usual_player = game.move_number(game.parse(game.start))
        first_players = np.full(self._kernel.games, usual_player, np.int64)
        records_with_fen = np.flatnonzero(_column_array(self._kernel, "setup", np.uint8))
        if not len(records_with_fen):
            return first_players
        fens = make_tag_array(self._kernel, "FEN").take(pa.array(records_with_fen)).to_pylist()
        # Many records may have the same start position, which is parsed once.
        player_by_fen: dict[str, int] = {}
        for record, fen in zip(records_with_fen.tolist(), fens, strict=True):
            if fen not in player_by_fen:
                position = game.read(fen).position
                player_by_fen[fen] = 0 if position is None else game.move_number(position)[1]
            first_players[record] = player_by_fen[fen]
        return first_players


_PLAYER_RESULTS: Final = np.array([results_by_player(result, 2) for result in RESULTS], np.uint8)
"""For each result of RESULTS the result for each of the two players."""


def _may_have_new_material(boards: np.ndarray, game: np.ndarray) -> np.ndarray:
    """Return for each position whether its material may differ from that of the position before it.

    It can only differ if the number of pieces or of pawns has changed, or if a game begins.

    Args:
        boards: For each position the number of the piece on each square; 0 if the square is empty.
        game: For each position the index of its game.
    """
    piece_counts = np.count_nonzero(boards, axis=1)
    pawn_counts = np.isin(boards, PAWN_NUMBERS).sum(axis=1)
    # Both counts in one number: there are fewer pawns than squares.
    totals = piece_counts * SQUARE_COUNT + pawn_counts
    is_new = np.ones(len(game), bool)
    is_new[1:] = (totals[1:] != totals[:-1]) | (game[1:] != game[:-1])
    return is_new


def _is_known(values: pa.Array) -> pa.Array:
    """Return for each value of a tag whether it is known; ``?`` and ``????.??.??`` are not."""
    return pc.match_substring_regex(values, KNOWN_VALUE)


def _column_array(kernel: RecordKernel, name: str, dtype: Any) -> np.ndarray:
    """Return a column that the last `kernel.read` filled, such as ``start``, as an array of type `dtype`.

    The array is not a copy, so the next `kernel.read` overwrites it.
    """
    return np.frombuffer(kernel.column(name), dtype)


def read_shard_plies(shard: Shard, game: Game, *, material: bool = False) -> Iterator[Plies]:
    """Yield the plies of all records of a shard, those of some hundred games at once.

    A ply is one position of a game with the move that followed.

    Args:
        shard: A piece of the input: a range of a file, or some files.
        game: The game. Records of other games are counted as skipped.
        material: Whether to collect the pieces on the board too.
    """
    columns = (*KERNEL_COLUMNS, "boards") if material else KERNEL_COLUMNS
    can_use_kernel = COMPILED and len(game.players) == 2
    kernel = record_kernel(game, columns) if can_use_kernel else None
    for file in shard.files:
        with open_shard(file) as blocks:
            for batch in blocks:
                for text in batch.column("text").to_pylist():
                    yield from read_block_plies(text, game, kernel, material=material)
