"""The files of an index: sorted Parquet parts of what was played, parts of the table of games, the manifest.

::

    book/manifest.json               game, variant, version, counts, the parts and what each begins with
    book/moves/part-00000.parquet    a row for each position and move, in the order of keys and moves
    book/games/part-00000.parquet    a row for each game, in the order of numbers
    book/material/part-00000.parquet where asked for: what men games had on the board

Columns of ``moves``: ``key``, 16 bytes; ``move``, canonical notation, null where games ended; ``games``;
``wins``, ``draws`` and ``losses`` of the player who moves (games without a result are in none of them; with
more than two players ``losses`` is everything but a win); ``rating``, the average of the ``rated`` games'
ratings of that player; ``reached``, the numbers of the games, null where they are more than MOST_LISTED;
``latest`` and ``strongest``, SHOWN of them each, null where ``reached`` is not longer than that.

Columns of ``games``: ``game``, its number from 1; the tags that `tag_columns` names, as text; ``result``;
``plies``; ``rating``, the average of its players; ``day``, the date as a number such as 20240131, with zeros
for what is unknown.

``material`` has the columns of ``moves``. There ``move`` is the men, such as ``KRPvKR``, ``key`` the
first 16 bytes of their BLAKE2b hash, and the results are those of the first player.

Stability: ``version`` in the manifest grows with every change of this; a reader refuses a version it does
not know. Limits: MOST_GAMES games.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from forsyth.bulk.errors import BulkError, explaining_errors
from forsyth.bulk.index.tallies import MOST_LISTED, SHOWN, Lists, Tallies
from forsyth.game import Game

VERSION: Final = 1
KIND: Final = "forsyth index"
MANIFEST: Final = "manifest.json"
MOVES: Final = "moves"
GAMES: Final = "games"
MATERIAL: Final = "material"
MOST_GAMES: Final = (1 << 31) - 1

GROUP_ROWS: Final = 1 << 13
"""Rows of a row group: as many as a look-up reads, an eighth of a megabyte of keys."""
GAME_GROUP_ROWS: Final = 1 << 11

_LIST: Final = pa.list_(pa.field("element", pa.int32(), nullable=False))
_COUNTS: Final = ("games", "wins", "draws", "losses", "rated")
MOVES_SCHEMA: Final = pa.schema(
    [
        pa.field("key", pa.binary(16), nullable=False),
        pa.field("move", pa.string()),
        *(pa.field(name, pa.int32(), nullable=False) for name in _COUNTS),
        pa.field("rating", pa.float64()),
        pa.field("reached", _LIST),
        pa.field("latest", _LIST),
        pa.field("strongest", _LIST),
    ]
)
_LISTS: Final = ("reached", "latest", "strongest")
_NUMBERS: Final = [*_COUNTS, *(f"{name}.list.element" for name in _LISTS)]
_WORDS: Final = ["move", "rating"]


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a table: its rows, and the key (in hexadecimal digits) or the game it begins with."""

    file: str
    rows: int
    first: str | int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index holds."""

    game: str
    variant: str
    games: int
    positions: int
    """Different positions."""
    rows: int
    """Different positions with a move."""
    plies: int
    moves: tuple[Part, ...] = ()
    tables: tuple[Part, ...] = ()
    material: tuple[Part, ...] = ()
    """Empty where it was not asked for."""
    version: int = VERSION
    kind: str = field(default=KIND)

    def to_dict(self) -> dict[str, Any]:
        """The manifest as JSON-ready data."""
        return asdict(self)

    def parts_of(self, table: str) -> tuple[Part, ...]:
        """The parts of what was played, or of material."""
        return self.material if table == MATERIAL else self.moves

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The manifest of the index in a folder; raises `BulkError` where there is none."""
        path = folder / MANIFEST
        with explaining_errors(str(path)):
            if not path.exists():
                raise BulkError(
                    f"{folder} is not an index, it has no {MANIFEST}; make one with forsyth index"
                )
            text = path.read_text(encoding="utf-8")
        try:
            data = json.loads(text)
            if data["kind"] != KIND:
                raise ValueError(KIND)
            if data["version"] > VERSION:
                raise BulkError(
                    f"{folder} is an index of version {data['version']}, expected at most {VERSION}; "
                    "read it with a newer Forsyth"
                )
            for name in ("moves", "tables", "material"):
                data[name] = tuple(Part(**part) for part in data[name])
            return cls(**data)
        except (ValueError, KeyError, TypeError) as error:
            raise BulkError(f"{path} is not the manifest of an index; make the index again") from error


# --- what was played --------------------------------------------------------------------------------


class MovesWriter:
    """Writes tallies, in the order of keys, into a Parquet file."""

    def __init__(self, file: BinaryIO, texts: Sequence[str]) -> None:
        """`texts` are the moves in their order; the first of them is empty and means none."""
        self._texts = pa.array(texts, pa.string())
        self._writer = pq.ParquetWriter(
            file,
            MOVES_SCHEMA,
            # Hashes and packed numbers hardly get shorter, and are words of their own in a dictionary.
            compression={"key": "none", **dict.fromkeys(_NUMBERS, "none"), **dict.fromkeys(_WORDS, "zstd")},
            use_dictionary=_WORDS,
            column_encoding=dict.fromkeys(_NUMBERS, "DELTA_BINARY_PACKED"),
            write_statistics=["key"],
            sorting_columns=[pq.SortingColumn(0)],
        )
        self.rows = 0
        self.positions = 0

    def write(self, tallies: Tallies) -> None:
        """Write rows whose keys come after all that were written."""
        self.rows += len(tallies)
        fresh = (tallies.high[1:] != tallies.high[:-1]) | (tallies.low[1:] != tallies.low[:-1])
        self.positions += int(fresh.sum()) + bool(len(tallies))
        self._writer.write_table(self._table(tallies), row_group_size=GROUP_ROWS)

    def close(self) -> None:
        """Finish the file; who opened it closes it."""
        self._writer.close()

    def _table(self, tallies: Tallies) -> pa.Table:
        keys = np.empty((len(tallies), 2), ">u8")
        keys[:, 0], keys[:, 1] = tallies.high, tallies.low
        moves = pa.DictionaryArray.from_arrays(
            pa.array(tallies.move.astype(np.int32), mask=tallies.move == 0), self._texts
        )
        rating = tallies.rating_sum / np.maximum(tallies.rated, 1)
        counts = (tallies.games, tallies.wins, tallies.draws, tallies.losses, tallies.rated)
        return pa.table(
            [
                pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), len(tallies), [None, pa.py_buffer(keys)]),
                moves.cast(pa.string()),
                *(pa.array(one.astype(np.int32)) for one in counts),
                pa.array(rating, mask=tallies.rated == 0),
                _lists(tallies.listed, tallies.games <= MOST_LISTED),
                _lists(tallies.latest, tallies.games > SHOWN),
                _lists(tallies.strongest, tallies.games > SHOWN),
            ],
            schema=MOVES_SCHEMA,
        )


def _lists(lists: Lists, there: np.ndarray) -> pa.Array:
    """Lists as a column that is null where they are not there."""
    return pa.ListArray.from_arrays(
        pa.array(lists.bounds.astype(np.int32)),
        pa.array(lists.games.astype(np.int32)),
        type=_LIST,
        mask=pa.array(~there),
    )


# --- the table of games -----------------------------------------------------------------------------


def tag_columns(game: Game) -> tuple[str, ...]:
    """The tags of a game that its table keeps."""
    return (*game.players, *rating_tags(game), "Event", "Site", "Date", "Round")


def rating_tags(game: Game) -> tuple[str, ...]:
    """The tags with the ratings of the players, in order of moving."""
    return tuple(f"{player}Elo" for player in game.players)


def games_schema(game: Game) -> pa.Schema:
    """The columns of the table of games."""
    return pa.schema(
        [
            pa.field("game", pa.int32(), nullable=False),
            *(pa.field(name, pa.string()) for name in tag_columns(game)),
            pa.field("result", pa.string(), nullable=False),
            pa.field("plies", pa.int32(), nullable=False),
            pa.field("rating", pa.int32()),
            pa.field("day", pa.int32(), nullable=False),
        ]
    )


def games_writer(file: BinaryIO, schema: pa.Schema) -> pq.ParquetWriter:
    """A Parquet file for a part of the table of games."""
    return pq.ParquetWriter(file, schema, compression="zstd", write_statistics=["game"])
