"""The position after a move on a grid.

A captured man goes to the hand of who captured it, unpromoted, where there are hands. Limits: clocks stop at
`MAX_CLOCK`, numbers in hand at `MAX_HELD`.
"""

from __future__ import annotations

from forsyth.kit.moves import GridMove
from forsyth.kit.position import GridPosition
from forsyth.kit.sheet import MAX_CLOCK, MAX_HELD


def played(position: GridPosition, move: GridMove) -> GridPosition:
    """The position after a move that is legal."""
    sheet, turn = position.game.sheet, position.turn
    kinds = len(sheet.kinds)
    board, hands = bytearray(position.board), bytearray(position.hands)
    taken = board[move.target]
    if move.drops:
        man = sheet.man_number[move.drops] + turn * kinds
        hands[man - 1] -= 1
    else:
        man = board[move.origin]
        board[move.origin] = 0
        if move.promotes:
            man = sheet.man_number[sheet.kind_of(man).promotes] + turn * kinds
    board[move.target] = man
    if taken and hands and not sheet.kind_of(taken).royal:
        held = turn * kinds + sheet.base_kinds[(taken - 1) % kinds]
        hands[held] = min(hands[held] + 1, MAX_HELD)
    half = 0 if taken or "half" not in sheet.fields else min(position.half + 1, MAX_CLOCK)
    full = min(position.full + (turn or sheet.counts_plies), MAX_CLOCK)
    return position.game.position(bytes(board), bytes(hands), 1 - turn, half, full)
