"""The values that games and surfaces exchange: outcomes, facts about moves, fields, differences, the past.

Game authors import them from `forsyth.game`. `P` and `M` stand for the types of a game's positions and moves;
a `Game`, `Match` or `Past` that is written without them is one of any game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol

from forsyth.arguments import quoted
from forsyth.display import html_of


class Position(Protocol):
    """An immutable, hashable moment of one game. `str()` of it is its canonical text."""

    def __str__(self) -> str: ...
    def __hash__(self) -> int: ...

    @property
    def key(self) -> str:
        """32 hexadecimal digits, the same for all texts of one position, stable for ever."""

    @property
    def packed(self) -> bytes:
        """The binary form: a versioned first byte, then a written layout, stable for ever.

        It tells its own length: followed by zeros it is no position's form (see `Game.unpack`).
        """


if TYPE_CHECKING:
    # Defaults of type variables came with Python 3.13; a type checker knows them in every version.
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
    """How a game ended: `result` is ``1-0``, ``0-1`` or ``1/2-1/2``, a share for each player in order."""

    result: str
    reason: str


class MoveFacts(NamedTuple):
    """One legal move as far as the game has the facts, with the fields of `forsyth moves --json`."""

    move: str
    lan: str
    origin: str | None
    target: str | None
    flags: str
    captured: str | None
    after: str
    piece: str = ""
    """The symbol of what moves, as the scene shows it; empty where nothing on the board does."""

    def to_dict(self) -> dict[str, Any]:
        """The facts as JSON-ready data: the fields of the command line's contract, which `piece` is not."""
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
    """Something of a position that is not on the board, such as whose turn it is, as an editor shows it."""

    name: str
    label: str
    value: str
    """What it is now, in the words that `with_field` takes; of flags those that are set, in a row."""
    kind: Literal["choice", "number", "flags", "text"]
    choices: tuple[tuple[str, str], ...] = ()
    """The values of a choice, or the flags there are, each with its label."""


def one_word(field: Field, value: str) -> str:
    """A value of a field that is to be one word of a text; `ValueError` where it is not."""
    if value.split() == [value]:
        return value
    expected = f"one such as {field.value or '-'}"
    if field.kind == "choice":
        expected = " or ".join(choice for choice, _ in field.choices)
    elif field.kind == "number":
        expected = "a number"
    raise ValueError(f"{field.label}: {quoted(value)} is not one word, expected {expected}")


class Change(NamedTuple):
    """One difference between two positions: a field or a square, and what each side holds there."""

    name: str
    a: str
    b: str

    def to_dict(self, kind: str) -> dict[str, str]:
        """The change as JSON-ready data; `kind` names the first column."""
        return {kind: self.name, "a": self.a, "b": self.b}


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs between two positions, field by field and square by square."""

    fields: tuple[Change, ...]
    squares: tuple[Change, ...]
    sides: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    """The two positions, where the game says them: they are drawn in notebooks."""

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.fields and not self.squares

    def to_dict(self) -> dict[str, Any]:
        """The difference as JSON-ready data."""
        return {
            "same": self.same,
            "fields": [change.to_dict("field") for change in self.fields],
            "squares": [change.to_dict("square") for change in self.squares],
        }

    def _repr_html_(self) -> str:
        return html_of(self)


class RoundScore(NamedTuple):
    """What the end of a round brings one player."""

    placements: tuple[dict[str, Any], ...]
    """What was placed and what it scored, each as JSON-ready data."""
    penalty: int


class Overlay(NamedTuple):
    """Something that covers places of the scene and is shown when it is asked for, such as air defence."""

    name: str
    """What a switch for it is called, such as ``Red's air defence``."""
    owner: str
    """Whose it is, as tokens say it."""
    cells: tuple[str, ...]


class Prospect(NamedTuple):
    """What a move would bring the player who makes it, as far as it can be foreseen."""

    points: int
    words: str
    """The same in a few words, such as ``row 3 full: 5 points``."""


class ScoreLine(NamedTuple):
    """One line of the account at the end of a game."""

    label: str
    values: tuple[int, ...]
    """A number for each player, in order."""


@dataclass(frozen=True, slots=True)
class Past(Generic[P, M]):
    """What the rules may see of a match: every position so far and every move between them."""

    positions: tuple[P, ...]
    """The positions in order, the start first and the one now last."""
    moves: tuple[M, ...] = ()
    """The moves in order; the first leads from the first position to the second."""
    repetitions: int = 1
    """How often the position now has occurred, this time included."""

    @property
    def start(self) -> P:
        """The position the match began with."""
        return self.positions[0]

    @property
    def position(self) -> P:
        """The position now."""
        return self.positions[-1]
