"""Play a legal move on a grid.

In games with hands, a captured piece goes unpromoted to the hand of the side that captured it.

Limits: clocks stop at `MAX_CLOCK`, and the numbers of pieces in hand at `MAX_IN_HAND`.
"""

from __future__ import annotations

from forsyth.kit.moves import GridMove
from forsyth.kit.position import GridPosition
from forsyth.kit.sheet import MAX_CLOCK, MAX_IN_HAND


def play_legal_move(position: GridPosition, move: GridMove) -> GridPosition:
    """Return the position after `move`, which must be legal. Its legality is not checked.

    In games with hands, a captured piece other than a king goes unpromoted to the hand of its captor.
    """
    sheet, turn = position.game.sheet, position.turn
    kind_count = len(sheet.kinds)
    board = bytearray(position.board)
    hands = bytearray(position.hands)
    captured = board[move.target]
    if move.drops:
        piece = sheet.piece_number[move.drops] + turn * kind_count
        hands[piece - 1] -= 1
    else:
        piece = board[move.origin]
        board[move.origin] = 0
        if move.promotes:
            piece = sheet.piece_number[sheet.kind_of(piece).promotes] + turn * kind_count
    board[move.target] = piece
    if captured and hands and not sheet.kind_of(captured).royal:
        hand_slot = turn * kind_count + sheet.base_kinds[(captured - 1) % kind_count]
        hands[hand_slot] = min(hands[hand_slot] + 1, MAX_IN_HAND)
    half = 0 if captured or "half" not in sheet.fields else min(position.half + 1, MAX_CLOCK)
    # The move number grows after the second side's moves, in some games after every ply.
    full = min(position.full + (turn or sheet.counts_plies), MAX_CLOCK)
    return position.game.position(bytes(board), bytes(hands), 1 - turn, half, full)
