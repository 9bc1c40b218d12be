"""The facts about a chess move, and the comparison of two positions.

The flags of a move: n quiet, b double step, c capture, e en passant, p promotion, k castling on the king
side, q castling on the queen side, d drop. A null move has no flags.
"""

from __future__ import annotations

from forsyth.game import Change, Difference, MoveFacts
from forsyth.games.chess.board import FLIP_RANK, SQUARES
from forsyth.games.chess.notation.kernel import encode
from forsyth.games.chess.notation.san import write_san
from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.moves import Move, play


def describe_move(position: Position, move: Move) -> MoveFacts:
    """Return the facts about a legal move, such as its notations, its flags and the position after it."""
    captured, flags = _capture_and_flags(position, move)
    return MoveFacts(
        write_san(position, move),
        move.uci,
        move.origin,
        move.target or None,
        flags,
        captured,
        encode(play(position, move)),
        _moved_piece(position, move),
    )


def _capture_and_flags(position: Position, move: Move) -> tuple[str | None, str]:
    """Return the captured piece as a small letter, or None, and the flags of a move: ``("n", "c")``.

    The flags are: n quiet, b double step, c capture, e en passant, p promotion, k castling on the king side,
    q castling on the queen side, d drop. A capture with promotion has ``cp``, a null move no flags.
    """
    if move.is_null:
        return None, ""
    if move.drop is not None:
        return None, "d"
    origin, target = move.origin or "", move.target
    # The target is to the right of the king for the king side, also if it is the rook (Chess960).
    if move.is_castling:
        return None, "k" if target > origin else "q"
    moved = position.piece_at(origin) or ""
    captured = position.piece_at(target)
    if moved.lower() == "p":
        changes_file = target[0] != origin[0]
        if captured is None and changes_file:
            return "p", "e"
        if abs(int(target[1]) - int(origin[1])) == 2:
            return None, "b"
    flags = "n" if captured is None else "c"
    if move.promotion is not None:
        flags = "p" if captured is None else "cp"
    return None if captured is None else captured.lower(), flags


def _moved_piece(position: Position, move: Move) -> str:
    """Return the letter of the piece that moves or is dropped, ``N`` or ``n``, or '' for a null move."""
    if move.drop is not None:
        return move.drop if position.black_to_move else move.drop.upper()
    return "" if move.origin is None else position.piece_at(move.origin) or ""


def compare_positions(a: Position, b: Position) -> Difference:
    """Return the differences between two positions: the fields and the squares that are not equal.

    Each difference has a name, such as ``side`` or ``e4``, and the values in `a` and `b` as text.
    """
    squares = [
        Change(SQUARES[index ^ FLIP_RANK], _piece_letter(left), _piece_letter(right))
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


def _piece_letter(letter: str) -> str:
    """Return `letter`, a cell of `Position.board`, or an empty string if it is ``.``, an empty square."""
    return "" if letter == "." else letter
