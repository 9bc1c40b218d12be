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
    captured, flags = _find_capture_and_flags(position, move)
    return MoveFacts(
        move=write_san(position, move),
        lan=move.uci,
        origin=move.origin,
        target=move.target or None,
        flags=flags,
        captured=captured,
        after=encode(play(position, move)),
        piece=_find_moved_piece(position, move),
    )


def _find_capture_and_flags(position: Position, move: Move) -> tuple[str | None, str]:
    """Return the captured piece as a small letter, or None, and the flags of a move.

    A knight that is captured gives ``("n", "c")``. The flags are: n quiet, b double step, c capture, e en
    passant, p promotion, k castling on the king side, q castling on the queen side, d drop. A capture with
    promotion has ``cp``, a null move no flags.
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
        changes_file = target[0] != origin[0]
        rank_distance = abs(int(target[1]) - int(origin[1]))
        if changes_file:
            return "p", "e"
        if rank_distance == 2:
            return None, "b"

    promotion_flag = "" if move.promotion is None else "p"
    if captured is None:
        return None, promotion_flag or "n"
    return captured.lower(), f"c{promotion_flag}"


def _find_moved_piece(position: Position, move: Move) -> str:
    """Return the letter of the piece that moves or is dropped, such as ``N`` for White's knight.

    It is an empty string for a null move.
    """
    if move.drop is not None:
        return move.drop if position.black_to_move else move.drop.upper()
    if move.origin is None:
        return ""
    return position.piece_at(move.origin) or ""


def compare_positions(old_position: Position, new_position: Position) -> Difference:
    """Return the differences between two positions: the fields and the squares that are not equal.

    Each difference has a name, such as ``side`` or ``e4``, and the values in both positions as text.
    """
    fields = _list_changes(_list_field_values(old_position), _list_field_values(new_position))
    squares = _list_changes(_list_square_values(old_position), _list_square_values(new_position))
    return Difference(fields=fields, squares=squares, sides=(old_position, new_position))


def _list_changes(old_values: dict[str, str], new_values: dict[str, str]) -> tuple[Change, ...]:
    """Return a `Change` for each name whose values differ. Both dictionaries have the same names."""
    return tuple(
        Change(name, value, new_values[name])
        for name, value in old_values.items()
        if value != new_values[name]
    )


def _list_field_values(position: Position) -> dict[str, str]:
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


def _list_square_values(position: Position) -> dict[str, str]:
    """Return the letter of the piece on each square by its name, a8 first.

    An empty square has an empty string.
    """
    return {
        SQUARES[index ^ FLIP_RANK]: "" if letter == "." else letter
        for index, letter in enumerate(position.board)
    }
