"""Looking things up in an index: what was played in a position, which games reached it, and both as values
that command line, service and page show.

An open `Book` holds its manifest and the footers of the files it has read, at most OPEN_FILES of them. A
look-up finds the part by the manifest, the row group by the keys in the footer, and reads that group alone.
It may be used by several threads.

Wins, draws and losses are those of the player who moves. The `latest` and `strongest` games of an
`Exploration` are chosen among those of the moves that were played most often.
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
from forsyth.bulk.index.tallies import SHOWN
from forsyth.game import Game

OPEN_FILES: Final = 64

_KEY: Final = "key"


@dataclass(frozen=True, slots=True)
class Played:
    """One move that was played in a position; `move` is None for the games that ended there.

    Wins, draws and losses are those of the player who moves; games without a result are in none of them.
    """

    move: str | None
    games: int
    wins: int
    draws: int
    losses: int
    rating: float | None
    """The average rating of the players who chose it, of those that have one."""
    reached: tuple[int, ...] | None
    """The numbers of its games; None where there are too many to list."""
    latest: tuple[int, ...]
    strongest: tuple[int, ...]


class _File:
    """A Parquet file of the index and where its row groups begin."""

    def __init__(self, path: Path, column: str) -> None:
        self.path = path
        self.lock = threading.Lock()
        with explaining_errors(str(path)):
            self.file = pq.ParquetFile(path, memory_map=True)
        self._firsts: dict[int, Any] = {}
        self._lasts: dict[int, Any] = {}
        if self.file.schema_arrow.names[0] != column:
            raise BulkError(f"{path} is not a part of an index; make the index again")

    def groups(self, value: Any) -> range:
        """The row groups that may hold a value of the first column, which is sorted."""
        count = self.file.num_row_groups
        begin = bisect_left(range(count), value, key=lambda group: self._bounds(group)[1])
        end = bisect_right(range(count), value, lo=begin, key=lambda group: self._bounds(group)[0])
        return range(begin, end)

    def _bounds(self, group: int) -> tuple[Any, Any]:
        if group not in self._firsts:
            found = self.file.metadata.row_group(group).column(0).statistics
            self._firsts[group], self._lasts[group] = found.min, found.max
        return self._firsts[group], self._lasts[group]

    def read(self, group: int, columns: Sequence[str]) -> pa.Table:
        """Some columns of a row group."""
        with explaining_errors(str(self.path)), self.lock:
            return self.file.read_row_group(group, columns=list(columns), use_threads=False)


class Book:
    """An index that is looked things up in; raises `BulkError` where a folder holds none."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.manifest = Manifest.read(self.folder)
        self._keys = {
            table: [bytes.fromhex(str(part.first)) for part in self.manifest.parts_of(table)]
            for table in (MOVES, MATERIAL)
        }
        self._numbers = [int(part.first) for part in self.manifest.tables]
        self._open: OrderedDict[str, _File] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def game(self) -> Game:
        """The game of its records, in their variant."""
        return registry.game(self.manifest.game, self.manifest.variant)

    def played(self, key: str) -> list[Played]:
        """What was played in the position of a key, what was played most often first."""
        rows = self._rows(MOVES, bytes.fromhex(key))
        return sorted(rows, key=lambda row: (row.move is None, -row.games, row.move or ""))

    def with_material(self, men: str) -> list[Played]:
        """The games that had exactly these men on the board; the results are those of the first player.

        Raises `BulkError` where the index was made without material.
        """
        if not self.manifest.material:
            raise BulkError(f"{self.folder} is an index without material; make it with --material")
        found = read_material(men, self.game)
        return [row for row in self._rows(MATERIAL, bytes.fromhex(material_key(found))) if row.move == found]

    def games(self, numbers: Iterable[int]) -> list[dict[str, Any]]:
        """The rows of the table of games with these numbers, in the order of `numbers`."""
        wanted = list(dict.fromkeys(numbers))
        found: dict[int, dict[str, Any]] = {}
        for number in sorted(wanted):
            if number not in found:
                self._find_games(number, wanted, found)
        return [found[number] for number in wanted if number in found]

    def close(self) -> None:
        """Give the files back."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].file.close()

    # --- rows ---------------------------------------------------------------------------------------

    def _rows(self, table: str, key: bytes) -> list[Played]:
        at = bisect_right(self._keys[table], key) - 1
        if at < 0:
            return []
        file = self._file(self.manifest.parts_of(table)[at], _KEY)
        rows: list[Played] = []
        for group in file.groups(key):
            begin, end = _span(file.read(group, [_KEY]).column(0), key)
            if begin < end:
                found = file.read(group, file.file.schema_arrow.names[1:]).slice(begin, end - begin)
                rows += [_played(row) for row in found.to_pylist()]
        return rows

    def _find_games(self, number: int, wanted: Sequence[int], found: dict[int, dict[str, Any]]) -> None:
        """Read the row group with a game, and take from it all that are wanted."""
        at = bisect_right(self._numbers, number) - 1
        if at < 0:
            return
        file = self._file(self.manifest.tables[at], "game")
        for group in file.groups(number):
            table = file.read(group, file.file.schema_arrow.names)
            first = table.column(0)[0].as_py()
            places = [one - first for one in wanted if 0 <= one - first < table.num_rows]
            found |= {row["game"]: row for row in table.take(places).to_pylist()}

    def _file(self, part: TableFile, column: str) -> _File:
        with self._lock:
            file = self._open.pop(part.file, None)
            if file is None:
                file = _File(self.folder / part.file, column)
            self._open[part.file] = file
            if len(self._open) > OPEN_FILES:
                self._open.popitem(last=False)
        return file


def _span(keys: pa.ChunkedArray, key: bytes) -> tuple[int, int]:
    """Where the rows of a key begin and end in a sorted column."""
    column = keys.combine_chunks() if keys.num_chunks != 1 else keys.chunk(0)
    words = np.frombuffer(column.buffers()[1], "V16", len(column), column.offset * 16)
    places = range(len(words))
    begin = bisect_left(places, key, key=lambda place: words[place].tobytes())
    end = bisect_right(places, key, lo=begin, key=lambda place: words[place].tobytes())
    return begin, end


def _played(row: dict[str, Any]) -> Played:
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


# --- what is shown ----------------------------------------------------------------------------------


_CANDIDATES: Final = 64
"""Most games looked at to find the latest and the strongest: each may be in another place of the disk."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who played; None where the record does not say it."""

    name: str | None
    rating: int | None


@dataclass(frozen=True, slots=True)
class GameShown:
    """One game of an index, as far as its record says it."""

    game: int
    players: tuple[Player, ...]
    result: str
    date: str | None
    event: str | None
    site: str | None
    round: str | None
    plies: int

    def to_dict(self) -> dict[str, Any]:
        """The game as JSON-ready data."""
        data = asdict(self)
        data["players"] = list(data["players"])
        return data


@dataclass(frozen=True, slots=True)
class MoveShown:
    """One move that was played."""

    move: str
    games: int
    wins: int
    draws: int
    losses: int
    rating: int | None
    """The average rating of who played it."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """What was played in a position."""

    text: str
    game: str
    variant: str
    key: str
    side: str
    """Who moves."""
    games: int
    """How many games came here; where there are too many to list, one that came back may count again."""
    wins: int
    draws: int
    losses: int
    ended: int
    """How many games ended here."""
    moves: tuple[MoveShown, ...]
    """What was played most often first."""
    latest: tuple[GameShown, ...]
    strongest: tuple[GameShown, ...]

    def to_dict(self) -> dict[str, Any]:
        """The exploration as JSON-ready data."""
        data = asdict(self)
        data["moves"] = [asdict(move) for move in self.moves]
        for name in ("latest", "strongest"):
            data[name] = [game.to_dict() for game in getattr(self, name)]
        return data


def explore(book: Book, game: Game, position: Any) -> Exploration:
    """What was played in a position of the index's game."""
    key = game.key(position)
    rows = book.played(key)
    return Exploration(
        text=game.write(position),
        game=book.manifest.game,
        variant=book.manifest.variant,
        key=key,
        side=game.side_to_move(position),
        games=reached(rows).games,
        wins=sum(row.wins for row in rows),
        draws=sum(row.draws for row in rows),
        losses=sum(row.losses for row in rows),
        ended=sum(row.games for row in rows if row.move is None),
        moves=tuple(_move(row) for row in rows if row.move is not None),
        latest=_chosen(book, rows, "latest", "day"),
        strongest=_chosen(book, rows, "strongest", "rating"),
    )


def _move(row: Played) -> MoveShown:
    rating = None if row.rating is None else round(row.rating)
    return MoveShown(str(row.move), row.games, row.wins, row.draws, row.losses, rating)


def _chosen(book: Book, rows: Sequence[Played], name: str, by: str) -> tuple[GameShown, ...]:
    """The games of all rows that are the latest or the strongest."""
    numbers = [number for row in rows for number in getattr(row, name) or (row.reached or ())[-SHOWN:]]
    found = book.games(dict.fromkeys(numbers[:_CANDIDATES]))
    best = sorted(found, key=lambda row: (row[by] or 0, row["game"]), reverse=True)[:SHOWN]
    return tuple(shown(book.game, row) for row in best)


def shown(game: Game, row: dict[str, Any]) -> GameShown:
    """A row of the table of games."""
    ratings = (row[tag] for tag in rating_tags(game))
    players = zip((row[name] for name in game.players), ratings, strict=True)
    return GameShown(
        row["game"],
        tuple(
            Player(name, int(rating) if rating and rating.isdecimal() else None) for name, rating in players
        ),
        row["result"],
        row["Date"],
        row["Event"],
        row["Site"],
        row["Round"],
        row["plies"],
    )


@dataclass(frozen=True, slots=True)
class Reached:
    """The games that reached a position, or had a material."""

    numbers: tuple[int, ...]
    complete: bool
    """Whether they are all; of a position of too many games the index names only some."""
    games: int
    """How many there are; where not all are named, a game that came back may count more than once."""


def reached(rows: Sequence[Played]) -> Reached:
    """The games of some rows, in the order of their numbers."""
    listed = sorted({number for row in rows for number in _listed(row)})
    complete = all(row.reached is not None for row in rows)
    return Reached(tuple(listed), complete, len(listed) if complete else sum(row.games for row in rows))


def _listed(row: Played) -> Iterable[int]:
    return (*row.latest, *row.strongest) if row.reached is None else row.reached
