"""Counting what was played: plies grouped by position and move, and tallies of several parts added up.

A *ply* says that in a game a position was reached and what was played there. A game that reaches a position
several times and plays the same move counts once. `tally` groups plies, `combined` adds up tallies: tallies
of plies cut between games add up to the tally of all of them, exactly.

A row lists the games it counts, in order, where they are at most MOST_LISTED. Where they are more than SHOWN
it also names the SHOWN latest, the latest first, and the SHOWN with the strongest players.

Limits: at most MOST_PLIES plies at once, MOST_MOVES different move texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from forsyth.bulk.errors import BulkError

PLY: Final = np.dtype(
    [
        ("high", "<u8"),
        ("low", "<u8"),
        ("game", "<u4"),
        ("move", "<u4"),
        ("rating", "<u2"),
        ("result", "u1"),
        ("unused", "u1"),
    ]
)
"""The two halves of the key, the game's number, the place of the move in a list of texts, the rating of the
player who moves (0: unknown) and the result for that player."""

UNFINISHED, WIN, DRAW, LOSS = range(4)
"""Results from the mover's view; with more than two players LOSS is everything but a win."""

SHOWN: Final = 4
"""How many of the latest and of the strongest games a row names."""
MOST_LISTED: Final = 1000
"""Most games that a row lists: a position of more is an opening, of which nobody reads all games."""

_PLACE_BITS: Final = 20
_MOVE_BITS: Final = 64 - 2 * _PLACE_BITS
_PLACES: Final = np.uint64((1 << _PLACE_BITS) - 1)
MOST_PLIES: Final = 1 << _PLACE_BITS
"""Rows whose place fits beside what they are sorted by in one number, which sorts several times as fast."""
MOST_MOVES: Final = 1 << _MOVE_BITS
MOST_WORTH: Final = (1 << 22) - 1
"""Largest number of a day or a strength."""
_COUNT_BITS: Final = np.uint64(21)
_SUM_BITS: Final = np.uint64(40)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known about each game, by its number."""

    days: np.ndarray
    """A number that grows with the date; 0 where it is unknown."""
    strengths: np.ndarray
    """The average rating of the players; 0 where it is unknown."""


@dataclass(frozen=True, slots=True)
class Lists:
    """A list of games for each row: those of row `i` are ``games[bounds[i]:bounds[i + 1]]``."""

    bounds: np.ndarray
    games: np.ndarray

    def sizes(self) -> np.ndarray:
        """How long each list is."""
        return np.diff(self.bounds)

    def of(self, rows: np.ndarray) -> Lists:
        """The lists of some rows, in the order in which they are given."""
        sizes = self.sizes()[rows]
        return Lists(_bounds(sizes), self.games[_ranges(self.bounds[:-1][rows], sizes)])


@dataclass(frozen=True, slots=True)
class Tallies:
    """A row for each position and move, in the order of keys and moves."""

    high: np.ndarray
    low: np.ndarray
    move: np.ndarray
    games: np.ndarray
    wins: np.ndarray
    draws: np.ndarray
    losses: np.ndarray
    rated: np.ndarray
    """How many of the games have a rating of the player who moves."""
    rating_sum: np.ndarray
    listed: Lists
    """All games where they are at most MOST_LISTED, else none."""
    latest: Lists
    """The latest games where they are more than SHOWN, else none; `strongest` likewise."""
    strongest: Lists

    def __len__(self) -> int:
        return len(self.high)


def tally(plies: np.ndarray, facts: Facts, shared_bits: int = 0) -> Tallies:
    """The tallies of at most MOST_PLIES plies, in the order of games.

    `shared_bits` is how many leading bits all keys have in common.
    """
    if len(plies) > MOST_PLIES:
        raise BulkError(f"{len(plies)} plies are too many at once, expected at most {MOST_PLIES}")
    # Columns of their own are taken from faster than records.
    high, low, move = (np.ascontiguousarray(plies[name]) for name in ("high", "low", "move"))
    order, key_number = _by_key(high, low, shared_bits)
    # Places come last: plies of one position and move stay in the order of games.
    packed = key_number << np.uint64(_MOVE_BITS + _PLACE_BITS)
    packed |= move[order].astype(np.uint64) << np.uint64(_PLACE_BITS)
    packed |= np.arange(len(plies), dtype=np.uint64)
    packed.sort()
    order = order[packed & _PLACES]
    row_key = packed >> np.uint64(_PLACE_BITS)
    game = plies["game"][order]
    begins = np.ones(len(plies), bool)
    begins[1:] = row_key[1:] != row_key[:-1]
    again = np.zeros(len(plies), bool)
    again[1:] = ~begins[1:] & (game[1:] == game[:-1])
    if again.any():
        kept = ~again
        order, game, begins = order[kept], game[kept], begins[kept]
    starts = np.flatnonzero(begins)
    first = order[starts]
    counts = np.diff(starts, append=len(order))
    results = _result_counts(plies["result"][order], starts)
    ratings = _rating_sums(plies["rating"][order], starts)
    reached = Lists(_bounds(counts), game)
    many = counts > SHOWN
    chosen = reached.of(np.flatnonzero(many))
    return Tallies(
        high[first],
        low[first],
        move[first],
        counts.astype(np.int64),
        *results,
        *ratings,
        _kept(reached, counts <= MOST_LISTED),
        _spread(_best(chosen, facts.days[chosen.games]), many),
        _spread(_best(chosen, facts.strengths[chosen.games]), many),
    )


def combined(parts: Sequence[Tallies], facts: Facts) -> Tallies:
    """The tallies of parts with no game in common, whose games have one numbering and moves one list."""
    high, low, move = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("high", "low", "move")
    )
    order = np.lexsort((move, low, high))
    high, low, move = high[order], low[order], move[order]
    begins = np.ones(len(order), bool)
    begins[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1]) | (move[1:] != move[:-1])
    starts = np.flatnonzero(begins)
    sums = {
        name: _sums(np.concatenate([getattr(part, name) for part in parts])[order], starts)
        for name in ("games", "wins", "draws", "losses", "rated", "rating_sum")
    }
    counts = np.diff(starts, append=len(order))
    listed = _gathered([part.listed for part in parts], order, counts)
    many = sums["games"] > SHOWN
    rows = np.flatnonzero(many)
    latest, strongest = (
        _in_order(
            _gathered([_any(getattr(part, name), part.listed) for part in parts], order, counts).of(rows)
        )
        for name in ("latest", "strongest")
    )
    return Tallies(
        high[starts],
        low[starts],
        move[starts],
        **sums,
        listed=_in_order(_kept(listed, sums["games"] <= MOST_LISTED)),
        latest=_spread(_best(latest, facts.days[latest.games]), many),
        strongest=_spread(_best(strongest, facts.strengths[strongest.games]), many),
    )


# --- sorting ----------------------------------------------------------------------------------------


def _by_key(high: np.ndarray, low: np.ndarray, shared_bits: int) -> tuple[np.ndarray, np.ndarray]:
    """The order of keys, equal ones as they come, and in that order the number of each one's key."""
    packed = (high << np.uint64(shared_bits)) & ~_PLACES
    packed |= np.arange(len(high), dtype=np.uint64)
    packed.sort()
    order = packed & _PLACES
    ordered, follows = _compared(high[order], low[order])
    if not ordered:
        # Keys that differ only behind the bits that were sorted by: hardly ever.
        order = np.lexsort((low, high)).astype(np.uint64)
        _, follows = _compared(high[order], low[order])
    return order, np.cumsum(follows, dtype=np.uint64) - np.uint64(len(order) > 0)


def _compared(high: np.ndarray, low: np.ndarray) -> tuple[bool, np.ndarray]:
    """Whether keys are in order, and which of them differ from the one before."""
    follows = np.ones(len(high), bool)
    same = high[1:] == high[:-1]
    follows[1:] = ~(same & (low[1:] == low[:-1]))
    behind = (high[1:] < high[:-1]) | (same & (low[1:] < low[:-1]))
    return not behind.any(), follows


def _best(lists: Lists, worth: np.ndarray) -> Lists:
    """The SHOWN games of the highest worth of each list, or all of a shorter one, in the order of worth.

    Of games of equal worth the later one in its list is better.
    """
    sizes = lists.sizes()
    rows = np.repeat(np.arange(len(sizes)), sizes)
    order = _by_row_and_worth(rows, worth)
    taken = _ranges(lists.bounds[:-1], np.minimum(sizes, SHOWN))
    return Lists(_bounds(np.minimum(sizes, SHOWN)), lists.games[order[taken]])


def _by_row_and_worth(rows: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """The order of rows, in each the best first, of equal ones the last."""
    places = np.arange(len(rows))
    if len(rows) > MOST_PLIES:
        return np.lexsort((-places, -worth.astype(np.int64), rows))
    packed = (rows << (64 - _PLACE_BITS - 1)).astype(np.uint64)
    packed |= (np.uint64(MOST_WORTH) - worth) << np.uint64(_PLACE_BITS)
    packed |= (len(rows) - 1 - places).astype(np.uint64)
    packed.sort()
    return len(rows) - 1 - (packed & _PLACES).astype(np.int64)


def _in_order(lists: Lists) -> Lists:
    """The same lists, the games of each in order."""
    rows = np.repeat(np.arange(len(lists.bounds) - 1), lists.sizes())
    return Lists(lists.bounds, lists.games[np.lexsort((lists.games, rows))])


# --- sums -------------------------------------------------------------------------------------------


def _result_counts(results: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Wins, draws and losses of each row: three sums in one."""
    places = np.array([0, 1, 1 << 21, 1 << 42], np.uint64)
    total = _sums(places[results], starts)
    least = np.uint64((1 << 21) - 1)
    return tuple((total >> (_COUNT_BITS * np.uint64(n)) & least).astype(np.int64) for n in range(3))  # type: ignore[return-value]


def _rating_sums(ratings: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How many ratings each row has, and their sum."""
    rated = (ratings > 0).astype(np.uint64) << _SUM_BITS
    total = _sums(rated | ratings, starts)
    return (total >> _SUM_BITS).astype(np.int64), (total & np.uint64((1 << 40) - 1)).astype(np.int64)


def _sums(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    # NumPy sums no slices of nothing.
    sums: np.ndarray = np.add.reduceat(values, starts) if len(starts) else values[:0]
    return sums


# --- lists ------------------------------------------------------------------------------------------


def _bounds(sizes: np.ndarray) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))


def _ranges(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The places of runs of places, one after the other."""
    bounds = _bounds(sizes)
    places: np.ndarray = np.arange(bounds[-1]) + np.repeat(starts - bounds[:-1], sizes)
    return places


def _kept(lists: Lists, which: np.ndarray) -> Lists:
    """The lists with those of all other rows empty."""
    if which.all():
        return lists
    sizes = lists.sizes()
    return Lists(_bounds(np.where(which, sizes, 0)), lists.games[np.repeat(which, sizes)])


def _spread(lists: Lists, which: np.ndarray) -> Lists:
    """Lists for those rows that are chosen, and empty ones for the others."""
    sizes = np.zeros(len(which), np.int64)
    sizes[which] = lists.sizes()
    return Lists(_bounds(sizes), lists.games)


def _any(lists: Lists, otherwise: Lists) -> Lists:
    """Each row's list, or where it is empty the other one."""
    rows = len(lists.bounds) - 1
    both = Lists(
        np.concatenate((lists.bounds, lists.bounds[-1] + otherwise.bounds[1:])),
        np.concatenate((lists.games, otherwise.games)),
    )
    return both.of(np.arange(rows) + np.where(lists.sizes() == 0, rows, 0))


def _gathered(lists: Sequence[Lists], order: np.ndarray, counts: np.ndarray) -> Lists:
    """The lists of all parts in an order of their rows, joined for each `counts` rows of it."""
    sizes = np.concatenate([one.sizes() for one in lists])
    whole = Lists(_bounds(sizes), np.concatenate([one.games for one in lists])).of(order)
    ends = np.cumsum(counts)
    return Lists(np.concatenate(([0], whole.bounds[ends])), whole.games)
