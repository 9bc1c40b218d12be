"""What every game can do (`Game`), and the words of games for what was given in place of a position or move.

The command line, the HTTP service, the store and the bulk jobs know no game by name: they speak to the
`Game` protocol. A game is one object that holds no state but its variant; positions are immutable values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from forsyth.arguments import quoted, type_of
from forsyth.column import Column, Feature, Planes
from forsyth.diagnostics import CodeInfo, Diagnostic, Mode, MoveError, Reading
from forsyth.registry import game as find_game
from forsyth.registry import games as installed
from forsyth.scene import Mark, Scene


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


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `result` is ``1-0``, ``0-1`` or ``1/2-1/2`` (first player first)."""

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


@runtime_checkable
class Game(Protocol):
    """What a game offers. Positions and moves are the game's own types and opaque to everyone else."""

    @property
    def name(self) -> str:
        """The name it is asked for by, such as ``chess``."""

    @property
    def title(self) -> str:
        """The name a person reads, such as ``Chess``."""

    @property
    def variant(self) -> str:
        """Which of `variants` this object plays."""

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants it knows, the usual one first."""

    @property
    def start(self) -> str:
        """The canonical text of the start position."""

    @property
    def names(self) -> Mapping[str, str]:
        """Named positions, such as ``start``, and their texts."""

    @property
    def styles(self) -> Mapping[str, str]:
        """Ways of writing a position beside the canonical one, each with a line of explanation."""

    @property
    def codes(self) -> tuple[CodeInfo, ...]:
        """Every code this game's findings can carry, beside the shared ones."""

    @property
    def examples(self) -> Mapping[str, str]:
        """Texts worth showing a newcomer, good and broken, each under a title."""

    @property
    def max_text(self) -> int:
        """Longest plain text it reads, in characters."""

    @property
    def players(self) -> tuple[str, ...]:
        """The tags under which a record names the players, in order of moving, such as ``White``."""

    @property
    def move_pattern(self) -> str:
        """A regular expression for one move text as it may stand in a record.

        It is tried before a bracket is taken as the start of a variation, and its match must end where a word
        may end. It matches no move number, no result, and no ``!`` or ``?`` behind a move.
        """

    def with_variant(self, variant: str) -> Game:
        """The same game playing another variant; ``auto`` lets each text say so itself.

        Raises `ValueError` for a variant it does not know.
        """

    def likelihood(self, text: str) -> float:
        """How much a plain text looks like this game's, 0 to 1, from its structure alone."""

    def read(self, text: str, *, mode: Mode = "default") -> Reading[Any]:
        """Read a plain text: the position or none, and every finding about the text. Never raises."""

    def parse(self, text: str, *, mode: Mode = "default", legality: bool = True) -> Any:
        """The position of a plain text; raises `FenError` with every finding when there is an error."""

    def check(
        self, position: Any, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Every finding about a position's legality, placed in `text` (by default its canonical text).

        `mode` is the one the text was read in: what lenient reading allows is left to its warnings.
        """

    def write(self, position: Any, style: str = "canonical") -> str:
        """The position as text, canonical or in one of `styles`."""

    def key(self, position: Any) -> str:
        """32 hexadecimal digits, the same for all texts of one position."""

    def pack(self, position: Any) -> bytes:
        """The binary form of a position."""

    def unpack(self, data: bytes) -> Any:
        """The position of a binary form; raises `ValueError` when it is none.

        Bytes are the form of one position or of none, and a form followed by zeros is none: columns fill
        forms up with zeros to one width, and must find again where each of them ends.
        """

    def moves(self, position: Any) -> Sequence[Any]:
        """The legal moves."""

    def actions(self, position: Any) -> tuple[str, ...]:
        """What can be done here that is no move of a piece: texts for `read_move`, such as ``commit``."""

    def read_move(self, position: Any, text: str) -> Any:
        """The legal move or action a text names; raises `MoveError`."""

    def write_move(self, position: Any, move: Any) -> str:
        """A legal move in canonical notation."""

    def describe_move(self, position: Any, move: Any) -> MoveFacts:
        """Everything there is to say about a legal move."""

    def play(self, position: Any, move: Any) -> Any:
        """The position after a legal move."""

    def perft(self, position: Any, depth: int) -> int:
        """How many lines of `depth` legal moves there are."""

    def outcome(self, position: Any, repetitions: int = 1) -> Outcome | None:
        """How the game ended here, or None; `repetitions` says how often the position has occurred."""

    def claims(self, position: Any, repetitions: int = 1) -> tuple[str, ...]:
        """Why the side to move may claim a draw now, such as ``fifty moves``; nothing once the game ended."""

    def side_to_move(self, position: Any) -> str:
        """Who moves next, as a person reads it."""

    def move_number(self, position: Any) -> tuple[int, int]:
        """The number a record gives the next move, and the index in `players` of who plays it.

        The number is written where it changes: a game whose positions count no moves always answers the same.
        """

    def diff(self, a: Any, b: Any) -> Difference:
        """What differs between two positions."""

    def scene(
        self,
        position: Any,
        *,
        marks: Mapping[str, Mark] | None = None,
        flip: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Scene:
        """What to draw; `marks` says which squares to mark and why, `notes` what to say about them."""

    def new_game(self, seed: int | None = None) -> Any:
        """The position a new game begins with; where chance decides about it, the one of the seed."""

    def palette(self, position: Any) -> Scene:
        """Everything that can be put on the board, an area for each group; a cell's id is its symbol."""

    def put(self, position: Any, square: str, symbol: str | None) -> Any:
        """The position with a thing of the palette on a place of the scene, or with nothing there for None.

        It never judges legality, `check` does. Raises `ValueError` with one sentence for a place or symbol
        that does not exist, or where the position cannot hold it.
        """

    def lift(self, position: Any, source: str, target: str) -> Any:
        """The position with what stands on one place of the scene on another, as `put` would put it there."""

    def fields(self, position: Any) -> tuple[Field, ...]:
        """Everything of a position that is not on the board and that an editor may change."""

    def with_field(self, position: Any, name: str, value: str) -> Any:
        """The position with another value in one of `fields`; `ValueError` where it cannot hold that."""

    @property
    def packed_width(self) -> int:
        """How many bytes a column of packed forms gives each: enough for every legal position of a game."""

    @property
    def feature_list(self) -> tuple[Feature, ...]:
        """What `features` tells about a position, in order."""

    def features(self, position: Any) -> tuple[int, ...]:
        """The numbers of a position, one for each of `feature_list`, each of 32 bits."""

    @property
    def plane_shape(self) -> Planes:
        """The shape of what `planes` gives."""

    def planes(self, position: Any) -> bytes:
        """The position as a tensor of bytes for training, plane by plane, row by row."""

    @property
    def column(self) -> Column | None:
        """Its kernels for whole columns, or None where every row is read by itself."""


@runtime_checkable
class Passing(Protocol):
    """What a game offers besides where records hold a pass that its rules do not allow."""

    def read_pass(self, position: Any, text: str) -> Any | None:
        """The pass a text means, for `play` and `write_move`, or None; `MoveError` where nobody can pass."""


@runtime_checkable
class VariantNames(Protocol):
    """What a game offers besides where records name its variants in many ways, or not at all."""

    @property
    def variant_names(self) -> Mapping[str, str]:
        """Further names of its variants, in small letters without blanks, signs and the game's own name."""

    def variant_of(self, position: Any) -> str:
        """The variant whose rules a position follows."""


@runtime_checkable
class Profiles(Protocol):
    """What a game offers besides where its texts can be read as other readers read them."""

    @property
    def profiles(self) -> tuple[str, ...]:
        """The names of those readers."""

    def with_profile(self, profile: str | None) -> Game:
        """The same game with another reader, None being its own; `ValueError` for one it does not have."""


def in_profile(game: Game | None, profile: str | None) -> Game | None:
    """The game with a reader of that name; without a game the first installed one that has it.

    Raises `ValueError` where there is none.
    """
    if profile is None:
        return game
    asked = [find_game(name) for name in installed()] if game is None else [game]
    for one in asked:
        if isinstance(one, Profiles) and profile in one.profiles:
            return one.with_profile(profile)
    known = [name for one in asked if isinstance(one, Profiles) for name in one.profiles]
    who = "no game has a" if game is None else f"{game.name} has no"
    raise ValueError(f"{who} profile {quoted(profile)}; there is {', '.join(known) or 'none'}")


def read_pass(game: Game, position: Any, text: str) -> Any | None:
    """The pass a text in a record means, or None; raises `MoveError` where nobody can pass."""
    return game.read_pass(position, text) if isinstance(game, Passing) else None


def read_recorded(game: Game, position: Any, text: str) -> Any:
    """The move a text in a record names: a legal one, or a pass; raises `MoveError`."""
    try:
        return game.read_move(position, text)
    except MoveError:
        passed = read_pass(game, position, text)
        if passed is None:
            raise
        return passed


def not_a_position(game: str, found: object) -> TypeError:
    """The error of what was given in place of a position of a game, with what to do about it."""
    hint = ""
    if isinstance(found, str):
        hint = "; parse(text) gives the position of a text"
    elif isinstance(found, Reading):
        hint = "; reading.require() gives the position of a reading"
    elif found is None:
        hint = "; a text that cannot be read has none, and its reading says why"
    return TypeError(f"a position of {game} is expected, not {type_of(found)}{hint}")


def not_a_move(game: str, found: object) -> MoveError:
    """The error of what was given in place of a move of a game, with what to do about it."""
    hint = "; read_move(position, text) gives the move of a text" if isinstance(found, str) else ""
    return MoveError("invalid", quoted(found), f"a move of {game} is expected, not {quoted(found)}{hint}")


def not_a_move_text(found: object) -> MoveError:
    """The error of what was given in place of a move text."""
    return MoveError("invalid", quoted(found), f"the text of a move is expected, not {quoted(found)}")


def not_legal(move: object) -> MoveError:
    """The error of a move that is not one of the position it was given with."""
    return MoveError("illegal", quoted(move), f"{quoted(move)} is not a legal move of this position")
