"""Why a move is not possible: a code, one sentence and the squares that matter (`Hindrance`).

A hindrance is no finding: nothing is wrong with the text or the position, only the move cannot be played.
Games make them with the functions here, so that the same thing is said in the same words everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from forsyth.arguments import require_text
from forsyth.diagnostics import MoveError

CODES: Final[Mapping[str, str]] = {
    "move.unreadable": "the text is no move of the game",
    "move.ambiguous": "the text fits several legal moves",
    "move.illegal": "the move is not legal, and no more is known",
    "move.place": "there is no such place on the board",
    "move.ended": "the game has ended, or nothing can be moved in this phase",
    "move.empty": "nothing stands where the move begins",
    "move.other": "what stands there is not the mover's",
    "move.session": "a deploy turn is open, and this piece is not part of it",
    "move.way": "the piece does not move like that",
    "move.zone": "the piece may not leave its zone, or has not reached it",
    "move.far": "the target is too far away",
    "move.terrain": "the ground does not carry the piece",
    "move.blocked": "something stands in the way",
    "move.own": "one of the mover's own pieces stands on the target",
    "move.stack": "the two pieces cannot stand in one stack",
    "move.capture": "the piece does not capture like that",
    "move.hand": "the piece in hand may not be put there",
    "move.room": "the tiles do not fit into the line",
    "move.promotion": "the piece has to promote, or may not",
    "move.castling": "castling is not possible now",
    "move.forced": "another move has to be made, such as a capture",
    "move.explosion": "the mover's own king would explode",
    "move.gives_check": "the move would give check, which the rules forbid",
    "move.air_defence": "air defence stops the air force",
    "move.pinned": "the mover's own king or commander would be attacked",
    "move.check": "the move does not end the check",
    "move.attacked": "the king or commander would go where it is attacked",
    "move.exposed": "the two commanders would face each other",
    "move.unfinished": "the turn that was begun cannot end here",
}
"""Every code with what it means. What stands later is nearer to a legal move."""

UNEXPLAINED: Final = ("move.unreadable", "move.ambiguous", "move.illegal")
"""What an error of reading says already."""

_RANKS: Final = {code: rank for rank, code in enumerate(CODES)}


def require_places(origin: object, target: object, piece: object) -> None:
    """Refuse what cannot be the name of a place or piece; a name that no board has is a hindrance."""
    require_text("the origin", origin)
    require_text("the target", target)
    require_text("the piece", piece)


class Hindrance(NamedTuple):
    """Why a move is not possible."""

    code: str
    """One of `CODES`."""
    message: str
    """One sentence, in small letters and without a full stop, as findings have it."""
    squares: tuple[str, ...] = ()
    """The places of the scene that the sentence is about: what is in the way, what attacks."""

    def to_dict(self) -> dict[str, Any]:
        """The hindrance as JSON-ready data."""
        return {"code": self.code, "message": self.message, "squares": list(self.squares)}


def nearest(found: Iterable[Hindrance | None]) -> Hindrance | None:
    """Of several readings of a move the one that comes nearest to a legal move; None where one is legal."""
    best: Hindrance | None = None
    for one in found:
        if one is None:
            return None
        if best is None or _RANKS[one.code] > _RANKS[best.code]:
            best = one
    return best


def of_error(error: MoveError) -> Hindrance:
    """A refusal that says all that is known."""
    codes = {"invalid": "move.unreadable", "ambiguous": "move.ambiguous", "illegal": "move.illegal"}
    return Hindrance(codes[error.kind], str(error))


def no_place(place: str) -> Hindrance:
    """A name that is no place of the board."""
    return Hindrance("move.place", f"there is no {place} on the board")


def ended(reason: str) -> Hindrance:
    """The game is over."""
    return Hindrance("move.ended", f"the game has ended: {reason}")


def empty(place: str) -> Hindrance:
    """Nothing to move."""
    return Hindrance("move.empty", f"nothing stands on {place}", (place,))


def other(man: str, place: str, mover: str) -> Hindrance:
    """A man of the other side, such as ``black knight``."""
    return Hindrance("move.other", f"the {man} on {place} is not {mover}'s, who is to move", (place,))


def own(man: str, target: str) -> Hindrance:
    """A man of the mover on the target."""
    return Hindrance("move.own", f"the mover's own {man} stands on {target}", (target,))


def no_way(man: str, origin: str, target: str) -> Hindrance:
    """A way that the man never goes."""
    return Hindrance("move.way", f"the {man} on {origin} does not move like that to {target}")


def blocked(man: str, origin: str, by: str, square: str) -> Hindrance:
    """Something in the way."""
    return Hindrance(
        "move.blocked", f"the {by} on {square} is in the way of the {man} on {origin}", (square,)
    )


def attacked(
    man: str, origin: str, king: tuple[str, str], attackers: Sequence[tuple[str, str]], *, before: bool
) -> Hindrance:
    """A king that would be attacked: its name and place, and the names and places of who attacks it.

    `before` says whether it is attacked already.
    """
    name, place = king
    by = " and the ".join(f"{attacker} on {square}" for attacker, square in attackers)
    squares = tuple(square for _, square in attackers)
    if man == name:
        return Hindrance("move.attacked", f"the {name} would be attacked by the {by}", squares)
    if before:
        message = f"the {name} on {place} is in check from the {by}, and this move does not end it"
        return Hindrance("move.check", message, squares)
    message = f"the {man} on {origin} is pinned: the {name} on {place} would be attacked by the {by}"
    return Hindrance("move.pinned", message, squares)
