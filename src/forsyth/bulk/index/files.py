"""The files of an index, and those it is built from: sorted Parquet parts of what was played, parts of the
table of games, the manifest; runs of plies.

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

A person may ask for material also as the men of both sides in a row, those of the first player in capitals:
``KRPkrp`` is ``KRPvKRP``.

Until an index is complete its plies are in *runs*, which are sorted by the first bits of the key, so that a
range of keys can be read alone. A run is a file that begins with how many plies lie before each of BUCKETS
ranges of keys, in 8 bytes each, and in the end all; then come the plies. Beside it are the texts of its
moves. What a run holds depends on the shard alone, so that two attempts at one shard write the same.

Memory: one run of about RUN_PLIES while runs are written; what is asked for while they are read.

Stability: ``version`` in the manifest grows with every change of this; a reader refuses a version it does
not know. Limits: MOST_GAMES games.
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
from forsyth.bulk.index.tallies import MOST_LISTED, MOST_PLIES, PLY, SHOWN, Lists, Tallies
from forsyth.bulk.verbs.material import BETWEEN, label_of, letters_of
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
class TableFile:
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
    moves: tuple[TableFile, ...] = ()
    tables: tuple[TableFile, ...] = ()
    material: tuple[TableFile, ...] = ()
    """Empty where it was not asked for."""
    version: int = VERSION
    kind: str = field(default=KIND)

    def to_dict(self) -> dict[str, Any]:
        """The manifest as JSON-ready data."""
        return asdict(self)

    def parts_of(self, table: str) -> tuple[TableFile, ...]:
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
                data[name] = tuple(TableFile(**part) for part in data[name])
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


# --- material ---------------------------------------------------------------------------------------


MOST_MEN: Final = 200
"""Most men that are asked for: more than any board has squares."""


def has_material(game: Game) -> bool:
    """Whether a game has two sides of equal men."""
    try:
        letters_of(game)
    except BulkError:
        return False
    return True


def material_of(text: str, letters: str) -> str:
    """The material of a canonical text."""
    return label_of(text.partition(" ")[0].partition("[")[0], letters)


def read_material(text: str, game: Game) -> str:
    """The material that a person asks for; raises `BulkError` for what is none."""
    letters = letters_of(game)
    first, between, second = text.partition(BETWEEN)
    men = first + second.lower() if between and first.isupper() and second.isupper() else text
    if not men or len(men) > MOST_MEN or set(men) - set(letters + letters.lower()):
        raise BulkError(
            f"{text[:40]!r} is no material of {game.name}; name the men of both sides by their letters, "
            f"as in {letters[:2]}{BETWEEN}{letters[0]} or {letters[:2]}{letters[0].lower()}"
        )
    return label_of(men, letters)


def material_key(men: str) -> str:
    """The key of a material, in hexadecimal digits."""
    return blake2b(men.encode(), digest_size=16).hexdigest()


# --- runs -------------------------------------------------------------------------------------------


BUCKET_BITS: Final = 16
"""As many as NumPy sorts by counting."""
BUCKETS: Final = 1 << BUCKET_BITS
_START: Final = np.dtype("<u8")
RUN_PLIES: Final = 1 << 20
"""Plies of a run: some ten thousand games."""


class RunWriter:
    """Takes the plies of a shard and writes them as runs."""

    def __init__(self, folder: Path, shard: int) -> None:
        self.written = 0
        self.plies = 0
        self._folder = folder
        self._shard = shard
        self._waiting: list[np.ndarray] = []
        self._texts: list[pa.Array] = []
        self._count = 0

    def add(self, plies: np.ndarray, moves: pa.Array) -> None:
        """Take plies whose moves are places in `moves`."""
        self._waiting.append(plies)
        self._texts.append(moves)
        self._count += len(plies)
        self.plies += len(plies)
        if self._count >= RUN_PLIES:
            self._write()

    def close(self) -> None:
        """Write what is left."""
        if self._count:
            self._write()

    def _write(self) -> None:
        texts = pa.concat_arrays(self._texts).dictionary_encode()
        places, first = texts.indices.to_numpy().astype(np.uint32), 0
        for waiting, moves in zip(self._waiting, self._texts, strict=True):
            waiting["move"] = places[first : first + len(moves)][waiting["move"]]
            first += len(moves)
        plies = np.concatenate(self._waiting)
        buckets = (plies["high"] >> np.uint64(64 - BUCKET_BITS)).astype(np.uint16)
        # Stable: the plies of a bucket stay in the order of games.
        plies = taken(plies, np.argsort(buckets, kind="stable"))
        starts = np.concatenate(([0], np.cumsum(np.bincount(buckets, minlength=BUCKETS))))
        path = run_path(self._folder, self._shard, self.written)
        with explaining_errors(str(path), "written"):
            with atomic_write(path) as file:
                file.write(starts.astype("<u8").data)
                file.write(plies.data)
            write_json(path.with_suffix(".json"), {"moves": texts.dictionary.to_pylist()})
        self.written += 1
        self._waiting, self._texts, self._count = [], [], 0


def taken(plies: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Plies in an order: as rows of plain numbers, which NumPy takes several times as fast as records."""
    rows = plies.view(np.uint32).reshape(len(plies), -1)
    found: np.ndarray = rows.take(order, axis=0).view(PLY).reshape(len(order))
    return found


def run_path(folder: Path, shard: int, number: int) -> Path:
    """Where a run of a shard lies."""
    return folder / f"{shard:05}-{number:05}.plies"


def moves_of(path: Path) -> list[str]:
    """The move texts of a run."""
    with explaining_errors(str(path)):
        moves: list[str] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["moves"]
    return moves


@dataclass(frozen=True, slots=True)
class Run:
    """A run among all: how many games come before its shard's, and the places of its moves among all."""

    path: str
    games_before: int
    places: np.ndarray


class Window:
    """The plies of all runs in the buckets from `begin` on and before `end`."""

    def __init__(self, runs: Sequence[Run], begin: int, end: int) -> None:
        self._runs = runs
        self._begin = begin
        size = _START.itemsize
        self._starts = [_from_file(run.path, _START, end - begin + 1, begin * size) for run in runs]
        self.count = sum(int(starts[-1] - starts[0]) for starts in self._starts)

    def pieces(self, width: int) -> Iterator[np.ndarray]:
        """The plies of each `width` buckets, in the order of games; all of them are held in memory."""
        read = [
            _read(run, int(starts[0]), int(starts[-1]))
            for run, starts in zip(self._runs, self._starts, strict=True)
        ]
        for first in range(0, len(self._starts[0]) - 1 if self._starts else 0, width):
            yield np.concatenate(
                [
                    plies[starts[first] - starts[0] : starts[first + width] - starts[0]]
                    for plies, starts in zip(read, self._starts, strict=True)
                ]
            )

    def chunks(self) -> Iterator[np.ndarray]:
        """All plies in the order of games, at most MOST_PLIES at once, cut between games."""
        waiting: list[np.ndarray] = []
        count = 0
        for run, starts in zip(self._runs, self._starts, strict=True):
            place, stop = int(starts[0]), int(starts[-1])
            while place < stop:
                end = min(stop, place + MOST_PLIES - count)
                waiting.append(_read(run, place, end))
                count += end - place
                place = end
                if count == MOST_PLIES:
                    whole = np.concatenate(waiting)
                    cut = _last_game(whole)
                    yield whole[:cut]
                    waiting, count = [whole[cut:]], len(whole) - cut
        if count:
            yield np.concatenate(waiting)


def _read(run: Run, begin: int, end: int) -> np.ndarray:
    head = (BUCKETS + 1) * _START.itemsize
    plies = _from_file(run.path, PLY, end - begin, head + begin * PLY.itemsize)
    plies["game"] += np.uint32(run.games_before)
    plies["move"] = run.places[plies["move"]]
    return plies


def _from_file(path: str, kind: np.dtype, count: int, offset: int) -> np.ndarray:
    with explaining_errors(path):
        found = np.fromfile(path, kind, count, offset=offset)
    if len(found) != count:
        raise BulkError(f"{path} is cut off; run the command without --resume to begin again")
    return found


def _last_game(plies: np.ndarray) -> int:
    """Where the plies of the last game begin."""
    return int(np.flatnonzero(plies["game"] != plies["game"][-1])[-1]) + 1
