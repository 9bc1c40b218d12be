"""A game in progress (`Match`): start position, moves played, undo, redo, repetitions and result.

A match is mutable and not hashable. Two matches are equal if they have the same game, variant, start and
moves; undone moves do not count. A copy, shallow or deep, is independent of the original. Both share their
positions and moves, which are immutable.

Limits: a match holds at most `MAX_MOVES` moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, overload

from forsyth.abilities import find_hindrance
from forsyth.arguments import quoted, require_integer
from forsyth.diagnostics import FenError, MoveError
from forsyth.forms import unwrap
from forsyth.game import (
    Game,
    M,
    Outcome,
    P,
    Past,
    as_historical,
    claims_of_past,
    outcome_of_past,
    read_record_move,
)
from forsyth.limits import MAX_MOVES
from forsyth.registry import game as find_game
from forsyth.scene import Scene

if TYPE_CHECKING:
    from forsyth.game import Position
    from forsyth.games import azul, chess, cotulenh
    from forsyth.kit.moves import GridMove
    from forsyth.kit.position import GridPosition


@dataclass(frozen=True, slots=True)
class Ply(Generic[P, M]):
    """A move that was played: the move, its canonical text, and the positions before and after it."""

    move: M
    text: str
    before: P
    after: P


class Match(Generic[P, M]):
    """A game in progress: start position, moves played, undo, redo, repetitions and result.

    An operation that raises an error leaves the match unchanged.
    """

    @overload
    def __init__(
        self: Match[chess.Position, chess.Move],
        game: Literal["chess"],
        position: chess.Position | str | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self: Match[cotulenh.Position, cotulenh.Move],
        game: Literal["cotulenh"],
        position: cotulenh.Position | str | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self: Match[azul.Position, str], game: Literal["azul"], position: azul.Position | str | None = None
    ) -> None: ...
    @overload
    def __init__(
        self: Match[GridPosition, GridMove],
        game: Literal["xiangqi", "shogi"],
        position: GridPosition | str | None = None,
    ) -> None: ...
    @overload
    def __init__(self, game: Game[P, M], position: P | str | None = None) -> None: ...
    @overload
    def __init__(self: Match[Position, Any], game: str, position: Position | str | None = None) -> None: ...
    def __init__(self, game: Game | str, position: Any = None) -> None:
        """Begin a match without moves.

        Args:
            game: The game, or its name, such as ``chess``.
            position: The start position, or its text in any form except ``state_…``, which needs a store.
                None means the start position of the game.

        Raises:
            FenError: If the text cannot be read or its position is not legal.
        """
        self.game: Game[P, M] = find_game(game)
        position_or_text = self.game.start if position is None else position
        if isinstance(position_or_text, str):
            self._start: P = _parse_position(self.game, position_or_text)
        else:
            self._start = position_or_text
        self._plies: list[Ply[P, M]] = []
        self._undone: list[Ply[P, M]] = []
        # How often each position has occurred, by its key.
        self._occurrences: dict[str, int] = {self.game.key(self._start): 1}

    @property
    def start(self) -> P:
        """The start position of the match."""
        return self._start

    @property
    def position(self) -> P:
        """The current position."""
        return self._plies[-1].after if self._plies else self._start

    @property
    def history(self) -> tuple[Ply[P, M], ...]:
        """The moves played, from the first to the last."""
        return tuple(self._plies)

    def __len__(self) -> int:
        return len(self._plies)

    def __bool__(self) -> bool:
        # Without this method, a match without moves would be false, because its length is 0.
        return True

    def __iter__(self) -> Iterator[Ply[P, M]]:
        return iter(tuple(self._plies))

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        unit = "move" if len(self) == 1 else "moves"
        return f"<Match {self.game.name}, {self.game.variant}, {len(self)} {unit}, {str(self)!r}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return self._equality_values() == other._equality_values()

    __hash__ = None  # type: ignore[assignment]

    def _equality_values(self) -> tuple[Any, ...]:
        """Return the values that two equal matches share: game, variant, start position and moves."""
        return self.game.name, self.game.variant, self._start, [ply.move for ply in self._plies]

    def copy(self) -> Self:
        """Return an independent match that is equal to this one and has the same undone moves."""
        # Created without the constructor, which would check the start position again.
        copied = object.__new__(type(self))
        vars(copied).update(vars(self))
        copied._plies = self._plies.copy()
        copied._undone = self._undone.copy()
        copied._occurrences = self._occurrences.copy()
        return copied

    __copy__ = copy

    def __deepcopy__(self, _: object) -> Self:
        return self.copy()

    def moves(self) -> Sequence[M]:
        """Return the legal moves in the current position."""
        return self.game.moves(self.position)

    def texts(self) -> list[str]:
        """Return the legal moves in the current position as texts in canonical notation: ``e4``."""
        return [self.game.write_move(self.position, move) for move in self.game.moves(self.position)]

    def actions(self) -> tuple[str, ...]:
        """Return the legal actions that move no piece, such as ``commit``, as texts for `play`."""
        return self.game.actions(self.position)

    def play(self, move: M | str) -> Ply[P, M]:
        """Play a legal move or action, and return it with the positions before and after it.

        `move` is a text such as ``e4``, or a move object of the game. Moves that were undone can no longer be
        redone. Raise `MoveError` if the move is not legal. Its message contains the reason that the game's
        `explain` returns for the text. The match then stays as it was.
        """
        try:
            ply = self._make_ply(move, _read_legal_move)
        except MoveError as error:
            raise self._add_reason(error, move) from None
        self._append_ply(ply)
        self._undone.clear()
        return ply

    def play_recorded(self, text: str) -> Ply[P, M]:
        """Play a move from a game record, and return it with the positions before and after it.

        Unlike `play`, this also accepts a pass (``--``), which records may contain although the rules do not
        allow it. Moves that were undone can no longer be redone. Raise `MoveError` if `text` names neither a
        legal move nor a pass.
        """
        ply = self._make_ply(text, read_record_move)
        self._append_ply(ply)
        self._undone.clear()
        return ply

    def undo(self) -> Ply[P, M] | None:
        """Take back the last move and return it. Return None if no move was played.

        `redo` plays the move again.
        """
        if not self._plies:
            return None
        ply = self._plies.pop()
        self._undone.append(ply)

        key = self.game.key(ply.after)
        self._occurrences[key] -= 1
        if self._occurrences[key] == 0:
            del self._occurrences[key]
        return ply

    def redo(self) -> Ply[P, M] | None:
        """Play the move that was undone last and return it. Return None if no move was undone."""
        if not self._undone:
            return None
        ply = self._undone.pop()
        self._append_ply(ply)
        return ply

    @property
    def repetitions(self) -> int:
        """How often the current position has occurred in this match, including now."""
        return self._occurrences[self.game.key(self.position)]

    def past(self, move_count: int | None = None) -> Past[P, M]:
        """Return the history of the match: positions, moves, and how often the last position occurred.

        `move_count` limits the history to the first moves of the match. None means all moves. Raise
        `ValueError` if it is negative or greater than the number of moves.
        """
        if move_count is None:
            move_count = len(self._plies)
        require_integer("the number of moves", move_count)
        if not 0 <= move_count <= len(self._plies):
            raise ValueError(f"the number of moves is {move_count}, expected 0 to {len(self._plies)}")
        plies = self._plies[:move_count]
        positions = (self._start, *(ply.after for ply in plies))
        moves = tuple(ply.move for ply in plies)
        is_whole_match = move_count == len(self._plies)
        if is_whole_match:
            # Counted during play.
            repetitions = self.repetitions
        else:
            last_key = self.game.key(positions[-1])
            repetitions = sum(self.game.key(position) == last_key for position in positions)
        return Past(positions, moves, repetitions)

    @property
    def outcome(self) -> Outcome | None:
        """The result and the reason for the end of the match, or None while it goes on."""
        # The history is only collected for a game that needs it.
        if as_historical(self.game) is None:
            return self.game.outcome(self.position, self.repetitions)
        return outcome_of_past(self.game, self.past())

    @property
    def claims(self) -> tuple[str, ...]:
        """The reasons for which the side to move may claim a draw now, such as ``fifty moves``."""
        if as_historical(self.game) is None:
            return self.game.claims(self.position, self.repetitions)
        return claims_of_past(self.game, self.past())

    def claims_by_move(self) -> dict[M, tuple[str, ...]]:
        """Return the legal moves with which the side to move may claim a draw, each with the reasons.

        >>> match = Match("chess", "k7/8/8/8/8/8/P7/K7 w - - 99 80")
        >>> match.claims_by_move()
        {<Move a1b1>: ('fifty moves',), <Move a1b2>: ('fifty moves',)}
        """
        claims_by_move: dict[M, tuple[str, ...]] = {}
        trial = self.copy()
        for move in self.moves():
            trial.play(move)
            if trial.claims:
                claims_by_move[move] = trial.claims
            trial.undo()
        return claims_by_move

    @property
    def result(self) -> str:
        """The result: ``1-0``, ``0-1`` or ``1/2-1/2``, or ``*`` while the match goes on."""
        outcome = self.outcome
        return "*" if outcome is None else outcome.result

    def scene(self) -> Scene:
        """Return a drawing of the current position as a `Scene`, for the functions of `forsyth.draw`."""
        return self.game.scene(self.position)

    def _repr_svg_(self) -> str | None:
        return self.scene()._repr_svg_()

    def _make_ply(self, move: Any, read_move: Callable[[Game, Any, str], Any]) -> Ply[P, M]:
        """Return a move with the positions before and after it, without playing it in this match.

        Args:
            move: A text, or a move object of the game.
            read_move: A function that returns the move object for a game, a position and a text.

        Raises:
            MoveError: If the move is not legal, or the match already has `MAX_MOVES` moves.
        """
        if len(self._plies) >= MAX_MOVES:
            raise MoveError("illegal", quoted(move), f"the match has {MAX_MOVES} moves, which is the maximum")
        before = self.position
        if isinstance(move, str):
            move_object = read_move(self.game, before, move)
        elif move in self.game.moves(before):
            move_object = move
        else:
            message = (
                f"{quoted(move)} is not a legal move here, expected a move text or one of the game's moves"
            )
            raise MoveError("illegal", quoted(move), message)
        move_text = self.game.write_move(before, move_object)
        return Ply(move_object, move_text, before, self.game.play(before, move_object))

    def _add_reason(self, error: MoveError, move: Any) -> MoveError:
        """Return the error about a move, with the reason why the move is not possible in its message.

        The error is returned unchanged if `move` is not a text, or if the game offers no reason.
        """
        hindrance = find_hindrance(self.game, self.position, move) if isinstance(move, str) else None
        if hindrance is None:
            return error
        return MoveError(error.kind, error.text, f"{error}; {hindrance.message}", error.candidates)

    def _append_ply(self, ply: Ply[P, M]) -> None:
        """Append `ply` to the moves played, and count the occurrence of the position after it."""
        key = self.game.key(ply.after)
        self._occurrences[key] = self._occurrences.get(key, 0) + 1
        self._plies.append(ply)


def _parse_position(game: Game[P, M], text: str) -> P:
    """Return the position of a plain, ``base64_`` or ``fenz_`` text, or of a name such as ``start``.

    Raise `FenError` if the text cannot be read or its position is not legal. A ``state_`` text cannot be
    read, because no store resolves it.
    """
    unwrapped = unwrap(text, names=game.names)
    if unwrapped.plain is None:
        raise FenError(text, unwrapped.diagnostics)
    return game.parse(unwrapped.plain)


def _read_legal_move(game: Game, position: Any, text: str) -> Any:
    """Return the legal move that a text names, such as ``e4``. Raise `MoveError` if it names none."""
    return game.read_move(position, text)
