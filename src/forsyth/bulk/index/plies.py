"""Records as plies: what each position of a main line was followed by, from the view of who moved.

A record gives a ply for each position of its main line, the last one with no move. Of a record with an error
the positions before it count. Records of another game or variant than the index are left out, and those of
which no move can be read.

The result counts for the player who moves: with two players a win, a draw or a loss; with more a win is a
whole point and everything else the rest. A rating is a number of at most five digits in the player's tag,
such as ``WhiteElo``; a date is ``YYYY.MM.DD`` in ``Date``, else in ``UTCDate``, where ``??`` is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pyarrow as pa

from forsyth.bulk.index.material import material_key, material_of
from forsyth.bulk.index.parts import games_schema, rating_tags, tag_columns
from forsyth.bulk.index.tallies import DRAW, LOSS, MOST_WORTH, PLY, UNFINISHED, WIN
from forsyth.bulk.verbs.material import letters_of
from forsyth.game import Game
from forsyth.record import Record, RecordReading

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
