"""The points that a move would score, and the bonuses of an ended game (spec/azul 1.6 and 1.7).

Moves must be legal moves of the factory offer. Points and words are those of the player to move, with rows
numbered from 1. Later moves of the round are not taken into account.
"""

from __future__ import annotations

from forsyth.game_values import Prospect, ScoreLine
from forsyth.games.azul.position import ENDED, Position
from forsyth.games.azul.rules.moves import FLOOR, apply_move
from forsyth.games.azul.rules.scoring import (
    COLOUR_BONUS,
    COLUMN_BONUS,
    ROW_BONUS,
    TilingResult,
    count_bonus,
    tile_board,
)


def prospect(position: Position, move: str) -> Prospect:
    """Return the points that a move adds to the next tiling of its player, with a short explanation.

    The explanation is such as ``row 3 full: 5 points, floor: −2``. Later moves are not taken into account.
    """
    board = position.boards[position.current]
    moved = apply_move(position, move).boards[position.current]
    before, after = tile_board(board), tile_board(moved)
    points_gained = _sum_points(after) - _sum_points(before)
    points_lost = after.penalty - before.penalty
    words = []
    if move[2] != FLOOR:
        row = int(move[2])
        filled = f"{len(moved.lines[row])} of {row + 1}"
        words.append(
            f"row {row + 1} full: {points_gained} points" if points_gained else f"row {row + 1}: {filled}"
        )
    if points_lost:
        words.append(f"floor: −{points_lost}")
    return Prospect(points_gained - points_lost, ", ".join(words) or "floor: 0")


def _sum_points(tiled: TilingResult) -> int:
    """Return the points of all tiles that moved to the wall in a tiling, without the floor penalty."""
    return sum(placement.points for placement in tiled.placements)


def score_table(position: Position) -> tuple[ScoreLine, ...]:
    """Return the lines of the final score: points before the bonuses, each kind of bonus, and the total.

    Each line has one value for each player. The result is empty if the game has not ended.
    """
    if position.phase != ENDED:
        return ()
    bonuses = [count_bonus(board.wall) for board in position.boards]
    totals = [board.score for board in position.boards]
    # In an ended game the scores contain the bonuses already.
    scores_before = tuple(total - bonus.points for total, bonus in zip(totals, bonuses, strict=True))
    return (
        ScoreLine("Before bonuses", scores_before),
        ScoreLine(f"Rows, {ROW_BONUS} each", tuple(ROW_BONUS * bonus.rows for bonus in bonuses)),
        ScoreLine(f"Columns, {COLUMN_BONUS} each", tuple(COLUMN_BONUS * bonus.columns for bonus in bonuses)),
        ScoreLine(f"Colours, {COLOUR_BONUS} each", tuple(COLOUR_BONUS * bonus.colours for bonus in bonuses)),
        ScoreLine("Total", tuple(totals)),
    )
