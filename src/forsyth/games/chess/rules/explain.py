"""Why a chess move is not possible: blocked, pinned, in check, castling lost.

Accepts
    SAN and UCI as `read_move` does, and pairs of places of the scene, a pocket (``N@``) among them. Of a text
    that fits several men, the one that comes nearest to a legal move is explained.
Writes
    One hindrance. The rules are not written a second time: what a man attacks afterwards is asked of the
    position in which it has moved.
Limits
    The first man in the way is named, and all men that attack the king.
"""

from __future__ import annotations

import re
from typing import Final

from forsyth import hindrances
from forsyth.diagnostics import MoveError
from forsyth.games.chess import edit
from forsyth.games.chess.board import SQUARE_NUMBER, SQUARES
from forsyth.games.chess.drawing.scene import token
from forsyth.games.chess.notation.san import read_san, write_san
from forsyth.games.chess.position import CRAZYHOUSE, HORDE, Position, bits
from forsyth.games.chess.rules.attacks import checkers_of
from forsyth.games.chess.rules.moves import legal_moves
from forsyth.games.chess.rules.outcome import outcome
from forsyth.games.chess.variants import EXPLODES, MUST_CAPTURE, NO_CASTLING, RACE, TABLE
from forsyth.hindrances import Hindrance

_KINDS: Final = "KQRBNP"
_SIDES: Final = ("White", "Black")
_CASTLING: Final = re.compile(r"[O0]-[O0](-[O0])?")
_DROP: Final = re.compile(r"([QRBNP]?)@([a-h][1-8])")
_SQUARE: Final = re.compile("[a-h][1-8]")


def explain(position: Position, text: str) -> Hindrance | None:
    """Why a text names no legal move; None where it names one."""
    try:
        read_san(position, text)
    except MoveError as error:
        return _illegal(position, text, error) if error.kind == "illegal" else hindrances.of_error(error)
    return None


def _illegal(position: Position, text: str, error: MoveError) -> Hindrance:
    over = _ended(position)
    if over is not None:
        return over
    castling = _CASTLING.match(text)
    if castling is not None:
        return _castling(position, king_side=castling[1] is None)
    drop = _DROP.match(text)
    if drop is not None:
        letter = drop[1] or "P"
        place = f"{letter.lower() if position.black_to_move else letter}@"
        return why_not(position, place, drop[2]) or hindrances.of_error(error)
    squares = _SQUARE.findall(text)
    if len(squares) > 1:
        found = why_not(position, squares[0], squares[-1])
    else:
        found = hindrances.nearest(
            why_not(position, origin, squares[-1]) for origin in _origins(position, text)
        )
    return found or _promotion(squares[-1], error)


def _ended(position: Position) -> Hindrance | None:
    """The end of the game, where it leaves no legal move: a drawn position may have some."""
    over = None if legal_moves(position) else outcome(position)
    return None if over is None else hindrances.ended(over.reason)


def _origins(position: Position, text: str) -> list[str]:
    """Where the men stand that a text of one square may mean."""
    letter = text[0] if text[0] in _KINDS else "P"
    man = letter.lower() if position.black_to_move else letter
    files = re.match(r"[KQRBN]?([a-h]?)([1-8]?)x?[a-h][1-8]", text)
    file, rank = files.groups() if files else ("", "")
    if letter == "P" and not file:
        # A pawn whose file is not named goes straight on.
        file = text[0]
    alike = [square for square in SQUARES if position.piece_at(square) == man]
    return [square for square in alike if square.startswith(file) and square.endswith(rank)] or alike


def _promotion(target: str, error: MoveError) -> Hindrance:
    """A pawn's move that is legal with another ending."""
    if target[1] in "18":
        message = f"a pawn on {target} must become a queen, rook, bishop or knight, as in {target}=Q"
        return Hindrance("move.promotion", message, (target,))
    return hindrances.of_error(error)


def why_not(position: Position, origin: str, target: str, piece: str = "") -> Hindrance | None:
    """Why nothing goes from one place to another; None where something does."""
    if target not in SQUARE_NUMBER:
        return hindrances.no_place(target)
    if origin.endswith("@"):
        return _drop(position, origin, target)
    if origin not in SQUARE_NUMBER:
        return hindrances.no_place(origin)
    if any(move.origin == origin and move.target == target for move in legal_moves(position)):
        return None
    over = _ended(position)
    if over is not None:
        return over
    letter = position.piece_at(origin)
    if letter is None:
        return hindrances.empty(origin)
    if letter.islower() != bool(position.black_to_move):
        return hindrances.other(_side_name(letter), origin, _SIDES[position.black_to_move])
    there = position.piece_at(target)
    if letter in "Kk" and _is_castling(position, origin, target, there):
        return _castling(position, king_side=target > origin)
    way = _way(position, letter, origin, target, there)
    if there is not None and there.islower() == letter.islower():
        no_way = way if way is not None and way.code == "move.way" else None
        return no_way or hindrances.own(_name(there), target)
    return (
        way
        or _forbidden(position, letter, origin, target, there)
        or _danger(position, letter, origin, target)
    )


def _name(letter: str) -> str:
    return token(letter).label.partition(" ")[2]


def _side_name(letter: str) -> str:
    return token(letter).label


def _steps(origin: str, target: str) -> tuple[int, int]:
    """How far a target is to the right and up."""
    return ord(target[0]) - ord(origin[0]), int(target[1]) - int(origin[1])


def _way(position: Position, letter: str, origin: str, target: str, there: str | None) -> Hindrance | None:
    """Why a man does not get to a target, whatever becomes of its king."""
    right, up = _steps(origin, target)
    far, kind = max(abs(right), abs(up)), letter.upper()
    no_way = hindrances.no_way(_name(letter), origin, target)
    if kind == "P":
        return _pawn_way(position, letter, origin, target, there)
    if kind == "N":
        return None if sorted((abs(right), abs(up))) == [1, 2] else no_way
    straight, diagonal = 0 in (right, up), abs(right) == abs(up)
    if far == 0 or not ((straight and kind in "KQR") or (diagonal and kind in "KQB")):
        return no_way
    if kind == "K":
        return None if far == 1 else no_way
    return _first_between(position, letter, origin, target)


def _first_between(position: Position, letter: str, origin: str, target: str) -> Hindrance | None:
    right, up = _steps(origin, target)
    far = max(abs(right), abs(up))
    for step in range(1, far):
        square = f"{chr(ord(origin[0]) + right // far * step)}{int(origin[1]) + up // far * step}"
        between = position.piece_at(square)
        if between is not None:
            return hindrances.blocked(_name(letter), origin, _name(between), square)
    return None


def _pawn_way(
    position: Position, letter: str, origin: str, target: str, there: str | None
) -> Hindrance | None:
    right, up = _steps(origin, target)
    ahead = -up if letter.islower() else up
    first = origin[1] == ("7" if letter.islower() else "2")
    if position.rules == HORDE and letter == "P":
        first = origin[1] in "12"
    if abs(right) == 1 and ahead == 1:
        if there is not None or target == position.ep:
            return None
        return Hindrance("move.capture", f"a pawn goes sideways only to capture, and {target} is empty")
    if right or ahead not in (1, 2) or (ahead == 2 and not first):
        return hindrances.no_way("pawn", origin, target)
    between = _first_between(position, letter, origin, target)
    if between is None and there is not None:
        return hindrances.blocked("pawn", origin, _name(there), target)
    return between


def _forbidden(
    position: Position, letter: str, origin: str, target: str, there: str | None
) -> Hindrance | None:
    """Why a variant does not allow a move that standard chess may."""
    traits = TABLE[position.rules].traits
    name = _name(letter)
    captures = there is not None or (letter in "Pp" and origin[0] != target[0])
    if traits & MUST_CAPTURE and not captures:
        forced = next(move for move in legal_moves(position))
        message = f"a capture is possible, such as {write_san(position, forced)}, and has to be made"
        return Hindrance("move.forced", message, (forced.target,))
    if traits & EXPLODES and captures and _explodes(position, origin, target):
        return Hindrance(
            "move.explosion", f"the mover's own king would explode with the capture on {target}", (target,)
        )
    if traits & RACE and not _attackers(edit.lift(position, origin, target)):
        return Hindrance(
            "move.gives_check", f"the {name} on {target} would give or uncover check, which nobody may"
        )
    return None


def _explodes(position: Position, origin: str, target: str) -> bool:
    """Whether a capture takes the mover's own king along."""
    king = _king(position)
    right, up = _steps(king or target, target)
    return king == origin or max(abs(right), abs(up)) == 1


def _danger(position: Position, letter: str, origin: str, target: str) -> Hindrance:
    """A man that gets there must leave its king attacked, or the move would be legal."""
    after = edit.lift(position, origin, target)
    if letter in "Pp" and target == position.ep and origin[0] != target[0]:
        after = edit.put(after, f"{target[0]}{origin[1]}", None)
    attackers = _attackers(after)
    king = _king(after)
    if not attackers or not king:
        return Hindrance("move.illegal", f"the {_name(letter)} may not go from {origin} to {target} here")
    before = bool(checkers_of(position))
    return hindrances.attacked(_name(letter), origin, ("king", king), attackers, before=before)


def _attackers(position: Position) -> list[tuple[str, str]]:
    """Who gives check to the side to move."""
    squares = [SQUARES[number] for number in bits(checkers_of(position))]
    return [(_name(position.piece_at(square) or "P"), square) for square in squares]


def _king(position: Position) -> str:
    letter = "k" if position.black_to_move else "K"
    return next((square for square in SQUARES if position.piece_at(square) == letter), "")


# --- castling and drops -----------------------------------------------------------------------------


def _is_castling(position: Position, origin: str, target: str, there: str | None) -> bool:
    if there is not None and there == ("r" if position.black_to_move else "R"):
        return True
    right, up = _steps(origin, target)
    return up == 0 and abs(right) > 1 and origin[1] == ("8" if position.black_to_move else "1")


def _castling(position: Position, *, king_side: bool) -> Hindrance:
    """Why the king does not castle on a wing (spec/chess 8)."""
    if TABLE[position.rules].traits & NO_CASTLING:
        return Hindrance("move.castling", "nobody castles in this variant")
    king = _king(position)
    attackers = _attackers(position)
    if not king:
        return Hindrance("move.castling", "there is no king to castle with")
    if attackers:
        name, square = attackers[0]
        message = f"the king on {king} is in check from the {name} on {square}, and so it may not castle"
        return Hindrance("move.castling", message, (square,))
    number = SQUARE_NUMBER[king]
    wing = "king's" if king_side else "queen's"
    rooks = [rook for rook in bits(position.rights) if rook >> 3 == number >> 3]
    rook = next((rook for rook in rooks if (rook > number) == king_side), None)
    if rook is None:
        return Hindrance("move.castling", f"the right to castle on the {wing} side is lost")
    lands, rook_lands = (6, 5) if king_side else (2, 3)
    row = number & 56
    walk = _span(number, row + lands)
    for at in sorted(walk | _span(rook, row + rook_lands) | _span(number, rook)):
        between = position.piece_at(SQUARES[at])
        if between is not None and at not in (number, rook):
            return hindrances.blocked("castling king", king, _name(between), SQUARES[at])
    for at in sorted(walk - {number}):
        attackers = _attackers(edit.lift(position, king, SQUARES[at]))
        if attackers:
            name, square = attackers[0]
            message = f"the king would pass {SQUARES[at]}, which the {name} on {square} attacks"
            return Hindrance("move.castling", message, (square,))
    return Hindrance("move.castling", f"the king may not castle on the {wing} side now")


def _span(one: int, other: int) -> set[int]:
    return set(range(min(one, other), max(one, other) + 1))


def _drop(position: Position, origin: str, target: str) -> Hindrance | None:
    letter = origin.removesuffix("@")
    if position.rules != CRAZYHOUSE or letter.upper() not in tuple(_KINDS):
        return hindrances.no_place(origin)
    if letter.islower() != bool(position.black_to_move):
        return Hindrance("move.other", f"{_SIDES[letter.islower()]} is not to move")
    kind = letter.lower()
    if any(move.drop == kind and move.target == target for move in legal_moves(position)):
        return None
    if letter not in position.pockets:
        return Hindrance("move.empty", f"there is no {_side_name(letter)} in hand")
    there = position.piece_at(target)
    if there is not None:
        message = f"a piece in hand goes to an empty square only, and the {_side_name(there)} is on {target}"
        return Hindrance("move.hand", message, (target,))
    if kind == "p" and target[1] in "18":
        return Hindrance("move.hand", "a pawn may not be put on the first or last rank")
    attackers, king = _attackers(position), _king(position)
    return hindrances.attacked(_name(letter), origin, ("king", king), attackers, before=True)
