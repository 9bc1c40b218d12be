"""What can be asked of a chess position: who attacks what, pins, material, mirrors, what a move gives up.

The methods of `Position` of the same names are the face of it, with examples. Squares are given as names and
come back as `Square`. Sides are ``w`` and ``b``. Everything follows the rules of the position's variant: in
antichess nobody is in check or pinned, in atomic chess kings side by side give no check.

Limits: a side with several kings, which no rule of check knows, has no pins.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from forsyth.arguments import no_choice, quoted
from forsyth.games.chess.board import SQUARES as NAMES
from forsyth.games.chess.edit import CHESS960_STARTS, back_rank
from forsyth.games.chess.position import CRAZYHOUSE, FIELD_NAMES, LETTERS, POCKET_ORDER, Position, bits
from forsyth.games.chess.rules.attacks import attackers_on, checkers_of
from forsyth.games.chess.rules.legality import castling_repaired, effective_rights, ep_repaired, legal_ep
from forsyth.games.chess.rules.material import cannot_win
from forsyth.games.chess.rules.moves import Move, legal_moves, play
from forsyth.games.chess.rules.outcome import claims
from forsyth.games.chess.squares import SQUARES, Square
from forsyth.games.chess.variants import MUST_CAPTURE, RACE, TABLE, WHITE_HORDE

_SIDES: Final = ("w", "b")
_SETS: Final = FIELD_NAMES[:10]
"""The numbers of a position that are sets of squares."""
_DIRECTIONS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def _is_black(side: str) -> bool:
    if side not in _SIDES:
        raise no_choice("side", side, _SIDES)
    return side == "b"


def _named(squares: int) -> tuple[Square, ...]:
    return tuple(SQUARES[number] for number in bits(squares))


# --- attacks ----------------------------------------------------------------------------------------


def attackers(position: Position, square: str, side: str | None = None) -> tuple[Square, ...]:
    """The squares of the men that attack a square, those of one side or of both."""
    number = Square(square).number
    sides = (False, True) if side is None else (_is_black(side),)
    found = 0
    for black in sides:
        found |= attackers_on(position, number, black)
    return _named(found)


def checkers(position: Position) -> tuple[Square, ...]:
    """The squares of the men that give check to the side to move."""
    return _named(checkers_of(position))


def pins(position: Position, side: str | None = None) -> dict[Square, Square]:
    """The pinned men of a side, by default the one to move, each with the man that pins it."""
    black = bool(position.black_to_move) if side is None else _is_black(side)
    own = position.black if black else position.white
    kings = bits(position.kings & own)
    if len(kings) != 1 or TABLE[position.rules].traits & MUST_CAPTURE:
        return {}
    board = position.board
    found: dict[Square, Square] = {}
    for right, up in _DIRECTIONS:
        men = [square for square in _ray(kings[0], right, up) if board[square ^ 56] != "."][:2]
        if len(men) < 2 or not own >> men[0] & 1 or own >> men[1] & 1:
            continue
        if board[men[1] ^ 56].lower() in ("q", "r" if 0 in (right, up) else "b"):
            found[SQUARES[men[0]]] = SQUARES[men[1]]
    return found


def _ray(square: int, right: int, up: int) -> list[int]:
    """The squares in one direction, nearest first."""
    found = []
    file, rank = square % 8 + right, square // 8 + up
    while 0 <= file < 8 and 0 <= rank < 8:
        found.append(8 * rank + file)
        file, rank = file + right, rank + up
    return found


# --- men --------------------------------------------------------------------------------------------


def piece_map(position: Position) -> dict[Square, str]:
    """The letters of the men by their squares, a1 first."""
    board = position.board
    return {SQUARES[number]: board[number ^ 56] for number in bits(position.white | position.black)}


def material(position: Position) -> dict[str, int]:
    """How many men of each letter there are, on the board and in hand; letters without men are left out."""
    counts = {letter: squares.bit_count() for letter, squares in position.pieces()}
    for letter in position.pockets:
        counts[letter] += 1
    return {letter: counts[letter] for letter in LETTERS if counts[letter]}


def targets(position: Position, square: str) -> tuple[Square, ...]:
    """Where the man on a square may go, or one in hand (``N@``): the targets of its legal moves, a1 first."""
    found = 0
    for move in legal_moves(position):
        if _origin(position, move) == square:
            found |= 1 << (move.id >> 6 & 63)
    if not found and square not in _places(position):
        raise ValueError(f"{quoted(square)} is no square or place in hand, expected one such as e2")
    return _named(found)


def _origin(position: Position, move: Move) -> str | None:
    """The square or the place in hand that a move starts from."""
    if move.drop is None:
        return move.origin
    return f"{move.drop if position.black_to_move else move.drop.upper()}@"


def _places(position: Position) -> tuple[str, ...]:
    """The squares, and in Crazyhouse the places in hand."""
    if position.rules != CRAZYHOUSE:
        return NAMES
    return (*NAMES, *(f"{letter}@" for letter in POCKET_ORDER + POCKET_ORDER.lower()))


def lacks_material(position: Position, side: str) -> bool:
    """Whether a side can never win, however the other one helps (see `material`)."""
    return cannot_win(position, int(_is_black(side)))


# --- the board turned round -------------------------------------------------------------------------


def mirror(position: Position) -> Position:
    """The position with the sides exchanged, the board upside down; `ValueError` where rules differ."""
    if TABLE[position.rules].traits & (WHITE_HORDE | RACE):
        raise ValueError(f"the sides of {position.variant} cannot be exchanged: their rules are not alike")
    sets = {name: _upside_down(getattr(position, name)) for name in _SETS}
    return position.replace(
        **sets
        | {
            "white": sets["black"],
            "black": sets["white"],
            "white_pocket": position.black_pocket,
            "black_pocket": position.white_pocket,
            "black_to_move": 1 - position.black_to_move,
            "ep_square": position.ep_square ^ 56 if position.ep_square >= 0 else -1,
            "remaining": position.remaining >> 4 | (position.remaining & 15) << 4,
        }
    )


def rotate(position: Position) -> Position:
    """The position with its men turned right round; rights and ep squares that do not fit are dropped."""
    sets = {name: _right_round(getattr(position, name)) for name in _SETS}
    ep_square = 63 - position.ep_square if position.ep_square >= 0 else -1
    turned = position.replace(**sets | {"ep_square": ep_square})
    return ep_repaired(castling_repaired(turned)[0])[0]


def _upside_down(squares: int) -> int:
    return int.from_bytes(squares.to_bytes(8, "little"), "big")


def _right_round(squares: int) -> int:
    return int(f"{squares:064b}"[::-1], 2)


# --- moves and claims -------------------------------------------------------------------------------


def is_irreversible(position: Position, move: Move) -> bool:
    """Whether no position before a legal move can come again after it.

    So do captures and pawn moves, lost castling rights, checks that count, and any move where an en-passant
    capture is possible. In Crazyhouse men come back: only lost castling rights count.
    """
    after = play(position, move)
    if effective_rights(after) != effective_rights(position):
        return True
    if position.rules == CRAZYHOUSE:
        return False
    return after.half == 0 or after.remaining != position.remaining or legal_ep(position) >= 0


def claims_by_move(position: Position) -> dict[Move, tuple[str, ...]]:
    """The legal moves with which a draw may be claimed, each with the reasons; repetitions aside."""
    found = {move: claims(play(position, move)) for move in legal_moves(position)}
    return {move: reasons for move, reasons in found.items() if reasons}


def chess960_number(position: Position) -> int | None:
    """The number of the Chess960 start that the men stand in, 0 to 959; else None."""
    back, *others, white = (position.board[at : at + 8] for at in range(0, 64, 8))
    if others != ["pppppppp", *["........"] * 4, "PPPPPPPP"] or back != white.lower():
        return None
    return _numbers().get(white)


@cache
def _numbers() -> dict[str, int]:
    return {"".join(back_rank(number)): number for number in range(CHESS960_STARTS)}
