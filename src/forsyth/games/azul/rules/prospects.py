"""The points that a move would score, and the bonuses of an ended game (spec/azul 1.6 and 1.7).

Moves must be legal moves of the factory offer. Points and words are those of the player to move, with rows
numbered from 1. Later moves of the round are not taken into account.
"""

from __future__ import annotations

from forsyth.game_values import Prospect, ScoreLine
from forsyth.games.azul.position import ENDED, Board, Position
from forsyth.games.azul.rules.moves import FLOOR, apply_move
from forsyth.games.azul.rules.scoring import (
    COLOUR_BONUS,
    COLUMN_BONUS,
    ROW_BONUS,
    TilingResult,
    count_bonus,
    tile_board,
)


def compute_prospect(position: Position, move: str) -> Prospect:
    """Return the points that a move adds to the next tiling of its player, with a short explanation.

    An example of the explanation is ``row 3 full: 5 points, floor: −2``. Later moves are not taken into
    account.
    """
    board_before = position.boards[position.current]
    board_after = apply_move(position, move).boards[position.current]
    tiling_before = tile_board(board_before)
    tiling_after = tile_board(board_after)
    points_gained = _sum_points(tiling_after) - _sum_points(tiling_before)
    points_lost = tiling_after.penalty - tiling_before.penalty

    explanations = []
    _source, _colour, destination = tuple(move)
    if destination != FLOOR:
        explanations.append(_explain_row(board_after, int(destination), points_gained))
    if points_lost:
        explanations.append(f"floor: −{points_lost}")
    return Prospect(points_gained - points_lost, ", ".join(explanations) or "floor: 0")


def _explain_row(board: Board, row: int, points: int) -> str:
    """Return the state of a pattern line after a move: ``row 3 full: 5 points`` or ``row 3: 2 of 3``.

    Args:
        board: The board after the move.
        row: The number of the line, counted from 0.
        points: The points that the move adds to the next tiling. They are 0 unless the line is full.
    """
    row_number = row + 1
    if points:
        return f"row {row_number} full: {points} points"
    # A line has as many spaces as its number.
    return f"row {row_number}: {len(board.lines[row])} of {row_number}"


def _sum_points(tiled: TilingResult) -> int:
    """Return the points that all tiles of a tiling score on the wall, without the floor penalty."""
    return sum(placement.points for placement in tiled.placements)


def make_score_table(position: Position) -> tuple[ScoreLine, ...]:
    """Return the table of the final score: points before the bonuses, each kind of bonus, and the total.

    Each line of the table has one value for each player. The table is empty if the game has not ended.
    """
    if position.phase != ENDED:
        return ()
    bonuses = [count_bonus(board.wall) for board in position.boards]
    totals = [board.score for board in position.boards]
    # In an ended game the scores contain the bonuses already.
    scores_before_bonuses = tuple(total - bonus.points for total, bonus in zip(totals, bonuses, strict=True))
    return (
        ScoreLine("Before bonuses", scores_before_bonuses),
        ScoreLine(f"Rows, {ROW_BONUS} each", tuple(ROW_BONUS * bonus.rows for bonus in bonuses)),
        ScoreLine(f"Columns, {COLUMN_BONUS} each", tuple(COLUMN_BONUS * bonus.columns for bonus in bonuses)),
        ScoreLine(f"Colours, {COLOUR_BONUS} each", tuple(COLOUR_BONUS * bonus.colours for bonus in bonuses)),
        ScoreLine("Total", tuple(totals)),
    )
