"""Reasons why a move is not possible: a code, one sentence and the relevant squares (`Hindrance`).

A hindrance differs from a diagnostic: the text and the position are valid, but the move cannot be played.
Games create hindrances with the functions of this module, so that all games use the same wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from forsyth.arguments import require_text
from forsyth.diagnostics import MoveError

CODES: Final[Mapping[str, str]] = {
    "move.unreadable": "the text is not a move of the game",
    "move.ambiguous": "the text matches several legal moves",
    "move.illegal": "the move is not legal, and there is no more specific reason",
    "move.place": "there is no such square on the board",
    "move.ended": "the game has ended, or nothing can be moved in this phase",
    "move.empty": "there is no piece on the square where the move begins",
    "move.other": "the piece does not belong to the side to move",
    "move.session": "a deploy turn is open, and this piece is not part of it",
    "move.way": "the piece does not move like that",
    "move.zone": "the piece may not leave its zone, or has not reached it",
    "move.far": "the target is too far away",
    "move.terrain": "the piece cannot stand on this terrain",
    "move.blocked": "another piece is in the way",
    "move.own": "one of the mover's own pieces stands on the target",
    "move.stack": "the two pieces cannot stand in one stack",
    "move.capture": "the piece does not capture like that",
    "move.hand": "the piece in hand may not be dropped there",
    "move.room": "the tiles do not fit into the line",
    "move.promotion": "the piece must promote, or may not promote",
    "move.castling": "castling is not possible now",
    "move.forced": "another move is compulsory, such as a capture",
    "move.explosion": "the mover's own king would explode",
    "move.gives_check": "the move would give check, which the rules forbid",
    "move.air_defence": "air defence stops the air force",
    "move.pinned": "the mover's own king or commander would be attacked",
    "move.check": "the move does not end the check",
    "move.attacked": "the king or commander would move to an attacked square",
    "move.exposed": "the two commanders would face each other",
    "move.unfinished": "the turn that was begun cannot end here",
}
"""The codes of hindrances with their meaning. A later code means that the move is closer to a legal one."""

UNEXPLAINED: Final = ("move.unreadable", "move.ambiguous", "move.illegal")
"""The codes that add nothing to the `MoveError` for the move text."""

_RANKS: Final = {code: rank for rank, code in enumerate(CODES)}
"""The position of each code in `CODES`."""


def require_places(origin: object, target: object, piece: object) -> None:
    """Raise `TypeError` if the origin, the target or the piece of a move is not a string.

    Strings that are not the name of a square or piece are accepted: they are a reason why the move is not
    legal, not a wrong argument.
    """
    require_text("the origin", origin)
    require_text("the target", target)
    require_text("the piece", piece)


class Hindrance(NamedTuple):
    """A reason why a move is not possible."""

    code: str
    """One of `CODES`."""
    message: str
    """One sentence that begins in lower case and has no full stop, as in diagnostics."""
    squares: tuple[str, ...] = ()
    """The relevant squares of the scene, such as those of a blocking or attacking piece."""

    def to_dict(self) -> dict[str, Any]:
        """Return the hindrance as JSON-ready data with the keys ``code``, ``message`` and ``squares``."""
        return {"code": self.code, "message": self.message, "squares": list(self.squares)}


def closest_to_legal(hindrances: Iterable[Hindrance | None]) -> Hindrance | None:
    """Return the most specific of several reasons why a move is not legal, or None if it is legal.

    A move text can often be understood as several moves. `hindrances` contains, for each of them, the reason
    why it is not legal, or None if it is legal. The most specific reason is the one whose code comes last in
    `CODES`, and of two equal codes the first.
    """
    closest: Hindrance | None = None
    for hindrance in hindrances:
        if hindrance is None:
            return None
        if closest is None or _RANKS[hindrance.code] > _RANKS[closest.code]:
            closest = hindrance
    return closest


def hindrance_of_error(error: MoveError) -> Hindrance:
    """Convert a `MoveError` to a `Hindrance` with the same message.

    Its code is ``move.unreadable``, ``move.ambiguous`` or ``move.illegal``.
    """
    code_by_kind = {"invalid": "move.unreadable", "ambiguous": "move.ambiguous", "illegal": "move.illegal"}
    return Hindrance(code_by_kind[error.kind], str(error))


def no_such_place(place: str) -> Hindrance:
    """Return the reason why a move is not possible: `place`, such as ``z9``, is not on the board."""
    return Hindrance("move.place", f"there is no {place} on the board")


def game_ended(reason: str) -> Hindrance:
    """Return the reason why no move is possible: the game has ended by a ``checkmate``, for example."""
    return Hindrance("move.ended", f"the game has ended: {reason}")


def empty_square(place: str) -> Hindrance:
    """Return the reason why a move is not possible: no piece stands on its origin `place`."""
    return Hindrance("move.empty", f"nothing stands on {place}", (place,))


def not_movers_piece(piece: str, place: str, mover: str) -> Hindrance:
    """Return the reason why a move is not possible: the piece on `place` belongs to the other side.

    `piece` is the name of the piece, such as ``black knight``, and `mover` that of the side to move.
    """
    return Hindrance("move.other", f"the {piece} on {place} is not {mover}'s, who is to move", (place,))


def own_piece_on_target(piece: str, target: str) -> Hindrance:
    """Return the reason why a move is not possible: a piece of the same side stands on `target`.

    `piece` is the name of the piece on the square `target`, such as ``rook``.
    """
    return Hindrance("move.own", f"the mover's own {piece} stands on {target}", (target,))


def cannot_move_like_that(piece: str, origin: str, target: str) -> Hindrance:
    """Return the reason why a move is not possible: such pieces never move like that.

    An example is a diagonal rook move. `piece` is the name of the piece, such as ``rook``.
    """
    return Hindrance("move.way", f"the {piece} on {origin} does not move like that to {target}")


def path_blocked(piece: str, origin: str, blocker: str, square: str) -> Hindrance:
    """Return the reason why a move is not possible: a piece on `square` is in the way.

    `piece` and `blocker` are the names of the moving and the blocking piece, such as ``rook``.
    """
    message = f"the {blocker} on {square} is in the way of the {piece} on {origin}"
    return Hindrance("move.blocked", message, (square,))


def king_attacked(
    piece: str, origin: str, king: tuple[str, str], attackers: Sequence[tuple[str, str]], *, before: bool
) -> Hindrance:
    """Return the reason why a move is not possible: it would leave the mover's king attacked.

    Either the king moves to an attacked square, or the move does not end a check, or the piece is pinned.

    Args:
        piece: The name of the moving piece, such as ``rook``.
        origin: The square from which it moves.
        king: The name and square of the king, or of the piece that has its role, such as a commander.
        attackers: The name and square of each attacking piece.
        before: Whether the king is attacked already before the move.
    """
    king_name, king_square = king
    attacker_list = " and the ".join(f"{attacker} on {square}" for attacker, square in attackers)
    squares = tuple(square for _, square in attackers)
    is_king_move = piece == king_name
    if is_king_move:
        message = f"the {king_name} would be attacked by the {attacker_list}"
        return Hindrance("move.attacked", message, squares)
    if before:
        message = (
            f"the {king_name} on {king_square} is in check from the {attacker_list}, "
            "and this move does not end it"
        )
        return Hindrance("move.check", message, squares)
    message = (
        f"the {piece} on {origin} is pinned: "
        f"the {king_name} on {king_square} would be attacked by the {attacker_list}"
    )
    return Hindrance("move.pinned", message, squares)
