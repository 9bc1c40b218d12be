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
    """Return the facts about a legal move: its texts, squares, flags and pieces, and the FEN after it.

    `position` is the position before the move.
    """
    captured, flags = _capture_and_flags(position, move)
    return MoveFacts(
        move=write_san(position, move),
        lan=move.uci,
        origin=move.origin,
        target=move.target or None,
        flags=flags,
        captured=captured,
        after=encode(play(position, move)),
        piece=_moved_piece(position, move),
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
    if move.is_castling:
        # The target is to the right of the king for the king side, also if it is the rook (Chess960).
        is_king_side = target > origin
        return None, "k" if is_king_side else "q"

    captured = position.piece_at(target)
    is_pawn_move = position.piece_at(origin) in ("P", "p")
    if is_pawn_move and captured is None:
        if target[0] != origin[0]:
            return "p", "e"
        if abs(int(target[1]) - int(origin[1])) == 2:
            return None, "b"

    promotion_flag = "" if move.promotion is None else "p"
    if captured is None:
        return None, promotion_flag or "n"
    return captured.lower(), f"c{promotion_flag}"


def _moved_piece(position: Position, move: Move) -> str:
    """Return the letter of the piece that moves or is dropped, ``N`` or ``n``, or '' for a null move."""
    if move.drop is not None:
        return move.drop if position.black_to_move else move.drop.upper()
    if move.origin is None:
        return ""
    return position.piece_at(move.origin) or ""


def compare_positions(a: Position, b: Position) -> Difference:
    """Return the differences between two positions: the fields and the squares that are not equal.

    Each difference has a name, such as ``side`` or ``e4``, and the values in `a` and `b` as text.
    """
    fields = _list_changes(_field_values(a), _field_values(b))
    squares = _list_changes(_square_values(a), _square_values(b))
    return Difference(fields=fields, squares=squares, sides=(a, b))


def _list_changes(values_a: dict[str, str], values_b: dict[str, str]) -> tuple[Change, ...]:
    """Return a `Change` for each name whose values differ. Both dictionaries have the same names."""
    return tuple(
        Change(name, value, values_b[name]) for name, value in values_a.items() if value != values_b[name]
    )


def _field_values(position: Position) -> dict[str, str]:
    """Return the fields of a position apart from the board as texts, by their names.

    For a start position ``side`` is ``w`` and ``half`` is ``0``.
    """
    return {
        "variant": position.variant,
        "side": position.side,
        "castling": position.castling,
        "ep": position.ep,
        "half": str(position.half),
        "full": str(position.full),
        "pockets": position.pockets,
        "checks": "+".join(map(str, position.checks)),
    }


def _square_values(position: Position) -> dict[str, str]:
    """Return the piece letter on each square, a8 first, or an empty string if the square is empty."""
    return {
        SQUARES[index ^ FLIP_RANK]: "" if letter == "." else letter
        for index, letter in enumerate(position.board)
    }
