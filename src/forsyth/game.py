"""What every game can do (`Game`), and the words of games for what was given in place of a position or move.

The command line, the HTTP service, the store and the bulk jobs know no game by name: they speak to the
`Game` protocol, and to the abilities of `forsyth.abilities` where a game has them. A game is one object that
holds no state but its variant; positions are immutable values. Game authors find every name they need here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass, replace
from typing import Any, Final, Protocol, runtime_checkable

from forsyth.abilities import (
    Columnar,
    Components,
    DataText,
    Editable,
    Figurines,
    Historical,
    PackedMoves,
    Passing,
    PositionData,
    Profiles,
    Reporting,
    Rounds,
    VariantNames,
    VariantTags,
    historical,
    kernels_of,
    require_columnar,
    require_editable,
)
from forsyth.arguments import no_choice, quoted, type_of, whole_number
from forsyth.asking import symbols_on
from forsyth.diagnostics import CodeInfo, Diagnostic, Mode, MoveError, Reading, Severity
from forsyth.game_values import (
    Change,
    Difference,
    Field,
    M,
    MoveFacts,
    Outcome,
    P,
    Past,
    Position,
    RoundScore,
)
from forsyth.limits import MAX_COUNTED_DEPTH
from forsyth.registry import game as find_game
from forsyth.registry import games as installed
from forsyth.scene import Mark, Scene

__all__ = [
    "AUTO",
    "Change",
    "Columnar",
    "Components",
    "DataText",
    "Difference",
    "Editable",
    "Field",
    "Figurines",
    "Game",
    "Historical",
    "M",
    "MoveFacts",
    "Outcome",
    "P",
    "PackedMoves",
    "Passing",
    "Past",
    "Position",
    "PositionData",
    "Profiles",
    "Reporting",
    "RoundScore",
    "Rounds",
    "VariantNames",
    "VariantTags",
    "automatic",
    "claims_in",
    "historical",
    "in_profile",
    "kernels_of",
    "not_a_move",
    "not_a_move_text",
    "not_a_position",
    "not_legal",
    "outcome_in",
    "read_pass",
    "read_recorded",
    "require_columnar",
    "require_editable",
]

AUTO: Final = "auto"
"""The variant that lets a text say which one it is of."""


@runtime_checkable
class Game(Protocol[P, M]):
    """What a game offers. Positions (`P`) and moves (`M`) are its own types, opaque to everyone else.

    A class that names ``Game[Heaps, Take]`` as its base writes the abstract members and inherits the others.
    A class that has all members needs no base. What only some games offer is in `forsyth.abilities`.

    Room for what no built-in game has all of:

    - *Chance*, such as dice: a throw is one of `actions`, and the move it is read as names its result
      (``deal:BYRK|…``), so that a record says all. `read_move` throws for a text without one (``deal``).
    - *Hidden information*: a position is the whole truth, but may say that a part of it is unknown, as a
      standard text of Azul does. What one player sees would be an ability that gives such a position.
    - *More than two players*: `players` may be any number of names, `move_number` says whose turn it is, and
      an `Outcome` has a share for each player.
    """

    # --- required -----------------------------------------------------------------------------------

    @property
    @abstractmethod
    def name(self) -> str:
        """The name it is asked for by, such as ``chess``."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name a person reads, such as ``Chess``."""

    @property
    @abstractmethod
    def start(self) -> str:
        """The canonical text of the start position."""

    @property
    @abstractmethod
    def codes(self) -> tuple[CodeInfo, ...]:
        """Every code this game's findings can carry, beside the shared ones."""

    @property
    @abstractmethod
    def max_text(self) -> int:
        """Longest plain text it reads, in characters."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The tags under which a record names the players, in order of moving, such as ``White``."""

    @property
    @abstractmethod
    def move_pattern(self) -> str:
        """A regular expression for one move text as it may stand in a record.

        It is tried before a bracket is taken as the start of a variation, and its match must end where a word
        may end. It matches no move number, no result, and no ``!`` or ``?`` behind a move.
        """

    @abstractmethod
    def likelihood(self, text: str) -> float:
        """How much a plain text looks like this game's, 0 to 1, from its structure alone."""

    @abstractmethod
    def read(self, text: str, *, mode: Mode = "default") -> Reading[P]:
        """Read a plain text: the position or none, and every finding about the text. Never raises."""

    @abstractmethod
    def check(
        self, position: P, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Every finding about a position's legality, placed in `text` (by default its canonical text).

        `mode` is the one the text was read in: what lenient reading allows is left to its warnings.
        """

    @abstractmethod
    def unpack(self, data: bytes) -> P:
        """The position of a binary form; raises `ValueError` when it is none.

        Bytes are the form of one position or of none, and a form followed by zeros is none: columns fill
        forms up with zeros to one width, and must find again where each of them ends.
        """

    @abstractmethod
    def moves(self, position: P) -> Sequence[M]:
        """The legal moves."""

    @abstractmethod
    def read_move(self, position: P, text: str) -> M:
        """The legal move or action a text names; raises `MoveError`."""

    @abstractmethod
    def write_move(self, position: P, move: M) -> str:
        """A legal move in canonical notation."""

    @abstractmethod
    def play(self, position: P, move: M) -> P:
        """The position after a legal move."""

    @abstractmethod
    def outcome(self, position: P, repetitions: int = 1) -> Outcome | None:
        """How the game ended here, or None; `repetitions` says how often the position has occurred.

        Rules that need more of the past are `Historical`.
        """

    @abstractmethod
    def side_to_move(self, position: P) -> str:
        """Who moves next, as a person reads it."""

    @abstractmethod
    def scene(
        self,
        position: P,
        *,
        marks: Mapping[str, Mark] | None = None,
        flip: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Scene:
        """What to draw; `marks` says which squares to mark and why, `notes` what to say about them."""

    # --- what follows from it, unless the game says otherwise ---------------------------------------

    @property
    def variant(self) -> str:
        """Which of `variants` this object plays."""
        return "standard"

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants it knows, the usual one first."""
        return ("standard",)

    def with_variant(self, variant: str) -> Game[P, M]:
        """The same game playing another variant; ``auto`` lets each text say so itself.

        Raises `ValueError` for a variant it does not know. A game that is a dataclass with the field
        `variant` need not say more.
        """
        if variant in (self.variant, AUTO):
            return self
        if variant not in self.variants or not is_dataclass(self):
            raise no_choice(f"{self.name} variant", variant, self.variants)
        return replace(self, variant=variant)

    @property
    def names(self) -> Mapping[str, str]:
        """Named positions, such as ``start``, and their texts."""
        return {"start": self.start, "initial": self.start}

    @property
    def styles(self) -> Mapping[str, str]:
        """Ways of writing a position beside the canonical one, each with a line of explanation."""
        return {}

    @property
    def examples(self) -> Mapping[str, str]:
        """Texts worth showing a newcomer, good and broken, each under a title."""
        return {}

    def parse(self, text: str, *, mode: Mode = "default", legality: bool = True) -> P:
        """The position of a plain text; raises `FenError` with every finding when there is an error."""
        reading = self.read(text, mode=mode)
        if legality and reading.position is not None:
            found = self.check(reading.position, text=text, mode=mode)
            if mode == "strict":
                found = tuple(finding.with_severity(Severity.ERROR) for finding in found)
            reading = reading.with_findings(found)
        return reading.require()

    def write(self, position: P, style: str = "canonical") -> str:
        """The position as text, canonical or in one of `styles`."""
        if style != "canonical":
            raise no_choice(f"{self.name} style", style, ("canonical", *self.styles))
        return str(position)

    def key(self, position: P) -> str:
        """32 hexadecimal digits, the same for all texts of one position."""
        return position.key

    def pack(self, position: P) -> bytes:
        """The binary form of a position."""
        return position.packed

    def actions(self, position: P) -> tuple[str, ...]:
        """What can be done here that is no move of a piece: texts for `read_move`, such as ``commit``."""
        return ()

    def describe_move(self, position: P, move: M) -> MoveFacts:
        """Everything there is to say about a legal move."""
        text = self.write_move(position, move)
        return MoveFacts(text, text, None, None, "", None, str(self.play(position, move)))

    def perft(self, position: P, depth: int) -> int:
        """How many lines of `depth` legal moves there are."""
        depth = whole_number("the depth", depth, 0, MAX_COUNTED_DEPTH)
        if depth == 0:
            return 1
        moves = self.moves(position)
        if depth == 1:
            return len(moves)
        return sum(self.perft(self.play(position, move), depth - 1) for move in moves)

    def claims(self, position: P, repetitions: int = 1) -> tuple[str, ...]:
        """Why the side to move may claim a draw now, such as ``fifty moves``; nothing once the game ended."""
        whole_number("the number of repetitions", repetitions, 1)
        return ()

    def move_number(self, position: P) -> tuple[int, int]:
        """The number a record gives the next move, and the index in `players` of who plays it.

        The number is written where it changes: a game whose positions count no moves always answers the same.
        """
        side = self.side_to_move(position)
        return 1, self.players.index(side) if side in self.players else 0

    def diff(self, a: P, b: P) -> Difference:
        """What differs between two positions: values of fields, and what stands where on the scene."""
        squares = _changes(symbols_on(self.scene(a)), symbols_on(self.scene(b)))
        fields = _changes(_fields(self, a), _fields(self, b))
        if not squares and not fields:
            fields = _changes({"text": str(a)}, {"text": str(b)})
        return Difference(fields, squares, (a, b))

    def new_game(self, seed: int | None = None) -> P:
        """The position a new game begins with; where chance decides about it, the one of the seed."""
        return self.parse(self.start)


def _changes(a: Mapping[str, str], b: Mapping[str, str]) -> tuple[Change, ...]:
    return tuple(
        Change(name, a.get(name, ""), b.get(name, ""))
        for name in dict.fromkeys((*a, *b))
        if a.get(name, "") != b.get(name, "")
    )


def _fields(game: Game, position: Any) -> dict[str, str]:
    """What is not on the board, by its name; whose turn it is where the game has no fields."""
    if isinstance(game, Editable):
        return {field.name: field.value for field in game.fields(position)}
    return {"side": game.side_to_move(position)}


def outcome_in(game: Game[P, M], past: Past[P, M]) -> Outcome | None:
    """How a game ended with the last position of a past, or None."""
    rules = historical(game)
    return game.outcome(past.position, past.repetitions) if rules is None else rules.outcome_of(past)


def claims_in(game: Game[P, M], past: Past[P, M]) -> tuple[str, ...]:
    """Why the side to move may claim a draw at the end of a past."""
    rules = historical(game)
    return game.claims(past.position, past.repetitions) if rules is None else rules.claims_of(past)


def automatic(game: Game) -> Game:
    """The game that lets each text name its variant; the game itself where it has no such way."""
    try:
        return game.with_variant(AUTO)
    except ValueError:
        return game


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
