"""What a move would score, and how a game was scored at its end (spec/azul 1.6 and 1.7).

Accepts legal moves of the factory offer, and ended positions. Writes points and words for the player who
moves, rows numbered from 1. What other moves of the round would change is not foreseen.
"""

from __future__ import annotations

from forsyth.game_values import Prospect, ScoreLine
from forsyth.games.azul.position import ENDED, Position
from forsyth.games.azul.rules.moves import FLOOR, apply_move
from forsyth.games.azul.rules.scoring import (
    COLOUR_BONUS,
    COLUMN_BONUS,
    ROW_BONUS,
    Tiled,
    bonus,
    tile,
)


def prospect(position: Position, move: str) -> Prospect:
    """What a move adds to what the tiling would bring its player now."""
    board = position.boards[position.current]
    moved = apply_move(position, move).boards[position.current]
    before, after = tile(board), tile(moved)
    gained = _points(after) - _points(before)
    lost = after.penalty - before.penalty
    words = []
    if move[2] != FLOOR:
        row = int(move[2])
        filled = f"{len(moved.lines[row])} of {row + 1}"
        words.append(f"row {row + 1} full: {gained} points" if gained else f"row {row + 1}: {filled}")
    if lost:
        words.append(f"floor: −{lost}")
    return Prospect(gained - lost, ", ".join(words) or "floor: 0")


def _points(tiled: Tiled) -> int:
    return sum(placement.points for placement in tiled.placements)


def score_table(position: Position) -> tuple[ScoreLine, ...]:
    """The bonuses of an ended game, row by row, with a value for each player; nothing before its end."""
    if position.phase != ENDED:
        return ()
    bonuses = [bonus(board.wall) for board in position.boards]
    totals = [board.score for board in position.boards]
    return (
        ScoreLine("Before bonuses", tuple(t - b.points for t, b in zip(totals, bonuses, strict=True))),
        ScoreLine(f"Rows, {ROW_BONUS} each", tuple(ROW_BONUS * one.rows for one in bonuses)),
        ScoreLine(f"Columns, {COLUMN_BONUS} each", tuple(COLUMN_BONUS * one.columns for one in bonuses)),
        ScoreLine(f"Colours, {COLOUR_BONUS} each", tuple(COLOUR_BONUS * one.colours for one in bonuses)),
        ScoreLine("Total", tuple(totals)),
    )
