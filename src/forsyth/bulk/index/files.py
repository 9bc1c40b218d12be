"""The files of an index, and the temporary files from which it is built.

::

    book/manifest.json               game, variant, version, counts, and the parts with the first key of each
    book/moves/part-00000.parquet    one row per position and move, in the order of keys and moves
    book/games/part-00000.parquet    one row per game, in the order of numbers
    book/material/part-00000.parquet only with material: which pieces the games had on the board

Columns of ``moves``: ``key``, 16 bytes; ``move``, in canonical notation, null for games that ended there;
``games``; ``wins``, ``draws`` and ``losses`` of the player to move (games without a result count in none of
them, and with more than two players ``losses`` counts everything but wins); ``rated``, the number of games
in which that player has a rating; ``rating``, the average of these ratings; ``reached``, the numbers of the
games, null if there are more than MAX_LISTED_GAMES; ``latest`` and ``strongest``, up to TOP_GAMES games each,
null if there are not more than TOP_GAMES games.

Columns of ``games``: ``game``, its number, from 1; the tags that `tag_columns` names, as text; ``result``;
``plies``; ``rating``, the average of its players; ``day``, the date as a number such as 20240131, with zeros
for unknown parts.

``material`` has the columns of ``moves``. There ``move`` is the material, such as ``KRPvKR``, ``key`` is a
16-byte BLAKE2b hash of it, and the results are those of the first player. Queries may also write material
as the pieces of both sides in one word, with the first player's in capitals: ``KRPkrp`` is ``KRPvKRP``.

Until an index is complete, its plies are in *runs*. The plies of a run are sorted by the first bits of their
keys, so that a range of keys can be read alone. A run file begins with BUCKETS + 1 numbers of 8 bytes: the
number of plies before each range of keys, and the total. The plies follow. A JSON file beside it holds the
move texts. The content of a run depends on its shard alone: two attempts at one shard write the same bytes.

Memory: one run of about RUN_PLIES plies while runs are written; the requested range while they are read.

Stability: ``version`` in the manifest is increased with every change of this layout. Newer versions are
rejected. Limits: MAX_GAMES games.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from forsyth.atomic_write import atomic_write
from forsyth.bulk.engines.checkpoints import write_json
from forsyth.bulk.errors import BulkError, explaining_errors
from forsyth.bulk.index.tallies import MAX_LISTED_GAMES, MAX_PLIES, PLY, TOP_GAMES, GameLists, Tallies
from forsyth.bulk.verbs.material import SIDE_SEPARATOR, material_label, piece_letters
from forsyth.game import Game

VERSION: Final = 1
KIND: Final = "forsyth index"
MANIFEST: Final = "manifest.json"
MOVES: Final = "moves"
GAMES: Final = "games"
MATERIAL: Final = "material"
MAX_GAMES: Final = (1 << 31) - 1

GROUP_ROWS: Final = 1 << 13
"""Rows of a row group. A lookup reads one row group; its keys take an eighth of a megabyte."""
GAME_GROUP_ROWS: Final = 1 << 11
"""Rows of a row group of the table of games."""

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
_LIST_COLUMNS: Final = ("reached", "latest", "strongest")
_NUMBER_COLUMNS: Final = [*_COUNTS, *(f"{name}.list.element" for name in _LIST_COLUMNS)]
_TEXT_COLUMNS: Final = ["move", "rating"]


@dataclass(frozen=True, slots=True)
class TableFile:
    """One file of a table: its path in the index, the number of its rows, and its first key or game.

    A key is written as hexadecimal digits.
    """

    file: str
    rows: int
    first: str | int


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of an index: its game, its counts and its files."""

    game: str
    variant: str
    games: int
    positions: int
    """Number of different positions."""
    rows: int
    """Number of different pairs of a position and a move."""
    plies: int
    moves: tuple[TableFile, ...] = ()
    tables: tuple[TableFile, ...] = ()
    material: tuple[TableFile, ...] = ()
    """Parts of the material table; empty if the index was built without material."""
    version: int = VERSION
    kind: str = field(default=KIND)

    def to_dict(self) -> dict[str, Any]:
        """Return the manifest as JSON-ready data."""
        return asdict(self)

    def parts_of(self, table: str) -> tuple[TableFile, ...]:
        """Return the parts of the table `table`, MOVES or MATERIAL."""
        return self.material if table == MATERIAL else self.moves

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read the manifest of the index in `folder`. Raise `BulkError` if it is missing or not valid."""
        path = folder / MANIFEST
        with explaining_errors(str(path)):
            if not path.exists():
                raise BulkError(
                    f"{folder} is not an index, because it has no {MANIFEST}; build one with forsyth index"
                )
            text = path.read_text(encoding="utf-8")
        try:
            data = json.loads(text)
            if data["kind"] != KIND:
                raise ValueError(KIND)
            if data["version"] > VERSION:
                raise BulkError(
                    f"{folder} is an index of version {data['version']}, expected at most {VERSION}; "
                    "read it with a newer version of Forsyth"
                )
            for name in ("moves", "tables", "material"):
                data[name] = tuple(TableFile(**part) for part in data[name])
            return cls(**data)
        except (ValueError, KeyError, TypeError) as error:
            raise BulkError(f"{path} is not a valid manifest of an index; build the index again") from error


# --- moves ------------------------------------------------------------------------------------------


class MovesWriter:
    """Writes tallies, which must come in the order of keys, to a Parquet file."""

    def __init__(self, file: BinaryIO, texts: Sequence[str]) -> None:
        """Start the Parquet data in the open `file`.

        `texts` are the move texts that the numbers in tallies stand for; the first is empty, for no move.
        """
        self._texts = pa.array(texts, pa.string())
        self._writer = pq.ParquetWriter(
            file,
            MOVES_SCHEMA,
            # Hashes and packed numbers hardly compress, and no two of them are the same.
            compression={
                "key": "none",
                **dict.fromkeys(_NUMBER_COLUMNS, "none"),
                **dict.fromkeys(_TEXT_COLUMNS, "zstd"),
            },
            use_dictionary=_TEXT_COLUMNS,
            column_encoding=dict.fromkeys(_NUMBER_COLUMNS, "DELTA_BINARY_PACKED"),
            write_statistics=["key"],
            sorting_columns=[pq.SortingColumn(0)],
        )
        self.rows = 0
        self.positions = 0

    def write(self, tallies: Tallies) -> None:
        """Write counts of positions, whose keys must come after all keys that have been written already."""
        self.rows += len(tallies)
        is_new_position = (tallies.high[1:] != tallies.high[:-1]) | (tallies.low[1:] != tallies.low[:-1])
        self.positions += int(is_new_position.sum()) + bool(len(tallies))
        self._writer.write_table(self._make_table(tallies), row_group_size=GROUP_ROWS)

    def close(self) -> None:
        """Finish the Parquet data. The caller closes the file."""
        self._writer.close()

    def _make_table(self, tallies: Tallies) -> pa.Table:
        """Return tallies as an Arrow table with the columns of MOVES_SCHEMA."""
        keys = np.empty((len(tallies), 2), ">u8")
        keys[:, 0], keys[:, 1] = tallies.high, tallies.low
        moves = pa.DictionaryArray.from_arrays(
            pa.array(tallies.move.astype(np.int32), mask=tallies.move == 0), self._texts
        )
        # Rows without a rating become null below.
        average_rating = tallies.rating_sum / np.maximum(tallies.rated, 1)
        counts = (tallies.games, tallies.wins, tallies.draws, tallies.losses, tallies.rated)
        return pa.table(
            [
                pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), len(tallies), [None, pa.py_buffer(keys)]),
                moves.cast(pa.string()),
                *(pa.array(column.astype(np.int32)) for column in counts),
                pa.array(average_rating, mask=tallies.rated == 0),
                _make_list_column(tallies.listed, tallies.games <= MAX_LISTED_GAMES),
                _make_list_column(tallies.latest, tallies.games > TOP_GAMES),
                _make_list_column(tallies.strongest, tallies.games > TOP_GAMES),
            ],
            schema=MOVES_SCHEMA,
        )


def _make_list_column(lists: GameLists, is_present: np.ndarray) -> pa.Array:
    """Return lists as an Arrow column that is null in the rows where `is_present` is false."""
    return pa.ListArray.from_arrays(
        pa.array(lists.bounds.astype(np.int32)),
        pa.array(lists.games.astype(np.int32)),
        type=_LIST,
        mask=pa.array(~is_present),
    )


# --- the table of games -----------------------------------------------------------------------------


def tag_columns(game: Game) -> tuple[str, ...]:
    """Return the names of the PGN tags in the table of games, such as ``White`` and ``Event``."""
    return (*game.players, *rating_tags(game), "Event", "Site", "Date", "Round")


def rating_tags(game: Game) -> tuple[str, ...]:
    """Return the names of the tags with the players' ratings, such as ``WhiteElo``, one for each player."""
    return tuple(f"{player}Elo" for player in game.players)


def games_schema(game: Game) -> pa.Schema:
    """Return the Arrow schema of the table of games: number, tags, result, length, rating and day."""
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


def open_games_writer(file: BinaryIO, schema: pa.Schema) -> pq.ParquetWriter:
    """Return a Parquet writer of one part of the table of games, to the open `file`; the caller closes it."""
    return pq.ParquetWriter(file, schema, compression="zstd", write_statistics=["game"])


# --- material ---------------------------------------------------------------------------------------


MAX_PIECES: Final = 200
"""Maximum number of pieces in a query; no board has that many squares."""


def has_material(game: Game) -> bool:
    """Return whether an index of `game` can list material, such as ``KRPvKR``.

    Both sides must have the same kinds of pieces.
    """
    try:
        piece_letters(game)
    except BulkError:
        return False
    return True


def get_material(text: str, letters: str) -> str:
    """Return the material of a position that is written as canonical text, such as ``KRPvKR``.

    Pieces in hand (``[...]``) do not count. `letters` are the pieces of the first side, such as ``PNBRQK``.
    """
    board, _, _ = text.partition(" ")
    squares, _, _ = board.partition("[")
    return material_label(squares, letters)


def read_material(text: str, game: Game) -> str:
    """Return the material that a query names: both ``KRPvKR`` and ``KRPkr`` give ``KRPvKR``.

    Raise `BulkError` if `text` is not a material of the game.
    """
    letters = piece_letters(game)
    first, separator, second = text.partition(SIDE_SEPARATOR)
    names_both_sides = bool(separator) and first.isupper() and second.isupper()
    pieces = first + second.lower() if names_both_sides else text
    unknown_letters = set(pieces) - set(letters + letters.lower())
    if not pieces or len(pieces) > MAX_PIECES or unknown_letters:
        raise BulkError(
            f"{text[:40]!r} is not a material of {game.name}; write the letters of the "
            f"pieces of both sides, as in {letters[:2]}{SIDE_SEPARATOR}{letters[0]} "
            f"or {letters[:2]}{letters[0].lower()}"
        )
    return material_label(pieces, letters)


def material_key(material: str) -> str:
    """Return the key under which an index finds a material such as ``KRPvKR``, as 32 hexadecimal digits."""
    return blake2b(material.encode(), digest_size=16).hexdigest()


# --- runs -------------------------------------------------------------------------------------------


BUCKET_BITS: Final = 16
"""Number of leading bits of a key that number its bucket. NumPy sorts 16-bit numbers by counting."""
BUCKETS: Final = 1 << BUCKET_BITS
_OFFSET: Final = np.dtype("<u8")
RUN_PLIES: Final = 1 << 20
"""Number of plies of a run: about ten thousand games."""


class RunWriter:
    """Collects the plies of a shard and writes them to temporary files, which are called runs.

    The plies of a run are sorted by the first bits of their keys.
    """

    def __init__(self, folder: Path, shard: int) -> None:
        """Write runs of shard number `shard` into `folder`."""
        self.written = 0
        self.plies = 0
        self._folder = folder
        self._shard = shard
        self._batches: list[np.ndarray] = []
        self._texts: list[pa.Array] = []
        self._ply_count = 0

    def add(self, plies: np.ndarray, moves: pa.Array) -> None:
        """Add plies, and write a run if there are enough of them.

        The moves of `plies` are indices into `moves`. Writing the run changes `plies` in place.
        """
        self._batches.append(plies)
        self._texts.append(moves)
        self._ply_count += len(plies)
        self.plies += len(plies)
        if self._ply_count >= RUN_PLIES:
            self._write_run()

    def close(self) -> None:
        """Write the plies that have been added since the last run."""
        if self._ply_count:
            self._write_run()

    def _write_run(self) -> None:
        """Write the collected plies to one file, sorted by the first bits of their keys, and start anew.

        The file begins with the number of plies before each range of keys. A JSON file beside it contains the
        move texts.
        """
        # The same move has different numbers in the batches: give it one number in the whole run.
        texts = pa.concat_arrays(self._texts).dictionary_encode()
        indices = texts.indices.to_numpy().astype(np.uint32)
        offset = 0
        for batch, moves in zip(self._batches, self._texts, strict=True):
            batch["move"] = indices[offset : offset + len(moves)][batch["move"]]
            offset += len(moves)
        plies = np.concatenate(self._batches)
        buckets = (plies["high"] >> np.uint64(64 - BUCKET_BITS)).astype(np.uint16)
        # Stable: the plies of a bucket stay in the order of games.
        plies = reorder_plies(plies, np.argsort(buckets, kind="stable"))
        starts = np.concatenate(([0], np.cumsum(np.bincount(buckets, minlength=BUCKETS))))
        path = run_path(self._folder, self._shard, self.written)
        with explaining_errors(str(path), "written"):
            with atomic_write(path) as file:
                file.write(starts.astype("<u8").data)
                file.write(plies.data)
            write_json(path.with_suffix(".json"), {"moves": texts.dictionary.to_pylist()})
        self.written += 1
        self._batches = []
        self._texts = []
        self._ply_count = 0


def reorder_plies(plies: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return the plies with the indexes in `order`, in that order."""
    # NumPy reorders rows of integers several times faster than records.
    rows = plies.view(np.uint32).reshape(len(plies), -1)
    reordered: np.ndarray = rows.take(order, axis=0).view(PLY).reshape(len(order))
    return reordered


def run_path(folder: Path, shard: int, number: int) -> Path:
    """Return the path of run `number` of a shard, such as ``00003-00000.plies`` in `folder`."""
    return folder / f"{shard:05}-{number:05}.plies"


def read_move_texts(path: Path) -> list[str]:
    """Return the move texts of the run at `path`, to which the moves of its plies are indices."""
    with explaining_errors(str(path)):
        moves: list[str] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["moves"]
    return moves


@dataclass(frozen=True, slots=True)
class Run:
    """A temporary file with the plies of some games, sorted by the first bits of their keys.

    `games_before` is the number of games before its shard, `move_numbers` the number that each of its moves
    has in the whole index.
    """

    path: str
    games_before: int
    move_numbers: np.ndarray


class Window:
    """The plies of all runs in the buckets from `begin` to before `end`."""

    def __init__(self, runs: Sequence[Run], begin: int, end: int) -> None:
        """Read the offsets of these buckets in each run, but no plies yet."""
        self._runs = runs
        self._begin = begin
        size = _OFFSET.itemsize
        self._starts = [_read_array(run.path, _OFFSET, end - begin + 1, begin * size) for run in runs]
        self.count = sum(int(starts[-1] - starts[0]) for starts in self._starts)

    def pieces(self, width: int) -> Iterator[np.ndarray]:
        """Yield the plies of each `width` consecutive buckets, in the order of games.

        A bucket has all keys with the same first BUCKET_BITS bits. All plies are held in memory.
        """
        plies_of_runs = [
            _read_plies(run, int(offsets[0]), int(offsets[-1]))
            for run, offsets in zip(self._runs, self._starts, strict=True)
        ]
        bucket_count = len(self._starts[0]) - 1 if self._starts else 0
        for first in range(0, bucket_count, width):
            yield np.concatenate(
                [
                    plies[offsets[first] - offsets[0] : offsets[first + width] - offsets[0]]
                    for plies, offsets in zip(plies_of_runs, self._starts, strict=True)
                ]
            )

    def chunks(self) -> Iterator[np.ndarray]:
        """Yield all plies in the order of games, cut between games, at most MAX_PLIES at once."""
        parts: list[np.ndarray] = []
        count = 0
        for run, starts in zip(self._runs, self._starts, strict=True):
            begin, stop = int(starts[0]), int(starts[-1])
            while begin < stop:
                end = min(stop, begin + MAX_PLIES - count)
                parts.append(_read_plies(run, begin, end))
                count += end - begin
                begin = end
                if count == MAX_PLIES:
                    # Keep the last game, which may continue in the next chunk.
                    plies = np.concatenate(parts)
                    last_game = _find_last_game(plies)
                    yield plies[:last_game]
                    parts = [plies[last_game:]]
                    count = len(plies) - last_game
        if count:
            yield np.concatenate(parts)


def _read_plies(run: Run, begin: int, end: int) -> np.ndarray:
    """Read plies `begin` to before `end` of a run, with the numbers of games and moves in the whole index."""
    header_size = (BUCKETS + 1) * _OFFSET.itemsize
    plies = _read_array(run.path, PLY, end - begin, header_size + begin * PLY.itemsize)
    plies["game"] += np.uint32(run.games_before)
    plies["move"] = run.move_numbers[plies["move"]]
    return plies


def _read_array(path: str, dtype: np.dtype, count: int, offset: int) -> np.ndarray:
    """Read `count` values of type `dtype` from byte `offset` of a file.

    Raise `BulkError` if the file is too short.
    """
    with explaining_errors(path):
        numbers = np.fromfile(path, dtype, count, offset=offset)
    if len(numbers) != count:
        raise BulkError(
            f"{path} is truncated: it has {len(numbers)} entries at byte {offset}, expected {count}; "
            "run the command without --resume to start again"
        )
    return numbers


def _find_last_game(plies: np.ndarray) -> int:
    """Return the index of the first ply of the last game; `plies` must have at least two games."""
    return int(np.flatnonzero(plies["game"] != plies["game"][-1])[-1]) + 1
