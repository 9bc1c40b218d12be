"""Records as plies: what each position of a main line was followed by, from the view of who moved.

A record gives a ply for each position of its main line, the last one with no move. Of a record with an error
the positions before it count. Records of another game or variant than the index are left out, and those of
which no move can be read.

The result counts for the player who moves: with two players a win, a draw or a loss; with more a win is a
whole point and everything else the rest. A rating is a number of at most five digits in the player's tag,
such as ``WhiteElo``; a date is ``YYYY.MM.DD`` in ``Date``, else in ``UTCDate``, where ``??`` is unknown.

Where a game of two players has a record kernel, its columns become plies without a Python object for each;
what the kernel leaves to the record reader is read by it. Games have their numbers in the order of the
records.
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

from forsyth.bulk.index.files import games_schema, material_key, material_of, rating_tags, tag_columns
from forsyth.bulk.index.tallies import DRAW, LOSS, MOST_WORTH, PLY, UNFINISHED, WIN
from forsyth.bulk.sources.pgn import strings, tag_strings
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.bulk.verbs.material import label_of, letters_of
from forsyth.game import Game
from forsyth.record import Record, RecordReading, read_records
from forsyth.record.kernels import record_kernel
from forsyth.record_bytes.columns import RESULTS, TAKEN, RecordKernel
from forsyth.record_bytes.words import COMPILED

BATCH_PLIES: Final = 1 << 16
"""About how many plies are given at once."""

SAYING: Final = r"[^?.\- ]"
"""What is in the value of a tag that says something."""
_DATE: Final = re.compile(r"(\d{4})[./-](\d\d|\?\?)[./-](\d\d|\?\?)")
_RATING: Final = re.compile(r"0*([0-9]{1,5})")
_MOST_RATING: Final = 65535
_SHARES: Final = {"0": 0, "1/2": 1, "1": 2}


@dataclass(frozen=True, slots=True)
class Skipped:
    """What did not become plies."""

    others: int = 0
    """Records of another game or variant, or without a position."""
    faulty: int = 0
    """Records with an error, of which the positions before it count."""

    def __add__(self, other: Skipped) -> Skipped:
        return Skipped(self.others + other.others, self.faulty + other.faulty)


@dataclass(frozen=True, slots=True)
class MaterialPlies:
    """Each material of a game once, as plies whose keys are those of the materials."""

    plies: np.ndarray
    texts: pa.Array
    """The materials that the plies' moves are places in."""


@dataclass(frozen=True, slots=True)
class Plies:
    """The plies of some games, whose numbers begin with 1, and what the table of games says about them."""

    plies: np.ndarray
    moves: pa.Array
    """The texts that the plies' moves are places in."""
    games: pa.RecordBatch
    skipped: Skipped = field(default_factory=Skipped)
    material: MaterialPlies | None = None
    """What men the games had, where that was asked for."""


def plies_of(
    readings: Iterable[RecordReading[Any, Any]], game: Game, *, material: bool = False
) -> Iterator[Plies]:
    """The plies of records of a game and variant, some thousands at once."""
    rows = _Rows(game, material)
    for reading in readings:
        rows.add(reading)
        if len(rows) >= BATCH_PLIES:
            yield rows.taken()
            rows = _Rows(game, material)
    yield rows.taken()


class _Rows:
    """The plies of records that were read one by one."""

    def __init__(self, game: Game, material: bool) -> None:
        self._game = game
        self._letters = letters_of(game) if material else ""
        self._materials: list[tuple[str, int, int]] | None = [] if material else None
        self._keys: list[str] = []
        self._rest: list[tuple[int, int, int, int]] = []
        self._moves: dict[str, int] = {"": 0}
        self._table: list[list[Any]] = []
        self._skipped = Skipped()

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, reading: RecordReading[Any, Any]) -> None:
        record = reading.record
        if record is None or not _is_of(reading, record, self._game):
            self._skipped += Skipped(others=1)
            return
        self._skipped += Skipped(faulty=int(not reading.ok))
        self._add(record)

    def _add(self, record: Record[Any, Any]) -> None:
        game, number, moves = record.game, len(self._table) + 1, self._moves
        tags = dict(record.tags)
        ratings = [rating_of(tags.get(tag)) for tag in rating_tags(game)]
        results = results_of(record.result, len(game.players))
        texts = [*record.moves, ""]
        for position, text in zip(record.positions(), texts, strict=True):
            player = game.move_number(position)[1]
            self._keys.append(game.key(position))
            move = moves.setdefault(text, len(moves))
            self._rest.append((number, move, ratings[player], results[player]))
        if self._materials is not None:
            written = map(game.write, record.positions())
            found = dict.fromkeys(material_of(text, self._letters) for text in written)
            self._materials += [(men, number, results[0]) for men in found]
        tags.setdefault("Date", tags.get("UTCDate", ""))
        shown = [_known(tags.get(name)) for name in tag_columns(game)]
        self._table.append(
            [number, *shown, record.result, len(record.line), strength_of(ratings), day_of(tags["Date"])]
        )

    def taken(self) -> Plies:
        """All of them."""
        plies = np.zeros(len(self._keys), PLY)
        words = np.frombuffer(bytes.fromhex("".join(self._keys)), ">u8")
        plies["high"], plies["low"] = words[::2], words[1::2]
        rest = np.array(self._rest, np.int64).reshape(-1, 4)
        for place, name in enumerate(("game", "move", "rating", "result")):
            plies[name] = rest[:, place]
        schema = games_schema(self._game)
        columns = zip(*self._table, strict=True) if self._table else [()] * len(schema)
        arrays = [pa.array(values, one.type) for values, one in zip(columns, schema, strict=True)]
        games = pa.record_batch(arrays, schema=schema)
        material = None if self._materials is None else material_plies(self._materials)
        return Plies(plies, pa.array(list(self._moves), pa.string()), games, self._skipped, material)


def material_plies(found: Sequence[tuple[str, int, int]]) -> MaterialPlies:
    """Materials of games, each with the game's number and its result for the first player."""
    places: dict[str, int] = {}
    plies = np.zeros(len(found), PLY)
    plies["move"] = [places.setdefault(men, len(places)) for men, _, _ in found]
    plies["game"] = [number for _, number, _ in found]
    plies["result"] = [result for _, _, result in found]
    words = np.frombuffer(bytes.fromhex("".join(map(material_key, places))), ">u8")
    plies["high"], plies["low"] = words[::2][plies["move"]], words[1::2][plies["move"]]
    return MaterialPlies(plies, pa.array(list(places), pa.string()))


def _is_of(reading: RecordReading[Any, Any], record: Record[Any, Any], game: Game) -> bool:
    """Whether a record is of a game and variant; one whose first move cannot be read is of another."""
    found = record.game
    return (found.name, found.variant) == (game.name, game.variant) and (reading.ok or bool(record.line))


def _known(value: str | None) -> str | None:
    """A tag's value, unless it says that nothing is known."""
    return value if value is not None and re.search(SAYING, value) else None


def results_of(result: str, players: int) -> list[int]:
    """A result from the view of each player."""
    shares = [_SHARES.get(share) for share in result.split("-")]
    if len(shares) != players or None in shares:
        return [UNFINISHED] * players
    if players > 2:
        return [WIN if share == 2 else LOSS for share in shares]
    first, second = (share or 0 for share in shares)
    if first == second:
        return [DRAW, DRAW]
    return [WIN, LOSS] if first > second else [LOSS, WIN]


def rating_of(text: str | None) -> int:
    """The rating in a tag; 0 where there is none."""
    found = _RATING.fullmatch(text.strip()) if text else None
    return min(int(found[1]), _MOST_RATING) if found else 0


def strength_of(ratings: Iterable[int]) -> int | None:
    """The average of the ratings that are known, or None."""
    known = [rating for rating in ratings if rating]
    return sum(known) // len(known) if known else None


def day_of(text: str) -> int:
    """The date in a tag as a number such as 20240131; what is unknown is nought."""
    found = _DATE.match(text)
    if found is None:
        return 0
    year, month, day = (0 if part == "??" else int(part) for part in found.groups())
    return year * 10000 + month * 100 + day


def day_ranks(days: np.ndarray) -> np.ndarray:
    """Numbers of dates that are in the same order and at most MOST_WORTH."""
    ranks = (days // 10000 * 13 + days // 100 % 100) * 32 + days % 100
    bounded: np.ndarray = np.minimum(ranks, MOST_WORTH).astype(np.uint32)
    return bounded


# --- what a kernel reads ----------------------------------------------------------------------------


WANTED: Final = ("keys",)
"""What the kernel is asked for."""
MEN: Final = "PNBRQKpnbrqk"
"""The men that the numbers of a kernel's boards mean, from 1 on."""
PAWNS: Final = (1, 7)
SQUARES: Final = 64
_KEY: Final = np.dtype(">u8")


def plies_of_block(
    text: bytes, game: Game, kernel: RecordKernel | None, *, material: bool = False
) -> Iterator[Plies]:
    """The plies of a block of whole records; without a kernel the record reader reads all of them."""
    if kernel is None:
        yield from _read(text, game, material)
        return
    at = 0
    while (end := kernel.read(text, at, True)) > at:
        yield from _in_order(text, game, kernel, material)
        at = end


def _read(text: bytes, game: Game, material: bool) -> Iterator[Plies]:
    source = io.StringIO(text.decode("utf-8", "surrogateescape"), newline="")
    return plies_of(read_records(source, game), game, material=material)


def _in_order(text: bytes, game: Game, kernel: RecordKernel, material: bool) -> Iterator[Plies]:
    """What the kernel took, and between it what the reader says of the stretches it did not take."""
    starts, ends = (_numbers(kernel, name, np.int64) for name in ("start", "end"))
    verdicts = _numbers(kernel, "verdict", np.uint8)
    taken = _Taken(game, kernel)
    row = 0
    for asked in [*np.flatnonzero(verdicts != TAKEN).tolist(), kernel.games]:
        if row < asked:
            yield taken.plies(row, asked, material)
        if asked < kernel.games:
            yield from _read(text[starts[asked] : ends[asked]], game, material)
        row = asked + 1


class _Taken:
    """The rows of one call of a kernel."""

    def __init__(self, game: Game, kernel: RecordKernel) -> None:
        self._game = game
        self._kernel = kernel
        self._first_ply = _numbers(kernel, "first_ply", np.int32)
        self._first_position = _numbers(kernel, "first_position", np.int32)
        self._results = _numbers(kernel, "result", np.uint8)
        self._keys = _numbers(kernel, "key", _KEY)
        texts = strings(kernel.san_texts()).dictionary_encode()
        self._moves = texts.indices.to_numpy().astype(np.uint32) + np.uint32(1)
        self._texts = pa.concat_arrays([pa.array([""]), texts.dictionary])
        self._tags = {name: tag_strings(self._kernel, name) for name in (*tag_columns(game), "UTCDate")}
        self._is_of = _numbers(kernel, "variant", np.uint8) == game.variants.index(game.variant)
        self._ratings = np.array([self._ratings_of(tag) for tag in rating_tags(game)], np.uint16)
        self._beginners = self._who_begins()

    def plies(self, begin: int, end: int, material: bool) -> Plies:
        """The plies of the games from row `begin` on and before `end`, all of which were taken."""
        rows = begin + np.flatnonzero(self._is_of[begin:end])
        counts = np.diff(self._first_ply)[rows] + 1
        game = np.repeat(np.arange(len(rows)), counts)
        of_row = rows[game]
        ply = np.arange(len(game)) - np.repeat(np.cumsum(counts) - counts, counts)
        place = self._first_position[of_row] + ply
        player = (self._beginners[of_row] + ply) % 2
        plies = np.zeros(len(game), PLY)
        plies["high"], plies["low"] = self._keys[::2][place], self._keys[1::2][place]
        plies["game"] = game + 1
        is_last = ply == counts[game] - 1
        plies["move"][~is_last] = self._moves[(self._first_ply[of_row] + ply)[~is_last]]
        plies["rating"] = self._ratings[player, of_row]
        plies["result"] = _VIEWS[self._results[of_row], player]
        skipped = Skipped(others=end - begin - len(rows))
        men = self._material(game, place, _VIEWS[self._results[rows], 0]) if material else None
        return Plies(plies, self._texts, self._table(rows, counts - 1), skipped, men)

    def _material(self, game: np.ndarray, place: np.ndarray, results: np.ndarray) -> MaterialPlies:
        """What men the games have, whose positions are at these places."""
        boards = _numbers(self._kernel, "board", np.uint8).reshape(-1, SQUARES)[place]
        # Most moves change neither how many men there are nor how many of them are pawns.
        totals = np.count_nonzero(boards, axis=1) * SQUARES + np.isin(boards, PAWNS).sum(axis=1)
        changed = np.ones(len(game), bool)
        changed[1:] = (totals[1:] != totals[:-1]) | (game[1:] != game[:-1])
        boards, game = boards[changed], game[changed]
        counts = np.stack([(boards == kind).sum(axis=1) for kind in range(1, len(MEN) + 1)], axis=1)
        found = np.unique(np.column_stack((game, counts)), axis=0)
        letters = letters_of(self._game)
        names: dict[bytes, str] = {}
        rows: list[tuple[str, int, int]] = []
        for number, *kinds in found.tolist():
            known = bytes(kinds)
            if known not in names:
                names[known] = label_of("".join(map(mul, MEN, kinds)), letters)
            rows.append((names[known], number + 1, int(results[number])))
        return material_plies(rows)

    def _table(self, rows: np.ndarray, counts: np.ndarray) -> pa.RecordBatch:
        chosen = pa.array(rows)
        tags = {name: self._tags[name].take(chosen) for name in self._tags}
        tags["Date"] = pc.coalesce(tags["Date"], tags.pop("UTCDate"))
        ratings = self._ratings[:, rows].T.tolist()
        columns = [
            pa.array(np.arange(1, len(rows) + 1, dtype=np.int32)),
            *(pc.if_else(_says(tags[name]), tags[name], None) for name in tag_columns(self._game)),
            pa.array([RESULTS[result] for result in self._results[rows].tolist()], pa.string()),
            pa.array(counts.astype(np.int32)),
            pa.array([strength_of(both) for both in ratings], pa.int32()),
            pa.array([day_of(date or "") for date in tags["Date"].to_pylist()], pa.int32()),
        ]
        return pa.record_batch(columns, schema=games_schema(self._game))

    def _ratings_of(self, tag: str) -> list[int]:
        return [rating_of(text) for text in self._tags[tag].to_pylist()]

    def _who_begins(self) -> np.ndarray:
        """Which player moves first in each game."""
        game = self._game
        found = np.full(self._kernel.games, game.move_number(game.parse(game.start))[1], np.int64)
        rows = np.flatnonzero(_numbers(self._kernel, "setup", np.uint8))
        if len(rows):
            known: dict[str, int] = {}
            for row, text in zip(
                rows.tolist(), tag_strings(self._kernel, "FEN").take(pa.array(rows)).to_pylist(), strict=True
            ):
                if text not in known:
                    position = game.read(text).position
                    known[text] = 0 if position is None else game.move_number(position)[1]
                found[row] = known[text]
        return found


_VIEWS: Final = np.array([results_of(result, 2) for result in RESULTS], np.uint8)
"""Each result from the view of each player."""


def _says(texts: pa.Array) -> pa.Array:
    return pc.match_substring_regex(texts, SAYING)


def _numbers(kernel: RecordKernel, name: str, kind: Any) -> np.ndarray:
    return np.frombuffer(kernel.column(name), kind)


def plies_of_shard(shard: Shard, game: Game, *, material: bool = False) -> Iterator[Plies]:
    """The plies of all records of a shard, those of some hundred games at once."""
    wanted = (*WANTED, "boards") if material else WANTED
    kernel = record_kernel(game, wanted) if COMPILED and len(game.players) == 2 else None
    for file in shard.files:
        with open_shard(file) as blocks:
            for batch in blocks:
                for text in batch.column("text").to_pylist():
                    yield from plies_of_block(text, game, kernel, material=material)
