"""A position with its past (`Match`): moves played, undo, redo, repetition and result.

A match changes, so it cannot be hashed. Two matches are equal when game, variant, start and moves are; what
was taken back does not count. A copy, shallow or deep, is independent: positions and moves are values and
are shared.

Limits: a match holds at most `MAX_MOVES` moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, overload

from forsyth.arguments import quoted, whole_number
from forsyth.diagnostics import FenError, MoveError
from forsyth.forms import unwrap
from forsyth.game import Game, M, Outcome, P, Past, claims_in, historical, outcome_in, read_recorded
from forsyth.limits import MAX_MOVES
from forsyth.registry import game as find_game
from forsyth.scene import Scene

if TYPE_CHECKING:
    from forsyth.games import azul, chess, cotulenh
    from forsyth.kit.moves import GridMove
    from forsyth.kit.position import GridPosition


@dataclass(frozen=True, slots=True)
class Ply(Generic[P, M]):
    """One move that was played: the move, its canonical text, and the positions around it."""

    move: M
    text: str
    before: P
    after: P


class Match(Generic[P, M]):
    """A position with its past: moves played, undo, redo, repetition and result.

    Every operation either succeeds or leaves the match as it was.
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
    def __init__(self: Match[Any, Any], game: str, position: Any = None) -> None: ...
    def __init__(self, game: Game | str, position: Any = None) -> None:
        """Begin from a position or its text in any form that needs no store; from the start without one."""
        game = find_game(game)
        if position is None:
            position = game.start
        if isinstance(position, str):
            position = _parse(game, position)
        self.game: Game[P, M] = game
        self._start: P = position
        self._plies: list[Ply[P, M]] = []
        self._undone: list[Ply[P, M]] = []
        self._seen: dict[str, int] = {game.key(position): 1}

    @property
    def start(self) -> P:
        """The position the match began with."""
        return self._start

    @property
    def position(self) -> P:
        """The position now."""
        return self._plies[-1].after if self._plies else self._start

    @property
    def history(self) -> tuple[Ply[P, M], ...]:
        """The moves played, oldest first."""
        return tuple(self._plies)

    def __len__(self) -> int:
        return len(self._plies)

    def __bool__(self) -> bool:
        # A match in which nothing was played yet is a match all the same.
        return True

    def __iter__(self) -> Iterator[Ply[P, M]]:
        return iter(tuple(self._plies))

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        count = f"{len(self)} move{'' if len(self) == 1 else 's'}"
        return f"<Match {self.game.name}, {self.game.variant}, {count}, {str(self)!r}>"

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Match) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _identity(self) -> tuple[Any, ...]:
        return self.game.name, self.game.variant, self._start, [ply.move for ply in self._plies]

    def copy(self) -> Self:
        """An independent match that is equal to this one."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._plies = self._plies.copy()
        other._undone = self._undone.copy()
        other._seen = self._seen.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, _: object) -> Self:
        return self.copy()

    def moves(self) -> Sequence[M]:
        """The legal moves now, as `Game.moves` gives them."""
        return self.game.moves(self.position)

    def texts(self) -> list[str]:
        """The legal moves now, in canonical notation."""
        return [self.game.write_move(self.position, move) for move in self.game.moves(self.position)]

    def actions(self) -> tuple[str, ...]:
        """What can be done now that is no move of a piece; played like a move."""
        return self.game.actions(self.position)

    def play(self, move: M | str) -> Ply[P, M]:
        """Play a move or an action, given as text or as a move of the game; raises `MoveError`."""
        ply = self._ply(move, _read_legal)
        self._push(ply)
        self._undone.clear()
        return ply

    def play_recorded(self, text: str) -> Ply[P, M]:
        """Play a move of a record, which may be a pass that the rules do not allow; raises `MoveError`."""
        ply = self._ply(text, read_recorded)
        self._push(ply)
        self._undone.clear()
        return ply

    def undo(self) -> Ply[P, M] | None:
        """Take the last move back; None when there is none."""
        if not self._plies:
            return None
        ply = self._plies.pop()
        key = self.game.key(ply.after)
        self._seen[key] -= 1
        if not self._seen[key]:
            del self._seen[key]
        self._undone.append(ply)
        return ply

    def redo(self) -> Ply[P, M] | None:
        """Play the move last taken back; None when there is none."""
        if not self._undone:
            return None
        ply = self._undone.pop()
        self._push(ply)
        return ply

    @property
    def repetitions(self) -> int:
        """How often the position now has occurred in this match, this time included."""
        return self._seen[self.game.key(self.position)]

    def past(self, at: int | None = None) -> Past[P, M]:
        """What the rules may see of the match, all of it or as it was after its first `at` moves."""
        if at is not None and not 0 <= whole_number("the number of moves", at) <= len(self._plies):
            raise ValueError(f"the match has {len(self._plies)} moves, so it has no past at {at}")
        plies = self._plies if at is None else self._plies[:at]
        positions = (self._start, *(ply.after for ply in plies))
        if len(plies) == len(self._plies):
            repetitions = self.repetitions
        else:
            key = self.game.key(positions[-1])
            repetitions = sum(self.game.key(position) == key for position in positions)
        return Past(positions, tuple(ply.move for ply in plies), repetitions)

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        if historical(self.game) is None:
            return self.game.outcome(self.position, self.repetitions)
        return outcome_in(self.game, self.past())

    @property
    def claims(self) -> tuple[str, ...]:
        """Why the side to move may claim a draw now."""
        if historical(self.game) is None:
            return self.game.claims(self.position, self.repetitions)
        return claims_in(self.game, self.past())

    def claims_by_move(self) -> dict[M, tuple[str, ...]]:
        """The legal moves with which the side to move may claim a draw now, each with the reasons.

        >>> match = Match("chess", "k7/8/8/8/8/8/P7/K7 w - - 99 80")
        >>> match.claims_by_move()
        {<Move a1b1>: ('fifty moves',), <Move a1b2>: ('fifty moves',)}
        """
        found: dict[M, tuple[str, ...]] = {}
        after = self.copy()
        for move in self.moves():
            after.play(move)
            if after.claims:
                found[move] = after.claims
            after.undo()
        return found

    @property
    def result(self) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while the match goes on."""
        outcome = self.outcome
        return "*" if outcome is None else outcome.result

    def scene(self) -> Scene:
        """What to draw of the position now."""
        return self.game.scene(self.position)

    def _repr_svg_(self) -> str | None:
        return self.scene()._repr_svg_()

    def _ply(self, move: Any, read: Callable[[Game, Any, str], Any]) -> Ply[P, M]:
        if len(self._plies) >= MAX_MOVES:
            raise MoveError("illegal", quoted(move), f"a match holds at most {MAX_MOVES} moves")
        before = self.position
        if isinstance(move, str):
            move = read(self.game, before, move)
        elif move not in self.game.moves(before):
            message = "is not a legal move here, expected a move text or one of the game's moves"
            raise MoveError("illegal", quoted(move), f"{quoted(move)} {message}")
        text = self.game.write_move(before, move)
        return Ply(move, text, before, self.game.play(before, move))

    def _push(self, ply: Ply[P, M]) -> None:
        key = self.game.key(ply.after)
        self._seen[key] = self._seen.get(key, 0) + 1
        self._plies.append(ply)


def _parse(game: Game[P, M], text: str) -> P:
    unwrapped = unwrap(text, names=game.names)
    if unwrapped.plain is None:
        raise FenError(text, unwrapped.diagnostics)
    return game.parse(unwrapped.plain)


def _read_legal(game: Game, position: Any, text: str) -> Any:
    return game.read_move(position, text)
