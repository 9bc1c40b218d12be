"""The values that games exchange with other code: outcomes, move facts, fields, differences, the past.

Game authors import them from `forsyth.game`. The type variables `P` and `M` stand for the types of a game's
positions and moves. `Game`, `Match` and `Past` without type arguments mean those of any game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol

from forsyth.arguments import quoted
from forsyth.display import render_html


class Position(Protocol):
    """An immutable, hashable position of a game. `str(position)` is its canonical text."""

    def __str__(self) -> str: ...
    def __hash__(self) -> int: ...

    @property
    def key(self) -> str:
        """32 hexadecimal digits that identify the position. They are the same in every version of Forsyth."""

    @property
    def packed(self) -> bytes:
        """The position as a few bytes: a version byte, then a documented layout that never changes.

        With zero bytes appended, they are not the packed form of any position (see `Game.unpack`).
        """


if TYPE_CHECKING:
    # Type variables have defaults since Python 3.13. Type checkers support them for every version.
    from typing_extensions import TypeVar

    P = TypeVar("P", bound=Position, default=Any)
    M = TypeVar("M", default=Any)
    P_contra = TypeVar("P_contra", contravariant=True, default=Any)
    M_contra = TypeVar("M_contra", contravariant=True, default=Any)
else:
    from typing import TypeVar

    P = TypeVar("P")
    M = TypeVar("M")
    P_contra = TypeVar("P_contra", contravariant=True)
    M_contra = TypeVar("M_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the result and the reason.

    `result` has a share for each player, in order: ``1-0``, ``0-1`` or ``1/2-1/2`` for two players.
    """

    result: str
    reason: str


class MoveFacts(NamedTuple):
    """Facts about one legal move. The fields follow those of `forsyth moves --json`."""

    move: str
    lan: str
    origin: str | None
    target: str | None
    flags: str
    captured: str | None
    after: str
    piece: str = ""
    """The symbol of the moving piece, as in the scene. Empty if no piece on the board moves."""

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as JSON-ready data with the fields of `forsyth moves --json`, without `piece`."""
        return {
            "move": self.move,
            "lan": self.lan,
            "from": self.origin,
            "to": self.target,
            "flags": self.flags,
            "captured": self.captured,
            "after": self.after,
        }


class Field(NamedTuple):
    """An editable value of a position that is not on the board, such as the side to move."""

    name: str
    label: str
    value: str
    """The present value, as `with_field` takes it. For flags, the flags that are set, in one text."""
    kind: Literal["choice", "number", "flags", "text"]
    choices: tuple[tuple[str, str], ...] = ()
    """The possible values of a choice, or all flags, each with its label."""


def require_one_word(field: Field, value: str) -> str:
    """Return `value` unchanged if it is one word, such as ``KQkq``.

    Raise `ValueError` if it is not. A position text separates its fields by spaces, so the value of a field
    must not contain any. The message of the error contains the label and the expected values of `field`.
    """
    is_one_word = value.split() == [value]
    if is_one_word:
        return value
    if field.kind == "choice":
        expected = " or ".join(choice for choice, _ in field.choices)
    elif field.kind == "number":
        expected = "a number"
    else:
        expected = f"a word such as {field.value or '-'}"
    raise ValueError(f"{field.label}: {quoted(value)} is not one word, expected {expected}")


class Change(NamedTuple):
    """One difference between two positions: the name of a field or square, and its value in each."""

    name: str
    a: str
    b: str

    def to_dict(self, kind: str) -> dict[str, str]:
        """Return the change as JSON-ready data, such as ``{"square": "e4", "a": "P", "b": ""}``.

        `kind` is the key of the name: ``field`` or ``square``.
        """
        return {kind: self.name, "a": self.a, "b": self.b}


@dataclass(frozen=True, slots=True)
class Difference:
    """The differences between two positions: changed fields and changed squares."""

    fields: tuple[Change, ...]
    squares: tuple[Change, ...]
    sides: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    """The two positions if the game supplies them, for drawing in notebooks."""

    @property
    def same(self) -> bool:
        """Whether the two positions do not differ."""
        return not self.fields and not self.squares

    def to_dict(self) -> dict[str, Any]:
        """Return the differences as JSON-ready data: ``same`` (a bool), ``fields`` and ``squares``."""
        return {
            "same": self.same,
            "fields": [change.to_dict("field") for change in self.fields],
            "squares": [change.to_dict("square") for change in self.squares],
        }

    def _repr_html_(self) -> str:
        return render_html(self)


class RoundScore(NamedTuple):
    """The score of one player at the end of a round."""

    placements: tuple[dict[str, Any], ...]
    """The placed tiles with their points, each as JSON-ready data."""
    penalty: int


class Overlay(NamedTuple):
    """A set of highlighted cells that a viewer can switch on, such as the range of an air defence."""

    name: str
    """The label of its switch, such as ``Red's air defence``."""
    owner: str
    """The owner, as in `Token.owner`."""
    cells: tuple[str, ...]


class Prospect(NamedTuple):
    """The predicted score of a move for its player."""

    points: int
    words: str
    """A short explanation, such as ``row 3 full: 5 points``."""


class ScoreLine(NamedTuple):
    """One line of the score table at the end of a game."""

    label: str
    values: tuple[int, ...]
    """The points of each player, in order."""


@dataclass(frozen=True, slots=True)
class Past(Generic[P, M]):
    """The history of a match, for rules that depend on it: all positions and the moves between them."""

    positions: tuple[P, ...]
    """The positions in order, from the start to the current one."""
    moves: tuple[M, ...] = ()
    """The moves in order. Move i leads from position i to position i + 1."""
    repetitions: int = 1
    """How often the current position has occurred, including now."""

    @property
    def start(self) -> P:
        """The start position of the match."""
        return self.positions[0]

    @property
    def position(self) -> P:
        """The current position."""
        return self.positions[-1]
