"""Counting moves: group plies by position and move, and add the counts of several parts.

A *ply* records that a position was reached in a game, and which move was played there. A game that reaches a
position several times and plays the same move counts once. `tally_plies` groups plies, and `add_tallies` adds
tallies. If plies are cut between games, the tallies of the parts add up exactly to the tally of the whole.

A row lists the games that it counts, in order, if they are at most MAX_LISTED_GAMES. If they are more than
TOP_GAMES, it also names the TOP_GAMES latest games, latest first, and those with the strongest players.

Limits: at most MAX_PLIES plies at once, and MAX_MOVES different move texts.
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
"""One ply.

Both halves of the position's key, the number of the game, the index of the move in a list of texts, the
rating of the player to move (0: unknown), and the result for that player.
"""

UNFINISHED, WIN, DRAW, LOSS = range(4)
"""Results for the player to move. With more than two players LOSS is everything but a win."""

TOP_GAMES: Final = 4
"""Maximum number of latest games, and of strongest games, that a row names."""
MAX_LISTED_GAMES: Final = 1000
"""Maximum number of games that a row lists. A position with more is an opening; nobody reads them all."""

_INDEX_BITS: Final = 20
_MOVE_BITS: Final = 64 - 2 * _INDEX_BITS
_INDEX_MASK: Final = np.uint64((1 << _INDEX_BITS) - 1)
MAX_PLIES: Final = 1 << _INDEX_BITS
"""Maximum number of plies whose index fits into one integer beside what they are sorted by.

Sorting such integers is several times faster than sorting by several columns.
"""
MAX_MOVES: Final = 1 << _MOVE_BITS
MAX_RANK: Final = (1 << 22) - 1
"""Maximum rank of a day or a strength."""
_COUNT_BITS: Final = 21
_COUNT_MASK: Final = np.uint64((1 << _COUNT_BITS) - 1)
_WIN_SHIFT, _DRAW_SHIFT, _LOSS_SHIFT = 0, _COUNT_BITS, 2 * _COUNT_BITS
"""Three counts of plies fit into one integer: each is at most MAX_PLIES."""
_ROW_SHIFT: Final = 64 - _INDEX_BITS - 1
"""First bit of a row in an integer to sort by, after a rank and an index."""
_RATING_SUM_BITS: Final = 40
_RATED_SHIFT: Final = np.uint64(_RATING_SUM_BITS)
_RATING_SUM_MASK: Final = np.uint64((1 << _RATING_SUM_BITS) - 1)
"""The sum of ratings is in the low bits of an integer, and the number of ratings in the high bits."""


@dataclass(frozen=True, slots=True)
class GameRanks:
    """The numbers by which games are ranked. Each array is indexed by the number of the game."""

    days: np.ndarray
    """A number that grows with the date; 0 if the date is unknown."""
    strengths: np.ndarray
    """The average rating of the players; 0 if it is unknown."""


@dataclass(frozen=True, slots=True)
class GameLists:
    """One list of games per row: the list of row `i` is ``games[bounds[i]:bounds[i + 1]]``."""

    bounds: np.ndarray
    games: np.ndarray

    def count_games(self) -> np.ndarray:
        """Return the number of games in each list."""
        return np.diff(self.bounds)

    def take_rows(self, rows: np.ndarray) -> GameLists:
        """Return the lists of some rows. `rows` has the indices of these rows."""
        sizes = self.count_games()[rows]
        starts = self.bounds[:-1][rows]
        return GameLists(_make_bounds(sizes), self.games[_expand_ranges(starts, sizes)])


@dataclass(frozen=True, slots=True)
class Tallies:
    """The counts of each position and move, as columns. The rows are sorted by key and move."""

    high: np.ndarray
    """The first 64 bits of the key of the position; `low` has the other 64."""
    low: np.ndarray
    move: np.ndarray
    """The move as an index into a list of texts."""
    games: np.ndarray
    wins: np.ndarray
    draws: np.ndarray
    losses: np.ndarray
    rated: np.ndarray
    """Number of games in which the player to move has a rating."""
    rating_sum: np.ndarray
    listed: GameLists
    """All games if they are at most MAX_LISTED_GAMES, else none."""
    latest: GameLists
    """The latest games if there are more than TOP_GAMES, else none."""
    strongest: GameLists
    """The games with the strongest players if there are more than TOP_GAMES, else none."""

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.high)


def tally_plies(plies: np.ndarray, game_ranks: GameRanks, shared_bits: int = 0) -> Tallies:
    """Count the games and their results for each position and move.

    A ply is a position that a game reached, with the move that was played there. A game with several equal
    plies counts once. Raise `BulkError` if there are more than MAX_PLIES plies.

    Args:
        plies: Array of type PLY, in the order of games.
        game_ranks: Dates and strengths of the games.
        shared_bits: Number of leading bits that are the same in the keys of all positions.
    """
    if len(plies) > MAX_PLIES:
        raise BulkError(
            f"there are {len(plies)} plies, expected at most {MAX_PLIES} at once; count fewer and add them up"
        )
    # NumPy indexes contiguous columns faster than columns of records.
    high, low, move = (np.ascontiguousarray(plies[name]) for name in ("high", "low", "move"))
    order, is_first = _sort_by_key_and_move(high, low, move, shared_bits)
    game = plies["game"][order]
    # A game may reach the position several times and play the same move.
    is_kept = _mark_first_of_game(game, is_first)
    if not is_kept.all():
        order = order[is_kept]
        game = game[is_kept]
        is_first = is_first[is_kept]

    # Each row of the result is a range of plies in this order.
    starts = np.flatnonzero(is_first)
    counts = np.diff(starts, append=len(order))
    wins, draws, losses = _count_results(plies["result"][order], starts)
    rated, rating_sum = _sum_ratings(plies["rating"][order], starts)
    reached = GameLists(_make_bounds(counts), game)
    has_many_games = counts > TOP_GAMES
    long_lists = reached.take_rows(np.flatnonzero(has_many_games))
    latest = _pick_best(long_lists, game_ranks.days[long_lists.games])
    strongest = _pick_best(long_lists, game_ranks.strengths[long_lists.games])
    first_plies = order[starts]
    return Tallies(
        high=high[first_plies],
        low=low[first_plies],
        move=move[first_plies],
        games=counts.astype(np.int64),
        wins=wins,
        draws=draws,
        losses=losses,
        rated=rated,
        rating_sum=rating_sum,
        listed=_empty_lists_unless(counts <= MAX_LISTED_GAMES, reached),
        latest=_scatter_lists(latest, has_many_games),
        strongest=_scatter_lists(strongest, has_many_games),
    )


def _mark_first_of_game(game: np.ndarray, is_first: np.ndarray) -> np.ndarray:
    """Return an array that is false where a ply equals the ply before it.

    Equal plies have the same position, move and game.

    Args:
        game: The number of the game of each ply. The plies are sorted by position, move and game.
        is_first: True for the first ply of each position and move.
    """
    is_kept: np.ndarray = is_first.copy()
    is_kept[1:] |= game[1:] != game[:-1]
    return is_kept


def add_tallies(parts: Sequence[Tallies], game_ranks: GameRanks) -> Tallies:
    """Return the sums of the counts of all parts for each position and move.

    Args:
        parts: The counts of several sets of games, without a game that is in two of them. Games and moves
            have the same numbers in all parts.
        game_ranks: Dates and strengths of all games.
    """
    unsorted_columns = [_concatenate_column(parts, name) for name in ("high", "low", "move")]
    # `lexsort` sorts by its last column first.
    order = np.lexsort(unsorted_columns[::-1])
    high, low, move = (column[order] for column in unsorted_columns)
    is_first = np.ones(len(order), bool)
    is_first[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1]) | (move[1:] != move[:-1])
    starts = np.flatnonzero(is_first)
    sums = {
        name: _sum_rows(_concatenate_column(parts, name)[order], starts)
        for name in ("games", "wins", "draws", "losses", "rated", "rating_sum")
    }
    row_counts = np.diff(starts, append=len(order))
    reached = _join_lists([part.listed for part in parts], order, row_counts)
    listed = _empty_lists_unless(sums["games"] <= MAX_LISTED_GAMES, reached)
    has_many_games = sums["games"] > TOP_GAMES
    long_rows = np.flatnonzero(has_many_games)
    late_games = _join_candidates(parts, "latest", order, row_counts, long_rows)
    strong_games = _join_candidates(parts, "strongest", order, row_counts, long_rows)
    latest = _pick_best(late_games, game_ranks.days[late_games.games])
    strongest = _pick_best(strong_games, game_ranks.strengths[strong_games.games])
    return Tallies(
        high[starts],
        low[starts],
        move[starts],
        **sums,
        listed=_sort_each_list(listed),
        latest=_scatter_lists(latest, has_many_games),
        strongest=_scatter_lists(strongest, has_many_games),
    )


def _concatenate_column(parts: Sequence[Tallies], name: str) -> np.ndarray:
    """Return the column `name`, such as ``games``, of all parts, one part after the other."""
    return np.concatenate([getattr(part, name) for part in parts])


def _join_candidates(
    parts: Sequence[Tallies], list_name: str, order: np.ndarray, row_counts: np.ndarray, rows: np.ndarray
) -> GameLists:
    """Return the games that may be the latest or strongest of some rows of a sum of tallies.

    Each list is sorted by the numbers of the games.

    Args:
        parts: The tallies that are added up.
        list_name: The column of lists, ``latest`` or ``strongest``.
        order: The order of the rows of all parts in which equal positions and moves are neighbours.
        row_counts: The number of rows, in this order, that are added up to each row of the sum.
        rows: The indices of the rows of the sum for which lists are returned.
    """
    # A row of at most TOP_GAMES games has no list of the best, so all of its games are candidates.
    candidates_by_part = [_fill_empty_lists(getattr(part, list_name), part.listed) for part in parts]
    candidates = _join_lists(candidates_by_part, order, row_counts).take_rows(rows)
    # `_pick_best` prefers the later one of two games with the same rank.
    return _sort_each_list(candidates)


# --- sorting ----------------------------------------------------------------------------------------


def _sort_by_key_and_move(
    high: np.ndarray, low: np.ndarray, move: np.ndarray, shared_bits: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of plies by position and move, and which plies are the first of each.

    The order is an array of indices. Plies of one position and move keep their order. The second array is
    true for each ply, in this order, that is the first one of its position and move.

    Args:
        high: The high half of the key of each ply's position.
        low: The low half of the key.
        move: The number of each ply's move.
        shared_bits: The number of leading bits that are the same in all keys.
    """
    key_order, key_numbers = _sort_by_key(high, low, shared_bits)
    # Sort one integer for each ply: the number of the key, the move, and the index in the lowest bits.
    packed = key_numbers << np.uint64(_MOVE_BITS + _INDEX_BITS)
    packed |= move[key_order].astype(np.uint64) << np.uint64(_INDEX_BITS)
    packed |= np.arange(len(key_order), dtype=np.uint64)
    packed.sort()
    order = key_order[packed & _INDEX_MASK]
    key_and_move = packed >> np.uint64(_INDEX_BITS)
    is_first = np.ones(len(order), bool)
    is_first[1:] = key_and_move[1:] != key_and_move[:-1]
    return order, is_first


def _sort_by_key(high: np.ndarray, low: np.ndarray, shared_bits: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of keys, and the number of each key in this order.

    The order is an array of indices. Equal keys keep their order, and have the same number: the keys
    ``B, A, A`` have the order ``1, 2, 0``, and the sorted keys have the numbers ``0, 0, 1``.

    Args:
        high: The high half of each key.
        low: The low half of each key.
        shared_bits: The number of leading bits that are the same in all keys.
    """
    # Sort one integer for each key: its first bits that are not shared, and the index in the lowest bits.
    packed = (high << np.uint64(shared_bits)) & ~_INDEX_MASK
    packed |= np.arange(len(high), dtype=np.uint64)
    packed.sort()
    order = packed & _INDEX_MASK
    is_sorted, differs = _compare_neighbours(high[order], low[order])
    if not is_sorted:
        # Some keys differ only in bits that were not sorted by, which hardly ever happens.
        order = np.lexsort((low, high)).astype(np.uint64)
        _, differs = _compare_neighbours(high[order], low[order])
    # The first key always differs, so the numbers would begin with 1.
    key_numbers = np.cumsum(differs, dtype=np.uint64)
    if len(key_numbers):
        key_numbers -= np.uint64(1)
    return order, key_numbers


def _compare_neighbours(high: np.ndarray, low: np.ndarray) -> tuple[bool, np.ndarray]:
    """Return whether keys are sorted, and which of them differ from the key before.

    The second result is an array of booleans. `high` and `low` are the halves of the keys. The first key
    always differs.
    """
    differs = np.ones(len(high), bool)
    has_same_high = high[1:] == high[:-1]
    differs[1:] = ~(has_same_high & (low[1:] == low[:-1]))
    is_lower = (high[1:] < high[:-1]) | (has_same_high & (low[1:] < low[:-1]))
    return not is_lower.any(), differs


def _pick_best(lists: GameLists, ranks: np.ndarray) -> GameLists:
    """Return the TOP_GAMES games of highest rank of each list, best first.

    Of two games of equal rank, the later one in the list is better. `ranks` has one number for each game in
    the lists: its date or its strength.
    """
    sizes = lists.count_games()
    best_sizes = np.minimum(sizes, TOP_GAMES)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    order = _sort_by_row_and_rank(rows, ranks)
    # Sorted in this way, the best games of each list are at its beginning.
    best_indices = _expand_ranges(lists.bounds[:-1], best_sizes)
    return GameLists(_make_bounds(best_sizes), lists.games[order[best_indices]])


def _sort_by_row_and_rank(rows: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Return the order of games by row, with the game of highest rank first in each row.

    The order is an array of indices. Of two games of equal rank, the later one comes first. `rows` has the
    row of each game, and `ranks` its date or strength as a number.
    """
    indices = np.arange(len(rows))
    if len(rows) > MAX_PLIES:
        return np.lexsort((-indices, -ranks.astype(np.int64), rows))
    # Sort one integer for each game: the row, then the rank and the index, both counted from their maximum.
    last_index = len(rows) - 1
    packed = (rows << _ROW_SHIFT).astype(np.uint64)
    packed |= (np.uint64(MAX_RANK) - ranks) << np.uint64(_INDEX_BITS)
    packed |= (last_index - indices).astype(np.uint64)
    packed.sort()
    return last_index - (packed & _INDEX_MASK).astype(np.int64)


def _sort_each_list(lists: GameLists) -> GameLists:
    """Return the lists, each sorted by the numbers of its games."""
    sizes = lists.count_games()
    rows = np.repeat(np.arange(len(sizes)), sizes)
    return GameLists(lists.bounds, lists.games[np.lexsort((lists.games, rows))])


# --- sums -------------------------------------------------------------------------------------------


def _count_results(results: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the numbers of wins, draws and losses of each row, which is a range of plies.

    `results` has the result of each ply: UNFINISHED, WIN, DRAW or LOSS. `starts` has the index of the first
    ply of each row.
    """
    # One sum is faster than three. The three counters share an integer, each in bits of its own.
    one_by_result = np.array([0, 1 << _WIN_SHIFT, 1 << _DRAW_SHIFT, 1 << _LOSS_SHIFT], np.uint64)
    totals = _sum_rows(one_by_result[results], starts)
    wins, draws, losses = (
        ((totals >> np.uint64(shift)) & _COUNT_MASK).astype(np.int64)
        for shift in (_WIN_SHIFT, _DRAW_SHIFT, _LOSS_SHIFT)
    )
    return wins, draws, losses


def _sum_ratings(ratings: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of known ratings of each row, which is a range of ratings, and their sum.

    A rating of 0 is unknown. `starts` has the index of the first rating of each row.
    """
    # One sum is faster than two. The number and the sum share an integer, each in bits of its own.
    is_rated = (ratings > 0).astype(np.uint64) << _RATED_SHIFT
    totals = _sum_rows(is_rated | ratings, starts)
    rated = (totals >> _RATED_SHIFT).astype(np.int64)
    rating_sum = (totals & _RATING_SUM_MASK).astype(np.int64)
    return rated, rating_sum


def _sum_rows(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return the sum of each row, which is a range of `values`.

    `starts` has the index of the first value of each row: the values ``[1, 2, 3]`` and the starts ``[0, 1]``
    give ``[1, 5]``.
    """
    # `reduceat` raises an error for an empty array.
    sums: np.ndarray = np.add.reduceat(values, starts) if len(starts) else values[:0]
    return sums


# --- lists ------------------------------------------------------------------------------------------


def _make_bounds(sizes: np.ndarray) -> np.ndarray:
    """Return the start of each list, and the end of the last: ``[2, 0, 3]`` gives ``[0, 2, 2, 5]``."""
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))


def _expand_ranges(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return all indices in some ranges, one range after the other.

    The starts ``[10, 20]`` and the sizes ``[2, 3]`` give ``[10, 11, 20, 21, 22]``.
    """
    bounds = _make_bounds(sizes)
    indices: np.ndarray = np.arange(bounds[-1]) + np.repeat(starts - bounds[:-1], sizes)
    return indices


def _empty_lists_unless(is_kept: np.ndarray, lists: GameLists) -> GameLists:
    """Return the lists with an empty list instead of each one where `is_kept` is false."""
    if is_kept.all():
        return lists
    sizes = lists.count_games()
    kept_sizes = np.where(is_kept, sizes, 0)
    return GameLists(_make_bounds(kept_sizes), lists.games[np.repeat(is_kept, sizes)])


def _scatter_lists(lists: GameLists, has_list: np.ndarray) -> GameLists:
    """Spread lists over more rows: the next list where `has_list` is true, else an empty list.

    The lists ``[5], [7, 8]`` and ``[True, False, True]`` give ``[5], [], [7, 8]``.
    """
    sizes = np.zeros(len(has_list), np.int64)
    sizes[has_list] = lists.count_games()
    return GameLists(_make_bounds(sizes), lists.games)


def _fill_empty_lists(lists: GameLists, replacements: GameLists) -> GameLists:
    """Replace each empty list in `lists` by the list of the same row in `replacements`."""
    sizes = lists.count_games()
    # In `all_lists`, the replacement of a row follows all rows of `lists`.
    all_lists = _concatenate_lists([lists, replacements])
    rows = np.arange(len(sizes))
    replacement_rows = len(sizes) + rows
    return all_lists.take_rows(np.where(sizes == 0, replacement_rows, rows))


def _concatenate_lists(parts: Sequence[GameLists]) -> GameLists:
    """Return all lists of the first part, followed by those of the second part, and so on."""
    sizes = np.concatenate([part.count_games() for part in parts])
    return GameLists(_make_bounds(sizes), np.concatenate([part.games for part in parts]))


def _join_lists(parts: Sequence[GameLists], order: np.ndarray, row_counts: np.ndarray) -> GameLists:
    """Reorder the lists of all parts, and join the lists of several consecutive rows to one.

    Args:
        parts: The lists of each part.
        order: The new order of the rows of all parts, as indices.
        row_counts: For each list of the result, the number of rows, in the new order, that it joins.
    """
    reordered = _concatenate_lists(parts).take_rows(order)
    end_rows = np.cumsum(row_counts)
    return GameLists(np.concatenate(([0], reordered.bounds[end_rows])), reordered.games)
