"""What there is to say about a move of chess, and about the difference of two positions.

Flags of a move: n quiet, b double step, c capture, e en passant, p promotion, k and q castling, d drop; a
null move has none.
"""

from __future__ import annotations

from forsyth.game import Change, Difference, MoveFacts
from forsyth.games.chess.board import SQUARES
from forsyth.games.chess.notation.kernel import encode
from forsyth.games.chess.notation.san import write_san
from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.moves import Move, play


def describe_move(position: Position, move: Move) -> MoveFacts:
    """Everything there is to say about a legal move."""
    captured, flags = _capture_and_flags(position, move)
    return MoveFacts(
        write_san(position, move),
        move.uci,
        move.origin,
        move.target or None,
        flags,
        captured,
        encode(play(position, move)),
        _mover(position, move),
    )


def _capture_and_flags(position: Position, move: Move) -> tuple[str | None, str]:
    if move.is_null:
        return None, ""
    if move.drop is not None:
        return None, "d"
    target = move.target
    if move.is_castling:
        return None, "k" if target > (move.origin or "") else "q"
    mover = position.piece_at(move.origin or "") or ""
    captured = position.piece_at(target)
    if mover.lower() == "p":
        if captured is None and target[0] != (move.origin or "")[0]:
            return "p", "e"
        if abs(int(target[1]) - int((move.origin or "")[1])) == 2:
            return None, "b"
    flags = "n" if captured is None else "c"
    if move.promotion is not None:
        flags = "p" if captured is None else "cp"
    return None if captured is None else captured.lower(), flags


def _mover(position: Position, move: Move) -> str:
    """The letter of the man that goes."""
    if move.drop is not None:
        return move.drop if position.black_to_move else move.drop.upper()
    return "" if move.origin is None else position.piece_at(move.origin) or ""


def difference(a: Position, b: Position) -> Difference:
    """What differs between two positions, field by field and square by square."""
    squares = [
        Change(SQUARES[index ^ 56], _man(left), _man(right))
        for index, (left, right) in enumerate(zip(a.board, b.board, strict=True))
        if left != right
    ]
    fields = [
        Change(name, str(left), str(right))
        for name, left, right in (
            ("variant", a.variant, b.variant),
            ("side", a.side, b.side),
            ("castling", a.castling, b.castling),
            ("ep", a.ep, b.ep),
            ("half", a.half, b.half),
            ("full", a.full, b.full),
            ("pockets", a.pockets, b.pockets),
            ("checks", "+".join(map(str, a.checks)), "+".join(map(str, b.checks))),
        )
        if left != right
    ]
    return Difference(tuple(fields), tuple(squares), (a, b))


def _man(letter: str) -> str:
    return "" if letter == "." else letter
