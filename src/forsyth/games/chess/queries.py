"""Queries of a chess position: attacks, pins, material, mirrored boards, irreversible moves and claims.

The methods of `Position` call these functions and have examples. A square is passed as its name and returned
as a `Square`. A side is ``w`` or ``b``. All functions follow the rules of the
position's variant. In antichess no piece is pinned or gives check. In atomic chess there is no check if the
kings are adjacent.

Limits: a side with several kings has no pins.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from forsyth.arguments import quoted, unknown_choice_error
from forsyth.games.chess.board import FLIP_RANK, SQUARE_NUMBER
from forsyth.games.chess.board import SQUARES as SQUARE_NAMES
from forsyth.games.chess.edit import CHESS960_STARTS, make_chess960_back_rank
from forsyth.games.chess.position import (
    CHECKS_SHIFT,
    CRAZYHOUSE,
    FIELD_NAMES,
    LETTERS,
    POCKET_ORDER,
    Position,
    list_squares,
)
from forsyth.games.chess.rules.attacks import find_attackers, find_checkers
from forsyth.games.chess.rules.legality import (
    find_effective_rights,
    find_legal_ep_square,
    repair_castling,
    repair_ep,
)
from forsyth.games.chess.rules.material import cannot_win
from forsyth.games.chess.rules.moves import Move, legal_moves, play
from forsyth.games.chess.rules.outcome import list_claims
from forsyth.games.chess.squares import SQUARES, Square
from forsyth.games.chess.variants import MUST_CAPTURE, RACE, VARIANT_TABLE, WHITE_HORDE

_SIDES: Final = ("w", "b")
_SQUARE_SETS: Final = FIELD_NAMES[:10]
"""The fields of a position that are sets of squares."""
_LAST_SQUARE: Final = 63
"""The number of the square h8."""
_START_MIDDLE_RANKS: Final = ["pppppppp", "........", "........", "........", "........", "PPPPPPPP"]
"""Ranks 7 to 2 of a start position."""
_DIRECTIONS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""The directions of lines, as changes of file and rank."""


def _is_black(side: str) -> bool:
    """Return True for the side ``b`` and False for ``w``. Raise `ValueError` for other values."""
    if side not in _SIDES:
        raise unknown_choice_error("side", side, _SIDES)
    return side == "b"


def _to_squares(squares: int) -> tuple[Square, ...]:
    """Return a set of squares, given as a number with one bit for each square, as `Square` values.

    The lowest bit is a1, so the result for 5 is ``('a1', 'c1')``.
    """
    return tuple(SQUARES[number] for number in list_squares(squares))


# --- attacks ----------------------------------------------------------------------------------------


def list_attackers(position: Position, square: str, side: str | None = None) -> tuple[Square, ...]:
    """Return the squares of the pieces that attack a square such as ``e4``.

    `side` is ``w`` or ``b`` for the pieces of one side, or None for those of both sides. Raise `ValueError`
    if there is no such square or side.
    """
    number = Square(square).number
    sides = (False, True) if side is None else (_is_black(side),)
    attacker_squares = 0
    for is_black in sides:
        attacker_squares |= find_attackers(position, number, is_black)
    return _to_squares(attacker_squares)


def list_checkers(position: Position) -> tuple[Square, ...]:
    """Return the squares of the pieces that give check to the side to move."""
    return _to_squares(find_checkers(position))


def find_pins(position: Position, side: str | None = None) -> dict[Square, Square]:
    """Return the squares of the pinned pieces of a side, each with the square of the piece that pins it.

    A rook on e7 that pins a knight on e2 to its king gives ``{'e2': 'e7'}``. `side` is ``w``, ``b``, or None
    for the side to move. Raise `ValueError` if there is no such side.
    """
    is_black = bool(position.black_to_move) if side is None else _is_black(side)
    own_pieces = position.black if is_black else position.white
    kings = list_squares(position.kings & own_pieces)
    if len(kings) != 1 or VARIANT_TABLE[position.rules].traits & MUST_CAPTURE:
        return {}
    king = kings[0]
    own_squares = set(list_squares(own_pieces))
    board = position.board
    pinners: dict[Square, Square] = {}
    # A piece is pinned if it is the nearest one on a line from its king, and the next one behind it is an
    # enemy piece that moves along this line.
    for file_step, rank_step in _DIRECTIONS:
        ray = _list_ray_squares(king, file_step, rank_step)
        occupied = [square for square in ray if board[square ^ FLIP_RANK] != "."]
        if len(occupied) < 2:
            continue
        nearest, behind = occupied[:2]
        is_straight = file_step == 0 or rank_step == 0
        pinning_kinds = "qr" if is_straight else "qb"
        can_pin = behind not in own_squares and board[behind ^ FLIP_RANK].lower() in pinning_kinds
        if nearest in own_squares and can_pin:
            pinners[SQUARES[nearest]] = SQUARES[behind]
    return pinners


def _list_ray_squares(square: int, file_step: int, rank_step: int) -> list[int]:
    """Return the squares from a square to the edge of the board in one direction, the nearest first.

    `file_step` and `rank_step` are the changes of file and rank: 1 and 0 lead to the h-file. The square
    itself is not included. All squares are numbers from 0 for a1 to 63 for h8.
    """
    ray = []
    file, rank = square % 8 + file_step, square // 8 + rank_step
    while 0 <= file < 8 and 0 <= rank < 8:
        ray.append(8 * rank + file)
        file, rank = file + file_step, rank + rank_step
    return ray


# --- pieces -----------------------------------------------------------------------------------------


def map_pieces(position: Position) -> dict[Square, str]:
    """Return the letter of the piece on each occupied square, a1 first: ``{'e1': 'K', 'e8': 'k'}``."""
    board = position.board
    occupied = list_squares(position.white | position.black)
    return {SQUARES[number]: board[number ^ FLIP_RANK] for number in occupied}


def count_material(position: Position) -> dict[str, int]:
    """Return the number of pieces for each letter, on the board and in hand, such as ``{'R': 2, 'K': 1}``.

    White's letters are capitals. Letters without pieces are omitted.
    """
    counts = {letter: squares.bit_count() for letter, squares in position.pieces()}
    for letter in position.pockets:
        counts[letter] += 1
    return {letter: counts[letter] for letter in LETTERS if counts[letter]}


def list_targets(position: Position, square: str) -> tuple[Square, ...]:
    """Return the squares that one piece can legally move to, a1 first.

    `square` is the square of the piece or, in Crazyhouse, a piece in hand such as ``N@``. Raise `ValueError`
    if there is no such square or piece in hand.
    """
    target_squares = 0
    for move in legal_moves(position):
        if _find_move_source(position, move) == square:
            target_squares |= 1 << SQUARE_NUMBER[move.target]
    if not target_squares and square not in _list_sources(position):
        raise ValueError(f"{quoted(square)} is not a square or a piece in hand, expected one such as e2")
    return _to_squares(target_squares)


def _find_move_source(position: Position, move: Move) -> str | None:
    """Return the square that a move starts from, or the piece in hand that it drops, such as ``N@``.

    Return None for a null move, which starts nowhere.
    """
    if move.drop is None:
        return move.origin
    return f"{move.drop if position.black_to_move else move.drop.upper()}@"


def _list_sources(position: Position) -> tuple[str, ...]:
    """Return the names of all squares and, in Crazyhouse, of all pieces that can be in hand."""
    if position.rules != CRAZYHOUSE:
        return SQUARE_NAMES
    return (*SQUARE_NAMES, *(f"{letter}@" for letter in POCKET_ORDER + POCKET_ORDER.lower()))


def lacks_material(position: Position, side: str) -> bool:
    """Return True if a side, ``w`` or ``b``, cannot win with its pieces, whatever moves both sides play.

    `rules.material` describes the conditions of each variant.
    """
    return cannot_win(position, int(_is_black(side)))


# --- mirrored positions -----------------------------------------------------------------------------


def mirror_position(position: Position) -> Position:
    """Return the position with the colours exchanged and the board flipped, rank 1 to rank 8.

    Raise `ValueError` if the variant has different rules for the two sides.
    """
    if VARIANT_TABLE[position.rules].traits & (WHITE_HORDE | RACE):
        raise ValueError(
            f"the sides of {position.variant} cannot be exchanged, because their rules are different"
        )
    flipped_sets = {name: _flip_ranks(getattr(position, name)) for name in _SQUARE_SETS}
    ep_square = position.ep_square ^ FLIP_RANK if position.ep_square >= 0 else -1
    white_checks, black_checks = position.checks
    exchanged_fields = {
        "white": flipped_sets["black"],
        "black": flipped_sets["white"],
        "white_pocket": position.black_pocket,
        "black_pocket": position.white_pocket,
        "black_to_move": 1 - position.black_to_move,
        "ep_square": ep_square,
        # White's number is in the low bits, and here it becomes Black's.
        "remaining": black_checks | (white_checks << CHECKS_SHIFT),
    }
    return position.replace(**flipped_sets | exchanged_fields)


def rotate_position(position: Position) -> Position:
    """Return the position with the board rotated by 180 degrees, so that a piece on a1 stands on h8.

    Castling rights and an en-passant square that do not fit the rotated board are removed.
    """
    rotated_sets = {name: _rotate_squares(getattr(position, name)) for name in _SQUARE_SETS}
    ep_square = _LAST_SQUARE - position.ep_square if position.ep_square >= 0 else -1
    rotated = position.replace(**rotated_sets | {"ep_square": ep_square})
    with_valid_castling, _ = repair_castling(rotated)
    with_valid_ep, _ = repair_ep(with_valid_castling)
    return with_valid_ep


def _flip_ranks(squares: int) -> int:
    """Return a set of squares with the ranks in opposite order, so that a1 becomes a8.

    The set is a number with one bit for each square, the lowest for a1.
    """
    # Each rank is one byte, so reading the bytes in the opposite order flips the board.
    return int.from_bytes(squares.to_bytes(8, "little"), "big")


def _rotate_squares(squares: int) -> int:
    """Return a set of squares with the board rotated by 180 degrees, so that a1 becomes h8.

    The set is a number with one bit for each square, the lowest for a1.
    """
    # Bit 0 is a1 and bit 63 is h8, so reading the 64 binary digits backwards rotates the board.
    return int(f"{squares:064b}"[::-1], 2)


# --- moves and claims -------------------------------------------------------------------------------


def is_irreversible(position: Position, move: Move) -> bool:
    """Return True if no earlier position can occur again after a legal move.

    This is true for captures, pawn moves, moves that lose castling rights, checks in Three-check, and all
    moves in a position where an en-passant capture is legal. In Crazyhouse captured pieces can return, so
    only the loss of castling rights is irreversible.
    """
    after = play(position, move)
    loses_castling_right = find_effective_rights(after) != find_effective_rights(position)
    if loses_castling_right or position.rules == CRAZYHOUSE:
        return loses_castling_right
    is_capture_or_pawn_move = after.half == 0
    counts_a_check = after.remaining != position.remaining
    return is_capture_or_pawn_move or counts_a_check or find_legal_ep_square(position) >= 0


def list_claims_by_move(position: Position) -> dict[Move, tuple[str, ...]]:
    """Return the legal moves that allow the player to claim a draw, each with the reasons for the claim.

    A reason is a text such as ``fifty moves``. Repetitions are not considered.
    """
    reasons_by_move = {move: list_claims(play(position, move)) for move in legal_moves(position)}
    return {move: reasons for move, reasons in reasons_by_move.items() if reasons}


def find_chess960_number(position: Position) -> int | None:
    """Return the number of the Chess960 start position with the pieces of a position, 0 to 959.

    Return None if the pieces are not those of a start position.
    """
    ranks = [position.board[start : start + 8] for start in range(0, 64, 8)]
    black_back_rank, white_back_rank = ranks[0], ranks[-1]
    if ranks[1:-1] != _START_MIDDLE_RANKS:
        return None
    if black_back_rank != white_back_rank.lower():
        return None
    return _number_chess960_back_ranks().get(white_back_rank)


@cache
def _number_chess960_back_ranks() -> dict[str, int]:
    """Return the number of each Chess960 start position by White's back rank: 518 for ``RNBQKBNR``."""
    return {"".join(make_chess960_back_rank(number)): number for number in range(CHESS960_STARTS)}
