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
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from forsyth import registry
from forsyth.bulk.errors import BulkError, explaining_errors
from forsyth.bulk.index.files import (
    MATERIAL,
    MOVES,
    Manifest,
    TableFile,
    material_key,
    rating_tags,
    read_material,
)
from forsyth.bulk.index.tallies import TOP_GAMES
from forsyth.game import Game

MAX_OPEN_FILES: Final = 64
"""Maximum number of files that a `Book` keeps open."""

_KEY: Final = "key"


@dataclass(frozen=True, slots=True)
class Played:
    """One move that was played in a position; `move` is None for the games that ended there.

    In rows of material, `move` is the material. Wins, draws and losses are those of the player to move. Games
    without a result count in none of them.
    """

    move: str | None
    games: int
    wins: int
    draws: int
    losses: int
    rating: float | None
    """The average rating of the players who chose the move; None if none of them has a rating."""
    reached: tuple[int, ...] | None
    """The numbers of the games, or None if they are more than an index lists."""
    latest: tuple[int, ...]
    strongest: tuple[int, ...]


class _PartFile:
    """A Parquet file of the index, with the first and last value of each of its row groups."""

    def __init__(self, path: Path, column: str) -> None:
        """Open the file. Raise `BulkError` if its first column is not named `column`."""
        self.path = path
        self.lock = threading.Lock()
        with explaining_errors(str(path)):
            self.file = pq.ParquetFile(path, memory_map=True)
        self._firsts: dict[int, Any] = {}
        self._lasts: dict[int, Any] = {}
        if self.file.schema_arrow.names[0] != column:
            raise BulkError(
                f"{path} is not a part of an index: its first column is not {column!r}; build the index again"
            )

    def groups(self, value: Any) -> range:
        """Return the row groups, by index, that may contain `value` in the first column, which is sorted."""
        groups = range(self.file.num_row_groups)
        begin = bisect_left(groups, value, key=self._last_value)
        end = bisect_right(groups, value, lo=begin, key=self._first_value)
        return range(begin, end)

    def _first_value(self, group: int) -> Any:
        """Return the first value of the first column in a row group."""
        return self._bounds(group)[0]

    def _last_value(self, group: int) -> Any:
        """Return the last value of the first column in a row group."""
        return self._bounds(group)[1]

    def _bounds(self, group: int) -> tuple[Any, Any]:
        """Return the first and the last value of the first column in a row group, from its statistics."""
        if group not in self._firsts:
            statistics = self.file.metadata.row_group(group).column(0).statistics
            self._firsts[group], self._lasts[group] = statistics.min, statistics.max
        return self._firsts[group], self._lasts[group]

    def read(self, group: int, columns: Sequence[str]) -> pa.Table:
        """Return the columns with the names `columns` of a row group; raise `BulkError` if it is damaged."""
        with explaining_errors(str(self.path)), self.lock:
            return self.file.read_row_group(group, columns=list(columns), use_threads=False)


class Book:
    """An open index. The constructor raises `BulkError` if the folder is not an index."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Open the index in `folder`, whose files are opened when they are needed."""
        self.folder = Path(folder)
        self.manifest = Manifest.read(self.folder)
        self._keys = {
            table: [bytes.fromhex(str(part.first)) for part in self.manifest.parts_of(table)]
            for table in (MOVES, MATERIAL)
        }
        self._numbers = [int(part.first) for part in self.manifest.tables]
        self._open_files: OrderedDict[str, _PartFile] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def game(self) -> Game:
        """The game of the records, in their variant."""
        return registry.game(self.manifest.game, self.manifest.variant)

    def played(self, key: str) -> list[Played]:
        """Return the moves played in the position with this key, the most frequent first.

        `key` is written as hexadecimal digits, as `Game.key` returns it. Games that ended in the position are
        the last row.
        """
        rows = self._find_rows(MOVES, bytes.fromhex(key))
        return sorted(rows, key=lambda row: (row.move is None, -row.games, row.move or ""))

    def with_material(self, pieces: str) -> list[Played]:
        """Return rows with the games that had exactly these pieces, such as ``KRPvKR``, on the board.

        The results in the rows are those of the first player.

        Raise `BulkError` if `pieces` is not a material, or the index was built without material.
        """
        if not self.manifest.material:
            raise BulkError(f"{self.folder} is an index without material; build it again with --material")
        material = read_material(pieces, self.game)
        return [
            row
            for row in self._find_rows(MATERIAL, bytes.fromhex(material_key(material)))
            if row.move == material
        ]

    def games(self, numbers: Iterable[int]) -> list[dict[str, Any]]:
        """Return the games with these numbers, as rows of the table of games, in the order of `numbers`.

        Repeated numbers and numbers that the index does not have are left out.
        """
        wanted = list(dict.fromkeys(numbers))
        rows: dict[int, dict[str, Any]] = {}
        for number in sorted(wanted):
            if number not in rows:
                self._find_games(number, wanted, rows)
        return [rows[number] for number in wanted if number in rows]

    def close(self) -> None:
        """Close all files."""
        with self._lock:
            while self._open_files:
                self._open_files.popitem()[1].file.close()

    # --- rows ---------------------------------------------------------------------------------------

    def _find_rows(self, table: str, key: bytes) -> list[Played]:
        """Return the rows of the table MOVES or MATERIAL with this key of 16 bytes."""
        part_index = bisect_right(self._keys[table], key) - 1
        if part_index < 0:
            return []
        file = self._open_part(self.manifest.parts_of(table)[part_index], _KEY)
        rows: list[Played] = []
        for group in file.groups(key):
            begin, end = _find_key_rows(file.read(group, [_KEY]).column(0), key)
            if begin < end:
                matches = file.read(group, file.file.schema_arrow.names[1:]).slice(begin, end - begin)
                rows += [_make_played(row) for row in matches.to_pylist()]
        return rows

    def _find_games(self, number: int, wanted: Sequence[int], rows: dict[int, dict[str, Any]]) -> None:
        """Add to `rows` the game with this number, and all others of `wanted` in the same row group.

        `rows` has the rows of the table of games by their numbers.
        """
        part_index = bisect_right(self._numbers, number) - 1
        if part_index < 0:
            return
        file = self._open_part(self.manifest.tables[part_index], "game")
        for group in file.groups(number):
            table = file.read(group, file.file.schema_arrow.names)
            # The numbers of games are consecutive.
            first_game = table.column(0)[0].as_py()
            games_in_group = range(first_game, first_game + table.num_rows)
            indices = [game - first_game for game in wanted if game in games_in_group]
            rows |= {row["game"]: row for row in table.take(indices).to_pylist()}

    def _open_part(self, part: TableFile, column: str) -> _PartFile:
        """Return the file of a part, and open it if it is not open; `column` is the name of its first column.

        If more than MAX_OPEN_FILES files are open, the one that has not been used for longest is dropped.
        """
        with self._lock:
            file = self._open_files.pop(part.file, None)
            if file is None:
                file = _PartFile(self.folder / part.file, column)
            self._open_files[part.file] = file
            if len(self._open_files) > MAX_OPEN_FILES:
                self._open_files.popitem(last=False)
        return file


def _find_key_rows(keys: pa.ChunkedArray, key: bytes) -> tuple[int, int]:
    """Return the index of the first row with this key in a sorted column, and the index behind the last."""
    column = keys.combine_chunks() if keys.num_chunks != 1 else keys.chunk(0)
    key_values = np.frombuffer(column.buffers()[1], "V16", len(column), column.offset * 16)

    def read_key(row: int) -> bytes:
        key_bytes: bytes = key_values[row].tobytes()
        return key_bytes

    rows = range(len(key_values))
    begin = bisect_left(rows, key, key=read_key)
    end = bisect_right(rows, key, lo=begin, key=read_key)
    return begin, end


def _make_played(row: dict[str, Any]) -> Played:
    """Return a row of the table of moves or of material, as a dictionary by column, as `Played`."""
    reached = row["reached"]
    return Played(
        row["move"],
        row["games"],
        row["wins"],
        row["draws"],
        row["losses"],
        row["rating"],
        None if reached is None else tuple(reached),
        tuple(row["latest"] or ()),
        tuple(row["strongest"] or ()),
    )


# --- values to show ---------------------------------------------------------------------------------


_MAX_CANDIDATES: Final = 64
"""Maximum number of games to read for the latest and strongest: each may be elsewhere on the disk."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player's name and rating; None if the record does not have it."""

    name: str | None
    rating: int | None


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game of an index, with the tags of its record; None if a tag is missing."""

    game: int
    players: tuple[Player, ...]
    result: str
    date: str | None
    event: str | None
    site: str | None
    round: str | None
    plies: int

    def to_dict(self) -> dict[str, Any]:
        """Return the game as JSON-ready data."""
        data = asdict(self)
        data["players"] = list(data["players"])
        return data


@dataclass(frozen=True, slots=True)
class MoveCounts:
    """One move that was played, with its counts."""

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
        """Return the exploration as JSON-ready data."""
        data = asdict(self)
        data["moves"] = [asdict(move) for move in self.moves]
        for name in ("latest", "strongest"):
            data[name] = [game.to_dict() for game in getattr(self, name)]
        return data


def explore(book: Book, game: Game, position: Any) -> Exploration:
    """Return the moves that were played in `position`, their results, and some of the games.

    `game` must be the game of the index, and `position` one of its positions.
    """
    key = game.key(position)
    rows = book.played(key)
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
        moves=tuple(_count_move(row) for row in rows if row.move is not None),
        latest=_choose_games(book, rows, "latest", "day"),
        strongest=_choose_games(book, rows, "strongest", "rating"),
    )


def _count_move(row: Played) -> MoveCounts:
    """Return the counts of the move of a row, with the average rating rounded."""
    rating = None if row.rating is None else round(row.rating)
    return MoveCounts(str(row.move), row.games, row.wins, row.draws, row.losses, rating)


def _choose_games(book: Book, rows: Sequence[Played], name: str, by: str) -> tuple[GameSummary, ...]:
    """Return the TOP_GAMES latest or strongest games of a position, best first.

    Args:
        book: The index.
        rows: The moves that were played in the position.
        name: The list to choose from, ``latest`` or ``strongest``.
        by: The column of the table of games that ranks them, ``day`` or ``rating``.
    """
    numbers: list[int] = []
    for row in rows:
        # A row of few games has no such list, because it names all of them.
        numbers += getattr(row, name) or (row.reached or ())[-TOP_GAMES:]
    games = book.games(dict.fromkeys(numbers[:_MAX_CANDIDATES]))
    best = sorted(games, key=lambda row: (row[by] or 0, row["game"]), reverse=True)[:TOP_GAMES]
    return tuple(summarise_game(book.game, row) for row in best)


def summarise_game(game: Game, row: dict[str, Any]) -> GameSummary:
    """Return a summary of a row of the table of games, which is a dictionary by column."""
    players = tuple(
        Player(row[player], _parse_rating(row[rating_tag]))
        for player, rating_tag in zip(game.players, rating_tags(game), strict=True)
    )
    return GameSummary(
        row["game"],
        players,
        row["result"],
        row["Date"],
        row["Event"],
        row["Site"],
        row["Round"],
        row["plies"],
    )


def _parse_rating(text: str | None) -> int | None:
    """Return the rating in the value of a tag, or None if it is not a number."""
    return int(text) if text and text.isdecimal() else None


@dataclass(frozen=True, slots=True)
class ReachedGames:
    """The games that reached a position, or had a material."""

    numbers: tuple[int, ...]
    complete: bool
    """Whether `numbers` has all games. An index names only some games of a frequent position."""
    games: int
    """Number of games. If `numbers` is not complete, a game may count more than once."""


def collect_reached_games(rows: Sequence[Played]) -> ReachedGames:
    """Return the numbers of the games that the rows name, in order, and how many games there are."""
    listed = sorted({number for row in rows for number in _list_games(row)})
    complete = all(row.reached is not None for row in rows)
    game_count = len(listed) if complete else sum(row.games for row in rows)
    return ReachedGames(tuple(listed), complete, game_count)


def _list_games(row: Played) -> Iterable[int]:
    """Return the numbers of the games that a row names: all, or the latest and strongest if it has many."""
    return (*row.latest, *row.strongest) if row.reached is None else row.reached
