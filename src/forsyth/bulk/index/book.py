"""Lookups in an index: the moves played in a position, and the games that reached it.

The results are values that the command line, the service and the web page show. An open `Book` holds its
manifest and at most MAX_OPEN_FILES open files. A lookup finds the part in the manifest and the row group in
the statistics of the file, and reads only that row group. A `Book` may be used by several threads.

Wins, draws and losses are those of the player to move. The `latest` and `strongest` games of an `Exploration`
are chosen from those of the moves that were played most often.
"""

from __future__ import annotations

import os
import threading
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from forsyth import registry
from forsyth.bulk.errors import BulkError, explaining_errors
from forsyth.bulk.index.files import (
    KEY_BYTES,
    MATERIAL,
    MOVES,
    Manifest,
    TableFile,
    hash_material,
    list_rating_tags,
    read_material,
)
from forsyth.bulk.index.tallies import TOP_GAMES
from forsyth.game import Game

MAX_OPEN_FILES: Final = 64
"""Maximum number of files that a `Book` keeps open."""

_KEY_COLUMN: Final = "key"
_GAME_COLUMN: Final = "game"


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move that was played in a position, with the results of the games, as an index stores it.

    Wins, draws and losses are those of the player to move. Games without a result count in none of them.
    """

    move: str | None
    """The move; None for the games that ended in the position. In rows of material, the material."""
    games: int
    wins: int
    draws: int
    losses: int
    rating: float | None
    """The average rating of the players who chose the move; None if none of them has a rating."""
    reached: tuple[int, ...] | None
    """The numbers of all games, or None if they are too many to be listed in an index."""
    latest: tuple[int, ...]
    strongest: tuple[int, ...]


class _GroupBounds(NamedTuple):
    """The first and the last value of the sorted first column in a row group."""

    first: Any
    last: Any


class _PartFile:
    """A Parquet file of the index, with the first and last value of each of its row groups."""

    def __init__(self, path: Path, sorted_column: str) -> None:
        """Open the file at `path`. Raise `BulkError` if its first column is not named `sorted_column`."""
        self.path = path
        self.lock = threading.Lock()
        with explaining_errors(str(path)):
            self.file = pq.ParquetFile(path, memory_map=True)
        self.columns: list[str] = self.file.schema_arrow.names
        self._bounds_by_group: dict[int, _GroupBounds] = {}
        first_column = self.columns[0]
        if first_column != sorted_column:
            raise BulkError(
                f"{path} is not a part of an index: its first column is {first_column!r}, "
                f"expected {sorted_column!r}; build the index again"
            )

    def find_groups(self, value: Any) -> range:
        """Return the indices of the row groups that may contain `value` in the first column.

        The column is sorted, so the groups are found by binary search.
        """
        groups = range(self.file.num_row_groups)
        begin = bisect_left(groups, value, key=lambda group: self._get_bounds(group).last)
        end = bisect_right(groups, value, lo=begin, key=lambda group: self._get_bounds(group).first)
        return range(begin, end)

    def _get_bounds(self, group: int) -> _GroupBounds:
        """Return the first and the last value of the first column in the row group with index `group`.

        They are read from the statistics in the file once, and cached.
        """
        if group not in self._bounds_by_group:
            statistics = self.file.metadata.row_group(group).column(0).statistics
            self._bounds_by_group[group] = _GroupBounds(statistics.min, statistics.max)
        return self._bounds_by_group[group]

    def read_group(self, group: int, columns: Sequence[str]) -> pa.Table:
        """Return the columns named in `columns` of the row group with index `group`.

        Raise `BulkError` if the file is damaged.
        """
        with explaining_errors(str(self.path)), self.lock:
            return self.file.read_row_group(group, columns=list(columns), use_threads=False)


class Book:
    """An open index. The constructor raises `BulkError` if the folder is not an index."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Read the manifest of the index in `folder`. Its other files are opened when they are needed."""
        self.folder = Path(folder)
        self.manifest = Manifest.read(self.folder)
        self._first_keys = {
            table: [bytes.fromhex(str(part.first)) for part in self.manifest.get_parts(table)]
            for table in (MOVES, MATERIAL)
        }
        """For each of the tables, the first key of each part."""
        self._first_games = [int(part.first) for part in self.manifest.tables]
        """For each part of the table of games, the number of its first game."""
        self._open_files: OrderedDict[str, _PartFile] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def game(self) -> Game:
        """The game of the records, in their variant."""
        return registry.game(self.manifest.game, self.manifest.variant)

    def played_moves(self, key: str) -> list[PlayedMove]:
        """Return the moves that were played in a position, the most frequent first.

        `key` is the key of the position: 32 hexadecimal digits, as `Game.key` returns them. If games ended in
        the position, the last entry counts these games, and its move is None. The list is empty if no game
        reached the position.
        """

        def sort_key(row: PlayedMove) -> tuple[bool, int, str]:
            """Return a key that sorts moves by frequency, and puts games that ended here at the end."""
            return row.move is None, -row.games, row.move or ""

        return sorted(self._find_rows(MOVES, bytes.fromhex(key)), key=sort_key)

    def with_material(self, pieces: str) -> list[PlayedMove]:
        """Return the counts of the games in which exactly these pieces were once on the board.

        Args:
            pieces: The pieces of both sides, such as ``KRPvKR``.

        Returns:
            A list of one row with the results of the first player, or an empty list if there is no such game.
            The `move` of the row is the material.

        Raises:
            BulkError: If `pieces` is not a material, or the index was built without material.
        """
        if not self.manifest.material:
            raise BulkError(f"{self.folder} is an index without material; build it again with --material")
        material = read_material(pieces, self.game)
        rows = self._find_rows(MATERIAL, bytes.fromhex(hash_material(material)))
        return [row for row in rows if row.move == material]

    def games(self, numbers: Iterable[int]) -> list[dict[str, Any]]:
        """Return the games with the given numbers, in the order of `numbers`.

        A game is a dictionary by column, such as ``{"game": 12, "White": "Carlsen, M", ...}``. Repeated
        numbers and numbers that the index does not have are left out.
        """
        distinct_numbers = list(dict.fromkeys(numbers))
        games: dict[int, dict[str, Any]] = {}
        for number in sorted(distinct_numbers):
            # Games of one row group are read together.
            if number not in games:
                games |= self._read_games_near(number, distinct_numbers)
        return [games[number] for number in distinct_numbers if number in games]

    def close(self) -> None:
        """Close all files that are open."""
        with self._lock:
            while self._open_files:
                _, part_file = self._open_files.popitem()
                part_file.file.close()

    # --- rows ---------------------------------------------------------------------------------------

    def _find_rows(self, table: str, key: bytes) -> list[PlayedMove]:
        """Return all rows with the key `key`, 16 bytes, of the table `table`, MOVES or MATERIAL."""
        # The last part whose first key is not above the key.
        part_index = bisect_right(self._first_keys[table], key) - 1
        if part_index < 0:
            return []
        part = self._open_part(self.manifest.get_parts(table)[part_index], _KEY_COLUMN)
        rows: list[PlayedMove] = []
        for group in part.find_groups(key):
            keys = part.read_group(group, [_KEY_COLUMN]).column(_KEY_COLUMN)
            matching_rows = _find_key_rows(keys, key)
            if matching_rows:
                _, *other_names = part.columns
                other_columns = part.read_group(group, other_names)
                matches = other_columns.slice(matching_rows.start, len(matching_rows))
                rows += [_make_played_move(row) for row in matches.to_pylist()]
        return rows

    def _read_games_near(self, number: int, wanted_numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
        """Return those of the wanted games that are in the same row group of the file as one of them.

        Args:
            number: The number of the one game.
            wanted_numbers: The numbers of all wanted games.

        Returns:
            Rows of the table of games, by number. There are none if the index has no game `number`.
        """
        part_index = bisect_right(self._first_games, number) - 1
        if part_index < 0:
            return {}
        part = self._open_part(self.manifest.tables[part_index], _GAME_COLUMN)
        games: dict[int, dict[str, Any]] = {}
        for group in part.find_groups(number):
            table = part.read_group(group, part.columns)
            # The numbers of games are consecutive.
            first_game = table.column(_GAME_COLUMN)[0].as_py()
            games_in_group = range(first_game, first_game + table.num_rows)
            indices = [game - first_game for game in wanted_numbers if game in games_in_group]
            games |= {row[_GAME_COLUMN]: row for row in table.take(indices).to_pylist()}
        return games

    def _open_part(self, part: TableFile, sorted_column: str) -> _PartFile:
        """Return the open file of a part of a table, and open it if necessary.

        `sorted_column` is the name of its first column. If more than MAX_OPEN_FILES files are open, the one
        that was used least recently is dropped.
        """
        with self._lock:
            # Removing the file and adding it again makes it the most recently used one.
            file = self._open_files.pop(part.file, None)
            if file is None:
                file = _PartFile(self.folder / part.file, sorted_column)
            self._open_files[part.file] = file
            if len(self._open_files) > MAX_OPEN_FILES:
                self._open_files.popitem(last=False)
        return file


def _find_key_rows(keys: pa.ChunkedArray, key: bytes) -> range:
    """Return the indices of the rows with the key `key` in the sorted column `keys`.

    They are consecutive. The range is empty if no row has the key.
    """
    column = keys.combine_chunks() if keys.num_chunks != 1 else keys.chunk(0)
    _, data = column.buffers()
    key_values = np.frombuffer(data, f"V{KEY_BYTES}", len(column), column.offset * KEY_BYTES)

    def read_key(row: int) -> bytes:
        """Return the key in one row."""
        key_bytes: bytes = key_values[row].tobytes()
        return key_bytes

    rows = range(len(key_values))
    begin = bisect_left(rows, key, key=read_key)
    end = bisect_right(rows, key, lo=begin, key=read_key)
    return range(begin, end)


def _make_played_move(row: dict[str, Any]) -> PlayedMove:
    """Convert a row of the table of moves or of material, a dictionary, to a `PlayedMove`."""
    reached = row["reached"]
    return PlayedMove(
        move=row["move"],
        games=row["games"],
        wins=row["wins"],
        draws=row["draws"],
        losses=row["losses"],
        rating=row["rating"],
        reached=None if reached is None else tuple(reached),
        latest=tuple(row["latest"] or ()),
        strongest=tuple(row["strongest"] or ()),
    )


# --- values to show ---------------------------------------------------------------------------------


_MAX_CANDIDATES: Final = 64
"""Maximum number of games to read for the latest and strongest: each may be elsewhere on the disk."""


@dataclass(frozen=True, slots=True)
class Player:
    """The name and the rating of a player; None if the record does not have them."""

    name: str | None
    rating: int | None


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game of an index, with some tags of its record; None if a tag is missing."""

    game: int
    players: tuple[Player, ...]
    result: str
    date: str | None
    event: str | None
    site: str | None
    round: str | None
    plies: int

    def to_dict(self) -> dict[str, Any]:
        """Return the game as a dictionary that can be written as JSON."""
        data = asdict(self)
        data["players"] = list(data["players"])
        return data


@dataclass(frozen=True, slots=True)
class MoveCounts:
    """A move that was played in a position, with the results of the player to move, to be shown."""

    move: str
    games: int
    wins: int
    draws: int
    losses: int
    rating: int | None
    """The average rating of the players who played it."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """The moves played in a position, their results, and the games that reached it."""

    text: str
    game: str
    variant: str
    key: str
    side: str
    """The player to move."""
    games: int
    """Number of games that reached the position. If not all are listed, a game may count more than once."""
    wins: int
    draws: int
    losses: int
    ended: int
    """Number of games that ended here."""
    moves: tuple[MoveCounts, ...]
    """The moves that were played, the most frequent first."""
    latest: tuple[GameSummary, ...]
    strongest: tuple[GameSummary, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the moves, counts and games as a dictionary that can be written as JSON."""
        data = asdict(self)
        data["moves"] = [asdict(move) for move in self.moves]
        data["latest"] = [game.to_dict() for game in self.latest]
        data["strongest"] = [game.to_dict() for game in self.strongest]
        return data


def explore(book: Book, game: Game, position: Any) -> Exploration:
    """Return the moves that were played in a position, their results, and some of the games.

    Args:
        book: The index in which the position is looked up.
        game: The game of the index, in its variant.
        position: The position, a value of this game.
    """
    key = game.key(position)
    rows = book.played_moves(key)
    return Exploration(
        text=game.write(position),
        game=book.manifest.game,
        variant=book.manifest.variant,
        key=key,
        side=game.side_to_move(position),
        games=collect_reached_games(rows).games,
        wins=sum(row.wins for row in rows),
        draws=sum(row.draws for row in rows),
        losses=sum(row.losses for row in rows),
        ended=sum(row.games for row in rows if row.move is None),
        moves=tuple(_make_move_counts(row) for row in rows if row.move is not None),
        latest=_summarise_best(book, _list_candidates(rows, "latest"), rank_column="day"),
        strongest=_summarise_best(book, _list_candidates(rows, "strongest"), rank_column="rating"),
    )


def _make_move_counts(row: PlayedMove) -> MoveCounts:
    """Return the counts of a played move without its games, and with its average rating rounded."""
    return MoveCounts(
        move=str(row.move),
        games=row.games,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        rating=None if row.rating is None else round(row.rating),
    )


def _list_candidates(rows: Iterable[PlayedMove], list_name: str) -> list[int]:
    """Return the numbers of the games that may be the latest or strongest ones of a position.

    `rows` are the moves that were played there, and `list_name` is ``latest`` or ``strongest``. At most
    _MAX_CANDIDATES numbers are returned, those of frequent moves first.
    """
    numbers: list[int] = []
    for row in rows:
        best_of_move = getattr(row, list_name)
        # A row of few games has no list of the best, because it names all of its games.
        if not best_of_move and row.reached is not None:
            best_of_move = row.reached[-TOP_GAMES:]
        numbers += best_of_move
    return numbers[:_MAX_CANDIDATES]


def _summarise_best(book: Book, numbers: Iterable[int], rank_column: str) -> tuple[GameSummary, ...]:
    """Return summaries of the TOP_GAMES latest or strongest of some games, best first.

    Args:
        book: The index.
        numbers: The numbers of the games to choose from.
        rank_column: The column of the table of games to sort by: ``day`` or ``rating``.
    """

    def rank_game(row: dict[str, Any]) -> tuple[int, int]:
        """Return the date or rating of a game, and its number to decide between equal ones."""
        return row[rank_column] or 0, row[_GAME_COLUMN]

    best_games = sorted(book.games(numbers), key=rank_game, reverse=True)[:TOP_GAMES]
    return tuple(summarise_game(book.game, row) for row in best_games)


def summarise_game(game: Game, row: dict[str, Any]) -> GameSummary:
    """Return a summary of one game of an index: its players, result, date and place.

    Args:
        game: The kind of game, such as chess, which has the names of the players: ``White`` and ``Black``.
        row: The row of the game in the table of games, as a dictionary by column.
    """
    players = tuple(
        Player(name=row[name_tag], rating=_parse_rating(row[rating_tag]))
        for name_tag, rating_tag in zip(game.players, list_rating_tags(game), strict=True)
    )
    return GameSummary(
        game=row[_GAME_COLUMN],
        players=players,
        result=row["result"],
        date=row["Date"],
        event=row["Event"],
        site=row["Site"],
        round=row["Round"],
        plies=row["plies"],
    )


def _parse_rating(text: str | None) -> int | None:
    """Return the rating in a PGN tag: ``2714`` gives 2714, and ``?`` or a missing tag gives None."""
    return int(text) if text and text.isdecimal() else None


@dataclass(frozen=True, slots=True)
class ReachedGames:
    """The games that reached a position, or in which some material was on the board."""

    numbers: tuple[int, ...]
    complete: bool
    """Whether `numbers` has all games. An index names only some games of a frequent position."""
    games: int
    """Number of games. If `numbers` is not complete, a game may count more than once."""


def collect_reached_games(rows: Sequence[PlayedMove]) -> ReachedGames:
    """Return the games that reached a position, and how many they are.

    Each of `rows` is a move that was played in the position. A row lists all of its games, or only some of
    them if they are many.
    """
    numbers = sorted({number for row in rows for number in _list_games(row)})
    is_complete = all(row.reached is not None for row in rows)
    game_count = len(numbers) if is_complete else sum(row.games for row in rows)
    return ReachedGames(tuple(numbers), is_complete, game_count)


def _list_games(row: PlayedMove) -> Iterable[int]:
    """Return the numbers of the games of a row, or of the latest and strongest if it has many."""
    if row.reached is not None:
        return row.reached
    return (*row.latest, *row.strongest)
