"""Play a legal move on a grid.

In games with hands, a captured piece goes unpromoted to the hand of the side that captured it.

Limits: clocks stop at `MAX_CLOCK`, and the numbers of pieces in hand at `MAX_IN_HAND`.
"""

from __future__ import annotations

from forsyth.kit.moves import GridMove
from forsyth.kit.position import GridPosition, next_half_moves, next_move_number
from forsyth.kit.sheet import MAX_IN_HAND


def play_legal_move(position: GridPosition, move: GridMove) -> GridPosition:
    """Return the position after `move`, which must be legal. Its legality is not checked.

    In games with hands, a captured piece other than a king goes unpromoted to the hand of its captor.
    """
    sheet, turn = position.game.sheet, position.turn
    # Piece numbers of the second side follow those of the first.
    first_own_piece = 1 + turn * len(sheet.kinds)
    board = bytearray(position.board)
    hands = bytearray(position.hands)
    captured = board[move.target]
    if move.drops:
        piece = first_own_piece + sheet.kind_number[move.drops]
        hands[piece - 1] -= 1
    else:
        piece = board[move.origin]
        board[move.origin] = 0
        if move.promotes:
            piece = first_own_piece + sheet.kind_number[sheet.kind_of(piece).promotes]
    board[move.target] = piece

    goes_to_hand = captured and hands and not sheet.kind_of(captured).royal
    if goes_to_hand:
        captured_kind = (captured - 1) % len(sheet.kinds)
        gained_piece = first_own_piece + sheet.base_kinds[captured_kind]
        hands[gained_piece - 1] = min(hands[gained_piece - 1] + 1, MAX_IN_HAND)

    half = 0 if captured else next_half_moves(position)
    full = next_move_number(position)
    return position.game.position(bytes(board), bytes(hands), 1 - turn, half, full)
