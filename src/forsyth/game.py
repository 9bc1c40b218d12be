"""The protocol that every game implements (`Game`), and helpers for games and their callers.

The command line, the HTTP service, the store and the bulk jobs contain no code for a particular game. They
use the `Game` protocol, and the abilities of `forsyth.abilities` if a game has them. A game is one object
whose only state is its variant; positions are immutable values. Game authors can import all names they need
from this module.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass, replace
from typing import Any, Protocol, runtime_checkable

from forsyth.abilities import (
    Columnar,
    Components,
    DataText,
    Editable,
    Figurines,
    Historical,
    OwnTags,
    PackedMoves,
    Passing,
    PositionData,
    Profiles,
    Reporting,
    Rounds,
    VariantNames,
    VariantTags,
    as_historical,
    column_kernels,
    require_editable,
)
from forsyth.arguments import fold_choice, quoted, require_integer, type_name, unknown_choice_error
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
from forsyth.queries import map_cell_symbols
from forsyth.registry import AUTO, with_auto_variant
from forsyth.registry import game as find_game
from forsyth.registry import games as installed_games
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
    "OwnTags",
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
    "as_historical",
    "claims_of_past",
    "column_kernels",
    "game_of",
    "illegal_move_error",
    "is_position",
    "outcome_of_past",
    "read_pass",
    "read_record_move",
    "require_editable",
    "select_profile",
    "with_auto_variant",
    "wrong_move_error",
    "wrong_move_text_error",
    "wrong_position_error",
]


@runtime_checkable
class Game(Protocol[P, M]):
    """A board game, with its own types of positions (`P`) and moves (`M`).

    Other code does not look into positions and moves. A class with the base ``Game[Heaps, Take]`` implements
    the abstract members and inherits the others. A class that has all members needs no base. Optional
    features are protocols in `forsyth.abilities`.

    The protocol supports features that not every built-in game has:

    - *Chance*, such as dice: a throw is one of `actions`. The move that `read_move` returns contains the
      result (``deal:BYRK|…``), so that a record is complete. For a text without a result (``deal``),
      `read_move` chooses one at random.
    - *Hidden information*: a position contains everything, but may mark a part as unknown, as a standard text
      of Azul does. The view of one player would be an ability that returns such a position.
    - *More than two players*: `players` may have any length, `move_number` returns whose turn it is, and an
      `Outcome` has a share for each player.
    """

    # --- required -----------------------------------------------------------------------------------

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in code and options, such as ``chess``."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name for display, such as ``Chess``."""

    @property
    @abstractmethod
    def start(self) -> str:
        """The canonical text of the start position."""

    @property
    @abstractmethod
    def codes(self) -> tuple[CodeInfo, ...]:
        """All diagnostic codes of this game, without the codes that all games share."""

    @property
    @abstractmethod
    def max_text(self) -> int:
        """Upper bound on the length of a plain text, in characters."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The record tags for the players, such as ``White``, in the order in which they move."""

    @property
    @abstractmethod
    def move_pattern(self) -> str:
        """A regular expression that matches one move text in a record.

        It is tried before a bracket is read as the start of a variation, and a match must end at the end of a
        word. It must not match a move number, a result, or a ``!`` or ``?`` after a move.
        """

    @abstractmethod
    def likelihood(self, text: str) -> float:
        """Return how likely it is, from 0 to 1, that a text is a position of this game.

        Only the structure of the text is considered, such as the number of its rows.
        """

    @abstractmethod
    def read(self, text: str, *, mode: Mode = "default") -> Reading[P]:
        """Read a plain text and return the position, if there is one, and all findings.

        No text raises an error.
        """

    @abstractmethod
    def check(
        self, position: P, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Return all findings about the legality of a position, such as a king that could be captured.

        Args:
            position: The position.
            text: The plain text that spans refer to. None means the canonical text.
            mode: The mode in which the text was read. In lenient mode, problems that the reader accepts with
                a warning are not reported again.
        """

    @abstractmethod
    def unpack(self, data: bytes) -> P:
        """Return the position with this packed form. Raise `ValueError` if there is none.

        A packed form followed by zero bytes must not be the packed form of a position. Table columns pad
        packed forms with zeros to one width, and must find their ends again.
        """

    @abstractmethod
    def moves(self, position: P) -> Sequence[M]:
        """Return the legal moves."""

    @abstractmethod
    def read_move(self, position: P, text: str) -> M:
        """Return the legal move or action that a text names. Raise `MoveError` if it does not name one."""

    @abstractmethod
    def write_move(self, position: P, move: M) -> str:
        """Return a legal move as text in canonical notation, such as ``Nf3``."""

    @abstractmethod
    def play(self, position: P, move: M) -> P:
        """Return the position after a legal move. The given position does not change."""

    @abstractmethod
    def outcome(self, position: P, repetitions: int = 1) -> Outcome | None:
        """Return the result and the reason if the game has ended in this position, else None.

        `repetitions` is how often the position has occurred, including now. A game whose rules depend on
        earlier positions in other ways implements `forsyth.abilities.Historical`.
        """

    @abstractmethod
    def side_to_move(self, position: P) -> str:
        """Return the name of the player to move, for display."""

    @abstractmethod
    def scene(
        self,
        position: P,
        *,
        marks: Mapping[str, Mark] | None = None,
        flip: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Scene:
        """Return a drawing of the position as a `Scene`, which `forsyth.draw` turns into a picture.

        Args:
            position: The position.
            marks: The squares to highlight, each with the reason, such as ``{"e4": "last"}``.
            flip: Whether to draw the board from the other side.
            notes: Tooltips for squares, such as ``{"e4": "no such piece"}``.
        """

    # --- with default implementations ---------------------------------------------------------------

    @property
    def variant(self) -> str:
        """The variant that this object plays, one of `variants` or ``auto``."""
        return "standard"

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants, the default first."""
        return ("standard",)

    def with_variant(self, variant: str) -> Game[P, M]:
        """Return the game in the variant with this name, such as ``antichess``. Case does not matter.

        In the variant ``auto``, each text names its own variant. This implementation is for games without
        variants, and for games that are dataclasses with the field `variant`. Raise `ValueError` if there is
        no such variant.
        """
        known_name = fold_choice(variant, (*self.variants, AUTO))
        if known_name in (self.variant, AUTO):
            return self
        if known_name not in self.variants or not is_dataclass(self):
            raise unknown_choice_error(f"{self.name} variant", known_name, self.variants)
        return replace(self, variant=known_name)

    @property
    def names(self) -> Mapping[str, str]:
        """The names of positions, such as ``start``, and their texts."""
        return {"start": self.start, "initial": self.start}

    @property
    def styles(self) -> Mapping[str, str]:
        """The styles of writing a position, without ``canonical``, each with a line of explanation."""
        return {}

    @property
    def examples(self) -> Mapping[str, str]:
        """Valid and invalid example texts for newcomers, by their titles."""
        return {}

    def parse(self, text: str, *, mode: Mode = "default", legality: bool = True) -> P:
        """Return the position of a plain text.

        Args:
            text: The plain text.
            mode: The reading mode: ``default``, ``strict`` or ``lenient``.
            legality: Whether the position must be legal.

        Raises:
            FenError: If a finding is an error. It contains all findings.
        """
        reading = self.read(text, mode=mode)
        if legality and reading.position is not None:
            legality_findings = self.check(reading.position, text=text, mode=mode)
            if mode == "strict":
                legality_findings = tuple(
                    finding.with_severity(Severity.ERROR) for finding in legality_findings
                )
            reading = reading.with_findings(legality_findings)
        return reading.require()

    def write(self, position: P, style: str = "canonical") -> str:
        """Return the position as text in `style`: ``canonical`` or one of `styles`.

        Raise `ValueError` if there is no such style.
        """
        if style != "canonical":
            raise unknown_choice_error(f"{self.name} style", style, ("canonical", *self.styles))
        return str(position)

    def key(self, position: P) -> str:
        """Return the key that identifies a position: 32 hexadecimal digits, the same for all its texts."""
        return position.key

    def pack(self, position: P) -> bytes:
        """Return a position as a few bytes, its packed form, from which `unpack` restores it."""
        return position.packed

    def actions(self, position: P) -> tuple[str, ...]:
        """Return the actions that move no piece, such as ``commit``, as texts for `read_move`."""
        return ()

    def describe_move(self, position: P, move: M) -> MoveFacts:
        """Return the facts about a legal move, such as its notations and the position after it.

        This implementation leaves squares, flags and captures empty. A game with a board overrides it.
        """
        move_text = self.write_move(position, move)
        return MoveFacts(
            move=move_text,
            lan=move_text,
            origin=None,
            target=None,
            flags="",
            captured=None,
            after=str(self.play(position, move)),
        )

    def perft(self, position: P, depth: int) -> int:
        """Return the number of sequences of `depth` legal moves that begin in a position.

        The number tests the generation of moves. In the start position of chess it is 20 for depth 1 and 400
        for depth 2. Raise `ValueError` if `depth` is negative or greater than `MAX_COUNTED_DEPTH`.
        """
        depth = require_integer("the depth", depth, 0, MAX_COUNTED_DEPTH)
        if depth == 0:
            return 1
        moves = self.moves(position)
        if depth == 1:
            # The last moves are counted without playing them.
            return len(moves)
        return sum(self.perft(self.play(position, move), depth - 1) for move in moves)

    def claims(self, position: P, repetitions: int = 1) -> tuple[str, ...]:
        """Return the reasons for which the side to move may claim a draw now, such as ``fifty moves``.

        The result is empty if there is none, or if the game has ended. `repetitions` is how often the
        position has occurred, including now. This implementation allows no claims.
        """
        require_integer("the number of repetitions", repetitions, 1)
        return ()

    def move_number(self, position: P) -> tuple[int, int]:
        """Return the number of the next move in a record, and the index in `players` of its player.

        An example is ``(12, 0)`` before the twelfth move of White. This implementation, for games whose
        positions do not count moves, always returns the number 1.
        """
        side = self.side_to_move(position)
        player_index = self.players.index(side) if side in self.players else 0
        return 1, player_index

    def diff(self, a: P, b: P) -> Difference:
        """Return the differences between the positions `a` and `b`: changed squares and changed fields.

        Fields are values beside the board, such as the side to move. If all of these agree but the texts of
        the positions differ, the result has one changed field called ``text``.
        """
        squares = _find_changes(map_cell_symbols(self.scene(a)), map_cell_symbols(self.scene(b)))
        fields = _find_changes(_read_field_values(self, a), _read_field_values(self, b))
        # The texts may still differ, for example in a part that is neither a field nor on a square.
        if not squares and not fields:
            fields = _find_changes({"text": str(a)}, {"text": str(b)})
        return Difference(fields=fields, squares=squares, sides=(a, b))

    def new_game(self, seed: int | None = None) -> P:
        """Return the start position of a new game.

        In games with a random start, `seed` selects the position: the same number gives the same position.
        None chooses one at random.
        """
        return self.parse(self.start)


def _find_changes(a: Mapping[str, str], b: Mapping[str, str]) -> tuple[Change, ...]:
    """Return a `Change` for each key whose value differs in the mappings `a` and `b`.

    A key that is only in one mapping has an empty value in the other. The changes have the order of the keys.
    """
    # A dict instead of a set, because it keeps the order.
    all_names = dict.fromkeys((*a, *b))
    pairs = (Change(name, a.get(name, ""), b.get(name, "")) for name in all_names)
    return tuple(pair for pair in pairs if pair.a != pair.b)


def _read_field_values(game: Game, position: Any) -> dict[str, str]:
    """Return the fields of a position and their values, such as ``{"castling": "KQkq"}``.

    Fields are the values that are not on the board. A game without editing has only the field ``side``.
    """
    if isinstance(game, Editable):
        return {field.name: field.value for field in game.fields(position)}
    return {"side": game.side_to_move(position)}


def outcome_of_past(game: Game[P, M], past: Past[P, M]) -> Outcome | None:
    """Return the result of a game after the last position of `past`, or None if it goes on.

    Rules that depend on earlier positions or moves, such as that against perpetual check, are applied too.
    `past` contains all positions and moves of the match.
    """
    historical_game = as_historical(game)
    if historical_game is None:
        return game.outcome(past.position, past.repetitions)
    return historical_game.outcome_of(past)


def claims_of_past(game: Game[P, M], past: Past[P, M]) -> tuple[str, ...]:
    """Return the reasons for a draw claim in the last position of `past`.

    An example is ``("fifty moves",)``. The result is empty if there are none, or if the game has ended.
    `past` contains all positions and moves of the match.
    """
    historical_game = as_historical(game)
    if historical_game is None:
        return game.claims(past.position, past.repetitions)
    return historical_game.claims_of(past)


def select_profile(game: Game | None, profile: str | None) -> Game | None:
    """Return the game with a reader that imitates another program.

    Args:
        game: The game. None means the first installed game that has the profile.
        profile: The name of the program or document to imitate, such as ``seed`` for the source document of
            chess. None returns `game` unchanged.

    Raises:
        ValueError: If the game, or every installed game, lacks the profile.
    """
    if profile is None:
        return game
    candidates = [find_game(name) for name in installed_games()] if game is None else [game]
    known_profiles: list[str] = []
    for candidate in candidates:
        if not isinstance(candidate, Profiles):
            continue
        if profile in candidate.profiles:
            return candidate.with_profile(profile)
        known_profiles += candidate.profiles
    refusal = "no game has a" if game is None else f"{game.name} has no"
    profile_list = ", ".join(known_profiles) or "none"
    raise ValueError(f"{refusal} profile {quoted(profile)}; available profiles: {profile_list}")


def read_pass(game: Game, position: Any, text: str) -> Any | None:
    """Return the move object for a pass (null move), such as ``--``, in a game record.

    The result is None if `text` does not name a pass, or if records of the game contain no passes. Raise
    `MoveError` if it names a pass, but the side to move cannot pass here.
    """
    return game.read_pass(position, text) if isinstance(game, Passing) else None


def read_record_move(game: Game, position: Any, text: str) -> Any:
    """Return the legal move (``e4``) or the pass (``--``) that a text in a game record names.

    Raise `MoveError` if it names neither.
    """
    try:
        return game.read_move(position, text)
    except MoveError:
        null_move = read_pass(game, position, text)
        if null_move is None:
            raise
        return null_move


def is_position(value: object) -> bool:
    """Return True if a value is a position of any game, and False for its text or another value."""
    # The isinstance check with the protocol takes longer than reading a text. Only positions have this value.
    return not isinstance(value, str) and hasattr(type(value), "packed")


def game_of(position: Position) -> Game:
    """Return the game of a position, in the variant of the position.

    Raise `TypeError` if `position` is not a position, or if it has no attribute `game`.
    """
    game_or_name = getattr(position, "game", None)
    if game_or_name is not None and is_position(position):
        own_game: Game = find_game(game_or_name)
        return own_game
    hint = "; parse(text) gives the position of a text" if isinstance(position, str) else ""
    raise TypeError(f"a position with the attribute game is expected, not {type_name(position)}{hint}")


def wrong_position_error(game: str, value: object) -> TypeError:
    """Return the `TypeError` for a `value` where a position of `game` is expected.

    The message has a hint if `value` is a text, a `Reading` or None, because these are common mistakes.
    """
    hint = ""
    if isinstance(value, str):
        hint = "; parse(text) gives the position of a text"
    elif isinstance(value, Reading):
        hint = "; reading.require() gives the position of a reading"
    elif value is None:
        hint = "; a text that cannot be read has no position, see the diagnostics of its reading"
    return TypeError(f"a position of {game} is expected, not {type_name(value)}{hint}")


def wrong_move_error(game: str, value: object) -> MoveError:
    """Return the `MoveError` for a `value` where a move object of `game` is expected.

    The message has a hint if `value` is a text, because that is a common mistake.
    """
    hint = "; read_move(position, text) gives the move of a text" if isinstance(value, str) else ""
    return MoveError("invalid", quoted(value), f"a move of {game} is expected, not {quoted(value)}{hint}")


def wrong_move_text_error(value: object) -> MoveError:
    """Return the `MoveError` for a `value` that is not a string where a move text is expected."""
    return MoveError("invalid", quoted(value), f"the text of a move is expected, not {quoted(value)}")


def illegal_move_error(move: object) -> MoveError:
    """Return the `MoveError` for a text or move object that is not a legal move of the position."""
    return MoveError("illegal", quoted(move), f"{quoted(move)} is not a legal move of this position")
