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

Columns of ``games``: ``game``, its number, from 1; the tags that `list_tag_columns` returns, as text;
``result``; ``plies``; ``rating``, the average of its players; ``day``, the date as a number such as 20240131,
with zeros for unknown parts.

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
from forsyth.bulk.verbs.material import SIDE_SEPARATOR, format_material, list_piece_letters
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

KEY_BYTES: Final = 16
"""Size of the key of a position or material."""
KEY_WORDS: Final = 2
"""Number of 64-bit words in a key: its high and its low half."""
_HIGH_WORD, _LOW_WORD = range(KEY_WORDS)
_WORD_BITS: Final = 64

_GAME_LIST: Final = pa.list_(pa.field("element", pa.int32(), nullable=False))
COUNT_COLUMNS: Final = ("games", "wins", "draws", "losses", "rated")
MOVES_SCHEMA: Final = pa.schema(
    [
        pa.field("key", pa.binary(KEY_BYTES), nullable=False),
        pa.field("move", pa.string()),
        *(pa.field(name, pa.int32(), nullable=False) for name in COUNT_COLUMNS),
        pa.field("rating", pa.float64()),
        pa.field("reached", _GAME_LIST),
        pa.field("latest", _GAME_LIST),
        pa.field("strongest", _GAME_LIST),
    ]
)
_LIST_COLUMNS: Final = ("reached", "latest", "strongest")
_NUMBER_COLUMNS: Final = [*COUNT_COLUMNS, *(f"{name}.list.element" for name in _LIST_COLUMNS)]
_TEXT_COLUMNS: Final = ["move", "rating"]


@dataclass(frozen=True, slots=True)
class TableFile:
    """One file of a table, as it is listed in the manifest of an index."""

    file: str
    """The path of the file in the folder of the index."""
    rows: int
    first: str | int
    """The first key in the file, as hexadecimal digits, or the number of its first game."""


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
        """Return the manifest as a dictionary that can be written as JSON."""
        return asdict(self)

    def get_parts(self, table: str) -> tuple[TableFile, ...]:
        """Return the files of the table MOVES or MATERIAL, in the order of their keys."""
        return self.material if table == MATERIAL else self.moves

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read the manifest of the index in `folder`.

        Raise `BulkError` if the manifest is missing or not valid.
        """
        path = folder / MANIFEST
        with explaining_errors(str(path)):
            if not path.exists():
                raise BulkError(
                    f"{folder} is not an index, because it has no {MANIFEST}; build one with forsyth index"
                )
            text = path.read_text(encoding="utf-8")
        try:
            return cls._parse_json(text, folder)
        except (ValueError, KeyError, TypeError) as error:
            raise BulkError(f"{path} is not a valid manifest of an index; build the index again") from error

    @classmethod
    def _parse_json(cls, text: str, folder: Path) -> Manifest:
        """Return the manifest in the JSON text `text`, which is that of the index in `folder`.

        Raise `BulkError` if a newer version of Forsyth wrote it. Raise ValueError, KeyError or TypeError if
        the text is not a manifest.
        """
        data = json.loads(text)
        if data["kind"] != KIND:
            raise ValueError(f"the kind is {data['kind']!r}, expected {KIND!r}")
        if data["version"] > VERSION:
            raise BulkError(
                f"{folder} is an index of version {data['version']}, expected at most {VERSION}; "
                "read it with a newer version of Forsyth"
            )
        for name in ("moves", "tables", "material"):
            data[name] = tuple(TableFile(**part) for part in data[name])
        return cls(**data)


# --- moves ------------------------------------------------------------------------------------------


class MovesWriter:
    """Writes the counts of positions and moves, which are called tallies, to a Parquet file."""

    def __init__(self, file: BinaryIO, move_texts: Sequence[str]) -> None:
        """Write the beginning of the Parquet file to the open `file`.

        `move_texts` has the texts of all moves. In tallies a move is an index into them. The first text is
        empty and stands for no move.
        """
        self._move_texts = pa.array(move_texts, pa.string())
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
        """Write the counts of positions. Their keys must be above all keys that were written before."""
        self.rows += len(tallies)
        self.positions += _count_positions(tallies)
        self._writer.write_table(self._make_table(tallies), row_group_size=GROUP_ROWS)

    def close(self) -> None:
        """Finish the Parquet data. The caller closes the file."""
        self._writer.close()

    def _make_table(self, tallies: Tallies) -> pa.Table:
        """Return the counts of positions and moves as an Arrow table with the schema MOVES_SCHEMA."""
        is_no_move = tallies.move == 0
        moves = pa.DictionaryArray.from_arrays(
            pa.array(tallies.move.astype(np.int32), mask=is_no_move), self._move_texts
        )
        counts = [getattr(tallies, name) for name in COUNT_COLUMNS]
        # The average of no ratings is null. Dividing by 1 instead of 0 avoids a warning.
        average_ratings = tallies.rating_sum / np.maximum(tallies.rated, 1)
        has_no_rating = tallies.rated == 0
        has_few_games = tallies.games <= MAX_LISTED_GAMES
        has_top_games = tallies.games > TOP_GAMES
        return pa.table(
            [
                _make_key_column(tallies),
                moves.cast(pa.string()),
                *(pa.array(column.astype(np.int32)) for column in counts),
                pa.array(average_ratings, mask=has_no_rating),
                _make_list_column(tallies.listed, has_few_games),
                _make_list_column(tallies.latest, has_top_games),
                _make_list_column(tallies.strongest, has_top_games),
            ],
            schema=MOVES_SCHEMA,
        )


def _count_positions(tallies: Tallies) -> int:
    """Return the number of different positions in tallies, which are sorted by position."""
    if not len(tallies):
        return 0
    is_new_position = (tallies.high[1:] != tallies.high[:-1]) | (tallies.low[1:] != tallies.low[:-1])
    return 1 + int(is_new_position.sum())


def _make_key_column(tallies: Tallies) -> pa.Array:
    """Return the keys of the positions in tallies as an Arrow column of KEY_BYTES bytes per row."""
    words = np.empty((len(tallies), KEY_WORDS), ">u8")
    words[:, _HIGH_WORD] = tallies.high
    words[:, _LOW_WORD] = tallies.low
    buffers = [None, pa.py_buffer(words)]
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(KEY_BYTES), len(tallies), buffers)


def _make_list_column(lists: GameLists, is_present: np.ndarray) -> pa.Array:
    """Return lists of games as an Arrow column, with null in the rows where `is_present` is false."""
    return pa.ListArray.from_arrays(
        pa.array(lists.bounds.astype(np.int32)),
        pa.array(lists.games.astype(np.int32)),
        type=_GAME_LIST,
        mask=pa.array(~is_present),
    )


# --- the table of games -----------------------------------------------------------------------------


def list_tag_columns(game: Game) -> tuple[str, ...]:
    """Return the names of the PGN tags that the table of games has as columns, such as ``Event``."""
    return (*game.players, *list_rating_tags(game), "Event", "Site", "Date", "Round")


def list_rating_tags(game: Game) -> tuple[str, ...]:
    """Return the name of the PGN tag with the rating of each player, such as ``WhiteElo``."""
    return tuple(f"{player}Elo" for player in game.players)


def make_games_schema(game: Game) -> pa.Schema:
    """Return the Arrow schema of the table of games: number, tags, result, length, rating and day."""
    return pa.schema(
        [
            pa.field("game", pa.int32(), nullable=False),
            *(pa.field(name, pa.string()) for name in list_tag_columns(game)),
            pa.field("result", pa.string(), nullable=False),
            pa.field("plies", pa.int32(), nullable=False),
            pa.field("rating", pa.int32()),
            pa.field("day", pa.int32(), nullable=False),
        ]
    )


def open_games_writer(file: BinaryIO, schema: pa.Schema) -> pq.ParquetWriter:
    """Return a Parquet writer of one part of the table of games to the open `file`.

    The caller must close the writer.
    """
    return pq.ParquetWriter(file, schema, compression="zstd", write_statistics=["game"])


# --- material ---------------------------------------------------------------------------------------


MAX_PIECES: Final = 200
"""Maximum number of pieces in a query; no board has that many squares."""
_SHOWN_CHARS: Final = 40
"""Number of characters of a query that a message repeats."""


def has_material(game: Game) -> bool:
    """Return whether games of this kind can be found by the pieces on the board, such as ``KRPvKR``.

    Both sides of the game must have the same kinds of pieces.
    """
    try:
        list_piece_letters(game)
    except BulkError:
        return False
    return True


def get_material(text: str, letters: str) -> str:
    """Return the pieces on the board of a position, in the usual order, such as ``KRPvKR``.

    Args:
        text: The position as canonical text, such as ``8/5k2/8/... w - - 0 1``. Pieces in hand (``[...]``)
            do not count.
        letters: The letters of all kinds of pieces in upper case, such as ``KQRBNP``.
    """
    board, _, _ = text.partition(" ")
    squares, _, _ = board.partition("[")
    return format_material(squares, letters)


def read_material(text: str, game: Game) -> str:
    """Return the material that a query names: both ``KRPvKR`` and ``KRPkr`` give ``KRPvKR``.

    Raise `BulkError` if `text` is not a material of the game.
    """
    letters = list_piece_letters(game)
    first_side, separator, second_side = text.partition(SIDE_SEPARATOR)
    is_separated = bool(separator) and first_side.isupper() and second_side.isupper()
    # In `pieces`, those of the second side are in lower case.
    pieces = first_side + second_side.lower() if is_separated else text
    has_unknown_letter = not set(pieces) <= set(letters + letters.lower())
    if not pieces or len(pieces) > MAX_PIECES or has_unknown_letter:
        king_and_other = letters[:2]
        king = letters[0]
        raise BulkError(
            f"{text[:_SHOWN_CHARS]!r} is not a material of {game.name}; write the letters of the pieces of "
            f"both sides, as in {king_and_other}{SIDE_SEPARATOR}{king} or {king_and_other}{king.lower()}"
        )
    return format_material(pieces, letters)


def hash_material(material: str) -> str:
    """Return the key of a material, such as ``KRPvKR``, in an index, as 32 hexadecimal digits."""
    return blake2b(material.encode(), digest_size=KEY_BYTES).hexdigest()


# --- runs -------------------------------------------------------------------------------------------


BUCKET_BITS: Final = 16
"""Number of leading bits of a key that number its bucket. NumPy sorts 16-bit numbers by counting."""
BUCKETS: Final = 1 << BUCKET_BITS
_OFFSET: Final = np.dtype("<u8")
RUN_PLIES: Final = 1 << 20
"""Number of plies of a run: about ten thousand games."""


class RunWriter:
    """Collects the plies of a shard, a part of the input, and writes them to temporary files.

    A ply is one position of a game with the move that followed. The files are called runs. The plies of a run
    are sorted by the first bits of their keys.
    """

    def __init__(self, folder: Path, shard: int) -> None:
        """Prepare to write runs to `folder`. `shard` is the number of the shard."""
        self.run_count = 0
        """Number of runs that have been written."""
        self.ply_count = 0
        """Number of plies that have been added."""
        self._folder = folder
        self._shard = shard
        self._batches: list[np.ndarray] = []
        self._moves_by_batch: list[pa.Array] = []
        self._pending_plies = 0

    def add_plies(self, plies: np.ndarray, moves: pa.Array) -> None:
        """Add plies, and write a run when enough of them have been added.

        Args:
            plies: The plies, of type PLY. Their moves are changed in place when the run is written.
            moves: The texts of moves, such as ``Nf3``. In `plies`, a move is an index into them.
        """
        self._batches.append(plies)
        self._moves_by_batch.append(moves)
        self._pending_plies += len(plies)
        self.ply_count += len(plies)
        if self._pending_plies >= RUN_PLIES:
            self._write_run()

    def close(self) -> None:
        """Write the plies that have been added since the last run."""
        if self._pending_plies:
            self._write_run()

    def _write_run(self) -> None:
        """Write the collected plies to one file, sorted by the first bits of their keys.

        The file begins with the number of plies before each bucket, which has all keys with the same first
        bits. A JSON file beside it contains the move texts. After that, no plies are collected any more.
        """
        move_texts = self._renumber_moves()
        plies = np.concatenate(self._batches)
        buckets = (plies["high"] >> np.uint64(_WORD_BITS - BUCKET_BITS)).astype(np.uint16)
        # The sort is stable, so that the plies of a bucket stay in the order of games.
        sorted_plies = reorder_plies(plies, np.argsort(buckets, kind="stable"))
        bucket_sizes = np.bincount(buckets, minlength=BUCKETS)
        starts = np.concatenate(([0], np.cumsum(bucket_sizes)))
        path = make_run_path(self._folder, self._shard, self.run_count)
        with explaining_errors(str(path), "written"):
            with atomic_write(path) as file:
                file.write(starts.astype(_OFFSET).data)
                file.write(sorted_plies.data)
            write_json(path.with_suffix(".json"), {"moves": move_texts})
        self.run_count += 1
        self._batches = []
        self._moves_by_batch = []
        self._pending_plies = 0

    def _renumber_moves(self) -> list[str]:
        """Give each move the same number in all batches, and return the texts of the moves by number.

        The collected plies are changed in place. Before, a move may have different numbers in two batches.
        """
        moves = pa.concat_arrays(self._moves_by_batch).dictionary_encode()
        new_numbers = moves.indices.to_numpy().astype(np.uint32)
        offset = 0
        for batch, batch_moves in zip(self._batches, self._moves_by_batch, strict=True):
            numbers_of_batch = new_numbers[offset : offset + len(batch_moves)]
            batch["move"] = numbers_of_batch[batch["move"]]
            offset += len(batch_moves)
        move_texts: list[str] = moves.dictionary.to_pylist()
        return move_texts


def reorder_plies(plies: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return ``plies[order]``: the plies with the indices in `order`, but faster than NumPy does it."""
    # NumPy reorders rows of integers several times faster than records.
    rows = plies.view(np.uint32).reshape(len(plies), -1)
    reordered: np.ndarray = rows.take(order, axis=0).view(PLY).reshape(len(order))
    return reordered


def make_run_path(folder: Path, shard: int, number: int) -> Path:
    """Return the path of a run, a temporary file, such as ``00003-00000.plies`` in `folder`.

    In this example, 3 is the number of its shard, and 0 the number of the run in the shard.
    """
    return folder / f"{shard:05}-{number:05}.plies"


def read_move_texts(path: Path) -> list[str]:
    """Return the texts of the moves of a run, such as ``Nf3``, from the JSON file beside it.

    `path` is the file with the plies of the run, in which each move is an index into these texts.
    """
    with explaining_errors(str(path)):
        data = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    move_texts: list[str] = data["moves"]
    return move_texts


@dataclass(frozen=True, slots=True)
class Run:
    """A temporary file with the plies of some games, sorted by the first bits of their keys."""

    path: str
    games_before: int
    """Number of games of the index before its shard."""
    move_numbers: np.ndarray
    """For each move of the run, the number that the move has in the whole index."""


class BucketPlies:
    """The plies of all runs whose keys are in some consecutive buckets.

    A bucket has all keys with the same first BUCKET_BITS bits.
    """

    def __init__(self, runs: Sequence[Run], begin: int, end: int) -> None:
        """Read where the buckets from `begin` to before `end` are in each run.

        Their plies are read later.
        """
        self._runs = runs
        offset_count = end - begin + 1
        first_byte = begin * _OFFSET.itemsize
        self._offsets_by_run = [_read_array(run.path, _OFFSET, offset_count, first_byte) for run in runs]
        """For each run, the index of the first ply of each bucket, and the index behind the last ply."""
        self.count = sum(int(offsets[-1] - offsets[0]) for offsets in self._offsets_by_run)
        """Number of plies."""

    def iter_slices(self, width: int) -> Iterator[np.ndarray]:
        """Yield the plies of `width` buckets, then those of the next `width` buckets, and so on.

        The plies of each bucket are in the order of games. All plies are held in memory.
        """
        plies_by_run = [
            _read_plies(run, int(offsets[0]), int(offsets[-1]))
            for run, offsets in zip(self._runs, self._offsets_by_run, strict=True)
        ]
        bucket_count = len(self._offsets_by_run[0]) - 1 if self._runs else 0
        for first_bucket in range(0, bucket_count, width):
            slices = []
            for plies, offsets in zip(plies_by_run, self._offsets_by_run, strict=True):
                begin = offsets[first_bucket] - offsets[0]
                end = offsets[first_bucket + width] - offsets[0]
                slices.append(plies[begin:end])
            yield np.concatenate(slices)

    def iter_chunks(self) -> Iterator[np.ndarray]:
        """Yield all plies in the order of games, at most MAX_PLIES at once.

        The plies of one game are always yielded together.
        """
        pending: list[np.ndarray] = []
        pending_count = 0
        for run, offsets in zip(self._runs, self._offsets_by_run, strict=True):
            next_ply = int(offsets[0])
            end_of_run = int(offsets[-1])
            while next_ply < end_of_run:
                end = min(end_of_run, next_ply + MAX_PLIES - pending_count)
                pending.append(_read_plies(run, next_ply, end))
                pending_count += end - next_ply
                next_ply = end
                if pending_count == MAX_PLIES:
                    # Keep the last game, which may continue in the next chunk.
                    plies = np.concatenate(pending)
                    start_of_last_game = _find_last_game(plies)
                    yield plies[:start_of_last_game]
                    pending = [plies[start_of_last_game:]]
                    pending_count = len(plies) - start_of_last_game
        if pending_count:
            yield np.concatenate(pending)


def _read_plies(run: Run, begin: int, end: int) -> np.ndarray:
    """Return the plies of a run with the indices from `begin` to before `end`.

    In the run, games and moves have numbers of their own. In the result they have those of the whole index.
    """
    header_size = (BUCKETS + 1) * _OFFSET.itemsize
    first_byte = header_size + begin * PLY.itemsize
    plies = _read_array(run.path, PLY, end - begin, first_byte)
    plies["game"] += np.uint32(run.games_before)
    plies["move"] = run.move_numbers[plies["move"]]
    return plies


def _read_array(path: str, dtype: np.dtype, count: int, offset: int) -> np.ndarray:
    """Read `count` values of type `dtype` from a file, from byte `offset` on.

    Raise `BulkError` if the file is too short.
    """
    with explaining_errors(path):
        values = np.fromfile(path, dtype, count, offset=offset)
    if len(values) != count:
        raise BulkError(
            f"{path} is truncated: it has {len(values)} entries at byte {offset}, expected {count}; "
            "run the command without --resume to start again"
        )
    return values


def _find_last_game(plies: np.ndarray) -> int:
    """Return the index of the first ply of the last game in `plies`.

    `plies` is sorted by game and has at least two games.
    """
    games = plies["game"]
    last_game = games[-1]
    last_ply_of_other_games = np.flatnonzero(games != last_game)[-1]
    return int(last_ply_of_other_games) + 1
